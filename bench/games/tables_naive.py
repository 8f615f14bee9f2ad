"""The tables engine against the naive rules: positions of random games under random options, and the disagreements."""

import argparse
import json
import random
import time
from typing import Any

from companion.rules.options import OptionValue
from companion.rules.registry import game
from tests.rules.tables.against_naive import compare, playout, under_way
from tests.rules.tables.naive_variants import VARIANTS

OPTIONS: dict[str, tuple[OptionValue, ...]] = {
    "dice": ("2", "3", "2+6", "3-turn", "majoret", "minoret"),
    "goal": ("bear", "home"),
    "unused": ("lost", "opponent"),
    "enter_first": (True, False),
    "all_enter_first": (False, True),
    "doubles_twice": (False, True),
    "extra_turn": (False, True),
    "ad_fallum": (False, True),
    "slaps": (True, False),
}
"""The options that the naive rules know."""


def main() -> None:
    """Follow stretches of n games, each from a random depth, and print what was compared."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    generator = random.Random(given.seed)
    started = time.perf_counter()
    compared = 0
    wrong: list[dict[str, Any]] = []
    for _ in range(given.n):
        slug = generator.choice(sorted(VARIANTS))
        known = {option.name for option in game(slug).options}
        options = {name: generator.choice(OPTIONS[name]) for name in generator.sample(sorted(OPTIONS), 2)}
        options = {name: value for name, value in options.items() if name in known}
        players = generator.choice((2, 2, 2, 4, 6))
        begun = under_way(slug, players, options, generator, generator.randint(0, 600))
        for number, both in enumerate(playout(begun, generator, 25)):
            compared += 1
            try:
                compare(both, plays=number % 6 == 0)
            except AssertionError:
                wrong.append(both.engine.to_json())
                break
    figures = {
        "n": given.n,
        "seed": given.seed,
        "positions": compared,
        "disagreements": len(wrong),
        "examples": wrong[:3],
        "seconds": round(time.perf_counter() - started, 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()

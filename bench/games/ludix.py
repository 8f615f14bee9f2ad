"""How long it takes to compute the best play of Ludix, and how often it wins in matches played by the rules."""

import argparse
import json
import math
import random
import time
from typing import Any

from companion.odds.ludix.matches import BEST, HEEDING, SIMPLE, compare
from companion.odds.ludix.race import race
from tests.odds.test_ludix import WAYS
from tests.rules.ludix.plays import start

PLAYED = ((BEST, BEST), (BEST, SIMPLE), (SIMPLE, BEST), (HEEDING, HEEDING))


def share(match: tuple[str, str], games: int, chance: random.Random) -> float:
    """Return the share of matches won by the first player; a shared win counts half."""
    won = 0.0
    for _ in range(games):
        position = start()
        while position.outcome is None:
            if position.cast is None:
                position = position.after(chance.choice(position.throws()))
            else:
                position = position.after(WAYS[match[position.turn - 1]](position))
        won += (1 in position.outcome.winners) / len(position.outcome.winners)
    return won / games


def main() -> None:
    """Print seconds, and for each match the computed share, the played share, and the standard errors between them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    began = time.perf_counter()
    solved = race(300, "round")
    solve_seconds = time.perf_counter() - began
    began = time.perf_counter()
    reckoned = compare(solved)
    figures: dict[str, Any] = {
        "n": given.n,
        "seed": given.seed,
        "solve_seconds": round(solve_seconds, 2),
        "compare_seconds": round(time.perf_counter() - began, 2),
    }
    chance = random.Random(given.seed)
    for match in PLAYED:
        played, expected = share(match, given.n, chance), reckoned[match]
        error = math.sqrt(expected * (1 - expected) / given.n)
        figures[" against ".join(match)] = {
            "reckoned": round(expected, 5),
            "played": round(played, 5),
            "errors": round((played - expected) / error, 2),
        }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()

"""Every reason for a turn in thousands of random positions, counted again: ``python -m bench.games.reasons -n 2000``.

The naive counts are those of the tests (`tests.players.naive_reasons`): by the rules core alone, every throw tried.
"""

import argparse
import json
import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Final

from companion.players.player import Budget, Reason
from companion.players.thinking import reasons, weigh
from companion.rules.game import Choice, Position
from companion.rules.ludix import LudixPosition
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.tables import TablesPosition
from tests.players.naive_reasons import of_ludix, of_rithmomachia, of_tables
from tests.players.on_the_way import RITHMOMACHIA, TABLES, choosing

FAMILIES: Final = {"ludix": ("ludix",), "rithmomachia": RITHMOMACHIA, "tables": TABLES}
LONGEST: Final = {"ludix": 40, "rithmomachia": 120, "tables": 120}  # moves by chance before the position
AMONG: Final = 6  # of so many best turns one is taken by lot
TWO_DICE: Final = 36


def true(reason: Reason, before: Position, after: Position, choices: tuple[Choice, ...]) -> bool:
    """Whether a reason is true."""
    if isinstance(before, TablesPosition) and isinstance(after, TablesPosition):
        return of_tables(reason, before, after)
    if isinstance(before, RithmoPosition) and isinstance(after, RithmoPosition):
        return of_rithmomachia(reason, before, after, choices)
    assert isinstance(before, LudixPosition), "there are no other families"
    assert isinstance(after, LudixPosition), "a family keeps its positions"
    return of_ludix(reason, before, after)


def family(
    slugs: tuple[str, ...], longest: int, count: int, seed: int, report: Callable[[str], object]
) -> Counter[str]:
    """Return how many reasons of each kind there were, and how many were not true."""
    found: Counter[str] = Counter()
    number = 0
    while found["positions"] < count:
        number += 1
        chance = random.Random(f"{seed} {number}")
        slug = slugs[number % len(slugs)]
        position = choosing(slug, chance.randrange(10**9), chance.randrange(longest))
        if position is None:
            continue
        found["positions"] += 1
        weighed = weigh(position, Budget(depth=0 if slug.startswith("rithmomachia/") else 1))
        turn = weighed[chance.randrange(min(AMONG, len(weighed)))]
        after: Position = position
        for choice in turn.choices:
            after = after.after(choice)
        for reason in reasons(position, weighed, turn):
            if reason.kind == "open" and len(after.throws()) > TWO_DICE and chance.random() > 0.1:
                found["three dice, not counted"] += 1  # 216 throws take a second: one in ten is counted
                continue
            found[reason.kind] += 1
            if not true(reason, position, after, turn.choices):
                found["untrue"] += 1
                report(f"{slug}: {reason}")
    return found


def main() -> int:
    """Print the figures; fail if a reason is not true."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", help="by default all three that have choices")
    parser.add_argument("-n", type=int, default=2000, help="positions of each family")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    untrue = 0
    for name in given.families or FAMILIES:
        found = family(tuple(FAMILIES[name]), LONGEST[name], given.n, given.seed, print)
        untrue += found["untrue"]
        print(
            json.dumps({"family": name, **found, "load": round(os.getloadavg()[0], 1)}),
            flush=True,
        )
    return int(untrue > 0)


if __name__ == "__main__":
    raise SystemExit(main())

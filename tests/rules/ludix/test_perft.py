"""Perft: how many sequences of throws and choices there are, level by level, by the rules and by the naive ones.

``perft.toml`` holds the counts. Each throw and each choice is one level; ways to equal positions go on together.
"""

import tomllib
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from companion.rules.ludix import LudixPosition
from tests.rules.levels import levels
from tests.rules.ludix import naive
from tests.rules.ludix.plays import ludix

PERFT = tomllib.loads((Path(__file__).parent / "perft.toml").read_text(encoding="utf-8"))["perft"]


def by_the_rules(position: LudixPosition) -> Iterator[LudixPosition]:
    return (position.after(move) for move in chain(position.throws(), position.legal()))


def begins(entry: dict[str, Any]) -> LudixPosition:
    """Return where an entry counts from."""
    points = {str(number): had for number, had in enumerate(entry["points"], 1)}
    return ludix().from_json(
        {
            "game": "ludix",
            "players": len(points),
            "options": {"target": entry["target"]},
            "turn": entry["turn"],
            "turns": len(points) + entry["turn"] - 1,
            "scores": points,
        }
    )


@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: f"{entry['points']} to {entry['target']}")
def test_the_rules_and_the_naive_ones_count_alike(entry: dict[str, Any]) -> None:
    found = entry["sequences"], entry["positions"]
    depth = len(entry["sequences"]) - 1
    start = begins(entry)
    assert not start.faults()
    assert levels(start, by_the_rules, depth) == found
    plain: naive.Match = (start.points, start.turns, (), "")
    assert levels(plain, partial(naive.following, target=entry["target"]), depth) == found

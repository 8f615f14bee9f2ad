"""Perft: how many sequences of choices there are, level by level, and how many positions they reach.

``perft.toml`` holds the counts, as ``companion perft`` counts them: each choice is one level, and ways that reach equal
positions go on together. Engine and naive rules both have to give them.
"""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.rules.game import Position
from companion.rules.registry import game
from tests.rules.levels import levels
from tests.rules.rithmomachia import naive
from tests.rules.rithmomachia.naive import State
from tests.rules.rithmomachia.naive_options import SLUGS
from tests.rules.rithmomachia.naive_positions import state

PERFT = tomllib.loads((Path(__file__).parent / "perft.toml").read_text(encoding="utf-8"))["perft"]


def first(entry: dict[str, Any]) -> State:
    """Return the position that an entry counts from: the start of the game, or the men that it names."""
    options = entry.get("options", {})
    if "men" not in entry:
        return naive.start(entry["game"], **options)
    return state(entry["game"], entry["men"], entry["turn"], **options)


def engine_levels(entry: dict[str, Any], depth: int) -> tuple[list[int], list[int]]:
    start: Position = game(entry["game"]).from_json(first(entry))
    return levels(start, lambda position: map(position.after, position.legal()), depth)


def naive_levels(entry: dict[str, Any], depth: int) -> tuple[list[int], list[int]]:
    def following(key: str) -> Iterator[str]:
        here = json.loads(key)
        return (as_key(naive.after(here, text)) for text in naive.choices(here))

    return levels(as_key(first(entry)), following, depth)


def as_key(found: State) -> str:
    """Write a state so that equal ones are written alike."""
    piles = {
        pile: {player: sorted(men, key=json.dumps) for player, men in found[pile].items()}
        for pile in ("captured", "removed", "returned", "triumphs")
    }
    return json.dumps(found | piles, sort_keys=True)


@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: f"{entry['game']}-{entry.get('men', 'start')[:5]}")
def test_the_counts_are_those_written_down(entry: dict[str, Any]) -> None:
    depth = len(entry["sequences"]) - 1
    assert engine_levels(entry, depth) == (entry["sequences"], entry["positions"])


@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: f"{entry['game']}-{entry.get('men', 'start')[:5]}")
def test_the_naive_rules_count_the_same(entry: dict[str, Any]) -> None:
    """One level less where the last is wide."""
    depth = len(entry["sequences"]) - 1 - (entry["sequences"][-1] > 700)
    assert naive_levels(entry, depth) == (entry["sequences"][: depth + 1], entry["positions"][: depth + 1])


def test_every_game_is_counted_from_its_array_and_from_a_position_full_of_captures() -> None:
    for slug in SLUGS:
        assert {"men" in entry for entry in PERFT if entry["game"] == slug} == {True, False}

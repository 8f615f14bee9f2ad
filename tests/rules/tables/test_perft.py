"""Perft: how many sequences of throws and choices there are, level by level, and how many positions they reach.

``perft.toml`` holds the counts, as ``companion perft`` counts them: each throw and each choice is one level, and ways
that reach equal positions go on together. Engine and naive rules both have to give them.
"""

import tomllib
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.rules.game import Position
from companion.rules.registry import game
from tests.rules.levels import levels
from tests.rules.tables import naive

PERFT = tomllib.loads((Path(__file__).parent / "perft.toml").read_text(encoding="utf-8"))["perft"]
Shown = tuple[int, ...]


def position_of(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the position that an entry counts from."""
    data = {"game": entry["game"], "players": entry.get("players", 2)}
    if "men" not in entry:
        return data | {"men": game(entry["game"]).start(data["players"]).to_json()["men"]}
    return data | {"men": entry["men"], "turn": entry["turn"]}


def throws(entry: dict[str, Any], dice: int) -> Sequence[Shown]:
    """Return the throws that may fall: those of the entry, or all there are."""
    if "throws" in entry:
        return [tuple(int(word) for word in text.split()) for text in entry["throws"]]
    return list(product(range(1, 7), repeat=dice))


def engine_levels(entry: dict[str, Any], depth: int) -> tuple[list[int], list[int]]:
    start = game(entry["game"]).from_json(position_of(entry))
    assert not start.faults()

    def following(position: Position) -> Iterator[Position]:
        if position.awaits.kind == "throw":
            for shown in throws(entry, len(position.awaits.dice)):
                yield position.after(position.parse(" ".join(map(str, shown))))
        for choice in position.legal():
            yield position.after(choice)

    return levels(start, following, depth)


class Keyed:
    """A naive state that equals another where the same lies on the table."""

    def __init__(self, state: naive.State) -> None:
        self.state = state
        self.key = state.key()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keyed) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def naive_levels(entry: dict[str, Any], depth: int) -> tuple[list[int], list[int]]:
    data = position_of(entry)
    start = naive.from_json(data) if "men" in entry else naive.start(data["game"], data["players"])

    def following(keyed: Keyed) -> Iterator[Keyed]:
        state = keyed.state
        if state.winner is None and not state.dice:
            for shown in throws(entry, 3 if state.options["dice"].startswith("3") else 2):
                yield Keyed(naive.after_throw(state, *shown))
        for move in naive.legal(state):
            yield Keyed(naive.after(state, move))

    return levels(Keyed(start), following, depth)


def named(entry: dict[str, Any]) -> str:
    return f"{entry['game']}{'-late' if 'men' in entry else ''}{'' if 'throws' in entry else '-all'}"


@pytest.mark.parametrize("entry", PERFT, ids=named)
def test_engine_and_naive_rules_count_as_recorded(entry: dict[str, Any]) -> None:
    depth = len(entry["sequences"]) - 1
    recorded = entry["sequences"], entry["positions"]
    assert engine_levels(entry, depth) == recorded
    assert naive_levels(entry, depth) == recorded

"""Whole matches, written down line by line, are played as they are written.

A line is the player's number and what was typed; after ``at stake`` what is at stake then, after ``->`` everybody's
noted points once the turn is over.
"""

from pathlib import Path

import pytest

from companion.commands.common_options import option_value
from companion.rules.ludix import LudixPosition
from tests.rules.ludix.plays import start

MATCHES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


def beginning(lines: list[str]) -> LudixPosition:
    words = [line.split() for line in lines]
    options = {name: option_value(value) for kind, name, *rest in words if kind == "option" for value in rest}
    (players,) = [int(number) for kind, number, *_ in words if kind == "players"]
    return start(players, **options)


def test_there_are_matches() -> None:
    assert len(MATCHES) >= 5


@pytest.mark.parametrize("file", MATCHES, ids=lambda file: file.stem)
def test_a_written_match_is_played_as_it_is_written(file: Path) -> None:
    head, _, body = file.read_text(encoding="utf-8").partition("\n\n")
    position = beginning(head.splitlines())
    *turns, end = body.splitlines()
    for line in turns:
        assert position.outcome is None, line
        typed, _, noted = line.partition("->")
        typed, _, stake = typed.partition("at stake")
        number, move = typed.split(maxsplit=1)
        assert position.awaits.player == int(number), line
        before, position = position, position.after(position.parse(move))
        assert bool(noted) == (position.turns > before.turns), line
        if noted:
            assert list(position.points) == [int(points) for points in noted.split()], line
        if stake:
            assert position.stake == int(stake), line
    assert position.outcome is not None
    assert end == f"won by {' '.join(str(winner) for winner in position.outcome.winners)}"

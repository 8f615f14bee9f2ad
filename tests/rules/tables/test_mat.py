"""Backgammon's recorded matches as MAT files: each step can be read back, and leads to the recorded end."""

import re

import pytest

from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.registry import game
from companion.rules.tables import TablesPosition
from companion.rules.tables.mat import mat_of, writes_mat
from tests.rules.tables.test_golden import FOLDER, TURN, read

POINTS = "abcdefghiklmnopqrstuwxyz"
Move = Throw | Choice


def recorded(name: str) -> tuple[TablesPosition, list[Move]]:
    """Return the start and the moves of a recorded match."""
    record = read(FOLDER / f"{name}.txt")
    position = record.begin()
    start, moves = position, list[Move]()
    for line in record.turns:
        turn = TURN.fullmatch(line)
        assert turn is not None
        for word in (turn["dice"].strip(), *turn["choices"].replace(",", " ").split()):
            if word != "-":
                moves.append(position.parse(word.removesuffix("*")))
                position = position.after(moves[-1])
    assert isinstance(start, TablesPosition)
    return start, moves


@pytest.mark.parametrize(("name", "result"), [("backgammon", "Wins 1 point"), ("backgammon-triple", "Wins 3 points")])
def test_a_recorded_match_can_be_read_back_from_its_file(name: str, result: str) -> None:
    start, moves = recorded(name)
    written = mat_of(start, moves, {1: "Zeno", 2: ""})
    assert " Zeno : 0".ljust(32) + "Player 2 : 0" in written
    position: Position = start
    for dice, steps in re.findall(r"([1-6]{2}):((?: \d+/\d+\*?)*)", written):
        position = position.after(position.parse(" ".join(dice)))
        found = played(position, re.findall(r"(\d+)/(\d+)(\*?)", steps), position.awaits.player)
        assert found is not None, (dice, steps)
        position = found
    assert position.outcome is not None
    assert written.endswith(f"{result}\n")
    assert (written.rindex("Wins") - written.rindex("\n", 0, -1) > 20) == (position.outcome.winners == (2,))


def played(position: Position, steps: list[tuple[str, str, str]], player: int) -> Position | None:
    """Return the position after steps whose dice the file does not name, None if no dice fit or a star is wrong."""
    if not steps:
        return position if position.awaits.kind == "throw" or position.outcome is not None else None
    (origin, to, star), *rest = steps
    text = f"{site(origin, player)}-{site(to, player)}"
    for choice in position.legal():
        if str(choice) == text:
            after = position.after(choice)
            hit = waiting(after) - waiting(position) + (origin == "25") > 0
            if hit == bool(star) and (found := played(after, rest, player)) is not None:
                return found
    return None


def waiting(position: Position) -> int:
    return sum(position.occupancy().get("hand", {}).values())


def site(point: str, player: int) -> str:
    """Return the site of a point as the player who is to move counts it."""
    if point in ("25", "0"):
        return "hand" if point == "25" else "off"
    place = 25 - int(point)
    return POINTS[place - 1] if player == 1 else POINTS[24 - place]


def test_an_unfinished_match_has_no_result_and_a_turn_without_a_step_is_written() -> None:
    start, moves = recorded("backgammon-triple")
    unfinished = mat_of(start, moves[:-1], {1: "", 2: ""})
    assert "Wins" not in unfinished
    assert unfinished.splitlines()[14].endswith("65:")


def test_only_backgammon_from_its_start_has_such_a_file() -> None:
    begun = game("tables/backgammon").start(2)
    assert isinstance(begun, TablesPosition)
    assert writes_mat(begun)
    for other in (game("tables/todas-tablas").start(2), game("tables/backgammon").start(4)):
        assert isinstance(other, TablesPosition)
        assert not writes_mat(other)

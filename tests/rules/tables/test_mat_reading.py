"""MAT files are read as they were meant: those of this program and those of GNU Backgammon, which nobody here wrote."""

import re
from collections.abc import Iterable

import pytest

from companion.rules.dice import Throw
from companion.rules.errors import GameError
from companion.rules.game import Choice, Position, Recorded
from companion.rules.registry import game, games
from companion.rules.tables.mat import mat_of
from tests.rules.tables.test_golden import FOLDER
from tests.rules.tables.test_mat import POINTS, recorded, waiting

FOREIGN = (FOLDER / "gnubg-three-points.mat").read_text(encoding="utf-8")
BEGINNING = " 1 point match\n\n Game 1\n Anna : 0                       Berno : 0\n"


def read(text: str) -> list[Recorded]:
    return list(game("tables/backgammon").from_file(text))


def refusal(text: str) -> str:
    """Return why a file is refused, empty if it is read."""
    try:
        read(text)
    except GameError as why:
        return str(why)
    return ""


def fallen(moves: Iterable[Throw | Choice]) -> list[list[int]]:
    return [sorted(face.value for _, face in move) for move in moves if isinstance(move, Throw)]


def end(found: Recorded) -> Position:
    position: Position = game("tables/backgammon").start(2)
    for move in found.moves:
        position = position.after(move)
    return position


@pytest.mark.parametrize("name", ["backgammon", "backgammon-triple"])
def test_what_this_program_writes_it_reads(name: str) -> None:
    start, moves = recorded(name)
    (found,) = read(mat_of(start, moves, {1: "Zeno", 2: "Agathias"}))
    last: Position = start
    for move in moves:
        last = last.after(move)
    assert found.players == ("Zeno", "Agathias")
    assert end(found) == last
    assert fallen(found.moves) == fallen(moves)


def test_a_match_of_gnu_backgammon_is_read_whole() -> None:
    parts = re.split(r" Game \d", FOREIGN)[1:]
    found = read(FOREIGN)
    assert [one.players for one in found] == [("gnubg", "root"), ("root", "gnubg"), ("root", "gnubg")]
    for part, one in zip(parts, found, strict=True):
        assert sum(isinstance(move, Throw) for move in one.moves) == len(re.findall(r"\d\d:", part))
        hits, position = 0, game("tables/backgammon").start(2)
        for move in one.moves:
            before, position = position, position.after(move)
            hits += max(0, waiting(position) - waiting(before) + str(move).startswith("hand"))
        assert hits == part.count("*")
        steps = re.findall(r"\d/0", part)
        off = position.occupancy()["off"]
        assert sum(off.values()) == len(steps)
    assert [end(one).outcome is not None for one in found] == [False, False, True], "two were given up"
    outcome = end(found[2]).outcome
    assert outcome is not None
    assert outcome.winners == (2,), "the file's first player has won, and the second began"


@pytest.mark.parametrize(
    ("rows", "men"),
    [
        ("  1) 31: 8/5(1) 6/5\n", {8: 2, 6: 4, 5: 2}),
        ("  1) 21: 13/11/10\n", {13: 4, 11: 0, 10: 1}),
        ("  1) 66: 24/18(2) 13/7(2)\n", {24: 0, 18: 2, 13: 3, 7: 2}),
    ],
)
def test_steps_in_short_are_read(rows: str, men: dict[int, int]) -> None:
    (found,) = read(BEGINNING + rows)
    there = end(found).occupancy()
    assert {point: there.get(POINTS[24 - point], {}).get("1", 0) for point in men} == men
    assert end(found).awaits.player == 2


def test_a_wrong_step_is_named_with_its_turn() -> None:
    for wrong in (" 2) 54: 13/9 13/7", " 2) 54: 13/9* 13/8", " 2) 54: 23/18 13/9"):
        with pytest.raises(GameError, match=r"^Game 1, turn 2: 54: .* is no play of this throw here\.$"):
            read(FOREIGN.replace(" 2) 54: 13/9 13/8", wrong))


def test_every_torn_file_is_read_to_its_end_or_refused_in_a_sentence() -> None:
    said = [refusal(FOREIGN[:size]) for size in range(0, len(FOREIGN), 101)]
    assert "" in said
    assert any(said), "a turn may be torn in its middle"
    assert all(not one or one.endswith(".") for one in said)


@pytest.mark.parametrize(
    ("text", "part"),
    [(" 3 point match\n", "no game"), (" 3 point match\n" + "x" * 300_000, "at most 200000 characters")],
)
def test_a_file_without_a_game_is_refused(text: str, part: str) -> None:
    with pytest.raises(GameError, match=part):
        read(text)


def test_only_backgammon_takes_such_a_file_and_no_other_text() -> None:
    takes = [one.slug for one in games().values() if one.from_file(FOREIGN)]
    assert takes == ["tables/backgammon"]
    assert read("once upon a time") == []

"""Dice that are alike: a throw of them is committed though nobody can say which die is which."""

from dataclasses import replace

import pytest

from companion.referee.decision import Ask, Before, Commit, Ignore, decide
from companion.rules.game import Position
from companion.rules.registry import game
from companion.vision.readings import ReadDie
from tests.referee.build import reading, seen


@pytest.fixture
def start() -> Position:
    return game("ludix").start(2)


def alike(*faces: str) -> list[ReadDie]:
    """Return dice as they are read from the right to the left, none of them named."""
    places = [(100.0 * (len(faces) - number), 100.0) for number in range(len(faces))]
    return [replace(seen("1", face, at, set_name="ludix"), die=None) for face, at in zip(faces, places, strict=True)]


def test_a_throw_of_dice_that_are_alike_is_named_from_left_to_right(start: Position) -> None:
    decided = decide(start, reading(alike("I", "X", "X", "L")), Before())
    assert isinstance(decided, Commit)
    assert decided.throw.shown == (("1", "L"), ("2", "X"), ("3", "X"), ("4", "I"))


@pytest.mark.parametrize("faces", ["LXX", "LXXVI"])
def test_too_few_or_too_many_of_them_are_no_throw(faces: str, start: Position) -> None:
    decided = decide(start, reading(alike(*faces)), Before())
    assert isinstance(decided, Ignore)
    assert decided.mismatch


def test_one_that_is_not_clear_is_asked_about_by_its_name(start: Position) -> None:
    dice = alike("I", "X", "X", "L")
    decided = decide(start, reading([dice[0], replace(dice[1], status="ask"), *dice[2:]]), Before())
    assert isinstance(decided, Ask)
    assert {die.die: die.status for die in decided.dice} == {"1": "read", "2": "read", "3": "ask", "4": "read"}
    assert decided.suggestion == {"1": "L", "2": "X", "3": "X", "4": "I"}

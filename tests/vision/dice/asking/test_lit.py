"""Looks under different lamps: what they may settle together, and what they must not."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.rules.dice import dice_set
from companion.vision.dice.answers import conclude
from companion.vision.dice.asking.lit import DISAGREE, join_lit
from companion.vision.dice.decode import bag_of
from companion.vision.readings import DiceReading, ReadDie, Status

CUBES = ("1", "2", "3")
TEXTS = {name: [face.text for face in dice_set("wibold").die(name).faces] for name in CUBES}
MOST = 3.0


def die(name: str, face: str, short: float | None, *, reason: str = "Its marks are not clear.") -> ReadDie:
    left = 100.0 * int(name)
    corners = ((left, 0.0), (left + 40, 0.0), (left + 40, 40.0), (left, 40.0))
    read = short is not None and short <= 0
    candidates = ((face, 0.9), *((other, 0.1) for other in TEXTS[name] if bag_of(other) != bag_of(face)))[:2]
    status: Status = "read" if read else "ask"
    return ReadDie("wibold", name, face, status, 0.9, candidates, corners, "" if read else reason, short=short)


def reading_of(*dice: ReadDie) -> DiceReading:
    return conclude(dice, CUBES)


SURE = (die("2", "IO", -1.0), die("3", "I", -1.0))


def one(face: str, short: float | None) -> DiceReading:
    return reading_of(die("1", face, short), *SURE)


def test_two_looks_that_agree_read_what_none_reads_alone() -> None:
    joined = join_lit(one("A", 4.0), [one("A", 1.0), one("A", 1.5)], MOST)
    assert joined.status == "read"
    assert joined.dice[0].face == "A"
    assert joined.dice[0].remembered, "it must not teach the table: one look would have asked"
    assert joined.frames == 3


def test_looks_that_are_too_unsure_together_ask() -> None:
    assert join_lit(one("A", 4.0), [one("A", 1.0), one("A", 2.5)], MOST).status == "ask"


@pytest.mark.parametrize("faces", [("A", "A", "E"), ("A", "E", "A"), ("E", "A", "A")])
def test_looks_that_disagree_ask(faces: tuple[str, str, str]) -> None:
    first, *lit = (one(face, 0.1) for face in faces)
    joined = join_lit(first, lit, MOST)
    assert joined.status == "ask"
    assert joined.dice[0].reason == DISAGREE


def test_a_die_that_the_first_look_lacks_is_read_where_each_lamp_shows_the_whole_throw() -> None:
    joined = join_lit(reading_of(*SURE), [one("A", -1.0), one("A", -2.0)], MOST)
    assert joined.status == "read"
    assert {die.die: die.face for die in joined.dice} == {"1": "A", "2": "IO", "3": "I"}


@pytest.mark.parametrize("lit", [("A", -1.0, "E", -1.0), ("A", -1.0, "A", 0.5)])
def test_a_die_that_the_first_look_lacks_is_a_question_otherwise(lit: tuple[str, float, str, float]) -> None:
    views = [one(lit[0], lit[1]), one(lit[2], lit[3])]
    assert join_lit(reading_of(*SURE), views, MOST).status == "ask"


def test_no_die_is_added_where_something_else_is_in_doubt() -> None:
    doubted = die("2", "IO", None, reason="It may be another face of a die than the upper one, or a part of one.")
    joined = join_lit(reading_of(doubted, SURE[1]), [one("A", -1.0), one("A", -1.0)], MOST)
    assert joined.status == "ask"


def test_a_die_that_a_look_lacks_stays_a_question() -> None:
    assert join_lit(one("A", 1.0), [one("A", 0.1), reading_of(*SURE)], MOST).status == "ask"


def test_dice_that_nobody_expects_stay_a_question() -> None:
    extra = replace(die("1", "A", 0.5), polygon=((500.0, 0.0), (540.0, 0.0), (540.0, 40.0), (500.0, 40.0)))
    views = [reading_of(die("1", "A", 0.5), *SURE, extra) for _ in range(3)]
    assert join_lit(views[0], views[1:], MOST).status == "ask"


def test_a_die_that_one_look_reads_is_doubted_if_another_look_reads_something_else() -> None:
    joined = join_lit(one("A", -2.0), [one("E", -2.0), one("A", -2.0)], MOST)
    assert joined.dice[0].status == "ask"
    assert joined.dice[0].reason == DISAGREE
    assert join_lit(one("A", -2.0), [one("E", 2.0), one("A", -2.0)], MOST).dice[0].status == "read"


def test_the_chosen_limit_is_used() -> None:
    """Looks that hardly miss what one look needs are read together, looks that miss it by far are not."""
    assert join_lit(one("A", 1.0), [one("A", -2.0), one("A", 0.0)]).status == "read"
    assert join_lit(one("A", 1.0), [one("A", 9.0), one("A", 9.0)]).status == "ask"


SHORT = st.one_of(st.none(), st.floats(-8, 12))


@st.composite
def readings(draw: st.DrawFn) -> Sequence[DiceReading]:
    return [
        reading_of(*(die(name, draw(st.sampled_from(TEXTS[name][:3])), draw(SHORT)) for name in CUBES))
        for _ in range(draw(st.integers(2, 4)))
    ]


@given(readings(), st.floats(-5, 20))
def test_what_is_read_is_what_every_look_preferred(taken: Sequence[DiceReading], most: float) -> None:
    joined = join_lit(taken[0], taken[1:], most)
    assert len(joined.dice) == len(CUBES)
    for i, after in enumerate(joined.dice):
        before = [reading.dice[i] for reading in taken]
        assert after.face == before[0].face
        assert after.polygon == before[0].polygon
        if after.status == "read" and before[0].status == "ask":
            assert {bag_of(one.face or "") for one in before} == {bag_of(after.face or "")}
            assert all(one.short is not None for one in before), "more than marks was in doubt"


@given(readings(), st.floats(-5, 20), st.floats(0, 5))
def test_a_higher_limit_only_adds(taken: Sequence[DiceReading], most: float, more: float) -> None:
    few, many = (join_lit(taken[0], taken[1:], limit) for limit in (most, most + more))
    for one_die, other in zip(few.dice, many.dice, strict=True):
        assert one_die.status == "ask" or other.status == "read"


@given(readings(), st.floats(-5, 20), st.integers(0, 2))
def test_a_look_that_differs_is_never_overruled(taken: Sequence[DiceReading], most: float, which: int) -> None:
    assume(taken[0].dice[which].status == "ask")
    shown = {bag_of(reading.dice[which].face or "") for reading in taken}
    joined = join_lit(taken[0], taken[1:], most)
    assert len(shown) == 1 or joined.dice[which].status == "ask"

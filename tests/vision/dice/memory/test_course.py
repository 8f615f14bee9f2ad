"""The course of teaching asks for each face until a person has named it, and then no more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.dice import Throw, all_throws, dice_set
from companion.vision.dice.decode import bag_of
from companion.vision.dice.memory.course import (
    SIDES_EACH,
    THROWS_KEPT,
    FaceKey,
    NotAskedError,
    TeachingCourse,
    faces_of,
)
from companion.vision.dice.memory.exemplars import SIDE_OUTLINE
from companion.vision.readings import ReadDie, Status
from tests.referee.build import PLACES, square

NAMES = tuple(die.name for die in dice_set("wibold").dice)
CUBES = NAMES[:3]
TEXTS = {die.name: [face.text for face in die.faces] for die in dice_set("wibold").dice}
FACES = faces_of("wibold")
UPPER = {key for key in FACES if key[0] != SIDE_OUTLINE}
THROWS = st.sampled_from(all_throws("wibold", NAMES))


def die(name: str, *likely: tuple[str, float], status: Status = "read") -> ReadDie:
    face, chance = likely[0]
    corners = 3 if name == "consonants" else 4
    return ReadDie("wibold", name, face, status, chance, likely, square(*PLACES[name], corners=corners))


def cubes(throw: Throw, status: Status = "read") -> list[ReadDie]:
    return [die(name, (face, 0.9), status=status) for name, face in throw.shown if name in CUBES]


def key(text: str, outline: int = 4) -> FaceKey:
    return outline, bag_of(text)


def named(course: TeachingCourse, known: set[FaceKey], truth: dict[tuple[int, int], FaceKey]) -> int:
    """Answer everything that is asked as it truly is; return how many taps that took."""
    taps = 0
    while open_ := course.questions(known):
        one = open_[0]
        right = truth[one.throw, one.find]
        course.answer(one.throw, one.find, right)
        known.add(right)
        taps += 1
        assert taps < 100, "the same is asked for ever"
    return taps


def test_the_faces_of_a_set_are_those_that_a_picture_can_show() -> None:
    assert FACES[key("AEIOU")] == ("AEIOU", "EIOUA", "IOUAE"), "no picture tells these apart"
    assert len(UPPER) == 16
    assert {key for key in FACES if key[0] == SIDE_OUTLINE} == {(SIDE_OUTLINE, text) for text in TEXTS["consonants"]}


@given(st.lists(THROWS, min_size=1, max_size=60))
def test_a_face_that_the_reader_is_sure_of_is_shown_exactly_once(throws: list[Throw]) -> None:
    course, known, taps = TeachingCourse("wibold"), set[FaceKey](), 0
    shown: set[FaceKey] = set()
    for number, throw in enumerate(throws):
        dice = cubes(throw)
        course.see(number, dice)
        truth = {(number, find): key(one.face or "") for find, one in enumerate(dice)}
        shown |= set(truth.values())
        taps += named(course, known, truth)
    assert known == shown
    assert taps == len(shown)
    assert set(course.missing(known)) == set(FACES) - shown
    assert course.throws == len(throws)


@given(st.lists(THROWS, min_size=1, max_size=20), st.data())
def test_whatever_the_reader_takes_a_face_for_the_right_one_can_be_named_at_once(
    throws: list[Throw], data: st.DataObject
) -> None:
    course, known = TeachingCourse("wibold"), set[FaceKey]()
    for number, throw in enumerate(throws):
        there = dict(throw.shown)
        dice = [die(name, (data.draw(st.sampled_from(TEXTS[name])), 0.4), status="ask") for name in CUBES]
        course.see(number, dice)
        truth = {(number, find): key(there[name]) for find, name in enumerate(CUBES)}
        for one in course.questions(known):
            assert truth[one.throw, one.find] in one.choices
            assert set(one.choices) == UPPER, "any other face of such an outline too"
            assert one.guess == key(dice[one.find].face or "")
        named(course, known, truth)


def test_a_doubtful_find_is_asked_about_only_if_it_may_be_a_face_that_is_not_known() -> None:
    course = TeachingCourse("wibold")
    course.see(1, [die("1", ("A", 0.9), ("EI", 0.1), status="ask")])
    assert [one.find for one in course.questions({key("A")})] == [0]
    assert course.questions({key("A"), key("EI")}) == []
    course.see(2, [die("1", ("A", 0.9), ("EI", 0.1), status="read")])
    assert [one.throw for one in course.questions({key("A")})] == [1]
    assert [one.throw for one in course.questions({key("EI")})] == [1, 2], "a new face is shown even if it is sure"


def test_the_likeliest_faces_come_first_then_those_that_are_missing() -> None:
    course = TeachingCourse("wibold")
    course.see(1, [die("1", ("OUA", 0.5), ("A", 0.3), status="ask")])
    known = UPPER - {key("A"), key("OU"), key("IO")}
    choices = course.questions(known)[0].choices
    assert choices[:2] == (key("OUA"), key("A"))
    assert set(choices[2:4]) == {key("OU"), key("IO")}


def test_a_tetrahedron_is_asked_about_until_its_sides_are_known_but_not_for_ever() -> None:
    course, taps = TeachingCourse("wibold"), 0
    for number in range(20):
        course.see(number, [die("consonants", ("GHKL", 0.9))])
        for one in course.questions(set()):
            assert one.lies_on
            course.answer(one.throw, one.find, (SIDE_OUTLINE, "GHKL"))
            taps += 1
    assert taps == SIDES_EACH, "where its sides cannot be told apart, asking again does not help"
    sides = {(SIDE_OUTLINE, text) for text in TEXTS["consonants"]}
    fresh = TeachingCourse("wibold")
    fresh.see(1, [die("consonants", ("GHKL", 0.9))])
    assert fresh.questions(sides - {(SIDE_OUTLINE, "GHKL")}) == [], "the three sides that are seen are known"
    assert len(fresh.questions(sides - {(SIDE_OUTLINE, "STXZ")})) == 1


def test_what_the_reader_wrongly_takes_for_a_known_face_is_asked_on_demand() -> None:
    course, known = TeachingCourse("wibold"), {key("A")}
    course.see(1, [die("1", ("A", 0.99)), die("2", ("E", 0.99))])
    assert [one.find for one in course.questions({*known, key("E")})] == []
    course.ask_all()
    assert [one.find for one in course.questions({*known, key("E")})] == [0, 1]
    course.answer(1, 0, key("EI"))
    course.answer(1, 1, None)
    assert course.questions({*known, key("E")}) == []


def test_an_answer_that_is_taken_back_is_asked_again() -> None:
    course = TeachingCourse("wibold")
    assert course.take_back() is None
    course.see(1, [die("1", ("A", 0.99)), die("2", ("E", 0.99))])
    first, second = (course.answer(1, find, key("OU")) for find in (0, 1))
    assert course.questions(UPPER) == []
    assert course.take_back() == second
    assert [one.find for one in course.questions(UPPER)] == [1]
    assert course.answer(1, 1, key("E")).number > second.number, "no two answers share a number"
    assert first.place != second.place


def test_nothing_is_answered_that_was_not_asked() -> None:
    course = TeachingCourse("wibold")
    course.see(1, [die("1", ("A", 0.99))])
    for throw, find, face in ((2, 0, key("A")), (1, 1, key("A")), (1, -1, key("A")), (1, 0, (SIDE_OUTLINE, "GHKL"))):
        with pytest.raises(NotAskedError):
            course.answer(throw, find, face)
    course.answer(1, 0, key("A"))
    with pytest.raises(NotAskedError):
        course.answer(1, 0, key("A"))
    for number in range(2, 2 + THROWS_KEPT):
        course.see(number, [die("2", ("E", 0.99))])
    assert 1 not in {one.throw for one in course.questions(set())}
    assert course.take_back() is None, "its throw is too long ago"

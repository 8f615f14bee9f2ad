"""Exemplars: whatever is learnt, in whatever order, likeness, room and doubt keep their promises."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.memory import exemplars as module
from companion.vision.dice.memory.exemplars import (
    MOST_EACH,
    MOST_EXEMPLARS,
    NOTHING,
    SIDE_OUTLINE,
    USUAL_LIKENESS,
    Exemplar,
    Exemplars,
    View,
)
from tests.vision.dice.memory.views import CORNERS, content, distinguished, drawn, rotations, view

A, B, OTHER = 0, 1, 2
"""Faces. A bag's name says nothing of how its faces look: a wrong name is a face under another's bag."""

Lesson = tuple[int, str, int]
"""A face, the bag under which it is learnt, and the rotation in which it lies."""

faces = st.integers(0, 4)
lessons = st.lists(st.tuples(faces, st.sampled_from("abc"), st.integers(0, 3)), min_size=1, max_size=9)


def learnt(taught: Sequence[tuple[int, Lesson]], known: Exemplars | None = None) -> Exemplars:
    """Return exemplars of these throws, each with its number."""
    known = Exemplars() if known is None else known
    for throw, (face, bag, turn) in taught:
        known.learn(CORNERS, bag, view(face, throw, turn), str(throw), named=True)
    return known


def named(*pairs: tuple[int, str]) -> Exemplars:
    """Return exemplars of faces under these names, throw after throw."""
    return learnt([(throw, (face, bag, throw % CORNERS)) for throw, (face, bag) in enumerate(pairs)])


def alike(one: Exemplars, other: Exemplars) -> bool:
    """Whether both say the same of each face."""
    for face in range(5):
        seen = view(face, 99).descriptors
        weights, says = one.likeness(CORNERS, seen), other.likeness(CORNERS, seen)
        if {bag: one.number for bag, one in weights.items()} != {bag: one.number for bag, one in says.items()}:
            return False
        if any(abs(one.nets - says[bag].nets) > 1e-3 for bag, one in weights.items()):
            return False
    return True


@given(st.integers(1, 6), st.integers(0, 5), st.integers(0, 3), st.integers(0, 3))
@settings(max_examples=30)
def test_a_known_face_is_nearest_to_itself_however_it_lies(number: int, face: int, lay: int, lies: int) -> None:
    known = learnt([(throw, (throw, str(throw), lay)) for throw in range(number)])
    face %= number
    weights = known.likeness(CORNERS, view(face, face, lies).descriptors)
    assert len(weights) == number
    assert weights[str(face)].nets > 0.999
    assert all(one.nets < 0.2 for bag, one in weights.items() if bag != str(face))


@given(lessons, st.permutations(range(9)))
@settings(max_examples=25)
def test_the_order_of_learning_does_not_matter(taught: list[Lesson], order: list[int]) -> None:
    throws = list(enumerate(taught))
    known, other = learnt(throws), learnt([throws[i] for i in order if i < len(throws)])
    assert alike(known, other)
    assert sorted(one for one, _ in distinguished(known)) == sorted(one for one, _ in distinguished(other))


@given(lessons, st.sets(st.integers(0, 8)))
@settings(max_examples=25)
def test_a_throw_that_is_forgotten_has_never_been_learnt(taught: list[Lesson], forgotten: set[int]) -> None:
    throws = list(enumerate(taught))
    known = learnt(throws)
    for throw in forgotten:
        known.forget(str(throw))
    without = learnt([(throw, lesson) for throw, lesson in throws if throw not in forgotten])
    assert content(known) == content(without)
    assert alike(known, without)
    assert [one for one, _ in distinguished(known)] == [one for one, _ in distinguished(without)]


def test_forgetting_takes_all_of_a_throw_and_nothing_else() -> None:
    known = Exemplars()
    for face, source in enumerate(("1", "2", "1", "11")):
        known.learn(CORNERS, str(face), view(face), source, named=True)
    known.forget("1")
    assert [one.bag for one in known] == ["1", "3"]
    known.forget("never")
    assert len(known) == 2


@given(st.lists(st.tuples(st.sampled_from("aaabc"), st.sampled_from([True, True, False])), min_size=8, max_size=30))
@settings(max_examples=25)
def test_there_is_never_too_much_and_what_a_person_named_goes_last(taught: list[tuple[str, bool]]) -> None:
    known = Exemplars()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_EACH", 4)
        patch.setattr(module, "MOST_EXEMPLARS", 9)
        for throw, (bag, sentence) in enumerate(taught):
            before = content(known)
            known.learn(CORNERS, bag, view(throw), str(throw), named=sentence)
            now, every = content(known), [*before, (CORNERS, bag, str(throw), sentence)]
            assert len(now) <= 9
            assert all(sum(one[1] == name for one in now) <= 4 for name in "abc")
            gone = [one for one in every if one not in now]
            full = sum(one[1] == bag for one in every) > 4
            assert len(gone) == (full or len(every) > 9)
            assert now == [one for one in every if one not in gone]
            for one in gone:
                might = [other for other in every if not full or other[1] == bag]
                assert one == next((other for other in might if not other[3]), might[0])


def test_what_was_only_read_takes_no_room_from_what_persons_named() -> None:
    known = Exemplars()
    for throw in range(MOST_EACH):
        known.learn(CORNERS, "a", view(A, throw), str(throw), named=True)
    known.learn(CORNERS, "a", view(A, MOST_EACH), "read", named=False)
    assert [one.source for one in known] == [str(throw) for throw in range(MOST_EACH)]
    known.learn(CORNERS, "a", view(A, MOST_EACH), "named", named=True)
    assert [one.source for one in known] == [*(str(throw) for throw in range(1, MOST_EACH)), "named"]


def test_the_real_bounds_hold() -> None:
    one_bag = Exemplars()
    for throw in range(MOST_EACH + 3):
        one_bag.learn(CORNERS, "a", view(A, throw), str(throw), named=False)
    assert [one.source for one in one_bag] == [str(throw) for throw in range(3, MOST_EACH + 3)]
    assert one_bag.likeness(CORNERS, view(A, 99).descriptors)["a"].number == MOST_EACH
    full = Exemplars(
        Exemplar(CORNERS, str(face), drawn(face).astype(np.float16), str(face), named=face % 2 == 0)
        for face in range(MOST_EXEMPLARS)
    )
    full.learn(CORNERS, "new", view(A), "new", named=True)
    assert len(full) == MOST_EXEMPLARS
    assert [one.source for one in full][:3] == ["0", "2", "3"]
    assert [one.source for one in full][-1] == "new"


def test_a_die_that_was_not_thrown_again_teaches_nothing_unless_a_person_names_it() -> None:
    known = Exemplars()
    known.learn(CORNERS, "a", view(A, 1), "1", named=False)
    known.learn(CORNERS, "a", view(A, 1, turn=2), "2", named=False)
    assert len(known) == 1
    known.learn(CORNERS, "a", view(A, 1), "3", named=True)
    known.learn(CORNERS, "b", view(A, 1), "4", named=False)
    assert [(one.bag, one.source) for one in known] == [("a", "1"), ("a", "3"), ("b", "4")]


def test_the_picture_lies_as_those_of_its_kind() -> None:
    known = Exemplars()
    known.learn(CORNERS, "a", view(A, 1), "1", named=True)
    greys = [np.full((64, 64, 3), 60 * k, np.uint8) for k in range(CORNERS)]
    known.learn(CORNERS, "a", View(view(A, 2, turn=1).descriptors, greys), "2", named=True)
    first, second = known
    assert first.picture == b""
    assert second.descriptor @ first.descriptor > 0.9
    kept = cv2.imdecode(np.frombuffer(second.picture, np.uint8), cv2.IMREAD_COLOR)
    assert kept is not None
    assert abs(float(kept.mean()) - 180) < 2  # the third turn undoes the one in which it lay


def test_outlines_never_speak_for_each_other() -> None:
    known = Exemplars()
    known.learn(SIDE_OUTLINE, "a", view(A), "1", named=True)
    known.learn(3, "b", view(A), "2", named=True)
    assert known.likeness(CORNERS, view(A).descriptors) == {}
    assert set(known.likeness(SIDE_OUTLINE, view(A).descriptors)) == {"a"}
    assert known.contradictions() == []


def test_nothing_is_known_at_first() -> None:
    known = Exemplars()
    assert (len(known), list(known), known.likeness(CORNERS, view(A).descriptors)) == (0, [], {})
    assert known.contradictions() == []
    known.forget("1")
    assert len(known) == 0


@pytest.mark.parametrize("wrong", range(4))
def test_one_wrong_name_among_three_right_ones_is_doubted_and_silent(wrong: int) -> None:
    known = named(*((A, "b" if throw == wrong else "a") for throw in range(4)))
    assert [one for one, _ in distinguished(known)] == [str(wrong)]
    weights = known.likeness(CORNERS, view(A, 9).descriptors)
    assert set(weights) == {"a"}
    assert weights["a"].number == 3


def test_a_wrong_name_is_doubted_although_its_bag_has_faces_of_its_own() -> None:
    known = named((A, "a"), (A, "a"), (B, "b"), (B, "b"), (A, "b"))
    assert [one for one, _ in distinguished(known)] == ["4"]
    assert known.likeness(CORNERS, view(B, 9).descriptors)["b"].number == 2
    assert known.likeness(CORNERS, view(A, 9).descriptors)["b"].nets < USUAL_LIKENESS


@pytest.mark.parametrize(("right", "wrong"), [("a", "2"), ("b", "1")])
def test_two_that_contradict_each_other_are_silent_until_a_third_decides(right: str, wrong: str) -> None:
    known = named((OTHER, "other"), (A, "a"), (A, "b"))
    assert distinguished(known) == [("1", ["2"]), ("2", ["1"])]
    assert set(known.likeness(CORNERS, view(A, 9).descriptors)) == {"other"}
    learnt([(3, (A, right, 3))], known)
    assert [one for one, _ in distinguished(known)] == [wrong]
    assert set(known.likeness(CORNERS, view(A, 9).descriptors)) == {"other", right}
    known.forget("3")
    assert len(known.contradictions()) == 2


def test_a_contradiction_names_those_it_looks_like_the_likest_first() -> None:
    known = Exemplars()
    wrong = view(A, 0)
    for throw, like in enumerate((0.9, 0.97, 0.93)):
        mixed = like * wrong.descriptors[0].astype(np.float64) + np.sqrt(1 - like**2) * drawn((9, throw))
        known.learn(CORNERS, "a", View(rotations(mixed / np.linalg.norm(mixed))), str(throw), named=True)
    known.learn(CORNERS, "c", view(OTHER), "far", named=True)
    known.learn(CORNERS, "b", wrong, "wrong", named=True)
    assert distinguished(known) == [("wrong", ["1", "2", "0"])]


def test_a_find_that_is_no_die_is_doubted_like_any_other_name() -> None:
    known = named((A, "a"), (A, "a"), (A, NOTHING), (B, NOTHING))
    assert [one for one, _ in distinguished(known)] == ["2"]


@given(lessons)
@settings(max_examples=25)
def test_exemplars_made_anew_say_and_doubt_the_same(taught: list[Lesson]) -> None:
    known = learnt(list(enumerate(taught)))
    again = Exemplars(known, known.alike)
    assert alike(known, again)
    assert distinguished(known) == distinguished(again)


@pytest.mark.parametrize("wrong", [np.eye(2), np.full((3, 3), np.nan), np.ones((3, 2))])
def test_likenesses_that_do_not_fit_are_refused(wrong: np.ndarray) -> None:
    known = named((A, "a"), (B, "b"), (OTHER, "c"))
    with pytest.raises(ValueError, match="3 exemplars"):
        Exemplars(known, wrong.astype(np.float32))


def laid(face: int, x: float, y: float = 300.0, throw: int = 0, edge: float = 90.0) -> View:
    """Return a throw of a face whose square outline has its middle there."""
    outline = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * edge + (x, y)
    return replace(view(face, throw), corners=outline)


@given(st.floats(0, 0.25), st.floats(0, 2 * np.pi), st.integers(0, 3))
def test_a_thing_is_known_where_it_lay_and_nothing_else_is(off: float, way: float, turn: int) -> None:
    known = Exemplars()
    known.learn(CORNERS, NOTHING, laid(A, 500), "1", named=True)
    known.learn(CORNERS, "b", laid(B, 800), "1", named=True)
    moved = laid(A, 500 + 90 * off * np.cos(way), 300 + 90 * off * np.sin(way), throw=1)
    seen = replace(moved, descriptors=np.roll(moved.descriptors, turn, axis=0))
    assert known.lies_there(CORNERS, seen)
    assert not known.lies_there(CORNERS, laid(A, 540))  # it, or a die that looks like it, elsewhere
    assert not known.lies_there(CORNERS, laid(B, 500))  # something else at its place
    assert not known.lies_there(CORNERS, laid(B, 800))  # a die where it lay before
    assert not known.lies_there(3, seen)
    assert not known.lies_there(CORNERS, view(A))
    known.forget("1")
    assert not known.lies_there(CORNERS, seen)


def test_exemplars_that_do_not_count_say_nothing() -> None:
    known = named((A, "a"), (B, "b"), (A, "a"))
    seen = view(A, 99).descriptors
    assert {bag: one.number for bag, one in known.likeness(CORNERS, seen).items()} == {"a": 2, "b": 1}
    some = known.likeness(CORNERS, seen, among=np.array([True, False, False]))
    assert {bag: one.number for bag, one in some.items()} == {"a": 1}
    assert known.likeness(CORNERS, seen, among=np.zeros(3, np.bool_)) == {}

"""Decoding a throw as a whole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from companion.rules.dice import dice_set
from companion.vision.dice.decode import decode_alone, decode_cubes, decode_hidden
from companion.vision.dice.faces import Chances, Marks, Texts, marks

TEXTS = Texts.of(dice_set("wibold"))
DICE = ("1", "2", "3")
throws = st.permutations(DICE).flatmap(
    lambda order: st.tuples(*(st.sampled_from([face for face in TEXTS.cube if face[0] == die]) for die in order))
)
noise = arrays(np.float64, (3, 18), elements=st.floats(1e-6, 1))


def sure(shown: tuple[tuple[str, str], ...], error: float = 1e-4) -> Chances:
    chances = np.full((len(shown), len(TEXTS.cube)), error / (len(TEXTS.cube) - 1))
    for cube, face in enumerate(shown):
        chances[cube, TEXTS.cube.index(face)] = 1 - error
    return chances


@given(throws, st.integers(1, 3))
def test_clear_faces_are_decoded_as_they_are(shown: tuple[tuple[str, str], ...], number: int) -> None:
    decoded = decode_cubes(sure(shown[:number]), TEXTS.cube, DICE)
    assert [(one.die, one.text) for one in decoded] == list(shown[:number])
    assert all(one.letters()[0][0] == one.text and one.letters()[0][1] > 0.99 for one in decoded)


@given(noise, st.integers(1, 3))
@settings(deadline=None)
def test_no_die_is_decoded_twice_and_chances_sum_to_one(chances: Chances, number: int) -> None:
    chances = chances[:number] / chances[:number].sum(axis=1, keepdims=True)
    decoded = decode_cubes(chances, TEXTS.cube, DICE)
    assert len({one.die for one in decoded}) == number
    for one in decoded:
        assert one.text in [text for die, text in TEXTS.cube if die == one.die]
        assert sum(chance for _, chance in one.chances) == pytest.approx(1)
        assert sum(chance for _, chance in one.letters()) == pytest.approx(1)


def test_the_other_cubes_tell_which_die_an_unclear_one_is() -> None:
    chances = sure((("1", "A"), ("2", "E"), ("3", "I")))
    chances[2] = 0.5 * sure((("1", "OUA"),))[0] + 0.5 * sure((("3", "AEI"),))[0]
    text, chance = decode_cubes(chances, TEXTS.cube, DICE)[2].letters()[0]
    assert text == "AEI"
    assert chance == pytest.approx(1, abs=0.01)


def test_same_letters_in_another_order_count_as_one_answer() -> None:
    chances = np.zeros((1, 18))
    for face in (("1", "AEIOU"), ("2", "EIOUA"), ("3", "IOUAE")):
        chances[0, TEXTS.cube.index(face)] = 1 / 3
    letters = decode_cubes(chances, TEXTS.cube, DICE)[0].letters()
    assert letters[0][1] == pytest.approx(1)
    assert sorted(letters[0][0]) == list("AEIOU")


def test_more_cubes_than_dice_are_refused_together_but_read_alone() -> None:
    four = sure((("1", "A"), ("2", "E"), ("3", "I"), ("1", "EI")))
    with pytest.raises(ValueError, match="at most 3 cubes, but 4"):
        decode_cubes(four, TEXTS.cube, DICE)
    assert [one.text for one in decode_alone(four, TEXTS.cube, DICE)] == ["A", "E", "I", "EI"]


@given(st.permutations(range(4)))
def test_three_clear_sides_tell_the_hidden_one(order: list[int]) -> None:
    sides = np.full((3, 4), 1e-4)
    for side, text in enumerate(order[:3]):
        sides[side, text] = 1 - 3e-4
    candidates = decode_hidden(sides, TEXTS.side)
    assert candidates[0][0] == TEXTS.side[order[3]]
    assert candidates[0][1] > 0.99
    assert sum(chance for _, chance in candidates) == pytest.approx(1)


def test_two_sides_leave_two_candidates_and_none_leaves_all() -> None:
    sides = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0]])
    assert decode_hidden(sides, TEXTS.side)[:2] == ((("MNPR", 0.5)), ("STXZ", 0.5))
    assert [chance for _, chance in decode_hidden(np.zeros((0, 4)), TEXTS.side)] == [0.25] * 4


def test_sides_that_look_alike_are_told_apart_by_what_they_may_be() -> None:
    sides = np.array([[0.9, 0.1, 0, 0], [0.9, 0.05, 0.05, 0], [0, 0, 1.0, 0]]) + 1e-6
    candidates = decode_hidden(sides / sides.sum(axis=1, keepdims=True), TEXTS.side)
    assert candidates[0][0] == "STXZ"


def test_more_sides_than_can_be_seen_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 3 visible sides, but 4"):
        decode_hidden(np.full((4, 4), 0.25), TEXTS.side)


def test_an_unreadable_face_says_nothing() -> None:
    logits = np.zeros((1, TEXTS.classes))
    logits[0, -1] = 50.0
    seen = marks(logits, TEXTS, cube=True)
    assert seen.unreadable[0] == pytest.approx(1)
    assert np.allclose(seen.spread(), 1 / 18)


@given(arrays(np.float64, (2, TEXTS.classes), elements=st.floats(-20, 20)), st.booleans())
def test_marks_are_chances(logits: Chances, cube: bool) -> None:  # noqa: FBT001
    seen: Marks = marks(logits, TEXTS, cube=cube)
    assert np.allclose(seen.texts.sum(axis=1) + seen.unreadable, 1)
    assert np.allclose(seen.spread().sum(axis=1), 1)
    assert (seen.spread() > 0).all()

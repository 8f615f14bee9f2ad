"""Decoding a throw as a whole."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from companion.rules.dice import dice_set
from companion.vision.dice.decode import (
    Kind,
    bag_of,
    corner_fit,
    decode,
    hand_out,
    kinds_of,
)
from companion.vision.dice.faces import Chances, Marks, Texts
from companion.vision.dice.memory.handedness import decode_hidden

TEXTS = Texts.of(dice_set("wibold"))
DICE = ("1", "2", "3")
CUBES = kinds_of(dice_set("wibold"), DICE, TEXTS.upper)
throws = st.permutations(DICE).flatmap(
    lambda order: st.tuples(*(st.sampled_from([face for face in TEXTS.upper if face[0] == die]) for die in order))
)
noise = arrays(np.float64, (3, 18), elements=st.floats(1e-6, 1))


def sure(shown: tuple[tuple[str, str], ...], error: float = 1e-4) -> Chances:
    chances = np.full((len(shown), len(TEXTS.upper)), error / (len(TEXTS.upper) - 1))
    for cube, face in enumerate(shown):
        chances[cube, TEXTS.upper.index(face)] = 1 - error
    return chances


@given(throws, st.integers(1, 3))
def test_clear_faces_are_decoded_as_they_are(shown: tuple[tuple[str, str], ...], number: int) -> None:
    decoded = decode(sure(shown[:number]), TEXTS.upper, CUBES)
    assert [(one.die, one.text) for one in decoded] == list(shown[:number])
    assert all(one.letters()[0][0] == one.text and one.letters()[0][1] > 0.99 for one in decoded)


@given(noise, st.integers(1, 3))
@settings(deadline=None)
def test_no_die_is_decoded_twice_and_chances_sum_to_one(chances: Chances, number: int) -> None:
    chances = chances[:number] / chances[:number].sum(axis=1, keepdims=True)
    decoded = decode(chances, TEXTS.upper, CUBES)
    assert len({one.die for one in decoded}) == number
    for one in decoded:
        assert one.text in [text for die, text in TEXTS.upper if die == one.die]
        assert sum(chance for _, chance in one.chances) == pytest.approx(1)
        assert sum(chance for _, chance in one.letters()) == pytest.approx(1)


def test_the_other_cubes_tell_which_die_an_unclear_one_is() -> None:
    chances = sure((("1", "A"), ("2", "E"), ("3", "I")))
    chances[2] = 0.5 * sure((("1", "OUA"),))[0] + 0.5 * sure((("3", "AEI"),))[0]
    text, chance = decode(chances, TEXTS.upper, CUBES)[2].letters()[0]
    assert text == "AEI"
    assert chance == pytest.approx(1, abs=0.01)


def test_same_letters_in_another_order_count_as_one_answer() -> None:
    chances = np.zeros((1, 18))
    for face in (("1", "AEIOU"), ("2", "EIOUA"), ("3", "IOUAE")):
        chances[0, TEXTS.upper.index(face)] = 1 / 3
    letters = decode(chances, TEXTS.upper, CUBES)[0].letters()
    assert letters[0][1] == pytest.approx(1)
    assert sorted(letters[0][0]) == list("AEIOU")


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
    seen = Marks(np.zeros((1, 18)), np.ones(1))
    assert np.allclose(seen.spread(), 1 / 18)


def every_way(
    chances: Chances, faces: Sequence[tuple[str, str]], kinds: Sequence[Kind], fit: Chances | None = None
) -> list[tuple[float, tuple[str, ...], tuple[tuple[str, str], ...]]]:
    """Return every way in which dice can lie there, each die with a name of its own: weight, dice, faces."""
    dice = [(kind, number, copy) for number, kind in enumerate(kinds) for copy in range(kind.most)]
    ways = []
    for picked in product(range(len(dice)), repeat=len(chances)):
        if len(set(picked)) < len(picked):
            continue
        for columns in product(*(dice[die][0].columns for die in picked)):
            weight = 1.0
            for row, (die, column) in enumerate(zip(picked, columns, strict=True)):
                kind, number, _ = dice[die]
                weight *= chances[row, column] / len(kind.columns) * (1.0 if fit is None else fit[row, number])
            names = tuple(",".join(dice[die][0].dice) for die in picked)
            ways.append((weight, names, tuple(faces[column] for column in columns)))
    return ways


MIXED = (("8", "1"), ("8", "2"), ("20", "1"), ("20", "2"), ("20", "3"), ("a", "X"), ("a", "X"), ("a", "L"))
MIXED_KINDS = (
    Kind(("8",), "octahedron", (0, 1), 1),
    Kind(("20",), "icosahedron", (2, 3, 4), 1),
    Kind(("a", "b"), "cube", (5, 6, 7), 2),
)


@given(arrays(np.float64, (3, 8), elements=st.floats(1e-4, 1)), arrays(np.float64, (3, 3), elements=st.floats(0.01, 1)))
@settings(deadline=None, max_examples=12)
def test_the_posterior_is_the_sum_over_every_way_to_lie_there(chances: Chances, fit: Chances) -> None:
    ways = every_way(chances, MIXED, MIXED_KINDS, fit)
    total = sum(weight for weight, _, _ in ways)
    decoded = decode(chances, MIXED, MIXED_KINDS, fit=fit)
    for row, one in enumerate(decoded):
        expected: dict[tuple[str, str], float] = {}
        for weight, _, shown in ways:
            expected[shown[row]] = expected.get(shown[row], 0.0) + weight / total
        assert dict(one.chances) == pytest.approx(expected)
        name = ",".join(one.among)
        assert one.identity == pytest.approx(sum(w for w, names, _ in ways if names[row] == name) / total)


def test_alike_dice_are_read_each_for_itself_and_their_twin_faces_count_twice() -> None:
    ludix = dice_set("ludix")
    faces = [(die.name, face.text) for die in ludix.dice for face in die.faces]
    (kind,) = kinds_of(ludix, ("1", "2", "3", "4"), faces)
    assert kind.most == 4
    even = np.ones((4, len(faces)))
    even[0, [i for i, (_, text) in enumerate(faces) if text == "L"]] = 1000
    decoded = decode(even, faces, [kind])
    assert dict(decoded[0].letters())["L"] == pytest.approx(1000 / 1005)
    for one in decoded[1:]:  # nothing is seen on these: X and I stand on two faces each
        assert dict(one.letters()) == pytest.approx({"L": 1 / 6, "V": 1 / 6, "X": 1 / 3, "I": 1 / 3})
    assert [one.die for one in decoded] == [None] * 4
    assert [one.identity for one in decoded] == pytest.approx([1.0] * 4)
    assert sorted(map(str, hand_out(decoded))) == ["1", "2", "3", "4"]


def test_of_pips_any_number_up_to_the_most_of_the_set_may_lie_there() -> None:
    pips = dice_set("pips")
    faces = [(die.name, face.text) for die in pips.dice[:1] for face in die.faces]
    kinds = kinds_of(pips, [die.name for die in pips.dice], faces)
    shown = np.eye(6)[[0, 1, 2, 3, 4, 5]] + 1e-6
    decoded = decode(shown[: pips.most], faces, kinds)
    assert [one.text for one in decoded] == ["1", "2", "3", "4", "5", "6"][: pips.most]
    assert all(one.stranger == 0 for one in decoded)


def test_the_letters_may_be_sure_while_the_die_is_not() -> None:
    shown = np.zeros((1, 18))
    for face in (("1", "AEIOU"), ("2", "EIOUA"), ("3", "IOUAE")):
        shown[0, TEXTS.upper.index(face)] = 1 / 3
    (one,) = decode(shown, TEXTS.upper, kinds_of(dice_set("wibold"), DICE, TEXTS.upper))
    assert one.letters()[0][1] == pytest.approx(1)
    assert one.identity == pytest.approx(1 / 3)


def test_a_die_too_many_is_a_stranger_and_what_it_shows_is_still_told() -> None:
    four = sure((("1", "A"), ("2", "E"), ("3", "I"), ("1", "EI")))
    decoded = decode(four, TEXTS.upper, kinds_of(dice_set("wibold"), DICE, TEXTS.upper))
    assert [one.letters()[0][0] for one in decoded] == ["A", "E", "I", "EI"]
    assert [one.stranger for one in decoded] == pytest.approx([0.5, 0, 0, 0.5], abs=0.01)
    assert sum(one.stranger for one in decoded) == pytest.approx(1)


def test_the_outline_tells_a_die_whose_marks_do_not() -> None:
    shown = np.array([[0.2, 0.01, 0.2, 0.01, 0.01, 0.01, 0.01, 0.01]] * 2)
    cube, eight = Kind(("6",), "cube", (0, 1), 1), Kind(("12",), "dodecahedron", (2, 3, 4), 1)
    decoded = decode(shown, MIXED, (cube, eight), fit=corner_fit([5, 4], (cube, eight)))
    assert [one.die for one in decoded] == ["12", "6"]
    assert all(one.identity > 0.99 for one in decoded)


@given(arrays(np.float64, (6, 36), elements=st.floats(1e-9, 1)))
@settings(deadline=None, max_examples=10)
def test_six_unlike_dice_are_decoded_whole(chances: Chances) -> None:
    faces = [(str(die), str(6 * die + face)) for die in range(6) for face in range(6)]
    kinds = [Kind((str(die),), "cube", tuple(range(6 * die, 6 * die + 6)), 1) for die in range(6)]
    decoded = decode(chances, faces, kinds)
    assert {one.die for one in decoded} == {str(die) for die in range(6)}
    given_to = np.array([[dict(one.chances)[face] for face in faces] for one in decoded]).reshape(6, 6, 6).sum(axis=2)
    assert given_to.sum(axis=0) == pytest.approx(1)  # each die lies there once
    assert given_to.sum(axis=1) == pytest.approx(1)


def test_many_dice_and_hopeless_looks_do_not_overflow() -> None:
    tiles = dice_set("tiles")
    faces = [(die.name, face.text) for die in tiles.dice for face in die.faces]
    kinds = kinds_of(tiles, [die.name for die in tiles.dice], faces)
    decoded = decode(np.full((60, len(faces)), 1e-12), faces, kinds)
    assert all(sum(chance for _, chance in one.chances) == pytest.approx(1) for one in decoded)


def test_numbers_are_no_bags_of_digits() -> None:
    assert bag_of("12") != bag_of("21")
    assert bag_of("UIOE") == bag_of("EIOU")


def test_without_dice_to_look_for_nothing_is_decoded() -> None:
    with pytest.raises(ValueError, match="at least one die"):
        decode(np.ones((1, 3)), MIXED[:3], ())

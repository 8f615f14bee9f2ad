"""The hidden face of a tetrahedron, told by its sides and by its hand: proved on every way in which it can lie."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.faces import Chances
from companion.vision.dice.geometry import Points
from companion.vision.dice.memory.handedness import (
    ANSWER_WEIGHT,
    Hand,
    Handedness,
    HandednessLearner,
    decode_hidden,
    hand_of,
    hand_seen,
)

TEXTS = ("BCDF", "GHKL", "MNPR", "STXZ")
SOLID: Points = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
"""Outward normals of a tetrahedron's faces."""

LEARNT = {"clockwise": Handedness(20, 0), "anticlockwise": Handedness(0, 20)}
BASE = np.array([[0.0, 0.0], [60.0, 0.0], [30.0, 52.0]])


def turned(yaw: float) -> list[Points]:
    """Return a matrix for each of the 12 ways to lay the solid down, each turned on the table by ``yaw``."""
    ways = []
    for down in range(4):
        # turn the face's normal to look down, then by thirds about the upright
        normal = SOLID[down] / np.sqrt(3)
        side = np.cross(normal, SOLID[(down + 1) % 4])
        side /= np.linalg.norm(side)
        lay = np.stack([side, np.cross(-normal, side), -normal])
        for third in range(3):
            angle = yaw + third * 2 * np.pi / 3
            cos, sin = np.cos(angle), np.sin(angle)
            ways.append(np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ lay)
    return ways


def laid(mirrored: bool, yaw: float) -> list[tuple[int, tuple[int, ...]]]:  # noqa: FBT001
    """Return for each way to lie the hidden face and the visible ones clockwise as seen from above."""
    solid = SOLID * np.array([1, 1, -1]) if mirrored else SOLID
    lying = []
    for matrix in turned(yaw):
        if mirrored:
            matrix = matrix @ np.diag([1, 1, -1])  # noqa: PLW2901 (a rotation of the mirrored solid)
            matrix = np.diag([1, -1, 1]) @ matrix  # noqa: PLW2901 (and a true one, not a mirror)
        normals = solid @ matrix.T
        assert np.linalg.det(matrix) == pytest.approx(1)
        hidden = int(normals[:, 2].argmin())
        assert normals[hidden, 2] == pytest.approx(-np.sqrt(3))
        around = [face for face in range(4) if face != hidden]
        # x to the right and y up as seen from above: clockwise is towards smaller angles
        around.sort(key=lambda face: -np.arctan2(normals[face, 1], normals[face, 0]))
        lying.append((hidden, tuple(around)))
    return lying


def rows(around: tuple[int, ...], seen: tuple[int, ...] = (0, 1, 2), sure: float = 1.0) -> list[Chances | None]:
    error = (1 - sure) / 3
    return [
        np.array([sure if face == shown else error for face in range(4)]) if place in seen else None
        for place, shown in enumerate(around)
    ]


@pytest.mark.parametrize("yaw", [0.1, 0.7, 2.0])
def test_all_twelve_ways_to_lie_are_of_one_hand_and_the_mirror_images_of_the_other(yaw: float) -> None:
    hands = [{hand_of(*way) for way in laid(mirrored, yaw)} for mirrored in (False, True)]
    assert [len(hand) for hand in hands] == [1, 1]
    assert hands[0] != hands[1]
    orders = {
        (hidden, *np.roll(around, turn)) for m in (False, True) for hidden, around in laid(m, yaw) for turn in range(3)
    }
    assert orders == set(permutations(range(4)))


@pytest.mark.parametrize("mirrored", [False, True])
def test_two_neighbouring_sides_name_the_hidden_one_if_the_hand_is_known_and_only_then(mirrored: bool) -> None:  # noqa: FBT001
    for hidden, around in laid(mirrored, 0.3):
        hand = hand_of(hidden, around)
        for seen in ((0, 1), (1, 2), (0, 2)):
            sides = rows(around, seen)
            named = decode_hidden(sides, TEXTS, LEARNT[hand])
            assert named[0][0] == TEXTS[hidden]
            assert named[0][1] > 0.999
            unknown = decode_hidden(sides, TEXTS)
            assert [chance for _, chance in unknown] == pytest.approx([0.5, 0.5, 0, 0])
            assert TEXTS[hidden] in {text for text, _ in unknown[:2]}


@pytest.mark.parametrize("mirrored", [False, True])
def test_three_sides_need_no_hand_and_one_is_never_enough(mirrored: bool) -> None:  # noqa: FBT001
    for hidden, around in laid(mirrored, 1.3):
        hand = hand_of(hidden, around)
        assert decode_hidden(rows(around), TEXTS)[0] == (TEXTS[hidden], 1.0)
        assert hand_seen(rows(around, sure=0.9999)) == hand
        for place in range(3):
            one = decode_hidden(rows(around, (place,)), TEXTS, LEARNT[hand])
            assert [chance for _, chance in one] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-9)
        assert [chance for _, chance in decode_hidden([None] * 3, TEXTS, LEARNT[hand])] == pytest.approx([0.25] * 4)


def test_a_misread_third_side_is_not_believed_against_a_known_hand() -> None:
    hidden, around = 0, (1, 2, 3)
    assert hand_of(hidden, around) == "clockwise"
    misread = rows((1, 2, 0), sure=0.999)  # the third side was taken for the hidden one
    assert decode_hidden(misread, TEXTS)[0][1] > 0.99
    assert decode_hidden(misread, TEXTS, Handedness(40, 0))[0][1] < 0.97


def test_sides_that_cannot_be_of_one_tetrahedron_are_not_believed_where_their_corners_are_doubtful() -> None:
    alike = rows((1, 1, 3), sure=0.995)
    alike[0] = np.array([0.0004, 0.996, 0.0035, 0.0001])  # rather the third text, if it is not the second
    assert decode_hidden(alike, TEXTS)[0][1] > 0.6
    assert decode_hidden(alike, TEXTS, doubt=0.05)[0][1] < 0.4
    true = rows((1, 2, 3), sure=0.995)
    assert decode_hidden(true, TEXTS, doubt=0.05)[0][1] > 0.97
    assert decode_hidden(true, TEXTS, doubt=1.0)[0][1] == pytest.approx(0.25)


def test_the_more_doubtful_the_corners_the_less_is_learnt_and_told() -> None:
    sides = rows((1, 2, 3), sure=0.9999)
    found = [decode_hidden(sides, TEXTS, doubt=doubt)[0][1] for doubt in (0.0, 0.01, 0.1, 0.5)]
    assert found == sorted(found, reverse=True)
    assert hand_seen(sides) == hand_seen(sides, 0.001) == hand_of(0, (1, 2, 3))
    assert hand_seen(sides, 0.1) is None
    assert HandednessLearner().handedness == Handedness()
    learner = HandednessLearner()
    learner.see(sides, BASE, 0.1)
    assert learner.handedness == Handedness()


@given(st.integers(0, 60), st.integers(0, 60))
def test_chances_are_chances_and_both_hands_are_treated_alike(one: int, other: int) -> None:
    seen, mirrored = Handedness(one, other), Handedness(other, one)
    assert 0 <= seen.chance <= 1
    assert seen.chance == pytest.approx(1 - mirrored.chance)


@given(st.integers(0, 30), st.integers(0, 30))
def test_each_further_throw_of_a_hand_makes_it_likelier(one: int, other: int) -> None:
    seen = Handedness(one, other)
    assert seen.after("clockwise").chance > seen.chance > seen.after("anticlockwise").chance


def test_the_hand_is_as_good_as_known_after_two_throws_and_not_after_one() -> None:
    assert Handedness().chance == 0.5
    assert Handedness(1, 0).chance < 0.99 < Handedness(2, 0).chance
    assert Handedness(0, 2).chance < 0.01
    assert Handedness(2, 1).chance < 0.99 < Handedness(12, 1).chance
    assert Handedness(4, 5).chance == pytest.approx(0.5, abs=0.1)  # of both hands in turn


def test_frames_of_one_throw_count_once_and_a_new_place_is_a_new_throw() -> None:
    learner = HandednessLearner()
    for _ in range(5):
        learner.see(rows((1, 2, 3), sure=0.9999), BASE)
    assert learner.handedness == Handedness(1, 0)
    learner.see(rows((2, 3, 1), sure=0.9999), BASE + 100)
    assert learner.handedness == Handedness(2, 0)


def test_a_throw_whose_frames_contradict_each_other_does_not_count() -> None:
    learner = HandednessLearner()
    for around in ((1, 2, 3), (1, 3, 2), (1, 2, 3), (1, 3, 2)):
        learner.see(rows(around, sure=0.9999), BASE)
    assert learner.handedness == Handedness(0, 0)


def test_one_answer_teaches_the_hand_though_a_side_is_unsure_or_unseen() -> None:
    for sides in (rows((1, 2, 3), sure=0.9), rows((1, 2, 3), seen=(0, 1))):
        learner = HandednessLearner()
        learner.see(sides, BASE)
        assert learner.handedness == Handedness()
        learner.answered(sides, BASE, 0.0, 0)
        assert (learner.handedness.chance > 0.5) == (hand_of(0, (1, 2, 3)) == "clockwise")


def test_an_answered_throw_counts_once_however_many_frames_show_it() -> None:
    learner = HandednessLearner()
    sides = rows((1, 2, 3), sure=0.9999)
    learner.see(sides, BASE)
    learner.answered(sides, BASE, 0.0, 0)
    learner.see(sides, BASE)
    assert learner.handedness == Handedness().after(hand_of(0, (1, 2, 3)), ANSWER_WEIGHT)


def test_an_answer_that_the_sides_plainly_contradict_teaches_no_hand() -> None:
    learner = HandednessLearner()
    learner.answered(rows((1, 2, 3), sure=0.9999), BASE, 0.0, 1)
    assert learner.handedness == Handedness()


def test_an_unsure_or_unseen_side_teaches_nothing() -> None:
    learner = HandednessLearner(Handedness(3, 0))
    learner.see(rows((1, 3, 2), sure=0.8), BASE)
    learner.see(rows((1, 3, 2), seen=(0, 1)), BASE)
    assert learner.handedness == Handedness(3, 0)


def test_sides_out_of_order_are_refused_where_the_order_matters() -> None:
    with pytest.raises(ValueError, match="three sides in their order"):
        decode_hidden(rows((1, 2, 3))[:2], TEXTS, LEARNT["clockwise"])
    with pytest.raises(ValueError, match="four faces"):
        hand_of(0, (1, 2, 2))


def learn(hand: Hand, throws: int, misread: float, rng: np.random.Generator) -> Handedness:
    """Return what is learnt from so many throws of which a share has a misread side."""
    seen = Handedness()
    for _ in range(throws):
        wrong = rng.random() < misread
        seen = seen.after(hand if not wrong else "anticlockwise" if hand == "clockwise" else "clockwise")
    return seen


def test_the_right_hand_is_learnt_though_one_throw_in_twenty_is_misread() -> None:
    rng = np.random.default_rng(5)
    learnt = [learn("clockwise", 30, 0.05, rng).chance for _ in range(300)]
    assert min(learnt) > 0.5
    assert sum(chance > 0.95 for chance in learnt) > 290

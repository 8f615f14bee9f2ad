"""A tetrahedron's corners are mended, its sides are weighed, and what one side does not show the others make up for."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.asking.second_marks import SecondMarks
from companion.vision.dice.corners import Corners
from companion.vision.dice.faces import Marks, Vectors
from companion.vision.dice.geometry import TRIANGLE, Points, cut_flat, edge_length
from companion.vision.dice.locate import Found, Tetrahedron
from companion.vision.dice.marks import OUTPUTS, SINGLE, Bags, Opinion
from companion.vision.dice.memory.handedness import Handedness, hand_of
from companion.vision.dice.nets import Nets
from companion.vision.dice.reader import DiceReader
from companion.vision.dice.tetrahedra.pose import APEX_CORNER, SOLID, fitted, fourth, others, strain
from companion.vision.dice.tetrahedra.reader import Sides, misplaced, sure_together
from companion.vision.dice.tetrahedra.side_evidence import cut_side, rise, seen_sides, side_marks
from companion.vision.readings import Image, ReadDie
from workshop.scenes import RANGES, Rendered, find_fonts, random_scene, render

SIDES = Bags.of([list(text) for text in ("BCDF", "GHKL", "MNPR", "STXZ")])


def seen(tilt: float, azimuth: float, yaw: float, edge: float = 90) -> Points:
    """Return the corners of a lying tetrahedron, base and apex, seen from far away (tilt and turns in radians)."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    lying = SOLID @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    across = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
    away = np.array([np.cos(azimuth) * np.cos(tilt), np.sin(azimuth) * np.cos(tilt), np.sin(tilt)])
    basis = np.array([away[:2], across[:2]])
    flat = np.column_stack([lying @ away, lying @ across])
    turn = basis / np.linalg.norm(basis, axis=1, keepdims=True)
    corners: Points = edge * flat @ turn + [200, 150]
    return corners


angles = st.floats(0, 6.2)
tilts = st.floats(0, 0.7)


@given(tilts, angles, angles)
def test_the_corners_of_a_true_tetrahedron_fit_from_everywhere(tilt: float, azimuth: float, yaw: float) -> None:
    corners = seen(tilt, azimuth, yaw)
    fit = fitted(corners[:APEX_CORNER], corners[APEX_CORNER])
    assert fit.off == pytest.approx(0, abs=1e-6)
    assert fit.corners == pytest.approx(corners, abs=1e-5)


@given(tilts, angles, angles, st.integers(0, 3))
def test_three_corners_tell_where_the_fourth_is(tilt: float, azimuth: float, yaw: float, number: int) -> None:
    corners = seen(tilt, azimuth, yaw)
    found = corners.copy()
    found[number] = [1e4, -1e4]  # plays no part
    assert min(np.linalg.norm(place - corners[number]) for place in fourth(found, number)) < 1e-3


@given(tilts, angles, angles, st.integers(0, 3), angles)
def test_a_wrong_corner_is_strained_and_the_right_one_among_the_others(
    tilt: float, azimuth: float, yaw: float, number: int, way: float
) -> None:
    true = seen(tilt, azimuth, yaw)
    wrong = true.copy()
    wrong[number] += 40 * np.array([np.cos(way), np.sin(way)])
    one = Tetrahedron(wrong[:APEX_CORNER], wrong[APEX_CORNER], 1.0)
    assert strain(one) > strain(Tetrahedron(true[:APEX_CORNER], true[APEX_CORNER], 1.0)) + 0.02
    tried = [np.vstack([other.base, other.apex]) for other in others(one) if other.apex is not None]
    assert min(np.linalg.norm(corners - true, axis=1).max() for corners in tried) < 1e-3


def test_the_more_strained_corners_are_the_less_the_sides_are_believed() -> None:
    corners = seen(0.1, 1.0, 0.3)
    true = Tetrahedron(corners[:APEX_CORNER], corners[APEX_CORNER], 1.0)
    doubts = [misplaced(replace(true, base=true.base + np.array([[0, 0], [off, 0], [0, 0]]))) for off in (0, 8, 20, 60)]
    assert doubts == sorted(doubts)
    assert doubts[0] < 0.001
    assert doubts[-1] > 0.3
    assert misplaced(replace(true, error=0.3)) == 1.0
    assert misplaced(replace(true, apex=None)) == 1.0


def test_a_low_side_keeps_the_rows_it_has() -> None:
    # stripes three pixels high on a side that is wide and low: the shape that sides have from above
    picture = np.zeros((160, 400, 3), np.uint8)
    picture[np.arange(160) // 3 % 2 == 1] = 255
    side = np.array([[200.0, 60.0], [360.0, 105.0], [40.0, 105.0]])
    assert rise(side) == pytest.approx(45)
    within = np.s_[30:55, 26:38]
    kept = cut_side(picture, side)[0][within].astype(float).mean(axis=(1, 2))
    lost = cut_flat(picture, side, TRIANGLE)[within].astype(float).mean(axis=(1, 2))
    assert np.ptp(kept) > 1.5 * np.ptp(lost)


def test_a_side_s_three_rotations_put_each_corner_on_top() -> None:
    picture = np.full((200, 200, 3), 128, np.uint8)
    side = np.array([[100.0, 40.0], [160.0, 140.0], [40.0, 140.0]])
    colours = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    for corner, colour in zip(side, colours, strict=True):
        cv2.circle(picture, [int(v) for v in corner * 0.75 + side.mean(axis=0) * 0.25], 14, colour, -1)
    tops = [patch[16:22, 29:35].mean(axis=(0, 1)) for patch in cut_side(picture, side)]
    assert [int(top.argmax()) for top in tops] == [0, 1, 2]


def opinion(readable: float, text: int | None, strange: str = "") -> Opinion:
    """Return what the net says of a side that shows one of the texts, or nothing; ``strange``: marks besides."""
    logits = np.zeros((3, OUTPUTS))
    logits[:, 1] = np.log(readable / (1 - readable))
    logits[:, 2] = 9.0  # no pips
    counted = logits[:, 9:].reshape(3, -1, 4)
    counted[:, :, 0] = 6.0
    if text is not None:
        counted[:, SIDES.singles[text] == 1, 0] = 0.0
        counted[:, SIDES.singles[text] == 1, 1] = 6.0
    for mark in strange:
        counted[:, SINGLE.index(mark), :2] = [0.0, 6.0]
    return Opinion.of(logits, 1.0)


def test_a_side_speaks_for_its_text_and_one_that_shows_no_text_for_none() -> None:
    marks = side_marks([opinion(0.99, 2), opinion(0.99, None), opinion(0.02, 2)], SIDES, [40, 40, 40])
    assert marks.texts.sum(axis=1) + marks.unreadable == pytest.approx([1, 1, 1])
    assert marks.texts[0].argmax() == 2
    assert marks.texts[0, 2] > 0.99
    assert marks.spread()[1] == pytest.approx(np.full(4, 0.25), abs=0.01)
    assert 0.9 < marks.texts[2, 2] < marks.texts[0, 2]  # hardly readable, but what is seen is seen


def test_a_side_with_marks_that_are_none_of_the_set_s_is_not_read() -> None:
    marks = side_marks([opinion(0.99, 2), opinion(0.99, 2, "7"), opinion(0.99, None, "1234")], SIDES, [40, 40, 40])
    assert marks.texts[1].argmax() == 2  # a stain or a badly cut letter
    assert marks.texts[1, 2] < marks.texts[0, 2]
    assert marks.unreadable[2] > 0.95


def test_the_lower_a_side_is_the_less_it_is_believed_and_high_ones_are_alike() -> None:
    marks = side_marks([opinion(0.99, 2)] * 5, SIDES, [60, 20, 13, 9, 1])
    found = marks.texts[:, 2]
    assert found[0] == found[1]
    assert list(found[1:]) == sorted(found[1:], reverse=True)
    assert found[3] < 0.8
    assert found[4] > 0.4
    assert marks.texts.sum(axis=1) + marks.unreadable == pytest.approx(np.ones(5))


def test_sides_that_only_lookalikes_tell_apart_are_not_told_apart() -> None:
    bags = Bags.of([["I"], ["1"], ["B"], ["C"]])
    logits = np.zeros((3, OUTPUTS))
    logits[:, 2] = 9.0
    counted = logits[:, 9:].reshape(3, -1, 4)
    counted[:, :, 0] = 6.0
    counted[:, bags.singles[1] == 1, 1] = 12.0
    marks = side_marks([Opinion.of(logits, 1.0)], bags, [40])
    assert marks.texts[0, 0] == pytest.approx(marks.texts[0, 1])


@cache
def drawn(number: int) -> Rendered:
    """Return a picture with one tetrahedron."""
    ranges = replace(RANGES["usual"], size=(640, 480), edge=(90, 130), things=0, tray=0, hand=0, moving=0)
    fonts = find_fonts(bundled=True)
    return render(random_scene(np.random.default_rng([11, number]), fonts, ranges=ranges, set_name="d4"))


@cache
def nets() -> Nets:
    return Nets()


@cache
def read(shown: Rendered, handedness: Handedness | None = None) -> ReadDie:
    reading = DiceReader("d4", handedness=handedness, learns=False, nets=nets()).read(shown.image)
    return next(die for die in reading.dice if die.status != "ignored")


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_a_base_corner_that_was_taken_for_another_place_is_found_again(wrong: int) -> None:
    mended = []
    for number in (4, 9, 10, 17):
        shown = drawn(number)
        label = shown.labels[0]
        assert label.apex is not None
        base, apex = np.array(label.corners), np.array(label.apex)
        seen_base = base.copy()
        seen_base[wrong] = apex  # the two sides at this corner are dark: the base seems to end at the apex
        start = Tetrahedron(seen_base, seen_base.mean(axis=0), 0.9)
        found = Corners().correct(shown.image, Found((), (start,))).tetrahedra[0]
        off = min(
            np.linalg.norm(np.roll(found.base, k, axis=0) - base[::way], axis=1).max()
            for k in range(3)
            for way in (1, -1)
        )
        mended.append(off < 0.12 * edge_length(base))
    assert sum(mended) >= 3


def without_a_side(shown: Rendered, number: int) -> Rendered:
    """Return the picture with nothing to be seen on one of the sides."""
    image = shown.image.copy()
    corners = np.array(shown.labels[0].sides[number].corners)
    inner = corners.mean(axis=0) + 0.9 * (corners - corners.mean(axis=0))
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(inner).astype(np.int32), 1)
    image[mask > 0] = np.median(image[mask > 0], axis=0)
    return replace(shown, image=image)


def learnt_hand(shown: Rendered) -> Handedness:
    """Return what many throws would tell of the hand of the tetrahedron in a picture."""
    label = shown.labels[0]
    texts = ["1", "2", "3", "4"]
    out = {side.text: np.mean(side.corners[1:], axis=0) - np.array(label.apex) for side in label.sides}
    clockwise = sorted(out, key=lambda text: np.arctan2(out[text][1], out[text][0]))  # as y goes down
    hand = hand_of(texts.index(label.face), [texts.index(text) for text in clockwise])
    return Handedness().after(hand, 20)


@pytest.mark.parametrize(("side", "number"), [(0, 10), (1, 39), (2, 9)])
def test_two_sides_are_enough_where_the_hand_is_known_and_never_without(side: int, number: int) -> None:
    shown = drawn(number)
    true = shown.labels[0].face
    whole = read(shown)
    assert (whole.status, whole.face) == ("read", true)
    bare = without_a_side(shown, side)
    without = read(bare)
    assert without.status == "ask"
    assert true in {face for face, _ in without.candidates[:2]}
    learnt = learnt_hand(shown)
    found = read(bare, learnt)
    assert (found.status, found.face) == ("read", true)
    other = read(bare, Handedness(learnt.anticlockwise, learnt.clockwise))
    assert other.face != true  # the mirror image hides another face


@pytest.mark.parametrize("number", [10, 39, 9])
def test_a_tetrahedron_that_a_second_net_reads_otherwise_is_asked_about(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = drawn(number)
    assert read(shown).status == "read"
    answered = SecondMarks.read
    first: list[Opinion] = []

    def otherwise(self: SecondMarks, patches: Sequence[Image]) -> tuple[Opinion, Vectors]:
        says, described = answered(self, patches)
        first.append(says)
        return first[0], described  # as if each side bore the marks of the first

    monkeypatch.setattr(SecondMarks, "read", otherwise)
    again = DiceReader("d4", learns=False, nets=nets()).read(shown.image)
    (die,) = (one for one in again.dice if one.status != "ignored")
    assert (die.status, die.reason) == ("ask", "The marks on its sides are not clear.")
    assert first


@pytest.mark.parametrize(
    ("first", "second", "sure"), [(0.95, 0.9, True), (0.95, 0.8, False), (0.99, 0.7, True), (0.9999, 0.4, False)]
)
def test_a_second_net_must_be_surer_where_the_first_one_is_less_sure(
    first: float, second: float, *, sure: bool
) -> None:
    assert sure_together(first, second) is sure


@pytest.mark.parametrize(
    ("mark", "bent", "remembered", "bare"),
    [(0.3, True, False, True), (0.9, True, False, False), (0.3, False, False, False), (0.3, True, True, False)],
)
def test_what_has_neither_marks_nor_corners_of_a_tetrahedron_is_none(
    mark: float, *, bent: bool, remembered: bool, bare: bool
) -> None:
    base, apex = np.array([[0.0, 0.0], [100.0, 0.0], [50.0, 86.6]]), np.array([50.0, 28.9])
    solid = Tetrahedron(base, apex + (30.0 if bent else 0.0), 0.99, 0.02)
    marks = Marks(np.array([[mark, 0.0, 0.0, 0.0]]), np.array([1 - mark]))
    stated = (np.array([2.0, 0.0, 0.0, 0.0]) if remembered else np.zeros(4),)
    assert Sides(solid, (0,), marks, mark, stated, ()).bare == bare


def test_low_sides_are_seen_and_those_behind_the_apex_are_not() -> None:
    base = np.array([[0.0, 0.0], [100.0, 0.0], [50.0, 87.0]])
    low = Tetrahedron(base, np.array([50.0, 6.0]), 1.0)
    assert [number for number, _ in seen_sides(low)] == [0, 1, 2]
    behind = Tetrahedron(base, np.array([50.0, -10.0]), 1.0)
    assert [number for number, _ in seen_sides(behind)] == [1, 2]
    assert seen_sides(replace(low, apex=None)) == []

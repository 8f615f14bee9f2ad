"""Corners are made exact from wherever the locator may have left them, and the net knows how exact they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.dice.corners import START, TRIED_ROTATIONS, Corners, back, kind_of, regular, turns
from companion.vision.dice.geometry import Points, area, clockwise, edge_length, mapped, mapping
from companion.vision.dice.locate import Found, UpperFace
from workshop.scenes import RANGES, Rendered, find_fonts, random_scene, render
from workshop.training.corners.check import auc
from workshop.training.draw import SLANTED, draw_picture, shown_truth
from workshop.training.store import Truth

EXACT = 0.1
"""Corners within so much of an edge are exact enough to read what stands between them."""


def ring(corners: int, angle: float) -> Points:
    around = angle + np.arange(corners) * 2 * np.pi / corners
    placed: Points = 80 * np.column_stack([np.cos(around), np.sin(around)]) + [200, 150]
    return placed


@pytest.mark.parametrize("corners", [3, 4, 5])
@given(found=st.floats(0, 7), angle=st.floats(0, 7))
def test_one_of_the_turns_is_nearly_that_of_the_face(corners: int, found: float, angle: float) -> None:
    lies = ring(corners, angle)
    tries = turns(ring(corners, found))
    assert len(tries) == TRIED_ROTATIONS
    for one in tries:
        assert one.mean(axis=0) == pytest.approx(lies.mean(axis=0))
        assert area(one) == pytest.approx(area(lies))
    orders = [np.roll(lies, k, axis=0) for k in range(corners)]
    off = min(np.linalg.norm(one - order, axis=1).max() for one in tries for order in orders)
    # the farthest from any of them is half a step
    assert off < 2 * 80 * np.sin(np.pi / (corners * TRIED_ROTATIONS) / 2) + 1e-6


@pytest.mark.parametrize("corners", [3, 4, 5])
@given(angle=st.floats(0, 7), turn=st.floats(-0.5, 0.5))
def test_a_regular_polygon_is_turned_from_the_one_it_replaces(corners: int, angle: float, turn: float) -> None:
    lies = ring(corners, angle)
    centre = lies.mean(axis=0)
    turned = (lies - centre) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + centre
    assert regular(lies, turn) == pytest.approx(turned, abs=1e-6)


@pytest.fixture(scope="module")
def pictures() -> list[Rendered]:
    fonts = find_fonts("train", bundled=True)
    return [
        render(random_scene(np.random.default_rng([9, one]), fonts, ranges=RANGES["usual"], set_name="pips"))
        for one in range(5)
    ]


def off(found: Points, true: Points) -> float:
    """Return how far the worst corner is off, in edges."""
    orders = [np.roll(clockwise(true), k, axis=0) for k in range(len(true))]
    return min(float(np.linalg.norm(clockwise(found) - one, axis=1).max()) for one in orders) / edge_length(true)


@pytest.mark.parametrize("begin", ["shifted", "turned", "cut short"])
def test_corners_are_found_from_a_bad_start(pictures: list[Rendered], begin: str) -> None:
    before, after, net = [], [], Corners()
    for shown in pictures:
        every = [np.array(label.polygon) for label in shown.labels]
        starts = []
        for true in every:
            match begin:
                case "shifted":
                    start = true + 0.15 * edge_length(true)
                case "turned":
                    start = regular(true, 0.6)
                case _:
                    start = true.copy()
                    start[0] = true.mean(axis=0) * 0.6 + true[0] * 0.4
            starts.append(start)
        found = net.correct(shown.image, Found(tuple(UpperFace(start, 0.9) for start in starts), ()))
        before += [off(start, true) for start, true in zip(starts, every, strict=True)]
        after += [off(face.corners, true) for face, true in zip(found.faces, every, strict=True)]
    assert min(before) > EXACT
    assert np.mean(np.array(after) < EXACT) > 2 / 3


Tried = list[tuple[UpperFace, Points]]


@pytest.fixture(scope="module")
def slanted() -> list[tuple[Rendered, Truth]]:
    fonts = find_fonts("train", bundled=True)
    made = (draw_picture(np.random.default_rng([41, one]), fonts, kinds=SLANTED) for one in range(10))
    return [(shown, shown_truth(scene, shown)) for scene, shown in made]


@pytest.fixture(scope="module")
def tops(slanted: list[tuple[Rendered, Truth]]) -> Tried:
    return tried(slanted, upper=True)


def tried(slanted: list[tuple[Rendered, Truth]], *, upper: bool) -> Tried:
    """Return upper faces, or sides that are seen well, begun a little off, each with its true corners."""
    rng, out, net = np.random.default_rng(2), [], Corners()
    for shown, truth in slanted:
        faces = [face.corners for face in truth.faces if face.legible]
        true = faces if upper else [side for side in truth.sides if area(side) > 0.4 * edge_length(side) ** 2]
        begun = [one + rng.normal(0, 0.06 * edge_length(one), one.shape) for one in true if len(one) <= 5]
        found = net.correct(shown.image, Found(tuple(UpperFace(clockwise(one), 0.9) for one in begun), ()))
        out += list(zip(found.faces, true, strict=True))
    return out


def test_upper_faces_are_told_from_the_sides_beside_them(slanted: list[tuple[Rendered, Truth]], tops: Tried) -> None:
    chances = [np.array([face.on_top for face, _ in faces]) for faces in (tops, tried(slanted, upper=False))]
    assert min(map(len, chances)) > 20
    assert auc(*chances) > 0.85


def test_half_of_the_faces_are_off_by_more_than_the_net_says(tops: Tried) -> None:
    factors = [off(face.corners, true) / face.error for face, true in tops]
    assert 0.5 < np.median(factors) < 2


@pytest.mark.parametrize("corners", [3, 4, 5])
@given(angle=st.floats(0, 7), seed=st.integers(0, 2**32))
def test_what_is_seen_in_the_patch_lies_there_in_the_picture(corners: int, angle: float, seed: int) -> None:
    """Also of five corners that are no picture of a regular pentagon: the mapping that brought them there is undone."""
    rng = np.random.default_rng(seed)
    start = clockwise(ring(corners, angle) + rng.normal(0, 5, (corners, 2)))
    kind = kind_of(corners)
    places = mapped(mapping(start, START[kind]), start)
    assert back(places, start, kind) == pytest.approx(start, abs=0.01)

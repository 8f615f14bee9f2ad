"""Corners are made exact from wherever the locator may have left them, and the net knows how exact they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.scenes import RANGES, Rendered, find_fonts, random_scene, render
from companion.vision.dice.corners import TURNS, Corners, regular, turns
from companion.vision.dice.geometry import Points, area, clockwise, edge_length
from companion.vision.dice.locate import Found, UpperFace

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
    assert len(tries) == TURNS
    for one in tries:
        assert one.mean(axis=0) == pytest.approx(lies.mean(axis=0))
        assert area(one) == pytest.approx(area(lies))
    orders = [np.roll(lies, k, axis=0) for k in range(corners)]
    off = min(np.linalg.norm(one - order, axis=1).max() for one in tries for order in orders)
    # the farthest from any of them is half a step
    assert off < 2 * 80 * np.sin(np.pi / (corners * TURNS) / 2) + 1e-6


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
        for one in range(8)
    ]


def off(found: Points, true: Points) -> float:
    """Return how far the worst corner is off, in edges."""
    orders = [np.roll(clockwise(true), k, axis=0) for k in range(len(true))]
    return min(float(np.linalg.norm(clockwise(found) - one, axis=1).max()) for one in orders) / edge_length(true)


@pytest.mark.parametrize("begin", ["shifted", "turned", "cut short"])
def test_corners_are_found_from_a_bad_start(pictures: list[Rendered], begin: str) -> None:
    before, after = [], []
    for shown in pictures:
        for label in shown.labels:
            true = np.array(label.polygon)
            match begin:
                case "shifted":
                    start = true + 0.15 * edge_length(true)
                case "turned":
                    start = regular(true, 0.6)
                case _:
                    start = true.copy()
                    start[0] = true.mean(axis=0) * 0.6 + true[0] * 0.4
            found = Corners().correct(shown.image, Found((UpperFace(start, 0.9),), ()))
            before.append(off(start, true))
            after.append(off(found.faces[0].corners, true))
    assert min(before) > EXACT
    assert np.mean(np.array(after) < EXACT) > 2 / 3

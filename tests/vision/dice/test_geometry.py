"""Corners are found in regions of any turn, and faces come out flat."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.dice.geometry import (
    KITE,
    PATCH_PIXELS,
    PENTAGON,
    SQUARE,
    TRIANGLE,
    Points,
    area,
    clockwise,
    cut_flat,
    cut_turned,
    edge_length,
    fit_polygon,
    grow,
    inside,
    is_convex,
)

angles = st.floats(0, 2 * np.pi)


def drawn(corners: Points, size: int = 200) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    region = np.zeros((size, size), np.uint8)
    cv2.fillConvexPoly(region, np.round(corners * 16).astype(np.int32), 1, shift=4)
    return region


def polygon(sides: int, angle: float, radius: float, stretch: float = 1.0) -> Points:
    turn = angle + np.arange(sides) * 2 * np.pi / sides
    place: Points = np.column_stack([100 + np.cos(turn) * radius * stretch, 100 + np.sin(turn) * radius])
    return place


@settings(max_examples=60, deadline=None)
@given(angles, st.floats(15, 60), st.floats(0.6, 1.5), st.sampled_from([3, 4]))
def test_fitted_corners_are_within_two_pixels(angle: float, radius: float, stretch: float, sides: int) -> None:
    true = clockwise(polygon(sides, angle, radius, stretch))
    found = fit_polygon(drawn(true), sides)
    assert found is not None
    distance = np.linalg.norm(found[:, None] - true[None], axis=2).min(axis=1)
    assert distance.max() < 2.0 + 0.03 * radius


@given(angles, st.sampled_from([3, 4]))
def test_clockwise_corners_enclose_a_positive_area_in_any_turn(angle: float, sides: int) -> None:
    corners = clockwise(polygon(sides, angle, 50)[::-1])
    assert area(corners) > 0
    assert is_convex(corners)


def test_a_line_has_no_corners() -> None:
    region = np.zeros((50, 50), np.uint8)
    region[20, 5:40] = 1
    assert fit_polygon(region, 4) is None
    assert fit_polygon(np.zeros((50, 50), np.uint8), 3) is None


def test_growing_keeps_the_centre_and_scales_the_edges() -> None:
    corners = polygon(4, 0.3, 40)
    grown = grow(corners, 1.5)
    assert np.allclose(grown.mean(axis=0), corners.mean(axis=0))
    assert edge_length(grown) == pytest.approx(1.5 * edge_length(corners))
    assert inside(corners.mean(axis=0), corners)
    assert not inside([0, 0], corners)


@pytest.mark.parametrize("scale", [0.5, 1.0, 4.0])
def test_a_square_face_comes_out_upright(scale: float) -> None:
    image = np.full((600, 600, 3), 200, np.uint8)
    corners = grow(polygon(4, 0.5, 60 * scale) - 100, 1.0) + 300
    middle = (corners[0] + corners.mean(axis=0)) / 2  # a dark dot halfway to the first corner
    cv2.circle(image, (round(middle[0]), round(middle[1])), max(2, round(8 * scale)), (0, 0, 0), -1)
    patch = cut_flat(image, corners, SQUARE)
    assert patch.shape == (PATCH_PIXELS, PATCH_PIXELS, 3)
    y, x = np.argwhere(patch[..., 0] < 100).mean(axis=0)
    assert abs(x - PATCH_PIXELS * 0.275) < 3
    assert abs(y - PATCH_PIXELS * 0.275) < 3


def test_what_lies_outside_a_side_is_even() -> None:
    rng = np.random.default_rng(0)
    image = rng.integers(0, 255, (300, 300, 3), dtype=np.uint8)
    patch = cut_flat(image, np.array([[150.0, 50.0], [250.0, 220.0], [60.0, 200.0]]), TRIANGLE)
    assert (patch[:4, :4].reshape(-1, 3) == patch[0, 0]).all()
    assert (patch[:4, -4:].reshape(-1, 3) == patch[0, 0]).all()
    assert np.allclose(np.linalg.norm(np.diff(TRIANGLE, axis=0), axis=1), 1, atol=1e-3)


@pytest.mark.parametrize("places", [SQUARE, TRIANGLE, KITE, PENTAGON], ids=["square", "triangle", "kite", "pentagon"])
def test_in_patch_k_corner_k_is_the_first(places: Points) -> None:
    image = np.full((300, 300, 3), 200, np.uint8)
    corners = polygon(len(places), 0.4, 90) + 40
    middle = corners.mean(axis=0)
    for k, corner in enumerate(corners):
        marked = image.copy()
        x, y = 0.4 * corner + 0.6 * middle
        cv2.circle(marked, (round(x), round(y)), 9, (0, 0, 0), -1)
        first = places[0] * 0.4 + places.mean(axis=0) * 0.6
        for number, patch in enumerate(cut_turned(marked, corners, places)):
            y0, x0 = (first[::-1] * PATCH_PIXELS - 0.5).round().astype(int)
            assert (patch[y0, x0, 0] < 60) == (number == k)

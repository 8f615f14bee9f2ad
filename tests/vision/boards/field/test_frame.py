"""Edges of a field on its map: found finer than a cell, whatever bulges or bites the map has."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.boards.field.columns import bar_width
from companion.vision.boards.field.edges import between_levels, fit_edges
from companion.vision.boards.field.find import CELL_PIXELS, fitted, upright
from companion.vision.boards.field.patch import HIGH, START, WIDE, straightened, warped
from companion.vision.dice.geometry import Points

CELLS = np.array([WIDE // CELL_PIXELS, HIGH // CELL_PIXELS])
shifts = st.lists(st.floats(-0.06, 0.06), min_size=8, max_size=8)


def covered(corners: Points, size: Points = CELLS) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return a perfect map of a field whose corners are given in parts of the patch."""
    fine = 8
    mask = np.zeros((size[1] * fine, size[0] * fine), np.uint8)
    cv2.fillPoly(mask, [np.round((corners * size * fine - 0.5) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    shares = cv2.resize(mask, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(shares / 255, np.float32)


@given(shifts)
@settings(max_examples=60, deadline=None)
def test_corners_are_found_finer_than_a_cell(moved: list[float]) -> None:
    corners = START + np.array(moved).reshape(4, 2)
    edges = fit_edges(covered(corners))
    assert edges is not None
    assert np.abs((edges.corners - corners) * CELLS).max() < 0.45


@given(shifts, st.floats(0.3, 0.6), st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_a_hand_over_a_border_does_not_move_the_corners(moved: list[float], along: float, side: int) -> None:
    corners = START + np.array(moved).reshape(4, 2) * 0.5
    chances = covered(corners)
    place = corners[side] + (corners[(side + 1) % 4] - corners[side]) * along
    x, y = (place * CELLS).astype(int)
    cv2.circle(chances, (int(x), int(y)), 9, 0.0, -1)
    edges = fit_edges(chances)
    assert edges is not None
    assert np.abs((edges.corners - corners) * CELLS).max() < 1.6


def test_an_edge_in_shadow_strays_but_top_and_bottom_do_not() -> None:
    corners = START + np.array([[0.0, 0.02], [0.0, 0.01], [0.0, -0.03], [0.0, -0.01]])
    chances = covered(corners)
    dark = covered(np.array([[0.0, 0.0], [0.2, 0.0], [0.32, 1.0], [0.0, 1.0]]))
    edges = fit_edges(np.asarray(chances * (1 - dark), np.float32))
    assert edges is not None
    assert abs(edges.corners[3, 0] - corners[3, 0]) > 0.05
    assert edges.level_slack < 0.01
    assert np.abs(between_levels(START, edges) - corners).max() < 0.01


def test_where_nothing_is_likely_there_are_no_edges() -> None:
    assert fit_edges(np.full((CELLS[1], CELLS[0]), 0.1, np.float32)) is None
    assert fitted(np.zeros((96, 160), np.float32), 1.0) is None


@pytest.mark.parametrize("bar", [0.03, 0.06, 0.1])
def test_the_bar_is_as_wide_as_its_map_shows(bar: float) -> None:
    across = START[1, 0] - START[0, 0]
    x0, x1 = 0.5 - across * bar / 2, 0.5 + across * bar / 2
    shown = covered(np.array([[x0, START[0, 1]], [x1, START[0, 1]], [x1, START[2, 1]], [x0, START[2, 1]]]))
    assert bar_width(shown, START) == pytest.approx(bar, abs=0.006)


@given(st.integers(0, 3), st.floats(-0.5, 0.5))
def test_corners_are_named_as_the_picture_lies(turn: int, angle: float) -> None:
    square = np.array([[100.0, 100], [300, 100], [300, 250], [100, 250]])
    cos, sin = np.cos(angle), np.sin(angle)
    lying = (square - square.mean(axis=0)) @ np.array([[cos, sin], [-sin, cos]]) + 400
    assert np.allclose(upright(np.roll(lying, turn, axis=0)), lying)
    assert np.allclose(upright(np.roll(lying, turn, axis=0)[::-1]), lying)


def test_a_rough_field_is_found_by_the_map_of_its_cells() -> None:
    corners = np.array([[0.2, 0.25], [0.75, 0.2], [0.8, 0.8], [0.15, 0.7]])
    size = np.array([160, 120])
    found = fitted(covered(corners, size), 0.25)
    assert found is not None
    true = corners * size * CELL_PIXELS / 0.25 - 0.5
    assert np.abs(found.corners - true).max() < 14  # a cell of the map is eight pixels of the picture
    assert found.score > 0.95


def test_a_large_picture_is_averaged_down_before_it_is_straightened() -> None:
    lines = np.zeros((2400, 3200, 3), np.uint8)
    lines[:, ::2] = 255  # finer than the net can see: grey, not stripes
    flat = straightened(lines, np.array([[200.0, 200], [3000, 200], [3000, 2200], [200, 2200]]))
    inner = flat[60:-60, 60:-60].astype(float)
    assert 100 < inner.mean() < 155
    assert inner.std() < 25
    small = np.full((40, 40, 3), 7, np.uint8)
    corners = np.array([[5.0, 5], [30, 5], [30, 30], [5, 30]])
    assert warped(small, corners, START * [WIDE, HIGH] - 0.5, (WIDE, HIGH)).shape == (HIGH, WIDE, 3)

"""Columns and rows as a net would tell them bring a field in step, and say where a field cannot be one."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.boards.field import frame
from companion.vision.boards.field.columns import bar_middle, in_step
from companion.vision.boards.field.find import BARRED, COLUMN, MAPS, POINTED, ROW, SQUARED, FieldFinder, Maps
from companion.vision.boards.field.frame import LEAST_AGREEMENT, Field, FrameCorrector
from companion.vision.boards.field.patch import START
from companion.vision.boards.layout import Layout, layout
from companion.vision.dice.geometry import Points, mapped, mapping
from companion.vision.readings import Image

HEIGHT, WIDTH = 128, 160
UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def known_maps(corners: Points, bar: float, board: Layout, *, covered: float = 0.0) -> Maps:
    """Return the maps of a net that knows everything, but for a part of the picture on the left."""
    maps = np.full((MAPS, HEIGHT, WIDTH), 0.5, np.float32)
    ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH]
    places = np.stack([(xs.ravel() + 0.5) / WIDTH, (ys.ravel() + 0.5) / HEIGHT], axis=1)
    u, v = mapped(mapping(corners, UNIT), places).T
    inside = (u > 0) & (u < 1) & (v > 0) & (v < 1) & (places[:, 0] > covered)
    column = u * board.columns
    if board.is_tables:
        wide = (1 - bar) / 12
        column = np.where(u < 0.5, u, u - bar) / wide
        on_bar = inside & (np.abs(u - 0.5) < bar / 2)
        maps[BARRED] = on_bar.reshape(HEIGHT, WIDTH)
        inside &= ~on_bar
    in_picture = places[:, 0] > covered
    maps[POINTED if board.is_tables else SQUARED].reshape(-1)[in_picture] = (inside | (maps[BARRED].ravel() == 1))[
        in_picture
    ]
    for first, at in ((COLUMN, column), (ROW, v * board.rows)):
        if first == ROW and board.is_tables:
            continue
        for place, wave in ((first, np.cos), (first + 1, np.sin)):
            maps[place].reshape(-1)[inside] = (1 + wave(2 * np.pi * at[inside])) / 2
    return maps


boards = st.sampled_from(["tables", "rithmomachia", "8x9"]).map(layout)
offs = st.lists(st.floats(-0.02, 0.02), min_size=8, max_size=8).map(lambda xs: np.reshape(xs, (4, 2)))


@settings(max_examples=60)
@given(boards, offs, st.floats(0.03, 0.1), st.floats(-0.015, 0.015), st.sampled_from([0.0, 0.3]))
def test_a_field_is_brought_in_step(board: Layout, off: Any, bar: float, wider: float, covered: float) -> None:
    # two parts of a hundred of the width; the height of points is told by their edges alone
    true = START + (off * [1, 0] if board.is_tables else off) * (START[2] - START[0]) * [
        1,
        board.columns / board.rows / 2,
    ]
    found = in_step(known_maps(true, bar, board, covered=covered), START, bar + wider, board)
    aside = np.abs(mapped(mapping(START, UNIT), found.corners) - mapped(mapping(START, UNIT), true))
    assert aside[:, 0].max() < (0.006 if not covered else 0.02)  # a tenth of a column
    assert found.harmony > 0.9
    if board.is_tables:
        assert found.bar == pytest.approx(bar, abs=0.006)


@settings(max_examples=40)
@given(boards, st.floats(0.05, 0.12))
def test_what_is_a_column_too_wide_is_out_of_step(board: Layout, bar: float) -> None:
    wide = np.array(START)
    wide[1:3, 0] += 1.5 / board.columns * (START[1, 0] - START[0, 0])
    found = in_step(known_maps(wide, bar, board), START, bar, board)
    assert found.harmony < 0.8 or found.strain > 3


@given(boards, st.integers(0, 3))
def test_what_one_edge_contradicts_the_rest_may_still_confirm(board: Layout, side: int) -> None:
    maps = known_maps(START, 0.06, board)
    strips = [np.s_[:, :, :31], np.s_[:, :, -31:], np.s_[:, :26], np.s_[:, -26:]]
    strip = maps[strips[side]]
    strip[COLUMN : ROW + 2] = 1 - strip[COLUMN : ROW + 2]  # half a column off, as a hand or a striped cloth may look
    found = in_step(maps, START, 0.06, board)
    assert found.inner > 0.9
    assert found.inner > found.harmony + 0.02
    maps[COLUMN : ROW + 2, 54:74, 66:94] = 1 - maps[COLUMN : ROW + 2, 54:74, 66:94]
    maps[COLUMN : ROW + 2, 30:50] = 1 - maps[COLUMN : ROW + 2, 30:50]  # and something in the middle, too
    assert in_step(maps, START, 0.06, board).inner == 0


def test_nothing_told_moves_nothing() -> None:
    maps = np.full((MAPS, HEIGHT, WIDTH), 0.5, np.float32)
    found = in_step(maps, START, 0.07, layout("tables"))
    assert np.allclose(found.corners, START)
    assert found.harmony == 0


TRUE = np.array([[310.0, 120.0], [1480.0, 160.0], [1620.0, 800.0], [190.0, 760.0]])
PICTURE = np.zeros((900, 1700, 3), np.uint8)


class Knowing(FieldFinder):
    """Finds columns where they truly are, however the board was straightened."""

    def __init__(self, board: Layout, corners: Points) -> None:
        super().__init__()
        self._maps = known_maps(mapped(mapping(corners, START), TRUE), 0.06, board)

    def maps(self, picture: Image) -> Maps:
        del picture
        return self._maps


@settings(max_examples=50)
@given(boards, st.floats(-2.4, 2.4))
def test_a_calibrated_field_that_slipped_is_mended_or_has_no_harmony(board: Layout, columns: float) -> None:
    across = (TRUE[1] - TRUE[0]) / board.columns
    slipped = TRUE + columns * across
    found = FrameCorrector(Knowing(board, slipped), board).known(PICTURE, slipped)
    assert found.error == 0  # it was told, not found
    if found.harmony > 0:
        off = np.linalg.norm(found.corners - TRUE, axis=1).max() / np.linalg.norm(across)
        assert off < 0.25
    else:
        assert np.array_equal(found.corners, slipped)
        assert abs(columns) > 0.1


def test_what_was_told_of_a_board_whose_columns_nobody_sees_stays() -> None:
    board = layout("8x14")
    finder = Knowing(board, TRUE)
    finder._maps = np.full((MAPS, HEIGHT, WIDTH), 0.5, np.float32)
    found = FrameCorrector(finder, board).known(PICTURE, TRUE)
    assert np.array_equal(found.corners, TRUE)
    assert found.harmony == 1


class Piled(FieldFinder):
    """Sees a board at `TRUE` of which piles hide the last column on one side, however it is straightened."""

    def __init__(self, board: Layout, side: int, bar: float) -> None:
        super().__init__()
        self.board, self.side, self.bar = board, side, bar

    def maps(self, picture: Image) -> Maps:
        """Return the maps; ``picture``: the corners of the straightened field, not its pixels."""
        corners = mapped(mapping(np.asarray(picture, np.float64), START), TRUE)
        maps = known_maps(corners, self.bar, self.board)
        ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH]
        places = np.stack([(xs.ravel() + 0.5) / WIDTH, (ys.ravel() + 0.5) / HEIGHT], axis=1)
        u = mapped(mapping(corners, UNIT), places)[:, 0].reshape(HEIGHT, WIDTH)
        hidden = u > 1 - 0.98 / 13 if self.side else u < 0.98 / 13
        maps[POINTED][hidden] = 0.0
        maps[COLUMN : ROW + 2, hidden] = 0.5
        return maps


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("bar", [0.05, 1 / 13])
def test_a_column_under_piles_is_found_at_its_own_edge(monkeypatch: pytest.MonkeyPatch, side: int, bar: float) -> None:
    board = layout("tables")
    monkeypatch.setattr(frame, "straightened", lambda _, corners: corners)
    corrector = FrameCorrector(Piled(board, side, bar), board)
    left, right = (1 / 13, 1.0) if side == 0 else (0.0, 12 / 13)
    short = mapped(mapping(UNIT, TRUE), np.array([[left, 0.0], [right, 0.0], [right, 1.0], [left, 1.0]]))
    found = corrector.beside(PICTURE, Field(short, bar, 0.0, 1.0, 0.0))
    assert found is not None
    assert found.harmony > LEAST_AGREEMENT
    assert np.linalg.norm(found.corners - TRUE, axis=1).max() < 0.15 * np.linalg.norm(TRUE[1] - TRUE[0]) / 13


@pytest.mark.parametrize("columns", [-1, 1])
def test_a_bar_as_wide_as_a_column_tells_of_a_slip_that_piles_hide(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    board, bar = layout("tables"), 1 / 13
    monkeypatch.setattr(frame, "straightened", lambda _, corners: corners)
    finder = Piled(board, int(columns < 0), bar)  # the column that such a field leaves out
    slipped = TRUE + columns * (TRUE[1] - TRUE[0]) / 13
    maps = finder.maps(np.asarray(slipped))
    assert in_step(maps, START, bar, board).harmony > LEAST_AGREEMENT
    assert frame.beyond(maps[POINTED], START, bar, board) < frame.BEYOND_CHANCE
    middle, wide = bar_middle(maps[BARRED], START)
    assert middle == pytest.approx(-columns / 13, abs=0.01)
    assert wide == pytest.approx(bar, abs=0.01)
    assert FrameCorrector(finder, board).known(PICTURE, slipped).harmony == 0

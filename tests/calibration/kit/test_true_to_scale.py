"""What is printed at 100 % measures what it says: rendered pages, measured."""

from collections.abc import Sequence
from itertools import pairwise
from typing import get_args

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.kit.boards import MARKERS
from calibration.kit.catalogue import PARTS, DrawnPart
from calibration.kit.markers import charuco_corner
from calibration.kit.paper import ALL_PAPERS, PAPERS, STRIP_HEIGHT, WHITE_MARGIN_MM, PaperName
from calibration.kit.pen import Pen
from calibration.kit.plans import charuco_plan
from calibration.kit.sheets import RULER
from calibration.kit.tiling import SHEET_OVERLAP, spread
from companion.vision.boards.kit import KitBoard, kit_boards
from companion.vision.boards.layout import NUMBERS
from tests.calibration.kit.printing import MILLIMETRE, Printed, peaks, print_part

EXACT = 0.3
"""Millimetres that a rendered page may be off: less than anybody can cut."""

SCALE = 0.1 / 200
"""The share by which lengths may be off."""

PAPER_NAMES: tuple[PaperName, ...] = get_args(PaperName)


def find_markers(page: Printed) -> dict[int, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Return each marker's corners in millimetres of the sheet, 4 x 2."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKERS)), settings
    ).detectMarkers(page.image)
    # a pixel's middle is half a pixel from its edge
    return {
        int(i): (np.asarray(found[0], np.float64) + 0.5) / MILLIMETRE
        for i, found in zip(np.ravel([] if ids is None else ids), corners, strict=True)
    }


@pytest.mark.parametrize("plan", kit_boards().values(), ids=lambda plan: plan.name)
def test_no_seam_runs_through_a_marker(plan: KitBoard) -> None:
    for paper in ALL_PAPERS.values():
        laid = spread(*plan.size, paper, plan.seams)
        for axis in (0, 1):
            starts = {(tile.x, tile.y)[axis] for tile in laid.tiles} - {0.0}
            for centre in plan.centres:
                place = centre[axis] + plan.edge[axis]
                assert all(
                    abs(place - seam) > plan.marker / 2 for start in starts for seam in (start, start + SHEET_OVERLAP)
                )


@pytest.mark.parametrize("paper", PAPER_NAMES)
@pytest.mark.parametrize("name", [name for name, part in PARTS.items() if isinstance(part, DrawnPart)])
def test_every_sheet_has_its_size_white_margins_a_true_ruler_and_markers_where_the_data_file_says(
    name: str, paper: PaperName
) -> None:
    pages = print_part(name, paper)
    for page in pages:
        assert sorted(page.size) == pytest.approx(sorted((PAPERS[paper].width, PAPERS[paper].height)), abs=EXACT)
        assert_white_margins(page)
        assert_true_ruler(page)
    if name in kit_boards():
        assert_markers(pages, kit_boards()[name], paper)


def assert_markers(pages: Sequence[Printed], plan: KitBoard, paper: PaperName) -> None:
    tiles = spread(*plan.size, PAPERS[paper], plan.seams).tiles
    seen: dict[int, list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]]] = {}
    for tile, page in zip(tiles, pages, strict=False):
        corner = np.array((WHITE_MARGIN_MM - tile.x, WHITE_MARGIN_MM - tile.y)) + plan.edge
        for marker, corners in find_markers(page).items():
            seen.setdefault(marker, []).append(corners - corner)
    assert sorted(seen) == list(NUMBERS)
    for marker, centre in zip(NUMBERS, plan.centres, strict=True):
        for corners in seen[marker]:
            assert np.linalg.norm(corners.mean(axis=0) - centre) < EXACT
            edges = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
            assert np.abs(edges - plan.marker).max() < EXACT
            across = corners[1] - corners[0]
            assert across[0] > 0.99 * plan.marker  # upright: its first side runs to the right


def assert_white_margins(page: Printed) -> None:
    reach = int((WHITE_MARGIN_MM - 4.0) * MILLIMETRE)  # where home printers do not reach
    frame = page.image.copy()
    frame[reach:-reach, reach:-reach] = 255
    assert frame.min() == 255


def assert_true_ruler(page: Printed) -> None:
    base = page.size[1] - WHITE_MARGIN_MM - STRIP_HEIGHT + RULER[1] + 3.0
    for off, expected, count in ((-2.7, 100.0, 11), (2.7, 4 * 25.4, 5)):
        row = round((base + off) * MILLIMETRE)
        dark = np.asarray(255.0 - page.image[row, : round(115 * MILLIMETRE)], np.float64)
        ticks = peaks(dark, 60)
        assert len(ticks) == count
        assert abs((ticks[-1] - ticks[0]) / MILLIMETRE - expected) < EXACT
        assert abs(ticks[0] / MILLIMETRE - RULER[0]) < EXACT


@pytest.mark.parametrize("paper", PAPER_NAMES)
def test_every_corner_of_the_calibration_sheet_is_found_where_it_should_be(paper: PaperName) -> None:
    plan = charuco_plan()
    board = plan.board()
    (page,) = print_part("charuco", paper)
    corners, ids, _, marker_ids = cv2.aruco.CharucoDetector(board).detectBoard(page.image)
    assert len(marker_ids) == len(board.getIds())
    assert len(ids) == (plan.columns - 1) * (plan.rows - 1)
    corner = np.array(charuco_corner(PAPERS[paper])) + WHITE_MARGIN_MM
    found = (np.asarray(corners).reshape(-1, 2) + 0.5) / MILLIMETRE - corner
    truth = np.asarray(board.getChessboardCorners())[np.ravel(ids), :2]
    assert np.linalg.norm(found - truth, axis=1).max() < EXACT
    whole_pixels = np.array(PAPERS[paper].size) / page.size  # the renderer stretches a page to whole pixels
    spans = np.ptp(found, axis=0) * whole_pixels / np.ptp(truth, axis=0)
    assert np.abs(spans - 1).max() < SCALE


@pytest.mark.parametrize("name", [name for name in kit_boards() if name != "virtues-wheel"])
def test_a_joint_cuts_no_word(name: str) -> None:
    """The wheel's names lie along its spokes, some on the joint itself: it needs a larger paper for that."""
    part = PARTS[name]
    assert isinstance(part, DrawnPart)
    for paper in ALL_PAPERS.values():
        for page in part.pages(paper):
            pen = Pen()
            page.draw(pen)
            where = " ".join(map(str, page.where))
            for layer in pen.layers:
                if layer.within is None:
                    continue
                left, top = layer.within[:2]
                for word in (one for one in layer.words if not one["turn"]):
                    (x, y), capital = word["place"], word["capital"]
                    wide = min(word["width"] or 999.0, capital * 0.95 * len(word["text"]))
                    start = x - {"left": 0.0, "middle": 0.5, "right": 1.0}[word["align"]] * wide
                    beside = start + wide <= left or start >= left
                    above = y + 0.8 * capital <= top or y - 0.6 * capital >= top
                    assert beside or "Column 1" in where, (name, where, word["text"])
                    assert above or "Row 1" in where, (name, where, word["text"])


@given(st.floats(50, 900), st.floats(50, 900), st.sampled_from(PAPER_NAMES), st.lists(st.floats(1, 900), max_size=40))
def test_the_sheets_of_a_board_cover_it_with_the_overlap_between_them(
    width: float, height: float, name: PaperName, seams: list[float]
) -> None:
    laid = spread(width, height, PAPERS[name], (seams, seams))
    assert len(laid.tiles) == laid.columns * laid.rows
    for axis, size in ((0, width), (1, height)):
        parts = sorted({((tile.x, tile.width), (tile.y, tile.height))[axis] for tile in laid.tiles})
        assert parts[0][0] == 0
        assert all(0 < long <= laid.paper.room[axis] + 1e-6 for _, long in parts)
        for (start, long), (following, _) in pairwise(parts):
            assert start + long - following == pytest.approx(SHEET_OVERLAP)
        assert sum(parts[-1]) == pytest.approx(size)

"""Markers for a camera, and the calibration sheet for its lens, drawn as vectors.

The patterns come from OpenCV, so that printer and reader agree.
"""

from functools import cache

import numpy as np

from calibration.kit.paper import Paper
from calibration.kit.pen import Pen, Point
from calibration.kit.plans import CharucoPlan, charuco_plan
from calibration.kit.sheets import PrintedPage
from companion.language.sentence import Sentence

Outline = tuple[Point, ...]


@cache
def black_runs(name: str, marker: int) -> tuple[Outline, ...]:
    """Return a marker's black cells as rectangles in a unit square, one for each run of cells in a row."""
    import cv2  # noqa: PLC0415  (30 MB that only markers need)

    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    cells = known.markerSize + 2
    pattern = cv2.aruco.generateImageMarker(known, marker, cells)
    runs: list[Outline] = []
    for row, values in enumerate(np.pad(pattern == 0, ((0, 0), (1, 1)))):
        changes = np.flatnonzero(np.diff(values.astype(np.int8)))
        for start, end in zip(changes[::2], changes[1::2], strict=True):
            x, y, right, low = (float(value) / cells for value in (start, row, end, row + 1))
            runs.append(((x, y), (right, y), (right, low), (x, low)))
    return tuple(runs)


def draw_marker(pen: Pen, name: str, marker: int, centre: Point, edge: float, *, quiet: float = 0.0) -> None:
    """Draw a marker upright, its black square ``edge`` mm wide, on white that is ``quiet`` mm wider on every side."""
    x, y = centre[0] - edge / 2, centre[1] - edge / 2
    if quiet:
        pen.rectangle(x - quiet, y - quiet, edge + 2 * quiet, edge + 2 * quiet, fill="#ffffff")
    pen.shapes([[(x + u * edge, y + v * edge) for u, v in run] for run in black_runs(name, marker)], fill="#000000")


def draw_charuco(pen: Pen, plan: CharucoPlan) -> None:
    """Draw the calibration sheet from its upper left corner."""
    board = plan.board()
    black = [(column, row) for row in range(plan.rows) for column in range(plan.columns) if (column + row) % 2 == 0]
    edge = plan.square
    # each square is a figure of its own: squares that touch only at corners must not merge
    for column, row in black:
        pen.rectangle(column * edge, row * edge, edge, edge, fill="#000000")
    for marker, corners in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True):
        x, y = (float(value) for value in np.asarray(corners).mean(axis=0)[:2])
        draw_marker(pen, plan.dictionary, int(marker), (x, y), plan.marker)


def charuco_corner(paper: Paper) -> tuple[float, float]:
    """Return the place of the pattern's upper left corner in the sheet's room, in millimetres."""
    plan = charuco_plan()
    width, height = paper.room
    return (width - plan.columns * plan.square) / 2, (height - plan.rows * plan.square) / 2


def charuco_pages(paper: Paper) -> list[PrintedPage]:
    """Return the one page of the calibration sheet."""
    plan = charuco_plan()
    notes = (
        Sentence(
            "ChArUco, {columns} x {rows} squares of {square} mm, markers of {marker} mm, {dictionary}.",
            columns=plan.columns,
            rows=plan.rows,
            square=plan.square,
            marker=plan.marker,
            dictionary=plan.dictionary,
        ),
        Sentence("Glue it flat on a board; a bent sheet spoils the measurement."),
    )

    def draw(pen: Pen) -> None:
        with pen.at(*charuco_corner(paper)):
            draw_charuco(pen, plan)

    return [PrintedPage(notes, paper, draw)]

"""Markers for a camera, drawn as vectors: the patterns come from OpenCV, so that printer and reader agree."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from calibration.kit.pen import Pen, Point
from calibration.kit.plans import CharucoPlan

if TYPE_CHECKING:
    import cv2

Outline = tuple[Point, ...]


@cache
def dictionary(name: str) -> "cv2.aruco.Dictionary":
    """Return one of OpenCV's predefined dictionaries, such as ``"DICT_4X4_50"``.

    Raises:
        ValueError: OpenCV has none of this name.
    """
    import cv2  # noqa: PLC0415  (30 MB that only markers need)

    number = getattr(cv2.aruco, name, None)
    if not name.startswith("DICT_") or not isinstance(number, int):
        raise ValueError(f"Expected the name of an OpenCV dictionary such as DICT_4X4_50, but got {name!r}.")
    return cv2.aruco.getPredefinedDictionary(number)


@cache
def black_runs(name: str, marker: int) -> tuple[Outline, ...]:
    """Return a marker's black cells as rectangles in a unit square, one for each run of cells in a row."""
    import cv2  # noqa: PLC0415  (likewise)

    known = dictionary(name)
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


def charuco_board(plan: CharucoPlan) -> "cv2.aruco.CharucoBoard":
    """Return the calibration sheet as an OpenCV board, lengths in millimetres."""
    import cv2  # noqa: PLC0415  (likewise)

    return cv2.aruco.CharucoBoard((plan.columns, plan.rows), plan.square, plan.marker, dictionary(plan.dictionary))


def draw_charuco(pen: Pen, plan: CharucoPlan) -> None:
    """Draw the calibration sheet from its upper left corner."""
    board = charuco_board(plan)
    black = [(column, row) for row in range(plan.rows) for column in range(plan.columns) if (column + row) % 2 == 0]
    edge = plan.square
    # each square is a figure of its own: squares that touch only at corners must not merge
    for column, row in black:
        pen.rectangle(column * edge, row * edge, edge, edge, fill="#000000")
    for marker, corners in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True):
        x, y = (float(value) for value in np.asarray(corners).mean(axis=0)[:2])
        draw_marker(pen, plan.dictionary, int(marker), (x, y), plan.marker)

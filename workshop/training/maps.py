"""The maps that the locator should give, drawn from the outlines of the dice."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import Points, edge_length, grow
from companion.vision.dice.locate import APEX, BASE, CELL_PIXELS, CORE, CORE_SHRINK, CORNER, FACE, TETRAHEDRON


def draw_maps(faces: Sequence[Points], solids: Sequence[tuple[Points, Points]], size: int) -> npt.NDArray[np.float32]:
    """Return the six maps of a square window, shape (6, size / 2, size / 2).

    ``faces``: corners of upper faces; ``solids``: base and apex of tetrahedra, all in the window's pixels.
    """
    cells = size // CELL_PIXELS
    maps = np.zeros((6, cells, cells), np.float32)
    for face in faces:
        place = _to_cells(face)
        _fill(maps[FACE], place)
        _fill(maps[CORE], grow(place, CORE_SHRINK))
        for corner in place:
            _peak(maps[CORNER], corner, edge_length(place))
    for base, apex in solids:
        place, tip = _to_cells(base), _to_cells(apex[None])[0]
        hull = cv2.convexHull(np.vstack([place, tip]).astype(np.float32))[:, 0, :].astype(np.float64)
        _fill(maps[TETRAHEDRON], hull)
        for corner in place:
            _peak(maps[BASE], corner, edge_length(place))
        _peak(maps[APEX], tip, edge_length(place))
    return maps


def _to_cells(corners: Points) -> Points:
    cells: Points = (corners + 0.5) / CELL_PIXELS - 0.5
    return cells


def _fill(canvas: npt.NDArray[np.float32], corners: Points) -> None:
    """Fill a polygon with soft edges."""
    box_low = np.floor(corners.min(axis=0)).astype(int) - 1
    box_high = np.ceil(corners.max(axis=0)).astype(int) + 2
    x0, y0 = np.maximum(box_low, 0)
    x1, y1 = np.minimum(box_high, [canvas.shape[1], canvas.shape[0]])
    if x1 <= x0 or y1 <= y0:
        return
    fine = np.zeros((4 * (y1 - y0), 4 * (x1 - x0)), np.uint8)
    places = (corners - [x0, y0] + 0.5) * 4 - 0.5
    cv2.fillConvexPoly(fine, np.round(places * 16).astype(np.int32), 255, shift=4)
    soft = cv2.resize(fine, (int(x1 - x0), int(y1 - y0)), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    np.maximum(canvas[y0:y1, x0:x1], soft, out=canvas[y0:y1, x0:x1])


def _peak(canvas: npt.NDArray[np.float32], place: Points, edge: float) -> None:
    """Draw a round peak, wider on large dice, whose corners are round."""
    sigma = float(np.clip(0.05 * edge, 1.0, 2.2))
    reach = int(4 * sigma) + 1
    x0, y0 = np.maximum(np.floor(place).astype(int) - reach, 0)
    x1, y1 = np.minimum(np.floor(place).astype(int) + reach + 2, [canvas.shape[1], canvas.shape[0]])
    if x1 <= x0 or y1 <= y0:
        return
    x, y = np.arange(x0, x1) - place[0], np.arange(y0, y1) - place[1]
    peak = np.exp(-(x[None] ** 2 + y[:, None] ** 2) / (2 * sigma**2)).astype(np.float32)
    np.maximum(canvas[y0:y1, x0:x1], peak, out=canvas[y0:y1, x0:x1])

"""The straight edges of a field on its straightened map."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.boards.field.find import CELL_PIXELS, Maps
from companion.vision.boards.field.patch import HIGH, PATCH_MARGIN, WIDE
from companion.vision.dice.geometry import Points

EDGE_ENDS: Final = 0.06
"""The fraction of each edge, at both ends, that is not fitted: corners are round on the maps."""


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a field on the straightened board: its ``corners`` as fractions of the patch (4 x 2).

    ``slack``: how far the net's edges stray from straight lines, as a fraction of the field's width; ``level_slack``:
    the same of its top and bottom alone.
    """

    corners: Points
    slack: float
    level_slack: float


def fit_edges(chances: Maps) -> Edges | None:
    """Return the straight edges of a field on its map (h x w, chances); None where there is no field in the middle."""
    height, width = chances.shape
    if float(chances[height // 4 : -height // 4, width // 4 : -width // 4].mean()) < 0.5:  # noqa: PLR2004 (likely or not)
        return None
    rows, columns = _middle(height), _middle(width)
    left, one = _line(rows, _borders(chances[:, : width // 2])[rows])
    right, two = _line(rows, width - 1 - _borders(chances[:, : width // 2 - 1 : -1])[rows])
    top, three = _line(columns, _borders(chances[: height // 2].T)[columns])
    bottom, four = _line(columns, height - 1 - _borders(chances[: height // 2 - 1 : -1].T)[columns])
    corners = [_meet(left, top), _meet(right, top), _meet(right, bottom), _meet(left, bottom)]
    # borders lie between cells: half a cell further than the middle of the last cell inside
    pixels = (np.array(corners) + 0.5) * CELL_PIXELS
    shown = 1 - 2 * PATCH_MARGIN
    level_slack = max(three, four) / height / shown
    slack = max(one / width / shown, two / width / shown, level_slack)
    return Edges(pixels / [WIDE, HIGH], float(slack), float(level_slack))


def between_levels(corners: Points, edges: Edges) -> Points:
    """Return corners (4 x 2) moved up and down to the top and the bottom of the given edges."""
    moved = corners.copy()
    for near, far in ((0, 1), (3, 2)):
        (x0, y0), (x1, y1) = edges.corners[near], edges.corners[far]
        for place in (near, far):
            moved[place, 1] = y0 + (y1 - y0) * (corners[place, 0] - x0) / (x1 - x0)
    return moved


def _middle(length: int) -> npt.NDArray[np.intp]:
    """Return the places along an edge that the fit uses."""
    first = round(length * (PATCH_MARGIN + EDGE_ENDS * (1 - 2 * PATCH_MARGIN)))
    return np.arange(first, length - first)


def _borders(chances: Maps) -> npt.NDArray[np.float64]:
    """Return for each row of a half map where the field begins, in cells, by the step that fits the row best."""
    signed = chances.astype(np.float64) - 0.5
    total = signed.sum(axis=1, keepdims=True)
    before = np.concatenate([np.zeros((len(signed), 1)), np.cumsum(signed, axis=1)], axis=1)
    gain = total - 2 * before  # what lies inside of a border, less what lies outside of it
    border = gain.argmax(axis=1)
    place = border.astype(np.float64)
    inner = np.clip(border, 1, chances.shape[1] - 1)
    rows = np.arange(len(chances))
    outside, inside = chances[rows, inner - 1].astype(np.float64), chances[rows, inner].astype(np.float64)
    crossing = (0.5 - outside) / np.maximum(inside - outside, 1e-6)
    fine = inner - 1 + np.clip(crossing, 0.0, 1.0)
    place[inner == border] = fine[inner == border]
    return np.asarray(place, np.float64)


Line = tuple[float, float]
"""A border as a function of the place along it: offset and slope."""


def _line(along: npt.NDArray[np.intp], borders: npt.NDArray[np.float64]) -> tuple[Line, float]:
    """Return the line that most borders lie on, and how far they stray from it; a few far ones do not bend it."""
    at = along.astype(np.float64)
    weights = np.ones_like(at)
    offset = slope = 0.0
    for _ in range(8):
        slope, offset = np.polyfit(at, borders, 1, w=weights)
        off = np.abs(borders - offset - slope * at)
        spread = max(1.4826 * float(np.median(off)), 0.05)
        weights = np.minimum(1.0, 1.5 * spread / np.maximum(off, 1e-9))
    stray = float(np.median(np.abs(borders - offset - slope * at)))
    return (float(offset), float(slope)), stray


def _meet(upright: Line, level: Line) -> tuple[float, float]:
    """Return where x = a + b y and y = c + d x meet."""
    (a, b), (c, d) = upright, level
    x = (a + b * c) / (1 - b * d)
    return x, c + d * x

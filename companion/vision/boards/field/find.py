"""Find roughly where a board's playing field lies: a small net marks its cells, and a quadrilateral fits them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.nets import FIELDS, load, sigmoid
from companion.vision.dice.geometry import Points, fit_polygon, fit_rectangle
from companion.vision.dice.nets import Net, net_input
from companion.vision.readings import Image

Maps = npt.NDArray[np.float32]
Cells = npt.NDArray[np.uint8]

POINTED, SQUARED, BARRED = 0, 1, 2
"""The net's maps: the field of a tables board, that of a board of squares, and the bar of a tables board."""

COLUMN, ROW = 3, 5
"""The first of two maps each, for a straightened board: where in its column, and in its row, a cell lies.

The maps are (1 + cos a) / 2 and (1 + sin a) / 2. The angle a makes one full turn from one column to the next. Both maps
are one half where the net knows nothing. Columns are those of squares, or the points on either side of the bar; points
have no rows.
"""

MAPS: Final = 7

NET_LONGER_SIDE: Final = 320
"""The picture's longer side as the net sees it, in pixels; the other is padded to a multiple of `SIZE_MULTIPLE`."""

SIZE_MULTIPLE: Final = 32
CELL_PIXELS: Final = 2
"""The edge of a cell of the maps, in pixels of the net's picture."""

BOARD_CELL_CHANCE: Final = 0.5

SURE_CELL_CHANCE: Final = 0.9
"""The same where what lies beside a board, such as taken men, is taken for a part of it."""

WELL_COVERED: Final = 0.92
"""A quadrilateral that covers the likely cells less well than this has been drawn askew by such things."""

STEPS: Final = (4.0, 2.0, 1.0)
"""The steps, in cells and in this order, by which corners move to cover a region better."""

LEAST_GAIN: Final = 0.0005

LEAST_FIELD_SHARE: Final = 0.02
"""A field covers at least this share of the picture."""


@dataclass(frozen=True, eq=False)
class RoughField:
    """A field as first found: ``corners`` from the top left clockwise in pixels (4 x 2), and how sure the net is."""

    corners: Points
    score: float


def net_picture(image: Image) -> tuple[Image, float]:
    """Return a picture as the net sees it, padded with its mean, and its scale (its pixels per pixel of the image)."""
    height, width = image.shape[:2]
    scale = NET_LONGER_SIDE / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    below, right = -size[1] % SIZE_MULTIPLE, -size[0] % SIZE_MULTIPLE
    mean = [float(v) for v in small.mean(axis=(0, 1))]
    padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_CONSTANT, value=mean)
    return np.asarray(padded, np.uint8), scale


class FieldFinder:
    """Finds fields. Loads its net when it is first used."""

    def __init__(self) -> None:
        self._net: Net | None = None

    def maps(self, picture: Image) -> Maps:
        """Return the chances of each of the maps (`MAPS`, h / 2, w / 2) for a picture as the net sees it."""
        if self._net is None:
            self._net = load(FIELDS)
        return sigmoid(self._net.run(net_input(picture)[None])[0])

    def find(self, image: Image, kind: int) -> RoughField | None:
        """Return the field of a board of this kind (`POINTED` or `SQUARED`), or None where there is none."""
        picture, scale = net_picture(image)
        return fitted(self.maps(picture)[kind], scale)

    def span(self, image: Image, kind: int) -> RoughField | None:
        """Return the field that spans all likely regions: a bare middle, or a hand, may part one board into several."""
        picture, scale = net_picture(image)
        return _around(self.maps(picture)[kind], BOARD_CELL_CHANCE, scale, _spanned)


def fitted(chances: Maps, scale: float) -> RoughField | None:
    """Return the quadrilateral around the largest likely region of a map; ``scale``: from `net_picture`."""
    found = _around(chances, BOARD_CELL_CHANCE, scale, _largest)
    if found is None or found.score >= WELL_COVERED:
        return found
    sure = _around(chances, SURE_CELL_CHANCE, scale, _largest)
    return found if sure is None or sure.score < WELL_COVERED else sure


def _around(chances: Maps, least: float, scale: float, chosen: Callable[[Cells], Cells]) -> RoughField | None:
    """Return the quadrilateral around the region that is chosen of the cells likelier than ``least``."""
    likely = (chances > least).astype(np.uint8)
    region = chosen(likely)
    if region.sum() < LEAST_FIELD_SHARE * region.size:
        return None
    corners = _best_quadrilateral(region)
    if corners is None:
        return None
    inside = _filled(corners, region.shape)
    overlap = float(chances[inside > 0].sum()) / max(float(np.count_nonzero(inside)), float(likely.sum()), 1.0)
    pixels = (corners + 0.5) * CELL_PIXELS / scale - 0.5
    return RoughField(upright(pixels), overlap)


def _largest(likely: Cells) -> Cells:
    count, regions, stats, _ = cv2.connectedComponentsWithStats(likely, connectivity=4)
    if count < 2:  # noqa: PLR2004 (the first is what is not likely)
        return np.zeros_like(likely)
    return np.asarray(regions == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax()), np.uint8)


def _spanned(likely: Cells) -> Cells:
    """Return the convex hull of all regions but the small ones."""
    opened = cv2.morphologyEx(likely, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9)))
    hull = np.zeros_like(likely)
    if opened.any():
        cv2.fillConvexPoly(hull, cv2.convexHull(cv2.findNonZero(opened)), 1)
    return hull


def _best_quadrilateral(region: npt.NDArray[np.uint8]) -> Points | None:
    """Return the quadrilateral that covers a region best: men beside the board, or a hand, may make it bulge."""
    opened = cv2.morphologyEx(region, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9)))
    starts = [fit_polygon(one, 4) for one in (region, np.asarray(opened, np.uint8)) if one.any()]
    starts.append(fit_rectangle(region))
    found = [(_overlap(start, region), start) for start in starts if start is not None]
    if not found:
        return None
    best, corners = max(found, key=lambda one: one[0])
    for step in STEPS:
        better = True
        while better:
            better = False
            for place in range(8):
                for way in (-step, step):
                    moved = corners.copy()
                    moved[place // 2, place % 2] += way
                    overlap = _overlap(moved, region)
                    if overlap > best + LEAST_GAIN:
                        best, corners, better = overlap, moved, True
    return corners


def _overlap(corners: Points, region: npt.NDArray[np.uint8]) -> float:
    """Return the intersection over union of region and quadrilateral."""
    inside = _filled(corners, region.shape)
    common = cv2.countNonZero(cv2.bitwise_and(inside, region))
    return common / max(cv2.countNonZero(cv2.bitwise_or(inside, region)), 1)


def _filled(corners: Points, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    inside = np.zeros(shape, np.uint8)
    cv2.fillPoly(inside, [np.round(corners * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    return inside


def upright(corners: Points) -> Points:
    """Return four corners in the order top left, top right, bottom right, bottom left, as seen in the picture."""
    centre = corners.mean(axis=0)
    angles = np.arctan2(*(corners - centre).T[::-1])
    ordered = corners[np.argsort(angles)]
    sums = ordered - centre
    # of the four rotations, choose the one whose corners lie most to the left and top, right and top, ...
    wanted = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    fits = [float((np.roll(sums, -k, axis=0) * wanted).sum()) for k in range(4)]
    return np.asarray(np.roll(ordered, -int(np.argmax(fits)), axis=0))

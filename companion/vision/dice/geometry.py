"""Fit four-sided and three-sided outlines to regions, and cut a face out of a picture as a flat patch."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import sqrt
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.readings import Image

Points = npt.NDArray[np.float64]
"""Corner points, shape (n, 2), x to the right and y down, in pixels of their picture."""

PATCH_PIXELS: Final = 64
"""Edge of a flat patch in pixels."""

SQUARE: Final = np.array([[0.05, 0.05], [0.95, 0.05], [0.95, 0.95], [0.05, 0.95]])
"""Where a square face lies in its patch, in parts of the patch; the rim allows for slightly wrong corners."""

TRIANGLE: Final = np.array([[0.5, 0.067], [1.0, 0.933], [0.0, 0.933]])
"""Where a three-cornered face lies in its patch: its first corner at the top, then clockwise."""

KITE: Final = np.array([[0.5, 0.03], [0.97, 0.5], [0.5, 0.97], [0.03, 0.5]])
"""Where a trapezohedron's face lies in its patch, its first corner at the top."""

PENTAGON: Final = np.column_stack(
    [0.5 + 0.49 * np.sin(np.arange(5) * 2 * np.pi / 5), 0.53 - 0.49 * np.cos(np.arange(5) * 2 * np.pi / 5)]
)
"""Where a dodecahedron's face lies in its patch, its first corner at the top."""

PLACES: Final[dict[str, npt.NDArray[np.float64]]] = {
    "cube": SQUARE,
    "tile": SQUARE,
    "tetrahedron": TRIANGLE,
    "octahedron": TRIANGLE,
    "icosahedron": TRIANGLE,
    "trapezohedron": KITE,
    "dodecahedron": PENTAGON,
}
"""Where the faces of each shape of die lie in a patch."""

MOST_CORNERS: Final = 14
"""`fit_polygon` simplifies a region's outline to at most this many points before it chooses corners among them."""


def area(corners: Points) -> float:
    """Return the signed area of a polygon; positive if its corners run clockwise in the picture."""
    after = _after(corners)
    return float((corners[:, 0] * after[:, 1] - after[:, 0] * corners[:, 1]).sum() / 2)


def clockwise(corners: Points) -> Points:
    """Return the corners sorted around their centre, clockwise in the picture."""
    offset = corners - corners.mean(axis=0)
    order = np.argsort(np.arctan2(offset[:, 1], offset[:, 0]))
    ordered: Points = corners[order]
    return ordered


def is_convex(corners: Points) -> bool:
    """Return whether the polygon turns the same way at each corner."""
    after = _after(corners) - corners
    before = np.concatenate([after[-1:], after[:-1]])
    turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return bool((turn > 0).all() or (turn < 0).all())


def edge_length(corners: Points) -> float:
    """Return the mean length of a polygon's edges."""
    # so few points take a sixth of NumPy's time in plain Python
    points = corners.tolist()
    steps = [(one[0] - two[0], one[1] - two[1]) for one, two in zip(points, [*points[1:], points[0]], strict=True)]
    return sum(sqrt(right * right + down * down) for right, down in steps) / len(points)


def _after(corners: Points) -> Points:
    """Return for each corner the one after it. NumPy's own `roll` takes five times as long for so few."""
    return np.concatenate([corners[1:], corners[:1]])


def grow(corners: Points, factor: float) -> Points:
    """Return the polygon scaled about the mean of its corners."""
    centre = corners.mean(axis=0)
    grown: Points = centre + (corners - centre) * factor
    return grown


def inside(point: npt.ArrayLike, corners: Points) -> bool:
    """Return whether a point lies in the polygon or on its edge."""
    x, y = np.asarray(point, dtype=np.float64)
    return cv2.pointPolygonTest(corners.astype(np.float32), (float(x), float(y)), measureDist=False) >= 0


class Places:
    """Outlines, and whether another one lies on one of them. Far ones by their middles alone: there may be many."""

    def __init__(self) -> None:
        self._kept: list[tuple[Points, float, float, float]] = []  # with the middle and how far the corners are off it

    def add(self, corners: Points) -> None:
        """Keep an outline."""
        self._kept.append((corners, *_circle(corners)))

    def hold(self, corners: Points) -> bool:
        """Return whether an outline's middle lies in one that was kept, or the middle of such a one in it."""
        x, y, reach = _circle(corners)
        return any(
            inside((x, y), other) or inside((there, down), corners)
            for other, there, down, far in self._kept
            if (x - there) ** 2 + (y - down) ** 2 <= max(reach, far) ** 2
        )


def _circle(corners: Points) -> tuple[float, float, float]:
    """Return the middle of an outline's corners, and how far the farthest is off it, a pixel more."""
    middle = corners.mean(axis=0)
    return float(middle[0]), float(middle[1]), float(np.linalg.norm(corners - middle, axis=1).max()) + 1


def fit_polygon(region: npt.NDArray[np.uint8], sides: int) -> Points | None:
    """Return the corners of the largest polygon with this many sides in a region's convex outline.

    ``region``: one connected blob, non-zero inside. The result has the region's own area, because the blob's corners
    are rounded. Returns None if the region is too thin to have corners.
    """
    outlines, _ = cv2.findContours(region, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    outline = max(outlines, key=len)
    hull = cv2.convexHull(outline)[:, 0, :].astype(np.float64)
    slack = 0.01 * cv2.arcLength(outline, closed=True)
    while len(hull) > MOST_CORNERS:
        hull = cv2.approxPolyDP(hull.astype(np.float32), slack, closed=True)[:, 0, :].astype(np.float64)
        slack *= 1.3
    if len(hull) < sides:
        return None
    chosen = np.array(list(combinations(range(len(hull)), sides)))
    candidates = hull[chosen]
    x, y = candidates[..., 0], candidates[..., 1]
    areas = np.abs((x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1)) / 2
    best = clockwise(candidates[int(areas.argmax())])
    size = abs(area(best))
    if size < 1.0:
        return None
    return grow(best, float(np.sqrt(np.count_nonzero(region) / size)))


def fit_rectangle(region: npt.NDArray[np.uint8]) -> Points:
    """Return the corners of the smallest rectangle around a blob's cells, clockwise."""
    middle, (across, down), angle = cv2.minAreaRect(np.argwhere(region)[:, ::-1].astype(np.float32))
    # cells have an extent: the rectangle around their centres is one cell too short in each direction
    corners = cv2.boxPoints((middle, (across + 1, down + 1), angle))
    return clockwise(corners.astype(np.float64))


def cut_flat(image: Image, corners: Points, places: Points) -> Image:
    """Return a flat patch of a face, `PATCH_PIXELS` x `PATCH_PIXELS` BGR, with its corners at ``places``.

    An even colour lies around; a square face keeps its surroundings.
    """
    flat = cut(image, corners, places)
    return flat if places is SQUARE else hide_surroundings(flat, places)


def cut_turned(image: Image, corners: Points, places: Points, turns: Sequence[int] | None = None) -> list[Image]:
    """Return a flat patch of a face for each rotation (by default all): in rotation k, corner k is the first."""
    every = range(len(corners)) if turns is None else turns
    if places is SQUARE:
        upright = cut_flat(image, corners, places)
        return [np.ascontiguousarray(np.rot90(upright, k)) for k in every]
    return [cut_flat(image, np.roll(corners, -k, axis=0), places) for k in every]


def hide_surroundings(patch: Image, places: Points) -> Image:
    """Replace what shows around a flat face, such as other faces, with the mean of the face's pixels."""
    face = _cover(tuple(places.ravel()))
    hidden = patch.copy()
    hidden[~face] = patch[face].mean(axis=0)
    return hidden


@lru_cache(maxsize=32)  # one for each shape of face
def _cover(numbers: tuple[float, ...]) -> npt.NDArray[np.bool_]:
    """Return which pixels of a patch show a face, given the numbers of where it lies there."""
    places, cover = np.array(numbers).reshape(-1, 2), np.zeros((PATCH_PIXELS, PATCH_PIXELS), np.uint8)
    cv2.fillConvexPoly(cover, np.round((grow(places, 1.05) * PATCH_PIXELS - 0.5) * 16).astype(np.int32), 1, shift=4)
    return cover > 0


def cut(image: Image, corners: Points, flat: Points, patch_size: int = PATCH_PIXELS) -> Image:
    """Warp a region to a flat patch; ``flat`` is where its corners go, in parts of the patch.

    A large region is averaged down first, because otherwise thin strokes flicker.
    """
    source = corners.astype(np.float64)
    flat = flat * patch_size - 0.5
    reach = grow(source, 1.25)
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(reach.min(axis=0)).astype(int), 0, [max(width - 2, 0), max(height - 2, 0)])
    right, bottom = np.clip(np.ceil(reach.max(axis=0)).astype(int) + 1, [left + 2, top + 2], [width, height])
    piece = image[top:bottom, left:right]
    source = source - [left, top]
    shrink = edge_length(source) / patch_size
    if shrink > 1.5:  # noqa: PLR2004 (below this, linear interpolation sees every pixel)
        size = (max(2, round(piece.shape[1] / shrink)), max(2, round(piece.shape[0] / shrink)))
        source = (source + 0.5) * [size[0] / piece.shape[1], size[1] / piece.shape[0]] - 0.5
        piece = cv2.resize(piece, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    side = patch_size
    warp = mapping(source, flat)
    cut = cv2.warpPerspective(piece, warp, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cut.astype(np.uint8, copy=False)


def mapping(source: Points, target: Points) -> Points:
    """Return the 3 x 3 mapping of a plane from n corners to n others: affine for three, otherwise a homography.

    Raises:
        ValueError: no picture of a plane has such corners.
    """
    one, other = source.astype(np.float32), target.astype(np.float32)
    if len(source) == 3:  # noqa: PLR2004
        return np.vstack([cv2.getAffineTransform(one, other), [0.0, 0.0, 1.0]])
    if len(source) == 4:  # noqa: PLR2004
        return np.asarray(cv2.getPerspectiveTransform(one, other), np.float64)
    found, _ = cv2.findHomography(one, other)
    if found is None:
        raise ValueError(f"Expected the corners of a flat face, but got {np.round(source, 1).tolist()}.")
    return np.asarray(found, np.float64)


def mapped(warp: Points, places: Points) -> Points:
    """Apply a 3 x 3 mapping to places (n x 2)."""
    moved = np.column_stack([places, np.ones(len(places))]) @ warp.T
    return np.asarray(moved[:, :2] / moved[:, 2:])

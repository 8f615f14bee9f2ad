"""Ground truth for each die in a picture: its face, its pixels, and whether a person could read it."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.bodies import Placed, vertices
from workshop.scenes.camera import Camera, Points
from workshop.scenes.layouts import TRIANGLE
from workshop.scenes.paint import Painted
from workshop.scenes.polygons import flat, polygon_cover

READABLE_LETTER = 5.0
"""Least height of a letter in pixels, in its foreshortened direction, to count as legible."""
READABLE_CONTRAST = 12.0
"""Least contrast of the marks with their face, in steps of 255, to count as legible."""
READABLE_SHARE = 0.75
"""Least visible share of a face."""
READABLE_BLUR = 3.0
"""Pixels by which a die may move during the exposure."""


@dataclass(frozen=True)
class SeenSide:
    """A visible side of a tetrahedron: text, corner at its letters' top, corners (apex, clockwise), visible share."""

    text: str
    rotation: int
    corners: tuple[tuple[float, float], ...]
    visible: float


@dataclass(frozen=True)
class DieLabel:
    """Ground truth for one die in a picture; all coordinates in pixels.

    ``corners`` are those of the upper face, of a tetrahedron those of its base. They run clockwise. They start on a
    cube or tile at the letters' upper left, on a kite at its tip, on another die at the corner at the marks' top.
    """

    set_name: str
    die: str
    face: str
    polygon: tuple[tuple[float, float], ...]
    legible: bool
    corners: tuple[tuple[float, float], ...]
    apex: tuple[float, float] | None
    sides: tuple[SeenSide, ...]
    visible: float
    """Visible share of the upper face, of a tetrahedron of the whole die."""
    kind: str = "die"
    """``"tile"`` for a flat letter tile, which has no name of its own."""
    shape: str = "cube"
    rotation: int = 0
    """Which of ``corners`` is at the marks' top: 2 on kites whose numerals stand upside down seen from the tip."""

    def to_json(self) -> dict[str, Any]:
        """Return the object for a label file, as EVAL.md describes it."""
        return {
            "kind": self.kind,
            "set": self.set_name,
            **({} if self.kind == "tile" else {"die": self.die}),
            "face": self.face,
            "polygon": [[round(x, 1), round(y, 1)] for x, y in self.polygon],
            "legible": self.legible,
        }


def label(
    placed: Placed,
    camera: Camera,
    layer: Painted | None,
    *,
    image: npt.NDArray[np.uint8],
    mine: npt.NDArray[np.bool_],
    top: npt.NDArray[np.bool_],
) -> DieLabel:
    """Label one die. ``mine`` marks its pixels in the picture, ``top`` those of a cube's upper face."""
    moved = float(np.hypot(*placed.blur)) * camera.focal / camera.distance
    sharp = not placed.spoiled and moved < READABLE_BLUR
    if not placed.body.is_tetrahedron:
        upper = next((pixels for side, pixels in layer.seen if side.upper), None) if layer else None
        return _upper_label(placed, upper if upper is not None else np.zeros((4, 2)), top, image, sharp=sharp)
    return _tetrahedron_label(placed, camera, layer, mine, image, sharp=sharp)


def _upper_label(
    placed: Placed, upper: Points, top: npt.NDArray[np.bool_], image: npt.NDArray[np.uint8], *, sharp: bool
) -> DieLabel:
    seen = _share(top, upper)
    shape = placed.body.die.shape if placed.body.places else "cube"
    if placed.body.places:
        smallest = _narrowest(upper) * flat(shape).radius * 2
    else:
        smallest = float(np.linalg.norm(np.roll(upper, -1, axis=0) - upper, axis=1).min())
    tall = smallest * 0.28 * placed.body.style.scale >= READABLE_LETTER
    legible = sharp and seen > READABLE_SHARE and tall and contrast(image, upper, shape) >= READABLE_CONTRAST
    body = placed.body
    text = body.die.faces[placed.face].text
    corners = _points(upper)
    kind = "tile" if body.die.shape == "tile" else "die"
    turned = body.turns[body.places[placed.face]] if len(upper) == 4 and body.places else 0
    return DieLabel(
        body.set_name, body.die.name, text, corners, legible, corners, None, (), seen, kind, body.die.shape, turned
    )


def _tetrahedron_label(
    placed: Placed,
    camera: Camera,
    layer: Painted | None,
    mine: npt.NDArray[np.bool_],
    image: npt.NDArray[np.uint8],
    *,
    sharp: bool,
) -> DieLabel:
    body = placed.body
    pixels = camera.project(vertices(placed))
    hull = cv2.convexHull(pixels.astype(np.float32))[:, 0, :]
    seen = layer.seen if layer else ()
    sides = tuple(SeenSide(side.text, side.rotation, _points(corners), _share(mine, corners)) for side, corners in seen)
    legible = (
        sharp
        and len(sides) == len(TRIANGLE)
        and all(
            _height(corners) * 0.18 * body.style.scale >= READABLE_LETTER
            and _share(mine, corners) > READABLE_SHARE
            and contrast(image, corners) >= READABLE_CONTRAST
            for _, corners in seen
        )
    )
    return DieLabel(
        body.set_name,
        body.die.name,
        body.die.faces[placed.face].text,
        _points(hull),
        legible,
        _points(pixels[:3]),
        _points(pixels[3:])[0],
        sides,
        _share(mine, hull),
        shape=body.die.shape,
    )


def stands_out(flat: npt.NDArray[Any], inside: npt.NDArray[Any]) -> float:
    """Return how far the marks of a flat face stand out from it, in steps of 255, in the two best channels.

    ``inside``: non-zero where only the face is. One channel is not enough: an overexposed face would show its noise.
    """
    pixels = cv2.GaussianBlur(flat, (3, 3), 0).astype(np.float32)[inside > 0]
    low, half, high = np.percentile(pixels, (2, 50, 98), axis=0)
    return float(np.sort(np.maximum(half - low, high - half))[1:].mean())


def contrast(image: npt.NDArray[np.uint8], corners: Points, shape: str = "cube") -> float:
    """Return how far the marks of a face stand out, in steps of 255, in the best channels.

    ``shape`` is that of the die where its faces are not squares and it is not a tetrahedron.
    """
    size = 48
    if shape != "cube":
        target = (flat(shape).corners * size - 0.5).astype(np.float32)
        known = np.column_stack([corners, np.ones(len(corners))])
        matrix = np.linalg.lstsq(known, target, rcond=None)[0].T
        within = cv2.erode((polygon_cover(shape, size) > 0.5).astype(np.uint8), np.ones((5, 5), np.uint8))
        return stands_out(cv2.warpAffine(image, matrix, (size, size)), within)
    if len(corners) == len(TRIANGLE):
        target = (TRIANGLE * size - 0.5).astype(np.float32)
        middle = target.mean(axis=0)
        flat_ = cv2.warpAffine(image, cv2.getAffineTransform(corners.astype(np.float32), target), (size, size))
        inside = np.zeros((size, size), np.uint8)
        cv2.fillConvexPoly(inside, np.round((target - middle) * 0.78 + middle).astype(np.int32), 1)
    else:
        target = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32) - 0.5
        place = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
        flat_ = cv2.warpPerspective(image, place, (size, size))
        inside = np.zeros((size, size), np.uint8)
        inside[5:-5, 5:-5] = 1
    return stands_out(flat_, inside)


def _points(pixels: npt.NDArray[Any]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in pixels)


def _share(mask: npt.NDArray[np.bool_], polygon: npt.NDArray[Any]) -> float:
    """Return the share of a polygon that a mask covers."""
    low = np.maximum(np.floor(polygon.min(axis=0)).astype(int), 0)
    high = np.ceil(polygon.max(axis=0)).astype(int) + 1
    window = mask[low[1] : high[1], low[0] : high[0]]
    if window.size == 0:
        return 0.0
    inside = np.zeros(window.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round((polygon - low) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    total = int(inside.sum())
    return float((window & (inside > 0)).sum() / total) if total else 0.0


def _narrowest(corners: npt.NDArray[Any]) -> float:
    """Return the least width of a polygon, pixels."""
    edges = np.roll(corners, -1, axis=0) - corners
    across = np.column_stack([edges[:, 1], -edges[:, 0]]) / np.linalg.norm(edges, axis=1, keepdims=True)
    return float(np.ptp(corners @ across.T, axis=0).min())


def _height(corners: npt.NDArray[Any]) -> float:
    base = corners[2] - corners[1]
    tip = corners[0] - corners[1]
    return float(abs(base[0] * tip[1] - base[1] * tip[0]) / np.linalg.norm(base))

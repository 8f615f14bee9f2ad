"""A board straightened by its rough corners, as the net of the fields sees it again."""

from typing import Final

import cv2
import numpy as np

from companion.vision.dice.geometry import Points, mapped, mapping
from companion.vision.readings import Image

WIDE, HIGH = 320, 256
"""The straightened board as the net sees it, in pixels."""

PATCH_MARGIN: Final = 0.14
"""The fraction of the patch beside the field on each side: it shows the edges and what lies around them."""

START: Final = np.array(
    [
        [PATCH_MARGIN, PATCH_MARGIN],
        [1 - PATCH_MARGIN, PATCH_MARGIN],
        [1 - PATCH_MARGIN, 1 - PATCH_MARGIN],
        [PATCH_MARGIN, 1 - PATCH_MARGIN],
    ]
)
"""Where the field's corners lie in the patch, as fractions of it."""


def straightened(image: Image, corners: Points) -> Image:
    """Return what the net sees: `HIGH` x `WIDE` BGR, with the corners at `START`."""
    return warped(image, corners, START * [WIDE, HIGH] - 0.5, (WIDE, HIGH))


def warped(image: Image, corners: Points, places: Points, size: tuple[int, int]) -> Image:
    """Return a picture of ``size`` (width, height) in which a quadrilateral of the image comes to lie at ``places``.

    A large board is averaged down first, so that thin lines do not flicker; only the part of the image that is seen.
    """
    shrink = float(np.sqrt(abs(_area(corners)) / max(abs(_area(places)), 1.0)))
    source = np.asarray(corners, np.float64)
    if shrink > 1.5:  # noqa: PLR2004 (below this, linear interpolation sees every pixel)
        image, first = _part(image, mapped(mapping(places, source), _outline(size)), round(2 * shrink))
        reduced = (max(2, round(image.shape[1] / shrink)), max(2, round(image.shape[0] / shrink)))
        source = (source - first + 0.5) * [reduced[0] / image.shape[1], reduced[1] / image.shape[0]] - 0.5
        image = np.asarray(cv2.resize(image, reduced, interpolation=cv2.INTER_AREA), np.uint8)
    warp = mapping(source, places)
    flat = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _outline(size: tuple[int, int]) -> Points:
    return np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]]) - 0.5


def _part(image: Image, outline: Points, margin: int) -> tuple[Image, Points]:
    """Return the part of an image around an outline, and the pixel at its top left; whole if nothing of it is seen."""
    height, width = image.shape[:2]
    low = np.clip(np.floor(outline.min(axis=0)).astype(int) - margin, 0, [width, height])
    high = np.clip(np.ceil(outline.max(axis=0)).astype(int) + margin, 0, [width, height])
    if (high - low < 2 * margin).any():
        return image, np.zeros(2)
    return image[low[1] : high[1], low[0] : high[0]], low.astype(np.float64)


def _area(corners: Points) -> float:
    x, y = corners.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2

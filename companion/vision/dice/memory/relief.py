"""Reliefs of flat faces as vectors: a second kind of likeness, beside what the mark nets make of a face.

The mark nets are taught to see letters, and see less of what else tells two faces of one owner apart: the worn corner,
the slip of the pen. A relief keeps the picture itself, without its light: brightness without its slow part and with
even local contrast. So a shadow across the face or a dimmer lamp changes little.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import Vectors, lengthened
from companion.vision.dice.geometry import PATCH_PIXELS, SQUARE, grow
from companion.vision.readings import Image

Floats = npt.NDArray[np.float32]

RELIEF_LAYERS: Final = 2
"""A relief has two: the marks, and their edges."""

LIGHT_DEVIATION_PIXELS: Final = 9.0
"""Light varies more slowly over a face than this (standard deviation in pixels of the patch), marks vary faster."""

CONTRAST_NEIGHBOURHOOD: Final = 11.0
"""Contrast becomes even over this neighbourhood (standard deviation in pixels of the patch)."""

CONTRAST_FLOOR: Final = 0.6
"""Local contrast below this part of the face's own contrast is not amplified: the face is nearly empty there."""

BRIGHTNESS: Final = (0.114, 0.587, 0.299)
"""Weights of blue, green and red in brightness (ITU-R BT.601)."""

RIM_PIXELS: Final = 6
"""Pixels of a flat face left out at each edge: corners are never exact, and the edges of all dice are alike."""

SAMPLES_PER_EDGE: Final = 26
"""Samples along an edge of what is left."""

WIDTH: Final = RELIEF_LAYERS * SAMPLES_PER_EDGE**2
"""The length of a relief's vector."""


def reliefs(patches: Sequence[Image]) -> Vectors:
    """Return the reliefs of flat square BGR faces of `PATCH_PIXELS` as they lie: (n, `WIDTH`), of length 1."""
    inner = slice(RIM_PIXELS, PATCH_PIXELS - RIM_PIXELS)
    rows = []
    for patch in patches:
        made = cv2.resize(
            _relief(patch)[inner, inner], (SAMPLES_PER_EDGE, SAMPLES_PER_EDGE), interpolation=cv2.INTER_AREA
        )
        rows.append((made - made.mean(axis=(0, 1))).reshape(WIDTH))
    return lengthened(np.array(rows, np.float32).reshape(len(rows), WIDTH))


def _relief(patch: Image) -> Floats:
    """Turn a BGR patch into a relief of as many pixels and `RELIEF_LAYERS`: marks, and their edges in any light."""
    grey = patch.astype(np.float32) @ np.array(BRIGHTNESS, np.float32)
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    # light from the other side makes a groove's dark side bright, but its edges stay where they are
    edges = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return np.dstack([_levelled(grey), _levelled(0.3 * edges)])


def _levelled(grey: npt.NDArray[Any]) -> Floats:
    fast = grey - cv2.GaussianBlur(grey, (0, 0), LIGHT_DEVIATION_PIXELS, borderType=cv2.BORDER_REFLECT)
    local = cv2.GaussianBlur(fast * fast, (0, 0), CONTRAST_NEIGHBOURHOOD, borderType=cv2.BORDER_REFLECT)
    cover = _window()
    whole = float((fast * fast * cover).sum() / cover.sum())
    made = fast / np.sqrt(local + CONTRAST_FLOOR * whole + 1.0)
    return np.asarray(cv2.GaussianBlur(made, (0, 0), 0.8), np.float32)


@cache
def _window() -> Floats:
    """Return the weight of each place of a patch: the inside of the face, fading out to its edges."""
    mask = np.zeros((4 * PATCH_PIXELS, 4 * PATCH_PIXELS), np.uint8)
    cv2.fillConvexPoly(
        mask, np.round((grow(SQUARE, 0.84) * 4 * PATCH_PIXELS - 0.5) * 16).astype(np.int32), 255, shift=4
    )
    soft = cv2.GaussianBlur(mask, (0, 0), 0.1 * PATCH_PIXELS).astype(np.float32) / np.float32(255)
    return np.asarray(cv2.resize(soft, (PATCH_PIXELS, PATCH_PIXELS), interpolation=cv2.INTER_AREA), np.float32)

"""Things that never move: what is alike and lies where it lay, throw after throw, is the table and no die.

A die that is thrown comes to rest elsewhere, or turned: also where a bowl leads it to the same place again and again.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import Points
from companion.vision.dice.groups.crops import Crop, straightening

Floats = npt.NDArray[np.float32]

NEAR_RADII: Final = 0.3
"""Two faces are at one place if their middles are nearer than this, in radii of the face."""

COMPARED_PIXELS: Final = 40
TREMBLE_PIXELS: Final = 3
"""What lies at one place is compared at this size, and may be so many of its pixels apart."""

SAME_CORRELATION: Final = 0.65
"""The least correlation of the lines in two pictures of a thing that did not move: light and shade are alike."""

OFTEN_SHARE: Final = 0.5
"""A row shows the table if of so large a share of its throws another one shows the same thing, unmoved: there may be
several such things, or several places of a camera."""


def still_rows(crops: Sequence[Crop], rows: Sequence[Sequence[int]]) -> list[bool]:
    """Return which rows of throws show a thing that never moves."""
    return [_still([crops[one] for one in row]) for row in rows]


def _still(row: Sequence[Crop]) -> bool:
    again: set[int] = set()
    for place, other in combinations(range(len(row)), 2):
        if not again.issuperset((place, other)) and unmoved(row[place], row[other]):
            again |= {place, other}
    return len(again) >= OFTEN_SHARE * len(row)


def unmoved(one: Crop, other: Crop) -> bool:
    """Tell whether two throws show one thing at one place, not turned; False where it is not known where they lay."""
    if not len(one.outline) or not len(other.outline):
        return False
    middle = one.outline.mean(axis=0)
    radius = float(np.linalg.norm(one.outline - middle, axis=1).mean())
    if float(np.linalg.norm(other.outline.mean(axis=0) - middle)) > NEAR_RADII * radius:
        return False
    inner = _as_seen(one, middle, radius)[TREMBLE_PIXELS:-TREMBLE_PIXELS, TREMBLE_PIXELS:-TREMBLE_PIXELS]
    return (
        float(cv2.matchTemplate(_as_seen(other, middle, radius), inner, cv2.TM_CCORR_NORMED).max()) > SAME_CORRELATION
    )


def _as_seen(crop: Crop, middle: Points, radius: float) -> Floats:
    """Return the steps of brightness in a part of the whole picture, as far as a crop shows it, not turned."""
    zoom = 2 * radius / COMPARED_PIXELS
    there = np.array([[zoom, 0, middle[0] - radius], [0, zoom, middle[1] - radius], [0, 0, 1]])
    back = np.linalg.inv(straightening(crop.outline) @ there)
    seen = cv2.warpPerspective(crop.picture, back, (COMPARED_PIXELS, COMPARED_PIXELS), borderMode=cv2.BORDER_REPLICATE)
    grey = cv2.cvtColor(cv2.GaussianBlur(seen, (0, 0), 1.0), cv2.COLOR_BGR2GRAY)
    return np.dstack([cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)])

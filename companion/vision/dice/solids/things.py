"""Things that lie on an even ground: their outlines, from what differs from the ground, whatever they are."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import Points
from companion.vision.readings import Image

SIDE: Final = 200
"""The longer side of the small picture that is searched, in pixels."""

ROUNDS: Final = 5
GROUND: Final = 3.5
DIFFERS: Final = 5.0
"""Pixels nearer to the ground's colour than the first belong to it, and beyond the second to something on it, in usual
deviations."""

LIGHT: Final = 1.6
"""How much less a difference of lightness counts than one of colour: shadows differ only in light."""

GRAIN: Final = 1.0
"""The least usual deviation, in steps of Lab."""

LEAST_PART: Final = 0.002
MOST_PART: Final = 0.3
"""The part of the picture that a die covers."""

CONVEX: Final = 0.93
"""The least share of its convex hull that a die's outline fills."""

LEAST_ROUND: Final = 0.58
MOST_ROUND: Final = 0.94
"""The share of the circle around it that a die's outline fills: a square's is 0.64, an icosahedron's up to 0.87, a
coin's is 1."""


@dataclass(frozen=True, eq=False)
class Thing:
    """A convex thing on the ground. ``outline``: its convex hull, pixels; ``round``: how much of its circle it fills."""

    outline: Points
    round: float


def die_like(image: Image) -> list[Thing]:
    """Return what lies whole in a BGR picture and has the outline of a die, the largest first.

    Finds nothing where the ground is not even enough, or where things touch each other.
    """
    scale = SIDE / max(image.shape[:2])
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    cover = _apart(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.float32))
    found = []
    for outline in cv2.findContours(cover, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        hull = cv2.convexHull(outline)
        area, (left, top, wide, high) = cv2.contourArea(hull), cv2.boundingRect(hull)
        whole = left > 0 and top > 0 and left + wide < size[0] and top + high < size[1]
        if not whole or not LEAST_PART <= area / cover.size <= MOST_PART:
            continue
        full = area / (np.pi * cv2.minEnclosingCircle(hull)[1] ** 2)
        if cv2.contourArea(outline) >= CONVEX * area and LEAST_ROUND <= full <= MOST_ROUND:
            found.append((area, Thing((hull[:, 0].astype(np.float64) + 0.5) / scale - 0.5, float(full))))
    return [thing for _, thing in sorted(found, key=lambda pair: -pair[0])]


def _apart(lab: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """Return where a picture differs from its ground, whose light changes evenly over the picture: 1 there, else 0."""
    height, width = lab.shape[:2]
    down, right = np.mgrid[0:height, 0:width].astype(np.float32) / max(height, width) - 0.5
    terms = np.stack([np.ones_like(right), right, down, right * right, down * down, right * down], axis=-1)
    terms, colours = terms.reshape(-1, 6), cv2.GaussianBlur(lab, (0, 0), 1.5).reshape(-1, 3)
    ground = np.ones(len(colours), np.bool_)
    far = np.zeros(len(colours), np.float32)
    for _ in range(ROUNDS):
        own, theirs = terms[ground], colours[ground]
        shade = np.linalg.solve(own.T @ own + 1e-3 * np.eye(6, dtype=np.float32), own.T @ theirs)
        off = np.abs(colours - terms @ shade)
        usual = 1.48 * np.median(off[ground][::4], axis=0) + GRAIN
        far = np.linalg.norm(off / usual / np.array([LIGHT, 1.0, 1.0], np.float32), axis=1)
        ground = far < GROUND
        if ground.sum() < len(ground) // 4:
            break
    cover = (far > DIFFERS).reshape(height, width).astype(np.uint8)
    cover = np.asarray(cv2.morphologyEx(cover, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    return np.asarray(cv2.morphologyEx(cover, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)

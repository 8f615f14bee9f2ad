"""Whether two pictures show the same ground in a place, whatever light or shadow falls on it: by its lines."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.readings import Image

Outline = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Lines = npt.NDArray[np.float32]

ALIKE_LINES: Final = 0.6
"""The ground is still to be seen at an outline if so much of its lines is, whatever light or shadow falls on it: dice
are opaque."""

FAINT_STEP: Final = 3.0
"""A step of brightness that says nothing of a line, of 255."""

TREMBLE_PIXELS: Final = 3
"""Pixels by which a still camera may tremble between two throws."""

PATCH_PIXELS: Final = 64
"""Larger patches are reduced to so many pixels before they are compared."""

EVEN_LIGHT: Final = 0.1
"""Light alone differs where all of a thing is by one factor darker or brighter than the ground: the most that the
logarithms of its factors spread."""

MOST_DRIFT: Final = 0.1
"""Light that changed by more than this between two throws, as a logarithm, is a shadow, and not the ground's own."""

SEEN_WIDTH: Final = 5
DARK_LIGHT: Final = 8.0
"""Light is compared in squares of so many small pixels, and a little of it is added: dark ones are mostly noise."""


def alike(image: Image, ground: Image, outline: Outline, where: Image | None = None) -> bool:
    """Tell whether the lines of the ground within an outline are still to be seen there, or all that is seen was there.

    The ground may show a shadow that is gone by now, so either is enough: a die hides lines and brings its own.
    ``where``: a part of the picture, 1 or 0, in which that is enough, too.
    """
    left, top = np.maximum(np.floor(outline.min(axis=0)), 0).astype(int)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + 1
    patch = image[top:bottom, left:right]
    if min(patch.shape[:2]) < TREMBLE_PIXELS:
        return False
    patch, within = grey(patch), np.zeros(patch.shape[:2], np.uint8)
    cv2.fillPoly(within, [np.round(outline - [left, top]).astype(np.int32)], 1)
    parts = [within] if where is None else [within & where[top:bottom, left:right], within]
    up, aside = max(0, top - TREMBLE_PIXELS), max(0, left - TREMBLE_PIXELS)
    there = grey(ground[up : bottom + TREMBLE_PIXELS, aside : right + TREMBLE_PIXELS])
    scale = min(1.0, PATCH_PIXELS / max(patch.shape))
    if scale < 1:
        patch, there, *parts = (
            np.asarray(cv2.resize(one, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
            for one in (patch, there, *parts)
        )
    lines, seen = steps(there), steps(patch)
    return any(_alike_inside(lines, seen, inside) for inside in parts)


def _alike_inside(lines: Lines, seen: Lines, inside: Image) -> bool:
    """Tell the same of lines of the ground and those seen now, wherever the camera trembled to in the larger ground."""
    seen = seen * inside[..., None]
    least = FAINT_STEP * float(inside.sum())
    strength = cv2.matchTemplate(_strength(lines), inside.astype(np.float32), cv2.TM_CCORR)
    left = cv2.matchTemplate(lines, _directions(seen), cv2.TM_CCORR)
    if bool((left[strength > least] > ALIKE_LINES * strength[strength > least]).any()):
        return True
    now = float(_strength(seen).sum())
    return now > least and float(cv2.matchTemplate(_directions(lines), seen, cv2.TM_CCORR).max()) > ALIKE_LINES * now


def _strength(lines: Lines) -> Lines:
    """Return how strong the step of brightness is in each pixel, (height, width)."""
    return np.asarray(cv2.magnitude(lines[..., 0], lines[..., 1]), np.float32)


def _directions(lines: Lines) -> Lines:
    """Return the steps with a length of nearly 1 where they are plain, and shorter ones where they are faint."""
    return lines / (_strength(lines)[..., None] + np.float32(FAINT_STEP))


def grey(image: Image) -> Image:
    """Return the brightness of a BGR picture, (height, width)."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def steps(bright: Image) -> Lines:
    """Return the steps of brightness to the right and down, (height, width, 2)."""
    return np.dstack([cv2.Sobel(bright, cv2.CV_32F, *way, scale=0.25) for way in ((1, 0), (0, 1))])


def plainer(lines: Sequence[Lines], part: Mask) -> float:
    """Return how much plainer a part's outline is in the ground's lines than in those now: what lay there is gone."""
    rim = cv2.morphologyEx(part.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    return float(lines[0][rim].mean()) / max(float(lines[1][rim].mean()), 0.25)


def lit(ground: Image, now: Image, part: Mask) -> bool:
    """Tell whether only light differs in a part."""
    factors = np.log(now[part].astype(np.float32) + 1) - np.log(ground[part].astype(np.float32) + 1)
    return float(factors.std()) < EVEN_LIGHT


def evenly_lit(before: Image, now: Image) -> Mask:
    """Return where the brightness changed as in most of the picture, and not by a shadow."""
    square = (SEEN_WIDTH, SEEN_WIDTH)
    old, new = (cv2.blur(one.astype(np.float32), square) for one in (before, now))
    factor = np.log(new + DARK_LIGHT) - np.log(old + DARK_LIGHT)
    return np.asarray(abs(factor - np.median(factor)) < MOST_DRIFT)

"""Pips counted a second way, without a net: round spots of one size and another colour, laid out as makers do."""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import Marks
from companion.vision.dice.geometry import Points, cut
from companion.vision.readings import Image

FLAT_FACE_PIXELS: Final = 96
"""Edge of the flat face in which spots are looked for, in pixels."""

PLACE: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
"""The face fills that."""

RIM: Final = 0.05
"""So much of the face is left out along its edges, in edges: what lies there may be shade."""

DIAMETER: Final = (0.07, 0.34)
"""Spots are so wide, in edges."""

ROUND: Final = 0.72
"""A spot fills at least so much of the circle around it."""

MOST_SPOT_ELONGATION: Final = 1.7
"""A spot is at most so many times as long as it is wide: seen aslant, a face that was laid flat has round spots."""

MOST_AREA_RATIO: Final = 1.9
"""The largest spot of a face has at most so many times the area of the smallest."""

AS_LARGE: Final = 0.2
LIKELY_AS_LARGE: Final = 0.35
"""Something cut off by the edge may be a spot if its area is that of a spot but for this factor."""

STANDS_OUT: Final = 28.0
"""Spots differ from the face by so many steps of 255 or more."""

SPOT_OFF_EDGES: Final = 0.075
"""A spot may lie so far from where it should, in edges."""

AGREES: Final = 0.8
ERRS: Final = 0.01
"""How often a face's pips are counted rightly in this way, and how often as some other number: of 567 faces drawn for
validation 455 were counted rightly and one wrongly, which proves (95 %) 1 % at most. Of 51 things that are no upper
face none was counted."""

_PAIR: Final = ((0.0, 0.0), (1.0, 1.0))
_MIDDLE: Final = ((0.5, 0.5),)
_FOUR: Final = (*_PAIR, (1.0, 0.0), (0.0, 1.0))
LAYOUTS: Final = {
    1: _MIDDLE,
    2: _PAIR,
    3: (*_PAIR, *_MIDDLE),
    4: _FOUR,
    5: (*_FOUR, *_MIDDLE),
    6: (*_FOUR, (0.0, 0.5), (1.0, 0.5)),
}
"""Where the pips of a face lie, in parts of the rectangle through the outer ones."""

BESIDE: Final = (0.17, 0.46)
"""Some makers put the two pips of a 2 on the face's middle line, so far from each other, in edges."""

OUTER_PIP_EDGES: Final = 0.14
INNER_PIP_EDGES: Final = 0.44
"""The outer pips lie so far from the edge, in edges."""


def count_spots(image: Image, corners: Points) -> int | None:
    """Return how many pips a square face of a BGR picture shows, or None where that is not plain.

    ``corners``: of the face, clockwise, in pixels of the picture.
    """
    flat = cv2.GaussianBlur(cut(image, corners, PLACE, FLAT_FACE_PIXELS), (3, 3), 0).astype(np.float32)
    rim = round(RIM * FLAT_FACE_PIXELS)
    inner = flat[rim:-rim, rim:-rim]
    apart = np.linalg.norm(inner - np.median(inner, axis=(0, 1)), axis=2)
    shown = np.clip(apart, 0, 255).astype(np.uint8)
    level, spots = cv2.threshold(shown, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    outlines, _ = cv2.findContours(spots, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    large = [
        np.asarray(one, np.int32)
        for one in outlines
        if cv2.contourArea(one) > (0.4 * DIAMETER[0] * FLAT_FACE_PIXELS) ** 2
    ]
    cut_off = [one.min() == 0 or one.max() == len(spots) - 1 for one in large]
    found = [_spot(one) for one, outside in zip(large, cut_off, strict=True) if not outside]
    whole = [spot for spot in found if spot is not None]
    if not 1 <= len(whole) <= len(LAYOUTS) or len(whole) < len(found):
        return None
    sizes = [size for _, size in whole]
    if (
        max(sizes) > MOST_AREA_RATIO * min(sizes)
        or level < STANDS_OUT / 2
        or float(apart[spots > 0].mean()) < STANDS_OUT
    ):
        return None
    places = (np.array([middle for middle, _ in whole]) + rim + 0.5) / FLAT_FACE_PIXELS
    if not _laid_out(places):
        return None
    # what runs in from the edge is shade, unless it is like a spot: then pips are missing here, or a lone spot is the
    # middle one of three
    rest = [one for one, outside in zip(large, cut_off, strict=True) if outside]
    if any(_like_a_spot(one, sizes, AS_LARGE if len(whole) == 1 else LIKELY_AS_LARGE) for one in rest):
        return None
    return len(whole)


def seconded(marks: Marks, spots: int, pips: npt.NDArray[np.int64]) -> Marks:
    """Return the posterior of one face, (1, texts), given that so many spots were counted on it too.

    ``pips``: how many pips each text has. The two ways of counting err for different reasons.
    """
    weight = np.where(pips == spots, AGREES, ERRS)
    texts = marks.texts * weight
    unreadable = marks.unreadable * ERRS
    total = float(texts.sum() + unreadable.sum())
    return Marks(texts / total, unreadable / total)


def _spot(outline: npt.NDArray[np.int32]) -> tuple[tuple[float, float], float] | None:
    """Return the middle and the area of a round spot, in pixels of the flat face; None for anything else."""
    middle, radius = cv2.minEnclosingCircle(outline)
    across, down = sorted(cv2.minAreaRect(outline)[1])
    filled = cv2.contourArea(outline) + cv2.arcLength(outline, closed=True) / 2  # outlines run through cells' middles
    wide = 2 * np.sqrt(filled / np.pi) / FLAT_FACE_PIXELS
    if not DIAMETER[0] < wide < DIAMETER[1] or down + 1 > MOST_SPOT_ELONGATION * (across + 1):
        return None
    if filled < ROUND * np.pi * (radius + 0.5) ** 2:
        return None
    return (float(middle[0]), float(middle[1])), float(filled)


def _like_a_spot(outline: npt.NDArray[np.int32], sizes: list[float], factor: float) -> bool:
    return factor * min(sizes) < cv2.contourArea(outline) < max(sizes) / factor


def _laid_out(places: Points) -> bool:
    """Tell whether spots, (n, 2) in parts of the face, lie as the pips of a face do, in any of its turns."""
    layout = np.array(LAYOUTS[len(places)])
    if len(places) == 1:
        return bool(np.linalg.norm(places[0] - 0.5) < 2 * SPOT_OFF_EDGES)
    if len(places) == 2 and _beside(places):  # noqa: PLR2004 (a 2 has two pips)
        return True
    low, high = places.min(axis=0), places.max(axis=0)
    if (
        (np.minimum(low, 1 - high) < OUTER_PIP_EDGES - SPOT_OFF_EDGES).any()
        or (low > INNER_PIP_EDGES).any()
        or (high < 1 - INNER_PIP_EDGES).any()
    ):
        return False
    if np.abs((low + high) / 2 - 0.5).max() > SPOT_OFF_EDGES * 1.5:
        return False
    for turned in (layout, layout[:, ::-1], np.column_stack([1 - layout[:, 0], layout[:, 1]])):
        wanted = low + turned * (high - low)
        off = np.linalg.norm(places[:, None] - wanted[None], axis=2)
        if len(set(off.argmin(axis=1).tolist())) == len(places) and off.min(axis=1).max() < SPOT_OFF_EDGES:
            return True
    return False


def _beside(places: Points) -> bool:
    """Tell whether two spots lie side by side on a middle line of the face, as far from the middle on either side."""
    apart = np.abs(places[0] - places[1])
    level = apart.min() < SPOT_OFF_EDGES and np.abs(places.mean(axis=0) - 0.5).max() < SPOT_OFF_EDGES
    return bool(level and BESIDE[0] < apart.max() < BESIDE[1])

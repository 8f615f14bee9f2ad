"""Things that lie on an even ground: their outlines, from what differs from the ground, whatever they are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import Points, area, fit_polygon, grow, inside
from companion.vision.dice.locate import UpperFace
from companion.vision.readings import Image, ReadDie

SEARCHED_SIDE: Final = 200
"""The longer side of the small picture that is searched, in pixels."""

LARGE_SCALE: Final = 0.25
"""A picture is large if less than this is left of its sides when it is searched."""

GROUND_STRIDE: Final = 3
"""The ground's light is found from every third pixel across and down."""

GROUND_ROUNDS: Final = 5
GROUND_DEVIATIONS: Final = 3.5
DIFFERENT_DEVIATIONS: Final = 5.0
"""Pixels nearer to the ground's colour than the first belong to it, and beyond the second to something on it, in usual
deviations."""

LIGHTNESS_DIVISOR: Final = 1.6
"""How much less a difference of lightness counts than one of colour: shadows differ only in light."""

LEAST_DEVIATION: Final = 1.0
"""The least usual deviation, in steps of Lab."""

LEAST_PART: Final = 0.002
MOST_PART: Final = 0.3
"""The part of the picture that a die covers."""

LEAST_CONVEXITY: Final = 0.93
"""The least share of its convex hull that a die's outline fills."""

LEAST_ROUND: Final = 0.58
MOST_ROUND: Final = 0.94
"""The share of the circle around it that a die's outline fills: a square's is 0.64, an icosahedron's up to 0.87, a
coin's is 1."""

FACE_PART: Final = 0.4
"""A found face may be the upper one if it is larger than this share of what such a face covers."""

GUESSED_CHANCE: Final = 0.5
"""The chance that a thing with the outline of a die is given where no net found a die."""


@dataclass(frozen=True, eq=False)
class Thing:
    """A convex thing on the ground.

    ``outline``: its convex hull, in pixels. ``alone``: nothing else lies whole in the picture.
    """

    outline: Points
    alone: bool


def die_like(image: Image) -> list[Thing]:
    """Return what lies whole in a BGR picture and has the outline of a die, the largest first.

    Finds nothing where the ground is not even enough, or where things touch each other.
    """
    scale = SEARCHED_SIDE / max(image.shape[:2])
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    # every second pixel of a large picture is enough, and four times as fast
    some = np.ascontiguousarray(image[::2, ::2]) if scale < LARGE_SCALE else image
    small = cv2.resize(some, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    cover = _cover(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.float32))
    found, others = [], False
    for outline in cv2.findContours(cover, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        hull = cv2.convexHull(outline)
        covers, (left, top, wide, high) = cv2.contourArea(hull), cv2.boundingRect(hull)
        whole = left > 0 and top > 0 and left + wide < size[0] and top + high < size[1]
        if not whole or covers < LEAST_PART * cover.size:  # at the rim the light falls off
            continue
        full = covers / (np.pi * cv2.minEnclosingCircle(hull)[1] ** 2)
        convex = cv2.contourArea(outline) >= LEAST_CONVEXITY * covers and LEAST_ROUND <= full <= MOST_ROUND
        if convex and covers <= MOST_PART * cover.size:
            found.append((covers, (hull[:, 0].astype(np.float64) + 0.5) / scale - 0.5))
        else:
            others = True
    return [Thing(outline, not others) for _, outline in sorted(found, key=lambda pair: -pair[0])]


def shows(thing: Thing, die: ReadDie, part: float) -> bool:
    """Return whether a die of a reading may be this thing: it is read, or its face is not only a mark on the thing.

    ``part``: how much of a die's outline its upper face covers.
    """
    corners = np.array(die.polygon)
    if die.status == "ignored" or not inside(corners.mean(axis=0), thing.outline):
        return False
    return die.status == "read" or large(thing, corners, part)


def large(thing: Thing, corners: Points, part: float) -> bool:
    """Return whether an outline inside a thing is large enough for its upper face, and no mark on it."""
    return inside(corners.mean(axis=0), thing.outline) and abs(area(corners)) > FACE_PART * part * _covers(thing)


def begun(thing: Thing, faces: Sequence[UpperFace], corners: int, part: float) -> UpperFace:
    """Return where the upper face of a thing may be: the likeliest found face that is large enough, else a guess.

    ``corners``: how many its upper face has. ``part``: how much of the outline such a face covers, without tilt.
    """
    likely = [face for face in faces if len(face.corners) == corners and large(thing, face.corners, part)]
    if likely:
        best = max(likely, key=lambda face: face.score)
        return replace(best, score=max(best.score, GUESSED_CHANCE))
    low = thing.outline.min(axis=0) - 1
    size = np.ceil(np.ptp(thing.outline, axis=0)).astype(int) + 3
    region = np.zeros((int(size[1]), int(size[0])), np.uint8)
    cv2.fillConvexPoly(region, np.round(thing.outline - low).astype(np.int32), 1)
    guess = fit_polygon(region, corners)
    outline = thing.outline[:corners] if guess is None else guess + low
    return UpperFace(grow(outline, float(np.sqrt(part))), GUESSED_CHANCE, 1.0)


def _covers(thing: Thing) -> float:
    return float(cv2.contourArea(thing.outline.astype(np.float32)))


def _cover(lab: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """Return where a picture differs from its ground, whose light changes evenly over the picture: 1 there, else 0."""
    height, width = lab.shape[:2]
    down, right = np.mgrid[0:height, 0:width].astype(np.float32) / max(height, width) - 0.5
    terms = np.stack([np.ones_like(right), right, down, right * right, down * down, right * down], axis=-1)
    colours = cv2.GaussianBlur(lab, (0, 0), 1.5)
    # a part of the pixels tells the ground's light as well as all
    some, theirs = (
        terms[::GROUND_STRIDE, ::GROUND_STRIDE].reshape(-1, 6),
        colours[::GROUND_STRIDE, ::GROUND_STRIDE].reshape(-1, 3),
    )
    ground = np.ones(len(some), np.bool_)
    for _ in range(GROUND_ROUNDS):
        own = some[ground]
        shade = np.linalg.solve(own.T @ own + 1e-3 * np.eye(6, dtype=np.float32), own.T @ theirs[ground])
        off = np.abs(theirs - some @ shade)
        usual = (1.48 * np.median(off[ground], axis=0) + LEAST_DEVIATION) * np.array(
            [LIGHTNESS_DIVISOR, 1.0, 1.0], np.float32
        )
        ground = ((off / usual) ** 2).sum(axis=1) < GROUND_DEVIATIONS**2
        if ground.sum() < len(ground) // 4:
            break
    far = (((colours.reshape(-1, 3) - terms.reshape(-1, 6) @ shade) / usual) ** 2).sum(axis=1)
    cover = (far > DIFFERENT_DEVIATIONS**2).reshape(height, width).astype(np.uint8)
    cover = np.asarray(cv2.morphologyEx(cover, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    return np.asarray(cv2.morphologyEx(cover, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)

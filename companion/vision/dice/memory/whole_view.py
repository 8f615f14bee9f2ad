"""The whole of a die as the camera sees it, the same in every rotation: its marks by direction and distance.

Where no face can be cut out, on dice whose ornaments hide the edges, the outline of the die can be. Two throws with one
face up look alike as a whole. That tells what to propose in a question; it never reads a die.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import DESCRIPTOR_LENGTH, Vectors, lengthened
from companion.vision.dice.geometry import PATCH_PIXELS, Points
from companion.vision.dice.memory.exemplars import Likeness, View
from companion.vision.readings import Image, ReadDie

COMPARED_ROTATIONS: Final = 64
"""How many rotations are compared."""

RIM_RADIUS: Final = 1.05
"""The radius of what is cut out, in those of the smallest circle around the outline."""

FINE_RADII: Final = 0.03
SHADE_RADII: Final = 0.2
WIDE_RADII: Final = 0.3
"""What is smaller than the first or larger than the second of these, in radii, is noise or light, not a mark; marks
count by what is usual within the third."""

LEAST_LIKENESS: Final = 0.6
"""Nothing is proposed if no known face looks this much like the die."""


def whole_view(image: Image, outline: Points) -> View:
    """Return a die with an outline (pixels) as a whole, in all its rotations."""
    (x, y), radius = cv2.minEnclosingCircle(outline.astype(np.float32))
    scale = PATCH_PIXELS / 2 / (radius * RIM_RADIUS)
    warp = np.array([[scale, 0, PATCH_PIXELS / 2 - scale * x], [0, scale, PATCH_PIXELS / 2 - scale * y]])
    soft = image if scale > 1 else cv2.GaussianBlur(image, (0, 0), 0.4 / scale)
    flat = np.asarray(
        cv2.warpAffine(soft, warp, (PATCH_PIXELS, PATCH_PIXELS), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    cover = np.zeros((PATCH_PIXELS, PATCH_PIXELS), np.uint8)
    cv2.fillConvexPoly(cover, np.round(outline @ warp[:, :2].T + warp[:, 2]).astype(np.int32), 1)
    flat[cover == 0] = flat[cover == 1].mean(axis=0)
    return View(described(flat), [flat] * COMPARED_ROTATIONS, outline)


def described(flat: Image) -> Vectors:
    """Return what is compared of a cut out die, (`COMPARED_ROTATIONS`, `faces.DESCRIPTOR_LENGTH`), each of length 1."""
    half = PATCH_PIXELS / 2
    light = cv2.cvtColor(flat, cv2.COLOR_BGR2LAB)[..., 0].astype(np.float32)
    marks = cv2.GaussianBlur(light, (0, 0), FINE_RADII * half) - cv2.GaussianBlur(light, (0, 0), SHADE_RADII * half)
    marks /= np.sqrt(cv2.GaussianBlur(marks * marks, (0, 0), WIDE_RADII * half) + 4)
    rings = DESCRIPTOR_LENGTH // COMPARED_ROTATIONS
    angles = np.arange(COMPARED_ROTATIONS) * (2 * np.pi / COMPARED_ROTATIONS)
    radii = (np.arange(rings) + 0.5)[:, None] / rings
    across, down = ((half + 0.95 * half * radii * way(angles)).astype(np.float32) for way in (np.cos, np.sin))
    around = cv2.remap(marks, across, down, cv2.INTER_LINEAR) * np.sqrt(radii)
    around -= around.mean()
    return lengthened(
        np.array([np.roll(around, turn, axis=1).reshape(-1) for turn in range(COMPARED_ROTATIONS)], np.float32)
    )


def proposed(die: ReadDie, alike: Mapping[str, Likeness], texts: Sequence[str]) -> ReadDie:
    """Return a doubtful die with the face first that its whole is most like; as it is where its whole tells nothing.

    ``alike``: how much it is like known faces, by marks; ``texts``: what it may show. Its first candidate stays the
    guess until a view of that is known, too.
    """
    (first, chance), *_ = die.candidates
    likest = max(alike, key=lambda bag: alike[bag].nets, default=None)
    own = [text for text in (*(text for text, _ in die.candidates), *texts) if bag_of(text) == likest]
    if (
        likest is None
        or not own
        or own[0] == first
        or bag_of(first) not in alike
        or alike[likest].nets < LEAST_LIKENESS
    ):
        return die
    rest = [(text, each) for text, each in die.candidates if text != own[0]]
    # no surer than what was first: nothing may take it for read
    whole = max(chance + sum(each for _, each in rest), 1.0)
    candidates = tuple((text, each / whole) for text, each in ((own[0], chance), *rest))
    return replace(die, face=own[0], confidence=candidates[0][1], candidates=candidates, short=None)

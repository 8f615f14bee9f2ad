"""How much two faces that were cut out flat look alike, whatever the light, however they are turned.

A face becomes a relief: brightness with its slow part taken out and its local contrast made even, so that a shadow
across it or a dimmer lamp changes little. Two reliefs are laid on each other in every rotation that the face's shape
allows, first coarsely, then moved, turned and stretched by the inverse compositional method (Baker and Matthews, 2004)
until they fit best; what then is left of correlation is their likeness.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import PATCH, SQUARE, TRIANGLE, grow
from companion.vision.readings import Image

Outline = Literal["square", "side"]
"""An upper face with four corners, or a tetrahedron's side as `geometry.TRIANGLE` lays it."""

Floats = npt.NDArray[np.float32]

LAYERS: Final = 2
"""A relief has two: the marks, and their edges."""

FINE_SAMPLES: Final = 24
"""Samples along an edge of a relief when two are laid on each other exactly."""

COARSE: Final = 16
"""The same for the first, rough laying on."""

LIGHT_DEVIATION_PIXELS: Final = 9.0
"""Light varies over a face more slowly than this (standard deviation in pixels of the patch), marks faster."""

CONTRAST_NEIGHBOURHOOD: Final = 11.0
"""Contrast is made even over this neighbourhood."""

FLOOR: Final = 0.6
"""Where a face is emptier than this part of its own contrast, what is there is not blown up."""

ANGLES: Final = (-0.12, 0.0, 0.12)
SHIFTS: Final = (-0.05, 0.0, 0.05)
"""Tilts (radians) and shifts (parts of the patch) that the first laying on tries."""

STEPS: Final = 3
"""So often a fit is made better."""

EACH: Final = 2
"""Of one face so many prototypes are laid on exactly."""

MOST_STRETCH: Final = 0.28
"""A fit that bends or stretches a face by more than this is no fit of two found faces."""

BRIGHTNESS: Final = (0.114, 0.587, 0.299)
"""How much of blue, green and red makes brightness (ITU-R BT.601), where nothing better was learnt."""

Warps = npt.NDArray[np.float64]
"""Affine maps (n, 2, 3) from places of the prototype's patch to places of the other, both from -0.5 to 0.5."""


@dataclass(frozen=True, eq=False)
class Prototypes:
    """Faces to compare with, made ready: coarse and fine reliefs, and how each fine one answers to a small warp.

    ``coarse`` (n, 2·COARSE²) and ``fine`` (n, 2·FINE²) have mean 0 and length 1 under the outline's window; ``answers``
    (n, 6, 2·FINE²) turns what is left of a difference into the warp that explains it. ``faces`` (n) says which of them
    show the same face.
    """

    outline: Outline
    faces: npt.NDArray[np.intp]
    coarse: Floats
    fine: Floats
    answers: Floats

    def __len__(self) -> int:
        return len(self.fine)

    def of(self, places: npt.NDArray[np.intp]) -> "Prototypes":
        """Return only those at some places."""
        return Prototypes(
            self.outline, self.faces[places], self.coarse[places], self.fine[places], self.answers[places]
        )


def relief(patch: Image, outline: Outline, axis: tuple[float, float, float] = BRIGHTNESS) -> Floats:
    """Return a BGR patch (PATCH x PATCH x 3) as a relief, PATCH x PATCH x 2: marks, and their edges whatever the light.

    ``axis`` says how much each channel counts.
    """
    grey = patch.astype(np.float32) @ np.array(axis, np.float32)
    if outline == "side":
        grey = _without_surroundings(grey)
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    # light from the other side turns the shadow of a groove into its shine, but its edges stay where they are
    edges = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return np.dstack([_levelled(grey, outline), _levelled(0.3 * edges, outline)])


def _levelled(grey: npt.NDArray[Any], outline: Outline) -> Floats:
    fast = grey - cv2.GaussianBlur(grey, (0, 0), LIGHT_DEVIATION_PIXELS, borderType=cv2.BORDER_REFLECT)
    local = cv2.GaussianBlur(fast * fast, (0, 0), CONTRAST_NEIGHBOURHOOD, borderType=cv2.BORDER_REFLECT)
    cover = window(outline, PATCH)
    whole = float((fast * fast * cover).sum() / cover.sum())
    made = fast / np.sqrt(local + FLOOR * whole + 1.0)
    return np.asarray(cv2.GaussianBlur(made, (0, 0), 0.8), np.float32)


def prepare(reliefs: Sequence[Floats], faces: Sequence[int], outline: Outline) -> Prototypes:
    """Return reliefs as prototypes, with the number of the face that each shows."""
    still = np.tile(np.eye(2, 3), (1, 1, 1))
    coarse = [_sampled(_smooth(one), still, outline, COARSE)[0] for one in reliefs]
    fine = [_sampled(one, still, outline, FINE_SAMPLES)[0] for one in reliefs]
    answers = [_answers(one, outline) for one in reliefs]
    return Prototypes(
        outline,
        np.array(faces, np.intp).reshape(len(reliefs)),
        np.array(coarse, np.float32).reshape(len(reliefs), LAYERS * COARSE**2),
        np.array(fine, np.float32).reshape(len(reliefs), LAYERS * FINE_SAMPLES**2),
        np.array(answers, np.float32).reshape(len(reliefs), 6, LAYERS * FINE_SAMPLES**2),
    )


def likeness(one: Floats, prototypes: Prototypes, most: int | None = None) -> npt.NDArray[np.float64]:
    """Return the correlation (-1 to 1) of a relief with each prototype, each laid on as it fits best.

    With ``most`` only so many prototypes, the likeliest at first sight and at most `EACH` of a face, are laid on
    exactly; the others get -1.
    """
    found = np.full(len(prototypes), -1.0)
    if not len(prototypes):
        return found
    turns = _first_warps(prototypes.outline)
    rough = prototypes.coarse @ _sampled(_smooth(one), turns, prototypes.outline, COARSE).T
    chosen = np.arange(len(prototypes))
    if most is not None:
        chosen = _likeliest(rough.max(axis=1), prototypes.faces, most)
    found[chosen] = _laid_on(one, prototypes, chosen, turns[rough[chosen].argmax(axis=1)])
    return found


def _likeliest(rough: Floats, faces: npt.NDArray[np.intp], most: int) -> npt.NDArray[np.intp]:
    """Return the places of the best prototypes, at most `EACH` of a face and ``most`` in all."""
    taken: dict[int, int] = {}
    chosen = []
    for place in np.argsort(-rough):
        face = int(faces[place])
        if taken.get(face, 0) < EACH:
            taken[face] = taken.get(face, 0) + 1
            chosen.append(int(place))
        if len(chosen) == most:
            break
    return np.array(chosen, np.intp)


@cache
def window(outline: Outline, size: int) -> Floats:
    """Return how much each place of a patch counts, size x size: the inside of the face, fading out to its edges."""
    shape = SQUARE if outline == "square" else TRIANGLE
    mask = np.zeros((4 * size, 4 * size), np.uint8)
    inner = grow(shape, 0.84 if outline == "square" else 0.74)
    cv2.fillConvexPoly(mask, np.round((inner * 4 * size - 0.5) * 16).astype(np.int32), 255, shift=4)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.1 * size).astype(np.float32) / np.float32(255)
    return np.asarray(cv2.resize(soft, (size, size), interpolation=cv2.INTER_AREA), np.float32)


def _without_surroundings(grey: Floats) -> Floats:
    """Return a side's brightness with its own mean where other sides or the table show."""
    inside = window("side", PATCH) > 0.05  # noqa: PLR2004 (where the window has all but faded out)
    return np.where(inside, grey, grey[inside].mean()).astype(np.float32)


def _smooth(one: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(one, (0, 0), 1.6), np.float32)


@cache
def _grid(size: int) -> Warps:
    """Return the places of a patch's samples, (3, size²): x, y from -0.5 to 0.5, and 1."""
    line = (np.arange(size) + 0.5) / size - 0.5
    x, y = np.meshgrid(line, line)
    return np.stack([x.ravel(), y.ravel(), np.ones(size * size)])


@cache
def _weights(outline: Outline, size: int) -> Floats:
    """Return the window's square root, flat: both sides of a product bear half of it."""
    return np.asarray(np.sqrt(window(outline, size)).ravel(), np.float32)


def _sampled(one: Floats, warps: Warps, outline: Outline, size: int) -> Floats:
    """Return a relief as each warp sees it, (n, 2·size²), mean 0 and length 1 under the window."""
    places = (warps @ _grid(size) + 0.5) * PATCH - 0.5
    maps = places.astype(np.float32).reshape(len(warps), 2, -1)
    seen = cv2.remap(one, maps[:, 0], maps[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _even(np.asarray(seen, np.float32).reshape(len(warps), -1, LAYERS), outline, size)


def _even(seen: Floats, outline: Outline, size: int) -> Floats:
    """Take out the mean of each layer under the window and bring each to the same length, all to 1 together."""
    weights = _weights(outline, size)
    share = weights * weights / float((weights * weights).sum())
    layers = seen.transpose(0, 2, 1)
    centred = (layers - (layers @ share)[:, :, None]) * weights
    length = np.sqrt(np.einsum("nls,nls->nl", centred, centred))[:, :, None] * np.sqrt(np.float32(LAYERS))
    return np.asarray(centred / np.maximum(length, 1e-6), np.float32).reshape(len(seen), -1)


@cache
def _first_warps(outline: Outline) -> Warps:
    """Return the warps of the first laying on: all rotations of the shape, a little tilted and shifted each."""
    centre = np.zeros(2) if outline == "square" else TRIANGLE.mean(axis=0) - 0.5
    count = 4 if outline == "square" else 3
    warps = []
    for turn in range(count):
        for tilt in ANGLES:
            angle = 2 * np.pi * turn / count + tilt
            turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            for down in SHIFTS:
                for right in SHIFTS:
                    shift = centre - turned @ centre + [right, down]
                    warps.append(np.column_stack([turned, shift]))
    return np.array(warps)


def _answers(one: Floats, outline: Outline) -> Floats:
    """Return the pseudo-inverse of how a prototype's samples change with each of the six numbers of a warp."""
    small = 0.02
    bent = []
    for row in range(2):
        for column in range(3):
            both = []
            for sign in (-1, 1):
                warp = np.eye(2, 3)
                warp[row, column] += sign * small
                both.append(warp)
            low, high = _sampled(one, np.array(both), outline, FINE_SAMPLES)
            bent.append((high - low) / (2 * small))
    change = np.array(bent, np.float64).T
    # a slight pull towards no change: a bare face gives no hold
    return np.asarray(np.linalg.solve(change.T @ change + 0.5 * np.eye(6), change.T), np.float32)


def _laid_on(one: Floats, prototypes: Prototypes, chosen: npt.NDArray[np.intp], warps: Warps) -> Warps:
    """Return the correlation with each chosen prototype after its warp was made to fit, from a first warp each."""
    fine, answers = prototypes.fine[chosen], prototypes.answers[chosen]
    first = _whole(warps)
    now = first
    best = np.full(len(chosen), -1.0)
    for step in range(STEPS + 1):
        seen = _sampled(one, now[:, :2], prototypes.outline, FINE_SAMPLES)
        best = np.maximum(best, (seen * fine).sum(axis=1))
        if step == STEPS:
            break
        delta = (answers @ (seen - fine)[:, :, None]).astype(np.float64).reshape(-1, 2, 3)
        # the prototype would have to be warped by delta to look like what is seen: undo that in front of the warp
        bent = _whole(np.clip(delta, -0.15, 0.15) + np.eye(2, 3))
        moved = now @ np.linalg.inv(bent)
        lost = np.abs(moved - first).max(axis=(1, 2)) > MOST_STRETCH
        now = np.where(lost[:, None, None], first, moved)
    return best


def _whole(warps: Warps) -> Warps:
    """Return affine maps with their last row, (n, 3, 3), so that they can be chained."""
    whole = np.zeros((len(warps), 3, 3))
    whole[:, :2] = warps
    whole[:, 2, 2] = 1
    return whole

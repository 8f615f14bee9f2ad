"""Measure how similar two flat pictures of faces are, in any light and any rotation.

A face becomes a relief: brightness without its slow part and with even local contrast. So a shadow across the face or
a dimmer lamp changes little. Two reliefs are aligned in every rotation that the face's shape allows, first coarsely.
Then the inverse compositional method (Baker and Matthews, 2004) shifts, rotates and stretches one of them until they
fit best. Their correlation in this alignment is their likeness.
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
"""An upper face with four corners, or a tetrahedron's side, placed as in `geometry.TRIANGLE`."""

OUTLINES: Final[tuple[Outline, ...]] = ("square", "side")

Floats = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float64]

LAYERS: Final = 2
"""A relief has two: the marks, and their edges."""

FINE_SAMPLES: Final = 24
"""Samples along an edge of a relief in the exact alignment."""

COARSE: Final = 16
"""Samples along an edge of a relief in the first, coarse alignment."""

LIGHT_DEVIATION_PIXELS: Final = 9.0
"""Light varies more slowly over a face than this (standard deviation in pixels of the patch), marks vary faster."""

CONTRAST_NEIGHBOURHOOD: Final = 11.0
"""Contrast becomes even over this neighbourhood (standard deviation in pixels of the patch)."""

FLOOR: Final = 0.6
"""Local contrast below this part of the face's own contrast is not amplified: the face is nearly empty there."""

ANGLES: Final = (-0.12, 0.0, 0.12)
SHIFTS: Final = (-0.05, 0.0, 0.05)
"""Rotations (radians) and shifts (parts of the patch) that the first alignment tries."""

STEPS: Final = 3
"""Number of steps that improve an alignment."""

EACH: Final = 2
"""Number of prototypes of one face that get an exact alignment."""

MOST_STRETCH: Final = 0.28
"""An alignment that bends or stretches a face by more than this is wrong for two faces that the reader found."""

BRIGHTNESS: Final = (0.114, 0.587, 0.299)
"""Weights of blue, green and red in brightness (ITU-R BT.601), where the program has not learnt better ones."""

Warps = npt.NDArray[np.float64]
"""Affine maps (n, 2, 3) from places of the prototype's patch to places of the other, both from -0.5 to 0.5."""


@dataclass(frozen=True, eq=False)
class Prototypes:
    """Prepared faces to compare with: coarse and fine reliefs, and how each fine one responds to a small warp.

    ``coarse`` (n, 2·COARSE²) and ``fine`` (n, 2·FINE²) have mean 0 and length 1 under the outline's window. ``answers``
    (n, 6, 2·FINE²) maps a remaining difference to the warp that explains it. ``faces`` (n) has the same number for
    prototypes of the same face.
    """

    outline: Outline
    faces: npt.NDArray[np.intp]
    coarse: Floats
    fine: Floats
    answers: Floats

    def __len__(self) -> int:
        return len(self.fine)

    def of(self, places: npt.NDArray[np.intp]) -> "Prototypes":
        """Return only the prototypes with these indices."""
        return Prototypes(
            self.outline, self.faces[places], self.coarse[places], self.fine[places], self.answers[places]
        )


def relief(patch: Image, outline: Outline, axis: tuple[float, float, float] = BRIGHTNESS) -> Floats:
    """Turn a BGR patch (PATCH x PATCH x 3) into a relief, PATCH x PATCH x 2: marks, and their edges in any light.

    ``axis`` holds the weight of each channel.
    """
    grey = patch.astype(np.float32) @ np.array(axis, np.float32)
    if outline == "side":
        grey = _without_surroundings(grey)
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    # light from the other side makes a groove's dark side bright, but its edges stay where they are
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
    """Prepare reliefs as prototypes; ``faces`` holds the number of the face that each shows."""
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


def fisher(scores: Scores) -> Scores:
    """Return correlations transformed so that their spread is about the same everywhere (R. A. Fisher, 1915)."""
    return np.asarray(np.arctanh(np.clip(scores, -0.95, 0.995)))


def likeness(one: Floats, prototypes: Prototypes, most: int | None = None) -> npt.NDArray[np.float64]:
    """Return the correlation (-1 to 1) of a relief with each prototype in its best alignment.

    With ``most``, only this many prototypes get an exact alignment, at most `EACH` of a face: the likeliest after the
    coarse alignment. The others get -1.
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
    """Return the indices of the best prototypes, at most `EACH` of a face and ``most`` in all."""
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
    """Return the weight of each place of a patch, size x size: the inside of the face, fading out to its edges."""
    shape = SQUARE if outline == "square" else TRIANGLE
    mask = np.zeros((4 * size, 4 * size), np.uint8)
    inner = grow(shape, 0.84 if outline == "square" else 0.74)
    cv2.fillConvexPoly(mask, np.round((inner * 4 * size - 0.5) * 16).astype(np.int32), 255, shift=4)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.1 * size).astype(np.float32) / np.float32(255)
    return np.asarray(cv2.resize(soft, (size, size), interpolation=cv2.INTER_AREA), np.float32)


def _without_surroundings(grey: Floats) -> Floats:
    """Replace what shows around a side, other sides or the table, with the side's mean brightness."""
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
    """Return the window's square root as a vector: each factor of a product carries one root."""
    return np.asarray(np.sqrt(window(outline, size)).ravel(), np.float32)


def _sampled(one: Floats, warps: Warps, outline: Outline, size: int) -> Floats:
    """Sample a relief under each warp, (n, 2·size²), with mean 0 and length 1 under the window."""
    places = (warps @ _grid(size) + 0.5) * PATCH - 0.5
    maps = places.astype(np.float32).reshape(len(warps), 2, -1)
    seen = cv2.remap(one, maps[:, 0], maps[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _even(np.asarray(seen, np.float32).reshape(len(warps), -1, LAYERS), outline, size)


def _even(seen: Floats, outline: Outline, size: int) -> Floats:
    """Subtract the mean of each layer under the window; scale all layers to the same length, together to length 1."""
    weights = _weights(outline, size)
    share = weights * weights / float((weights * weights).sum())
    layers = seen.transpose(0, 2, 1)
    centred = (layers - (layers @ share)[:, :, None]) * weights
    length = np.sqrt(np.einsum("nls,nls->nl", centred, centred))[:, :, None] * np.sqrt(np.float32(LAYERS))
    return np.asarray(centred / np.maximum(length, 1e-6), np.float32).reshape(len(seen), -1)


@cache
def _first_warps(outline: Outline) -> Warps:
    """Return the warps of the first alignment: all rotations of the shape, each with small rotations and shifts."""
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
    """Return the pseudo-inverse of the derivatives of a prototype's samples by the six numbers of a warp."""
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
    # a small regularisation towards no change, because an empty face does not determine the warp
    return np.asarray(np.linalg.solve(change.T @ change + 0.5 * np.eye(6), change.T), np.float32)


def _laid_on(one: Floats, prototypes: Prototypes, chosen: npt.NDArray[np.intp], warps: Warps) -> Warps:
    """Return the correlation with each chosen prototype in its best alignment, starting from one warp each."""
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
        # warped by delta, the prototype would look like the relief: apply the inverse before the current warp
        bent = _whole(np.clip(delta, -0.15, 0.15) + np.eye(2, 3))
        moved = now @ np.linalg.inv(bent)
        lost = np.abs(moved - first).max(axis=(1, 2)) > MOST_STRETCH
        now = np.where(lost[:, None, None], first, moved)
    return best


def _whole(warps: Warps) -> Warps:
    """Add the last row to affine maps, (n, 3, 3), so that matrix products compose them."""
    whole = np.zeros((len(warps), 3, 3))
    whole[:, :2] = warps
    whole[:, 2, 2] = 1
    return whole

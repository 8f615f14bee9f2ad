"""The empty place under a camera that stands still, learnt from the throws themselves, and the one thing that differs.

Whatever is alike and at the same place throw after throw is the table: a turntable, a cable, a printed board. A die
that comes to rest at one place more often than elsewhere would be in the median of the throws; so the median leaves
out, at each pixel, the throws of which the die is there. The die's colours tell it from its shadow and from light that
moves with it: they are common where pictures differ from the table, and rare elsewhere.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence, SentenceError
from companion.vision.readings import Image

COMPARED_WIDTH: Final = 640
"""Wider pictures are reduced to so many pixels before they are compared."""

FEWEST_THROWS: Final = 8
"""So many throws show the place, as long as the die does not lie at one spot in most of them."""

MOST_THROWS: Final = 30
"""More throws show no more of the place."""

LEARNING_ROUNDS: Final = 3
COLOUR_BIN: Final = 8
"""The width of a bin of the chroma channels a and b of CIE L*a*b*, each of which has 256 steps."""

LEAST_NOISE, MOST_NOISE = 2.0, 6.0
"""Bounds of a pixel's noise, in steps of a channel: a place that is always covered says nothing of its noise."""

DIFFERENT_DEVIATIONS: Final = 8.0
"""A pixel differs from the table by at least so many deviations of its noise."""

UNSEEN_COLOUR_SHARE: Final = 1e-4
"""The share of a colour that was never seen."""

MOST_LOG_ODDS: Final = 3.0
"""The natural logarithm of the largest odds that a pixel's colour gives; its difference gives at most 2."""

CLOSED_PIXELS: Final = 7
"""Gaps and specks narrower than this many pixels do not count."""

LEAST_RADIUS: Final = 9.0
"""The smallest die that is searched for, in pixels of the reduced picture."""

LEAST_ROUNDNESS: Final = 0.8
"""The least ratio of a die's two extents: what is longer is a hand, a cable or two dice."""

MOST_SHARE: Final = 0.2
"""A picture of which a larger part differs shows another place, a hand, or is torn."""

MOST_COVERED: Final = 0.5
"""The same for the part of the picture in which the die comes to rest."""

STRAY_PER_CENT: Final = 10
"""The percentage of throws, at each side, that do not say where the die comes to rest: they may show something else."""

Lab = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Spot:
    """Where the die lies: the middle and the radius of its outline, in pixels of the whole picture."""

    x: float
    y: float
    radius: float


class NoSpotError(SentenceError, ValueError):
    """Not one thing differs from the empty place; the text is one sentence.

    ``seen``: something differs all the same.
    """

    def __init__(self, sentence: Sentence, *, seen: bool = True) -> None:
        super().__init__(sentence)
        self.seen = seen


class EmptyPlace:
    """The empty place, learnt from pictures of throws of one die; those of the commonest size count.

    Args:
        throws: BGR pictures.

    Raises:
        NoSpotError: fewer than `FEWEST_THROWS` of them show one place.
    """

    def __init__(self, throws: Sequence[Image]) -> None:
        self._size, _ = Counter(one.shape[:2] for one in throws).most_common(1)[0]
        alike = [one for one in throws if one.shape[:2] == self._size]
        chosen = [alike[round(k)] for k in np.linspace(0, len(alike) - 1, min(MOST_THROWS, len(alike)))]
        labs = np.stack([_lab(one) for one in chosen])
        self._usual = np.median(labs, axis=0).astype(np.float32)
        self._noise = _noise(labs, self._usual)
        differs = [self._differs(lab) for lab in labs]
        whole = [k for k, one in enumerate(differs) if float((one > 1).mean()) <= MOST_SHARE]
        if len(whole) < FEWEST_THROWS:
            raise NoSpotError(
                Sentence(
                    "Expected at least {least} pictures of one place, but got {count}: keep the camera still.",
                    least=FEWEST_THROWS,
                    count=len(whole),
                )
            )
        masks = [_largest(differs[k] - 1) for k in whole]
        self._box = _box(masks)
        labs = labs[whole][:, *self._box]
        masks = [differs[k][self._box] > 1 for k in whole]
        self._usual, self._noise = self._usual[self._box], self._noise[self._box]
        self._odds = _colour_odds(labs, masks)
        for _ in range(LEARNING_ROUNDS):
            masks = [_largest(self._score(lab)) for lab in labs]
            grown = np.stack([cv2.dilate(mask.astype(np.uint8), np.ones((9, 9))) > 0 for mask in masks])
            self._usual, self._noise = _without(labs, grown, self._usual, self._noise)
            self._odds = _colour_odds(labs, masks)

    def spot(self, image: Image) -> Spot:
        """Return where the one thing lies that differs from the empty place.

        Raises:
            NoSpotError: the picture has another size, nothing differs, or what differs is no single die.
        """
        if image.shape[:2] != self._size:
            raise NoSpotError(
                Sentence(
                    "Expected a picture of {width} x {height} pixels as before, but got {wide} x {high}: leave the "
                    "camera as it was.",
                    width=self._size[1],
                    height=self._size[0],
                    wide=image.shape[1],
                    high=image.shape[0],
                )
            )
        score = self._score(_lab(image)[self._box])
        if float((score > 0).mean()) > MOST_COVERED:
            raise NoSpotError(
                Sentence("Most of the picture has changed: a hand is over the table, or the camera was moved.")
            )
        found, _ = cv2.findContours(_largest(score).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        hull = max((cv2.convexHull(one) for one in found), key=cv2.contourArea, default=None)
        radius = 0.0 if hull is None else float(np.sqrt(cv2.contourArea(hull) / np.pi))
        if hull is None or radius < LEAST_RADIUS:
            raise NoSpotError(
                Sentence("Nothing is there that was not there before: throw the die into the picture."), seen=False
            )
        width, height = cv2.minAreaRect(hull)[1]
        if min(width, height) < LEAST_ROUNDNESS * max(width, height):
            raise NoSpotError(Sentence("What is there is not a single die: put nothing else in the picture."))
        moments = cv2.moments(hull)
        scale = max(1.0, self._size[1] / COMPARED_WIDTH)
        x = moments["m10"] / moments["m00"] + self._box[1].start
        y = moments["m01"] / moments["m00"] + self._box[0].start
        return Spot((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5, radius * scale)

    def _differs(self, lab: Lab) -> npt.NDArray[np.float32]:
        """Return by how much each pixel differs from the table, in `DIFFERENT_DEVIATIONS` deviations."""
        off = (lab - self._usual) / np.minimum(self._noise, MOST_NOISE)
        return np.asarray(np.sqrt((off * off).sum(axis=2)) / DIFFERENT_DEVIATIONS, np.float32)

    def _score(self, lab: Lab) -> npt.NDArray[np.float32]:
        """Return how much speaks for the die at each pixel: more than 0 if it is there."""
        bins = (lab[..., 1:] / COLOUR_BIN).astype(np.intp)
        odds = np.clip(self._odds[bins[..., 0], bins[..., 1]], -MOST_LOG_ODDS, MOST_LOG_ODDS)
        score = odds + np.clip(self._differs(lab) - 1, -2, 2)
        return np.asarray(cv2.GaussianBlur(score.astype(np.float32), (5, 5), 0), np.float32)


def _box(masks: Sequence[Mask]) -> tuple[slice, slice]:
    """Return the part of the picture, down and across, in which the die comes to rest, with room for one die around."""
    spots = np.array([[*np.argwhere(mask).mean(axis=0), np.sqrt(mask.sum())] for mask in masks if mask.any()])
    if not len(spots):
        return slice(None), slice(None)
    room = 2.5 * float(np.median(spots[:, 2]))
    low = np.maximum(np.percentile(spots[:, :2], STRAY_PER_CENT, axis=0) - room, 0).astype(int)
    high = (np.percentile(spots[:, :2], 100 - STRAY_PER_CENT, axis=0) + room).astype(int) + 1
    return slice(low[0], high[0]), slice(low[1], high[1])


def _lab(image: Image) -> Lab:
    if image.shape[1] > COMPARED_WIDTH:
        height = round(image.shape[0] * COMPARED_WIDTH / image.shape[1])
        image = np.asarray(cv2.resize(image, (COMPARED_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(image, (3, 3), 0), cv2.COLOR_BGR2LAB), np.float32)


def _noise(labs: Lab, usual: Lab) -> Lab:
    """Return the deviation of each pixel's channels from the table."""
    return np.asarray(np.maximum(1.48 * np.median(np.abs(labs - usual), axis=0), LEAST_NOISE), np.float32)


def _without(labs: Lab, covered: Mask, usual: Lab, noise: Lab) -> tuple[Lab, Lab]:
    """Return the table and its noise by the pictures in which the die does not cover it; as before where all do."""
    open_ = np.where(covered[..., None], np.nan, labs)
    ever = ~covered.all(axis=0)
    rows = open_[:, ever]
    seen, spread = usual.copy(), noise.copy()
    seen[ever] = _median(rows)
    spread[ever] = np.maximum(1.48 * _median(np.abs(rows - seen[ever])), LEAST_NOISE)
    return seen, spread


def _median(rows: Lab) -> Lab:
    """Return the lower median of each column without what is not a number; much faster than numpy's own."""
    ordered = np.sort(rows, axis=0)  # what is not a number comes last
    middle = (np.isfinite(rows).sum(axis=0) - 1) // 2
    return np.asarray(np.take_along_axis(ordered, middle[None], axis=0)[0], np.float32)


def _colour_odds(labs: Lab, masks: Sequence[Mask]) -> npt.NDArray[np.float32]:
    """Return the natural logarithm of how much commoner each colour is on the die than on the table."""
    mask = np.stack(masks)
    bins = (labs[..., 1:] / COLOUR_BIN).astype(np.intp)
    cells = bins[..., 0] * 32 + bins[..., 1]
    shares = []
    for where in (mask, ~mask):
        count = np.bincount(cells[where], minlength=32 * 32).reshape(32, 32).astype(np.float32)
        shares.append(cv2.GaussianBlur(count / max(float(count.sum()), 1.0), (3, 3), 0) + UNSEEN_COLOUR_SHARE)
    return np.asarray(np.log(shares[0] / shares[1]), np.float32)


def _largest(score: npt.NDArray[np.float32]) -> Mask:
    """Return the largest region in which more speaks for the die than against it."""
    box = np.ones((CLOSED_PIXELS, CLOSED_PIXELS), np.uint8)
    mask = cv2.morphologyEx((score > 0).astype(np.uint8), cv2.MORPH_CLOSE, box)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, box)
    number, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if number < 2:  # noqa: PLR2004 (the ground is one)
        return np.zeros(score.shape, bool)
    return np.asarray(labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax()), bool)

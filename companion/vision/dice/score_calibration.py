"""From likeness to chances: how alike a face is to itself in other throws, and to other faces.

Calibration learns both from the throws of a profile, and compares each face only with other throws. It takes the best
likeness to the same face, and the best likeness to any other face, as if that face had never been learnt. The ratio of
the two densities then weights later likenesses. The densities are Student's t, with wider tails for fewer throws.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]

UNLEARNT_CHANCE: Final = 0.5
"""The prior chance that a found face is no learnt face: a cautious guess, not a measurement."""

MOST_DEGREES: Final = 30.0
"""The most degrees of freedom of a t distribution of likenesses, however many likenesses there are."""

LEAST_DEVIATION: Final = 0.08
"""The least deviation of likenesses (after Fisher's transformation) that a spread may have."""

LEAST: Final = 8
"""The least number of looks at faces seen in two throws or more. Fewer say nothing about how the faces vary."""

READ: Final = 0.97
"""A wrong face with a higher chance than this counts as a mistake among the learnt throws."""


class TooFewThrowsError(ValueError):
    """Too few faces lay on top in two throws to learn how much they vary."""


@dataclass(frozen=True)
class Spread:
    """Mean and deviation of the transformed likenesses of a number of looks."""

    mean: float
    deviation: float
    number: int

    def log_density(self, value: Scores) -> Scores:
        """Return the logarithm of the density of a further likeness, up to a constant that is equal for all values."""
        degrees = min(MOST_DEGREES, max(1.0, self.number - 1.0))
        scale = self.deviation * math.sqrt(1 + 1 / self.number)
        off = (value - self.mean) / scale
        constant = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - 0.5 * math.log(degrees * math.pi)
        density: Scores = constant - math.log(scale) - (degrees + 1) / 2 * np.log1p(off * off / degrees)
        return density


@dataclass(frozen=True)
class ScoreCalibration:
    """Turns the likenesses of one profile into chances.

    ``ceiling``: the largest chance, as far as the number of learnt faces and the mistakes among them justify.
    """

    same: Spread
    unlike: Spread
    ceiling: float

    def chances(self, scores: Scores) -> Scores:
        """Return the chance of each face from the likenesses of looks to it, (n, faces); the rest to 1 is unknown."""
        if scores.shape[1] == 0:
            return np.zeros_like(scores)
        value = np.clip(fisher(scores), self.unlike.mean, max(self.same.mean, self.unlike.mean))
        # below the mean likeness to other faces there is no evidence; above the mean to the same face it stays the same
        ratio = np.exp(np.clip(self.same.log_density(value) - self.unlike.log_density(value), -30, 30))
        ratio[fisher(scores) <= self.unlike.mean] = 0.0
        weight = ratio * (1 - UNLEARNT_CHANCE)
        found: Scores = weight / (weight.sum(axis=1, keepdims=True) + UNLEARNT_CHANCE)
        return np.minimum(found, self.ceiling)

    def to_json(self) -> dict[str, Any]:
        """Return the calibration as JSON data for a profile."""
        return {
            name: [spread.mean, spread.deviation, spread.number]
            for name, spread in (("same", self.same), ("unlike", self.unlike))
        } | {"ceiling": self.ceiling}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "ScoreCalibration":
        """Read what `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: the data are no calibration.
        """
        spreads = [Spread(float(mean), float(off), int(number)) for mean, off, number in (data["same"], data["unlike"])]
        ceiling = float(data["ceiling"])
        figures = [ceiling, *(figure for one in spreads for figure in (one.mean, one.deviation))]
        if not all(map(math.isfinite, figures)) or min(one.deviation for one in spreads) <= 0 or not 0 < ceiling < 1:
            raise ValueError("figures out of their bounds")
        return cls(spreads[0], spreads[1], ceiling)


def fisher(scores: Scores) -> Scores:
    """Return correlations transformed so that their spread is about the same everywhere (R. A. Fisher, 1915)."""
    return np.asarray(np.arctanh(np.clip(scores, -0.95, 0.995)))


def calibrate(pairs: Scores, faces: Sequence[int], throws: Sequence[int]) -> ScoreCalibration:
    """Learn the calibration from the likenesses of all pairs of learnt looks, (n, n), their faces and their throws.

    Raises:
        TooFewThrowsError: too few faces lay on top in two throws or more.
    """
    number, throw = np.asarray(faces), np.asarray(throws)
    apart = throw[:, None] != throw[None, :]
    alike = number[:, None] == number[None, :]
    own = np.where(apart & alike, pairs, -np.inf).max(axis=1)
    other = np.where(apart & ~alike, pairs, -np.inf).max(axis=1)
    known = np.isfinite(own) & np.isfinite(other)
    if int(known.sum()) < LEAST:
        raise TooFewThrowsError(
            f"Expected at least {LEAST} looks at faces that lay on top in two throws, but "
            f"there are {int(known.sum())}: throw the dice more often."
        )
    first = ScoreCalibration(_spread(own[known]), _spread(other[known]), 0.9999)
    count = len(set(faces))
    chances = np.array(
        [first.chances(_by_face(pairs[i : i + 1], number, apart[i], count))[0] for i in np.flatnonzero(known)]
    )
    wrong = chances.copy()
    wrong[np.arange(len(wrong)), number[known]] = 0
    mistakes = int((wrong.max(axis=1) > READ).sum())
    return ScoreCalibration(first.same, first.unlike, 1 - (mistakes + 0.5) / (int(known.sum()) + 1))


def by_face(scores: Scores, faces: npt.NDArray[np.intp], count: int) -> Scores:
    """Return the best likeness among the prototypes of each face, (n, count), from ``scores``, (n, prototypes)."""
    best = np.full((len(scores), count), -1.0)
    for face in range(count):
        mine = faces == face
        if mine.any():
            best[:, face] = scores[:, mine].max(axis=1)
    return best


def _by_face(scores: Scores, faces: npt.NDArray[np.intp], use: npt.NDArray[np.bool_], count: int) -> Scores:
    return by_face(np.where(use[None], scores, -1.0), faces, count)


def _spread(scores: Scores) -> Spread:
    value = fisher(scores)
    return Spread(float(value.mean()), max(LEAST_DEVIATION, float(value.std(ddof=1))), len(value))

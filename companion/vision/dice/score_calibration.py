"""From likeness to chances: how alike a face is to itself in other throws, and to faces that it is not.

Both are learnt from the throws of a profile, each face judged without the throw it lies in: the best likeness to the
same face, and, as if that face had never been learnt, the best likeness to any other. What is found later is weighed
by the ratio of the two densities (Student's t, whose tails are the wider the fewer throws there were).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]

UNLEARNT_CHANCE: Final = 0.5
"""How often something is found that is no learnt face, before it is looked at: a cautious guess, not a measurement."""

MOST_DEGREES: Final = 30.0
"""Likenesses are no better behaved than a t distribution of so many degrees of freedom, however many were seen."""

LEAST_DEVIATION: Final = 0.08
"""No spread of likenesses (after Fisher's transformation) is believed to be narrower."""

LEAST: Final = 8
"""Fewer faces seen in two throws or more tell nothing about how they vary."""

READ: Final = 0.97
"""A wrong face counts as a mistake of the learnt throws from this chance on."""


class TooFewThrowsError(ValueError):
    """There are too few faces that lay on top in two throws to learn how much they vary."""


@dataclass(frozen=True)
class Spread:
    """Mean and deviation of transformed likenesses, from a number of faces."""

    mean: float
    deviation: float
    number: int

    def log_density(self, value: Scores) -> Scores:
        """Return the logarithm of the density of a further likeness, up to what is the same for all values."""
        degrees = min(MOST_DEGREES, max(1.0, self.number - 1.0))
        scale = self.deviation * math.sqrt(1 + 1 / self.number)
        off = (value - self.mean) / scale
        constant = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - 0.5 * math.log(degrees * math.pi)
        density: Scores = constant - math.log(scale) - (degrees + 1) / 2 * np.log1p(off * off / degrees)
        return density


@dataclass(frozen=True)
class ScoreCalibration:
    """What likenesses are worth for one profile.

    ``ceiling``: no chance goes beyond it; it is what the mistakes among so many learnt faces allow to claim.
    """

    same: Spread
    unlike: Spread
    ceiling: float

    def chances(self, scores: Scores) -> Scores:
        """Return for the likenesses of looks to each face, (n, faces), the chance of each; the rest is unknown."""
        if scores.shape[1] == 0:
            return np.zeros_like(scores)
        value = np.clip(fisher(scores), self.unlike.mean, max(self.same.mean, self.unlike.mean))
        # below what others reach nothing speaks for a face, and beyond the usual nothing more does
        ratio = np.exp(np.clip(self.same.log_density(value) - self.unlike.log_density(value), -30, 30))
        ratio[fisher(scores) <= self.unlike.mean] = 0.0
        weight = ratio * (1 - UNLEARNT_CHANCE)
        found: Scores = weight / (weight.sum(axis=1, keepdims=True) + UNLEARNT_CHANCE)
        return np.minimum(found, self.ceiling)

    def to_json(self) -> dict[str, Any]:
        """Return it as it stands in a profile."""
        return {
            name: [spread.mean, spread.deviation, spread.number]
            for name, spread in (("same", self.same), ("unlike", self.unlike))
        } | {"ceiling": self.ceiling}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "ScoreCalibration":
        """Read what `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: something else.
        """
        spreads = [Spread(float(mean), float(off), int(number)) for mean, off, number in (data["same"], data["unlike"])]
        ceiling = float(data["ceiling"])
        figures = [ceiling, *(figure for one in spreads for figure in (one.mean, one.deviation))]
        if not all(map(math.isfinite, figures)) or min(one.deviation for one in spreads) <= 0 or not 0 < ceiling < 1:
            raise ValueError("figures out of their bounds")
        return cls(spreads[0], spreads[1], ceiling)


def fisher(scores: Scores) -> Scores:
    """Return correlations so that their spread is about the same everywhere (R. A. Fisher, 1915)."""
    return np.asarray(np.arctanh(np.clip(scores, -0.95, 0.995)))


def calibrate(pairs: Scores, faces: Sequence[int], throws: Sequence[int]) -> ScoreCalibration:
    """Learn what likenesses are worth from all pairs of learnt looks, (n, n), their faces and their throws.

    Raises:
        TooFewThrowsError: too few faces were seen in two throws or more.
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
    """Return for each face the best likeness among its prototypes, (n, count), from (n, prototypes)."""
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

"""Intervals for shares that hold at any time: confidence sequences.

A share p stays in the interval until a bet against it has won 1/level times its stake (Robbins 1970; Howard et al.
2021). The bet is a mixture of Beta distributions about the fair share. So the interval is narrow where it matters, and
valid wherever the true share lies.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.fairness.log_gamma import log_rising
from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Floats, Outcomes

CONCENTRATIONS: Final = (20.0, 150.0, 1000.0)
"""The sums of the parameters of the Beta distributions in the mixture; each has an equal part."""

MOST_NEWTON_STEPS: Final = 60
"""The most steps of Newton's method; five to eight are usual."""

STEP_TOLERANCE: Final = 1e-12
"""A step is the last one if it moves no share by a greater part of itself than this."""

LEAST_PROBABILITY: Final = 1e-15


@dataclass(frozen=True, eq=False)
class Intervals:
    """The two ends of the intervals of shares (each ... x k), which all hold together at any time."""

    low: Floats
    high: Floats

    def farthest(self, fair: Floats) -> Floats:
        """Return the greatest distance from fair that any share may have, by these intervals (...)."""
        return np.asarray(np.maximum(self.high - fair, fair - self.low).max(axis=-1))

    def hold(self, chances: Floats) -> npt.NDArray[np.bool_]:
        """Tell whether all of these chances lie in their intervals (...)."""
        return np.asarray(((self.low <= chances) & (chances <= self.high)).all(axis=-1))


def intervals(counts: Counts, outcomes: Outcomes, level: float) -> Intervals:
    """Return an interval for each outcome's chance; the chance that any ever misses it is at most ``level``.

    ``counts``: whole numbers (... x k).
    """
    counts = np.asarray(counts, np.int64)
    low, high = interval(counts, counts.sum(axis=-1, keepdims=True), outcomes.fair, level / counts.shape[-1])
    return Intervals(low, high)


def interval(count: Counts, whole: Counts, centre: Floats | float, level: Floats | float) -> tuple[Floats, Floats]:
    """Return the ends of the interval for each share; ``count``, ``whole``, ``centre`` and ``level`` broadcast.

    ``centre``: the expected share, from 0 to 1 exclusive; it only makes the interval narrower there.
    """
    count, whole = np.broadcast_arrays(np.asarray(count, np.int64), np.asarray(whole, np.int64))
    allowed = log_marginal(count, whole, centre) + np.log(level)  # leave out a less likely share
    count, whole = np.broadcast_to(count, allowed.shape), np.broadcast_to(whole, allowed.shape)
    low, other = _lower_end(np.stack([count, whole - count]), whole, allowed)
    return low, 1 - other


def log_marginal(count: Counts, whole: Counts, centre: Floats | float) -> Floats:
    """Return the log likelihood of a sequence with this count under the mixture of Beta distributions."""
    concentrations = np.array(CONCENTRATIONS)
    inside = np.asarray(centre, np.float64)[..., None] * concentrations
    count, whole = np.asarray(count)[..., None], np.asarray(whole)[..., None]
    every = (
        log_rising(inside, count)
        + log_rising(concentrations - inside, whole - count)
        - log_rising(concentrations, whole)
    )
    top = every.max(axis=-1, keepdims=True)
    return np.asarray(top[..., 0] + np.log(np.exp(every - top).mean(axis=-1)))


def _lower_end(count: Counts, whole: Counts, allowed: Floats) -> Floats:
    """Return the share below ``count / whole`` whose log likelihood equals ``allowed``; 0 for a count of 0.

    It uses Newton's method in the logarithm of the share, in which the log likelihood is concave: from a start that is
    too low it rises towards the end and never passes it. The start follows from bounds of the Kullback-Leibler
    divergence.
    """
    some = count > 0
    count, whole, allowed = np.where(some, count, 1), np.where(some, whole, 1), np.where(some, allowed, -1.0)
    seen, others = count / whole, whole - count
    with np.errstate(divide="ignore", invalid="ignore"):
        most = count * np.log(seen) + np.where(
            others > 0, others * np.log1p(-np.minimum(seen, 1 - LEAST_PROBABILITY)), 0.0
        )
    stray = np.maximum(most - allowed, 0) / whole
    start = np.maximum(seen - np.sqrt(2 * seen * stray), seen - np.sqrt(stray / 2))
    share = np.maximum(start, np.exp(np.minimum(allowed / count, 0)))
    share = np.minimum(share, seen * (1 - LEAST_PROBABILITY))
    for _ in range(MOST_NEWTON_STEPS):
        short = allowed - count * np.log(share) - others * np.log1p(-share)
        slope = count - others * share / (1 - share)
        moved = share * np.exp(np.where(slope > 0, short / np.maximum(slope, LEAST_PROBABILITY), 0.0))
        moved = np.minimum(moved, seen)
        if np.all(np.abs(moved - share) <= STEP_TOLERANCE * share):
            break
        share = moved
    return np.where(some, share, 0.0)

"""Intervals for shares that hold at every look: confidence sequences.

A share p is kept as long as no bet against it has won 1/level times its stake (Robbins 1970; Howard et al. 2021): the
bet is a mixture of Beta distributions about the fair share, which makes the interval narrow where it matters, and valid
wherever the true share lies.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Contrast, Floats, Outcomes

CONCENTRATIONS: Final = (20.0, 150.0, 1000.0)
"""The sums of the parameters of the Beta distributions mixed, in equal parts."""

HALVINGS: Final = 60


@dataclass(frozen=True, eq=False)
class Intervals:
    """Shares with the ends of their intervals (each ... x k), all of which hold together at every look."""

    low: Floats
    high: Floats

    def farthest(self, fair: Floats) -> Floats:
        """Return how far from fair the farthest share may be, by these intervals (...)."""
        return np.asarray(np.maximum(self.high - fair, fair - self.low).max(axis=-1))

    def hold(self, chances: Floats) -> npt.NDArray[np.bool_]:
        """Tell whether all of these chances lie in their intervals (...)."""
        return np.asarray(((self.low <= chances) & (chances <= self.high)).all(axis=-1))


def intervals(counts: Counts, outcomes: Outcomes, level: float) -> Intervals:
    """Return an interval for each outcome's chance; that one of them ever misses it has a chance of at most ``level``.

    ``counts``: whole numbers (... x k).
    """
    counts = np.asarray(counts, np.int64)
    whole = counts.sum(axis=-1)
    each = level / counts.shape[-1]
    ends = [interval(counts[..., place], whole, float(fair), each) for place, fair in enumerate(outcomes.fair.tolist())]
    return Intervals(np.stack([low for low, _ in ends], axis=-1), np.stack([high for _, high in ends], axis=-1))


def contrast_intervals(
    counts: Counts, outcomes: Outcomes, contrasts: Sequence[Contrast], level: float
) -> list[tuple[float, float]]:
    """Return an interval for the share of each contrast, which hold together; ``counts``: whole numbers (k)."""
    whole = np.array(int(counts.sum()))
    found = []
    for contrast in contrasts:
        count = np.array(int(counts[list(contrast.outcomes)].sum()))
        low, high = interval(count, whole, outcomes.share(contrast), level / len(contrasts))
        found.append((float(low), float(high)))
    return found


def interval(count: Counts, whole: Counts, centre: float, level: float) -> tuple[Floats, Floats]:
    """Return the ends of the interval for one share; ``count`` and ``whole`` are arrays of the same shape.

    ``centre``: where the share is expected, from 0 to 1 exclusive; it only makes the interval narrower there.
    """
    count, whole = np.broadcast_arrays(np.asarray(count, np.int64), np.asarray(whole, np.int64))
    allowed = log_marginal(count, whole, centre) + math.log(level)  # a share less likely than this is left out
    middle = count / np.maximum(whole, 1)
    low = _root(count, whole, allowed, np.zeros_like(middle), middle)
    high = _root(count, whole, allowed, np.ones_like(middle), middle)
    return np.where(count > 0, low, 0.0), np.where(count < whole, high, 1.0)


def log_marginal(count: Counts, whole: Counts, centre: float) -> Floats:
    """Return the logarithm of how likely a sequence with this count was by the mixture of Beta distributions."""
    most = int(np.max(whole, initial=0))
    parts = []
    for concentration in CONCENTRATIONS:
        inside, outside = concentration * centre, concentration * (1 - centre)
        size = 1 << max(most, 63).bit_length()
        parts.append(
            _rising(inside, size)[count] + _rising(outside, size)[whole - count] - _rising(concentration, size)[whole]
        )
    every = np.stack(parts) - math.log(len(CONCENTRATIONS))
    top = every.max(axis=0)
    return np.asarray(top + np.log(np.exp(every - top).sum(axis=0)))


@cache
def _rising(start: float, size: int) -> Floats:
    first = math.lgamma(start)
    return np.array([math.lgamma(start + m) - first for m in range(size)])


def _root(count: Counts, whole: Counts, allowed: Floats, outer: Floats, inner: Floats) -> Floats:
    """Return where between ``outer`` and ``inner`` the likelihood of the share comes to what is allowed."""
    for _ in range(HALVINGS):
        tried = (outer + inner) / 2
        kept = _log_likelihood(count, whole, tried) >= allowed
        inner = np.where(kept, tried, inner)
        outer = np.where(kept, outer, tried)
    return np.asarray(outer)


def _log_likelihood(count: Counts, whole: Counts, share: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.where(count > 0, count * np.log(share), 0.0)
        outside = np.where(whole > count, (whole - count) * np.log1p(-share), 0.0)
    return np.asarray(inside + outside)

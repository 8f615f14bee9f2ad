"""The test for a number of throws that was fixed in advance: exact where all outcomes can be listed, else simulated.

Look at it once, after the last throw; to look earlier, use `companion.fairness.mixture`.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Floats

MOST_LISTED: Final = 200_000
"""Up to this many ways in which the throws may fall, the test lists them all; above it, the test simulates throws."""

SIMULATED_SAMPLES: Final = 100_000

SAME_STATISTIC: Final = 1e-9
"""Statistics that differ by less than this, relatively, are equal except for rounding."""


@dataclass(frozen=True)
class FixedTest:
    """``p``: how likely a fair die deviates at least as far. ``exact``: whether all outcomes were listed.

    ``error``: the standard error of a simulated ``p``, 0 for an exact one.
    """

    p: float
    statistic: float
    exact: bool
    error: float


def fixed_test(counts: Counts, fair: Floats, *, seed: int = 1, drawn: int = SIMULATED_SAMPLES) -> FixedTest:
    """Return how likely a fair die deviates from its fair counts at least as far as these do (k whole numbers).

    The measure is the likelihood ratio, twice its logarithm (G).

    Raises:
        ValueError: no throws, or counts and chances of different lengths.
    """
    counts = np.asarray(counts, np.int64)
    if counts.shape != fair.shape or counts.sum() < 1:
        raise ValueError(f"Expected at least one throw of {len(fair)} outcomes, but got the counts {counts.tolist()}.")
    whole, kinds = int(counts.sum()), len(fair)
    seen = float(_likelihood(counts[None], fair)[0])
    least = seen - SAME_STATISTIC * max(1.0, abs(seen))
    if math.comb(whole + kinds - 1, kinds - 1) <= MOST_LISTED:
        every = _every(whole, kinds)
        chances = np.exp(_log_chance(every, fair))
        return FixedTest(min(1.0, float(chances[_likelihood(every, fair) >= least].sum())), seen, exact=True, error=0.0)
    rng = np.random.default_rng(seed)
    hits = int((_likelihood(rng.multinomial(whole, fair, size=drawn), fair) >= least).sum())
    p = (hits + 1) / (drawn + 1)  # the throws themselves count as one: never 0 (Davison and Hinkley 1997)
    return FixedTest(p, seen, exact=False, error=math.sqrt(p * (1 - p) / drawn))


def _every(whole: int, kinds: int) -> Counts:
    """Return all ways to write a whole as an ordered sum (ways x kinds)."""
    if kinds == 1:
        return np.array([[whole]])
    parts = []
    for first in range(whole + 1):
        rest = _every(whole - first, kinds - 1)
        parts.append(np.column_stack([np.full(len(rest), first), rest]))
    return np.concatenate(parts)


def _log_chance(counts: Counts, fair: Floats) -> Floats:
    factorials = np.array([math.lgamma(m + 1) for m in range(int(counts.sum(axis=1).max()) + 1)])
    ways = factorials[counts.sum(axis=1)] - factorials[counts].sum(axis=1)
    return np.asarray(ways + counts @ np.log(fair))


def _likelihood(counts: Counts, fair: Floats) -> Floats:
    expected = counts.sum(axis=1, keepdims=True) * fair
    logs: npt.NDArray[np.float64] = np.log(np.maximum(counts, 1) / expected)
    return np.asarray(2 * np.where(counts > 0, counts * logs, 0.0).sum(axis=1))

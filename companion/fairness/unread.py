"""What the bet against a die has surely won, whatever the throws showed that nobody read.

A camera that reads some faces worse than others makes a fair die look biased. Without a measurement of the reader
nobody knows which faces it lost. But if the bet has won enough with any faces in their place, then it has won enough
with the true ones; and against a fair die that has a chance of 1 in 20 at most.
"""

from typing import Final

import numpy as np

from companion.fairness.mixture import Counts, Mixture
from companion.fairness.outcomes import Floats

MOST_ROUNDS: Final = 40
LOG_WEALTH_TOLERANCE: Final = 0.01
"""The search ends when the least wealth is known to this much in its logarithm, or when it cannot decide anything."""


def least_log_value(mixture: Mixture, counts: Counts, unread: Counts, needed: float | None = None) -> Floats:
    """Return a lower bound (m) of the logarithm of the wealth over all faces that the unread throws may have shown.

    ``counts``: of the throws that were read (m x k); ``unread``: how many were not (m). It is close to the least value,
    or where ``needed`` is given, so close that it is clear on which side of it the least value lies. The wealth is
    convex in the counts, so its slopes bound it everywhere (Frank and Wolfe 1956).
    """
    fell, missing = np.asarray(counts, np.float64), np.asarray(unread, np.float64)
    added = _most_even(fell, missing, mixture.fair)
    rows = np.arange(len(fell))
    bound = np.full(len(fell), -np.inf)
    going = rows
    for _ in range(MOST_ROUNDS):
        value, slopes = mixture.slopes((fell + added)[going])
        here = added[going]
        lower = value - ((slopes * here).sum(axis=1) - missing[going] * slopes.min(axis=1))
        bound[going] = np.maximum(bound[going], lower)
        open_ = value - bound[going] > LOG_WEALTH_TOLERANCE
        if needed is not None:
            open_ &= (value >= needed) & (bound[going] < needed)
        going, slopes, here = going[open_], slopes[open_], here[open_]
        if not len(going):
            break
        added[going] = _moved(here, slopes, fell[going] + here)
    return bound


def share_to_doubt(mixture: Mixture, counts: Counts, needed: float) -> float | None:
    """Return the smallest share of all throws that, had they been lost, could have shown what the bet does not win by.

    ``counts``: of the throws that were read (k), after which the wealth's logarithm is ``needed`` or more; None if it
    is less.
    """
    read = int(counts.sum())
    if not read or float(mixture.log_value(counts)) < needed:
        return None
    low, high = 0, 1
    while _withstands(mixture, counts, high, needed):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _withstands(mixture, counts, middle, needed) else (low, middle)
    return high / (read + high)


def _withstands(mixture: Mixture, counts: Counts, lost: int, needed: float) -> bool:
    return bool(least_log_value(mixture, counts[None], np.array([lost]), needed)[0] >= needed)


def _moved(added: Floats, slopes: Floats, counts: Floats) -> Floats:
    """Move throws from the outcome where they raise the wealth most to the one where they raise it least (m x k)."""
    rows = np.arange(len(added))
    to = slopes.argmin(axis=1)
    source = np.where(added > 0, slopes, -np.inf).argmax(axis=1)
    bend = 1 / np.maximum(counts[rows, to], 1) + 1 / np.maximum(counts[rows, source], 1)
    step = np.minimum((slopes[rows, source] - slopes[rows, to]) / bend, added[rows, source])
    moved = added.copy()
    moved[rows, source] -= step
    moved[rows, to] += step
    return moved


def _most_even(counts: Floats, unread: Floats, fair: Floats) -> Floats:
    """Return how the unread throws (m) fill the rarest outcomes so that all are as near to fair as can be (m x k)."""
    level = counts / fair
    order = np.argsort(level, axis=1)
    sorted_level, sorted_fair = np.take_along_axis(level, order, axis=1), fair[order]
    share = np.cumsum(sorted_fair, axis=1)
    filled = (unread[:, None] + np.cumsum(sorted_level * sorted_fair, axis=1)) / share  # the level of the first j
    following = np.concatenate([sorted_level[:, 1:], np.full((len(level), 1), np.inf)], axis=1)
    first = (filled <= following).argmax(axis=1)
    return np.asarray(np.maximum(filled[np.arange(len(level)), first, None] - level, 0) * fair)

"""Intervals for the chances of a die's outcomes in all its throws, from readings that may be wrong or missing.

What is read is not what fell: some faces are read as others, some throws are not read. The share of a face among all
throws lies between ``(low - enters) / own`` and ``(high - enters) / own``: low and high are the ends for the share of
all throws that are read as this face, enters is what other faces add to it, and own is the part of its own throws that
is read rightly. Each is taken at its worst within what the measurement leaves open.
"""

from collections.abc import Sequence

import numpy as np

from companion.fairness.confidence import Intervals, interval
from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Contrast, Floats, Outcomes
from companion.fairness.reader_errors import BOUNDS_LEVEL, Rates, ReaderErrors

Held = tuple[Intervals, list[tuple[float, float]]]


def die_intervals(
    counts: Counts,
    outcomes: Outcomes,
    contrasts: Sequence[Contrast],
    level: float,
    *,
    reader: ReaderErrors | None = None,
    unread: int = 0,
) -> Held:
    """Return the intervals of all outcomes and those of all contrasts; each kind holds together at the level.

    ``counts``: of the readings (k). ``unread``: how many throws were not read; without a measured ``reader`` they may
    have shown anything. If none is known, as many may be missing as the measurement leaves open. The level includes the
    measurement's own error.
    """
    if reader is None:
        return _shares(counts, outcomes, contrasts, level, least=unread, most=unread)
    rates = reader.rate_bounds(level * BOUNDS_LEVEL)
    ends, found = _shares(counts, outcomes, contrasts, level * (1 - BOUNDS_LEVEL), least=unread, most=0)
    part = 1.0 if unread else rates.least_read(np.minimum(1.0, ends.high / rates.own_low))
    low, high = ends.low * part, ends.high
    most = np.minimum(1.0, high / rates.own_low)
    added = rates.most_added(most)
    least = np.maximum(0.0, low - added) / rates.own_high
    most = np.minimum(1.0, np.maximum(high - rates.least_added(least), 0.0) / rates.own_low)
    held = [_through(one, contrast, rates, added, part) for one, contrast in zip(found, contrasts, strict=True)]
    return _whole(least, most), held


def _shares(
    counts: Counts, outcomes: Outcomes, contrasts: Sequence[Contrast], level: float, *, least: int, most: int
) -> Held:
    """Return the intervals of shares of all throws.

    ``least``: so many throws showed nothing of a kind for its lower end; ``most``: so many showed it for its upper end.
    """
    kinds, several = len(counts), len(contrasts)
    inside = np.array([*counts.tolist(), *(int(counts[list(one.outcomes)].sum()) for one in contrasts)])
    centres = np.array([*outcomes.fair.tolist(), *(outcomes.share(one) for one in contrasts)])
    levels = np.concatenate([np.full(kinds, level / kinds), np.full(several, level / max(1, several))])
    whole = np.array(int(counts.sum()) + least)
    low, high = interval(inside, whole, centres, levels)
    if most:
        high = interval(inside + most, whole, centres, levels)[1]
    return Intervals(low[:kinds], high[:kinds]), list(zip(low[kinds:].tolist(), high[kinds:].tolist(), strict=True))


def _through(
    ends: tuple[float, float], contrast: Contrast, rates: Rates, added: Floats, part: float
) -> tuple[float, float]:
    """Return the interval of a contrast's share of what fell, from that of what was read."""
    places = list(contrast.outcomes)
    low = max(0.0, ends[0] * part - float(added[places].sum()))  # what its own faces trade is not lost to it
    return low, min(1.0, ends[1] / float(rates.own_low[places].min()))


def _whole(low: Floats, high: Floats) -> Intervals:
    """Return the intervals, narrowed by the fact that all chances sum to 1."""
    least = np.maximum(low, 1 - (high.sum() - high))
    return Intervals(np.minimum(least, high), np.maximum(np.minimum(high, 1 - (low.sum() - low)), low))

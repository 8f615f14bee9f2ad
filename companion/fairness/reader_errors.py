"""What a reader that errs does to the counts, and the bet that its errors alone cannot win.

A reader was shown faces that a person named: how often each was read as each other one, or not at all. From that
follows between which bounds the shares of a fair die's *readings* lie. A die is called biased only if its readings are
unlikely by all shares within the bounds, so that the reader alone could not have made them so.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.fairness.confidence import interval
from companion.fairness.mixture import Counts, Mixture
from companion.fairness.outcomes import Floats

USUAL_ERROR: Final = 0.01
"""Where a reader's rates of error are expected: it makes their intervals narrow there."""

BOUNDS_LEVEL: Final = 0.2
"""The part of the level that is spent on the bounds of the reader's errors; the rest is the bet's."""

ROUNDS: Final = 400
CHANGE: Final = 1e-7


class ReaderError(ValueError):
    """A reader's measurement is not of the form that the sums need."""


@dataclass(frozen=True, eq=False)
class Reader:
    """How a reader has read faces that a person named.

    ``seen``: whole numbers, k x (k + 1): the true outcome by what was read; the last column counts what was not read.
    ``beforehand``: what of it was known before the first throw of the die that is judged, nothing (zeros) where the
    reader was only audited while it was thrown; None where all of it was.

    Raises:
        ReaderError: another shape, or an outcome of which nothing was shown.
    """

    seen: Counts
    beforehand: Counts | None = None

    def __post_init__(self) -> None:
        kinds = len(self.seen)
        for counts in (self.seen, self.seen if self.beforehand is None else self.beforehand):
            if counts.shape != (kinds, kinds + 1) or (counts < 0).any():
                raise ReaderError(
                    f"Expected for each of {kinds} outcomes how often it was read as each of them and how often not, "
                    f"but got an array of {' x '.join(map(str, counts.shape))}."
                )
        if (self.seen.sum(axis=1) == 0).any():
            missing = ", ".join(str(place + 1) for place in np.flatnonzero(self.seen.sum(axis=1) == 0))
            raise ReaderError(f"The reader was never shown outcome {missing}: measure it on every face first.")

    @property
    def rates(self) -> Floats:
        """The chance that each outcome is read as each (k x k); what is missing of 1 is not read."""
        return np.asarray(self.seen[:, :-1] / self.seen.sum(axis=1, keepdims=True))

    def read_shares(self, chances: Floats) -> Floats:
        """Return the shares of what is read (... x k) of dice with these chances (... x k)."""
        read = chances @ self.rates
        return np.asarray(read / read.sum(axis=-1, keepdims=True))

    def bounds(self, fair: Floats, level: float) -> "Bounds":
        """Return between which bounds the shares of a fair die's readings lie, before what is not read is left out.

        That one of them is wrong has a chance of about ``level`` at most: what leaves an outcome, what enters it from
        all others and what is not read at all has each an interval that holds at every look.
        """
        shown = self.seen.sum(axis=1)
        own, came = np.diagonal(self.seen), self.seen[:, :-1].sum(axis=0)
        kinds = len(fair)
        counts = np.concatenate([shown - own, came - own, [self.seen[:, -1].sum()]])
        wholes = np.concatenate([shown, shown.sum() - shown, [shown.sum()]])
        least, most = interval(counts, wholes, USUAL_ERROR, level / len(counts))
        # the pooled faces may have been shown more or less often than they fall: the worst and the best of them count
        weights = fair / shown
        others = np.array([np.delete(weights, place) for place in range(kinds)])
        least_in, most_in = (end[kinds:-1] * wholes[kinds:-1] for end in (least, most))
        low = fair * (1 - most[:kinds]) + least_in * others.min(axis=1)
        high = fair * (1 - least[:kinds]) + most_in * others.max(axis=1)
        unread = least[-1] * wholes[-1] * weights.min(), most[-1] * wholes[-1] * weights.max()
        return Bounds(low, high, max(0.0, 1 - float(unread[1])), 1 - float(unread[0]))


@dataclass(frozen=True, eq=False)
class Bounds:
    """Between which bounds the shares of a fair die's readings lie, of all throws.

    ``low`` and ``high``: of each outcome (k); ``least`` and ``most``: of all outcomes together, what is missing of 1
    being throws that are not read.
    """

    low: Floats
    high: Floats
    least: float
    most: float


def seen_through(mixture: Mixture, reader: Reader) -> Mixture:
    """Return the same alternatives as the reader would show them."""
    fair = reader.read_shares(mixture.fair)
    shown = reader.read_shares(np.exp(mixture.shifts) * mixture.fair)
    return Mixture(fair, np.log(shown / fair), mixture.on_shifts, mixture.concentrations, mixture.on_spread)


def log_best(counts: Counts, bounds: Bounds) -> Floats:
    """Return the logarithm of the greatest likelihood of readings (... x k) by shares within bounds.

    The best ones are the counts themselves, scaled and cut off. The scale is that at which they come to the whole, or
    where the sum of all shares would leave its bounds, that at which it comes to the nearer bound.
    """
    fell: Floats = np.asarray(counts, np.float64)
    whole = fell.sum(axis=-1, keepdims=True)
    scale = _scale(fell, bounds, np.zeros_like(whole), whole)
    together = np.clip(fell * scale, bounds.low, bounds.high).sum(axis=-1, keepdims=True)
    held = np.clip(together, bounds.least, bounds.most)
    if (held != together).any():
        scale = np.where(held == together, scale, _scale(fell, bounds, held, np.zeros_like(whole)))
    best = np.clip(fell * scale, bounds.low, bounds.high)
    # where all that fell is at its bound and the sum is still too small, outcomes that never fell make up for it
    together = np.maximum(best.sum(axis=-1, keepdims=True), bounds.least)
    return np.asarray((fell * np.log(best / together)).sum(axis=-1))


def _scale(counts: Floats, bounds: Bounds, fixed: Floats, slope: Floats) -> Floats:
    """Return at which scale the cut counts come to ``fixed + slope * scale`` (... x 1); exactly.

    By how much they exceed it is a line with a bend wherever an outcome reaches one of its bounds.
    """
    some, of = counts > 0, np.maximum(counts, 1)
    ends = np.concatenate([np.where(some, bounds.low / of, np.inf), np.where(some, bounds.high / of, np.inf)], axis=-1)
    order = np.argsort(ends, axis=-1)
    ends = np.take_along_axis(ends, order, axis=-1)
    bends = np.take_along_axis(np.concatenate([counts, -counts], axis=-1), order, axis=-1)
    slopes = np.concatenate([-slope, np.cumsum(bends, axis=-1) - slope], axis=-1)
    starts = np.concatenate([np.zeros_like(fixed), np.where(np.isfinite(ends), ends, 0.0)], axis=-1)
    steps = np.where(np.isfinite(ends), np.diff(starts, axis=-1), 0.0)
    excess = bounds.low.sum() - fixed + _from_zero(np.cumsum(slopes[..., :-1] * steps, axis=-1))
    # the line falls where the slope is that of the whole, else it rises: the last place before it crosses zero
    falls = excess[..., :1] > 0
    before = np.where(falls, excess > 0, excess < 0)[..., 1:] & np.isfinite(ends)
    last = before.sum(axis=-1, keepdims=True)
    at, rest, along = (np.take_along_axis(part, last, axis=-1) for part in (starts, excess, slopes))
    found = at + np.abs(rest) / np.maximum(np.abs(along), np.finfo(float).tiny)
    return np.asarray(np.minimum(found, bounds.high.sum()))  # there all that fell is cut off


def _from_zero(sums: Floats) -> Floats:
    return np.concatenate([np.zeros_like(sums[..., :1]), sums], axis=-1)


@dataclass(frozen=True, eq=False)
class CorrectedBet:
    """The bet against "a fair die and this reader": log values as of `Mixture`, never above the reader's due.

    ``level``: the chance of ever calling a fair die biased, bounds and bet together; ``needed``: the logarithm of the
    fortune from which on it is called so.
    """

    seen: Mixture
    bounds: Bounds
    level: float

    @property
    def needed(self) -> float:
        """The logarithm of the fortune from which on a die is called biased."""
        return float(-np.log(self.level * (1 - BOUNDS_LEVEL)))

    def log_value(self, counts: Counts) -> Floats:
        """Return the logarithm of the fortune after these counts of readings (... x k)."""
        return np.asarray(self.seen.log_likelihood(counts) - log_best(counts, self.bounds))


def corrected_bet(mixture: Mixture, reader: Reader, level: float) -> CorrectedBet:
    """Return the bet against a fair die as this reader shows it.

    The bounds hold at every look, so they may learn from audits. What is bet on may not: it would hang on throws that
    the bet is about, and the proof would be gone. So the alternatives are seen through what was known `beforehand`.
    """
    known = reader.seen if reader.beforehand is None else reader.beforehand
    bet_on = seen_through(mixture, Reader(known)) if known.sum(axis=1).all() else mixture
    return CorrectedBet(bet_on, reader.bounds(mixture.fair, level * BOUNDS_LEVEL), level)


def corrected(counts: Counts, reader: Reader) -> Floats:
    """Return the chances (k) that best explain counts of readings (k), the reader's rates being as measured.

    Where chances explain the counts wholly, those; else by expectation and maximisation, so that they remain chances.
    """
    rates = reader.rates
    drawn = np.asarray(counts, np.float64)
    if drawn.sum() == 0:
        return np.full(len(drawn), 1 / len(drawn))
    try:
        whole = np.linalg.solve(rates.T, drawn)
    except np.linalg.LinAlgError:  # two outcomes that this reader cannot tell
        whole = np.full(len(drawn), -1.0)
    if (whole >= 0).all():
        return np.asarray(whole / whole.sum())
    chances = np.full(len(drawn), 1 / len(drawn))
    kept = np.maximum(rates.sum(axis=1), 1e-9)  # faces that are often not read fell oftener
    for _ in range(ROUNDS):
        read = chances @ rates
        came = chances * (rates @ (drawn / np.where(read > 0, read, 1))) / kept
        came /= came.sum()
        if np.abs(came - chances).max() < CHANGE:
            break
        chances = came
    return np.asarray(chances)

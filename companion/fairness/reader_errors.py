"""How a reader's errors change the counts, and a bet that the errors alone cannot win.

A reader saw faces that a person named: the measurement counts how often it read each face as which one, or not. From
this follow the bounds for the shares of a fair die's *readings*. A die is called biased only if its readings are
unlikely under all shares within the bounds, so that the reader alone could not have caused them.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.fairness.confidence import interval
from companion.fairness.mixture import Counts, Mixture
from companion.fairness.outcomes import Floats

USUAL_ERROR: Final = 0.01
"""The expected error rate of a reader; the intervals are narrowest there."""

BOUNDS_LEVEL: Final = 0.2
"""The part of the level that goes to the bounds of the reader's errors; the rest goes to the bet."""

LEAST_RATE: Final = 1e-9
"""Where every named throw of an outcome was misread, it counts as read rightly this rarely, not never."""

MOST_ROUNDS: Final = 400
LEAST_CHANGE: Final = 1e-7


class ReaderError(ValueError):
    """A reader's measurement does not have the form that the sums need."""


@dataclass(frozen=True, eq=False)
class ReaderErrors:
    """How a reader has read faces that a person named.

    ``seen``: whole numbers, k x (k + 1): the true outcome by the outcome read; the last column counts unread ones.
    ``beforehand``: the part of ``seen`` that was known before the first throw of the die to judge; zeros if audits
    during the throws are the only measurement; None if all of it was known. ``together``: for how many outcomes each of
    these throws counts: for all of them where a few throws of each had to serve together.

    Raises:
        ReaderError: another shape, or an outcome that the reader was never shown.
    """

    seen: Counts
    beforehand: Counts | None = None
    together: int = 1

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
    def named(self) -> tuple[int, int, int]:
        """Return how many faces a person named, and how many of them the reader misread and could not read."""
        measured = self.together > 1 and self.beforehand is not None and self.beforehand.any()
        known = self.beforehand if measured and self.beforehand is not None else self.seen
        count, right, unread = (int(part.sum()) // self.together for part in (known, known.diagonal(), known[:, -1]))
        return count, count - right - unread, unread

    @property
    def rates(self) -> Floats:
        """The chance that each outcome is read as each one (k x k); the rest up to 1 is the chance of no reading."""
        return np.asarray(self.seen[:, :-1] / self.seen.sum(axis=1, keepdims=True))

    def read_shares(self, chances: Floats) -> Floats:
        """Return the shares of the readings (... x k) of dice with these chances (... x k)."""
        read = chances @ self.rates
        return np.asarray(read / read.sum(axis=-1, keepdims=True))

    def rate_bounds(self, level: float) -> "Rates":
        """Return the bounds for the rates of this reader's errors; the chance that one is wrong is about ``level``.

        Three kinds of rates have an interval that holds at any time: what leaves an outcome, what enters it from all
        others, and what is not read.
        """
        shown = self.seen.sum(axis=1)
        own, came = np.diagonal(self.seen), self.seen[:, :-1].sum(axis=0)
        kinds = len(shown)
        counts = np.concatenate([shown - own, came - own, [self.seen[:, -1].sum()]])
        wholes = np.concatenate([shown, shown.sum() - shown, [shown.sum()]])
        least, most = interval(counts, wholes, USUAL_ERROR, level / len(counts))
        entered, unread = slice(kinds, -1), float(wholes[-1])
        return Rates(
            shown,
            np.maximum(1 - most[:kinds], LEAST_RATE),
            1 - least[:kinds],
            least[entered] * wholes[entered],
            most[entered] * wholes[entered],
            float(least[-1]) * unread,
            float(most[-1]) * unread,
        )

    def most_misread(self, level: float) -> float:
        """Return the largest share of the readings of one outcome that may show another, as `rate_bounds` bounds it."""
        read, own = self.seen[:, :-1].sum(axis=1), np.diagonal(self.seen)
        _, most = interval(read - own, read, USUAL_ERROR, level / (2 * len(own) + 1))
        return float(most.max())

    def bounds(self, fair: Floats, level: float) -> "Bounds":
        """Return the bounds for the shares of a fair die's readings, out of all throws, unread ones included.

        The chance that one of them is wrong is about ``level`` at most.
        """
        rates = self.rate_bounds(level)
        weights = fair / rates.shown
        low = fair * rates.own_low + rates.least_added(fair)
        high = fair * rates.own_high + rates.most_added(fair)
        unread = rates.least_unread * weights.min(), rates.most_unread * weights.max()
        return Bounds(low, high, max(0.0, 1 - float(unread[1])), 1 - float(unread[0]))


def all_together(seen: Counts) -> Counts:
    """Return what was seen of all outcomes (k x (k + 1)) as if it had been seen of each, its errors spread evenly."""
    kinds = len(seen)
    right, unread = int(np.trace(seen)), int(seen[:, -1].sum())
    wrong, rest = divmod(int(seen.sum()) - right - unread, kinds - 1)
    found = np.full((kinds, kinds + 1), wrong, np.int64)
    for place in range(kinds):
        found[place, (place + 1 + np.arange(rest)) % kinds] += 1
    found[np.arange(kinds), np.arange(kinds)], found[:, -1] = right, unread
    return found


@dataclass(frozen=True, eq=False)
class Rates:
    """The bounds for the rates of a reader's errors.

    ``shown``: how often it was shown each outcome (k). ``own_low`` and ``own_high``: the part of each that it reads
    rightly (k). ``least_entered``, ``most_entered``: how many of the others that were shown are read as this one on
    average (k), and ``least_unread``, ``most_unread``, how many of all are not read.

    The pooled outcomes may have been shown more or less often than they fall: the worst and the best of them count.
    """

    shown: Counts
    own_low: Floats
    own_high: Floats
    least_entered: Floats
    most_entered: Floats
    least_unread: float
    most_unread: float

    def least_added(self, chances: Floats) -> Floats:
        """Return the least that others add to the share of each outcome (k), if none falls less often than this."""
        return np.asarray(self.least_entered * _others(chances / self.shown).min(axis=1))

    def most_added(self, chances: Floats) -> Floats:
        """Return the most that others add to the share of each outcome (k), if none falls more often than this."""
        return np.asarray(self.most_entered * _others(chances / self.shown).max(axis=1))

    def least_read(self, chances: Floats) -> float:
        """Return the least part of all throws that is read, if outcomes fall at most with these chances (k)."""
        unread = min(float((1 - self.own_low).max()), self.most_unread * float((chances / self.shown).max()))
        return max(0.0, 1 - unread)


def _others(values: Floats) -> Floats:
    """Return for each place the values of all others (k x (k - 1))."""
    return np.array([np.delete(values, place) for place in range(len(values))])


@dataclass(frozen=True, eq=False)
class Bounds:
    """The bounds for the shares of a fair die's readings, out of all throws.

    ``low`` and ``high``: of each outcome (k). ``least`` and ``most``: of all outcomes together; the rest up to 1 is
    throws that are not read.
    """

    low: Floats
    high: Floats
    least: float
    most: float


def seen_through(mixture: Mixture, reader: ReaderErrors) -> Mixture:
    """Return the same alternatives as this reader would show them."""
    fair = reader.read_shares(mixture.fair)
    shown = reader.read_shares(np.exp(mixture.shifts) * mixture.fair)
    return Mixture(fair, np.log(shown / fair), mixture.on_shifts, mixture.concentrations, mixture.on_spread)


def log_best(counts: Counts, bounds: Bounds) -> Floats:
    """Return the logarithm of the greatest likelihood of readings (... x k) by shares within bounds.

    The best shares are the counts, scaled and clipped to the bounds. The scale makes the shares add up to the whole.
    Where that sum of all shares would leave its bounds, the scale makes it equal the nearer bound.
    """
    fell: Floats = np.asarray(counts, np.float64)
    whole = fell.sum(axis=-1, keepdims=True)
    scale = _scale(fell, bounds, np.zeros_like(whole), whole)
    together = np.clip(fell * scale, bounds.low, bounds.high).sum(axis=-1, keepdims=True)
    held = np.clip(together, bounds.least, bounds.most)
    if (held != together).any():
        scale = np.where(held == together, scale, _scale(fell, bounds, held, np.zeros_like(whole)))
    best = np.clip(fell * scale, bounds.low, bounds.high)
    # where all outcomes that fell are at their bounds and the sum is too small, outcomes that never fell add the rest
    together = np.maximum(best.sum(axis=-1, keepdims=True), bounds.least)
    return np.asarray((fell * np.log(best / together)).sum(axis=-1))


def _scale(counts: Floats, bounds: Bounds, fixed: Floats, slope: Floats) -> Floats:
    """Return the scale at which the clipped counts add up to ``fixed + slope * scale`` (... x 1); exactly.

    Their excess over it is a piecewise linear function; it bends wherever an outcome reaches one of its bounds.
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
    # with the whole as the slope the excess falls, else it rises: take the last place before it crosses zero
    falls = excess[..., :1] > 0
    before = np.where(falls, excess > 0, excess < 0)[..., 1:] & np.isfinite(ends)
    last = before.sum(axis=-1, keepdims=True)
    at, rest, along = (np.take_along_axis(part, last, axis=-1) for part in (starts, excess, slopes))
    found = at + np.abs(rest) / np.maximum(np.abs(along), np.finfo(float).tiny)
    return np.asarray(np.minimum(found, bounds.high.sum()))  # there every outcome that fell is clipped


def _from_zero(sums: Floats) -> Floats:
    return np.concatenate([np.zeros_like(sums[..., :1]), sums], axis=-1)


@dataclass(frozen=True, eq=False)
class CorrectedBet:
    """The bet against "a fair die and this reader": log values as of `Mixture`, over what the reader may explain.

    ``level``: the chance of ever calling a fair die biased, bounds and bet together. ``needed``: the logarithm of the
    wealth at which a die is called biased.
    """

    seen: Mixture
    bounds: Bounds
    level: float

    @property
    def needed(self) -> float:
        """The logarithm of the wealth at which a die is called biased."""
        return float(-np.log(self.level * (1 - BOUNDS_LEVEL)))

    def log_value(self, counts: Counts) -> Floats:
        """Return the logarithm of the wealth after these counts of readings (... x k)."""
        return np.asarray(self.seen.log_likelihood(counts) - log_best(counts, self.bounds))


def corrected_bet(mixture: Mixture, reader: ReaderErrors, level: float) -> CorrectedBet:
    """Return the bet against a fair die as this reader shows it.

    The bounds hold at any time, so they may learn from audits. The alternatives may not: they would depend on the
    throws that the bet is about, and the proof would fail. So the alternatives are seen through what was known
    `beforehand`.
    """
    known = reader.seen if reader.beforehand is None else reader.beforehand
    bet_on = seen_through(mixture, ReaderErrors(known)) if known.sum(axis=1).all() else mixture
    return CorrectedBet(bet_on, reader.bounds(mixture.fair, level * BOUNDS_LEVEL), level)


def corrected(counts: Counts, reader: ReaderErrors) -> Floats:
    """Return the chances (k) that best explain counts of readings (k), with the reader's rates as measured.

    If some chances explain the counts exactly, it returns those; else it uses expectation and maximisation, so that
    they remain chances.
    """
    rates = reader.rates
    drawn = np.asarray(counts, np.float64)
    if drawn.sum() == 0:
        return np.full(len(drawn), 1 / len(drawn))
    try:
        whole = np.linalg.solve(rates.T, drawn)
    except np.linalg.LinAlgError:  # this reader cannot distinguish two outcomes
        whole = np.full(len(drawn), -1.0)
    if (whole >= 0).all():
        return np.asarray(whole / whole.sum())
    chances = np.full(len(drawn), 1 / len(drawn))
    kept = np.maximum(rates.sum(axis=1), 1e-9)  # faces that are often unread fell more often
    for _ in range(MOST_ROUNDS):
        read = chances @ rates
        came = chances * (rates @ (drawn / np.where(read > 0, read, 1))) / kept
        came /= came.sum()
        if np.abs(came - chances).max() < LEAST_CHANGE:
            break
        chances = came
    return np.asarray(chances)

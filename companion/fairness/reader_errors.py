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

    Raises:
        ReaderError: another shape, or an outcome of which nothing was shown.
    """

    seen: Counts

    def __post_init__(self) -> None:
        kinds = len(self.seen)
        if self.seen.shape != (kinds, kinds + 1) or (self.seen < 0).any():
            raise ReaderError(
                f"Expected for each of {kinds} outcomes how often it was read as each of them and how often not, but "
                f"got an array of {' x '.join(map(str, self.seen.shape))}."
            )
        if (self.seen.sum(axis=1) == 0).any():
            missing = ", ".join(str(place + 1) for place in np.flatnonzero(self.seen.sum(axis=1) == 0))
            raise ReaderError(f"The reader was never shown outcome {missing}: measure it on every face first.")

    @property
    def rates(self) -> Floats:
        """The chance that each outcome is read as each (k x k); what is missing of 1 is not read."""
        return np.asarray(self.seen[:, :-1] / self.seen.sum(axis=1, keepdims=True))

    def read_shares(self, chances: Floats) -> Floats:
        """Return the shares of what is read (k) of a die with these chances (k)."""
        read = chances @ self.rates
        return np.asarray(read / read.sum())

    def bounds(self, fair: Floats, level: float) -> tuple[Floats, Floats]:
        """Return between which bounds the shares of a fair die's readings lie, before what is not read is left out.

        Both have k numbers. That one of them is wrong has a chance of about ``level`` at most: what leaves an outcome
        and what enters it from all others has each an interval that holds at every look.
        """
        shown = self.seen.sum(axis=1)
        own = np.diagonal(self.seen)
        each = level / (2 * len(fair))
        low, high = np.empty(len(fair)), np.empty(len(fair))
        for place, share in enumerate(fair.tolist()):
            least_out, most_out = interval(shown[place] - own[place], shown[place], USUAL_ERROR, each)
            others = np.arange(len(fair)) != place
            came, of = int(self.seen[others, place].sum()), int(shown[others].sum())
            least_in, most_in = interval(np.array(came), np.array(of), USUAL_ERROR, each)
            weights = fair[others] / shown[others] * of  # 1 - share where faces were shown as often as they fall
            low[place] = share * (1 - float(most_out)) + float(least_in) * weights.min()
            high[place] = share * (1 - float(least_out)) + float(most_in) * weights.max()
        return low, high


def seen_through(mixture: Mixture, reader: Reader) -> Mixture:
    """Return the same alternatives as the reader would show them."""
    fair = reader.read_shares(mixture.fair)
    shown = [reader.read_shares(np.exp(shift) * mixture.fair) for shift in mixture.shifts]
    return Mixture(fair, np.log(np.array(shown) / fair), mixture.on_shifts, mixture.concentrations, mixture.on_spread)


def log_best(counts: Counts, low: Floats, high: Floats) -> Floats:
    """Return the logarithm of the greatest likelihood of readings (... x k) by shares within bounds (k each).

    Bounds are of numbers in proportion to the shares. The best ones are the counts themselves, scaled and cut off.
    """
    counts = np.asarray(counts, np.float64)
    whole = counts.sum(axis=-1, keepdims=True)
    some, of = counts > 0, np.maximum(counts, 1)
    ends = np.concatenate([np.where(some, low / of, np.inf), np.where(some, high / of, np.inf)], axis=-1)
    order = np.argsort(ends, axis=-1)
    ends = np.take_along_axis(ends, order, axis=-1)
    bends = np.take_along_axis(np.concatenate([counts, -counts], axis=-1), order, axis=-1)
    # by how much the cut counts exceed the whole, at each scale, is a falling line with a bend wherever one is cut off
    slopes = np.concatenate([-whole, np.cumsum(bends, axis=-1) - whole], axis=-1)
    starts = np.concatenate([np.zeros_like(whole), np.where(np.isfinite(ends), ends, 0.0)], axis=-1)
    steps = np.where(np.isfinite(ends), np.diff(starts, axis=-1), 0.0)
    excess = low.sum() + np.concatenate([np.zeros_like(whole), np.cumsum(slopes[..., :-1] * steps, axis=-1)], axis=-1)
    reached = np.concatenate([np.ones_like(whole, bool), np.isfinite(ends) & (excess[..., 1:] > 0)], axis=-1)
    last = reached.sum(axis=-1, keepdims=True) - 1
    at, rest, slope = (np.take_along_axis(part, last, axis=-1) for part in (starts, excess, slopes))
    scale = at + rest / np.maximum(-slope, np.finfo(float).tiny)
    best = np.clip(counts * scale, low, high)
    shares = best / best.sum(axis=-1, keepdims=True)
    return np.asarray((counts * np.log(shares)).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class CorrectedBet:
    """The bet against "a fair die and this reader": log values as of `Mixture`, never above the reader's due.

    ``level``: the chance of ever calling a fair die biased, bounds and bet together; ``needed``: the logarithm of the
    fortune from which on it is called so.
    """

    seen: Mixture
    low: Floats
    high: Floats
    level: float

    @property
    def needed(self) -> float:
        """The logarithm of the fortune from which on a die is called biased."""
        return float(-np.log(self.level * (1 - BOUNDS_LEVEL)))

    def log_value(self, counts: Counts) -> Floats:
        """Return the logarithm of the fortune after these counts of readings (... x k)."""
        return np.asarray(self.seen.log_likelihood(counts) - log_best(counts, self.low, self.high))


def corrected_bet(mixture: Mixture, reader: Reader, level: float) -> CorrectedBet:
    """Return the bet against a fair die as this reader shows it."""
    low, high = reader.bounds(mixture.fair, level * BOUNDS_LEVEL)
    return CorrectedBet(seen_through(mixture, reader), low, high, level)


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

"""Whether throws repeat earlier ones, asked at every throw: then the thrower may have done it, not the die.

A die that is not turned enough shows again what it showed one to four throws ago. Its counts stray farther than those
of a fair die that is thrown well, so the bet against a fair die may win. This module bets on such repeats. While it
wins as much as the bet against the die, the die is not blamed. `companion.fairness.dependence` asks the same more
thoroughly, but only at a few moments.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Floats

UNREAD_PLACE: Final = -1
"""The place that stands for a throw that was not read."""

LAGS: Final = (1, 2, 3, 4)
"""How many throws ago the throw may be that is repeated."""

PARTS: Final = (0.05, 0.1, 0.2, 0.35, 0.6)
"""Which part of the throws may repeat an earlier one; the stakes on each of them and on each lag are equal."""

ENOUGH: Final = math.log(20)
"""From this logarithm of the wealth on repeats may have won the bet against the die."""

SURE: Final = math.log(100)
"""From this one on the throws are serially dependent, whatever else there is to say of the die."""


@dataclass(frozen=True, eq=False)
class Repeats:
    """Pairs of throws at the distances ``LAGS``: how many there were, and how many were ``same`` (each ... x lags)."""

    pairs: Counts
    same: Counts

    @classmethod
    def none(cls) -> "Repeats":
        """Return those of no throws."""
        return cls(np.zeros(len(LAGS), np.int64), np.zeros(len(LAGS), np.int64))

    def log_value(self, counts: Counts) -> Floats:
        """Return the logarithm of the wealth of a bet on repeats (...); ``counts``: those of the outcomes (... x k).

        Throws that are independent repeat as often as their counts make them.
        """
        counts = np.asarray(counts, np.float64)
        whole = counts.sum(axis=-1)
        by_chance = (counts * (counts - 1)).sum(axis=-1) / np.maximum(whole * (whole - 1), 1)
        by_chance = np.clip(by_chance, 1 / (2 * counts.shape[-1]), 1)[..., None, None]
        parts = np.array(PARTS)
        same, pairs = self.same[..., None], self.pairs[..., None]
        each = same * np.log(parts / by_chance + 1 - parts) + (pairs - same) * np.log1p(-parts)
        flat = each.reshape(*each.shape[:-2], len(LAGS) * len(PARTS))
        most = flat.max(axis=-1, keepdims=True)
        return np.asarray(most[..., 0] + np.log(np.exp(flat - most).mean(axis=-1)))


class Recent:
    """Counts repeats in a sequence that comes in pieces, with what it must remember of the last throws.

    ``together``: so many dice follow each other in one throw, in any order; then whole throws are compared: every die
    of one with every die of the other.

    Attributes:
        so_far: the repeats after all places that were taken.
    """

    def __init__(self, together: int = 1) -> None:
        self._together = together
        self._last = np.zeros(0, np.int64)
        self.so_far = Repeats.none()

    def take(self, places: Counts) -> Repeats:
        """Return the repeats after each next place (n, with `UNREAD_PLACE`), all earlier ones included (n x lags)."""
        many = self._together
        begin = len(self._last)
        whole = np.concatenate([self._last, places])
        keep = len(LAGS) * many + (begin + len(places)) % many if many > 1 else len(LAGS)
        pairs, same = self._pairs(whole)
        pairs, same = pairs[begin:].cumsum(axis=0), same[begin:].cumsum(axis=0)
        after = Repeats(pairs + self.so_far.pairs, same + self.so_far.same)
        if len(places):
            self.so_far = Repeats(after.pairs[-1], after.same[-1])
        self._last = whole[max(0, len(whole) - keep) :]
        return after

    def _pairs(self, whole: Counts) -> tuple[Counts, Counts]:
        """Return how many pairs each place makes with earlier ones, and how many of them are the same (n x lags).

        ``whole`` begins with the first die of a throw. The dice of a throw count when its last one is there.
        """
        many, count = self._together, len(whole)
        pairs, same = np.zeros((count, len(LAGS)), np.int64), np.zeros((count, len(LAGS)), np.int64)
        if many == 1:
            for column, lag in enumerate(LAGS):
                if lag < count:
                    both = (whole[lag:] != UNREAD_PLACE) & (whole[:-lag] != UNREAD_PLACE)
                    pairs[lag:, column] = both
                    same[lag:, column] = both & (whole[lag:] == whole[:-lag])
            return pairs, same
        throws = whole[: count // many * many].reshape(-1, many)
        last = np.arange(many - 1, count, many)
        for column, lag in enumerate(LAGS):
            if lag < len(throws):
                now, then = throws[lag:, :, None], throws[:-lag, None, :]
                both = (now != UNREAD_PLACE) & (then != UNREAD_PLACE)
                pairs[last[lag:], column] = both.sum(axis=(1, 2))
                same[last[lag:], column] = (both & (now == then)).sum(axis=(1, 2))
        return pairs, same


class RepeatsByStation:
    """Counts repeats where throws of several stations come by turns: each follows those of its own station.

    ``together``: as in `Recent`.
    """

    def __init__(self, together: int = 1) -> None:
        self._together = together
        self._by_station: dict[int, Recent] = {}
        self._so_far = Repeats.none()

    def take(self, places: Counts, stations: Counts) -> Repeats:
        """Return the repeats after each of the next places (n), all earlier ones included (n x lags).

        ``stations``: the number of the station of each (n).
        """
        pairs, same = np.zeros((len(places), len(LAGS)), np.int64), np.zeros((len(places), len(LAGS)), np.int64)
        for station in np.unique(stations).tolist():
            mine = stations == station
            recent = self._by_station.setdefault(station, Recent(self._together))
            before, after = recent.so_far, recent.take(places[mine])
            pairs[mine] = np.diff(after.pairs, axis=0, prepend=before.pairs[None])
            same[mine] = np.diff(after.same, axis=0, prepend=before.same[None])
        after = Repeats(pairs.cumsum(axis=0) + self._so_far.pairs, same.cumsum(axis=0) + self._so_far.same)
        if len(places):
            self._so_far = Repeats(after.pairs[-1], after.same[-1])
        return after

"""How long it takes until every prize has come at least once: exact mean, deviation and distribution.

Each throw gives prize *i* with chance ``weights[i] / total``, at most one prize a throw. By inclusion and exclusion the
chance that all have come after *n* throws is the sum over sets S of prizes of (-1)^|S| (1 - w(S)/total)^n. All weights
are whole numbers, so the sets are grouped by their weight: the product of (1 - z^w) over all prizes, expanded, has at
z^k the signed number of sets of weight k. At most ``sum(weights)`` of the 2^56 terms remain.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

FRACTION_BITS = 128
"""The fixed point in which the distribution is summed: whole numbers of 2^-128. The largest coefficient of Wibold's
game has 29 bits, which would spoil a float; each value here is off by less than 2^-100, however many terms are
rounded."""

NEGLIGIBLE_CHANCE = 1e-12
"""The distribution is listed until the chance of an even longer game is below this."""


def signed_sets(weights: Sequence[int]) -> list[int]:
    """Return the coefficients of the product of (1 - z^w): at k the number of sets of weight k, odd ones negative."""
    terms = [1]
    for weight in weights:
        grown = terms + [0] * weight
        for power, count in enumerate(terms):
            grown[power + weight] -= count
        terms = grown
    return terms


class LengthDistribution:
    """The exact distribution of the number of throws until every prize has come."""

    def __init__(self, weights: Sequence[int], total: int) -> None:
        if not weights or min(weights) < 1 or sum(weights) > total:
            raise ValueError(f"Expected weights from 1 that sum to at most {total}, but got {list(weights)}.")
        self.weights = tuple(weights)
        self.total = total
        self.terms = tuple((k, count) for k, count in enumerate(signed_sets(weights)) if count)

    @cached_property
    def mean(self) -> Fraction:
        """The expected number of throws: the sum over n of the chance that n throws are not enough."""
        return -sum((Fraction(count * self.total, k) for k, count in self.terms if k), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the number of throws."""
        second = Fraction(0)
        for k, count in self.terms:
            if k:
                wait = Fraction(self.total, k)
                second -= count * (2 * (wait * wait - wait) + wait)
        return second - self.mean * self.mean

    @property
    def deviation(self) -> float:
        """The standard deviation in throws."""
        return math.sqrt(self.variance)

    @cached_property
    def cumulative(self) -> tuple[float, ...]:
        """The chance that n throws are enough, for n = 0, 1, 2, ... until all but `NEGLIGIBLE_CHANCE` is covered."""
        one = 1 << FRACTION_BITS
        reach = self._reach()
        sums = [0] * reach
        for k, count in self.terms:
            # multiply the size alone: a negative number would be rounded away from 0 and never reach it
            size, sign = abs(count) * one, 1 if count > 0 else -1
            left = self.total - k
            for n in range(reach):
                if not size:
                    break
                sums[n] += sign * size
                size = size * left // self.total
        return tuple(max(0, value) / one for value in sums)

    def _reach(self) -> int:
        """Return how many throws to list: the rarest prizes decide the length of the tail."""
        least = min(self.weights)
        rarest = self.weights.count(least)
        if least == self.total:
            return 2
        return math.ceil(math.log(NEGLIGIBLE_CHANCE / (rarest + 1)) / math.log1p(-least / self.total)) + len(
            self.weights
        )

    def within(self, throws: int) -> float:
        """Return the chance that this many throws are enough."""
        if throws < 0:
            return 0.0
        return self.cumulative[throws] if throws < len(self.cumulative) else 1.0

    def percentile(self, share: float) -> int:
        """Return the smallest number of throws that is enough with at least this chance, ``0 < share < 1``."""
        if not 0 < share < 1:
            raise ValueError(f"Expected a share between 0 and 1, but got {share}.")
        low, high = 0, len(self.cumulative) - 1
        while low < high:
            middle = (low + high) // 2
            if self.cumulative[middle] >= share:
                high = middle
            else:
                low = middle + 1
        return low

    def histogram(self, width: int) -> list[float]:
        """Return the chance of each bin of ``width`` throws, from 1 on; the last bin includes all beyond the list."""
        edges = range(0, len(self.cumulative) + width, width)
        chances = [self.within(edge + width) - self.within(edge) for edge in edges[:-1]]
        chances[-1] += 1 - self.within(edges[-1])
        return chances

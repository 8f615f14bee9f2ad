"""How many throws a die of a batch needs: looked at any time, at one declared look, or in two rounds.

Two rounds: each die is thrown some times, and then only those are thrown on whose bet has won anything yet. The wealth
of a die counts at any number of its throws, so it may be thrown more often than others, whatever that hangs on.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from companion.fairness.batches.batch import FALSE_AMONG_CALLED, closed_e_bh
from companion.fairness.batches.fixed_batch import benjamini_hochberg
from companion.fairness.mixture import Counts, mixture_of
from companion.fairness.outcomes import Contrast, Floats, Outcomes
from companion.fairness.planning import MOST_THROWS, SOON, off_by, plan

PLAN_GROWTH: Final = 1.15
"""A plan tries this many times as many throws next."""

FEWEST_PLANNED: Final = 0.2
"""The fewest throws of each die that a plan tries, as a part of those that a die alone needs."""

PLANNED_BATCHES: Final = 150
"""How many batches a plan simulates at each number of throws."""

PART_FOUND: Final = 0.8
"""A plan looks for the throws that find this part of the dice that are off."""

FIRST_ROUNDS: Final = (0.3, 0.4, 0.5, 0.6)
"""Tried lengths of a first round, in parts of the throws that each die needs without a second one."""

LONGEST_SECOND_ROUND: Final = 2.0
"""After a second round no die has more throws than this many times those that each needs without one."""

LOG_E_TO_GO_ON: Final = 0.0
"""A second round takes the dice whose wealth has at least this logarithm: their bet has lost nothing of its stake."""


@dataclass(frozen=True)
class TwoRounds:
    """A plan in two rounds: ``first`` throws of each die, then up to ``second`` of about ``dice`` of them."""

    first: int
    second: int
    dice: float
    throws: int


@dataclass(frozen=True)
class BatchPlan:
    """Throws of each die that find 80 % of the dice that are off; None if that takes more than anybody makes.

    ``alone``: of a single die, looked at any time. ``any_time``: if the batch may be looked at any time. ``once``: at
    one declared look. ``rounds``: the two rounds with the fewest throws in all.
    """

    alone: int | None
    any_time: int | None
    once: int | None
    rounds: TwoRounds | None


@lru_cache(maxsize=64)  # a report asks in each of its forms
def batch_plan(outcomes: Outcomes, contrast: Contrast, bias: float, dice: int, off: int) -> BatchPlan:
    """Return how many throws each die of a batch needs, of which ``off`` are off by ``bias``. Simulated.

    Raises:
        ValueError: no die can have that bias, or there are not 1 to ``dice`` dice that are off.
    """
    if not 1 <= off <= dice:
        raise ValueError(f"Expected 1 to {dice} dice that are off, but got {off}.")
    batches = _Batches(outcomes, off_by(outcomes, contrast, bias), dice, off)
    alone = plan(outcomes, contrast, bias, SOON).four_of_five
    if alone is None:
        return BatchPlan(None, None, None, None)
    any_time, once = (_fewest(found, FEWEST_PLANNED * alone, MOST_THROWS) for found in (batches.found, batches.at_once))
    rounds = () if any_time is None else (batches.two_rounds(round(any_time * part), any_time) for part in FIRST_ROUNDS)
    return BatchPlan(
        alone,
        any_time,
        once,
        min((one for one in rounds if one is not None), key=lambda one: one.throws, default=None),
    )


def _fewest(found: Callable[[int], float], least: float, most: float) -> int | None:
    while least < most:
        if found(round(least)) >= PART_FOUND:
            return round(least)
        least *= PLAN_GROWTH
    return None


class _Batches:
    """Simulated batches of so many ``dice``, of which the first ``off`` have the chances ``biased`` (k)."""

    def __init__(self, outcomes: Outcomes, biased: Floats, dice: int, off: int) -> None:
        self._outcomes, self._off, self._mixture = outcomes, off, mixture_of(outcomes)
        self._chances = np.vstack([np.tile(biased, (off, 1)), np.tile(outcomes.fair, (dice - off, 1))])

    def _thrown(self, throws: int, seed: int = 1) -> Counts:
        """Return the counts of each die of each batch after so many throws (batches x dice x k)."""
        rng = np.random.default_rng([seed, throws])
        return rng.multinomial(throws, self._chances, size=(PLANNED_BATCHES, len(self._chances)))

    def at_once(self, throws: int) -> float:
        """Return which part of the dice that are off one declared look finds."""
        p = _p(self._thrown(throws), self._outcomes, throws)
        called = [benjamini_hochberg(one, FALSE_AMONG_CALLED) for one in p]
        return float(np.mean([one[: self._off].mean() for one in called]))

    def found(self, throws: int) -> float:
        """Return which part of the dice that are off is found if all are looked at then."""
        return self._found(self._thrown(throws))

    def _found(self, counts: Counts) -> float:
        called = [closed_e_bh(one, FALSE_AMONG_CALLED) for one in self._mixture.log_value(counts)]
        return float(np.mean([one[: self._off].mean() for one in called]))

    def two_rounds(self, first: int, without: int) -> TwoRounds | None:
        """Return the shortest second round after a first one; ``without``: throws that each die needs without it."""
        begun = self._thrown(first)
        on = self._mixture.log_value(begun) >= LOG_E_TO_GO_ON

        def found(second: int) -> float:
            return self._found(begun + self._thrown(second - first, seed=2) * on[..., None])

        second = _fewest(found, first * PLAN_GROWTH, without * LONGEST_SECOND_ROUND)
        if second is None:
            return None
        going_on = float(on.sum(axis=1).mean())
        return TwoRounds(first, second, going_on, round(first * on.shape[1] + (second - first) * going_on))


def _p(counts: Counts, outcomes: Outcomes, throws: int) -> Floats:
    """Return p by Pearson's chi-square, nearly (Wilson and Hilferty 1931); exact enough for a plan."""
    expected = outcomes.fair * throws
    freedom = len(expected) - 1
    cubic = (((counts - expected) ** 2 / expected).sum(axis=-1) / freedom) ** (1 / 3)
    z = (cubic - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    return np.asarray(np.vectorize(math.erfc)(z / math.sqrt(2)) / 2)

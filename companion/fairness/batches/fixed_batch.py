"""One look at a batch, declared before the first throw: it finds more dice than looks at any time, and only once."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from companion.fairness.batches.batch import FALSE_AMONG_CALLED, InBatch, closed_e_bh
from companion.fairness.fixed_sample import fixed_test
from companion.fairness.mixture import Counts, mixture_of
from companion.fairness.outcomes import Contrast, Floats, Outcomes
from companion.fairness.planning import MOST_THROWS, off_by

PLAN_GROWTH: Final = 1.15
"""A plan tries this many times as many throws next."""

FEWEST_PLANNED: Final = 50.0
"""The fewest throws of each die that a plan tries."""

PLANNED_BATCHES: Final = 60
"""How many batches a plan simulates at each number of throws."""

PART_FOUND: Final = 0.8
"""A plan looks for the throws that find this part of the dice that are off."""


@dataclass(frozen=True)
class FixedBatch:
    """The look at a batch after so many ``throws`` of each die, no more and no fewer.

    ``early``: the places of dice with another number of throws, or with throws that were not read. ``called``: the
    places of the dice that it calls biased; none while there are such dice.
    """

    throws: int
    early: tuple[int, ...]
    called: tuple[int, ...]


def fixed_batch(dice: Sequence[InBatch], throws: int) -> FixedBatch:
    """Judge a batch at the one look that was declared, by the Benjamini-Hochberg procedure.

    Of the dice that it calls biased at most 5 of 100 are fair, on average. Dice whose throws are serially dependent are
    not called.
    """
    early = tuple(
        place for place, one in enumerate(dice) if one.throws != throws or one.alone.unread or one.account.reader
    )
    if early:
        return FixedBatch(throws, early, ())
    p = [
        1.0
        if one.alone.said == "serially dependent"
        else fixed_test(one.alone.counts, one.account.outcomes.fair, seed=place).p
        for place, one in enumerate(dice)
    ]
    return FixedBatch(throws, (), tuple(np.flatnonzero(benjamini_hochberg(np.array(p), FALSE_AMONG_CALLED)).tolist()))


def benjamini_hochberg(p: Floats, level: float) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Tell which hypotheses are rejected (n), by independent p-values (n) of one look (Benjamini, Hochberg 1995)."""
    order = np.argsort(p, kind="stable")
    enough = np.flatnonzero(p[order] <= level * np.arange(1, len(p) + 1) / len(p))
    out = np.zeros(len(p), bool)
    if len(enough):
        out[order[: enough[-1] + 1]] = True
    return out


@dataclass(frozen=True)
class BatchPlan:
    """Throws of each die that find 80 % of the dice that are off; None if that takes more than anybody makes.

    ``any_time``: if the batch may be looked at any time. ``once``: at one declared look.
    """

    any_time: int | None
    once: int | None


def batch_plan(outcomes: Outcomes, contrast: Contrast, bias: float, dice: int, off: int, *, seed: int = 1) -> BatchPlan:
    """Return how many throws each die of a batch needs, of which ``off`` are off by ``bias``. Simulated.

    Raises:
        ValueError: no die can have that bias, or there are not 1 to ``dice`` dice that are off.
    """
    if not 1 <= off <= dice:
        raise ValueError(f"Expected 1 to {dice} dice that are off, but got {off}.")
    chances = np.vstack([np.tile(off_by(outcomes, contrast, bias), (off, 1)), np.tile(outcomes.fair, (dice - off, 1))])
    found = partial(_found, outcomes, chances, off, seed)
    return BatchPlan(
        _fewest(lambda throws: found(throws, once=False)), _fewest(lambda throws: found(throws, once=True))
    )


def _fewest(found: Callable[[int], float]) -> int | None:
    throws = FEWEST_PLANNED
    while throws < MOST_THROWS:
        if found(round(throws)) >= PART_FOUND:
            return round(throws)
        throws *= PLAN_GROWTH
    return None


def _found(outcomes: Outcomes, chances: Floats, off: int, seed: int, throws: int, *, once: bool) -> float:
    """Return which part of the dice that are off is found, of `PLANNED_BATCHES` batches."""
    counts = np.random.default_rng([seed, throws]).multinomial(throws, chances, size=(PLANNED_BATCHES, len(chances)))
    if once:
        p = _p(counts, outcomes, throws)
        called = [benjamini_hochberg(one, FALSE_AMONG_CALLED) for one in p]
    else:
        called = [closed_e_bh(one, FALSE_AMONG_CALLED) for one in mixture_of(outcomes).log_value(counts)]
    return float(np.mean([one[:off].mean() for one in called]))


def _p(counts: Counts, outcomes: Outcomes, throws: int) -> Floats:
    """Return p by Pearson's chi-square, nearly (Wilson and Hilferty 1931); exact enough for a plan."""
    expected = outcomes.fair * throws
    freedom = len(expected) - 1
    cubic = (((counts - expected) ** 2 / expected).sum(axis=-1) / freedom) ** (1 / 3)
    z = (cubic - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    return np.asarray(np.vectorize(math.erfc)(z / math.sqrt(2)) / 2)

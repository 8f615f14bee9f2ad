"""One look at a batch, declared before the first throw: it finds more dice than looks at any time, and only once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.fairness.batches.batch import FALSE_AMONG_CALLED, InBatch
from companion.fairness.fixed_sample import fixed_test
from companion.fairness.outcomes import Floats


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

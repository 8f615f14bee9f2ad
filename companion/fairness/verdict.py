"""The three possible verdicts on a die: biased, no bias larger than a stated one, or not enough throws yet."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from companion.fairness.confidence import Intervals, all_intervals, interval
from companion.fairness.mixture import Counts, Mixture, mixture_of
from companion.fairness.outcomes import Contrast, Floats, Outcomes
from companion.fairness.reader_errors import CorrectedBet, Reader, corrected, corrected_bet

Said = Literal["biased", "no larger bias", "not enough"]

LEVEL: Final = 0.05
"""The chance of ever calling a fair die biased, and the chance that the intervals ever miss the truth."""

MATTERS: Final = 0.3
"""The bias that matters if nobody names one: this part of the rarest outcome's chance, 5 points for a cube."""

LOOKS: Final = 32
"""How many moments of the evidence are kept of each doubling of the throws, 509 of the first million; and the last."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """The course of the bet: after ``throws`` throws the logarithm of the wealth was ``log_value`` (each m).

    ``called``: after how many throws the die was first called biased, None if never. ``most``: the greatest logarithm
    ever. The chance that a fair die reaches ``needed`` is at most the level.
    """

    throws: Counts
    log_value: Floats
    most: float
    called: int | None
    needed: float

    @property
    def p(self) -> float:
        """The p-value that is valid at every look: 1 over the greatest wealth."""
        return min(1.0, math.exp(-self.most))


@dataclass(frozen=True, eq=False)
class Judgement:
    """The verdict on one die, and what it rests on.

    ``counts`` by outcome (k). ``intervals`` of their chances, which hold together. ``contrasts`` with theirs.
    ``smallest``: the bias that matters, a difference of chances. ``largest``: no chance is farther from fair than this,
    by the intervals. ``raw`` is the evidence as if the reader never erred. ``evidence`` is what counts: the same, or
    with a measured reader, what its errors cannot explain. ``estimate``: the chances, corrected for the reader.
    """

    said: Said
    counts: Counts
    intervals: Intervals
    contrasts: tuple[tuple[Contrast, tuple[float, float]], ...]
    smallest: float
    largest: float
    raw: Evidence
    evidence: Evidence
    estimate: Floats

    @property
    def reader_explains(self) -> bool:
        """Whether the readings look biased, but the reader's errors could have made them so."""
        return self.raw.called is not None and self.evidence.called is None


def judge(
    shown: Counts, outcomes: Outcomes, *, smallest: float | None = None, reader: Reader | None = None
) -> Judgement:
    """Judge a die by its throws in their order, places of outcomes (n), with a look after each of them.

    ``smallest``: the bias that matters, named before the first throw. ``reader``: how it read known faces.
    """
    return _judged(after_each(shown, outcomes), outcomes, smallest, reader)


def after_each(shown: Counts, outcomes: Outcomes) -> Counts:
    """Return the counts after each of the throws (n x k); ``shown``: places of outcomes in their order (n)."""
    return np.asarray((np.asarray(shown, np.int64)[:, None] == np.arange(len(outcomes.labels))).cumsum(axis=0))


def judge_counts(
    counts: Counts, outcomes: Outcomes, *, smallest: float | None = None, reader: Reader | None = None
) -> Judgement:
    """Judge a die by how often each outcome fell (k), if the order is lost: with one look, at the end."""
    counts = np.asarray(counts, np.int64)
    return _judged(counts[None][: int(counts.sum() > 0)], outcomes, smallest, reader)


def _judged(looks: Counts, outcomes: Outcomes, smallest: float | None, reader: Reader | None) -> Judgement:
    """Judge by the counts at each look (m x k)."""
    mixture = mixture_of(outcomes)
    counts = looks[-1] if len(looks) else np.zeros(len(outcomes.labels), np.int64)
    raw = _evidence(looks, mixture, -math.log(LEVEL))
    if reader is None:
        return concluded(counts, outcomes, raw, smallest=smallest)
    bet = corrected_bet(mixture, reader, LEVEL)
    read = CorrectedReadings(reader, bet, _evidence(looks, bet, bet.needed))
    return concluded(counts, outcomes, raw, smallest=smallest, read=read)


@dataclass(frozen=True, eq=False)
class CorrectedReadings:
    """A measured reader, the bet that its errors cannot win, and the course of that bet."""

    reader: Reader
    bet: CorrectedBet
    evidence: Evidence


def concluded(
    counts: Counts,
    outcomes: Outcomes,
    raw: Evidence,
    *,
    smallest: float | None = None,
    read: CorrectedReadings | None = None,
) -> Judgement:
    """Return the judgement after these counts (k) and these courses of the bets."""
    smallest = MATTERS * float(outcomes.fair.min()) if smallest is None else smallest
    evidence, estimate = raw, counts / max(1, counts.sum())
    several = [contrast for contrast in outcomes.contrasts if contrast.kind != "face"]
    ends, found = all_intervals(counts, outcomes, several, LEVEL)
    if read is not None:
        evidence, estimate = read.evidence, corrected(counts, read.reader)
        ends = through(ends, read.bet, outcomes.fair)
    largest = float(ends.farthest(outcomes.fair))
    said: Said = "not enough"
    if evidence.called is not None:
        said = "biased"
    elif largest <= smallest:
        said = "no larger bias"
    return Judgement(
        said, counts, ends, tuple(zip(several, found, strict=True)), smallest, largest, raw, evidence, estimate
    )


def is_kept(throws: Counts) -> npt.NDArray[np.bool_]:
    """Tell for which numbers of throws the evidence is kept: each at first, then `LOOKS` of each doubling."""
    throws = np.asarray(throws, np.int64)
    doublings = np.frexp(np.maximum(throws, 1) / LOOKS)[1] - 1
    return np.asarray(throws % (1 << np.maximum(doublings, 0).astype(np.int64)) == 0)


def _evidence(looks: Counts, bet: Mixture | CorrectedBet, needed: float) -> Evidence:
    """Return the course of the bet; ``looks``: the counts at each of them (m x k)."""
    if not len(looks):
        return Evidence(np.zeros(0, np.int64), np.zeros(0), 0.0, None, needed)
    throws, values = looks.sum(axis=1), bet.log_value(looks)
    over = np.flatnonzero(values >= needed)
    kept = is_kept(throws)
    kept[-1] = True
    called = int(throws[over[0]]) if len(over) else None
    return Evidence(throws[kept], values[kept], max(0.0, float(values.max())), called, needed)


def through(ends: Intervals, bet: CorrectedBet, fair: Floats) -> Intervals:
    """Widen intervals of the readings to those of the die: by what the reader may have added and taken.

    The bounds are those of a fair die's readings, so this holds only for a die that is nearly fair.
    """
    added = np.maximum(bet.bounds.high - fair, 0)
    taken = np.maximum(fair - bet.bounds.low, 0)
    return Intervals(np.maximum(ends.low - added, 0), np.minimum(ends.high + taken, 1))


@lru_cache(maxsize=256)  # the page asks after every throw, and a report asks twice
def throws_for(outcomes: Outcomes, smallest: float) -> int:
    """Return about how many throws of a fair die rule out a larger bias than this in 4 of 5 cases."""
    low, high = 1, 1
    while not _narrow(outcomes, smallest, high):
        low, high = high, high * 2
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if _narrow(outcomes, smallest, middle) else (middle, high)
    return high


_IN_FOUR_OF_FIVE: Final = 2.0
"""In one case of five the farthest of some outcomes deviates by more than this many standard deviations."""


def _narrow(outcomes: Outcomes, smallest: float, throws: int) -> bool:
    for share in outcomes.fair.tolist():
        stray = _IN_FOUR_OF_FIVE * math.sqrt(share * (1 - share) * throws)
        count = np.array([max(0, round(throws * share - stray)), min(throws, round(throws * share + stray))])
        low, high = interval(count, np.full(2, throws), share, LEVEL / len(outcomes.labels))
        if max(share - float(low[0]), float(high[1]) - share) > smallest:
            return False
    return True

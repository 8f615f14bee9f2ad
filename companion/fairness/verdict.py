"""The possible verdicts on a die: biased, no bias larger than a stated one, not enough throws yet; or none at all.

Where throws are serially dependent, no verdict on the die is possible: its bets and intervals are about independent
throws.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Final, Literal

import numpy as np

from companion.fairness.confidence import Intervals, interval
from companion.fairness.course import BetEvidence, Courses
from companion.fairness.dependence import Doubt, Finding
from companion.fairness.mixture import Counts, mixture_of
from companion.fairness.outcomes import Contrast, Floats, Outcomes
from companion.fairness.reader_errors import BOUNDS_LEVEL, ReaderErrors, corrected, corrected_bet
from companion.fairness.reader_intervals import die_intervals
from companion.fairness.serial_dependence import ENOUGH, SURE
from companion.fairness.stakes import CURRENT_STAKES, watched

Conclusion = Literal["biased", "no larger bias", "not enough", "serially dependent"]

SIGNIFICANCE_LEVEL: Final = 0.05
"""The chance of ever calling a fair die biased, and the chance that the intervals ever miss the truth."""

RELEVANT_BIAS: Final = 0.3
"""The bias that matters if nobody names one: this part of the rarest outcome's chance, 5 points for a cube."""


@dataclass(frozen=True, eq=False)
class Judgement:
    """The verdict on one die, and what it rests on.

    ``counts`` by outcome (k). ``unread``: how many throws were not read. ``intervals`` of the outcomes' chances, which
    hold together. ``contrasts`` with theirs. ``smallest``: the bias that matters, a difference of chances. ``largest``:
    no chance is farther from fair than this, by the intervals. ``raw`` is the evidence as if the reader never erred.
    ``evidence`` is what counts: the same, or what a measured reader's errors cannot explain, or without a measurement
    what the unread throws cannot. ``estimate``: the chances, corrected for the reader. ``misread``: the largest share
    of the throws of a face that may count for another, which the evidence allows for; None without a measurement.
    ``doubts``: other causes than the die that the throws leave open. ``stakes``: the number of the stakes of the bet.
    """

    said: Conclusion
    counts: Counts
    intervals: Intervals
    contrasts: tuple[tuple[Contrast, tuple[float, float]], ...]
    smallest: float
    largest: float
    raw: BetEvidence
    evidence: BetEvidence
    estimate: Floats
    unread: int
    misread: float | None
    stakes: int
    doubts: tuple[Doubt, ...] = ()

    @property
    def measured(self) -> bool:
        """Whether it is known how the reader read known faces."""
        return self.misread is not None

    @property
    def reader_explains(self) -> bool:
        """Whether the readings look biased, but the reader's errors could have made them so."""
        return self.measured and self._explained

    @property
    def unread_explain(self) -> bool:
        """Whether the readings look biased, but so many throws were not read that these could have made them so."""
        return not self.measured and self._explained

    @property
    def _explained(self) -> bool:
        return self.raw.reached is not None and self.evidence.reached is None

    def with_findings(self, findings: Sequence[Finding]) -> "Judgement":
        """Return the judgement after questions about the thrower: of dependent throws it says only that they are."""
        dependent = any(finding.found and finding.question in DEPENDENCE_QUESTIONS for finding in findings)
        return replace(self, said="serially dependent") if dependent else self


DEPENDENCE_QUESTIONS: Final = frozenset({"lag", "drift", "period", "cycle"})
"""The questions that, answered with yes, say that the throws of one die are not independent and alike."""


def judge(
    shown: Counts,
    outcomes: Outcomes,
    *,
    smallest: float | None = None,
    reader: ReaderErrors | None = None,
    stakes: int = CURRENT_STAKES,
    together: int = 1,
    stations: Counts | None = None,
) -> Judgement:
    """Judge a die by its throws in their order, and again after each of them.

    ``shown``: places of outcomes, or `companion.fairness.serial_dependence.UNREAD_PLACE` (n). ``smallest``: the bias
    that matters, named before the first throw. ``reader``: how it read known faces. ``stakes``: the number of the
    stakes of the bet. ``together``: how many dice that nobody can distinguish fell in one throw. ``stations``: the
    number of the station of each throw (n), where several threw at the same time.
    """
    against = Against(outcomes, smallest, reader, stakes)
    courses = against.courses(together)
    courses.take(np.asarray(shown, np.int64), stations)
    return against.concluded(courses)


def judge_counts(
    counts: Counts,
    outcomes: Outcomes,
    *,
    smallest: float | None = None,
    reader: ReaderErrors | None = None,
    stakes: int = CURRENT_STAKES,
    unread: int = 0,
) -> Judgement:
    """Judge a die by how often each outcome fell (k), if the order is lost: with one look, at the end.

    ``unread``: how many more throws were not read.
    """
    against = Against(outcomes, smallest, reader, stakes)
    courses = against.courses()
    courses.take_counts(np.asarray(counts, np.int64), unread)
    return against.concluded(courses)


@dataclass(frozen=True)
class Against:
    """What a die is judged by, fixed before its first throw; the fields are as in `judge`."""

    outcomes: Outcomes
    smallest: float | None = None
    reader: ReaderErrors | None = None
    stakes: int = CURRENT_STAKES

    def courses(self, together: int = 1) -> Courses:
        """Return the courses of the bets before the first throw."""
        mixture = mixture_of(self.outcomes, self.stakes)
        bet = None if self.reader is None else corrected_bet(mixture, self.reader, SIGNIFICANCE_LEVEL)
        return Courses(
            mixture, -math.log(SIGNIFICANCE_LEVEL), None if bet is None else (bet, bet.needed), together=together
        )

    def concluded(self, courses: Courses) -> Judgement:
        """Return the judgement after what these courses have taken."""
        outcomes, counts, raw, through = self.outcomes, courses.counts, courses.raw, courses.through
        smallest = RELEVANT_BIAS * float(outcomes.fair.min()) if self.smallest is None else self.smallest
        evidence = raw if through is None else through
        several = watched(outcomes, self.stakes)
        ends, found = die_intervals(
            counts, outcomes, several, SIGNIFICANCE_LEVEL, reader=self.reader, unread=courses.unread
        )
        largest = float(ends.farthest(outcomes.fair))
        conclusion: Conclusion = "not enough"
        if courses.repeats >= SURE or (evidence.reached is not None and _held(evidence, courses.repeats)):
            conclusion = "serially dependent"
        elif evidence.called is not None:
            conclusion = "biased"
        elif largest <= smallest:
            conclusion = "no larger bias"
        estimate = counts / max(1, counts.sum()) if self.reader is None else corrected(counts, self.reader)
        return Judgement(
            conclusion,
            counts,
            ends,
            tuple(zip(several, found, strict=True)),
            smallest,
            largest,
            raw,
            evidence,
            estimate,
            courses.unread,
            None if self.reader is None else self.reader.most_misread(SIGNIFICANCE_LEVEL * BOUNDS_LEVEL),
            self.stakes,
        )


def _held(evidence: BetEvidence, repeats: float) -> bool:
    """Tell whether repeats, by the logarithm of the wealth on them, may have won the bet against the die."""
    return evidence.called is None or (repeats >= ENOUGH and evidence.most < evidence.needed + repeats)


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


IN_FOUR_OF_FIVE: Final = 0.8

STRAYS: Final = np.linspace(-4, 4, 161)
"""How far a count may stray, in standard deviations."""


def _narrow(outcomes: Outcomes, smallest: float, throws: int) -> bool:
    """Return whether a fair die's intervals all stay within a bias of ``smallest`` in 4 of 5 cases."""
    kinds, half, chance = len(outcomes.labels), (STRAYS[1] - STRAYS[0]) / 2, 1.0
    for share, many in zip(*np.unique(outcomes.fair.round(12), return_counts=True), strict=True):
        counts = np.round(throws * share + STRAYS * math.sqrt(share * (1 - share) * throws)).clip(0, throws)
        low, high = interval(
            counts.astype(np.int64), np.full(len(counts), throws), float(share), SIGNIFICANCE_LEVEL / kinds
        )
        within = STRAYS[np.maximum(share - low, high - share) <= smallest]
        if not len(within):
            return False
        normal = NormalDist().cdf
        chance *= (normal(float(within[-1] + half)) - normal(float(within[0] - half))) ** int(many)
    return chance >= IN_FOUR_OF_FIVE

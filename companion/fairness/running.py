"""Judge a die while somebody throws it: add each throw to what is known, without summing everything again."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from companion.fairness.mixture import Counts, Mixture, mixture_of
from companion.fairness.outcomes import Outcomes
from companion.fairness.reader_errors import CorrectedBet, Reader, corrected_bet
from companion.fairness.verdict import LEVEL, CorrectedReadings, Evidence, Judgement, after_each, concluded, is_kept


@dataclass
class _Course:
    """The course of one bet. ``kept`` are the moments that `Evidence` keeps, without the last one."""

    bet: Mixture | CorrectedBet
    needed: float
    kept: list[tuple[int, float]] = field(default_factory=list)
    last: float = 0.0
    most: float = 0.0
    called: int | None = None

    def look(self, counts: Counts, throws: int, *, keep: bool) -> None:
        self.last = float(self.bet.log_value(counts))
        self.most = max(self.most, self.last)
        if self.called is None and self.last >= self.needed:
            self.called = throws
        if keep:
            self.kept.append((throws, self.last))

    def look_at_all(self, looks: Counts) -> None:
        """Take the counts after each of the first throws (n x k), when there has been no look before."""
        values = self.bet.log_value(looks)
        numbers = np.arange(1, len(looks) + 1)
        over = np.flatnonzero(values >= self.needed)
        self.called = int(numbers[over[0]]) if len(over) else None
        self.last, self.most = float(values[-1]), max(0.0, float(values.max()))
        kept = is_kept(numbers)
        self.kept = list(zip(numbers[kept].tolist(), values[kept].tolist(), strict=True))

    def evidence(self, throws: int) -> Evidence:
        moments = [*self.kept]
        if throws and (not moments or moments[-1][0] != throws):
            moments.append((throws, self.last))
        numbers = np.array([number for number, _ in moments], np.int64)
        values = np.array([value for _, value in moments], np.float64)
        return Evidence(numbers, values, self.most, self.called, self.needed)


class Running:
    """The judgement of one die after each throw: what `companion.fairness.verdict.judge` says of all throws so far.

    ``smallest`` and ``reader`` are as there, fixed before the first throw. It cannot take back a throw: after a
    correction, start again with `of`, so that the evidence is that of the corrected throws in their order.
    """

    def __init__(self, outcomes: Outcomes, *, smallest: float | None = None, reader: Reader | None = None) -> None:
        self.outcomes = outcomes
        self._smallest = smallest
        self._reader = reader
        self._counts = np.zeros(len(outcomes.labels), np.int64)
        mixture = mixture_of(outcomes)
        self._bet = None if reader is None else corrected_bet(mixture, reader, LEVEL)
        self._courses = [_Course(mixture, -math.log(LEVEL))]
        if self._bet is not None:
            self._courses.append(_Course(self._bet, self._bet.needed))

    @classmethod
    def of(
        cls,
        shown: Iterable[int],
        outcomes: Outcomes,
        *,
        smallest: float | None = None,
        reader: Reader | None = None,
    ) -> Self:
        """Return the judgement of earlier throws: places of outcomes in their order.

        Raises:
            ValueError: the die has no such outcome.
        """
        running = cls(outcomes, smallest=smallest, reader=reader)
        places = np.fromiter(shown, np.int64)
        for place in np.unique(places):
            running._check(int(place))
        if len(places):
            looks = after_each(places, outcomes)
            running._counts = looks[-1].copy()
            for course in running._courses:
                course.look_at_all(looks)
        return running

    @property
    def counts(self) -> Counts:
        """How often each outcome fell (k)."""
        return self._counts.copy()

    @property
    def throws(self) -> int:
        """How many throws have been added."""
        return int(self._counts.sum())

    def add(self, place: int) -> None:
        """Add a throw that showed the outcome at this place of the labels.

        Raises:
            ValueError: the die has no such outcome.
        """
        self._check(place)
        self._counts[place] += 1
        throws = self.throws
        keep = bool(is_kept(np.array(throws)))
        for course in self._courses:
            course.look(self._counts, throws, keep=keep)

    def judgement(self) -> Judgement:
        """Return the judgement of the die now."""
        throws = self.throws
        raw = self._courses[0].evidence(throws)
        read = None
        if self._reader is not None and self._bet is not None:
            read = CorrectedReadings(self._reader, self._bet, self._courses[1].evidence(throws))
        return concluded(self.counts, self.outcomes, raw, smallest=self._smallest, read=read)

    def _check(self, place: int) -> None:
        if not 0 <= place < len(self._counts):
            raise ValueError(f"Expected the place of an outcome, 0 to {len(self._counts) - 1}, but got {place}.")

"""Judge a die while somebody throws it: add each throw to what is known, without summing everything again."""

from collections.abc import Iterable
from typing import Self

import numpy as np

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Outcomes
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.serial_dependence import UNREAD_PLACE
from companion.fairness.stakes import CURRENT_STAKES
from companion.fairness.verdict import Against, Judgement


class RunningVerdict:
    """The judgement of one die after each throw: what `companion.fairness.verdict.judge` says of all throws so far.

    All that it is made with is as there, fixed before the first throw. It cannot take back a throw: after a correction,
    start again with `after`, so that the evidence is that of the corrected throws in their order.
    """

    def __init__(
        self,
        outcomes: Outcomes,
        *,
        smallest: float | None = None,
        reader: ReaderErrors | None = None,
        stakes: int = CURRENT_STAKES,
        together: int = 1,
    ) -> None:
        self.outcomes = outcomes
        self._against = Against(outcomes, smallest, reader, stakes)
        self._courses = self._against.courses(together)

    def after(self, shown: Iterable[int]) -> Self:
        """Return this after earlier throws: places of outcomes in their order, or `UNREAD_PLACE`.

        Raises:
            ValueError: the die has no such outcome.
        """
        places = np.fromiter(shown, np.int64)
        for place in np.unique(places[places != UNREAD_PLACE]):
            self._check(int(place))
        self._courses.take(places)
        return self

    @property
    def counts(self) -> Counts:
        """How often each outcome fell (k)."""
        return self._courses.counts.copy()

    @property
    def throws(self) -> int:
        """How many throws have been read."""
        return int(self._courses.counts.sum())

    def add(self, place: int | None) -> None:
        """Add a throw that showed the outcome at this place of the labels; None if it was not read.

        Raises:
            ValueError: the die has no such outcome.
        """
        if place is not None:
            self._check(place)
        self._courses.take(np.array([UNREAD_PLACE if place is None else place]))

    def judgement(self) -> Judgement:
        """Return the judgement of the die now."""
        return self._against.concluded(self._courses)

    def _check(self, place: int) -> None:
        if not 0 <= place < len(self.outcomes.labels):
            raise ValueError(
                f"Expected the place of an outcome, 0 to {len(self.outcomes.labels) - 1}, but got {place}."
            )

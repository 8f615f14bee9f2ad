"""The audits of one set of dice at one table: the fold of their events, and the error that they measure."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from companion.fairness.audits.draw import drawn, table_share
from companion.fairness.audits.events import Audited, AuditEvent, AuditsBegan, Drawn, Settled, what
from companion.fairness.confidence import interval
from companion.fairness.reader_errors import USUAL_ERROR
from companion.language.sentence import Sentence, SentenceError
from companion.ledger.entries import Entry

ERROR_LEVEL: Final = 0.05
"""The chance that the interval of the error ever misses it, however often somebody looks."""


class NoAuditsError(SentenceError, ValueError):
    """These events are no audits."""


class TableAudits:
    """The audits as their events describe them; `take` folds one more in. Used by one thread.

    ``drawn``: by the number of its event; ``answers`` and ``settled``: by that number too.
    """

    def __init__(self, entries: Iterable[Entry[AuditEvent]]) -> None:
        """Fold events in their order.

        Raises:
            NoAuditsError: they are no audits.
        """
        rest = iter(entries)
        first = next(rest, None)
        if first is None or not isinstance(first.event, AuditsBegan):
            raise NoAuditsError(Sentence("Expected audits to begin with their first event, but it is missing."))
        self.id, self.began, self.events = first.chain, first.event, 1
        self.drawn: dict[int, Drawn] = {}
        self.answers: dict[int, Audited] = {}
        self.settled: set[int] = set()
        for entry in rest:
            self.take(entry)

    def take(self, entry: Entry[AuditEvent]) -> None:
        """Fold the next event in.

        Raises:
            NoAuditsError: it does not fit.
        """
        match entry.event:
            case Drawn() as event:
                self.drawn[entry.number] = event
            case Audited(drawn=number) | Settled(drawn=number) if number not in self.drawn:
                raise NoAuditsError(Sentence("Event {number} is about a die that was not picked.", number=entry.number))
            case Audited() as answer:
                self.answers[answer.drawn] = answer
                self.settled.discard(answer.drawn)
            case Settled() as done:
                self.settled.add(done.drawn)
            case AuditsBegan():
                raise NoAuditsError(Sentence("Audits begin once, with their first event."))
        self.events = entry.number

    def draws(self, first: str, event: int, die: str) -> float | None:
        """Return the share with which the draw chooses a die of a throw; None where it does not."""
        share = table_share(len(self.drawn))
        return share if drawn(self.began.seed, what(first, event, die), share) else None

    @property
    def open(self) -> tuple[int, ...]:
        """The dice that were drawn and about which nobody has said anything, the oldest first."""
        return tuple(number for number in self.drawn if number not in self.answers)

    @property
    def contradicted(self) -> tuple[int, ...]:
        """The dice that were read wrongly, as a person says, and about which something is left to do."""
        answers = self.answers.items()
        return tuple(number for number, one in answers if one.right is False and number not in self.settled)

    @property
    def checked(self) -> int:
        """How many dice a person could read."""
        return sum(one.right is not None for one in self.answers.values())

    @property
    def wrong(self) -> int:
        """How many of them were read wrongly."""
        return sum(one.right is False for one in self.answers.values())

    def error(self) -> tuple[float, float]:
        """Return the ends of the interval of the share of wrong readings, which holds at any time."""
        low, high = interval(np.array(self.wrong), np.array(self.checked), USUAL_ERROR, ERROR_LEVEL)
        return float(low), float(high)

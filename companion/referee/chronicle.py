"""A match event by event: its state after each of them, for reviewing all of it."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from companion.referee.events import BoardObserved, Committed, JointDice, Observed
from companion.referee.grown import Grown
from companion.referee.journal import Entry
from companion.referee.match import Match
from companion.referee.replay import Turn
from companion.referee.seen import observation_of

TURNS_KEPT: Final = 24
"""Turns that a moment keeps: more than any player makes before the next one throws or moves."""


@dataclass(frozen=True)
class Moment:
    """One event and the state of the match after it.

    ``match`` keeps the last `TURNS_KEPT` turns and only this one entry; otherwise a long match would be stored once for
    each of its events. ``turn``: the commit as it counted then, None for any other event.
    """

    entry: Entry
    match: Match
    turn: Turn | None = None


@dataclass(frozen=True)
class Chronicle:
    """All moments of a match. Evidence changes nothing, so it is no moment: what a camera saw, what two tables fixed.

    ``whole``: the match after the last moment.
    """

    whole: Match
    moments: tuple[Moment, ...]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "Chronicle":
        """Fold a match's entries, beginning with the first.

        Raises:
            NoMatchError: the first entry does not start a match, or the game cannot start so.
        """
        begun = Match.of(entries[:1])
        return cls(begun, (_moment(entries[0], begun),)).extended(entries[1:])

    def extended(self, entries: Iterable[Entry]) -> "Chronicle":
        """Fold in what has happened since."""
        match, moments = self.whole, []
        for entry in entries:
            match = match.after(entry)
            if not isinstance(entry.event, Observed | BoardObserved | JointDice):
                moments.append(_moment(match.entries[-1], match))
        return Chronicle(match, (*self.moments, *moments))

    def number_of(self, event: int) -> int | None:
        """Return the number, counted from 1, of the moment with this event; None where there is none."""
        place = bisect_left(self.moments, event, key=lambda moment: moment.entry.number)
        known = place < len(self.moments) and self.moments[place].entry.number == event
        return place + 1 if known else None

    def at(self, event: int) -> Moment | None:
        """Return the moment with the event of this number, None where there is none."""
        number = self.number_of(event)
        return None if number is None else self.moments[number - 1]

    def evidence_of(self, event: int) -> tuple[Entry | None, Entry | None]:
        """Return the observation that led to a commit or a question, and the observation before it.

        Each is an entry with `Observed` or `BoardObserved`, or None where nothing was seen.
        """
        entries, moment = self.whole.entries, self.at(event)
        seen = None if moment is None else observation_of(moment.entry, entries)
        if seen is None:
            return None, None
        earlier = (entries[n - 1] for n in range(seen.number - 1, 0, -1))
        return seen, next((entry for entry in earlier if isinstance(entry.event, Observed | BoardObserved)), None)


def _moment(entry: Entry, match: Match) -> Moment:
    short = replace(match.play, turns=match.play.turns[-TURNS_KEPT:])
    turn = match.play.turns[-1] if isinstance(entry.event, Committed) and match.play.turns else None
    if turn is not None and turn.event != entry.number:
        turn = None  # it waits for a correction of an earlier event
    return Moment(entry, replace(match, play=short, entries=Grown((entry,)), commits=Grown(), rulings={}), turn)

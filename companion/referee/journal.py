"""The journal: every event of every match, in one `Ledger`.

Only a whole match can be deleted from it, for good, if its owner wants that.
"""

from dataclasses import dataclass
from typing import Final

from companion.language.sentence import N_
from companion.ledger.entries import Entry as LedgerEntry
from companion.ledger.kind import LedgerKind
from companion.ledger.ledger import Ledger
from companion.referee.events import Event, MatchStarted, from_json, to_json

JOURNAL_SCHEMA = 1
APPLICATION_ID = 0x416C6561  # "Alea" in the file's header

Entry = LedgerEntry[Event]
"""One event of a match; its chain is the match."""


@dataclass(frozen=True)
class MatchLine:
    """One match in a list; ``at`` and ``last`` are the times of its first and its last event."""

    id: int
    started: MatchStarted
    at: float
    last: float
    events: int
    first_hash: str
    last_hash: str


MATCHES: Final = LedgerKind(
    APPLICATION_ID,
    JOURNAL_SCHEMA,
    "match",
    to_json,
    from_json,
    unknown=N_("The journal {path} has no match {match}."),
    moved_on=N_("Match {match} has changed since you opened it: open the list again."),
    unreadable=N_(
        "Event {number} of match {match} cannot be read ({why}): export the matches that can, and start a new journal."
    ),
    changed=N_(
        "In the journal, event {event} of match {match} is not the one that was written: the file has been changed."
    ),
    rescued=N_(
        "The journal was damaged: {saved} events of {matches} matches were saved, {left} more could be read but do "
        "not follow from them; the damaged file is kept as {file}."
    ),
    chains="matches",
    lost=N_("{lost} of match {match}, after event {event}"),
)
"""What the ledger of matches holds."""

written = MATCHES.written
read_row = MATCHES.entry


class Journal(Ledger[Event]):
    """An open journal. One thread writes; others may open it read-only."""

    kind = MATCHES

    def begin(self, started: MatchStarted, at: float, actor: str) -> int:
        """Write the first event of a new match; return the match's number."""
        return self.open_chain(started, at, actor)

    def matches(self, first: int = 0, count: int = -1, only: int | None = None) -> tuple[MatchLine, ...]:
        """Return the matches, the one with the latest event first; the arguments are those of `ends`."""
        return tuple(
            MatchLine(entry.chain, entry.event, entry.at, last, events, entry.hash, last_hash)
            for entry, last, events, last_hash in self.ends(first, count, only)
            if isinstance(entry.event, MatchStarted)
        )

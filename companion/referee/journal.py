"""The journal: every event of every match, in one `Ledger`; opening one rescues what a damaged file still holds.

Only a whole match can be deleted from it, for good, if its owner wants that.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.language.sentence import Sentence
from companion.ledger.entries import (
    GENESIS,
    DamagedJournalError,
    JournalError,
    JournalWriteError,
    MovedOnError,
    NewerJournalError,
    NotAJournalError,
    chained,
)
from companion.ledger.entries import Entry as LedgerEntry
from companion.ledger.kind import LedgerKind
from companion.ledger.ledger import Ledger
from companion.ledger.rescue import open_ledger
from companion.referee.events import Event, MatchStarted, from_json, to_json

__all__ = [
    "APPLICATION_ID",
    "GENESIS",
    "JOURNAL_SCHEMA",
    "DamagedJournalError",
    "Entry",
    "Journal",
    "JournalError",
    "JournalWriteError",
    "MatchLine",
    "MovedOnError",
    "NewerJournalError",
    "NotAJournalError",
    "UnknownMatchError",
    "chained",
    "read_row",
    "written",
]

JOURNAL_SCHEMA = 1
APPLICATION_ID = 0x416C6561  # "Alea" in the file's header

Entry = LedgerEntry[Event]
"""One event of a match; its chain is the match."""


class UnknownMatchError(JournalError):
    """The journal has no match with this number."""


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


def _unknown(path: Path, match_id: int) -> UnknownMatchError:
    return UnknownMatchError(Sentence("The journal {path} has no match {match}.", path=str(path), match=match_id))


def _moved_on(match_id: int) -> Sentence:
    return Sentence("Match {match} has changed since you opened it: open the list again.", match=match_id)


def _unreadable(match_id: int, number: int, why: Sentence) -> Sentence:
    return Sentence(
        "Event {number} of match {match} cannot be read ({why}): export the matches that can, and start a new journal.",
        number=number,
        match=match_id,
        why=why,
    )


MATCHES: Final = LedgerKind(
    APPLICATION_ID, JOURNAL_SCHEMA, "match", to_json, from_json, _unknown, _moved_on, _unreadable
)
"""What the ledger of matches holds."""

written = MATCHES.written
read_row = MATCHES.entry


class Journal(Ledger[Event]):
    """An open journal. One thread writes; others may open it read-only."""

    def __init__(self, path: Path, *, writable: bool = True) -> None:
        """Open the journal; create it if it is missing and ``writable``.

        Raises:
            DamagedJournalError, NotAJournalError, NewerJournalError, JournalError: the file is left unchanged.
        """
        super().__init__(path, MATCHES, writable=writable)

    def begin(self, started: MatchStarted, at: float, actor: str) -> int:
        """Write the first event of a new match; return the match's number."""
        return self.open_chain(started, at, actor)

    def next_match(self) -> int:
        """Return the number that the next match will have."""
        return self.next_chain()

    def matches(self, first: int = 0, count: int = -1, only: int | None = None) -> tuple[MatchLine, ...]:
        """Return the matches, the one with the latest event first; the arguments are those of `ends`."""
        return tuple(
            MatchLine(entry.chain, entry.event, entry.at, last, events, entry.hash, last_hash)
            for entry, last, events, last_hash in self.ends(first, count, only)
            if isinstance(entry.event, MatchStarted)
        )


class _MatchWords:
    """The sentences about matches."""

    def changed(self, chain: int, number: int) -> Sentence:
        return Sentence(
            "In the journal, event {event} of match {match} is not the one that was written: the file has been "
            "changed.",
            match=chain,
            event=number,
        )

    def rescued(self, events: int, chains: int, left: int, file: str) -> Sentence:
        return Sentence(
            "The journal was damaged: {saved} events of {matches} matches were saved, {left} more could be read but do "
            "not follow from them; the damaged file is kept as {file}.",
            saved=events,
            matches=chains,
            left=left,
            file=file,
        )

    def lost(self, chain: int, after: int, lost: int) -> Sentence:
        return Sentence("{lost} of match {match}, after event {event}", match=chain, event=after, lost=lost)


def open_journal(path: Path) -> Journal:
    """Open a journal; if its file is damaged, open a new one with everything that could be read.

    The damaged file is kept beside it under another name. `Journal.notice` says what was found and done: also if the
    file is whole but an event in it is not the one that was written, or the beginning of a match cannot be read.

    Raises:
        NotAJournalError, NewerJournalError, JournalError: the file is left unchanged.
    """
    journal = open_ledger(path, Journal, _MatchWords())
    journal.notice = journal.notice or journal.unreadable()
    return journal

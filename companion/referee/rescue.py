"""Opening a journal in any state of its file: everything readable is saved, the damaged file is kept."""

from pathlib import Path

from companion.language.sentence import Sentence
from companion.ledger.rescue import open_ledger
from companion.referee.journal import Journal


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

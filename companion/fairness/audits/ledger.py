"""Where a table's audits are stored: in a file of their own beside the journal of matches."""

from pathlib import Path
from typing import Final

from companion.fairness.audits.events import CODEC, AuditEvent
from companion.language.sentence import Sentence
from companion.ledger.entries import JournalError
from companion.ledger.kind import LedgerKind
from companion.ledger.ledger import Ledger
from companion.ledger.rescue import open_ledger

AUDITS_SCHEMA: Final = 1
APPLICATION_ID: Final = 0x416C6541  # "AleA" in the file's header


class UnknownAuditsError(JournalError):
    """The file has no audits of this number."""


def _unknown(path: Path, audits: int) -> UnknownAuditsError:
    return UnknownAuditsError(Sentence("The file {path} has no audits {audits}.", path=str(path), audits=audits))


def _moved_on(audits: int) -> Sentence:
    return Sentence("Audits {audits} have changed since you opened them.", audits=audits)


def _unreadable(audits: int, number: int, why: Sentence) -> Sentence:
    return Sentence(
        "Event {number} of audits {audits} cannot be read ({why}): move the file away, and new audits begin.",
        number=number,
        audits=audits,
        why=why,
    )


AUDITS: Final = LedgerKind(
    APPLICATION_ID, AUDITS_SCHEMA, "audits", CODEC.to_json, CODEC.from_json, _unknown, _moved_on, _unreadable
)
"""What the ledger of audits holds."""


class AuditLedger(Ledger[AuditEvent]):
    """An open file of audits, one chain for each set of dice and camera. One thread writes."""

    def __init__(self, path: Path, *, writable: bool = True) -> None:
        """Open the file; create a writable one if there is none.

        Raises:
            DamagedJournalError, NotAJournalError, NewerJournalError, JournalError: the file stays as it is.
        """
        super().__init__(path, AUDITS, writable=writable)


class _AuditWords:
    """The sentences about a ledger of audits."""

    def changed(self, chain: int, number: int) -> Sentence:
        return Sentence(
            "Event {event} of audits {audits} is not the one that was written: the file has been changed.",
            audits=chain,
            event=number,
        )

    def rescued(self, events: int, chains: int, left: int, file: str) -> Sentence:
        return Sentence(
            "The file of audits was damaged: {saved} events of {audits} audits were saved, {left} more could be read "
            "but do not follow from them; the damaged file is kept as {file}.",
            saved=events,
            audits=chains,
            left=left,
            file=file,
        )

    def lost(self, chain: int, after: int, lost: int) -> Sentence:
        return Sentence("{lost} of audits {audits}, after event {event}", audits=chain, event=after, lost=lost)


def open_audit_ledger(path: Path) -> AuditLedger:
    """Open the file of audits; if it is damaged, open a new one with everything that is readable.

    Raises:
        NotAJournalError, NewerJournalError, JournalError: the file stays as it is.
    """
    ledger = open_ledger(path, AuditLedger, _AuditWords())
    ledger.notice = ledger.notice or ledger.unreadable()
    return ledger

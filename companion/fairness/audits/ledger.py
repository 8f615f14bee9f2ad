"""Where a table's audits are stored: in a file of their own beside the journal of matches."""

from typing import Final

from companion.fairness.audits.events import CODEC, AuditEvent
from companion.language.sentence import N_
from companion.ledger.kind import LedgerKind
from companion.ledger.ledger import Ledger

AUDITS_SCHEMA: Final = 1
APPLICATION_ID: Final = 0x416C6541  # "AleA" in the file's header


class AuditLedger(Ledger[AuditEvent]):
    """An open file of audits, one chain for each set of dice and camera. One thread writes."""

    kind = LedgerKind(
        APPLICATION_ID,
        AUDITS_SCHEMA,
        "audits",
        CODEC.to_json,
        CODEC.from_json,
        unknown=N_("The file {path} has no audits {audits}."),
        moved_on=N_("Audits {audits} have changed since you opened them."),
        unreadable=N_(
            "Event {number} of audits {audits} cannot be read ({why}): move the file away, and new audits begin."
        ),
        changed=N_("Event {event} of audits {audits} is not the one that was written: the file has been changed."),
        rescued=N_(
            "The file of audits was damaged: {saved} events of {audits} audits were saved, {left} more could be read "
            "but do not follow from them; the damaged file is kept as {file}."
        ),
        chains="audits",
        lost=N_("{lost} of audits {audits}, after event {event}"),
    )

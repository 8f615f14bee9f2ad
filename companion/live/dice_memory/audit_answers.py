"""What the owner said in audits, read from their file while no table runs."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from companion.fairness.audits.ledger import AuditLedger
from companion.fairness.audits.table_audits import TableAudits

AuditAnswers = dict[tuple[str, int], list[tuple[Sequence[float], str | None]]]
"""By the hash of a match's first event and the event of a throw: where each die lies that a person looked at, and what
it shows, None for no die."""


def answers_in(path: Path) -> AuditAnswers:
    """Return what the owner said of drawn dice; nothing if there is no file.

    Raises:
        JournalError: it cannot be read.
    """
    sentence: AuditAnswers = defaultdict(list)
    if not path.exists():
        return sentence
    with AuditLedger(path, writable=False) as ledger:
        for number in ledger.latest():
            audits = TableAudits(ledger.events(number))
            for drawn, answer in audits.answers.items():
                if answer.right is not None:
                    die = audits.drawn[drawn]
                    sentence[die.first, die.event].append((die.at, answer.face or None))
    return sentence

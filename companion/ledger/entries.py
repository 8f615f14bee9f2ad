"""One line of a ledger, the hash that chains it to the one before, and the errors of a ledger."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.language.sentence import SentenceError

GENESIS = "0" * 64

E = TypeVar("E")


class JournalError(SentenceError):
    """A journal cannot be opened, read or written; the text is one sentence."""


class NotAJournalError(JournalError):
    """The file exists but was never a journal of this program."""


class DamagedJournalError(JournalError):
    """The file is torn or overwritten; `companion.ledger.rescue` saves what it can read."""


class NewerJournalError(JournalError):
    """A later version of the program wrote this journal."""


class JournalWriteError(JournalError):
    """The event could not be made durable, so it did not happen."""


class UnknownChainError(JournalError):
    """The file has no match, series or audits of this number."""


class MovedOnError(JournalError):
    """What somebody wants to change is no longer as it was when they looked at it."""


@dataclass(frozen=True)
class Entry(Generic[E]):
    """One event of a chain: ``number`` counts from 1 within the chain, ``at`` is in seconds since 1970.

    The ledger's `Kind` says what a chain is: a match, or a series of throws. ``body`` is the event in its stored form.
    ``hash`` covers the entry and the hash before it, so no change goes unseen.
    """

    chain: int
    number: int
    at: float
    actor: str
    event: E
    body: str = field(repr=False)
    hash: str


def chained(before: str, number: int, at: float, actor: str, body: str) -> str:
    """Return the hash of an entry, given the hash of the one before it (`GENESIS` for the first)."""
    text = json.dumps([before, number, at, actor, body], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def breaks(entries: Iterable[Entry[Any]]) -> int:
    """Return how many entries have a hash that does not follow from that of the entry before, as it stands there."""
    before, found = GENESIS, 0
    for entry in entries:
        found += entry.hash != chained(before, entry.number, entry.at, entry.actor, entry.body)
        before = entry.hash
    return found

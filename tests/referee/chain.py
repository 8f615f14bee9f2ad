"""Whether the entries of a chain follow from each other."""

from collections.abc import Sequence
from typing import Any

from companion.ledger.entries import GENESIS, Entry, chained


def broken_at(entries: Sequence[Entry[Any]]) -> int | None:
    """Return the number of the first entry whose number or hash does not follow from the one before, or None."""
    digest = GENESIS
    for number, entry in enumerate(entries, start=1):
        digest = chained(digest, number, entry.at, entry.actor, entry.body)
        if entry.number != number or entry.hash != digest:
            return number
    return None

"""What a ledger holds, matches or series of throws: the words and forms of each."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from companion.language.sentence import Sentence, why_of
from companion.ledger.entries import Entry, JournalError
from companion.rules.strict_json import read_json

E = TypeVar("E")


@dataclass(frozen=True)
class LedgerKind(Generic[E]):
    """What a ledger holds.

    ``application``: a number in the file's header, so that other SQLite files are left alone; ``schema``: the newest
    known form of the file; ``chain``: the column that numbers the chains (``match``). ``write`` and ``read`` turn an
    event into JSON and back; ``read`` raises ValueError. ``unknown`` says that a file (first) has no chain with a
    number; ``moved_on``, that a chain is no longer as somebody saw it; ``unreadable``, that an event of a chain (first)
    with a number (second) cannot be read (third).
    """

    application: int
    schema: int
    chain: str
    write: Callable[[E], dict[str, Any]]
    read: Callable[[Mapping[str, Any]], E]
    unknown: Callable[[Path, int], JournalError]
    moved_on: Callable[[int], Sentence]
    unreadable: Callable[[int, int, Sentence], Sentence]

    def written(self, event: E) -> str:
        """Return the event in the one form that is stored and hashed."""
        return json.dumps(self.write(event), ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    def entry(self, row: Sequence[Any]) -> Entry[E]:
        """Make an entry of a row ``chain, number, at, actor, body, hash``.

        Raises:
            JournalError: the row does not hold an event of this program.
        """
        chain, number, at, actor, body, digest = row
        try:
            event = self.read(read_json(body))
            return Entry(int(chain), int(number), float(at), str(actor), event, str(body), str(digest))
        except (ValueError, TypeError, AttributeError) as why:
            raise JournalError(self.unreadable(chain, number, why_of(why))) from why

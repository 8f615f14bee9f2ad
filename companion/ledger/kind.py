"""What a ledger holds, matches or series of throws: the words and forms of each."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from companion.language.sentence import Sentence, Template, why_of
from companion.ledger.entries import Entry, JournalError
from companion.rules.strict_json import read_json

E = TypeVar("E")


@dataclass(frozen=True)
class LedgerKind(Generic[E]):
    """What a ledger holds.

    ``application``: a number in the file's header, so that other SQLite files are left alone; ``schema``: the newest
    known form of the file; ``chain``: the column that numbers the chains (``match``). ``write`` and ``read`` turn an
    event into JSON and back; ``read`` raises ValueError.

    The rest are templates that name a chain by its number, as the column does. ``unknown``: {path} has no such chain.
    ``moved_on``: it is no longer as somebody saw it. ``unreadable``: its event {number} cannot be read ({why}).
    ``changed``: its {event} is not the one that was written. ``rescued``: {saved} events of so many chains, a part that
    ``chains`` names, were saved, {left} more could be read, and the damaged {file} is kept. ``lost``, a part of a
    sentence: {lost} events are missing after {event}.
    """

    application: int
    schema: int
    chain: str
    write: Callable[[E], dict[str, Any]]
    read: Callable[[Mapping[str, Any]], E]
    unknown: Template
    moved_on: Template
    unreadable: Template
    changed: Template
    rescued: Template
    chains: str
    lost: Template

    def say(self, template: Template, chain: int, **parts: Any) -> Sentence:
        """Return what one of the templates says of a chain."""
        return Sentence.of(template, **{self.chain: chain, **parts})

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
            raise JournalError(self.say(self.unreadable, chain, number=number, why=why_of(why))) from why

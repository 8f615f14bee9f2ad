"""The hall's relay between two tables that play one match: it keeps the newest message of each for the other, once.

A message is a table's sign of life. Each is handed on once, so that a table that is away is not taken for present.

The hall is trusted: it could make up moves of the other table. Each table still checks what comes by the rules and by
whose turn it is.
"""

import hmac
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Final

import msgspec

from companion.hall.settings import NAME

MOST_MATCHES: Final = 1000
"""Most matches that are relayed at once; the one that was asked for longest ago makes room."""

MOST_MESSAGE_BYTES: Final = 256 * 1024


class RelayOffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table shares a match: by the ``code`` another table of the hall joins, and gets ``start``, JSON.

    ``guest``: the table that has joined already, where the hall forgot it.
    """

    match: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    code: Annotated[str, msgspec.Meta(max_length=40)]
    start: Annotated[str, msgspec.Meta(max_length=MOST_MESSAGE_BYTES)]
    guest: Annotated[str, msgspec.Meta(max_length=40)] = ""


class RelayJoining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table wants to play the match with this code."""

    code: Annotated[str, msgspec.Meta(max_length=40)]


class RelayMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match stands at a table, for the other one."""

    match: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    text: Annotated[str, msgspec.Meta(max_length=MOST_MESSAGE_BYTES)]


class RelayAnswer(msgspec.Struct, frozen=True):
    """The other table's newest ``text``, "" where none came since the last answer, and its name, "" before it joins."""

    text: str
    other: str


@dataclass
class _Pair:
    offer: RelayOffer
    host: str
    guest: str
    asked: float
    newest: dict[str, str] = field(default_factory=dict)  # by table


class Relay:
    """Pairs tables of one hall and passes on what they send. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._pairs: dict[str, _Pair] = {}

    def offer(self, table: str, offer: RelayOffer) -> bool:
        """Let another table join a match of this one; return whether it is this table's to offer."""
        with self._lock:
            known = self._pairs.get(offer.match)
            if known is not None and known.host != table:
                return False
            guest = offer.guest if NAME.fullmatch(offer.guest) and offer.guest != table else ""
            guest = known.guest if known is not None and known.guest else guest
            newest = {} if known is None else known.newest
            self._pairs[offer.match] = _Pair(offer, table, guest, self._clock(), newest)
            while len(self._pairs) > MOST_MATCHES:
                del self._pairs[min(self._pairs, key=lambda name: self._pairs[name].asked)]
            return True

    def join(self, table: str, code: str) -> str | None:
        """Let a table play the match with this code; return how it begins, None where no match waits with it."""
        with self._lock:
            for pair in self._pairs.values():
                if not hmac.compare_digest(pair.offer.code.encode(), code.encode()) or pair.host == table:
                    continue
                if pair.guest in ("", table):
                    pair.guest = table
                    return pair.offer.start
            return None

    def exchange(self, table: str, message: RelayMessage) -> RelayAnswer | None:
        """Keep a table's message and return the other's; None where this table does not play such a match."""
        with self._lock:
            pair = self._pairs.get(message.match)
            if pair is None or table not in (pair.host, pair.guest):
                return None
            pair.asked = self._clock()
            pair.newest[table] = message.text
            other = pair.guest if table == pair.host else pair.host
            return RelayAnswer(pair.newest.pop(other, ""), other)

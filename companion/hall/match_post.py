"""The match that this table plays with another one of its hall: what its one line to the hall carries for that.

A message goes from table to table, over a broker or over the hall's own server. It tells how the match stands at its
sender, and the next one comes within half a second: so any may be lost, doubled or late, and none is kept for a table
that is away. The topic names sender and receiver; access list or the table's key let nobody use another one's name.

A table joins by the code of the match, which is never sent: both sides prove that they know it. Broker and hall are
trusted not to make up moves; each table checks what comes by the rules and by whose turn it is.
"""

import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import msgspec

from companion.hall.direct.code import NONCE_BYTES, Nonce, proof, proving_key
from companion.hall.line import Received
from companion.hall.settings import HallSettings
from companion.hall.topics import JOIN, MOST_MATCH_BYTES, Hash, MessageError, Topics, read_message, sender_of
from companion.live.remote_table import RemoteTable, Sync
from companion.live.shared_matches import SharedLine

SAYS_AGAIN_SECONDS: Final = 0.4
"""Seconds after which a table says again how the match stands: its sign of life."""

ASKS_AGAIN_SECONDS: Final = 1.0
"""Seconds after which a table that wants to join says so again."""

JOINS_WITHIN_SECONDS: Final = 6.0
"""Seconds that joining waits for the other table's answer; a hall without a broker is asked each second."""

log = logging.getLogger(__name__)


class MatchJoin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table wants to play the match whose code it proves to know, to all tables: it does not know whose it is."""

    nonce: Nonce
    proof: Hash


class MatchWelcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table that shares the match lets another one in: how the match begins, JSON, with a proof of its own."""

    nonce: Nonce
    proof: Hash
    start: str


class MatchMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the match stands at a table, for the other one; the welcome is there until that one has answered."""

    sync: Sync
    welcome: MatchWelcome | None = None


@dataclass
class _Asking:
    """A try to join; ``found``: the other table's name and how the match begins."""

    key: bytes
    nonce: str
    sent: float = -ASKS_AGAIN_SECONDS
    found: tuple[str, str] | None = None


class MatchPost:
    """A table's matches with others of its hall. `due` and `take` are for the line's thread, the rest for any."""

    def __init__(self, settings: HallSettings, remote: RemoteTable, wake: Callable[[], None]) -> None:
        """``wake``: wakes the line's thread, because `due` has news."""
        self.hall = settings.hall
        self._table, self._topics = settings.table, Topics.of(settings)
        self._remote, self._wake = remote, wake
        self._changed = threading.Condition()
        self.there = False
        """Whether the line is open."""
        self._asking: _Asking | None = None
        self._welcome: tuple[str, MatchWelcome] | None = None  # with the common name of the match
        self._sent: Sync | None = None
        self._sent_at = 0.0
        self.topics = self._topics.from_tables
        """What the line subscribes to."""
        remote.tell(wake)

    @property
    def plays(self) -> bool:
        """Whether another table of the hall plays the open match."""
        _, line = self._open()
        return bool(line.guest)

    @property
    def pause(self) -> float:
        """How many seconds the line may wait until it asks `due` again, although nothing has woken it."""
        return SAYS_AGAIN_SECONDS if self._asking is not None or self._remote.open_match else ASKS_AGAIN_SECONDS

    def due(self) -> list[tuple[str, bytes]]:
        """Return what is to be sent now: topics and payloads."""
        now, found = time.monotonic(), []
        with self._changed:
            if (asking := self._asking) is not None and now - asking.sent >= ASKS_AGAIN_SECONDS:
                asking.sent = now
                asked = MatchJoin(asking.nonce, proof(asking.key, f"join {self._table} {asking.nonce}".encode()))
                found.append((self._topics.join, msgspec.json.encode(asked)))
        match, line = self._open()
        going = self._remote.newest(match)
        if going is None or not line.guest or line.joined:
            return found
        if going is not self._sent or now - self._sent_at >= SAYS_AGAIN_SECONDS:
            self._sent, self._sent_at = going, now
            welcome = self._welcome[1] if self._welcome is not None and self._welcome[0] == match else None
            found.append((self._topics.match(line.guest), msgspec.json.encode(MatchMessage(going, welcome))))
        return found

    def _open(self) -> tuple[str, SharedLine]:
        """Return the open match and its line; of no name where there is none."""
        match = self._remote.open_match or ""
        return match, self._remote.lines.line(match) or SharedLine("")

    def take(self, message: Received) -> bool:
        """Take a message of another table; return whether it was one."""
        sender = sender_of(message.topic, self.hall, self._table)
        if sender is None:
            return False
        if sender == self._table or message.retained:  # what this table says to all comes back
            return True
        try:
            if message.topic.endswith(f"/{JOIN}"):
                self._let_in(sender, read_message(message.payload, MatchJoin))
            else:
                self._follow(sender, read_message(message.payload, MatchMessage, MOST_MATCH_BYTES))
        except (MessageError, OSError) as why:
            log.warning("a message of the table %s in the hall is not followed: %s", sender, why)
        return True

    def _let_in(self, sender: str, asked: MatchJoin) -> None:
        """Let a table play the open match, if it knows the code and nobody else plays it.

        Raises:
            OSError: that cannot be kept, and the table is not in.
        """
        match, line = self._open()
        start = self._remote.start_for_other(match)
        if not line.code or line.joined or line.guest not in ("", sender) or start is None:
            return
        key = _key(line.code, self.hall)
        if not hmac.compare_digest(proof(key, f"join {sender} {asked.nonce}".encode()), asked.proof):
            return
        text = json.dumps(start)
        shown = proof(key, _welcoming(self._table, sender, asked.nonce, text))
        self._welcome, self._sent = (match, MatchWelcome(asked.nonce, shown, text)), None
        if not line.guest:
            self._remote.lines.keep(match, msgspec.structs.replace(line, guest=sender))

    def _follow(self, sender: str, came: MatchMessage) -> None:
        with self._changed:
            asking, welcome = self._asking, came.welcome
            if asking is not None and welcome is not None and welcome.nonce == asking.nonce:
                shown = proof(asking.key, _welcoming(sender, self._table, welcome.nonce, welcome.start))
                if hmac.compare_digest(shown, welcome.proof):
                    asking.found = (sender, welcome.start)
                    self._changed.notify_all()
        match, line = self._open()
        if sender == line.guest and not line.joined and came.sync.match == match:
            self._welcome = None
            self._remote.deliver(came.sync)

    def join(self, code: str) -> tuple[str, str] | None:
        """Join the match of another table by its code; return that table's name and how the match begins, JSON.

        None where no table of the hall answers.
        """
        asking = _Asking(_key(code, self.hall), secrets.token_hex(NONCE_BYTES))
        with self._changed:
            self._asking = asking
        self._wake()
        with self._changed:
            self._changed.wait_for(lambda: asking.found is not None, JOINS_WITHIN_SECONDS if self.there else 0)
            self._asking = None
        return asking.found


@lru_cache(maxsize=4)
def _key(code: str, hall: str) -> bytes:
    """Return the key of both sides' proofs; slow, so that nobody can try all codes."""
    return proving_key(code, hashlib.sha256(hall.encode()).hexdigest())


def _welcoming(host: str, guest: str, nonce: str, start: str) -> bytes:
    return f"start {host} {guest} {nonce} {hashlib.sha256(start.encode()).hexdigest()}".encode()

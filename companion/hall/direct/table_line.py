"""A table's line to the hall that it joined by a code: a request each second, and at once where there is news."""

import http.client
import secrets
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import msgspec

from companion.hall.direct.exchange import TableAnswer, TableMessage
from companion.hall.direct.pinned import LINES, HallRefusesError, PinnedConnection
from companion.hall.line import LineLostError, Received, UnreachableError, Waker
from companion.hall.settings import Membership
from companion.hall.topics import MOST_SHORT_BYTES, ROOT, after_table, receivers

ASK_EVERY_SECONDS: Final = 1.0
"""Seconds between two requests where nothing happens: so long may a command or an invitation take."""

ASK_AGAIN_SECONDS: Final = 0.1
"""Seconds between two requests while the book has not acknowledged everything."""

MOST_BYTES_AT_ONCE: Final = 1024 * 1024
"""Bytes of messages in one request, unless one message alone is larger."""

FAILED: Final = (OSError, http.client.HTTPException, ValueError)


class TableLine:
    """The table's end, a `companion.hall.line.HallLine`. For one thread."""

    def __init__(
        self,
        membership: Membership,
        name: str,
        waker: Waker,
        *,
        on_acknowledged: Callable[[int], None] = lambda _: None,
        on_message: Callable[[Received], None] = lambda _: None,
        most_bytes: int = MOST_SHORT_BYTES,
        **_: object,
    ) -> None:
        """Connect, as an `Opening` of `companion.hall.line`; no last will: the hall notices who has gone.

        Raises:
            LineLostError: the hall cannot be reached, is another one, or does not know this table any more.
        """
        del name
        self._membership, self._waker, self._most_bytes = membership, waker, most_bytes
        self._on_acknowledged, self._on_message = on_acknowledged, on_message
        self._session = secrets.token_hex(8)
        self._number = 0
        self._unsent: list[TableMessage] = []
        self._unacknowledged: set[int] = set()
        self._heard: set[str] = set()
        self._asked = 0.0
        try:
            self._connection = PinnedConnection(membership.host, membership.port, membership.fingerprint)
        except FAILED as why:
            raise UnreachableError(f"{membership.host}:{membership.port} cannot be reached ({why}).") from why

    def turn(self, seconds: float, /) -> None:
        """Wait at most so long for a `Waker.wake`, unless something is to be sent; then ask the hall.

        Raises:
            LineLostError: the line is lost.
        """
        now = time.monotonic()
        if not self._unsent:
            pause = ASK_AGAIN_SECONDS if self._unacknowledged else ASK_EVERY_SECONDS
            due = max(0.0, self._asked + pause - now)
            self._waker.wait(None, min(seconds, due))
            if time.monotonic() < self._asked + pause:
                return
        self._ask()

    def publish(self, topic: str, payload: bytes, /, *, qos: int = 1, retain: bool = False) -> int:
        """Let a message wait for the next `turn`; return its number."""
        self._number += 1
        number = self._number if qos else 0
        self._unsent.append(TableMessage(number, after_table(topic), payload.decode(), retain))
        return self._number

    def subscribe(self, *topics: str, needed: bool = True) -> None:
        """Take the messages of these topics from now on, and no others."""
        del needed
        self._heard.update(after_table(topic) for topic in topics)

    def received(self, message: Received, /) -> None:
        """Do nothing: the hall forgets a message when the table has fetched it."""

    def close(self, last: tuple[str, bytes] | None = None, /) -> None:
        """Say a last message, and end the line."""
        try:
            if last is not None:
                self.publish(*last, qos=0, retain=True)
                self._ask()
        except LineLostError:
            pass
        self._connection.close()

    def _ask(self) -> None:
        # what other tables wait for goes first, and alone: the hall takes it even while its book is away
        sending = [one for one in self._unsent if receivers(one.to, ()) is not None]
        if sending:
            self._unsent = [one for one in self._unsent if one not in sending]
        else:
            size = 0
            while self._unsent and (not sending or size + len(self._unsent[0].text) <= MOST_BYTES_AT_ONCE):
                size += len(self._unsent[0].text)
                sending.append(self._unsent.pop(0))
        self._unacknowledged |= {one.number for one in sending if one.number}
        body = b"\n".join(msgspec.json.encode(one) for one in sending)
        path, self._asked = f"/messages?session={self._session}", time.monotonic()
        try:
            answered = self._connection.ask(path, body or b"\n", kind=LINES, key=self._membership.key)
            answer = msgspec.convert(answered, TableAnswer)
        except HallRefusesError as why:
            if why.status == HTTPStatus.UNAUTHORIZED:
                raise LineLostError("the hall does not know this table any more: join it again") from why
            raise LineLostError(f"the hall refuses the table's messages ({why})") from why
        except FAILED as why:
            raise LineLostError(f"the line ended ({why})") from why
        for number in answer.acknowledged:
            self._unacknowledged.discard(number)
            self._on_acknowledged(number)
        hall = f"{ROOT}/{self._membership.hall}"
        for message in answer.messages:
            topic = f"{hall}/{message.sender or self._membership.table}/{message.to}"
            payload = message.text.encode()
            if message.to in self._heard and len(payload) <= self._most_bytes:
                self._on_message(Received(topic, payload, message.retained, 0, 0))

"""The hall's own exchange of messages between its tables and its book, in place of a broker.

A table's requests bring its messages; each is acknowledged once the book has it. What the hall has for a table waits
until the table asks, at most `MOST_WAITING` messages; retained ones are given to it each time it begins.
"""

import itertools
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from companion.hall.line import LineLostError, Received, Waker
from companion.hall.topics import OFFLINE, ROOT, receivers, table_in

OFFLINE_AFTER_SECONDS: Final = 10.0
"""Seconds without a request after which a table counts as offline; it asks every second."""

ACKNOWLEDGED_WITHIN_SECONDS: Final = 0.25
"""Seconds that a request waits for the book; what is not acknowledged by then is, with a later request."""

MOST_WAITING: Final = 1000
"""Most messages that wait for a table."""

MOST_BYTES_AT_BOOK: Final = 32 * 1024 * 1024
"""Bytes of messages that may wait for the book together, and a quarter of it for one table."""

FROM_TABLES: Final = frozenset({"event", "state", "status", "answer"})
RETAINED: Final = frozenset({"state", "status"})


class BookBehindError(Exception):
    """The book does not keep up: the table sends again later."""


class TableMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message on its way.

    ``number``: the table's own, 0 for one that is not acknowledged; ``to``: what follows the table in its topic;
    ``text``: the payload; ``sender``: the other table that says it, "" for the hall.
    """

    number: int
    to: str
    text: str
    retained: bool = False
    sender: str = ""


class TableAnswer(msgspec.Struct, frozen=True):
    """What a request of a table brings back: the numbers that the book has, and what the hall has for the table."""

    acknowledged: list[int]
    messages: list[TableMessage]


@dataclass
class _Box:
    """What the exchange holds for one table. ``session``: names the line that the table has open."""

    session: str = ""
    asked: float = 0.0
    online: bool = False
    unacknowledged: dict[int, tuple[int, int]] = field(default_factory=dict)  # by serial: the table's number, bytes
    acknowledged: list[int] = field(default_factory=list)
    waiting: deque[TableMessage] = field(default_factory=deque)
    retained: dict[str, TableMessage] = field(default_factory=dict)  # for the table, by the last level
    shown: dict[str, bytes] = field(default_factory=dict)  # of the table, by the last level


class Exchange:
    """Takes what tables send, gives it to the book's line, and keeps what the hall sends to them. Thread-safe."""

    def __init__(self, hall: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._hall = hall
        self._clock = clock
        self._changed = threading.Condition()
        self._boxes: dict[str, _Box] = {}
        self._inbox: deque[Received] = deque()
        self._owners: dict[int, _Box] = {}  # by serial: whose message it is
        self._serials = itertools.count(1)
        self._waker: Waker | None = None  # of the book's line, None while it is closed

    def deliver(self, table: str, session: str, messages: Sequence[TableMessage]) -> TableAnswer:
        """Take a table's messages, wait a moment for the book, and return what there is for the table.

        Raises:
            BookBehindError: the book is away or too slow, and none of the messages was taken.
        """
        with self._changed:
            box = self._boxes.setdefault(table, _Box())
            box.asked, box.online = self._clock(), True
            if session != box.session:
                self._begin(box, session)
            self._take(box, table, messages)
            if messages:
                end = time.monotonic() + ACKNOWLEDGED_WITHIN_SECONDS
                while box.session == session and box.unacknowledged and (left := end - time.monotonic()) > 0:
                    self._changed.wait(left)
            if box.session != session:
                return TableAnswer([], [])
            answer = TableAnswer(box.acknowledged, list(box.waiting))
            box.acknowledged = []
            box.waiting.clear()
            return answer

    def forget(self, table: str) -> None:
        """Let a table's box go, after its key was taken back; the book learns that it is offline."""
        with self._changed:
            box = self._boxes.pop(table, None)
            if box is not None:
                self._drop_unread(box)
                self._put(table, "status", OFFLINE)

    def open(
        self, name: str, waker: Waker, *, on_message: Callable[[Received], None] = lambda _: None, **_: object
    ) -> "BookLine":
        """Open the line of the book, an `Opening` of `companion.hall.line`; the one before is lost by that."""
        del name
        with self._changed:
            self._waker = waker
            self._inbox.clear()
            for box in self._boxes.values():
                box.session = ""  # each table sends again what was not acknowledged
                self._drop_unread(box)
        return BookLine(self, waker, on_message)

    def _begin(self, box: _Box, session: str) -> None:
        """Begin a line of a table: what it sent over the one before, it sends again."""
        self._drop_unread(box)
        box.session, box.acknowledged = session, []
        box.waiting = deque([*box.retained.values(), *(one for one in box.waiting if one.sender)])

    def _drop_unread(self, box: _Box) -> None:
        for serial in box.unacknowledged:
            self._owners.pop(serial, None)
        self._inbox = deque(one for one in self._inbox if one.number not in box.unacknowledged)
        box.unacknowledged.clear()

    def _pass_on(self, table: str, message: TableMessage) -> bool:
        """Give a table's message to the others that it is for, the newest of each alone; return whether there are any.

        A table that is away gets none: a message is a sign of life.
        """
        names = receivers(message.to, self._boxes)
        for name in names or ():
            box = self._boxes[name]
            if name != table and self._clock() - box.asked <= OFFLINE_AFTER_SECONDS:
                box.waiting = deque(one for one in box.waiting if (one.sender, one.to) != (table, message.to))
                box.waiting.append(TableMessage(0, message.to, message.text, sender=table))
        return names is not None

    def _take(self, box: _Box, table: str, messages: Sequence[TableMessage]) -> None:
        messages = [one for one in messages if not self._pass_on(table, one)]
        sizes = [len(one.text.encode()) for one in messages]
        of_table = sum(size for _, size in box.unacknowledged.values()) + sum(sizes)
        of_all = sum(size for one in self._boxes.values() for _, size in one.unacknowledged.values()) + sum(sizes)
        if messages and (self._waker is None or of_all > MOST_BYTES_AT_BOOK or of_table > MOST_BYTES_AT_BOOK // 4):
            raise BookBehindError
        for message, size in zip(messages, sizes, strict=True):
            payload = message.text.encode()
            if message.to in RETAINED:
                box.shown[message.to] = payload
            serial = self._put(table, message.to, payload)
            if message.number:
                box.unacknowledged[serial] = message.number, size
                self._owners[serial] = box

    def _put(self, table: str, last: str, payload: bytes, *, retained: bool = False) -> int:
        """Let a table's message wait for the book; return its serial. Without a book it is dropped."""
        serial = next(self._serials)
        if self._waker is not None:
            self._inbox.append(Received(f"{ROOT}/{self._hall}/{table}/{last}", payload, retained, serial, 1))
            self._waker.wake()
        return serial

    def next_for_book(self) -> Received | None:
        """Return the next message for the book, None if there is none."""
        with self._changed:
            return self._inbox.popleft() if self._inbox else None

    def find_silent(self) -> None:
        """Tell the book which tables have not asked for so long that they count as offline."""
        with self._changed:
            now = self._clock()
            for table, box in self._boxes.items():
                if box.online and now - box.asked > OFFLINE_AFTER_SECONDS:
                    box.online, box.shown["status"] = False, OFFLINE
                    self._put(table, "status", OFFLINE)

    def acknowledge(self, serial: int) -> None:
        """Note that the book has a message."""
        with self._changed:
            box = self._owners.pop(serial, None)
            if box is not None and serial in box.unacknowledged:
                box.acknowledged.append(box.unacknowledged.pop(serial)[0])
                self._changed.notify_all()

    def send(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """Keep a message until its table asks for it; a retained one for good, until an empty one replaces it."""
        found = table_in(topic, self._hall)
        if found is None:
            return
        table, last = found
        with self._changed:
            box = self._boxes.setdefault(table, _Box())
            message = TableMessage(0, last, payload.decode(), retain)
            if retain:
                box.retained[last] = message
                if not payload:
                    del box.retained[last]
            if len(box.waiting) < MOST_WAITING:
                box.waiting.append(message)

    def show_again(self) -> None:
        """Give the book the retained messages of all tables once more."""
        with self._changed:
            for table, box in self._boxes.items():
                for last, payload in box.shown.items():
                    self._put(table, last, payload, retained=True)

    def close_book(self, waker: Waker) -> None:
        """End the book's line, unless another one is open already."""
        with self._changed:
            if self._waker is waker:
                self._waker = None
                self._inbox.clear()

    def belongs_to(self, waker: Waker) -> bool:
        """Return whether the book's line that has this waker is the open one."""
        return self._waker is waker


class BookLine:
    """The book's end of the exchange, a `companion.hall.line.HallLine`. For one thread."""

    def __init__(self, exchange: Exchange, waker: Waker, on_message: Callable[[Received], None]) -> None:
        self._exchange, self._waker, self._on_message = exchange, waker, on_message

    def turn(self, seconds: float, /) -> None:
        """Wait at most so long for a message, and give it to who opened the line."""
        if not self._exchange.belongs_to(self._waker):
            raise LineLostError("another book reads what the tables send")
        message = self._exchange.next_for_book()
        if message is None and seconds:
            self._exchange.find_silent()
            self._waker.wait(None, seconds)
            message = self._exchange.next_for_book()
        if message is not None:
            self._on_message(message)

    def publish(self, topic: str, payload: bytes, /, *, qos: int = 1, retain: bool = False) -> int:
        """Keep a message for its table."""
        del qos
        self._exchange.send(topic, payload, retain=retain)
        return 0

    def subscribe(self, *topics: str, needed: bool = True) -> None:
        """Give all retained messages once more; the book hears everything anyway."""
        del topics, needed
        self._exchange.show_again()

    def received(self, message: Received, /) -> None:
        """Acknowledge a message to its table."""
        self._exchange.acknowledge(message.number)

    def close(self, last: tuple[str, bytes] | None = None, /) -> None:
        """End the line."""
        del last
        self._exchange.close_book(self._waker)

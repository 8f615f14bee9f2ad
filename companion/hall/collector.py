"""Collecting a hall's book: from the topics of a broker, or directly from a journal."""

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from companion.fairness.series.ledger import APPLICATION_ID as SERIES
from companion.fairness.series.ledger import SeriesLedger
from companion.hall.book.book import Book
from companion.hall.book.database import BookError, Database, NotTakenError
from companion.hall.book.missing import Missing
from companion.hall.follower import JournalFollower
from companion.hall.line import HallLine, LineLostError, Opening, Received, Waker
from companion.hall.orders import ANSWER_WAIT, Order, OrderAnswers
from companion.hall.settings import HallSettings
from companion.hall.topics import (
    MOST_BYTES,
    OFFLINE,
    ONLINE,
    ROOT,
    Again,
    EventMessage,
    MessageError,
    Topics,
    read_event,
    read_message,
    table_in,
)
from companion.hall.tournament.invited import invitations
from companion.hall.ways import line_opener
from companion.rules.strict_json import read_json

log = logging.getLogger(__name__)

AT_ONCE: Final = 500
"""Most messages in one transaction, and so on their way at a time."""

BYTES_AT_ONCE: Final = 4 * 1024 * 1024
"""Bytes of messages after which no more are taken into one transaction: the broker must hear of the book meanwhile."""

MOST_NAMED: Final = 100
"""Most tables that are named as those of which something was set aside."""

BROKER_KEEPS_SECONDS: Final = 7 * 24 * 3600
"""Seconds that the broker keeps messages for the book while nobody collects."""

RETRY_EVERY: Final = 1.0
"""Seconds between two tries to reach a broker or a database that is away."""

ASK_EVERY: Final = 0.25
"""Seconds between two checks of what is missing."""

STATES_EVERY: Final = 10.0
"""Seconds between two checks of the retained states of all tables: a broker with a full queue drops states as well."""

INVITE_EVERY: Final = 1.0
"""Seconds between two checks of who is invited to which table."""

CHECK_EVERY_SECONDS: Final = 0.25
"""Seconds after which the collector checks whether it must end, if nothing comes."""


@dataclass
class _Came:
    """What messages tell of tables: events in their order; of a table's states and statuses the last."""

    events: list[tuple[str, EventMessage]] = field(default_factory=list)
    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    statuses: dict[str, str] = field(default_factory=dict)

    def add(self, message: Received, hall: str) -> None:
        """Sort a message in; one to another topic is left out.

        Raises:
            MessageError: it is not what is published to its topic.
        """
        found = table_in(message.topic, hall)
        if found is None:
            return
        table, last = found
        if last == "event":
            self.events.append((table, read_event(message.payload)))
        elif last == "state":
            self.states[table] = read_message(message.payload, dict)
        elif last == "status" and message.payload in (ONLINE, OFFLINE):
            self.statuses[table] = message.payload.decode()


@dataclass(frozen=True)
class Trouble:
    """Why nothing is collected: what is away, and the sentence that says so."""

    away: Literal["broker", "book", "disk"]
    why: str


class Collector:
    """Writes what a hall's tables publish into the book. A message is acknowledged when the book has it.

    One that cannot be read, or that the book does not take alone either, is set aside, so that it stops no other.
    """

    def __init__(self, settings: HallSettings, ending: threading.Event, opening: Opening | None = None) -> None:
        """``opening``: opens the book's line, by default to the broker of the settings."""
        self._settings = settings
        self._opening = opening or line_opener(settings)
        self._ending = ending
        self._waker = Waker()
        self._missing = Missing()
        self._asked = 0.0
        self._sent: dict[str, bytes] = {}  # by table: the invitation that this line has sent it
        self._invited = 0.0
        self._orders: deque[Order] = deque()
        self._order: Order | None = None  # the one that is on its way
        self._asking = threading.Lock()
        self._open = False  # whether the line is; changed under the lock
        self.trouble: Trouble | None = None
        """Why nothing is collected now, None while something is."""
        self.set_aside: dict[str, int] = {}
        """By table, how many of its messages were set aside."""

    def ask(self, command: str, tables: Sequence[str], wait: float = ANSWER_WAIT) -> OrderAnswers:
        """Give a command to tables from another thread, and wait until all have answered, at most ``wait`` seconds.

        It goes over the book's own line: a broker may let each user in once.

        Raises:
            LineLostError: the broker is away, or does not let the book's user write commands.
        """
        order = Order(self._settings.hall, command, tables)
        with self._asking:
            if not self._open:
                raise LineLostError("the desk has no line to the broker")
            self._orders.append(order)
        self._waker.wake()
        try:
            return order.wait(wait)
        finally:
            order.end()  # nobody waits for it any more: it is not given later

    def run(self) -> None:
        """Collect until the event that was given is set, whatever is away meanwhile."""
        while not self._ending.is_set():
            try:
                with Database(self._settings.book) as database:
                    self._collect(database)
            except LineLostError as why:
                self._away(Trouble("broker", str(why)))
            except BookError as why:
                self._away(Trouble("disk" if why.full else "book", str(why)))
            except Exception as why:
                log.exception("the collector goes on after this")
                self._away(Trouble("book", type(why).__name__))
        self._waker.close()

    def _away(self, trouble: Trouble) -> None:
        if trouble != self.trouble:
            log.warning("the collector waits: %s", trouble.why)
        self.trouble = trouble
        while self._orders:
            self._orders.popleft().end(trouble.why)
        self._ending.wait(RETRY_EVERY)

    def _collect(self, database: Database) -> None:
        hall, book = self._settings.hall, Book(database, self._settings.hall)
        self._sent.clear()
        got: list[Received] = []
        line = self._opening(
            f"alea-{hall}-book",
            self._waker,
            on_message=got.append,
            kept_seconds=BROKER_KEEPS_SECONDS,
            at_once=AT_ONCE,
            most_bytes=MOST_BYTES,
        )
        try:
            log.info("the book of %s is open", hall)
            line.subscribe(*(f"{ROOT}/{hall}/+/{last}" for last in ("event", "state", "status", "answer")))
            with self._asking:
                self._open = True
            if self.trouble is not None and self.trouble.away == "broker":
                self.trouble = None
            checked = time.monotonic()
            while not self._ending.is_set():
                line.turn(CHECK_EVERY_SECONDS)
                size = 0
                while len(got) < AT_ONCE and size < BYTES_AT_ONCE and self._more(line, got):
                    size += len(got[-1].payload)
                self._take(book, got)
                for message in got:
                    line.received(message)
                    if self._order is not None:
                        self._order.take(message)
                got.clear()
                self._give(line)
                self._ask(line, book)
                self._invite(line, database)
                if time.monotonic() - checked > STATES_EVERY:
                    line.subscribe(f"{ROOT}/{hall}/+/state", f"{ROOT}/{hall}/+/status")  # answered with all retained
                    checked, self.trouble = time.monotonic(), None
        finally:
            with self._asking:
                self._open = False
            line.close()
            if self._order is not None:
                self._orders.append(self._order)
            self._order = None

    @staticmethod
    def _more(line: HallLine, got: list[Received]) -> bool:
        before = len(got)
        line.turn(0.0)
        return len(got) > before

    def _give(self, line: HallLine) -> None:
        """Send the command that somebody has for the tables, and end the waiting for the last one if all have answered.

        Raises:
            LineLostError
        """
        if self._orders:
            self._order = self._orders.popleft()
            if not self._order.over:
                self._order.send(line)
        if self._order is not None and self._order.complete:
            self._order.end()
            self._order = None

    def _take(self, book: Book, got: Sequence[Received]) -> None:
        """Write messages into the book; if it does not take them together, each alone.

        Raises:
            BookError: the book is away, and nothing was written.
        """
        came, readable = _Came(), []
        for message in got:
            try:
                came.add(message, self._settings.hall)
                readable.append(message)
            except MessageError as why:
                self._set_aside(message, why)
        if not (came.events or came.states or came.statuses):
            return
        try:
            self._write(book, came)
        except NotTakenError as why:
            if len(readable) == 1:
                self._set_aside(readable[0], why)
                return
            for message in readable:
                self._take(book, [message])

    def _set_aside(self, message: Received, why: Exception) -> None:
        found = table_in(message.topic, self._settings.hall)
        if found is None or (found[0] not in self.set_aside and len(self.set_aside) >= MOST_NAMED):
            return
        count = self.set_aside[found[0]] = self.set_aside.get(found[0], 0) + 1
        if str(count).strip("0") == "1":  # a table that floods must not flood the log too
            log.warning("message %d to %s that is set aside: %.300s", count, message.topic, why)

    def _write(self, book: Book, came: _Came) -> None:
        states = {table: json.dumps(state, ensure_ascii=False) for table, state in came.states.items()}
        reached = book.take(came.events, states, came.statuses, time.time())
        self.trouble = None  # now it is certain that the book takes something
        for table, digest in reached.items():
            self._missing.reached(table, digest, time.monotonic())
        for table, state in came.states.items():
            if isinstance(last := state.get("last"), str) and last:
                self._missing.reported(table, last)

    def _ask(self, line: HallLine, book: Book) -> None:
        """Ask tables for what did not come, though they have reported it: a broker may have lost it.

        Raises:
            BookError, LineLostError
        """
        now = time.monotonic()
        if now - self._asked < ASK_EVERY:
            return
        self._asked = now
        answered, due = self._missing.answered(), self._missing.due(now)
        for table in {*answered, *due}:
            place = book.gone_on(table)
            self._missing.reached(table, place.reached, now)
            # who answers is asked again only for the next gap: the rest of this one is on its way
            if (place.jumped or table in due) and self._missing.behind(table):
                wish = msgspec.json.encode(Again(place.reached, place.until))
                line.publish(Topics(self._settings.hall, table).again, wish)

    def _invite(self, line: HallLine, database: Database) -> None:
        """Tell the tables who is invited there, retained; the broker may still have what was sent before."""
        now = time.monotonic()
        if now - self._invited < INVITE_EVERY:
            return
        self._invited = now
        for table, invitation in invitations(database, self._settings.hall).items():
            payload = b"" if invitation is None else invitation.written()
            if self._sent.get(table) != payload:
                line.publish(Topics(self._settings.hall, table).invitation, payload, retain=True)
                self._sent[table] = payload


def collect_journal(settings: HallSettings, path: Path) -> int:
    """Write a whole journal of matches, or a file of series of throws, into the book; return how many events it has.

    Raises:
        JournalError: the file cannot be read.
        BookError: the book cannot be written.
    """
    with Database(settings.book) as database:
        book = Book(database, settings.hall)
        return _series(book, settings, path) if _holds_series(path) else _matches(book, settings, path)


def _matches(book: Book, settings: HallSettings, path: Path) -> int:
    follower = JournalFollower(path, names=settings.names)
    try:
        row, count = 0, 0
        while batch := follower.after(row, AT_ONCE):
            book.take((settings.table, written.message) for written in batch)
            row, count = batch[-1].row, count + len(batch)
        return count
    finally:
        follower.close()


def _holds_series(path: Path) -> bool:
    with path.open("rb") as opened:
        return int.from_bytes(opened.read(72)[68:72], "big") == SERIES  # where SQLite keeps the number of the program


def _series(book: Book, settings: HallSettings, path: Path) -> int:
    with SeriesLedger(path, writable=False) as ledger:
        count = 0
        for series in sorted(ledger.latest()):
            entries = ledger.events(series)
            first = entries[0].hash
            book.take_series(
                settings.table,
                (
                    (first, series, e.number, e.hash, e.at, e.event.kind, _without_names(e.body, settings))
                    for e in entries
                ),
            )
            count += len(entries)
        return count


def _without_names(body: str, settings: HallSettings) -> dict[str, Any]:
    """Return an event of a series; what its owner wrote down about it stays at the table like the names."""
    event: dict[str, Any] = read_json(body)
    return event if settings.names or "about" not in event else {**event, "about": {}}

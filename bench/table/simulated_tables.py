"""Many simulated tables of a hall in a few processes, each with a real line to the broker and a real outbox.

A simulated table keeps its journal in memory: events with the hash chain of a real one, one a second. It publishes them
and its retained state as `companion.hall.publisher` does, begins again where the broker's acknowledgements ended when
its line is lost, and repeats what the book asks for.
"""

import json
import multiprocessing
import random
import threading
import time
from collections import deque
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final

from companion.hall.follower import FollowedEvent
from companion.hall.line import LineLostError, Received, Waker, Will
from companion.hall.mqtt import MqttLine
from companion.hall.outbox import JournalPlace, Outbox
from companion.hall.settings import Broker
from companion.hall.topics import MESSAGE_FORM, OFFLINE, ONLINE, Again, EventMessage, Topics, read_message
from companion.ledger.entries import GENESIS, chained

HALL: Final = "bench"
BESIDE: Final = multiprocessing.get_context("fork")
CHECK_EVERY_SECONDS: Final = 0.25
"""Seconds between two looks at a table's line."""

RETRY_EVERY: Final = 1.0
"""Seconds between two tries to open a lost line."""

THROW: Final = {"kind": "committed", "awaited": "throw", "move": {"faces": ["A", "E", "I", "L"]}, "source": "tapped"}


class Chain:
    """A journal in memory, with what an `Outbox` asks of a `JournalFollower`."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._events: list[EventMessage] = []
        self._rows: dict[str, int] = {}

    def write(self, event: dict[str, Any]) -> None:
        """Add an event."""
        at, before = time.time(), self._events[-1].hash if self._events else ""
        number = len(self._events) + 1
        digest = chained(before or GENESIS, number, at, self._table, json.dumps(event, sort_keys=True))
        first = self._events[0].hash if self._events else digest
        self._events.append(
            EventMessage(MESSAGE_FORM, 1, first, number, at, self._table, event["kind"], event, digest, before)
        )
        self._rows[digest] = number

    def hashes(self) -> list[str]:
        """Return the hash of every event."""
        return [event.hash for event in self._events]

    def after(self, row: int, most: int) -> list[FollowedEvent]:
        """Return at most so many events after a row, which are numbered from 1."""
        return [FollowedEvent(event.number, event) for event in self._events[row : row + most]]

    def holds(self, row: int, digest: str) -> bool:
        """Return whether the event of a row has this hash."""
        return self._rows.get(digest) == row

    def place_of(self, digest: str) -> int | None:
        """Return the row of the event with this hash."""
        return self._rows.get(digest)


class SimulatedTable:
    """One table and its line to the broker."""

    def __init__(self, name: str, broker: Broker, first: float) -> None:
        """``first``: the steady time of its first event."""
        self._name, self.chain = name, Chain(name)
        self._topics = Topics(HALL, name)
        self._broker = broker
        self._next = first
        self._outbox = Outbox(self.chain, JournalPlace())
        self._line: MqttLine | None = None
        self._waker = Waker()
        self._asked: deque[Received] = deque()
        self._reported = ""
        self._later = 0.0

    def turn(self, *, writes: bool) -> None:
        """Write the event that is due, if any, and publish what waits; a lost line is opened again a second later."""
        now = time.monotonic()
        while writes and now >= self._next:
            self.chain.write(THROW if self.chain.hashes() else {"kind": "started", "game": "ludix", "players": []})
            self._next += 1.0
        try:
            if self._line is None and now >= self._later:
                self._open()
            if self._line is not None:
                self._publish(self._line)
        except LineLostError:
            self._line, self._later = None, time.monotonic() + RETRY_EVERY

    @property
    def idle(self) -> bool:
        """Whether the broker has acknowledged every event."""
        return self._outbox.acknowledged.row == len(self.chain.hashes()) and self._outbox.idle

    def _open(self) -> None:
        self._outbox = Outbox(self.chain, self._outbox.acknowledged)
        will = Will(self._topics.status, OFFLINE)
        self._line = MqttLine(
            self._broker,
            f"alea-{HALL}-{self._name}",
            self._waker,
            will=will,
            on_acknowledged=self._outbox.acknowledge,
            on_message=self._asked.append,
        )
        self._line.subscribe(self._topics.again)
        self._line.publish(self._topics.status, ONLINE, retain=True)
        self._reported = ""

    def _publish(self, line: MqttLine) -> None:
        while (written := self._outbox.due()) is not None:
            self._outbox.published(line.publish(self._topics.event, written.message.written()))
        line.turn(0.0)
        last = self._outbox.acknowledged.hash
        if last and last != self._reported:
            line.publish(self._topics.state, json.dumps({"state": "SYNCED", "last": last}).encode(), retain=True)
            self._reported = last
        while self._asked:
            message = self._asked.popleft()
            line.received(message)
            wanted = read_message(message.payload, Again)
            if not self._outbox.repeat(wanted.after, wanted.until):
                self._outbox.repeat_after(wanted.after)


def run(names: list[str], broker: Broker, ending: Event, to: Path, seed: int) -> None:
    """Play these tables until they are told to end and the broker has everything; write their hashes to a file."""
    chance = random.Random(seed)
    begun = time.monotonic() + 1
    tables = {name: SimulatedTable(name, broker, begun + chance.random()) for name in names}
    to.write_text("{}")
    while not ending.is_set() or not all(table.idle for table in tables.values()):
        looked = time.monotonic()
        for table in tables.values():
            table.turn(writes=not ending.is_set())
        time.sleep(max(0.0, looked + CHECK_EVERY_SECONDS - time.monotonic()))
    to.with_suffix(".done").write_text(json.dumps({name: table.chain.hashes() for name, table in tables.items()}))
    while not to.with_suffix(".settled").is_file():  # the book may still ask for what the broker has lost
        for table in tables.values():
            table.turn(writes=False)
        time.sleep(CHECK_EVERY_SECONDS)


class SimulatedTables:
    """The processes that play simulated tables."""

    def __init__(self, names: list[str], broker: Broker, folder: Path, processes: int, seed: int) -> None:
        self._ending: Event = BESIDE.Event()
        self._files = [folder / f"tables-{number}" for number in range(processes)]
        self._processes: list[BaseProcess] = [
            BESIDE.Process(target=run, args=(names[number::processes], broker, self._ending, file, seed + number))
            for number, file in enumerate(self._files)
        ]

    def start(self) -> None:
        """Start them all; the parent must have no threads yet."""
        assert threading.active_count() == 1, "a process that is forked from a thread may hang"
        for process in self._processes:
            process.start()

    def written(self) -> dict[str, list[str]]:
        """Let no table write any more; return the hashes of each table's events when the broker has them all."""
        self._ending.set()
        found: dict[str, list[str]] = {}
        for file in self._files:
            while not file.with_suffix(".done").is_file():
                time.sleep(0.1)
            time.sleep(0.1)
            found |= json.loads(file.with_suffix(".done").read_text())
        return found

    def stop(self) -> None:
        """End the processes."""
        for file in self._files:
            file.with_suffix(".settled").touch()
        for process in self._processes:
            process.join()

"""Tables and the collector killed together at random moments: journals, broker and book must agree event by event.

Needs Mosquitto, and PostgreSQL with ``--postgresql`` or ``--database``. At each moment one table and the collector are
killed, one right after the other, and started again; with ``--broker`` and ``--database`` two of table, collector,
broker and database, all its processes. A witness at the broker writes down what is published. What a broker takes along
when it dies only the book asks for again: then the witness must have heard nothing else than the journals hold.
"""

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any, Final

from companion.hall.acl import access_list
from companion.hall.book.database import Database
from companion.hall.collector import Collector
from companion.hall.settings import HallSettings
from companion.ledger.rescue import open_ledger
from companion.referee.journal import Journal
from tests.hall.killed_table import STARTED, publisher_of, write
from tests.hall.listening import Listener, hashes
from tests.hall.mosquitto import Mosquitto
from tests.hall.postgresql import PostgreSql

HALL: Final = "bench"
BESIDE: Final = multiprocessing.get_context("fork")  # a new program takes seconds to start; the parent has no threads
LONGEST_LIFE: Final = 1.6  # seconds between two moments: a start takes less, so kills come while starting and after
APART: Final = 0.03  # seconds between the two kills of a moment, at most
LONGEST: Final = 300.0  # seconds until all must agree
COLLECTOR, BROKER, DATABASE = "collector", "broker", "database"


def play(journal: Path, settings: HallSettings, every: float) -> None:
    """Write an event now and then and publish the journal, until killed."""
    with open_ledger(journal, Journal) as writable:
        match = writable.begin(STARTED, time.time(), "bench")
        publisher = publisher_of(journal, settings)
        publisher.start()
        while True:
            write(writable, match)
            publisher.wake()
            time.sleep(every)


def publish(journal: Path, settings: HallSettings) -> None:
    """Publish a journal in which nothing more is written, until killed."""
    publisher_of(journal, settings).start()
    threading.Event().wait()


def collect(settings: HallSettings) -> None:
    """Write the book until killed."""
    Collector(settings, threading.Event()).run()


def witness(settings: HallSettings, witnessed: Path) -> None:
    """Write down table and hash of each event that the broker gives out, until killed."""
    with Listener(settings.broker, "witness", f"alea/{HALL}/+/event") as heard, witnessed.open("a") as lines:
        seen = 0
        while True:
            for message in heard.messages[seen:]:
                seen += 1
                lines.write(f"{message.topic.split('/')[2]} {json.loads(message.payload)['hash']}\n")
            lines.flush()
            time.sleep(0.1)


class Kennel:
    """The processes of a hall, by name, and what starts each of them again."""

    def __init__(self) -> None:
        self._processes: dict[str, BaseProcess] = {}

    def start(self, name: str, work: Any, *given: Any) -> None:
        self._processes[name] = BESIDE.Process(target=work, args=given, daemon=True)
        self._processes[name].start()

    def kill(self, *names: str) -> None:
        for name in names or [*self._processes]:
            self._processes[name].kill()
            self._processes[name].join()
            del self._processes[name]


Servers = Mapping[str, Mosquitto | PostgreSql]
"""The servers that are killed too, by name."""


def moment(kennel: Kennel, servers: Servers, table: str, chance: Random) -> list[str]:
    """Kill two of table, collector and servers, one right after the other; return which."""
    chosen = chance.sample([table, COLLECTOR, *servers], 2)
    for victim in chosen:
        if victim in servers:
            servers[victim].kill()
        else:
            kennel.kill(victim)
        time.sleep(APART * chance.random())
    for victim in chosen:
        if victim in servers:
            servers[victim].start()
    return chosen


def kill(folder: Path, broker: Mosquitto, book: str, servers: Servers, given: argparse.Namespace) -> dict[str, Any]:
    """Kill so often, let everything settle, and compare."""
    chance = Random(given.seed)
    places = HallSettings(HALL, "book", broker=broker.open, prefix="", book=book)
    tables = {f"t{number}": folder / f"t{number}.db" for number in range(given.tables)}
    kennel = Kennel()
    kennel.start("witness", witness, places, folder / "told")
    while not (folder / "told").exists():
        time.sleep(0.05)
    kennel.start(COLLECTOR, collect, places)
    kills: Counter[str] = Counter()
    for name, journal in tables.items():
        kennel.start(name, play, journal, replace(places, table=name), given.every)
    for _ in range(given.n):
        time.sleep(LONGEST_LIFE * chance.random())
        name = chance.choice([*tables])
        killed = moment(kennel, servers, name, chance)
        kills.update("tables" if one == name else one for one in killed)
        if COLLECTOR in killed:
            kennel.start(COLLECTOR, collect, places)
        if name in killed:
            kennel.start(name, play, tables[name], replace(places, table=name), given.every)
    kennel.kill(*tables)
    for name, journal in tables.items():
        kennel.start(name, publish, journal, replace(places, table=name))
    journals = {name: hashes(journal) for name, journal in tables.items()}
    differing, seconds = settled(lambda: differences(journals, book, folder / "told", whole=not given.broker))
    kennel.kill()
    return {
        "n": given.n,
        "kills": dict(kills),
        "seed": given.seed,
        "tables": len(tables),
        "book": "PostgreSQL" if given.postgresql or given.database else "SQLite",
        "events": sum(map(len, journals.values())),
        "seconds_until_equal": seconds,
        "differ": differing,
    }


def settled(differ: Callable[[], list[str]]) -> tuple[list[str], float]:
    """Wait until nothing differs, at most `LONGEST` seconds; return what does, and how long that took."""
    began = time.monotonic()
    while (found := differ()) and time.monotonic() - began <= LONGEST:
        time.sleep(1.0)
    return found, round(time.monotonic() - began, 1)


def differences(journals: dict[str, list[str]], book: str, witnessed: Path, *, whole: bool) -> list[str]:
    """Return which tables have other events, or another order, in the book or at the broker than in their journal.

    ``whole``: whether the witness must have heard everything.
    """
    found = []
    heard: dict[str, dict[str, None]] = {name: {} for name in journals}
    for line in witnessed.read_text().split("\n")[:-1]:
        name, digest = line.split()
        heard[name][digest] = None  # where it comes first counts: repeats are allowed
    for name, journal in journals.items():
        if [*heard[name]] != journal if whole else set(heard[name]) - set(journal):
            found.append(f"broker: {name}")
        if kept(book, name) != journal:
            found.append(f"book: {name}")
    return found


def kept(book: str, table: str) -> list[str]:
    """Return the hashes of a table's events in the book, in their order; none while it cannot be read."""
    with suppress(Exception), Database(book) as db:
        rows = db.rows(
            "SELECT e.hash FROM events e JOIN matches m ON m.id = e.match JOIN tables t ON t.id = m.of_table"
            " WHERE t.name = %s ORDER BY m.number, e.number",
            table,
        )
        return [row[0] for row in rows]
    return []


def main() -> int:
    """Print the figures; fail if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=300, help="moments, each of which kills a table and the collector")
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--every", type=float, default=0.05, help="seconds between two events of a table")
    parser.add_argument("--broker", action="store_true", help="kill the broker too: two of all at each moment")
    parser.add_argument("--database", action="store_true", help="kill PostgreSQL too, in which the book then is")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as there, tempfile.TemporaryDirectory() as data:
        folder = Path(there)
        (folder / "broker").mkdir()
        broker = Mosquitto(folder / "broker", ("north",), access_list(HALL, ("north",), ""))
        broker.start()
        server = PostgreSql(Path(data)) if given.postgresql or given.database else None
        if server is not None:
            server.start()
        servers: dict[str, Mosquitto | PostgreSql] = {BROKER: broker} if given.broker else {}
        if server is not None and given.database:
            servers[DATABASE] = server
        try:
            figures = kill(folder, broker, str(folder / "hall.db") if server is None else server.url, servers, given)
        finally:
            broker.stop()
            if server is not None:
                server.crash()
    print(json.dumps(figures | {"load": [round(load, 1), round(os.getloadavg()[0], 1)]}))
    return bool(figures["differ"])


if __name__ == "__main__":
    sys.exit(main())

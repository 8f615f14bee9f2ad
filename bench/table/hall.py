"""Many tables in one hall: broker, collector and database killed in between; and whether a broker slows an answer.

Needs Mosquitto and PostgreSQL. Each table writes its journal, and a thread of its own publishes it. With
``--simulated 2`` the tables are simulated in two processes (`bench.table.simulated_tables`), which makes room for a
thousand. Afterwards the book is compared with the journals event by event.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psycopg

from bench.table.simulated_tables import HALL, SimulatedTables
from companion.hall.acl import access_list
from companion.hall.book.database import Database
from companion.hall.publisher import Publisher
from companion.hall.settings import HallSettings
from companion.referee.journal import Journal
from tests.hall.killed_table import STARTED, publisher_of, write
from tests.hall.listening import hashes
from tests.hall.mosquitto import Mosquitto
from tests.hall.postgresql import PostgreSql
from tests.hall.tables import MATCH, roll, settings_for, table_at, taking_part

LONGEST = 300.0  # seconds until book and journals must agree
ROOT = Path(__file__).resolve().parents[2]


def broker_in(folder: Path) -> Mosquitto:
    folder.mkdir()
    queue = "max_queued_messages 100000\n"  # as docs/hall.md says
    made = Mosquitto(folder, ("north",), access_list(HALL, ("north",), ""), queue)
    made.start()
    return made


class Collecting:
    """The collector's process."""

    def __init__(self, settings: Path) -> None:
        self._settings = settings
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "companion", "hall", "collect", str(self._settings)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def playing(
    journal: Path, ending: threading.Event, every: float, first: float, publishers: Mapping[Path, Publisher]
) -> None:
    """Write one event now and then until the end, and wake the journal's publisher as a table does."""
    with Journal(journal) as writable:
        match = writable.begin(STARTED, time.time(), "bench")
        ending.wait(first)
        while not ending.is_set():
            write(writable, match)
            if journal in publishers:
                publishers[journal].wake()
            ending.wait(every)


class Hall:
    """Tables that play, with their broker, collector and database."""

    def __init__(self, folder: Path, tables: int, chance: random.Random) -> None:
        self._folder = folder
        self._chance = chance
        self.names = [f"t{number}" for number in range(tables)]
        self.broker = broker_in(folder / "broker")
        self.database = PostgreSql(Path(tempfile.mkdtemp(prefix="alea-bench-book-")))
        self.database.start()
        with Database(self.database.url), psycopg.connect(self.database.url, autocommit=True) as db:
            taken = "taken DOUBLE PRECISION DEFAULT extract(epoch FROM clock_timestamp())"
            db.execute(f"ALTER TABLE events ADD COLUMN {taken}")
        book = folder / "book.toml"
        book.write_text(f'hall = "{HALL}"\n[broker]\nport = {self.broker.port}\n[book]\nurl = "{self.database.url}"\n')
        self.collector = Collecting(book)
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._publishers: dict[Path, Publisher] = {}

    def journal(self, name: str) -> Path:
        return self._folder / name / "journal.db"

    def play(self) -> None:
        """Let every table play, and return when the book has begun."""
        for name in self.names:
            self.journal(name).parent.mkdir()
            arguments = (self.journal(name), self._ending, 1.0, self._chance.random(), self._publishers)
            self._threads.append(threading.Thread(target=playing, args=arguments))
            self._threads[-1].start()
        for name in self.names:
            while not ready(self.journal(name)):
                time.sleep(0.02)
            places = HallSettings(HALL, name, broker=self.broker.open, prefix="")
            publisher = publisher_of(self.journal(name), places)
            publisher.start()
            self._publishers[self.journal(name)] = publisher
        while counted(self.database.url) < len(self.names):
            time.sleep(0.5)

    def kill(self, times: int, seconds: float) -> None:
        """Kill each part so often, spread at random over so many seconds."""
        parts: list[Mosquitto | Collecting | PostgreSql] = [self.broker, self.collector, self.database] * times
        self._chance.shuffle(parts)
        for part in parts:
            time.sleep(2 * seconds / len(parts) * self._chance.random())
            if isinstance(part, PostgreSql):
                part.crash()
            else:
                part.kill()
            part.start()

    def settle(self) -> tuple[dict[str, list[str]], float]:
        """Let nobody play, and wait for the book; return the journals' hashes by table, and the seconds it took."""
        journals = self.written()
        count = sum(map(len, journals.values()))
        began = time.monotonic()
        while counted(self.database.url) < count and time.monotonic() - began < LONGEST:
            time.sleep(0.5)
        return journals, time.monotonic() - began

    def written(self) -> dict[str, list[str]]:
        """Let nobody play; return the hashes of each table's events."""
        self._ending.set()
        for thread in self._threads:
            thread.join()
        return {name: hashes(self.journal(name)) for name in self.names}

    def kept(self, name: str) -> list[tuple[Any, ...]]:
        """Return hash, time, and time in the book of each event of a table."""
        with Database(self.database.url) as db:
            return db.rows(
                "SELECT e.hash, e.at, e.taken FROM events e JOIN matches m ON m.id = e.match"
                " JOIN tables t ON t.id = m.of_table WHERE t.name = %s ORDER BY e.number",
                name,
            )

    def stop(self) -> None:
        for publisher in self._publishers.values():
            publisher.stop()
        self.collector.kill()
        self.database.crash()
        self.broker.stop()


class SimulatedHall(Hall):
    """A hall of simulated tables in a few processes."""

    def __init__(self, folder: Path, tables: int, chance: random.Random, processes: int) -> None:
        super().__init__(folder, tables, chance)
        seed = chance.randrange(2**31)
        self._tables = SimulatedTables(self.names, self.broker.open, folder, processes, seed)

    def play(self) -> None:
        """Let every table play, and return when the book has begun."""
        self._tables.start()
        while counted(self.database.url) < len(self.names):
            time.sleep(0.5)

    def written(self) -> dict[str, list[str]]:
        """Let nobody play; return the hashes of each table's events when the broker has them."""
        return self._tables.written()

    def stop(self) -> None:
        """End everything."""
        self._tables.stop()
        super().stop()


def hall(playing_hall: Hall, seconds: float, kills: int) -> dict[str, Any]:
    """Let tables play, kill each part so often within so many seconds, and compare book and journals."""
    playing_hall.play()
    began = time.time() + 2
    calm = began + seconds / 3  # the first third is without kills: the latency is measured there
    time.sleep(calm - time.time())
    playing_hall.kill(kills, seconds * 2 / 3)
    journals, settled = playing_hall.settle()
    kept = {name: playing_hall.kept(name) for name in playing_hall.names}
    playing_hall.stop()
    late = sorted(taken - at for rows in kept.values() for _, at, taken in rows if began < at < calm)
    return {
        "tables": len(journals),
        "seconds": seconds,
        "events": sum(map(len, journals.values())),
        "kills_each": kills,
        "tables_that_differ": sum([row[0] for row in kept[name]] != journals[name] for name in kept),
        "seconds_until_equal": round(settled, 1),
        "event_to_row_median_ms": round(1000 * statistics.median(late)),
        "event_to_row_p95_ms": round(1000 * late[int(0.95 * len(late))]),
        "n_latency": len(late),
    }


def ready(journal: Path) -> bool:
    with suppress(Exception):
        return bool(hashes(journal))
    return False


def counted(url: str) -> int:
    with suppress(Exception), Database(url) as db:
        return int(db.rows("SELECT COUNT(*) FROM events")[0][0])
    return -1


def paired(folder: Path, n: int, chance: random.Random) -> dict[str, Any]:
    """Time answers of two tables in turn, one of which takes part in a hall."""
    broker = broker_in(folder / "paired")
    taken: dict[str, list[float]] = {"alone": [], "in a hall": []}
    options = {"ending": "throws", "throws": 10_000}
    with ExitStack() as stack:
        tables = {}
        for name in taken:
            journal = folder / name / "journal.db"
            tables[name] = stack.enter_context(table_at(journal))
            assert tables[name].command("new_match", {**MATCH, "options": options}, "bench").ok, name
        stack.enter_context(
            taking_part(tables["in a hall"], folder / "in a hall" / "journal.db", settings_for(broker.open))
        )
        for _ in range(n):
            for name in chance.sample(sorted(taken), 2):
                time.sleep(0.02)
                began = time.perf_counter()
                roll(tables[name], 1)
                taken[name].append(1000 * (time.perf_counter() - began))
    broker.stop()
    more = [there - alone for alone, there in zip(taken["alone"], taken["in a hall"], strict=True)]
    medians = sorted(statistics.median(chance.choices(more, k=n)) for _ in range(1000))
    return {
        "n": n,
        "alone_median_ms": round(statistics.median(taken["alone"]), 2),
        "in_a_hall_median_ms": round(statistics.median(taken["in a hall"]), 2),
        "difference_median_ms": round(statistics.median(more), 2),
        "difference_interval_ms": [round(medians[25], 2), round(medians[974], 2)],
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kills", type=int, default=5, help="of broker, collector and database, each")
    parser.add_argument("-n", type=int, default=300, help="pairs of answers")
    parser.add_argument("--simulated", type=int, default=0, help="processes that play simulated tables instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        made = (
            SimulatedHall(Path(folder), given.tables, chance, given.simulated)
            if given.simulated
            else Hall(Path(folder), given.tables, chance)
        )
        figures: dict[str, Any] = {
            "hall": hall(made, given.seconds, given.kills),
            "answers": paired(Path(folder), given.n, chance) if given.n else None,
            "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        }
    print(json.dumps(figures, indent=None if given.json else 1))
    return bool(figures["hall"]["tables_that_differ"])


if __name__ == "__main__":
    sys.exit(main())

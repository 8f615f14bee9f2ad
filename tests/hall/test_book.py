"""The hall's book in real databases: the same events as the journals, whatever is repeated, lost or killed."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from companion.fairness.series.events import SeriesStarted, Thrown
from companion.fairness.series.ledger import SeriesLedger
from companion.hall.book.book import Book, BookGap, written
from companion.hall.book.database import BOOK_FORM_LOCK, STEPS, BookError, Database
from companion.hall.collector import collect_journal
from companion.hall.settings import HallSettings
from companion.hall.topics import EventMessage
from companion.referee.journal import Journal
from tests.commands.running import run
from tests.hall.killed_table import STARTED, publisher_of, write
from tests.hall.listening import following, hashes, soon
from tests.hall.mosquitto import Mosquitto
from tests.hall.postgresql import PostgreSql, empty
from tests.referee.killed import killed

ROOT = Path(__file__).resolve().parents[2]


def messages_of(journal: Path, *, names: bool = True) -> list[EventMessage]:
    with following(journal, names=names) as follower:
        return [one.message for one in follower.after(0, 100_000)]


def kept(url: str) -> list[tuple[object, ...]]:
    with Database(url) as database:
        return database.rows(
            "SELECT t.name, m.first, e.number, e.hash, e.at, e.actor, e.kind, e.body FROM events e"
            " JOIN matches m ON m.id = e.match JOIN tables t ON t.id = m.of_table ORDER BY t.name, m.number, e.number"
        )


def expected(table: str, events: list[EventMessage]) -> list[tuple[object, ...]]:
    return [(table, e.first, e.number, e.hash, e.at, e.actor, e.kind, written(e.event)) for e in events]


def test_what_is_written_twice_is_there_once_and_equals_the_journal(book_url: str, tmp_path: Path) -> None:
    journal = killed(tmp_path / "north", throws=5)
    events = messages_of(journal)
    for times in (1, 2):
        with Database(book_url) as database:
            book = Book(database, "museum")
            assert book.take(("north", event) for event in events * times) == {"north": events[-1].hash}
            book.take(states={"north": '{"state": "SYNCED"}'}, statuses={"north": "online"}, at=7.0)
        assert kept(book_url) == expected("north", events)
    with Database(book_url) as database:
        assert database.rows("SELECT number, name, program FROM players") == [(1, "Anna", 0), (2, "Ben", 0)]
        assert database.rows("SELECT game, name, began FROM matches") == [("ludus-regularis", "A match", 1000.0)]
        assert database.rows("SELECT hall, name, state, seen, status FROM tables") == [
            ("museum", "north", '{"state": "SYNCED"}', 7.0, "online")
        ]
        assert Book(database, "museum").forget("north", events[0].first)
        assert not Book(database, "museum").forget("north", events[0].first)
        assert database.rows("SELECT COUNT(*) FROM events") == [(0,)]


def test_who_only_reads_does_not_wait_for_who_writes(book_url: str) -> None:
    """Each page of a tournament once took the lock that the collector needs for the next event."""
    with Database(book_url) as writing, writing.transaction():
        if writing.is_postgresql:
            writing.rows("SELECT pg_advisory_xact_lock(%s)", BOOK_FORM_LOCK)
        with Database(book_url) as reading:
            assert reading.rows("SELECT COUNT(*) FROM tournaments") == [(0,)]


def test_a_gap_is_known_until_it_is_filled(book_url: str, tmp_path: Path) -> None:
    events = messages_of(killed(tmp_path / "north", throws=8))
    with Database(book_url) as database:
        book = Book(database, "museum")

        def take(*chosen: EventMessage) -> str:
            return book.take(("north", event) for event in chosen)["north"]

        assert book.take(states={"north": "{}", "south": "{}"}) == {"north": "", "south": ""}
        assert book.gone_on("north") == BookGap("")
        assert take(*events[:3]) == events[2].hash
        assert book.gone_on("north") == BookGap(events[2].hash)
        assert take(events[5], events[6]) == events[2].hash
        assert book.gone_on("north") == BookGap(events[2].hash, events[4].hash)
        assert take(events[1]) == events[2].hash, "a repeat takes nothing back"
        assert take(events[3]) == events[3].hash
        assert take(events[4]) == events[4].hash
        assert book.gone_on("north") == BookGap(events[6].hash, jumped=True), "what came beyond the gap counts now"
        assert take(*events[4:]) == events[-1].hash
    assert kept(book_url) == expected("north", events)


def test_two_ways_to_go_on_are_both_kept(book_url: str, tmp_path: Path) -> None:
    """A journal that was put back from an older copy goes on otherwise."""
    events = messages_of(killed(tmp_path / "north", throws=3))
    other = EventMessage(
        **{**{name: getattr(events[-1], name) for name in events[-1].__struct_fields__}, "hash": "f" * 64}
    )
    with Database(book_url) as database:
        Book(database, "museum").take(("north", event) for event in [*events, other])
    assert len(kept(book_url)) == len(events) + 1


def test_any_text_that_a_journal_holds_is_taken(book_url: str, tmp_path: Path) -> None:
    odd = "A\0b \u202e \U0001f3b2 'x'; DROP TABLE events; --"
    with Journal(tmp_path / "journal.db") as journal:
        number = journal.begin(type(STARTED)(odd, "ludix", (odd, ""), {}, "tapped", ""), 1000.0, odd)
        write(journal, number)
    settings = HallSettings("museum", "north", names=True, book=book_url)
    for _ in range(2):
        assert collect_journal(settings, tmp_path / "journal.db") == 2
    with Database(book_url) as database:
        plain = odd.replace("\0", "")
        assert database.rows("SELECT name FROM players ORDER BY number") == [(plain,), (None,)]
        (body,) = database.rows("SELECT body FROM events WHERE number = 1")[0]
        assert json.loads(str(body))["players"] == [odd, ""]


def test_a_series_of_throws_is_taken_from_its_file(book_url: str, tmp_path: Path) -> None:
    path = tmp_path / "throws.db"
    dice = ({"name": "red", "set": "pips", "die": "d", "twins_apart": True, "together": 1},)
    with SeriesLedger(path) as ledger:
        series = ledger.open_chain(SeriesStarted("Red", dice, None, None, {}, {}, 1, {}), 1000.0, "tests")
        ledger.append(series, [Thrown("red", face, "typed") for face in "362"], 1001.0, "tests")
    settings = HallSettings("makers", "station", book=book_url)
    for _ in range(2):
        assert collect_journal(settings, path) == 4
    with Database(book_url) as database:
        assert database.rows("SELECT die, outcome FROM throws WHERE kind = 'thrown' ORDER BY number") == [
            ("red", "3"),
            ("red", "6"),
            ("red", "2"),
        ]
        assert database.rows("SELECT title FROM series") == [("Red",)]


def test_a_book_that_cannot_be_used_says_why(book_url: str, tmp_path: Path) -> None:
    with Database(book_url) as database:
        database.rows("INSERT INTO alea_book VALUES (%s)", len(STEPS) + 1)
    with pytest.raises(BookError, match="A newer companion wrote this book"):
        Database(book_url)
    with Database(f"{tmp_path}/other.db") as other:
        with suppress(ZeroDivisionError), other.transaction():
            other.rows("INSERT INTO tables (hall, name) VALUES ('a', 'b')")
            raise ZeroDivisionError
        assert other.rows("SELECT COUNT(*) FROM tables") == [(0,)]
    (tmp_path / "other.db").chmod(0o644)  # of an older program
    Database(f"{tmp_path}/other.db").close()
    assert (tmp_path / "other.db").stat().st_mode & 0o777 == 0o600
    for nowhere in ("mysql://somewhere", "", ":memory:"):
        with pytest.raises(BookError, match="postgresql://"):
            Database(nowhere)
    with pytest.raises(BookError, match="cannot be used"):
        Database("postgresql://127.0.0.1:1/none")
    (tmp_path / "text.db").write_text("This is no database, but it is long enough to be looked at. " * 20)
    with pytest.raises(BookError, match="cannot be used"):
        Database(str(tmp_path / "text.db"))


def test_the_command_writes_a_journal_into_the_book(tmp_path: Path) -> None:
    journal = killed(tmp_path / "north", throws=5)
    (tmp_path / "hall.toml").write_text('hall = "museum"\ntable = "north"\n')
    for _ in range(2):
        done = run("hall", "collect", str(tmp_path / "hall.toml"), "--journal", str(journal))
        assert done.exit_code == 0, done.output
        assert f"the {len(hashes(journal))} events" in done.output
    events = messages_of(journal, names=False)
    assert kept(str(tmp_path / "hall.db")) == expected("north", events)
    assert "Anna" not in str(kept(str(tmp_path / "hall.db")))
    for sentence in ("has been deleted from the book", "has no match of north"):
        assert sentence in run("hall", "forget", str(tmp_path / "hall.toml"), "north", events[0].first).output
    assert kept(str(tmp_path / "hall.db")) == []
    refused = run("hall", "collect", str(tmp_path / "hall.toml"), "--book", "mysql://somewhere")
    assert refused.exit_code == 1
    assert "postgresql://" in refused.output


@contextmanager
def collecting(settings: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "companion", "hall", "collect", str(settings)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def test_broker_collector_table_and_database_are_killed_and_agree_afterwards(
    mosquitto: Mosquitto, postgresql: PostgreSql, tmp_path: Path
) -> None:
    empty(postgresql.url)
    settings = tmp_path / "hall.toml"
    settings.write_text(f'hall = "museum"\n[broker]\nport = {mosquitto.port}\n[book]\nurl = "{postgresql.url}"\n')
    journals = {name: tmp_path / name / "journal.db" for name in ("north", "south")}

    def count() -> int:
        with suppress(BookError), closing(Database(postgresql.url)) as database:
            return int(database.rows("SELECT COUNT(*) FROM events")[0][0])
        return -1

    def more(events: int) -> None:
        before = max(0, count())
        soon(lambda: count() >= before + events)

    def table(name: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "tests.hall.killed_table", str(journals[name]), str(mosquitto.port), name]
        return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)

    with table("north") as north, table("south") as south:
        try:
            with collecting(settings):
                more(30)
            with collecting(settings):
                more(30)
                mosquitto.kill()  # what it had acknowledged to the tables and not given to the book may be gone
                time.sleep(0.1)
                mosquitto.start()
                more(30)
                postgresql.crash()
                north.kill()
                postgresql.start()
                more(30)
        finally:
            north.kill()
            south.kill()
    publishers = [
        publisher_of(journal, HallSettings("museum", name, broker=mosquitto.open)) for name, journal in journals.items()
    ]
    everything = [row for name in journals for row in expected(name, messages_of(journals[name], names=False))]
    with collecting(settings):
        for publisher in publishers:
            publisher.start()
        soon(lambda: count() == len(everything))
    for publisher in publishers:
        publisher.stop()
    assert kept(postgresql.url) == everything

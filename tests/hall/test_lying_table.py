"""A table that lies, floods or has a password too many: no other table waits for it, and the desk names it."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.hall.book import outcomes
from companion.hall.book.book import Book
from companion.hall.book.database import BookError, Database, NotTakenError
from companion.hall.book.outcomes import Judge
from companion.hall.collector import Collector, Trouble
from companion.hall.desk.now import results_now
from companion.hall.desk.watch import HallWatch
from companion.hall.line import Received, Waker
from companion.hall.mqtt import MqttLine
from companion.hall.settings import Broker, HallSettings
from companion.hall.topics import MOST_SHORT_BYTES, EventMessage, MessageError, read_event
from companion.referee.journal import read_row
from tests.hall.listening import PATIENCE, say, soon
from tests.hall.mosquitto import Mosquitto, free_port
from tests.hall.tables import settings_for
from tests.hall.test_desk import collecting, page

REPORT: dict[str, dict[str, Any]] = {
    "started": {
        "name": "A match",
        "game": "ludix",
        "players": ["Anna", "Ben"],
        "options": {},
        "dice_by": "tapped",
        "rules": "",
        "sample": "",
    },
    "finished": {"by": "agreement", "reason": ""},
}


def event(number: int, kind: str, chain: int = 1, **more: Any) -> dict[str, Any]:
    """Return an event of a match that a table might send."""
    first = f"{chain:032x}"
    after = "" if number == 1 else f"{first}{number - 1:032x}"
    body = {"kind": kind, **REPORT.get(kind, {})}
    found = {"form": 1, "match": chain, "first": f"{first}{1:032x}", "number": number, "at": 1000.0, "actor": "owner"}
    return found | {"kind": kind, "event": body | more, "hash": f"{first}{number:032x}", "after": after}


def written(sentence: dict[str, Any]) -> bytes:
    return json.dumps(sentence).encode()


MANY = ["" for _ in range(60_000)]
LIES: dict[str, Callable[[], bytes]] = {
    "more names than a game has players": lambda: written(event(1, "started", players=["x"] * 21)),
    "a million names": lambda: written(event(1, "started", players=MANY)),
    "players under another kind": lambda: written(event(1, "resumed", players=MANY)),
    "players that are no texts": lambda: written(event(1, "started", players=[[]])),
    "a long name": lambda: written(event(1, "started", players=["x" * 3000, ""])),
    "a long start": lambda: written(event(1, "started", options={"x": "x" * MOST_SHORT_BYTES})),
    "deep": lambda: b"[" * 100_000,
    "no JSON": lambda: b"\xff",
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_an_event_has_bounds(lie: Callable[[], bytes]) -> None:
    with pytest.raises(MessageError):
        read_event(lie())


def test_an_honest_event_is_within_them() -> None:
    assert read_event(written(event(1, "started"))).number == 1
    long = event(2, "corrected", event=1, drops=[*range(100_000)])
    assert read_event(written(long)).event["drops"][-1] == 99_999


def heard(mosquitto: Mosquitto, book: str) -> None:
    """Wait until the collector hears the broker."""
    say(mosquitto.open, "alea/museum/east/status", b"offline", retain=True)
    with Database(book) as database:
        soon(lambda: database.rows("SELECT 1 FROM tables WHERE name = 'east' AND status = 'offline'"))
    say(mosquitto.open, "alea/museum/east/status", b"", retain=True)


def test_what_a_table_sends_too_much_of_is_set_aside_and_named_and_the_others_go_on(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    settings = settings_for(mosquitto.open, book=str(tmp_path / "hall.db"))
    north, south = "alea/museum/north", "alea/museum/south"
    with collecting(settings) as collector:
        watch = HallWatch(settings.book, "museum", collector)
        watch.start()
        try:
            heard(mosquitto, settings.book)
            for lie in LIES.values():
                say(mosquitto.open, f"{north}/event", lie())
            say(mosquitto.open, f"{north}/state", written({"state": "x" * (MOST_SHORT_BYTES + 1)}), retain=True)
            say(mosquitto.open, f"{north}/state", b"x" * (8 << 20), retain=True)  # the broker keeps it to itself
            say(mosquitto.open, f"{south}/event", written(event(1, "started", chain=2)))
            soon(lambda: [one for one in watch.snapshot().data["tables"] if one["name"] == "south"])
            soon(lambda: collector.set_aside == {"north": len(LIES) + 1})
            soon(lambda: watch.snapshot().data["set_aside"] == ["north"])
            assert "The book does not take all that these tables send: north." in page(watch, "/", tmp_path)
        finally:
            watch.stop()
        say(mosquitto.open, f"{north}/state", b"", retain=True)
        with Database(settings.book) as database:
            assert database.rows("SELECT COUNT(*) FROM players") == [(2,)]
            assert database.rows("SELECT COUNT(*) FROM events") == [(1,)]


def test_an_event_that_the_book_refuses_twice_stops_no_other(mosquitto: Mosquitto, tmp_path: Path) -> None:
    settings = settings_for(mosquitto.open, book=str(tmp_path / "hall.db"))
    with Database(settings.book) as database:
        database.rows(
            "CREATE TRIGGER a_fault BEFORE INSERT ON events WHEN NEW.kind = 'resumed'"
            " BEGIN SELECT RAISE(ABORT, 'it is not taken'); END"
        )
        with pytest.raises(NotTakenError):
            Book(database, "museum").take([("north", read_event(written(event(2, "resumed"))))])
        with collecting(settings) as collector:
            heard(mosquitto, settings.book)
            for number, kind in enumerate(("started", "resumed", "paused"), start=1):
                say(mosquitto.open, "alea/museum/north/event", written(event(number, kind)))
            soon(lambda: collector.set_aside == {"north": 1})
            soon(lambda: database.rows("SELECT number FROM events ORDER BY number") == [(1,), (3,)])
            assert collector.trouble is None


def test_what_cannot_be_read_is_set_aside_once_also_where_the_book_takes_nothing(tmp_path: Path) -> None:
    class Refusing:
        def take(self, *_: object) -> None:
            raise NotTakenError("It is not taken.")

    ending = threading.Event()
    ending.set()
    collector = Collector(HallSettings("museum", "book", book=str(tmp_path / "hall.db")), ending)
    collector.run()
    payloads = (b"no JSON", *(written(event(number, "paused")) for number in (1, 2)))
    got = [Received("alea/museum/north/event", one, retained=False, number=1, qos=1) for one in payloads]
    collector._take(Refusing(), got)  # type: ignore[arg-type]
    assert collector.set_aside == {"north": 3}


@pytest.mark.parametrize("fork", [19, 20, 21])
def test_a_journal_that_goes_on_in_two_ways_ends_in_neither(book_url: str, fork: int) -> None:
    kinds = ["started", *["paused", "resumed"] * 20][: fork - 1]
    with Database(book_url) as database:
        kept(database, "north", 1, [*kinds, "finished"])
        other = event(fork, "paused") | {"hash": "f" * 64}
        Book(database, "museum").take([("north", read_event(written(other)))])
        assert not Judge().judge(database, "museum", PATIENCE)
        assert database.rows("SELECT outcome FROM matches") == [(None,)]


def test_a_broker_keeps_a_long_message_from_a_table(mosquitto: Mosquitto) -> None:
    got: list[Received] = []
    waker = Waker()
    line = MqttLine(mosquitto.open, "alea-museum-north", waker, on_message=got.append)
    line.subscribe("alea/museum/north/command")
    line.turn(1.0)
    for payload in (b"x" * 1_000_000, b"pause"):
        say(mosquitto.open, "alea/museum/north/command", payload)

    def come() -> list[Received]:
        line.turn(0.1)
        return got

    assert soon(come)[0].payload == b"pause"
    line.close()
    waker.close()


def kept(database: Database, table: str, chain: int, kinds: list[str]) -> None:
    events: list[tuple[str, EventMessage]] = [
        (table, read_event(written(event(number, kind, chain)))) for number, kind in enumerate(kinds, start=1)
    ]
    Book(database, "museum").take(events)


def test_a_long_match_of_one_table_holds_up_no_other(book_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []

    def counted(row: Any) -> Any:
        read.append(row)
        return read_row(row)

    monkeypatch.setattr(outcomes, "read_row", counted)
    with Database(book_url) as database:
        kept(database, "north", 1, ["started", *["paused", "resumed"] * 100])
        kept(database, "south", 2, ["started", "paused", "finished"])
        judge, calls = Judge(), 1
        while judge.judge(database, "museum", -1.0):  # one event a call
            calls += 1
            if calls == 10:
                assert len(results_now(database, "museum")) == 1, "south's is judged between north's"
        assert len(read) == 204
        assert calls < 220
        kept(database, "north", 1, ["started", *["paused", "resumed"] * 100, "finished"])
        assert not judge.judge(database, "museum", PATIENCE)
        assert len(read) == 205, "what was replayed is not replayed again"
        assert len(results_now(database, "museum")) == 2
        monkeypatch.setattr(outcomes, "MOST_EVENTS", 100)
        assert not Judge().judge(database, "museum", PATIENCE)
        database.rows("UPDATE matches SET judged = 0")
        assert not Judge().judge(database, "museum", PATIENCE)
        assert len(results_now(database, "museum")) == 1, "nobody plays so long"


def test_what_is_away_has_its_own_name(tmp_path: Path) -> None:
    book = str(tmp_path / "hall.db")
    nowhere = Broker(port=free_port())
    with collecting(HallSettings("museum", "book", broker=nowhere, book=book)) as collector:
        assert soon(lambda: collector.trouble).away == "broker"
    url = f"postgresql://alea:swordfish@127.0.0.1:{free_port()}/none"
    with collecting(HallSettings("museum", "book", broker=nowhere, book=url)) as collector:
        trouble = soon(lambda: collector.trouble)
        assert trouble.away == "book"
        assert "swordfish" not in trouble.why
    with Database(book) as database:
        (pages,) = database.rows("PRAGMA page_count")[0]
        database.rows(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(BookError) as refused:
            Book(database, "museum").take([("north", read_event(written(event(2, "x", text="x" * 100_000))))])
        assert refused.value.full
        assert not isinstance(refused.value, NotTakenError)
    for away, sentence in (("disk", "disk is full"), ("book", "cannot be used now"), ("broker", "broker cannot be")):
        collector.trouble = Trouble(away, "")  # type: ignore[arg-type]
        watch = HallWatch(book, "museum", collector)
        assert sentence in page(watch, "/", tmp_path)


@pytest.mark.parametrize(
    "url",
    ["postgresql://alea:qx%zz@h/d", "postgresql://alea:q@qx:x@h/d?a=b", "postgresql://[::1", "postgresql://h:qx/x?y=z"],
)
def test_an_address_of_a_database_that_cannot_be_read_is_one_sentence_without_it(url: str) -> None:
    with pytest.raises(BookError) as refused:
        Database(url)
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert not any(part in sentence for part in ("qx", "::1"))

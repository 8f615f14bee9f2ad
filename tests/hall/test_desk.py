"""The organiser's desk: what tables tell becomes one page, and matches in the book become results."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.hall.book.book import Book
from companion.hall.book.database import Database
from companion.hall.book.outcomes import Judge
from companion.hall.collector import Collector, collect_journal
from companion.hall.desk.now import read_report, results_now, tables_now
from companion.hall.desk.watch import HallWatch
from companion.hall.settings import HallSettings
from companion.settings.file import SettingsFile
from companion.web.hall.app import create_hall_app
from tests.hall.listening import PATIENCE, Listener, soon
from tests.hall.mosquitto import Mosquitto
from tests.hall.tables import MATCH, roll, settings_for, table_at, taking_part

TWO_THROWS = {**MATCH, "options": {"ending": "throws", "throws": 2}}
REPORT = {
    "state": "SYNCED",
    "game": "tables/zeno",
    "match": 1,
    "scores": [1, 2],
    "waits_for": 2,
    "players": ["Anna", "<b>"],
}


def tell(url: str, table: str, state: object, status: str = "online") -> None:
    with Database(url) as database:
        Book(database, "museum").take(states={table: json.dumps(state)}, statuses={table: status}, at=1.0)


@contextmanager
def watched(url: str) -> Iterator[HallWatch]:
    watch = HallWatch(url, "museum")
    watch.start()
    try:
        yield watch
    finally:
        watch.stop()


@contextmanager
def collecting(settings: HallSettings) -> Iterator[Collector]:
    ending = threading.Event()
    collector = Collector(settings, ending)
    thread = threading.Thread(target=collector.run)
    thread.start()
    try:
        yield collector
    finally:
        ending.set()
        thread.join(60)
    assert not thread.is_alive()


def page(watch: HallWatch, address: str, folder: Path, **headers: str) -> str:
    app = create_hall_app(watch, trusted_hosts=["localhost"], settings=SettingsFile(folder / "settings.json"))
    answer = app.test_client().get(address, headers=headers)
    assert answer.status_code == 200
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    return answer.get_data(as_text=True)


def test_a_match_at_a_table_is_a_result_at_the_desk_when_it_ends(mosquitto: Mosquitto, tmp_path: Path) -> None:
    settings = settings_for(mosquitto.open, names=True, book=str(tmp_path / "hall.db"))

    def north(watch: HallWatch) -> dict[str, Any]:
        found: dict[str, Any] = watch.snapshot().data["tables"][0]
        return found

    with (
        collecting(settings),
        watched(settings.book) as watch,
        table_at(tmp_path / "journal.db") as table,
    ):
        assert watch.snapshot().data["tables"] == []
        with taking_part(table, tmp_path / "journal.db", settings):
            assert table.command("new_match", TWO_THROWS, "tests").ok
            soon(lambda: north(watch)["sign"] == "plays" and north(watch)["players"])
            assert [one["waits"] for one in north(watch)["players"]].count(True) == 1
            roll(table, 2)
            result = soon(lambda: watch.snapshot().data["results"][0])
            shown = table.snapshot().data
            assert [one["score"] for one in result["players"]] == [one["score"] for one in shown["match"]["players"]]
            winners = [one["number"] for one in result["players"] if one["won"]]
            assert winners == list(shown["outcome"]["winners"])
            assert (result["table"], result["game"]) == ("north", "Ludus Regularis")
            soon(lambda: north(watch)["sign"] == "over")
        soon(lambda: north(watch)["sign"] == "offline")
        stated = page(watch, "/wall", tmp_path)
        assert "Anna" in stated
        assert "Offline" in stated
        mosquitto.kill()
        soon(lambda: watch.snapshot().data["tables"])
        mosquitto.start()


def test_a_match_whose_beginning_comes_last_is_a_result(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """The collector starts after the match: the table is asked for its first event when all others are there."""
    settings = settings_for(mosquitto.open, names=True, book=str(tmp_path / "hall.db"))
    with table_at(tmp_path / "journal.db") as table, taking_part(table, tmp_path / "journal.db", settings) as member:
        assert table.command("new_match", TWO_THROWS, "tests").ok
        member.publisher.wake()
        with Listener(mosquitto.open, "looks on", "alea/museum/north/state") as listener:
            soon(lambda: [one for one in listener.messages if json.loads(one.payload)["match"] == 1])
        with collecting(settings), watched(settings.book) as watch:
            soon(lambda: watch.snapshot().data["tables"][0]["sign"] == "plays")
            roll(table, 2)
            result = soon(lambda: watch.snapshot().data["results"][0])
            assert [one["name"] for one in result["players"]] == ["Anna", "Berno"]


def test_an_older_book_has_its_unended_matches_replayed_once_more(book_url: str, tmp_path: Path) -> None:
    with table_at(tmp_path / "journal.db") as table:
        assert table.command("new_match", TWO_THROWS, "tests").ok
        roll(table, 2)
    collect_journal(HallSettings("museum", "north", book=book_url), tmp_path / "journal.db")
    judge = Judge()
    with Database(book_url) as database:
        database.rows("UPDATE matches SET judged = (SELECT MAX(number) FROM events)")
        assert not judge.judge(database, "museum", PATIENCE)
        assert results_now(database, "museum") == []
        database.rows("DELETE FROM alea_book WHERE step >= 6")
        for added in ("reason", "drawn"):  # by the seventh step and the eighth
            database.rows(f"ALTER TABLE pairings DROP COLUMN {added}")
    with Database(book_url) as database:
        assert not judge.judge(database, "museum", PATIENCE)
        assert len(results_now(database, "museum")) == 1


INSERT = "INSERT INTO events (match, number, hash, at, actor, kind, body) VALUES (%s, %s, %s, %s, %s, %s, %s)"


def test_a_match_is_judged_without_names_but_not_with_gaps_or_while_it_goes_on(book_url: str, tmp_path: Path) -> None:
    url = book_url
    with table_at(tmp_path / "journal.db") as table:
        assert table.command("new_match", TWO_THROWS, "tests").ok
        roll(table, 2)
    settings = HallSettings("museum", "north", names=False, book=url)
    collect_journal(settings, tmp_path / "journal.db")
    judge = Judge()
    with Database(url) as database:
        tell(url, "north", REPORT)
        assert not judge.judge(database, "museum", PATIENCE)
        assert results_now(database, "museum") == [], "the table says that it plays match 1"
        tell(url, "north", {**REPORT, "over": True})
        kept = database.rows("SELECT match, number, hash, at, actor, kind, body FROM events WHERE number = 2")[0]
        database.rows("DELETE FROM events WHERE number = 2")
        assert not judge.judge(database, "museum", PATIENCE)
        assert results_now(database, "museum") == [], "one is missing"
        database.rows(INSERT, *kept)
        assert not judge.judge(database, "museum", PATIENCE)
        result = results_now(database, "museum")[0]
        assert [one["name"] for one in result["players"]] == ["", ""]
        before = database.rows("SELECT outcome FROM matches")
        database.rows(INSERT, *kept[:2], "f" * 64, *kept[3:])
        assert not judge.judge(database, "museum", PATIENCE)
        assert before != database.rows("SELECT outcome FROM matches") == [(None,)], "it went on in two ways"


@pytest.mark.parametrize(
    ("found", "sign"),
    [
        (REPORT, "plays"),
        ({**REPORT, "state": "PROPOSED", "asks": "dice"}, "asks_dice"),
        ({**REPORT, "state": "PROPOSED", "asks": "board"}, "asks_board"),
        ({**REPORT, "state": "MISMATCH", "paused": True}, "mismatch"),
        ({**REPORT, "state": "BLIND", "camera": "trouble"}, "blind"),
        ({**REPORT, "journal": "trouble", "state": "PROPOSED"}, "journal"),
        ({**REPORT, "screen": "closed"}, "closed"),
        ({**REPORT, "screen": "attract"}, "attract"),
        ({**REPORT, "match": None}, "free"),
        ({**REPORT, "over": True}, "over"),
        ({**REPORT, "paused": True}, "paused"),
        ({"scores": "many"}, "unknown"),
        ([1], "unknown"),
        ({"state": "x" * 300}, "unknown"),
    ],
)
def test_each_table_has_one_sign_and_what_needs_somebody_goes_first(found: Any, sign: str, tmp_path: Path) -> None:
    url = str(tmp_path / "hall.db")
    tell(url, "north", found)
    with Database(url) as database:
        assert [one["sign"] for one in tables_now(database, "museum")] == [sign]
        tell(url, "north", found, "offline")
        assert [one["sign"] for one in tables_now(database, "museum")] == ["offline"]


def test_the_desk_leads_to_a_tables_page_for_spectators_and_nowhere_else(tmp_path: Path) -> None:
    url, watch_at = str(tmp_path / "hall.db"), "http://192.168.1.7:8000/alea/watch"
    tell(url, "north", {**REPORT, "watch": watch_at})
    tell(url, "south", {**REPORT, "watch": "javascript:alert(1)//http://x/"})
    tell(url, "east", {**REPORT, "watch": watch_at, "match": None})
    tell(url, "west", {**REPORT, "watch": watch_at}, "offline")
    with watched(url) as watch:
        stated = page(watch, "/part/tables", tmp_path)
        assert f'<a href="{watch_at}" rel="noopener">Watch the match of north</a>' in stated
        assert stated.count("Watch the match of") == 1
        assert "javascript" not in stated
        assert "<a " not in page(watch, "/part/wall", tmp_path), "nobody presses a wall"


def test_no_message_of_a_table_becomes_markup_and_tables_stand_by_their_numbers(tmp_path: Path) -> None:
    url = str(tmp_path / "hall.db")
    for number in (10, 2, 1):
        tell(url, f"table-{number}", REPORT)
    assert read_report("[" * 5000) is None
    with watched(url) as watch:
        stated = page(watch, "/part/tables", tmp_path)
        assert [stated.index(f"<h2>table-{number}</h2>") for number in (1, 2, 10)] == sorted(
            stated.index(f"<h2>table-{number}</h2>") for number in (1, 2, 10)
        )
        assert "&lt;b&gt;" in stated
        assert "<b>" not in stated
        assert "am Zug" in page(watch, "/part/tables?language=de", tmp_path)
        app = create_hall_app(watch, trusted_hosts=["localhost"], settings=SettingsFile(tmp_path / "s.json"))
        client = app.test_client()
        assert client.get("/part/parts").status_code == 404
        assert client.get("/", headers={"Host": "elsewhere"}).status_code == 400
        assert client.get("/api/state").get_json()["tables"][0]["players"][1]["name"] == "<b>"
    (tmp_path / "hall.db").unlink()

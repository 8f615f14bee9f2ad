"""A teacher with many tables: all are paused, and each says so; all are given the same game, which begins nothing."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.hall.book.database import Database
from companion.hall.book.given import give, given_now, read_given
from companion.hall.collector import Collector
from companion.hall.desk.watch import HallWatch
from companion.hall.orders import OrderAnswers, ask_all
from companion.hall.settings import HallSettings
from companion.hall.topics import Given, Invitation, MessageError, Topics, read_invitation
from companion.rules.errors import OptionError
from companion.settings.file import SettingsFile
from companion.web.hall.app import create_hall_app
from tests.hall.listening import PATIENCE, Listener, say, soon
from tests.hall.mosquitto import Mosquitto
from tests.hall.tables import MATCH, settings_for, table_at, taking_part
from tests.hall.test_desk import collecting, tell, watched
from tests.hall.test_invited import cup, greeted
from tests.web.conftest import PIN

OPTIONS = {"ending": "throws", "throws": 12}


def desk(watch: HallWatch, folder: Path, **more: Any) -> FlaskClient:
    settings = SettingsFile(folder / "settings.json")
    return create_hall_app(watch, trusted_hosts=["localhost"], settings=settings, **more).test_client()


def pause(client: FlaskClient) -> Any:
    return client.post("/api/class/pause", json={})


def test_all_tables_are_paused_and_each_that_refuses_or_is_silent_is_named(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    book = str(tmp_path / "hall.db")
    mine = settings_for(mosquitto.safe("book"), book=book)
    paths = {name: tmp_path / f"{name}.db" for name in ("north", "south")}
    allowed = {"north": frozenset({"pause"}), "south": frozenset({"open"})}
    settings = {
        name: settings_for(mosquitto.safe(name), table=name, book=book, outside=allowed[name]) for name in paths
    }
    with (
        table_at(paths["north"]) as north,
        table_at(paths["south"]) as south,
        collecting(mine) as book_keeper,
        watched(book) as watch,
    ):
        for table in (north, south):
            assert table.command("new_match", MATCH, "tests").ok
        client = desk(watch, tmp_path, asks=partial(book_keeper.ask, wait=PATIENCE))
        with (
            taking_part(north, paths["north"], settings["north"]),
            taking_part(south, paths["south"], settings["south"]),
        ):
            soon(lambda: [one["sign"] for one in watch.snapshot().data["tables"]] == ["plays", "plays"])
            tell(book, "east", {"match": 1}, "offline")
            soon(lambda: len(watch.snapshot().data["tables"]) == 3)
            answer = pause(client).get_json()
            assert (answer["done"], answer["silent"]) == (["north"], []), "who is offline is not asked"
            assert list(answer["refused"]) == ["south"]
            assert "not switched on" in answer["refused"]["south"]
            assert answer["told"][0] == "Paused: north."
            assert north.snapshot().data["match"]["paused"]
            assert not south.snapshot().data["match"]["paused"]
            assert ask_all(mine, "pause", ["west"], wait=0.1) == OrderAnswers([], {}, ["west"])
            mosquitto.kill()
            away = pause(client)
            assert (away.status_code, away.get_json()["error"]) == (
                503,
                "The broker cannot be reached, so no table was asked.",
            )
            mosquitto.start()


def test_only_the_owner_pauses_and_gives(tmp_path: Path) -> None:
    book = str(tmp_path / "hall.db")
    tell(book, "north", {"match": 1})
    asked: list[Sequence[str]] = []

    def asks(command: str, tables: Sequence[str]) -> OrderAnswers:
        asked.append((command, *tables))
        return OrderAnswers([], {}, [])

    with watched(book) as watch:
        stranger = desk(watch, tmp_path, asks=asks, owner_pin=PIN)
        for act in ("pause", "game"):
            assert stranger.post(f"/api/class/{act}", json={}).status_code == 401
        assert stranger.get("/class").status_code == 200
        assert asked == []
        stranger.post("/api/owner", json={"pin": PIN})
        assert pause(stranger).get_json()["told"] == ["No table is online."]
        assert asked == [("pause", "north")]


def test_a_given_game_is_a_filled_in_form_at_every_table_until_it_is_taken_back(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.db"
    settings = settings_for(mosquitto.safe("north"), names=True, book=str(tmp_path / "hall.db"), invitations=True)
    mine = settings_for(mosquitto.safe("book"), book=settings.book)
    topic = Topics.of(settings).invitation
    with (
        Listener(mosquitto.open, "museum", topic) as heard,
        table_at(journal) as table,
        greeted(table, journal, settings) as client,
        collecting(mine),
        watched(settings.book) as watch,
    ):
        soon(lambda: watch.snapshot().data["tables"])
        owner = desk(watch, tmp_path)
        chosen = owner.get("/class?game=ludus-regularis").text
        assert 'name="throws" data-in="options"' in chosen
        texts = {name: str(value) for name, value in OPTIONS.items()}
        for wrong in ({"game": "chess"}, {"game": "ludix", "options": {"ending": "x"}}):
            assert owner.post("/api/class/game", json=wrong).status_code == 409, wrong
        given = owner.post("/api/class/game", json={"game": "ludus-regularis", "options": texts})
        assert given.get_json()["go"] == "/class"
        assert "All tables have been given Ludus Regularis." in owner.get("/class").text
        invitation = soon(lambda: client.get("/api/invitation").get_json()["text"])
        assert invitation == "Your teacher gives you a game: Ludus Regularis."
        assert client.get("/api/invitation?language=de").get_json()["text"].startswith("Deine Lehrkraft")
        found = {"given": "ludus-regularis", "options": OPTIONS}
        soon(lambda: heard.messages[-1].payload and json.loads(heard.messages[-1].payload) == found)
        form = client.get(client.get("/api/invitation").get_json()["go"]).text
        assert 'value="12" required' in form
        assert "checked" in form.split("&#34;throws&#34;")[1][:20]
        assert table.snapshot().data["match"] is None, "nothing begins by it"
        with cup(settings.book) as (_, kept, number):
            kept.invite(number, 1, 1, "north")
            soon(lambda: "Anna" in client.get("/api/invitation").get_json()["text"])
            kept.invite(number, 1, 1, None)
        soon(lambda: "Your teacher" in client.get("/api/invitation").get_json()["text"])
        assert owner.post("/api/class/game", json={}).status_code == 200
        soon(lambda: not client.get("/api/invitation").get_json()["text"])
        soon(lambda: heard.messages[-1].payload == b"")
        say(mosquitto.open, topic, Given("a/newer one", {"<b>": "<b>"}).written(), retain=True)
        assert "a/newer one" in soon(lambda: client.get("/api/invitation").get_json()["text"])
        assert client.get(client.get("/api/invitation").get_json()["go"]).status_code == 200
        say(mosquitto.open, topic, b"", retain=True)


def test_what_lies_on_the_topic_is_two_players_or_a_game_and_nothing_else(tmp_path: Path) -> None:
    two = Invitation("Cup", 1, "", 1, ("Anna", "Berno"))
    game = Given("ludix", {"target": 100, "sure": True})
    assert [read_invitation(one.written()) for one in (two, game)] == [two, game]
    for wrong in (
        b"{}",
        b'{"given": ""}',
        b'{"given": "ludix", "players": ["Anna"]}',
        b'{"given": "x", "options": [1]}',
    ):
        with pytest.raises(MessageError):
            read_invitation(wrong)
    with pytest.raises(OptionError):
        read_given("ludus-regularis", {"throws": "-1"})
    with Database(str(tmp_path / "hall.db")) as database:
        found = read_given("ludus-regularis", {"ending": "throws", "throws": "12"})
        give(database, "museum", found)
        assert (given_now(database, "museum"), given_now(database, "other")) == (found, None)
        database.rows("UPDATE given SET game = 'of a newer program'")
        assert given_now(database, "museum") is None
        give(database, "museum", None)
        assert database.rows("SELECT * FROM given") == []


def test_a_desk_whose_line_is_not_open_does_not_sign_in_a_second_time(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """A broker that lets each user in once would drop what it keeps for the book."""
    mine = settings_for(mosquitto.safe("book"), book=str(tmp_path / "hall.db"))
    ending = Event()
    ending.set()
    collector = Collector(mine, ending)
    collector.run()
    tell(mine.book, "north", {"match": 1})
    with watched(mine.book) as watch:
        answer = pause(desk(watch, tmp_path, asks=collector.ask))
        assert (answer.status_code, "no table was asked" in answer.get_json()["error"]) == (503, True)


def test_where_no_table_is_asked_nobody_answers(mosquitto: Mosquitto) -> None:
    assert ask_all(HallSettings("museum", "book", broker=mosquitto.safe("book")), "pause", []) == OrderAnswers(
        [], {}, []
    )

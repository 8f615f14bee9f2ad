"""Players without a name of their own: every reader meets them in the own language."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient

from companion.hall.book.database import Database
from companion.hall.desk.watch import HallWatch
from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.web import create_app
from companion.web.hall.app import create_hall_app

ENDING = {"ending": "throws", "throws": 3}
MATCH = {"game": "ludus-regularis", "dice_by": "program"}
ENGLISH = re.compile(r"Player \d|The program")


@pytest.fixture
def unnamed(tmp_path: Path) -> Iterator[FlaskClient]:
    """Return a French visitor of a table with a match that is over, and one that is open, by players without names."""
    table = LiveTable(tmp_path / "journal.db")
    table.start()
    assert table.command("new_match", {**MATCH, "players": ["The program", ""], "options": ENDING}, "tests").ok
    while not table.snapshot().data["outcome"]:
        assert table.command("roll", {}, "tests").ok
    assert table.command("new_match", {**MATCH, "players": ["", " "]}, "tests").ok
    app = create_app(table, trusted_hosts=["localhost"], settings=SettingsFile(tmp_path / "settings.json"))
    client = app.test_client()
    client.set_cookie("alea_language", "fr")
    yield client
    table.stop()


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/start",
        "/matches",
        "/matches/1",
        "/matches/1/worksheet",
        "/matches/1/result.svg",
        "/matches/2",
        "/statistics",
        "/api/matches.csv",
        "/owner/matches",
    ],
)
def test_every_page_calls_players_without_a_name_in_the_readers_language(unnamed: FlaskClient, address: str) -> None:
    page = re.sub(r'<script type="application/json".*?</script>', "", unnamed.get(address).text, flags=re.DOTALL)
    assert "Joueur" in page or "Le programme" in page
    assert not ENGLISH.search(page)


def test_a_refusal_calls_them_so_too(unnamed: FlaskClient) -> None:
    begun = {"game": "tables/zeno", "dice_by": "tapped", "players": ["", ""]}
    assert unnamed.post("/api/command/new_match", json=begun).status_code == 200
    refused = unnamed.post("/api/command/choose", json={"choice": {"from": "k", "to": "q", "die": 6}})
    assert refused.status_code == 409
    assert refused.get_json()["error"].startswith("Joueur 1 ")


def test_a_halls_pages_call_them_so_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = str(tmp_path / "book.db")
    with Database(book):
        pass
    watch = HallWatch(book, "museum")
    score = {"score": 3, "won": True, "waits": False}
    players = [{"number": 1, "name": "Player 1", **score}, {"number": 2, "name": "The program", **score}]
    table = {"name": "north", "sign": "over", "game": "", "throws": 0, "players": players, "trouble": []}
    shown = {"tables": [table], "results": [{"players": players, "table": "north", "game": ""}]}
    state = SimpleNamespace(version=1, data={**watch.snapshot().data, **shown})
    monkeypatch.setattr(watch, "snapshot", lambda: state)
    client = create_hall_app(watch, trusted_hosts=["localhost"]).test_client()
    for address in ("/", "/wall", "/part/tables"):
        page = client.get(f"{address}?language=fr").text
        assert page.count("Joueur 1") == page.count("Le programme") > 0
        assert not ENGLISH.search(page)


def test_names_of_seats_come_with_the_texts_of_each_language(client: FlaskClient) -> None:
    english, french = (
        json.loads(client.get(f"/api/setup?language={one}").text)["texts"]["names"] for one in ("en", "fr")
    )
    assert english == {}
    assert french["Player 1"] == "Joueur 1"
    assert french["The program"] == "Le programme"
    assert french["The program 2"] == "Le programme 2"

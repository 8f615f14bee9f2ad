"""Every door of the page takes JSON and text as they are meant to be, and nothing else; what is on the disk is told."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.desk.series.command_types import SERIES_COMMANDS
from companion.desk.table.command_types import TABLE_COMMANDS
from companion.ledger.entries import GENESIS, chained
from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import Learning
from companion.live.features import TableFeatures
from companion.live.laboratory.laboratory import Laboratory
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.rules.strict_json import read_json
from companion.vision.sources.pushed import PushedSource
from companion.web import create_app
from companion.web.kiosk.attendant import Attendant
from companion.web.kiosk.folder import begin_folder
from companion.web.kiosk.pages import prepare
from companion.web.laboratory.app import create_laboratory_app
from tests.referee.test_transfer import asked, bomb
from tests.web.conftest import PIN

MATCH = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}
OTHERS = ("/api/owner", "/api/owner/pin", "/api/owner/settings", "/api/owner/advise", "/api/phone/pair")
BAD = {
    '{"x": NaN}': "no such numbers",
    '{"x": [-Infinity]}': "no such numbers",
    '{"x": 1e999}': "19 digits",
    '{"x": 1' + "0" * 5000 + "}": "19 digits",
    '{"x": 1, "x": 2}': "occurs twice",
    '{"x": "\\ud800"}': "half of a character",
    '{"\\udfff": 1}': "half of a character",
    '{"x":' + "[" * 500 + "]" * 500 + "}": "inside each other",
    '{"x":' + "[" * 50_000: "inside each other",
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    learning = Learning(MemoryFolder(tmp_path / "journal.memory"))
    made = LiveTable(tmp_path / "journal.db", Seeing(PushedSource()), TableFeatures(learning=learning))
    made.start()
    assert made.command("new_match", MATCH, "tests").ok
    yield made
    made.stop()


@pytest.fixture
def app(table: LiveTable, tmp_path: Path) -> Flask:
    made = create_app(table, trusted_hosts=["localhost"])
    begin_folder(tmp_path / "kiosk")
    prepare(made, Attendant(tmp_path / "kiosk", table))
    return made


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.mark.parametrize("body", list(BAD))
def test_every_door_for_json_refuses_what_is_none_in_a_sentence(client: FlaskClient, body: str, table: Any) -> None:
    before = table.snapshot().version
    doors = [f"/api/command/{name}" for name in TABLE_COMMANDS] + [*OTHERS, "/api/kiosk/begin"]
    doors += [f"/api/calibration/{act}" for act in ("begin", "corners", "save", "lens-begin")]
    doors += [f"/api/teaching/{act}" for act in ("begin", "answer", "back", "all", "leave")]
    doors += [f"/api/owner/audits/{act}" for act in ("answer", "settle")]
    for door in doors:
        if door == "/api/owner":  # without a PIN nobody needs to sign in
            continue
        answer = client.post(door, data=body, content_type="application/json")
        assert answer.status_code == 400, door
        assert BAD[body] in answer.get_json()["error"], door
    assert table.snapshot().version == before


def test_the_pin_is_asked_for_by_json_too(table: LiveTable) -> None:
    client = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN).test_client()
    for body, sentence in BAD.items():
        answer = client.post("/api/owner", data=body, content_type="application/json")
        assert answer.status_code == 400
        assert sentence in answer.get_json()["error"]


def test_every_door_of_the_laboratory_does_so_too(tmp_path: Path) -> None:
    running = Laboratory(tmp_path / "throws.db")
    running.start()
    try:
        client = create_laboratory_app(running, trusted_hosts=["localhost"]).test_client()
        for door in [f"/lab/api/command/{name}" for name in SERIES_COMMANDS] + ["/lab/api/museum/day"]:
            for body, sentence in BAD.items():
                answer = client.post(door, data=body, content_type="application/json")
                assert answer.status_code == 400, door
                assert sentence in answer.get_json()["error"], door
    finally:
        running.stop()


def test_a_name_of_half_a_character_begins_no_match(client: FlaskClient) -> None:
    body = json.dumps({**MATCH, "players": ["Anna \ud800", "Berno"]})
    answer = client.post("/api/command/new_match", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert "half of a character" in answer.get_json()["error"]


def test_what_goes_out_any_browser_can_read(app: Flask, table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = {**table.snapshot().data, "health": {"frame_age": float("nan"), "journal": "ok"}}
    snapshot = type("Spoilt", (), {"version": 10**6, "data": spoilt})()
    monkeypatch.setattr(table, "snapshot", lambda: snapshot)
    monkeypatch.setattr(table, "matches", lambda: [{"began": float("inf")}])
    client = app.test_client()
    assert read_json(client.get("/api/state").data)["health"]["frame_age"] is None
    assert read_json(client.get("/api/matches").data) == {"matches": [{"began": None}]}


def lines(*events: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a match as a journal holds them."""
    start = {"kind": "started", "name": "Old", **MATCH, "options": {}, "rules": "x"}
    rows, digest = [], GENESIS
    for number, event in enumerate((start, *events), start=1):
        body = json.dumps(event)
        digest = chained(digest, number, 1000.0, "x", body)
        rows.append((number, 1000.0, "x", event["kind"], body, digest))
    return rows


BROKEN: dict[str, dict[str, Any]] = {
    "half a character": asked(sentence={"template": "{a}", "parts": {"a": "\ud800"}}),
    "a sentence bomb": asked(sentence=bomb(30)),
    "junk for dice": asked(dice=[{"junk": 1}]),
    "no number": {"kind": "board", "decision": "ask", "seen": {}, "milliseconds": float("nan"), "frames": 1},
    "no event": {"kind": "nothing"},
}


@pytest.mark.parametrize("what", list(BROKEN))
@pytest.mark.parametrize("last", [True, False])
def test_a_journal_with_a_bad_record_opens_and_says_so(tmp_path: Path, what: str, last: bool) -> None:  # noqa: FBT001
    path = tmp_path / "journal.db"
    kept = LiveTable(path)
    kept.start()
    assert kept.command("new_match", MATCH, "tests").ok
    kept.stop()
    insert(path, 2, lines(BROKEN[what]))
    if not last:
        insert(path, 3, lines({"kind": "paused"}))
    table = LiveTable(path)
    table.start()
    try:
        client = create_app(table, trusted_hosts=["localhost"]).test_client()
        health = client.get("/api/state").get_json()["health"]["journal"]
        assert ("Event 2 of match 2 cannot be read" in str(health)) == last
        assert {one["id"] for one in client.get("/api/matches").get_json()["matches"]} == {1, 2, *([] if last else [3])}
        for address in ("/", "/api/state", "/matches", "/api/matches", "/owner/health"):
            assert client.get(address).status_code == 200, address
        for address in ("/matches/2", "/api/matches/2/moments", "/api/matches/2/moments/2", "/api/matches/2.jsonl"):
            answer = client.get(address, headers={"Accept": "application/json"})
            assert answer.status_code == 409, address
            assert "Event 2 of match 2 cannot be read" in answer.get_json()["error"]
            assert len(answer.data) < 3000
        resumed = client.post("/api/command/resume", json={"match": 2})
        assert resumed.status_code == 409
        assert "Event 2 of match 2 cannot be read" in resumed.get_json()["error"]
        assert client.post("/api/command/resume", json={"match": 1}).status_code == 200
        assert client.post("/api/command/roll", json={}).status_code == 200
    finally:
        table.stop()


def test_a_match_that_cannot_be_read_from_its_beginning_hides_no_other(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    kept = LiveTable(path)
    kept.start()
    assert kept.command("new_match", MATCH, "tests").ok
    kept.stop()
    body = '{"kind": "started"}'
    insert(path, 3, [(1, 1000.0, "x", "started", body, chained(GENESIS, 1, 1000.0, "x", body))])
    table = LiveTable(path)
    table.start()
    try:
        client = create_app(table, trusted_hosts=["localhost"]).test_client()
        assert [one["id"] for one in client.get("/api/matches").get_json()["matches"]] == [1]
        assert "Event 1 of match 3 cannot be read" in str(client.get("/api/state").get_json()["health"]["journal"])
        assert client.get("/").status_code == 200
    finally:
        table.stop()


def insert(path: Path, match: int, rows: list[tuple[Any, ...]]) -> None:
    with sqlite3.connect(path) as db:
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", [(match, *row) for row in rows])
    db.close()

"""Who may give which command: what the documents say, what is declared and what the page does are one."""

import http.client
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from companion.desk.command import CommandSet
from companion.desk.series.command_types import SERIES_COMMANDS
from companion.desk.table.command_types import TABLE_COMMANDS
from companion.live.laboratory.laboratory import Laboratory
from companion.live.table import LiveTable
from companion.web import create_app
from companion.web.access.auth import FORWARDED
from companion.web.camera.phone import COOKIE, LISTENER, PHONES
from companion.web.kiosk.attendant import Attendant
from companion.web.kiosk.folder import begin_folder
from companion.web.kiosk.pages import prepare
from companion.web.laboratory.app import create_laboratory_app
from tests.web.conftest import PIN
from tests.web.serving import served

DOCS = Path(__file__).resolve().parents[2] / "docs" / "security.md"
ROW = re.compile(r"\| `(\w+)` \| (anyone|seated|owner) \|")
STRANGER = {"REMOTE_ADDR": "192.0.2.7"}
TIMED = {
    "game": "ludus-regularis",
    "players": ["Anna", "Berno"],
    "dice_by": "program",
    "options": {"ending": "time", "minutes": 5},
}


def documented(heading: str) -> dict[str, str]:
    _, _, after = DOCS.read_text(encoding="utf-8").partition(f"### {heading}\n")
    return dict(ROW.findall(after.partition("\n#")[0]))


@pytest.mark.parametrize(
    ("heading", "known"), [("At the table", TABLE_COMMANDS), ("In the laboratory", SERIES_COMMANDS)]
)
def test_the_documents_say_of_every_command_who_may_give_it(heading: str, known: CommandSet) -> None:
    assert documented(heading) == {name: contract.who for name, contract in known.items()}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    made = LiveTable(tmp_path / "journal.db")
    made.start()
    assert made.command("new_match", TIMED, "tests").ok
    assert made.command("roll", {}, "tests").ok
    yield made
    made.stop()


@pytest.fixture
def client(table: LiveTable) -> FlaskClient:
    return create_app(table, trusted_hosts=["localhost"], owner_pin=PIN).test_client()


def kiosk(table: LiveTable, folder: Path) -> FlaskClient:
    app = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN)
    begin_folder(folder / "kiosk")
    prepare(app, Attendant(folder / "kiosk", table))
    return app.test_client()


def order(client: FlaskClient, name: str, data: dict[str, Any], **environ: Any) -> Any:
    return client.post(f"/api/command/{name}", json=data, environ_overrides=environ)


def kinds(table: LiveTable, folder: Path) -> list[str]:
    with sqlite3.connect(folder / "journal.db") as db:
        rows = db.execute("SELECT kind FROM events ORDER BY rowid").fetchall()
    db.close()
    assert not table.snapshot().data["autoplay"]
    return [row[0] for row in rows]


def plausible(table: LiveTable) -> dict[str, dict[str, Any]]:
    """Return for every command what would do it now."""
    last = table.matches()[0]["last_hash"]
    return {
        "new_match": TIMED,
        "resume": {"match": 1},
        "delete_match": {"match": 1, "last_hash": last},
        "autoplay": {"on": True, "pace": 1},
        "preview_correction": {"event": 2, "reason": "x"},
        "correct": {"event": 2, "reason": "x", "token": "x", "keep": "all"},
        "finish": {"reason": "x"},
    }


def test_of_all_commands_a_stranger_is_let_do_what_anyone_may(
    client: FlaskClient, table: LiveTable, tmp_path: Path
) -> None:
    before = kinds(table, tmp_path)
    for name, contract in TABLE_COMMANDS.items():
        if contract.who == "anyone":
            continue
        data = plausible(table).get(name, {})
        assert order(client, name, data, **STRANGER).status_code == 401, name
        behind = client.post(f"/api/command/{name}", json=data, headers={"X-Forwarded-For": "192.0.2.7"})
        assert behind.status_code == 401, name
        assert kinds(table, tmp_path) == before, name
    for name, contract in TABLE_COMMANDS.items():
        if contract.who == "anyone":
            assert order(client, name, {}, **STRANGER).status_code in {200, 409}, name


def test_behind_a_proxy_nobody_is_seated_on_the_real_server(table: LiveTable) -> None:
    app = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN)
    with served(app) as address:
        for header in FORWARDED:
            line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
            headers = {"Host": "localhost", "Content-Type": "application/json", header: "192.0.2.7"}
            line.request("POST", "/api/command/time_up", "{}", headers)
            assert line.getresponse().status == 401, header
            line.close()
    assert table.snapshot().data["outcome"] is None


def test_a_stranger_ends_no_match_whatever_he_plays(client: FlaskClient, table: LiveTable) -> None:
    for data in ({"text": "time up"}, {"choice": {"choice": "time up"}}):
        answer = order(client, "choose", data, **STRANGER)
        assert answer.status_code == 409
        assert "its own button" in answer.get_json()["error"]
    assert table.snapshot().data["outcome"] is None
    assert order(client, "roll", {}, **STRANGER).status_code == 200  # he may play


def test_an_address_of_this_machine_makes_nobody_a_player_of_a_table_with_a_pin(
    client: FlaskClient, table: LiveTable
) -> None:
    for name, contract in TABLE_COMMANDS.items():
        if contract.who != "anyone":
            assert order(client, name, plausible(table).get(name, {})).status_code == 401, name
    assert table.snapshot().data["outcome"] is None


def test_a_visitor_at_a_kiosks_own_screen_ends_a_match_by_time_and_nobody_else_does(
    table: LiveTable, tmp_path: Path
) -> None:
    client = kiosk(table, tmp_path)
    for who in ({"environ_overrides": STRANGER}, {"headers": {"X-Forwarded-For": "192.0.2.7"}}):
        assert client.post("/api/command/time_up", json={}, **who).status_code == 401
    for name, contract in TABLE_COMMANDS.items():
        if contract.who == "owner":
            assert order(client, name, plausible(table).get(name, {})).status_code == 401, name
    assert order(client, "time_up", {}).status_code == 200
    assert table.snapshot().data["outcome"] is not None


def test_the_owner_does_it_from_anywhere(client: FlaskClient, table: LiveTable) -> None:
    assert client.post("/api/owner", json={"pin": PIN}, environ_overrides=STRANGER).status_code == 200
    assert order(client, "autoplay", {"on": False}, **STRANGER).status_code == 200
    assert order(client, "time_up", {}, **STRANGER).status_code == 200
    assert order(client, "reset", {}, **STRANGER).status_code == 200
    assert table.snapshot().data["match"]["throws"] == 0


def test_a_phone_gives_no_command(client: FlaskClient, table: LiveTable, tmp_path: Path) -> None:
    with client.application.app_context():
        key = PHONES.get().pair(PHONES.get().invite().token)
    client.set_cookie(COOKIE, key, domain="localhost")
    before = kinds(table, tmp_path)
    for name in TABLE_COMMANDS:
        assert order(client, name, plausible(table).get(name, {}), **{LISTENER: True}).status_code == 403, name
    assert kinds(table, tmp_path) == before


def test_in_the_laboratory_strangers_count_and_decide_nothing(tmp_path: Path) -> None:
    running = Laboratory(tmp_path / "throws.db")
    running.start()
    try:
        assert running.command("begin", {"dice": [{"set": "d6"}]}, "tests").ok
        client = create_laboratory_app(running, trusted_hosts=["localhost"], owner_pin=PIN).test_client()
        for name, contract in SERIES_COMMANDS.items():
            address = f"/lab/api/command/{name}"
            data = {"series": 1, "name": "mine", "dice": [{"set": "d6"}]}
            answer = client.post(address, json=data, environ_overrides=STRANGER)
            assert (answer.status_code == 401) == (contract.who != "anyone"), name
        assert client.post("/lab/api/command/throw", json={"face": "3"}, environ_overrides=STRANGER).status_code == 200
    finally:
        running.stop()


def test_a_kiosk_is_begun_and_left_at_its_own_screen(table: LiveTable, tmp_path: Path) -> None:
    client = kiosk(table, tmp_path)
    before = kinds(table, tmp_path)
    for act, data in (("begin", {"game": "ludus-regularis", "players": 2}), ("leave", {})):
        refused = client.post(f"/api/kiosk/{act}", json=data, environ_overrides=STRANGER)
        assert refused.status_code == 403
        assert "own screen" in refused.get_json()["error"]
    assert client.post("/api/kiosk/here", json={}, environ_overrides=STRANGER).status_code == 200
    assert kinds(table, tmp_path) == before
    assert client.post("/api/kiosk/begin", json={"game": "ludus-regularis", "players": 2}).status_code == 200
    for _ in range(3):
        assert order(client, "roll", {}).status_code == 200  # the visitor goes on playing, with no PIN
    assert client.post("/api/kiosk/leave", json={}).status_code == 200

"""Behind a proxy that shows the page under a path, no address of any page leads out of it."""

import contextlib
import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from companion.cli import main
from companion.hall.book.database import Database
from companion.hall.desk.watch import HallWatch
from companion.hall.tournament.entering import read_entrants
from companion.hall.tournament.kept import Tournaments
from companion.live.audits.audits_now import AuditContradicted, AuditsNow
from companion.live.laboratory.laboratory import Laboratory
from companion.live.table import LiveTable
from companion.live.upkeep import Upkeep
from companion.web import create_app
from companion.web.classroom.joining import join_address
from companion.web.classroom.visiting import CLASSROOM
from companion.web.hall.app import create_hall_app
from companion.web.kiosk.attendant import Attendant
from companion.web.kiosk.folder import begin_folder
from companion.web.kiosk.pages import prepare
from companion.web.laboratory.app import create_laboratory_app
from tests.web.conftest import PIN
from tests.web.serving import served, under
from tests.web.test_who import TIMED

BASE = "/alea"
SCRIPTS = Path(__file__).resolve().parents[2] / "companion" / "web" / "static" / "js"
ADDRESS = re.compile(r"""(?:\s(?:href|action|src|data-[a-z-]+)=|url\()["'](/[^"']*)""")
WORDS = re.compile(r"""["'`](/(?:[a-z$][^"'`]*)?)["'`]""")
NO_ADDRESS = {"/wheel", "/sum", "/js/"}  # ends of games' names, a folder
PARTS_A_LABEL = re.compile(r"""\.(?:split\("/"\)|replace\("/", )""")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    made = LiveTable(tmp_path / "journal.db")
    made.start()
    assert made.command("new_match", TIMED, "tests").ok
    assert made.command("roll", {}, "tests").ok
    yield made
    made.stop()


def pages(app: Flask, *more: str, owner: bool = True) -> dict[str, str]:
    """Return every page of an app whose address needs no part, and ``more``, as a browser behind the proxy gets it."""
    under(app, BASE)
    client = app.test_client()
    if owner:
        assert client.post(f"{BASE}/api/owner", json={"pin": PIN}).status_code == 200
    fixed = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.arguments and rule.endpoint != "streams.events"
    ]
    found = {}
    for path in (*fixed, *more):
        answer = client.get(BASE + path)
        assert answer.status_code < 500, path
        if answer.status_code in {301, 302, 308}:
            assert answer.location.startswith(f"{BASE}/"), (path, answer.location)
        if answer.mimetype in {"text/html", "text/css"}:
            found[path] = answer.text
    return found


def check(client: FlaskClient, shown: dict[str, str]) -> None:
    assert len(shown) > 3
    files = set()
    for path, text in shown.items():
        assert not re.search(r"""url\(["']?/""", text), path
        for address in ADDRESS.findall(text):
            assert address == BASE or address.startswith(f"{BASE}/"), (path, address)
            files |= {address.partition("?")[0]} if "/static/" in address else set()
    assert files
    for address in files:
        with client.get(address) as answer:
            assert answer.status_code == 200, address


def test_no_address_of_the_tables_pages_leads_out(table: LiveTable) -> None:
    app = create_app(table, trusted_hosts=["localhost", "table.example"], owner_pin=PIN)
    CLASSROOM.get(app).open()
    shown = pages(app, "/matches/1", "/matches/1/worksheet")
    assert {"/", "/new", "/matches", "/owner", "/owner/classroom", "/join", "/overlay", "/calibrate"} <= set(shown)
    check(app.test_client(), shown)
    client = app.test_client()
    manifest = client.get("/manifest.webmanifest").get_json(force=True)
    assert (manifest["start_url"], manifest["scope"]) == (f"{BASE}/", f"{BASE}/")
    kept = json.loads(client.get("/service-worker.js").text.partition("KEPT = ")[2].partition(";")[0])
    assert all(one.startswith(f"{BASE}/") for one in kept)
    assert client.get("/api/description.json").get_json()["servers"] == [{"url": BASE}]
    assert client.post(f"{BASE}/api/owner", json={"pin": PIN}).status_code == 200
    cookie = client.get_cookie("alea_owner", path=BASE)
    assert cookie is not None, "another app of the same name does not get it"
    with app.test_request_context("/", environ_overrides={"SCRIPT_NAME": BASE, "HTTP_HOST": "table.example"}):
        assert join_address() == f"http://table.example{BASE}/join"


def test_an_audit_leads_to_the_throw_that_it_contradicts(table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = AuditContradicted(number=1, match=1, event=3, die="1", read="A", answer="IO", instead="IO")
    found = AuditsNow("wibold", (), (wrong,), drawn=1, checked=1, wrong=1, error=(0.1, 1.0))
    monkeypatch.setattr(Upkeep, "auditing", SimpleNamespace(on=True, trouble=None, now=(found,)))
    app = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN)
    shown = pages(app)
    assert f"{BASE}/?correct=3&amp;die=1&amp;face=IO" in shown["/owner/check"]
    check(app.test_client(), shown)


def test_a_proxy_may_leave_the_path_out_or_not(app: Flask) -> None:
    with served(app, base_path=BASE) as address:

        def got(path: str) -> tuple[int, str | None, str]:
            asking = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
            asking.request("GET", path, headers={"Host": "localhost"})
            answer = asking.getresponse()
            text = answer.read().decode()
            asking.close()
            return answer.status, answer.headers["Location"], text

        assert got(f"{BASE}/matches") == got("/matches")
        assert f'href="{BASE}/start"' in got("/matches")[2]
        assert got(f"{BASE}x/matches")[0] == 404
        assert got(BASE)[1] == f"http://localhost{BASE}/"


def test_streams_under_a_path_hold_no_thread_of_strangers(table: LiveTable) -> None:
    """Where a proxy kept the path, six of them once shut all strangers out."""
    app = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN)
    with contextlib.ExitStack() as lines, served(app, base_path=BASE) as address:
        for path in (*[f"{BASE}/api/events"] * 6, f"{BASE}/healthz"):
            asking = http.client.HTTPConnection(address.removeprefix("http://"), timeout=30)
            lines.callback(asking.close)
            asking.request("GET", path, headers={"Host": "localhost"})
            answer = lines.enter_context(asking.getresponse())  # and its line, as long as the stream is open
            assert answer.status == 200


def test_no_address_of_a_kiosk_leads_out(table: LiveTable, tmp_path: Path) -> None:
    app = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN)
    begin_folder(tmp_path / "kiosk")
    prepare(app, Attendant(tmp_path / "kiosk", table))
    check(app.test_client(), pages(app))


def test_no_address_of_the_laboratory_leads_out(tmp_path: Path) -> None:
    laboratory = Laboratory(tmp_path / "throws.db")
    laboratory.start()
    app = create_laboratory_app(laboratory, trusted_hosts=["localhost"], owner_pin=PIN)
    check(app.test_client(), pages(app))
    laboratory.stop()


def test_no_address_of_a_halls_desk_leads_out(tmp_path: Path) -> None:
    book = str(tmp_path / "book.db")
    with Database(book) as database:
        Tournaments(database, "museum").begin(
            "Cup", "swiss", "", read_entrants("A\nB\nC"), rounds=2, best_of=1, tie_breaks=[], at=0.0
        )
    app = create_hall_app(HallWatch(book, "museum"), trusted_hosts=["localhost"], owner_pin=PIN)
    check(app.test_client(), pages(app, "/tournaments/1", "/part/tournament/1", "/part/wall"))
    client = app.test_client()
    assert client.post(f"{BASE}/api/owner", json={"pin": PIN}).status_code == 200
    with served(app) as address:  # whose cookies are looked at before its app is asked
        asking = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
        asking.request("GET", f"{BASE}/wall", headers={"Host": "localhost", "Cookie": "alea_owner=forged"})
        assert asking.getresponse().status == 200
        asking.close()
    new: dict[str, Any] = {"name": "Cup", "players": "A\nB\nC", "system": "swiss", "rounds": 2}
    answer = client.post(f"{BASE}/api/tournaments", json=new)
    assert answer.get_json()["go"] == f"{BASE}/tournaments/2"


def test_no_script_names_an_address_without_the_path() -> None:
    for script in SCRIPTS.rglob("*.js"):
        for line in script.read_text(encoding="utf-8").splitlines():
            if not line.lstrip().startswith(("/**", "*", "//")):
                assert set(WORDS.findall(PARTS_A_LABEL.sub("", line))) <= NO_ADDRESS, (script.name, line.strip())


def test_no_template_names_an_address_without_the_path() -> None:
    for template in (SCRIPTS.parents[1] / "templates").rglob("*.*"):
        for line in template.read_text(encoding="utf-8").splitlines():
            named = set(WORDS.findall(re.sub(r"request\.path\b[^%]*|for path, name in.*", "", line))) - {"/"}
            assert not named or "script_root" in line, (template.name, line.strip())


@pytest.mark.parametrize("path", ["alea", "//evil.example", "/a b", "/../x", "https://evil.example"])
def test_a_path_that_is_none_is_refused(path: str) -> None:
    done = CliRunner().invoke(main, ["serve", "--base-path", path])
    assert done.exit_code == 2
    assert "Expected a path like /alea" in done.output

"""Every address of the page, walked over: what holds for one holds for all, also for those that are yet to come."""

import json
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import cv2
import numpy as np
import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.routing import Rule

from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.referee.transfer import MOST_CHARACTERS
from companion.settings.file import SettingsFile
from companion.vision.sources.pushed import PushedSource
from companion.web import create_app
from companion.web.security import HEADERS, LARGEST_BODY, LARGEST_IMPORT, NO_DOCUMENTS, OF_DOCUMENTS
from companion.web.streams import MOST_STREAMS
from tests.web.conftest import PIN
from tests.web.fake_table import FakeTable

FILLED = {"int": "1", "path": "css/page/base.css"}
SAFE = {"GET", "HEAD", "OPTIONS"}
ENDLESS = "streams.events"
OPEN_TO_ALL = {"owner.sign_in", "owner.sign_out"}
OPEN_TO_STRANGERS = OPEN_TO_ALL | {
    "api.command",
    "phone.pair",
    "classroom.join",
    "classroom.leave",
    "lessons.judged",
    "lessons.judged_of_match",
    "positions.judged",
    "positions.hinted",
    "positions.pictured",
    "problems.answered",
}


def test_no_route_learns_to_build_its_address_before_somebody_asks_for_it(table: FakeTable) -> None:
    app = create_app(table, trusted_hosts=["localhost"])
    learnt = [rule.rule for rule in app.url_map.iter_rules() if "LateRule" not in rule._build.__qualname__]
    assert learnt == ["/static/<path:filename>"]  # Flask's own
    with app.test_request_context():
        for _ in range(2):
            assert url_for("pages.new", game="ludix") == "/new?game=ludix"
            assert url_for("pages.new", _external=True) == "http://localhost/new"


def address(rule: Rule) -> str:
    """Return an address of a rule, with something likely in each of its places."""
    parts = []
    for is_dynamic, name in rule._trace:
        if is_dynamic and name in rule.arguments:
            kind = type(rule._converters[name]).__name__
            parts.append(FILLED["int"] if "Integer" in kind else FILLED["path"] if "Path" in kind else "table")
        else:
            parts.append(name.removeprefix("|"))
    return "".join(parts) or "/"


class Real:
    """A real table with a match, its app, and everything on the disk that a request could change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = SettingsFile(folder / "settings.json")
        self.settings.change(lights=0.8)
        self.table = LiveTable(folder / "journal.db", Seeing(PushedSource()))
        self.table.start()
        match = {"game": "ludus-regularis", "players": ["Anna", "Berno"], "dice_by": "program"}
        assert self.table.command("new_match", match, "tests").ok
        assert self.table.command("roll", {}, "tests").ok
        self.app = create_app(self.table, trusted_hosts=["localhost"], settings=self.settings)
        self.client = self.app.test_client()

    def kept(self) -> tuple[Any, ...]:
        """Return what the disk holds: the journal's events, the settings, and the names of all other files."""
        with sqlite3.connect(self.folder / "journal.db") as db:
            rows = db.execute("SELECT match, number, hash FROM events ORDER BY match, number").fetchall()
        db.close()
        files = sorted(path.name for path in self.folder.rglob("*") if not path.name.startswith("journal.db"))
        return rows, (self.folder / "settings.json").read_bytes(), files


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Real]:
    made = Real(tmp_path_factory.mktemp("table"))
    yield made
    made.table.stop()


def rules(app: Flask, *methods: str) -> list[tuple[Rule, str]]:
    return [(rule, method) for rule in app.url_map.iter_rules() for method in methods if method in (rule.methods or ())]


def test_an_address_can_be_made_of_every_rule(real: Real) -> None:
    made = {address(rule) for rule in real.app.url_map.iter_rules()}
    assert {"/", "/static/css/page/base.css", "/api/matches/1.jsonl", "/api/command/table", "/owner/health"} <= made
    assert not any("<" in one or "|" in one for one in made)


QUERY = "?lights=1&pictures=yes&game=ludix&delete=1"


def test_no_get_changes_anything_that_is_kept(real: Real) -> None:
    before, version = real.kept(), real.table.snapshot().version
    asked = 0
    for rule, method in rules(real.app, "GET", "HEAD", "OPTIONS"):
        if rule.endpoint == ENDLESS and method == "GET":
            continue
        for query in ("", QUERY) if method == "GET" else (QUERY,):
            real.client.open(address(rule) + query, method=method).close()
            asked += 1
    assert asked > 100
    assert real.kept() == before
    assert real.table.snapshot().version == version


FOREIGN = (
    {"Origin": "http://evil.example"},
    {"Origin": "http://localhost:9999"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)
FORMS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "")


def test_nothing_is_taken_from_another_sites_page(real: Real) -> None:
    before = real.kept()
    changing = [(rule, method) for rule in real.app.url_map.iter_rules() for method in (rule.methods or set()) - SAFE]
    assert len(changing) > 10
    for rule, method in changing:
        for headers in FOREIGN:
            answer = real.client.open(
                address(rule), method=method, data="{}", content_type="application/json", headers=headers
            )
            assert answer.status_code == 403, (rule.rule, headers)
        for kind in FORMS:
            assert real.client.open(address(rule), method=method, data="{}", content_type=kind).status_code == 415
    assert real.kept() == before


def test_a_method_that_an_address_does_not_know_is_refused_in_words(real: Real) -> None:
    before = real.kept()
    for rule in real.app.url_map.iter_rules():
        others = [other for other in real.app.url_map.iter_rules() if address(other) == address(rule)]
        known = {method for other in others for method in other.methods or ()}
        for method in {"POST", "PUT", "PATCH", "DELETE"} - known:
            answer = real.client.open(
                address(rule),
                method=method,
                data="{}",
                content_type="application/json",
                headers={"Accept": "application/json"},
            )
            assert answer.status_code in {404, 405}, (rule.rule, method)
            assert answer.get_json()["error"].endswith(".")
    assert real.kept() == before


def test_every_response_carries_every_header_refused_or_not(real: Real, table: FakeTable) -> None:
    strange = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN).test_client()
    ways: tuple[dict[str, str], ...] = ({}, {"Host": "evil.example"}, {"Origin": "http://evil.example"})
    for client, some in ((real.client, ways), (strange, ways[:1])):  # with a PIN, strangers are refused in one more way
        for rule, method, headers in ((*one, headers) for one in rules(real.app, "GET", "POST") for headers in some):
            with client.open(address(rule), method=method, headers=headers, buffered=False) as answer:
                of_page = rule.endpoint == "static" and answer.mimetype in NO_DOCUMENTS
                for name in HEADERS.keys() - (OF_DOCUMENTS if of_page else set()):
                    assert answer.headers.get(name) == HEADERS[name], (rule.rule, method, headers, name)
                assert answer.headers.get("Cache-Control"), (rule.rule, method, headers)
                assert "Server" not in answer.headers
                assert not any(name.startswith("Access-Control") for name in answer.headers.keys())  # noqa: SIM118


def test_no_address_answers_under_a_strangers_name(real: Real) -> None:
    for rule, method in rules(real.app, "GET", "POST"):
        answer = real.client.open(address(rule), method=method, headers={"Host": "evil.example"})
        assert answer.status_code == 400, rule.rule


def test_a_body_over_the_limit_is_refused_everywhere_in_a_sentence(real: Real) -> None:
    before = real.kept()
    for rule, method in rules(real.app, "POST"):
        answer = real.client.open(
            address(rule), method=method, data=b"{" + b" " * LARGEST_BODY + b"}", content_type="application/json"
        )
        assert answer.status_code == 413, rule.rule
        assert answer.get_json()["error"] == "This is larger than the table accepts."
    assert real.kept() == before


def test_everything_of_the_owners_asks_for_the_pin_on_a_network(network_client: FlaskClient, table: FakeTable) -> None:
    app = network_client.application
    owners = [one for one in rules(app, "GET", "POST") if "owner" in one[0].rule or "calibration" in one[0].rule]
    assert len(owners) > 20
    for rule, method in owners:
        answer = network_client.open(address(rule), method=method, data="{}", content_type="application/json")
        if rule.endpoint in OPEN_TO_ALL:
            continue
        if rule.endpoint == "calibrating.do":  # an act that there is not
            assert answer.status_code == 404
            continue
        assert answer.status_code == 401, rule.rule
        assert b"ffff" not in answer.data
    assert table.events == []


def test_few_addresses_take_anything_from_a_stranger(network_client: FlaskClient) -> None:
    taking = {
        rule.endpoint
        for rule, method in rules(network_client.application, "POST")
        if network_client.open(address(rule), method=method, data="{}", content_type="application/json").status_code
        != 401
    }
    assert taking - {"calibrating.do"} == OPEN_TO_STRANGERS


def test_no_address_shows_how_it_failed(table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(table, trusted_hosts=["localhost"])
    client = app.test_client()

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("secret path /home/x")

    for name in ("snapshot", "matches", "picture", "command", "export", "import_lines"):
        monkeypatch.setattr(table, name, broken)
    monkeypatch.setattr(table.upkeep.leds, "shown", broken)
    monkeypatch.setattr(table.upkeep, "vital_signs", broken)
    failed = 0
    for rule, method in rules(app, "GET", "POST"):
        if rule.endpoint == ENDLESS:
            continue
        with client.open(address(rule), method=method, data="{}", content_type="application/json") as answer:
            text = answer.get_data(as_text=True)
            assert "secret path" not in text, rule.rule
            assert "Traceback" not in text
            failed += answer.status_code == 500
    assert failed > 10


# What a path may never lead to. Whatever is asked, no file but the page's own ones is given out.
STRANGE = (
    "..",
    "%2e%2e",
    "..%2f",
    "%2e%2e%2f",
    "..%5c",
    "%00",
    "/etc/passwd",
    "//etc/passwd",
    "C:%5c",
    ".",
    "%c0%ae",
    "app.py",
    "journal.db",
    "settings.json",
    "table.jpg",
    "1",
    "-1",
    "99999999999999999999",
    "crop-1",
    "css",
)
PLACES = (
    "/static/",
    "/api/picture/",
    "/api/matches/",
    "/api/expected/",
    "/api/calibration/",
    "/api/command/",
    "/owner/",
    "/",
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    place=st.sampled_from(PLACES),
    parts=st.lists(st.sampled_from(STRANGE) | st.text(max_size=6), min_size=1, max_size=5),
    method=st.sampled_from(["GET", "POST"]),
)
def test_no_name_of_a_file_leads_out(real: Real, place: str, parts: list[str], method: str) -> None:
    path = unquote_to_bytes(place + "/".join(parts)).decode("latin-1")  # as a server hands it on
    answer = real.client.open(
        "/",
        method=method,
        data="{}",
        content_type="application/json",
        buffered=True,
        environ_overrides={"PATH_INFO": path},
    )
    with answer:
        assert answer.status_code < 500
        if answer.status_code == 200 and place == "/static/":
            inside = Path(real.app.static_folder or "").resolve()
            assert any(answer.data == path.read_bytes() for path in inside.rglob("*") if path.is_file())
        for secret in (b"root:", b"SQLite format", b"Alea settings", b"def create_app"):
            assert secret not in answer.data


def png(width: int, height: int, data: bytes = b"") -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def jpeg_of_size(width: int, height: int) -> bytes:
    """Return a whole small JPEG that says it has this size."""
    data = bytearray(cv2.imencode(".jpg", np.full((64, 64, 3), 120, np.uint8))[1].tobytes())
    at = data.index(b"\xff\xc0")
    struct.pack_into(">HH", data, at + 5, height, width)
    return bytes(data)


HOSTILE = {
    "a decompression bomb": png(60000, 60000, zlib.compress(b"\0" * 1_000_000)),
    "40 megapixels": jpeg_of_size(8000, 5000),
    "truncated": jpeg_of_size(640, 480)[:300],
    "not an image": b"%PDF-1.4 no picture",
    "nothing": b"",
    "one pixel": jpeg_of_size(1, 1),
    "a gzip": b"\x1f\x8b" + bytes(200),
}


@pytest.mark.parametrize("what", list(HOSTILE))
def test_a_hostile_picture_is_refused_in_words_before_it_costs_anything(
    real: Real, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def decode(*_: Any) -> Any:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(cv2, "imdecode", decode)
    answer = real.client.post("/api/frames", data=HOSTILE[what], content_type="image/jpeg")
    assert answer.status_code == 409
    sentence = answer.get_json()["error"]
    assert sentence.startswith("Expected a")
    assert sentence.endswith(".")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.binary(max_size=300) | st.builds(lambda junk: jpeg_of_size(320, 240)[:200] + junk, st.binary(max_size=200)))
def test_whatever_is_sent_as_a_picture_the_table_lives_on(real: Real, data: bytes) -> None:
    assert real.client.post("/api/frames", data=data, content_type="image/jpeg").status_code in {204, 409}
    assert real.client.get("/healthz").status_code == 200


def test_an_import_is_bounded_in_bytes_and_lines(real: Real) -> None:
    before = real.kept()

    def send(data: bytes) -> Any:
        return real.client.post("/api/matches", data=data, content_type="application/x-ndjson")

    assert send(b" " * (LARGEST_IMPORT + 1)).status_code == 413
    long = send(json.dumps({"format": "alea-match", "x": "y" * MOST_CHARACTERS}).encode())
    assert long.status_code == 409
    assert "at most" in long.get_json()["error"]
    assert send(b"[" * 200_000).status_code == 409
    assert real.kept() == before


def test_a_preview_is_a_picture_and_holds_no_place_of_a_stream(client: FlaskClient) -> None:
    opened = [client.get("/api/events", buffered=False) for _ in range(MOST_STREAMS)]
    for _ in range(20):
        assert client.get("/api/picture/table.jpg").status_code == 200
    ninth = client.get("/api/events")
    assert ninth.status_code == 503
    assert int(ninth.headers["Retry-After"]) > 0
    for one in opened:
        one.close()


def test_a_deep_body_is_no_fault_of_the_program(real: Real) -> None:
    deep = b'{"a":' * 50_000
    for rule, method in rules(real.app, "POST"):
        answer = real.client.open(address(rule), method=method, data=deep, content_type="application/json")
        assert answer.status_code < 500, rule.rule

"""A stranger's page, a stranger's name and a stranger's guesses come to nothing."""

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from companion.kiosk.owner import PinGate, TooManyTriesError
from companion.kiosk.security import HEADERS
from tests.kiosk.conftest import PIN
from tests.kiosk.fake_table import JPEG, FakeTable

OWNER_COMMANDS = ("new_match", "resume", "preview_correction", "correct", "finish", "reset")
FILLED = {
    "name": "table",
    "filename": "css/base.css",
    "match": "1",
    "number": "1",
    "event": "1",
    "slug": "ludus-regularis",
    "act": "leave",
}


def address(rule: Rule) -> str:
    path = str(rule.rule)
    for argument in rule.arguments:
        for kind in ("", "path:", "int:"):
            path = path.replace(f"<{kind}{argument}>", FILLED[argument])
    return path


def post(client: FlaskClient, path: str, data: Any = None, **headers: str) -> Any:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(path, data=json.dumps(data or {}), content_type="application/json", headers=names)


def test_every_response_carries_the_headers(app: Flask, client: FlaskClient) -> None:
    paths = [address(rule) for rule in app.url_map.iter_rules() if rule.endpoint != "streams.events"]
    for path in [*paths, "/api/events", "/nothing", "/api/nothing"]:
        for method in ("GET", "POST"):
            with client.open(path, method=method, buffered=False) as response:
                for name, value in HEADERS.items():
                    assert response.headers.get(name) == value, f"{method} {path}: {name}"
                assert "Cache-Control" in response.headers, path


def test_the_policy_allows_nothing_inline() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    for part in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert part in policy


def test_no_page_needs_anything_inline_or_from_elsewhere(client: FlaskClient) -> None:
    for path in ("/", "/new", "/matches", "/camera", "/calibrate", "/nothing"):
        text = client.get(path).get_data(as_text=True)
        assert " style=" not in text
        assert "<style" not in text
        assert "onclick" not in text
        assert "//" not in text.replace("<!doctype", "")
        for script in text.split("<script")[1:]:
            assert ' src="/static/' in script.split(">")[0]


def test_no_get_changes_anything(app: Flask, client: FlaskClient, table: FakeTable) -> None:
    before = table.snapshot().version
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "streams.events":
            client.get(address(rule)).close()
    assert table.events == []
    assert table.snapshot().version == before


def test_every_route_that_changes_something_is_post_only(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        if any(word in rule.rule for word in ("command", "frames", "owner", "<act>")):
            assert rule.methods == {"POST", "OPTIONS"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "same-origin", "Origin": "http://evil.example"},
    ],
)
def test_another_sites_page_gives_no_orders(client: FlaskClient, table: FakeTable, headers: dict[str, str]) -> None:
    response = post(client, "/api/command/roll", **headers)
    assert response.status_code == 403
    assert response.json["error"].endswith(".")
    assert table.events == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_site_gives_no_orders(client: FlaskClient, table: FakeTable, kind: str) -> None:
    assert client.post("/api/command/roll", data="{}", content_type=kind).status_code == 415
    assert table.events == []


def test_the_own_page_gives_orders(client: FlaskClient, table: FakeTable) -> None:
    response = post(client, "/api/command/roll", Origin="http://localhost", Sec_Fetch_Site="same-origin")
    assert response.status_code == 200
    assert table.events == [("roll", {}, "owner")]


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.2", ""])
def test_a_name_that_was_pointed_here_is_refused(client: FlaskClient, host: str) -> None:
    for path in ("/", "/api/state"):
        response = client.get(path, headers={"Host": host})
        assert response.status_code == 400
        assert response.headers["Content-Security-Policy"]


def test_names_are_never_markup(client: FlaskClient) -> None:
    text = client.get("/").get_data(as_text=True)
    assert "Berno &lt;b&gt;" in text
    assert "<b>" not in text


@pytest.mark.parametrize("name", OWNER_COMMANDS)
def test_the_owners_commands_need_the_pin_on_a_network(
    network_client: FlaskClient, table: FakeTable, name: str
) -> None:
    response = post(network_client, f"/api/command/{name}")
    assert response.status_code == 401
    assert "PIN" in response.json["error"]
    assert table.events == []


def test_import_export_and_camera_need_the_pin_on_a_network(network_client: FlaskClient, table: FakeTable) -> None:
    assert network_client.get("/api/matches/1.jsonl").status_code == 401
    assert network_client.post("/api/matches", data="{}", content_type="application/x-ndjson").status_code == 401
    assert network_client.post("/api/frames", data=JPEG, content_type="image/jpeg").status_code == 401
    assert table.events == []
    assert table.frames == []


def test_players_need_no_pin_to_play(network_client: FlaskClient, table: FakeTable) -> None:
    for name in ("throw", "roll", "answer", "dismiss", "pause", "unpause"):
        assert post(network_client, f"/api/command/{name}").status_code == 200
    assert {actor for _, _, actor in table.events} == {"page"}


def test_the_right_pin_opens_the_owners_commands(network_client: FlaskClient, table: FakeTable) -> None:
    response = post(network_client, "/api/owner", {"pin": PIN})
    assert response.status_code == 200
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert post(network_client, "/api/command/reset").status_code == 200
    assert table.events == [("reset", {}, "owner")]
    post(network_client, "/api/owner/leave")
    assert post(network_client, "/api/command/reset").status_code == 401


def test_guessing_the_pin_is_slowed(network_client: FlaskClient) -> None:
    statuses = [post(network_client, "/api/owner", {"pin": f"{guess:06d}"}).status_code for guess in range(6)]
    assert statuses == [403, 403, 403, 429, 429, 429]
    refused = post(network_client, "/api/owner", {"pin": PIN})
    assert refused.status_code == 429, "while one has to wait, the right PIN is not looked at either"
    assert int(refused.headers["Retry-After"]) >= 1


def test_every_wrong_pin_doubles_the_wait() -> None:
    now = [0.0]
    gate = PinGate("2718", clock=lambda: now[0])
    waits = []
    for _ in range(2):  # these are free
        assert not gate.check("0000", "10.0.0.9")
    for _ in range(7):
        assert not gate.check("0000", "10.0.0.9")
        with pytest.raises(TooManyTriesError) as refused:
            gate.check("2718", "10.0.0.9")
        waits.append(refused.value.seconds)
        now[0] += refused.value.seconds
    assert waits == [1, 2, 4, 8, 16, 32, 64]
    assert gate.check("2718", "10.0.0.9")


def test_many_addresses_are_slowed_together() -> None:
    gate = PinGate("2718", clock=lambda: 0.0)
    for number in range(20):
        assert not gate.check("0000", f"10.0.0.{number}")
    with pytest.raises(TooManyTriesError):
        gate.check("2718", "10.0.0.99")


@pytest.mark.parametrize("body", [{}, {"pin": 1}, {"pin": None}, []])
def test_a_body_without_pin_is_no_try(network_client: FlaskClient, body: Any) -> None:
    for _ in range(5):
        response = network_client.post("/api/owner", data=json.dumps(body), content_type="application/json")
        assert response.status_code == 400

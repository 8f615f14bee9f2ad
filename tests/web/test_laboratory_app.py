"""The laboratory over HTTP, on a real laboratory without a camera: what its pages ask, and what strangers may not."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.live.laboratory.laboratory import Laboratory
from companion.vision.sources.pushed import PushedSource
from companion.web.camera.phone import LISTENER
from companion.web.laboratory.app import create_laboratory_app
from companion.web.security import HEADERS

PIN = "314159"


@pytest.fixture
def laboratory(tmp_path: Path) -> Iterator[Laboratory]:
    running = Laboratory(tmp_path / "throws.db", source=PushedSource("the camera page"))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def client(laboratory: Laboratory) -> FlaskClient:
    return create_laboratory_app(laboratory, trusted_hosts=["localhost"]).test_client()


def order(client: FlaskClient, name: str, **data: Any) -> Any:
    return client.post(f"/lab/api/command/{name}", json=data)


def begun(client: FlaskClient, throws: str = "112345") -> int:
    asked = [{"set": "d6", "name": "red/big <b>"}]
    series = order(client, "begin", title="first", dice=asked, smallest=0.05).get_json()["data"]["series"]
    for face in throws:
        assert order(client, "throw", face=face).status_code == 200
    return int(series)


def test_the_first_page_is_the_laboratory(client: FlaskClient, laboratory: Laboratory) -> None:
    led = client.get("/?language=de")
    assert (led.status_code, led.headers["Location"]) == (302, "/lab?language=de")
    museum = create_laboratory_app(laboratory, trusted_hosts=["localhost"], first="/lab/museum").test_client()
    assert museum.get("/").headers["Location"] == "/lab/museum"
    assert client.get("/healthz").get_json()["ok"]


def test_what_is_ordered_is_in_the_state_and_a_refusal_says_why(client: FlaskClient) -> None:
    begun(client)
    state = client.get("/api/state").get_json()
    assert state["series"]["dice"][0]["counts"] == [2, 1, 1, 1, 1, 0]
    assert {"sentence", "sign", "camera", "series", "series_list"} <= set(state)
    refused = order(client, "throw", face="9")
    assert refused.status_code == 409
    assert "shows 1, 2, 3, 4, 5, 6" in refused.get_json()["error"]
    assert order(client, "dance").status_code == 404
    assert client.post("/lab/api/command/throw", json=[1]).status_code == 400


def test_all_throws_are_given_in_parts(client: FlaskClient) -> None:
    series = begun(client)
    whole = client.get(f"/lab/api/throws/{series}").get_json()
    assert [throw["outcome"] for throw in whole["throws"]] == list("112345")
    part = client.get(f"/lab/api/throws/{series}?first=3&count=2").get_json()
    assert (part["count"], [throw["number"] for throw in part["throws"]]) == (6, [3, 4])
    assert client.get("/lab/api/throws/77").status_code == 404


@pytest.mark.parametrize(
    ("form", "begins"), [("html", b"<!doctype html>"), ("pdf", b"%PDF"), ("csv", b""), ("json", b"{")]
)
def test_a_report_comes_in_every_form(client: FlaskClient, form: str, begins: bytes) -> None:
    series = begun(client)
    found = client.get(f"/lab/report/{series}/red%2Fbig%20%3Cb%3E.{form}")
    assert found.status_code == 200
    assert found.data.startswith(begins)
    assert found.headers["X-Content-Type-Options"] == "nosniff"
    assert b"<b>" not in found.data or form in {"json", "csv", "pdf"}
    assert client.get(f"/lab/report/{series}/blue.{form}").status_code == 404
    assert client.get(f"/lab/report/99/red.{form}").status_code == 404


def test_a_report_may_show_itself_by_its_own_sheet_and_nothing_else(client: FlaskClient) -> None:
    series = begun(client)
    policy = client.get(f"/lab/report/{series}/red%2Fbig%20%3Cb%3E.html").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_a_stranger_of_the_network_types_throws_but_decides_nothing(laboratory: Laboratory) -> None:
    client = create_laboratory_app(laboratory, trusted_hosts=["localhost"], owner_pin=PIN).test_client()
    for name in ("begin", "resume", "end", "correct"):
        assert order(client, name).status_code == 401
    assert client.post("/api/frames", data=b"x", content_type="image/jpeg").status_code == 401
    assert order(client, "throw", face="1").status_code == 409  # there is no series yet
    assert client.post("/api/owner", json={"pin": PIN}).status_code == 200
    assert order(client, "begin", dice=[{"set": "d6"}]).status_code == 200


def test_other_sites_are_kept_away_and_every_answer_has_its_headers(client: FlaskClient) -> None:
    foreign = client.post("/lab/api/command/end", json={}, headers={"Origin": "http://elsewhere.example"})
    assert foreign.status_code == 403
    for path in ("/lab", "/lab/new", "/lab/series", "/api/state", "/lab/picture/none.jpg", "/nowhere"):
        assert set(HEADERS) <= set(client.get(path).headers.keys())
    assert client.get("/lab", headers={"Host": "elsewhere.example"}).status_code == 400


def test_pictures_are_given_by_their_hash_alone(client: FlaskClient) -> None:
    for name in ("0" * 64, "crop-1", "..%2f..%2fthrows"):
        assert client.get(f"/lab/picture/{name}.jpg").status_code == 404
    assert client.get("/lab/picture/table.jpg").status_code == 204  # nothing is seen now


def test_a_page_pushes_its_cameras_pictures(client: FlaskClient) -> None:
    assert client.post("/api/frames", data=b"no picture", content_type="image/jpeg").status_code == 409
    assert client.post("/api/frames", data="{}", content_type="application/json").status_code == 415


def test_pages_follow_live(client: FlaskClient) -> None:
    begun(client, "1")
    stream = client.get("/api/events", buffered=False)
    first: Any = next(iter(stream.response))
    data = json.loads((first.decode() if isinstance(first, bytes) else first).partition("data: ")[2].strip())
    assert data["series"]["throws"] == 1
    stream.close()


def test_through_a_phones_listener_nothing_but_the_camera_is_answered(client: FlaskClient) -> None:
    phone = {LISTENER: True}
    led = client.get("/", environ_overrides=phone)
    assert (led.status_code, led.headers["Location"]) == (302, "/phone")
    assert client.get("/phone", environ_overrides=phone).status_code == 200
    assert client.get("/api/setup", environ_overrides=phone).status_code == 200
    assert client.post("/api/frames", data=b"", content_type="image/jpeg", environ_overrides=phone).status_code == 401
    for path in ("/lab", "/lab/new", "/api/state", "/lab/api/throws/1", "/camera"):
        assert client.get(path, environ_overrides=phone).status_code == 403
    assert client.post("/lab/api/command/throw", json={}, environ_overrides=phone).status_code == 403
    assert client.get("/camera").status_code == 200

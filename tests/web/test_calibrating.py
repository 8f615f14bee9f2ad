"""Calibrating over HTTP: the owner's alone, and whatever is sent is answered in a sentence."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.language.sentence import Sentence
from companion.web.camera.calibrating import ACTS
from tests.calibration.board.test_guide import Camera, shown
from tests.web.fake_table import FakeTable

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("calibration.board.kept.folder", lambda: tmp_path)
    monkeypatch.setattr("calibration.board.guide.SECOND_PICTURE_AFTER", 0.0)
    return tmp_path


@pytest.fixture
def seen(table: FakeTable) -> FakeTable:
    table.camera = Camera(np.asarray(cv2.resize(shown().image, (640, 480), interpolation=cv2.INTER_AREA), np.uint8))
    return table


def act(client: FlaskClient, step: str, **data: Any) -> Any:
    return client.post(f"/api/calibration/{step}", json=data)


def test_the_steps_end_with_a_profile_that_the_table_uses(client: FlaskClient, seen: FakeTable, folder: Path) -> None:
    state = act(client, "begin", board="tables", kit=True).json
    session = state["session"]
    assert client.get("/api/calibration/live.jpg").mimetype == "image/jpeg"
    assert client.get(f"/api/calibration/picture.jpg?session={session}").mimetype == "image/jpeg"
    assert act(client, "confirm", session=session, corners=state["corners"]).json["progress"]["step"] == "colours"
    act(client, "skip", session=session)
    done = act(client, "save", session=session, name="oak").json
    assert (done["used"], done["name"], done["taps"]) == (True, "oak", 4)
    assert done["game"].startswith("tables/")
    assert [profile.name for profile in seen.profiles] == ["oak"]
    assert (folder / "oak.board").is_file()


def test_a_table_that_does_not_take_it_says_so_and_the_profile_is_kept(
    client: FlaskClient, seen: FakeTable, folder: Path
) -> None:
    state = act(client, "begin", board="tables", kit=True).json
    act(client, "confirm", session=state["session"], corners=state["corners"])
    act(client, "skip", session=state["session"])
    seen.refusal = Sentence("The table is busy or closed: try again in a moment.")
    done = act(client, "save", session=state["session"], name="oak").json
    assert done["used"] is False
    assert "busy" in done["said"]["text"]
    assert (folder / "oak.board").is_file()


@pytest.mark.usefixtures("seen")
@pytest.mark.parametrize(
    "corners",
    [
        None,
        "corners",
        [],
        [[0, 0]] * 3,
        [[0, 0]] * 5,
        [[0, 0, 0]] * 4,
        [["a", "b"]] * 4,
        [[True, False]] * 4,
        [[float("nan"), 0.0]] * 4,
        [[float("inf"), 0.0]] * 4,
        [[10**400, 0]] * 4,
        [[1e300, 0]] * 4,
        [[0, 0], [10, 10], [0, 0], [10, 10]],
    ],
)
def test_corners_that_are_none_are_refused_in_a_sentence(client: FlaskClient, corners: Any) -> None:
    state = act(client, "begin", board="tables", kit=True).json
    refused = act(client, "confirm", session=state["session"], corners=corners)
    assert refused.status_code in {400, 409}  # numbers that JSON does not have stay outside already
    assert refused.json["error"].endswith((".", ":"))
    fine = act(client, "confirm", session=state["session"], corners=state["corners"])
    assert fine.json["progress"]["step"] == "colours"


@pytest.mark.usefixtures("seen")
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    name=st.sampled_from(list(ACTS)), body=st.dictionaries(st.sampled_from(["board", "corners", "name", "kit"]), values)
)
def test_nothing_that_is_sent_breaks_it(client: FlaskClient, name: str, body: dict[str, Any]) -> None:
    found = client.application.extensions["told"] if "told" in client.application.extensions else begun(client)
    response = client.post(
        f"/api/calibration/{name}",
        data=json.dumps({"session": found["session"], **body}),
        content_type="application/json",
    )
    assert response.status_code in {200, 400, 409}
    assert response.json is not None


def begun(client: FlaskClient) -> Any:
    """Begin once for many examples."""
    state = client.application.extensions["told"] = act(client, "begin", board="tables", kit=True).json
    return state


@pytest.mark.parametrize("body", ["", "[]", "nonsense", "{", "[" * 100_000, '{"a":' * 50_000])
def test_a_body_that_is_no_object_is_refused(client: FlaskClient, body: str) -> None:
    response = client.post("/api/calibration/begin", data=body, content_type="application/json")
    assert response.status_code == 400


def test_a_step_that_there_is_not_is_named(client: FlaskClient) -> None:
    assert act(client, "explode").status_code == 404


def test_without_a_camera_page_and_steps_say_what_to_do(client: FlaskClient, table: FakeTable) -> None:
    page = client.get("/calibrate").get_data(as_text=True)
    assert "choose one on the page Camera" in page
    assert 'href="/camera"' in page
    assert 'id="choose"' not in page
    refused = act(client, "begin", board="tables", kit=True)
    assert refused.status_code == 409
    assert refused.json["kind"] == "camera"
    assert client.get("/api/calibration/live.jpg").json is not None
    assert client.get("/api/calibration/picture.jpg").status_code == 404
    table.change(sample=True)
    assert "sample table" in client.get("/calibrate").get_data(as_text=True)


def test_on_a_network_only_the_owner_calibrates_or_sees_the_room(network_client: FlaskClient, seen: FakeTable) -> None:
    for name in ACTS:
        assert act(network_client, name, board="tables").status_code == 401
    for path in ("live.jpg", "picture.jpg"):
        assert network_client.get(f"/api/calibration/{path}").status_code == 401
    assert seen.profiles == []


def test_the_pictures_are_kept_by_no_browser(client: FlaskClient, seen: FakeTable) -> None:
    assert seen.camera is not None
    assert client.get("/api/calibration/live.jpg").headers["Cache-Control"] == "no-store"
    session = act(client, "begin", board="tables", kit=True).json["session"]
    taken = client.get(f"/api/calibration/picture.jpg?session={session}")
    assert taken.headers["Cache-Control"] == "no-store"
    assert np.frombuffer(taken.data, np.uint8).size > 1000

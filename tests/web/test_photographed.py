"""A picture of a board becomes a position on the page for set-up positions; the pictures are the samples' own."""

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.vision.boards.field.search import FieldSearch
from companion.vision.boards.reader import BoardReader
from companion.web import create_app
from tests.web.fake_table import FakeTable

SAMPLES = Path(__file__).parents[2] / "sample_images"
ADDRESS = "/api/positions/photographed"


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeTable(), trusted_hosts=["localhost"]).test_client()


def test_the_start_of_a_game_of_tables_is_read_from_a_picture(client: FlaskClient) -> None:
    jpeg = (SAMPLES / "zeno" / "000_ply00_still.jpg").read_bytes()
    answer = client.post(f"{ADDRESS}?game=tables/zeno", data=jpeg, content_type="image/jpeg")
    assert answer.status_code == 200, answer.text
    ways = json.loads(answer.text)
    assert {"1": {"a": 15}, "2": {"z": 15}} in [way["position"]["men"] for way in ways]
    assert ways[0]["sentence"] == "Check these places: a, z."


def test_men_with_numbers_are_read_where_they_stand(client: FlaskClient) -> None:
    folder = SAMPLES / "rithmomachia"
    script = json.loads((folder / "script.json").read_text(encoding="utf-8"))
    label = json.loads((folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()[0])
    jpeg = (folder / label["image"]).read_bytes()
    answer = client.post(f"{ADDRESS}?game={script['game']}", data=jpeg, content_type="image/jpeg")
    assert answer.status_code == 200, answer.text
    (board,) = (one for one in label["objects"] if one["kind"] == "board")
    truth = {site: (man["colour"], man["shape"]) for site, man in board["sites"].items()}
    found = [
        {site: (man["colour"], man["shape"]) for site, man in way["position"]["men"].items()}
        for way in json.loads(answer.text)
    ]
    assert truth in found
    assert len(truth) > 20


@pytest.mark.parametrize(
    ("game", "body", "status", "said"),
    [
        ("tables/zeno", b"no picture", 400, "picture"),
        ("tables/zeno", (SAMPLES / "ludus-regularis").glob("*.jpg"), 409, "No board of this game"),
        ("chess", b"", 404, "There is no game of men"),
    ],
)
def test_what_shows_no_board_gets_one_sentence(
    client: FlaskClient, game: str, body: object, status: int, said: str
) -> None:
    data = body if isinstance(body, bytes) else next(iter(body)).read_bytes()  # type: ignore[call-overload]
    answer = client.post(f"{ADDRESS}?game={game}", data=data, content_type="image/jpeg")
    assert answer.status_code == status
    assert said in json.loads(answer.text)["error"]


def test_a_board_whose_place_is_not_certain_is_filled_in_and_every_place_is_to_check(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoardReader, "certain", lambda *_: False)
    monkeypatch.setattr(FieldSearch, "exact", lambda *_: False)
    jpeg = (SAMPLES / "zeno" / "000_ply00_still.jpg").read_bytes()
    answer = client.post(f"{ADDRESS}?game=tables/zeno", data=jpeg, content_type="image/jpeg")
    assert answer.status_code == 200, answer.text
    ways = json.loads(answer.text)
    assert {"1": {"a": 15}, "2": {"z": 15}} in [way["position"]["men"] for way in ways]
    assert all("check every place" in way["sentence"] for way in ways)

"""What the owner's pages tell: profiles whole and torn, cameras and lights, advice on the dice that lie there."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from flask.testing import FlaskClient

from companion.language.sentence import Sentence
from companion.live.table import LiveTable
from companion.vision.sources import PushedSource
from companion.web import create_app
from companion.web.owner import actions as owner_actions
from companion.web.owner.pages import PAGES
from companion.web.owner.settings import SettingsFile
from firmware_bridge.simulated.transport import SimulatedTransport

FRAME = Path(__file__).resolve().parents[2] / "sample_images" / "ludus-regularis" / "005_throw01_still.jpg"
HOSTILE: tuple[Any, ...] = (
    {"figures": "none"},
    {"grade": "<script>", "figures": [1, None, {}, {"sentence": {"template": "{a.__class__}", "parts": {"a": 1}}}]},
    {"grade": "good", "figures": [{"sentence": {"template": "{", "parts": {}}}]},
    {"grade": "good", "figures": [{"sentence": {"template": "{missing}", "parts": {}}}]},
    [],
    "text",
)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's data folder of this test."""
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    made = LiveTable(tmp_path / "journal.db", source=PushedSource(), leds=SimulatedTransport())
    made.start()
    made.offer_frame(FRAME.read_bytes())
    yield made
    made.stop()


@pytest.fixture
def owner(table: LiveTable, tmp_path: Path, kept: Path) -> FlaskClient:
    del kept
    settings = SettingsFile(tmp_path / "settings.json")
    return create_app(table, trusted_hosts=["localhost"], settings=settings).test_client()


def profile(path: Path, head: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("profile.json", json.dumps(head))


def text(client: FlaskClient, page: str) -> str:
    answer = client.get(f"/owner/{page}".removesuffix("/overview"))
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_learnt_looks_and_boards_are_listed_torn_ones_too(owner: FlaskClient, kept: Path) -> None:
    profile(kept / "dice" / "mine.dice", {"set": "wibold", "made": "2026-05-01T10:00:00+02:00", "faces": [{}, {}]})
    (kept / "dice" / "torn.dice").write_bytes(b"PK\x03\x04 torn")
    said = Sentence("The board is lit evenly.").to_json()
    quality = {"grade": "fair", "figures": [{"name": "light", "value": 1, "grade": "fair", "sentence": said}]}
    profile(kept / "boards" / "oak.board", {"board": "tables", "made": "2026-05-01T10:00:00", "quality": quality})
    dice, cameras = text(owner, "dice"), text(owner, "cameras")
    assert "2 looks learnt" in dice
    assert "The file is torn or something else." in dice
    assert "The board is lit evenly." in cameras
    assert "fair" in cameras


@pytest.mark.parametrize("quality", HOSTILE)
def test_a_strange_profile_is_shown_without_its_strangeness(owner: FlaskClient, kept: Path, quality: Any) -> None:
    profile(kept / "boards" / "odd.board", {"board": "<b>", "made": 5, "quality": quality})
    profile(kept / "dice" / "odd.dice", ["no head"])
    page = text(owner, "cameras")
    assert "<script>" not in page.split("</head>")[1].replace('<script type="module"', "")
    assert "class &#39;int" not in page
    assert "odd" in text(owner, "dice")


def test_every_page_tells_of_a_running_table(owner: FlaskClient) -> None:
    pages = {name: text(owner, name) for name in PAGES}
    assert "Over the dice" in pages["cameras"]
    assert "simulated" in pages["lights"]
    assert "watch the table" in pages["health"]
    assert "No PIN is set." in pages["overview"]


def test_the_dice_before_the_camera_are_judged(owner: FlaskClient) -> None:
    told = owner.post("/api/owner/advise", json={"dice": "wibold"}).get_json()
    assert told["ok"]
    assert told["advice"]
    assert all(one["text"] for one in told["advice"])
    assert owner.post("/api/owner/advise", json={"dice": "nothing"}).status_code == 400
    assert owner.post("/api/owner/advise", json={"dice": "wheel"}).status_code == 409
    with owner_actions._advising:
        busy = owner.post("/api/owner/advise", json={})
    assert busy.status_code == 503


def test_lights_are_tried_where_there_are_any(owner: FlaskClient, tmp_path: Path) -> None:
    assert owner.post("/api/owner/lights/try", json={}).status_code == 200
    dark = LiveTable(tmp_path / "dark.db")
    without = create_app(dark, trusted_hosts=["localhost"]).test_client()
    refused = without.post("/api/owner/lights/try", json={})
    assert refused.status_code == 409
    assert "--leds" in refused.get_json()["error"]

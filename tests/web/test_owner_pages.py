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
from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import DiceLesson, Learning
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.settings.file import SettingsFile
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.dice.memory.light import Light
from companion.vision.dice.memory.store import save
from companion.vision.dice.memory.table import Origin, TableMemory
from companion.vision.sources.pushed import PushedSource
from companion.web import create_app
from companion.web.owner import dice_frame
from companion.web.owner.pages import PAGES
from tests.firmware_bridge.simulated.transport import SimulatedTransport
from tests.live.glimpsed import Glimpsed

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
    made = LiveTable(tmp_path / "journal.db", Seeing(PushedSource()), TableFeatures(leds=SimulatedTransport()))
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
    learnt = TableMemory(origin=Origin("learnt", "ludix", "2026-06-02T10:00:00+02:00", Light()))
    save(kept / "dice" / "learnt.dice", learnt, "ludix")
    sentence = Sentence("The board is lit evenly.").to_json()
    quality = {"grade": "fair", "figures": [{"name": "light", "value": 1, "grade": "fair", "sentence": sentence}]}
    profile(kept / "boards" / "oak.board", {"board": "tables", "made": "2026-05-01T10:00:00", "quality": quality})
    dice, cameras = text(owner, "dice"), text(owner, "cameras")
    assert "2 profiles learnt" in dice
    assert "2026-06-02" in dice
    assert "The file is damaged or is something else." in dice
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
    reply = owner.post("/api/owner/advise", json={"dice": "wibold"}).get_json()
    assert reply["ok"]
    assert reply["advice"]
    assert all(one["text"] for one in reply["advice"])
    assert owner.post("/api/owner/advise", json={"dice": "nothing"}).status_code == 400
    assert owner.post("/api/owner/advise", json={"dice": "wheel"}).status_code == 409
    with dice_frame._looking:
        busy = owner.post("/api/owner/advise", json={})
    assert busy.status_code == 503


def test_lights_are_tried_where_there_are_any(owner: FlaskClient, tmp_path: Path) -> None:
    assert owner.post("/api/owner/lights/try", json={}).status_code == 200
    dark = LiveTable(tmp_path / "dark.db")
    without = create_app(dark, trusted_hosts=["localhost"]).test_client()
    refused = without.post("/api/owner/lights/try", json={})
    assert refused.status_code == 409
    assert "--leds" in refused.get_json()["error"]


@pytest.fixture
def learning(tmp_path: Path) -> Learning:
    """Return a memory that knows two faces, one of which was said to be another one later."""
    made = Learning(MemoryFolder(tmp_path / "journal.memory"))
    made.open(PushedSource().name)
    for event, number, sentence in ((3, 1, "UAE"), (7, 1, "UAE"), (9, 2, "EI"), (11, 1, "OU")):
        made.hold(event, "wibold", [Glimpsed(number)])
        made.tell(DiceLesson(f"2/{event}", event, (FaceLesson(Glimpsed(number).middle, sentence, named=True),)))
    made.close()
    return made


@pytest.fixture
def learner(tmp_path: Path, kept: Path, learning: Learning) -> Iterator[FlaskClient]:
    """Return the owner of a table that learns."""
    del kept
    made = LiveTable(tmp_path / "journal.db", Seeing(PushedSource()), TableFeatures(learning=learning))
    made.start()
    settings = SettingsFile(tmp_path / "settings.json")
    yield create_app(made, trusted_hosts=["localhost"], settings=settings).test_client()
    made.stop()


def test_what_the_table_remembers_is_shown_in_pictures_and_words(learner: FlaskClient) -> None:
    page = text(learner, "dice")
    assert "2 faces of 20 are known." in page
    assert page.count("data:image/jpeg;base64,/9j/") == 2
    assert "<figcaption>UAE</figcaption>" in page
    assert "You said OU in match 2, event 11, but it looks like the UAE of match 2, event" in page
    assert "even if no pictures of throws are kept" in text(learner, "privacy")


def test_all_faces_are_forgotten_at_the_owners_word(learner: FlaskClient, tmp_path: Path) -> None:
    assert learner.post("/api/owner/dice/forget", json={}).get_json()["ok"]
    assert "It knows no faces yet." in text(learner, "dice")
    assert not list((tmp_path / "journal.memory").glob("*"))


def test_learning_is_a_setting_that_lasts(learner: FlaskClient, learning: Learning, tmp_path: Path) -> None:
    held = []
    for on in (False, True):
        assert learner.post("/api/owner/settings", json={"learning": on}).get_json()["ok"]
        kept = SettingsFile(tmp_path / "settings.json").now.learning
        held.append((learning.remembered.on, kept, "The table is not learning" in text(learner, "dice")))
    assert held == [(False, False, True), (True, True, False)]
    assert learner.post("/api/owner/settings", json={"learning": "perhaps"}).status_code == 409


def test_trouble_with_the_memory_is_told_on_the_overview(learner: FlaskClient, learning: Learning) -> None:
    learning.hold(99, "no such dice", [Glimpsed(5)])
    learning.tell(DiceLesson("2/99", 99, (FaceLesson(Glimpsed(5).middle, "EI", named=True),))).result(10)
    for page in ("overview", "dice"):
        assert "could not learn from its dice" in text(learner, page)


def test_a_table_that_cannot_learn_says_so(owner: FlaskClient) -> None:
    assert "does not learn in this run" in text(owner, "dice")

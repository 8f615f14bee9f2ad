"""Teaching the table its dice over HTTP: for the owner alone, in sentences, and offered only where it is of use."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import DiceLesson, Learning
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.sources.pushed import PushedSource
from companion.web import create_app
from tests.live.glimpsed import Glimpsed
from tests.web.conftest import PIN

NAMED = {"throw": 1, "find": 0, "face": None}
ACTS = {"begin": {"dice": "wibold"}, "answer": NAMED, "back": {}, "all": {}, "leave": {}}


@pytest.fixture
def learning(tmp_path: Path) -> Learning:
    return Learning(MemoryFolder(tmp_path / "journal.memory"))


@pytest.fixture
def table(tmp_path: Path, learning: Learning) -> Iterator[LiveTable]:
    made = LiveTable(tmp_path / "journal.db", Seeing(PushedSource()), TableFeatures(learning=learning))
    made.start()
    yield made
    made.stop()


@pytest.fixture
def owner(table: LiveTable) -> FlaskClient:
    return create_app(table, trusted_hosts=["localhost"]).test_client()


def test_only_the_owner_teaches(table: LiveTable) -> None:
    stranger = create_app(table, trusted_hosts=["localhost"], owner_pin=PIN).test_client()
    for act, body in ACTS.items():
        assert stranger.post(f"/api/teaching/{act}", json=body).status_code == 401
    for address in ("/api/teaching", "/api/teaching/find/1-0.jpg", "/api/teaching/face/0.jpg", "/owner/teach"):
        assert stranger.get(address).status_code == 401
    assert table.upkeep.teaching is not None
    assert table.upkeep.teaching.dice is None


def test_a_course_is_begun_told_and_left(owner: FlaskClient) -> None:
    assert owner.get("/api/teaching").get_json()["teaching"] is None
    begun = owner.post("/api/teaching/begin", json={"dice": "wibold"}).get_json()
    assert (begun["teaching"]["known"], begun["teaching"]["throws"], begun["teaching"]["asked"]) == (0, 0, None)
    assert begun["camera"], "the camera has sent no picture yet, and that is said"
    assert len(begun["teaching"]["faces"]) == 20
    assert owner.get("/api/teaching/face/0.jpg").status_code == 404
    assert owner.get("/api/teaching/face/99.jpg").status_code == 404
    for act, sentence in (("back", "no answer"), ("answer", "no longer open")):
        refused = owner.post(f"/api/teaching/{act}", json=ACTS[act])
        assert refused.status_code == 409
        assert sentence in refused.get_json()["error"]
    assert owner.post("/api/teaching/answer", json={"throw": 1, "find": -1, "face": 0}).status_code == 400
    assert owner.post("/api/teaching/leave", json={}).get_json()["teaching"] is None
    for name in ("wheel", "bones"):
        assert owner.post("/api/teaching/begin", json={"dice": name}).status_code == 409


def test_the_form_for_a_match_offers_it_until_somebody_named_a_face(owner: FlaskClient, learning: Learning) -> None:
    def offered() -> set[str]:
        page = owner.get("/new").get_data(as_text=True)
        return {name for name in ("wibold", "ludix", "wheel") if f"/owner/teach?dice={name}" in page}

    assert offered() == {"wibold", "ludix"}
    learning.hold(7, "wibold", [Glimpsed(1), Glimpsed(2)])
    learning.tell(DiceLesson("1/7", 7, (FaceLesson(Glimpsed(1).middle, "A", named=False),))).result(10)
    assert "wibold" in offered(), "the camera read a face, but nobody named one"
    learning.tell(DiceLesson("teaching/1-1", 7, (FaceLesson(Glimpsed(2).middle, "IO", named=True),))).result(10)
    assert offered() == {"ludix"}
    learning.use(on=False).result(10)
    assert offered() == set(), "what does not learn cannot be taught"
    assert "is not learning" in owner.get("/owner/teach").get_data(as_text=True)


def test_a_table_that_learns_nothing_says_so(tmp_path: Path) -> None:
    table = LiveTable(tmp_path / "journal.db")
    table.start()
    try:
        client = create_app(table, trusted_hosts=["localhost"]).test_client()
        assert "does not learn in this run" in client.get("/owner/teach").get_data(as_text=True)
        refused = client.post("/api/teaching/begin", json={})
        assert refused.status_code == 409
        assert "does not learn in this run" in refused.get_json()["error"]
        assert "/owner/teach" not in client.get("/new").get_data(as_text=True)
    finally:
        table.stop()


def test_what_was_taught_and_contradicts_is_told_in_words(owner: FlaskClient, learning: Learning) -> None:
    for event, sentence in ((1, "EI"), (2, "OU")):
        learning.hold(event, "wibold", [Glimpsed(1)])
        learning.tell(
            DiceLesson(f"teaching/5-{event}", event, (FaceLesson(Glimpsed(1).middle, sentence, named=True),))
        ).result(10)
    page = owner.get("/owner/dice").get_data(as_text=True)
    assert "You said EI in the teaching, but it looks like the OU of the teaching." in page

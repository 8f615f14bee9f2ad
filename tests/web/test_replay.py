"""A match looked at again over HTTP: bounded, read only, and never a picture that is not there."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.live.chronicles import BusyError
from companion.live.table import LiveTable
from companion.web import create_app
from tests.web.fake_table import FakeReview, FakeTable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    running = LiveTable(tmp_path / "journal.db", chance=random.Random(7))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def real(table: LiveTable) -> FlaskClient:
    return create_app(table, trusted_hosts=["localhost"]).test_client()


def play(table: LiveTable, throws: int) -> int:
    new = table.command("new_match", {"game": "ludus-regularis", "players": ["A", "B"], "dice_by": "program"}, "owner")
    for _ in range(throws):
        assert table.command("roll", {}, "page").ok
    return int(new.data["match"])


def test_every_position_of_a_match_can_be_asked_for(table: LiveTable, real: FlaskClient) -> None:
    match = play(table, 12)
    listed = real.get(f"/api/matches/{match}/moments").get_json()
    assert listed["count"] == len(listed["moments"]) == 13
    shown = table.snapshot().data
    last = real.get(f"/api/matches/{match}/moments/13").get_json()
    assert last["state"]["virtues"] == json.loads(json.dumps(shown["virtues"]))
    assert last["state"]["awaits"] == json.loads(json.dumps(shown["awaits"]))
    scores = []
    for number in range(1, 14):
        moment = real.get(f"/api/matches/{match}/moments/{number}").get_json()
        assert moment["moment"] == number
        scores.append(sum(player["score"] for player in moment["state"]["match"]["players"]))
    assert scores == sorted(scores)
    assert scores[0] == 0


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/matches/99", 404),
        ("/api/matches/99/moments", 404),
        ("/api/matches/{match}/moments/0", 404),
        ("/api/matches/{match}/moments/99999999999999999999", 404),
        ("/api/matches/{match}/moments?first=-5&count=99999999", 200),
        ("/api/matches/{match}/moments?first=x&count=y", 200),
        ("/api/matches/{match}/events/99", 404),
        ("/api/matches/{match}/events/2/claim", 400),
        ("/api/matches/{match}/events/2/claim?text=" + "a" * 121, 400),
        ("/api/matches/{match}/events/1/claim?text=a", 404),
        ("/api/matches/{match}/events/2/claim?text=%00%F0%9F%8E%B2", 200),
        ("/api/matches/{match}/events/2/claim?text=A+IO+AEI+MNPR", 200),
        ("/api/picture/" + "0" * 64 + ".jpg", 404),
        ("/matches/{match}?event=x", 200),
        ("/matches/{match}?event=99999", 200),
        ("/matches/{match}?event=2", 200),
    ],
)
def test_whatever_is_asked_is_answered_in_a_sentence_and_changes_nothing(
    table: LiveTable, real: FlaskClient, path: str, status: int
) -> None:
    match = play(table, 3)
    before = list(table.export(match) or ())
    answer = real.get(path.format(match=match))
    assert answer.status_code == status
    if status != 200:
        assert answer.get_json()["error"] if path.startswith("/api") else b"<" in answer.data
    assert list(table.export(match) or ()) == before
    assert real.post(path.format(match=match), json={}).status_code in (400, 404, 405)


def test_a_table_that_is_busy_with_others_says_so() -> None:
    class Busy(FakeTable):
        def chronicle(self, match: int) -> FakeReview | None:
            raise BusyError(f"Ask for match {match} again in a moment.")

    answer = create_app(Busy(), trusted_hosts=["localhost"]).test_client().get("/api/matches/1/moments")
    assert (answer.status_code, answer.get_json()["error"]) == (503, "Ask for match 1 again in a moment.")


def test_a_claim_is_judged_by_the_rules_of_its_place(table: LiveTable, real: FlaskClient) -> None:
    match = play(table, 2)
    asked: Any = real.get(f"/api/matches/{match}/events/2/claim", query_string={"text": "A IO AEI MNPR"}).get_json()
    assert asked["allowed"]
    assert asked["faces"] == {"1": "A", "2": "IO", "3": "AEI", "consonants": "MNPR"}
    wrong: Any = real.get(f"/api/matches/{match}/events/2/claim", query_string={"text": "A A A A"}).get_json()
    assert not wrong["allowed"]
    assert wrong["sentence"]["text"]

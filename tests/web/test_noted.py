"""A match with notes is a course: its played turns are the answers, and the notes say why."""

import random
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from companion.live.table import LiveTable
from companion.web import create_app

NOTE = "Two men together / cannot be hit: 100 %."


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    running = LiveTable(tmp_path / "journal.db", chance=random.Random(7))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def client(table: LiveTable) -> FlaskClient:
    return create_app(table, trusted_hosts=["localhost"]).test_client()


def played(table: LiveTable, slug: str, acts: int) -> list[tuple[int, str]]:
    """Play so many acts, the first choice each; return the event of each and what was chosen, "throw" for a throw."""
    assert table.command("new_match", {"game": slug, "players": ["A", "B"], "dice_by": "program"}, "owner").ok
    done = []
    for _ in range(acts):
        state = table.snapshot().data
        text = "throw" if state["awaits"]["kind"] == "throw" else state["choices"][0]["text"]
        name, data = ("roll", {}) if text == "throw" else ("choose", {"text": text})
        assert table.command(name, data, "page").ok
        done.append((table.snapshot().data["log"][-1]["event"], text))
    return done


def judged(client: FlaskClient, event: int, line: list[str]) -> dict[str, object]:
    reply = client.post(f"/api/lessons/match/1/{event}/{quote(NOTE, safe='')}", json={"line": line})
    assert reply.status_code == 200, reply.text
    found: dict[str, object] = reply.get_json()
    return found


def test_the_turn_that_was_played_is_right_and_the_note_says_why(table: LiveTable, client: FlaskClient) -> None:
    done = played(table, "tables/todas-tablas", 12)
    throws = [place for place, (_, text) in enumerate(done) if text == "throw"]
    first, then = throws[1], throws[2]
    event = done[first + 1][0]
    page = client.get("/learn/match/1", query_string={"note": [f"{event}:{NOTE}", f"{done[0][0]}:At first."]})
    assert page.status_code == 200, page.text
    assert page.text.count('"address"') == 2
    line = [text for _, text in done[first:then]]
    found = judged(client, event, line)
    assert (found["verdict"], found["sentence"]) == ("done", NOTE)
    assert judged(client, done[first][0], line)["verdict"] == "done"
    assert judged(client, event, line[:-1])["verdict"] == "open"


def test_another_turn_is_told_apart(table: LiveTable, client: FlaskClient) -> None:
    (event, text), *_ = played(table, "rithmomachia/mebben", 2)
    other = next(one["text"] for one in judged(client, event, [])["choices"] if one["text"] != text)  # type: ignore[attr-defined]
    assert judged(client, event, [other])["verdict"] == "wrong"
    assert judged(client, event, [text, "done"])["verdict"] == "done"


@pytest.mark.parametrize(
    ("note", "status", "part"),
    [
        ("x:why", 400, "number of its event"),
        (f"{'9' * 5000}:why", 400, "Expected a note as the number"),
        ("٣:why", 400, "Expected a note as the number"),
        ("1:why", 409, "neither a throw nor a move"),
        ("2:", 409, "1 to 35 words"),
        (f"2:{'word ' * 36}", 409, "1 to 35 words"),
        ("", 400, "number of its event"),
    ],
)
def test_a_note_that_fits_nowhere_gets_one_sentence(
    table: LiveTable, client: FlaskClient, note: str, status: int, part: str
) -> None:
    played(table, "tables/todas-tablas", 3)
    reply = client.get("/learn/match/1", query_string={"note": note})
    assert reply.status_code == status
    assert part in reply.text


def test_a_match_without_men_makes_no_lesson(table: LiveTable, client: FlaskClient) -> None:
    (event, _), *_ = played(table, "ludix", 2)
    reply = client.get("/learn/match/1", query_string={"note": f"{event}:why"})
    assert reply.status_code == 409
    assert "moved no man" in reply.text
    assert 'id="replay-notes"' not in client.get("/matches/1").text

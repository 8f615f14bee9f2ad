"""A hint over HTTP: the best turn is legal, sentences are in the visitor's language, one is thought out at a time."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.desk.page import match_review
from companion.live.table import LiveTable
from companion.web import create_app
from tests.web.fake_table import FakeTable, FakeTold


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    running = LiveTable(tmp_path / "journal.db", chance=random.Random(3))
    running.start()
    yield running
    running.stop()


def begun(table: LiveTable, game: str) -> int:
    new = table.command("new_match", {"game": game, "players": ["A", "B"], "dice_by": "program"}, "owner")
    return int(new.data["match"])


def asked(client: FlaskClient, match: int, language: str = "en") -> Any:
    answer = client.get(f"/api/matches/{match}/hint?language={language}")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.get_json()


@pytest.mark.parametrize("game", ["tables/zeno", "ludix"])
def test_the_best_turn_can_be_played_and_every_language_tells_it(table: LiveTable, game: str) -> None:
    client = create_app(table, trusted_hosts=["localhost"]).test_client()
    match = begun(table, game)
    if table.snapshot().data["awaits"]["kind"] != "choice":
        assert asked(client, match) == {"sentences": ["There is nothing to choose now: throw the dice."], "choices": []}
    for _ in range(40):
        if table.snapshot().data["awaits"]["kind"] == "choice":
            break
        assert table.command("roll", {}, "page").ok
    told = {language: asked(client, match, language) for language in ("en", "de", "fr", "es")}
    best = told["en"]["choices"]
    assert told["en"]["sentences"][0].startswith("Best is ")
    assert all(one["choices"] == best for one in told.values())
    assert len({one["sentences"][0] for one in told.values()}) == 4
    for choice in best:
        assert table.command("choose", {"choice": choice}, "page").ok


def test_games_without_better_and_worse_say_so(table: LiveTable) -> None:
    client = create_app(table, trusted_hosts=["localhost"]).test_client()
    assert asked(client, begun(table, "ludus-regularis"))["choices"] == []
    assert client.get("/api/matches/99/hint").status_code == 404


def test_a_match_is_looked_over_part_by_part(table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request looks at one throw or turn here; together they are the match, in the visitor's language."""
    monkeypatch.setattr(match_review, "LOOK_SECONDS", 0.0)
    client = create_app(table, trusted_hosts=["localhost"]).test_client()
    match = begun(table, "tables/todas-tablas")
    refused = client.get(f"/api/matches/{match}/looked/0?language=de")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "In diesem Spiel wurde noch nichts gespielt.")
    for _ in range(9):
        awaits = table.snapshot().data["awaits"]
        choice = {"choice": asked(client, match)["choices"][0]} if awaits["kind"] == "choice" else {}
        assert table.command("choose" if choice else "roll", choice, "page").ok
    at: int | None = 0
    looked: list[Any] = []
    while at is not None:
        told = client.get(f"/api/matches/{match}/looked/{at}").get_json()
        assert [one["move"] for one in told["moves"]] == [at]
        looked += told["moves"]
        at = told["next"]
    review = table.chronicle(match)
    assert review is not None
    for one in looked:
        assert 0 <= one["chance"] <= 1
        moment = review.moment(one["moment"])
        assert moment is not None
        assert moment["player"] == one["player"]
    assert told["count"] == 9
    alone = client.get(f"/api/matches/{begun(table, 'ludus-regularis')}/looked/0")
    assert alone.status_code == 409


def test_one_hint_is_thought_out_at_a_time() -> None:
    thinking, done = threading.Event(), threading.Event()

    class Slow(FakeTold):
        def hint(self) -> dict[str, Any]:
            thinking.set()
            assert done.wait(20)
            return super().hint()

    class Table(FakeTable):
        def chronicle(self, match: int) -> FakeTold | None:
            return Slow() if match == 1 else None

    app = create_app(Table(), trusted_hosts=["localhost"])
    first = threading.Thread(target=lambda: app.test_client().get("/api/matches/1/hint"))
    first.start()
    assert thinking.wait(20)
    answer = app.test_client().get("/api/matches/1/hint")
    assert (answer.status_code, answer.get_json()["error"]) == (
        503,
        "The program is still thinking about another hint: ask again in a moment.",
    )
    done.set()
    first.join(20)
    assert app.test_client().get("/api/matches/1/hint").status_code == 200

"""A hint over HTTP: the best turn is legal, in the visitor's language, and thought out once, in a fair line."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.desk.page import match_review
from companion.language.sentence import Sentence, SentenceError
from companion.live.table import LiveTable
from companion.rules.registry import games
from companion.web import create_app
from companion.web.matches.thinking import BUSY, MOST_WAITING, THINKING
from tests.web.fake_table import FakeReview, FakeTable


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
        nothing = {"sentences": ["There is nothing to choose now: throw the dice."], "steps": []}
        assert asked(client, match) == nothing
    for _ in range(40):
        if table.snapshot().data["awaits"]["kind"] == "choice":
            break
        assert table.command("roll", {}, "page").ok
    reply = {language: asked(client, match, language) for language in ("en", "de", "fr", "es")}
    best = reply["en"]["steps"]
    assert reply["en"]["sentences"][0].startswith("The best turn is ")
    assert all(one["steps"] == best for one in reply.values())
    assert len({one["sentences"][0] for one in reply.values()}) == 4
    for step in best:
        choice = step["choice"]
        ways = [(choice["from"], choice["to"])] if "from" in choice else []
        assert [(arrow["from"], arrow["to"]) for arrow in step["arrows"]] == ways
        assert table.command("choose", {"choice": choice}, "page").ok
        assert table.snapshot().data["log"][-1]["move"] == step["text"], "by this the page knows that it was made"


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_every_game_says_how_it_is_played_in_the_visitor_s_language(table: LiveTable, language: str) -> None:
    client = create_app(table, trusted_hosts=["localhost"]).test_client()
    for slug, game in games().items():
        reply = client.get(f"/api/rules/{slug}?language={language}").get_json()
        assert len(reply["steps"]) == len(game.how_to_play) >= 2, slug
        assert (reply["steps"] == list(map(str, game.how_to_play))) == (language == "en"), slug
    assert client.get("/api/rules/chess").status_code == 404


def test_games_without_better_and_worse_say_so(table: LiveTable) -> None:
    client = create_app(table, trusted_hosts=["localhost"]).test_client()
    assert asked(client, begun(table, "ludus-regularis"))["steps"] == []
    assert client.get("/api/matches/99/hint").status_code == 404


def test_a_match_is_looked_over_part_by_part(table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request looks at one throw or turn here; together they are the match, in the visitor's language."""
    monkeypatch.setattr(match_review, "ANALYSIS_SECONDS", 0.0)
    client = create_app(table, trusted_hosts=["localhost"]).test_client()
    match = begun(table, "tables/todas-tablas")
    refused = client.get(f"/api/matches/{match}/looked/0?language=de")
    assert (refused.status_code, refused.get_json()["error"]) == (409, "In diesem Spiel wurde noch nichts gespielt.")
    for _ in range(9):
        awaits = table.snapshot().data["awaits"]
        choice = {"choice": asked(client, match)["steps"][0]["choice"]} if awaits["kind"] == "choice" else {}
        assert table.command("choose" if choice else "roll", choice, "page").ok
    at: int | None = 0
    looked: list[Any] = []
    while at is not None:
        reply = client.get(f"/api/matches/{match}/looked/{at}").get_json()
        assert [one["move"] for one in reply["moves"]] == [at]
        looked += reply["moves"]
        at = reply["next"]
    review = table.chronicle(match)
    assert review is not None
    for one in looked:
        assert 0 <= one["chance"] <= 1
        moment = review.moment(one["moment"])
        assert moment is not None
        assert moment["player"] == one["player"]
    assert reply["count"] == 9
    alone = client.get(f"/api/matches/{begun(table, 'ludus-regularis')}/looked/0")
    assert alone.status_code == 409


class Slow(FakeReview):
    """A match whose position ``stands`` is thought about until the test lets go."""

    def __init__(self, stands: str, thought: list[str], done: threading.Event) -> None:
        super().__init__(stands)
        self._thought, self._done = thought, done

    def hint(self) -> dict[str, Any]:
        self._thought.append(self.stands)
        assert self._done.wait(60)
        return super().hint()


def test_hints_wait_in_a_line_with_a_place_for_each_address() -> None:
    """Two connections of one stranger once took every hint from everybody else."""
    thought: list[str] = []
    done = threading.Event()

    class Table(FakeTable):
        def chronicle(self, match: int) -> FakeReview | None:
            return Slow(str(match), thought, done)

    app = create_app(Table(), trusted_hosts=["localhost"])
    line = THINKING.get(app)._line
    answers: dict[str, list[Any]] = {}

    def ask(match: int, address: str) -> threading.Thread:
        def asking() -> None:
            answer = app.test_client().get(f"/api/matches/{match}/hint", environ_overrides={"REMOTE_ADDR": address})
            answers.setdefault(address, []).append(answer)

        thread = threading.Thread(target=asking)
        thread.start()
        return thread

    def filled(places: int) -> bool:
        return len(line) == places

    asking = []
    for number in range(MOST_WAITING):
        asking.append(ask(number, f"192.0.2.{number}"))
        until(partial(filled, number + 1))
    for address in ("192.0.2.1", "192.0.2.99"):  # has a place; comes when the line is full
        ask(77, address).join(60)
        (refused,) = answers.pop(address)
        assert (refused.status_code, refused.get_json()["error"]) == (503, str(BUSY))
    assert thought == ["0"], "one at a time"
    done.set()
    for thread in asking:
        thread.join(60)
    assert sorted(thought) == [str(number) for number in range(MOST_WAITING)]
    assert {answer.status_code for (answer,) in answers.values()} == {200}
    ask(1, "192.0.2.99").join(60)
    assert answers["192.0.2.99"][0].status_code == 200
    assert len(thought) == MOST_WAITING, "a position is thought about once"


def until(true: Callable[[], bool]) -> None:
    for _ in range(6000):
        if true():
            return
        time.sleep(0.01)
    pytest.fail("it did not come")


def test_a_thought_that_fails_gives_its_place_away() -> None:
    class Broken(FakeReview):
        def analysed(self, first: int) -> dict[str, Any]:
            raise SentenceError(Sentence("No move {number}.", number=first))

    class Table(FakeTable):
        def chronicle(self, match: int) -> FakeReview | None:
            return Broken() if match == 1 else None

    client = create_app(Table(), trusted_hosts=["localhost"]).test_client()
    assert [client.get("/api/matches/1/looked/0").status_code for _ in range(2)] == [409, 409]
    assert client.get("/api/matches/1/hint").status_code == 200

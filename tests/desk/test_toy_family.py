"""A family of games of which the program knows nothing: it is played, shown, lit, read and printed by what it says."""

import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from calibration.kit.cards import cards_document
from calibration.kit.paper import PAPERS
from companion.desk.lights.marks import LightMarker, Mark, Meaning
from companion.desk.page.match import MatchPage
from companion.drawings.picture import picture_of
from companion.live.snapshot import Snapshot
from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.results import CommitPlay, Mismatch
from companion.referee.match import Match
from companion.rules import registry
from companion.rules.board import Board
from companion.rules.game import Choice, Game
from companion.rules.registry import game, games
from companion.web import create_app
from tests.commands.running import run
from tests.printed_pages import texts_of
from tests.referee.board.simulated import perfect, seating_of
from tests.referee.build import Table, started
from tests.toy import race
from tests.web.fake_table import FakeTable, state
from workshop.players.plain_ways import choose


@pytest.fixture(autouse=True)
def _known() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "ROOMS", (*registry.ROOMS, "tests.toy.race"))
        games.cache_clear()
        yield
    games.cache_clear()


@pytest.fixture
def toy() -> Game:
    return game("race")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "journal.db", started(game_name="race"))


def test_a_match_is_played_to_its_end_and_the_journal_tells_it_again(table: Table) -> None:
    chance = random.Random(1)
    while not table.match.over:
        position = table.match.position
        move = choose(position, chance) if position.awaits.kind == "choice" else chance.choice(position.throws())
        table.record(table.match.committed(move, "tapped"))
    assert table.match.outcome is not None
    assert table.replayed().position == table.match.position
    position = table.match.start
    for turn in table.match.history:
        position = position.after(position.parse(turn.text))
    assert position == table.match.position


def test_it_is_played_at_the_prompt_and_taken_up_again(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    first = run("play", "race", "--seed", "8", typed=f"?\nhint\n1\n?\na-b\nauto 2\nundo\nscore\nsave {file}\n")
    assert first.exit_code == 0, first.stderr
    assert "a-b, stay" in first.stdout
    assert "Taken back: " in first.stdout
    again = run("play", "--load", str(file), typed="board\nauto\n")
    assert "is there" in again.stdout


def test_the_page_shows_its_board_its_choices_and_what_was_played(table: Table) -> None:
    for text in ("2", "a-c", "1"):
        table.throw(text)
    found = MatchPage(lambda _: False).of(table.match)
    assert found["board"] == {
        "name": "race",
        "men": {"c": {"1": 1}, "a": {"2": 1}},
        "last": [{"from": "a", "to": "c"}],
    }
    assert [choice["text"] for choice in found["choices"]] == ["a-b", "stay"]
    assert found["drawn"] == "c: {'1': 1}\na: {'2': 1}"
    assert (found["ludix"], found["virtues"], found["curve"]) == (None, [], [])
    page = _rendered(table.match)
    assert "svg-board" in page
    assert "Race" in page
    assert "goes on or stays" in page


def _rendered(match: Match) -> str:
    fake = FakeTable()
    fake._now = Snapshot(8, state(8) | MatchPage(lambda _: False).of(match))
    return create_app(fake, trusted_hosts=["localhost"]).test_client().get("/").text


def test_the_lights_tell_whose_turn_it_is_and_where_a_man_may_go(table: Table) -> None:
    assert _marks(table.match) == {"a": Mark(Meaning.TURN, 1), "player-1": Mark(Meaning.TURN, 1)}
    for text in ("2", "a-c", "3"):
        table.throw(text)
    assert _marks(table.match) == {
        "a": Mark(Meaning.FROM, 2),
        "c": Mark(Meaning.LAST, 1),
        "d": Mark(Meaning.TO, 2),
        "player-2": Mark(Meaning.TURN, 2),
    }


def _marks(match: Match) -> dict[str, Mark]:
    return dict(LightMarker().marks(match, "SYNCED").sites)


def test_a_camera_that_read_its_board_would_tell_what_was_played(toy: Game) -> None:
    start = toy.start(2)
    before = start.after(start.parse("2"))
    after = before.after(race.Step("a", "c"))
    for lies in range(4):
        seating = seating_of(toy, lies)
        found = explain(AgreedPosition(before, seating), perfect(after, seating))
        assert isinstance(found, CommitPlay)
        assert found.play.position == after
        wrong = explain(AgreedPosition(before, seating), perfect(race.RacePosition(1, (4, 0), 2), seating))
        assert isinstance(wrong, Mismatch)


def test_the_program_plays_it_as_its_own_face_says(toy: Game) -> None:
    assert toy.program_plays
    assert "never stays" in str(toy.manner)
    start = toy.start(2)
    chosen: Choice = choose(start.after(start.parse("5")), random.Random(1))
    assert str(chosen) == "a-f"


def test_it_has_a_rule_card_and_a_picture(toy: Game) -> None:
    assert toy.title in "".join(texts_of(cards_document(PAPERS["a4"], "en", date(2026, 3, 1)).pdf()))
    board: Board = toy.board
    assert picture_of(toy).ground(board)
    assert picture_of(toy).height(board) > 0

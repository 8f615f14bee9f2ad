"""What a page is told of a game that is not of virtues."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.desk.page.camera import camera_part
from companion.desk.page.match import MatchPage
from companion.desk.sight import DiceSeen, Sight
from companion.language.sentence import Sentence
from companion.referee.readable import dice_to_read
from companion.rules.dice import dice_set
from companion.rules.registry import games
from companion.vision.readings import DiceReading, readable
from tests.referee.build import Table, started


def test_a_tables_match_shows_choices_the_drawn_board_and_what_may_be_taken_back(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", started(game_name="tables/zeno"))
    page = MatchPage(lambda _: False)
    found: Any = page.of(table.match)
    assert (found["choices"], found["undo"], found["virtues"]) == ([], None, [])
    assert found["drawn"] == table.match.position.drawn()
    table.throw("2 5 6")
    found = page.of(table.match)
    assert {"text": "a-c", "choice": {"from": "a", "to": "c", "die": 2}} in found["choices"]
    assert found["throw"]["set"] == "pips"
    event = table.throw("a-c")
    found = page.of(table.match)
    back = {"event": event, "number": 2, "player": 1, "kind": "choice", "text": "a-c"}
    assert found["undo"] == back | {"anyone": True, "answered": False, "seen": False}
    assert found["log"][-1]["kind"] == "choice"
    assert found["log"][-1]["number"] is None
    table.record(table.match.taken_back(event))
    found = page.of(table.match)
    assert found["undo"] is not None, "the throw was entered by hand"
    assert (found["undo"]["kind"], found["undo"]["anyone"]) == ("throw", False)
    assert found["log"][-1]["text"]["text"] == "The move a-c of Anna was taken back."
    assert (found["log"][-2]["standing"], found["log"][-2]["move"]) == ("voided", "a-c")


def test_the_virtues_are_drawn_by_the_page(tmp_path: Path) -> None:
    found = MatchPage(lambda _: False).of(Table(tmp_path / "journal.db", started()).match)
    assert found["drawn"] is None
    assert len(found["virtues"]) == 56


@pytest.mark.parametrize("slug", games())
def test_the_camera_looks_only_for_dice_that_it_can_read(slug: str, tmp_path: Path) -> None:
    players = tuple(f"P{number}" for number in range(games()[slug].least_players))
    table = Table(tmp_path / "journal.db", started(*players, game_name=slug))
    waits = table.match.start.awaits
    expected = dice_to_read(table.match.start)
    assert (expected is not None) == any(readable(dice_set(name)) for name in waits.dice_sets)
    assert expected is None or (expected[0] in waits.dice_sets and expected[1] == waits.dice)
    assert expected is not None or slug not in {"ludus-regularis", "ludus-regularis/sum"}
    shown = MatchPage(lambda _: False).of(table.match)["match"]
    assert shown is not None
    assert shown["game"] == slug


def test_the_page_says_that_the_light_has_drifted_while_the_camera_sees() -> None:
    drift = Sentence("The dice look darker than when they were learnt ({times} times).", times="2.1")
    lying = DiceSeen(1, DiceReading((), "ignored", drift=drift), b"", (), "", 0, watched=True)
    well = Sentence("The camera is live.")
    seen = Sight("camera", "LIVE", well, phase="still", seen=lying)
    assert camera_part(seen)["sentence"]["text"] == "The dice look darker than when they were learnt (2.1 times)."
    assert camera_part(replace(seen, seen=None))["sentence"]["text"] == str(well)
    lost = Sentence("The camera is gone.")
    assert camera_part(replace(seen, status="LOST", sentence=lost))["sentence"]["text"] == str(lost)

"""A play that the camera saw goes into the journal: what was seen, then one commit for each choice, and replays."""

from pathlib import Path

import pytest

from companion.referee.board.decide import AgreedPosition, explain
from companion.referee.board.kept import kept_reading
from companion.referee.board.results import CommitPlay
from companion.referee.board.seating import Seating
from companion.referee.events import BoardObserved, BoardSeated
from companion.referee.refused import RefusedError
from companion.rules.tables.choices import Step
from tests.referee.board.simulated import perfect
from tests.referee.build import Table, started
from tests.rules.tables.standing import begun, typed

ZENO = Seating("tables/zeno", "flipped", (("dark", 1), ("light", 2)))


def test_a_play_seen_on_the_board_is_committed_choice_by_choice_and_replays(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", started(game_name="tables/zeno"))
    table.record(BoardSeated(ZENO.to_json()))
    table.throw("2 5 6")
    truth = typed(begun("tables/zeno"), "2 5 6", "a-c", "c-h", "h-o")
    shown = perfect(truth, ZENO)
    decision = explain(AgreedPosition(table.match.position, ZENO), shown)
    assert isinstance(decision, CommitPlay)
    observed = BoardObserved("commit", kept_reading(shown), 40.0, 2)
    seen = table.match.next_number
    table.record(observed, *(made.event for made in table.match.checked(decision.play.moves, "camera", seen=seen)))
    assert table.match.board.agreed == table.match.entries[-1].number
    assert table.match.position == truth
    replayed = table.replayed()
    assert replayed.position == truth
    assert replayed.board.seating is not None
    assert replayed.board.seating.to_json() == ZENO.to_json()
    assert [turn.text for turn in replayed.history] == ["2 5 6", *map(str, decision.play.moves)]
    assert [turn.by for turn in replayed.history[1:]] == ["camera"] * 3
    # the last man can be taken back like any other choice
    table.record(table.match.taken_back(table.match.history[-1].event))
    assert table.match.position == typed(begun("tables/zeno"), "2 5 6", *map(str, decision.play.moves[:-1]))


def test_a_turn_is_committed_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", started(game_name="tables/zeno"))
    table.throw("2 5 6")
    with pytest.raises(RefusedError):
        table.match.checked((Step("a", "c", 2), Step("a", "g", 5)), "camera")
    assert len(table.match.history) == 1

"""Silence is never an answer: whatever the cameras and the match are at, there is a state and a sentence for it."""

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.desk.finding import BoardFinding, Kind
from companion.desk.shapes.common import State
from companion.desk.sight import BoardSeen, BoardSight, Sight
from companion.desk.table.state import URGENT, state_of
from companion.language.sentence import Sentence
from companion.live.writer import LastFailure
from companion.referee.match import Match
from companion.vision.board_readings import BoardReading
from tests.referee.build import Table, started

CAMERA_SENTENCE = Sentence("The camera says how it is.")
STATUSES = ("NONE", "STARTING", "LIVE", "STALE", "LOST")
PHASES = (None, "moving", "settling", "still")
SEEN = BoardSeen(1, 2, BoardReading("tables", {}, (), "read"), b"", "")


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> list[Match | None]:
    folder: Path = tmp_path_factory.mktemp("journals")
    found: list[Match | None] = [None]
    kinds: list[dict[str, Any]] = [
        {"dice_by": dice, "men_by": men} for dice in ("camera", "tapped", "program") for men in ("camera", "tapped")
    ]
    for number, kind in enumerate(kinds):
        table = Table(folder / f"{number}.db", replace(started(game_name="tables/zeno"), **kind))
        table.throw("2 5 6")
        found += [table.match, replace(table.match, paused=True), replace(table.match, misfit=2)]
    return found


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_there_is_always_a_state_and_a_sentence(matches: list[Match | None], data: st.DataObject) -> None:
    draw = data.draw
    board = None
    if draw(st.booleans()):
        board = BoardSight(
            "camera 1",
            draw(st.sampled_from(STATUSES)),
            CAMERA_SENTENCE,
            draw(st.sampled_from(PHASES)),
            draw(st.booleans()),
            seen=draw(st.sampled_from([None, SEEN])),
            trouble=draw(st.sampled_from([None, Sentence("The board is not found.")])),
        )
    source = draw(st.sampled_from([None, "camera 0"]))
    sight = Sight(
        source,
        draw(st.sampled_from(STATUSES)) if source else "NONE",
        CAMERA_SENTENCE,
        draw(st.sampled_from(PHASES)),
        draw(st.booleans()),
        trouble=draw(st.sampled_from([None, Sentence("The reader failed.")])),
        board=board,
    )
    kind: Kind = draw(st.sampled_from(get_args(Kind)))
    finding = draw(st.sampled_from([None, BoardFinding(kind, Sentence("The men stand somehow."))]))
    mismatch = draw(st.sampled_from([None, Sentence("There are 3 of 4 dice on the table.")]))
    match = draw(st.sampled_from(matches))
    state, sentence = state_of(match, sight, mismatch, finding)
    assert state in get_args(State)
    assert state in URGENT
    assert str(sentence).strip()
    playing = match is not None and not match.paused and match.misfit is None
    by_camera = playing and match is not None and match.started.dice_by == "camera"
    if by_camera and source is not None and (sight.status != "LIVE" or sight.trouble is not None):
        assert state in {"BLIND", "PROPOSED", "MISMATCH"}, "a camera that sees nothing is never passed over"
    if playing and match is not None and match.started.men_by == "camera" and board is not None and board.hand:
        assert state != "SYNCED", "a hand over the board is told"


def test_why_something_seen_was_not_used_is_told_until_something_else_is_seen(matches: list[Match | None]) -> None:
    failure, match = LastFailure(), matches[1]
    board = BoardSight("camera 0", "LIVE", CAMERA_SENTENCE, seen=SEEN)
    lying = Sight("camera 0", "LIVE", CAMERA_SENTENCE, board=board)

    def sentence_at(sight: Sight, now: Match | None) -> str:
        failure.check(sight, now)
        return str(failure.sentence or "")

    assert sentence_at(lying, match) == ""
    failure.record(CAMERA_SENTENCE)
    assert sentence_at(replace(lying, picture=9), match) == str(CAMERA_SENTENCE)
    assert sentence_at(replace(lying, board=replace(board, seen=replace(SEEN, interval=2))), match) == ""
    failure.failed(KeyError("x"))
    assert "KeyError" in str(failure.sentence)
    assert sentence_at(lying, None) == ""

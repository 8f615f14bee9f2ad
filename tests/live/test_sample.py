"""The sample table plays a whole match through the same way as a camera's frames, questions and a restart included."""

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.desk.table.match_desk import PROGRAM, Desk
from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.referee.journal import Journal
from companion.rules.dice import Throw
from companion.vision.readings import DiceReading, Frame, Image
from companion.vision.sources.scripted import ScriptedSource
from companion.vision.sources.source import UnknownSourceError
from tests.live.drawn import joined
from tests.live.labelled import LabelReader, script

PACE = 14.0  # a still picture stays until it was read, however fast the script is played
AT_EASE = 1.5  # where a busy machine must not let a still pass before it was seen


@pytest.fixture(scope="module")
def reader() -> LabelReader:
    return LabelReader()


def table(path: Path, reader: LabelReader) -> LiveTable:
    made = LiveTable(
        path, Seeing(reader=lambda _: reader), TableFeatures(sample="ludus-regularis", sample_pace=PACE), combine=joined
    )
    made.start()
    return made


def play(live: LiveTable, throws: int | None = None) -> Any:
    """Wait without a word until the match is over or so many throws were made; return the state then."""
    return until(live, lambda data: data["outcome"] or (throws is not None and data["match"]["throws"] >= throws), 600)


def until(live: LiveTable, wanted: Callable[[Any], Any], seconds: float = 300) -> Any:
    end = time.monotonic() + seconds
    shot = live.snapshot()
    while not wanted(shot.data):
        if time.monotonic() > end:
            pytest.fail(f"the match stands at {shot.data['match']['throws']} throws, {shot.data['state_sentence']}")
        shot = live.wait(shot.version, 1) or live.snapshot()
    return shot.data


def play_on(path: Path, left: int) -> None:
    """Write the script's casts into the journal, but for the last ones, as if they had been read."""
    with Journal(path) as journal:
        desk = Desk(journal, time.time, random.Random(1))
        (match_id,) = journal.latest()
        match = desk.reopen(match_id)
        assert match is not None
        made = sum(turn.standing == "stands" for turn in match.history)
        for cast in script()["casts"][made:-left]:
            desk.play(Throw.of(script()["dice_set"], cast["faces"]), "camera", PROGRAM)


def kinds(data: Any) -> list[str]:
    return [line["kind"] for line in data["log"]]


def test_the_sample_match_plays_by_itself_to_its_end_through_a_restart_and_begins_again(
    tmp_path: Path, reader: LabelReader
) -> None:
    expected, unreadable = script()["expected"], script()["unreadable_throws"]
    path = tmp_path / "match.db"
    first = table(path, reader)
    assert first.snapshot().data["sample"]
    play(first, throws=4)
    first.stop()
    again = table(path, reader)
    assert again.snapshot().data["match"]["throws"] >= 4
    asked = until(again, lambda data: data["ask"], 600)
    assert [asked["match"]["throws"] + 1] == unreadable
    assert asked["match"]["throws"] >= 8  # whoever looks on has seen the camera read eight throws by then
    assert asked["demonstration"]["kind"] == "asked"
    answered = until(again, lambda data: data["demonstration"] and data["demonstration"]["kind"] == "answered")
    assert answered["log"][-1]["actor"] == "sample"
    assert answered["match"]["throws"] == unreadable[0]
    again.stop()
    play_on(path, 5)
    again = table(path, reader)
    data = play(again)
    assert data["outcome"]["winners"] == expected["winners"]
    assert {str(player["number"]): player["virtues"] for player in data["match"]["players"]} == expected["virtues"]
    assert kinds(data).count("throw") + kinds(data).count("recast") == len(script()["casts"])
    assert [line["number"] for line in data["log"] if line["actor"] == "sample"] == unreadable
    over = until(again, lambda data: data["demonstration"])["demonstration"]
    assert over["kind"] == "over"
    from_scratch = until(again, lambda now: now["match"]["id"] != data["match"]["id"] and now["match"]["throws"] > 0)
    assert from_scratch["outcome"] is None
    assert [line["id"] for line in again.matches()] == [
        from_scratch["match"]["id"]
    ]  # nobody took part in the one before
    again.stop()


def test_a_machine_that_takes_long_over_each_frame_is_asked_nothing_and_loses_no_throw(
    tmp_path: Path, reader: LabelReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = ScriptedSource.newest

    def late(source: ScriptedSource, after: int, timeout: float) -> Frame | None:
        time.sleep(0.5)  # as long as all that moves in a throw is shown
        return newest(source, after, timeout)

    monkeypatch.setattr(ScriptedSource, "newest", late)
    live = table(tmp_path / "match.db", reader)
    data = until(live, lambda data: data["ask"] or data["match"]["throws"] >= 2)
    assert data["ask"] is None
    assert data["match"]["id"] == 1
    live.stop()


def doubted(path: Path, reader: LabelReader) -> LiveTable:
    live = LiveTable(
        path,
        Seeing(reader=lambda _: reader),
        TableFeatures(sample="ludus-regularis", sample_pace=AT_EASE),
        combine=joined,
    )
    live.start()
    return live


def test_only_a_match_that_begins_as_the_program_starts_begins_with_a_throw(
    tmp_path: Path, reader: LabelReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    skipped: list[int] = []
    monkeypatch.setattr(ScriptedSource, "skip_to_throw", lambda source: skipped.append(source.step.made))
    for _ in range(2):  # the second goes on with the match of the first
        live = table(tmp_path / "match.db", reader)
        try:
            until(live, lambda data: data["match"])
            assert live.command("reset", {}, "page").ok
        finally:
            live.stop()
    assert skipped == [0]


def test_while_a_question_is_open_the_script_waits_and_a_visitor_may_answer_first(tmp_path: Path) -> None:
    live = doubted(tmp_path / "match.db", Doubter())
    asked = until(live, lambda data: data["ask"])["ask"]["id"]
    time.sleep(0.8)
    held = live.snapshot().data
    assert held["ask"]["id"] == asked
    assert held["match"]["throws"] == 0
    assert held["camera"]["phase"] == "still"
    assert live.command("answer", {"ask": asked, "faces": script()["casts"][0]["faces"]}, "page").ok
    data = live.snapshot().data
    assert data["log"][-1]["actor"] == "page"
    assert data["demonstration"] is None  # a visitor said it, not the person at the sample's table
    live.stop()


def test_a_question_put_aside_by_a_visitor_stops_nothing(tmp_path: Path) -> None:
    live = doubted(tmp_path / "match.db", Doubter())
    asked = until(live, lambda data: data["ask"])["ask"]["id"]
    assert live.command("dismiss", {"ask": asked}, "page").ok
    data = until(live, lambda data: data["ask"] and data["ask"]["id"] != asked)
    assert data["match"]["throws"] == 0
    until(live, lambda data: data["match"]["throws"] == 1)
    live.stop()


def test_the_script_waits_too_while_a_die_is_not_found_and_the_throw_is_tapped_in(tmp_path: Path) -> None:
    live = doubted(tmp_path / "match.db", Overlooker())
    until(live, lambda data: data["state"] == "MISMATCH")
    time.sleep(0.8)
    assert live.snapshot().data["state"] == "MISMATCH"
    data = until(live, lambda data: data["match"]["throws"] == 1)
    assert data["throw"]["by"] == "tapped"
    assert data["throw"]["faces"] == script()["casts"][0]["faces"]
    live.stop()


class Overlooker(LabelReader):
    """Overlooks the tetrahedron."""

    def read(self, image: Image) -> DiceReading:
        whole = super().read(image)
        return DiceReading(whole.dice[:3], whole.status, whole.reason)


class Doubter(LabelReader):
    """Is never sure."""

    def _die(self, label: dict[str, Any]) -> Any:  # type: ignore[override]
        return LabelReader._die({**label, "legible": False})


def test_an_unknown_sample_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownSourceError, match="no sample table quidditch: there are ludus-regularis, rithmomachia"):
        LiveTable(tmp_path / "match.db", features=TableFeatures(sample="quidditch"))

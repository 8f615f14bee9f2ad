"""The sample table plays a whole match through the same way as a camera's frames, questions and a restart included."""

import time
from pathlib import Path
from typing import Any

import pytest

from companion.live.table import LiveTable
from companion.vision.readings import DiceReading, Image
from companion.vision.sources import UnknownSourceError
from tests.live.drawn import joined
from tests.live.labelled import LabelReader, script

PACE = 4.0  # the stills last 0.6 s then, three times what a rest needs
AT_EASE = 1.5  # where a busy machine must not let a still pass before it was seen


@pytest.fixture(scope="module")
def reader() -> LabelReader:
    return LabelReader()


def table(path: Path, reader: LabelReader) -> LiveTable:
    made = LiveTable(path, sample="ludus-regularis", sample_pace=PACE, reader=lambda _: reader, combine=joined)
    made.start()
    return made


def play(live: LiveTable, throws: int | None = None) -> list[int]:
    """Answer every question as the script's casts have it, until the match is over or so many throws were made."""
    casts = script()["casts"]
    asked: list[int] = []
    until = time.monotonic() + 90
    shot = live.snapshot()
    while time.monotonic() < until:
        data: dict[str, Any] = dict(shot.data)
        if data["outcome"] is not None or (throws is not None and data["match"]["throws"] >= throws):
            return asked
        ask = data["ask"]
        if ask is not None and ask["id"] not in asked:
            asked.append(ask["id"])
            cast = casts[sum(line["kind"] in ("throw", "recast") for line in data["log"])]
            reply = live.command("answer", {"ask": ask["id"], "faces": cast["faces"]}, "tests")
            assert reply.ok, str(reply.sentence)
        shot = live.wait(shot.version, 5) or live.snapshot()
    pytest.fail(f"the match stands at {shot.data['match']['throws']} throws, {shot.data['state_sentence']['text']}")


def test_the_sample_match_ends_with_the_right_winner_though_the_server_was_restarted(
    tmp_path: Path, reader: LabelReader
) -> None:
    expected = script()["expected"]
    path = tmp_path / "match.db"
    first = table(path, reader)
    assert first.snapshot().data["sample"]
    asked = play(first, throws=4)
    first.stop()
    again = table(path, reader)
    assert again.snapshot().data["match"]["throws"] >= 4
    asked += play(again)
    data = again.snapshot().data
    again.stop()
    assert data["outcome"]["winners"] == expected["winners"]
    assert {str(player["number"]): player["virtues"] for player in data["match"]["players"]} == expected["virtues"]
    assert len(asked) == len(script()["unreadable_throws"])
    kinds = [line["kind"] for line in data["log"]]
    assert kinds.count("throw") + kinds.count("recast") == len(script()["casts"])


def test_while_a_question_is_open_the_script_waits(tmp_path: Path) -> None:
    live = LiveTable(
        tmp_path / "match.db", sample="ludus-regularis", sample_pace=AT_EASE, reader=lambda _: Doubter(), combine=joined
    )
    live.start()
    shot = live.snapshot()
    until = time.monotonic() + 20
    while shot.data["ask"] is None:
        assert time.monotonic() < until, shot.data["state_sentence"]
        shot = live.wait(shot.version, 1) or live.snapshot()
    time.sleep(0.8)
    held = live.snapshot().data
    assert held["ask"]["id"] == shot.data["ask"]["id"]
    assert held["match"]["throws"] == 0
    assert held["camera"]["phase"] == "still"
    live.stop()


def test_the_script_waits_too_while_a_die_is_not_found_and_goes_on_when_the_throw_was_tapped_in(tmp_path: Path) -> None:
    live = LiveTable(
        tmp_path / "match.db",
        sample="ludus-regularis",
        sample_pace=AT_EASE,
        reader=lambda _: Overlooker(),
        combine=joined,
    )
    live.start()
    shot = live.snapshot()
    until = time.monotonic() + 20
    while shot.data["state"] != "MISMATCH":
        assert time.monotonic() < until, shot.data["state_sentence"]
        shot = live.wait(shot.version, 1) or live.snapshot()
    time.sleep(0.8)
    assert live.snapshot().data["state"] == "MISMATCH"
    assert live.command("throw", {"faces": script()["casts"][0]["faces"]}, "tests").ok
    assert live.snapshot().data["state"] == "SYNCED"
    assert play(live, throws=1) == []
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


def test_an_unknown_sample_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnknownSourceError, match="no sample table"):
        LiveTable(tmp_path / "match.db", sample="quidditch")

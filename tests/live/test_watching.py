"""A camera counts, and is shown, only in a match that it watches: that of a sample in the sample's own match alone."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.desk.sight import Sight
from companion.desk.table.state import state_of
from companion.live.features import TableFeatures
from companion.live.seeing import NOTHING_SEEN, Seeing
from companion.live.table import LiveTable
from companion.live.watching.board_steps import BoardWatchSettings
from companion.referee.events import Committed
from companion.referee.journal import Journal
from tests.live.drawn import DrawnReader, DrawnSource, draw, joined, placed
from tests.live.labelled import LabelReader
from tests.live.labelled_board import LabelledBoard
from tests.referee.build import MISERICORDIA, NOTHING, Table, started

TAPPED = {"1": "A", "2": "IO", "3": "AEI", "consonants": "MNPR"}
PACE = 4.0
SAMPLE = TableFeatures(sample="ludus-regularis", sample_pace=PACE)
Opened = Callable[..., LiveTable]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    tables: list[LiveTable] = []

    def open_(sees: Seeing = NOTHING_SEEN, **parts: Any) -> LiveTable:
        table = LiveTable(tmp_path / "match.db", sees, **parts)
        tables.append(table)
        table.start()
        return table

    yield open_
    for table in tables:
        table.stop()


def until(table: LiveTable, true: Callable[[Any], Any], seconds: float = 30) -> dict[str, Any]:
    end = time.monotonic() + seconds
    shot = table.snapshot()
    while not true(shot.data):
        assert time.monotonic() < end, f"it stays {shot.data['state_sentence']['text']}"
        shot = table.wait(shot.version, 1) or table.snapshot()
    return dict(shot.data)


def done(table: LiveTable, name: str, **data: Any) -> dict[str, Any]:
    reply = table.command(name, data, "tests")
    assert reply.ok, str(reply.sentence)
    return dict(reply.data)


def begin(table: LiveTable, game: str = "ludus-regularis", **more: Any) -> dict[str, Any]:
    done(table, "new_match", game=game, players=["Anna", "Ben"], **more)
    return dict(table.snapshot().data)


def lying(path: Path, match: int) -> list[object]:
    """Return where the dice of each throw lay, as the journal has it."""
    with Journal(path, writable=False) as journal:
        events = [entry.event for entry in journal.events(match)]
    return [list(event.arrangement) for event in events if isinstance(event, Committed)]


@pytest.fixture
def sample(opened: Opened) -> LiveTable:
    """A sample table of which the first throw has been read."""
    reader = LabelReader()
    table = opened(Seeing(reader=lambda _: reader), features=SAMPLE, combine=joined)
    shown = until(table, lambda data: data["match"]["throws"] >= 1)
    assert shown["match"]["watched"]
    assert shown["camera"]["picture"] is not None
    return table


@pytest.mark.parametrize("dice_by", ["tapped", "program"])
def test_a_new_match_beside_the_sample_sees_nothing_of_it(sample: LiveTable, tmp_path: Path, dice_by: str) -> None:
    shown = begin(sample, dice_by=dice_by)
    versions = [shown]
    end = time.monotonic() + 2
    while time.monotonic() < end:  # two of the sample's still intervals, at this pace
        if (shot := sample.wait(versions[-1]["version"], 0.2)) is not None:
            versions.append(dict(shot.data))
    for data in versions:
        assert not data["match"]["watched"]
        assert data["reading"] is None
        assert (data["camera"]["picture"], data["camera"]["phase"], data["camera"]["hand"]) == (None, None, False)
        assert data["state"] == "MANUAL"
    if dice_by == "tapped":
        done(sample, "throw", faces=TAPPED)
    else:
        done(sample, "roll")
    until(sample, lambda data: data["match"]["throws"] == 1)
    assert lying(tmp_path / "match.db", 2) == [[]], "the sample's dice are not those of this throw"


def test_a_new_match_beside_the_sample_is_tapped_unless_it_is_said_otherwise(sample: LiveTable) -> None:
    shown = begin(sample)
    assert shown["match"]["dice_by"] == "tapped"
    assert shown["dice_camera"] is None
    data = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "camera"}
    reply = sample.command("new_match", data, "tests")
    assert not reply.ok
    assert "only the sample's match" in str(reply.sentence)
    assert sample.snapshot().data["match"]["id"] == 2, "the match that was open stays"


def test_the_sample_waits_for_its_own_match_and_goes_on_with_it(sample: LiveTable) -> None:
    before = sample.snapshot().data["match"]["throws"]
    begin(sample, dice_by="program")
    time.sleep(1.5)
    done(sample, "resume", match=1)
    shown = until(sample, lambda data: data["match"]["throws"] > before and data["state"] == "SYNCED")
    assert shown["match"]["watched"]
    assert shown["camera"]["picture"] is not None
    throws = [line for line in shown["log"] if line["kind"] == "throw"]
    assert [line["number"] for line in throws] == sorted({line["number"] for line in throws}), "none is left out"


def test_the_sample_match_that_is_begun_anew_is_watched_again(sample: LiveTable) -> None:
    done(sample, "reset")
    assert sample.snapshot().data["match"]["watched"]
    until(sample, lambda data: data["match"]["id"] == 2 and data["match"]["throws"] >= 1)


def test_a_match_for_camera_dice_of_an_earlier_day_is_not_the_samples(opened: Opened, tmp_path: Path) -> None:
    first = opened(Seeing(DrawnSource(), reader=lambda _: DrawnReader()), combine=joined)
    begin(first, dice_by="camera")
    first.stop()
    reader = LabelReader()
    table = opened(Seeing(reader=lambda _: reader), features=SAMPLE, combine=joined)
    until(table, lambda data: data["match"]["throws"] >= 1)
    done(table, "resume", match=1)
    time.sleep(1.5)
    shown = table.snapshot().data
    assert (shown["match"]["watched"], shown["match"]["throws"], shown["reading"]) == (False, 0, None)
    assert shown["state_sentence"]["text"] == "No camera watches this match: tap in the dice."
    done(table, "throw", faces=TAPPED)
    assert lying(tmp_path / "match.db", 1) == [[]]


def test_the_samples_men_are_not_those_of_another_match(opened: Opened) -> None:
    reader = LabelledBoard("zeno")
    table = opened(
        Seeing(board_settings=BoardWatchSettings(lambda _: reader)),
        features=TableFeatures(sample="zeno", sample_pace=PACE),
    )
    until(table, lambda data: data["watch"] and data["watch"]["finding"])
    refused = table.command(
        "new_match", {"game": "tables/zeno", "players": ["Anna", "Ben"], "men_by": "camera"}, "tests"
    )
    assert not refused.ok
    shown = begin(table, "tables/zeno", dice_by="program")
    assert shown["watch"] is None
    assert shown["board_camera"] == []
    assert (shown["match"]["watched"], shown["camera"]["picture"]) == (False, None)


def test_beside_a_real_camera_a_tapped_match_is_not_read_and_the_cameras_match_goes_on_as_it_stood(
    opened: Opened, tmp_path: Path
) -> None:
    source, reader = DrawnSource(), DrawnReader()
    table = opened(Seeing(source, reader=lambda _: reader), combine=joined)
    assert begin(table)["match"]["dice_by"] == "camera"
    source.empty()
    until(table, lambda data: data["state"] == "SYNCED")
    source.throw(placed(MISERICORDIA))
    until(table, lambda data: data["match"]["throws"] == 1)
    shown = begin(table, dice_by="tapped")
    assert (shown["match"]["watched"], shown["dice_camera"]) == (False, DrawnSource.name)
    source.empty()
    source.throw(placed(NOTHING, 30.0))
    source.seen()
    done(table, "throw", faces=TAPPED)
    shown = dict(table.snapshot().data)
    assert (shown["reading"], shown["match"]["throws"], shown["camera"]["picture"]) == (None, 1, None)
    assert lying(tmp_path / "match.db", 2) == [[]]
    done(table, "resume", match=1)
    source.show(draw(placed(NOTHING, 30.0)))
    shown = until(table, lambda data: data["ask"] is not None)
    assert "were there before anybody watched" in shown["ask"]["sentence"]["text"]
    assert shown["match"]["throws"] == 1
    done(table, "dismiss", ask=shown["ask"]["id"], reason="It was the other match's.")
    source.empty()
    source.throw(placed("EI E OU STXZ", 60.0))
    shown = until(table, lambda data: data["match"]["throws"] == 2)
    assert shown["match"]["watched"]


def test_while_the_match_is_paused_the_dice_point_to_nothing(opened: Opened) -> None:
    source = DrawnSource()
    table = opened(Seeing(source, reader=lambda _: DrawnReader()), combine=joined)
    begin(table)
    source.empty()
    until(table, lambda data: data["state"] == "SYNCED")
    done(table, "pause")
    source.throw(placed(MISERICORDIA))
    shown = until(table, lambda data: data["reading"] and data["reading"]["dice"])
    assert shown["reading"]["prospects"] is None


@pytest.mark.parametrize(
    ("game", "dice_by", "text"),
    [
        ("ludus-regularis", "tapped", "The dice of this match are tapped in."),
        ("ludus-regularis", "program", "The program throws the dice of this match."),
        ("ludus-regularis", "camera", "There is no camera: tap in the dice."),
        ("ludus-regularis/wheel", "tapped", "You spin the pointer by hand and tap in where it stops."),
        ("ludus-regularis/wheel", "program", "The program spins the pointer of this match."),
        ("rithmomachia/mebben", "tapped", "The moves of this match are tapped in."),
        ("tables/xii-scripta", "tapped", "The moves of this match are tapped in."),
    ],
)
def test_without_a_camera_it_is_said_what_is_so(tmp_path: Path, game: str, dice_by: Any, text: str) -> None:
    match = Table(tmp_path / "match.db", replace(started(game_name=game), dice_by=dice_by)).match
    assert [str(part) for part in state_of(match, Sight(), None)] == ["MANUAL", text]


def test_without_a_match_nobody_is_told_to_tap_dice_in() -> None:
    assert str(state_of(None, Sight(), None)[1]) == "No match is open."

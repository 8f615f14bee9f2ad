"""A running table looks through other cameras: a match goes on, and nothing of the camera before counts."""

from pathlib import Path

import pytest

from companion.live.dice_memory.folder import MemoryFolder
from companion.live.dice_memory.learning import Learning
from companion.live.features import TableFeatures
from companion.live.seeing import NOTHING_SEEN, Seeing
from companion.live.table import LiveTable
from companion.live.upkeep import Upkeep
from companion.live.watching.lit_frames import Switch
from companion.vision.boards.layout import UnknownBoardError
from tests.live.drawn import DrawnReader, DrawnSource, draw, joined, placed
from tests.live.lit_table import SimulatedLamps
from tests.live.test_watching import Opened, begin, done, opened, until
from tests.referee.build import MISERICORDIA, NOTHING

__all__ = ["opened"]


class Named(DrawnSource):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def sees(source: DrawnSource, lamps: Switch | None = None) -> Seeing:
    return Seeing(source, reader=lambda _: DrawnReader(), lamps=lamps)


def test_a_match_goes_on_under_another_camera(opened: Opened) -> None:
    first, second = Named("first"), Named("second")
    table = opened(sees(first), combine=joined)
    begin(table)
    first.empty()
    until(table, lambda data: data["state"] == "SYNCED")
    first.throw(placed(MISERICORDIA))
    until(table, lambda data: data["match"]["throws"] == 1)
    assert table.use_cameras(sees(second)).ok
    assert first._closed
    assert table.snapshot().data["dice_camera"] == "second"
    assert table.picture("table") is None, "what the other camera saw last is not shown as what this one sees"
    first.throw(placed(NOTHING, 20.0))  # nobody looks through it any more
    second.show(draw(placed("EI E OU STXZ", 30.0)))
    asked = until(table, lambda data: data["ask"] is not None)
    assert "were there before anybody watched" in asked["ask"]["sentence"]["text"]
    done(table, "dismiss", ask=asked["ask"]["id"], reason="They were thrown for nothing.")
    second.empty()
    second.throw(placed(NOTHING, 60.0))
    assert until(table, lambda data: data["match"]["throws"] == 2)["match"]["watched"]


def test_only_a_sample_s_ground_never_shakes(opened: Opened) -> None:
    table = opened(features=TableFeatures(sample="ludus-regularis"), combine=joined)
    found = [table._cameras.settings.restless]
    assert table.use_cameras(sees(DrawnSource())).ok
    found.append(table._cameras.settings.restless)
    assert found == [False, True]


def test_a_table_without_a_camera_gets_one_and_gives_it_back(opened: Opened) -> None:
    table = opened(combine=joined)
    assert table.snapshot().data["dice_camera"] is None
    source, lamps = DrawnSource(), SimulatedLamps()
    assert table.use_cameras(sees(source, lamps)).ok
    assert all(lamps.lit)
    begin(table)
    source.empty()
    until(table, lambda data: data["state"] == "SYNCED")
    source.throw(placed(MISERICORDIA))
    until(table, lambda data: data["match"]["throws"] == 1)
    reply = table.use_cameras(NOTHING_SEEN)
    assert (reply.ok, str(reply.sentence)) == (True, "The table looks through no camera now: tap in the dice.")
    assert lamps.stopped
    shown = table.snapshot().data
    assert (shown["dice_camera"], shown["camera"]["status"], shown["match"]["throws"]) == (None, "NONE", 1)
    done(table, "throw", faces={"1": "A", "2": "IO", "3": "AEI", "consonants": "MNPR"})


def upkeep_of(table: LiveTable) -> Upkeep:
    return table.upkeep


def test_each_camera_has_a_memory_of_its_own_dice(opened: Opened, tmp_path: Path) -> None:
    learning = Learning(MemoryFolder(tmp_path / "memory"))
    table = opened(features=TableFeatures(learning=learning), combine=joined)
    assert table.upkeep.remembered() is None, "no camera sees dice"
    assert table.upkeep.teaching is None
    assert table.use_cameras(sees(Named("first"))).ok
    course = upkeep_of(table).teaching
    assert course is not None
    course.begin("wibold")
    assert table.use_cameras(sees(Named("second"))).ok
    assert course.now() is None, "what was shown to the first camera is no course of the second"
    assert table.upkeep.forget_dice()
    assert learning._camera == "second"


def test_a_board_that_nobody_knows_changes_nothing(opened: Opened) -> None:
    source = DrawnSource()
    table = opened(sees(source), combine=joined)
    with pytest.raises(UnknownBoardError):
        table.use_cameras(Seeing(DrawnSource(), board="chess"))
    assert not source._closed
    assert table.snapshot().data["dice_camera"] == DrawnSource.name


def test_the_dice_that_are_tried_are_those_that_somebody_names(opened: Opened) -> None:
    asked: list[str] = []

    def reader(dice: tuple[str, object]) -> DrawnReader:
        asked.append(dice[0])
        return DrawnReader()

    source = DrawnSource()
    table = opened(Seeing(source, reader=reader), combine=joined)
    assert table.tried_dice == "wibold"
    source.throw(placed(MISERICORDIA))
    until(table, lambda data: data["reading"] and data["reading"]["dice"])
    table.try_dice(("pips", None))
    assert table.tried_dice == "pips"
    source.show(draw(placed(MISERICORDIA)))  # the frames so far may all have been taken before the writer asked
    until(table, lambda _: asked == ["wibold", "pips"])


def test_the_programs_pause_and_strength_change_while_it_runs(opened: Opened) -> None:
    table: LiveTable = opened(features=TableFeatures(program_pause=60.0))
    done(table, "new_match", game="ludix", players=["", ""], programs=[1], dice_by="program")
    table.upkeep.play_programs("child", 0.0)
    until(table, lambda data: data["throw"] is not None or data["awaits"]["player"] == 2)

"""Two lamps over a table: what a look leaves in doubt is looked at under each of them, and nothing else changes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.desk.page.camera import camera_part
from companion.desk.sight import Sight
from companion.live.laboratory.laboratory import Laboratory
from companion.live.pictures import Pictures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.live.watching.dice_settings import WatchSettings, combined, dice_reader
from companion.live.watching.dice_steps import expect, watching_dice
from companion.live.watching.lit_frames import LIT_SECONDS, Switch, take
from companion.vision.mat import Mat
from companion.vision.readings import Frame
from firmware_bridge.lamps import BOTH, Lamps, Lit, lamps_of
from tests.firmware_bridge.wled_strip import WledStrip
from tests.live import lit_table
from tests.live.lit_table import DICE, EMPTY, HAND, LitSource, SimulatedLamps

STILL = 12
"""Frames that are surely a still interval, with those under the lamps."""


class Patient:
    """Strips that have as long for their answer as a busy machine may need."""

    def __init__(self, lamps: Lamps) -> None:
        self._lamps = lamps
        self.start, self.stop = lamps.start, lamps.stop

    def light(self, lit: Lit, within: float) -> None:
        assert within <= LIT_SECONDS
        self._lamps.light(lit, 20.0)


EACH = [(True, False), (False, True), BOTH]

Watched = tuple[LitSource, list[Sight]]


@pytest.fixture
def watch() -> Iterator[Callable[[Switch, Callable[[], Lit]], Watched]]:
    ends: list[Callable[[], None]] = []

    def begin(lamps: Switch, lit: Callable[[], Lit]) -> Watched:
        source, found = LitSource(lit), list[Sight]()
        frames = WatchSettings(Mat(), dice_reader(), combined, lamps=lamps, clock=source.clock)
        watcher = watching_dice(source, frames, Pictures(), found.append)
        watcher.tell(expect(("wibold", None)))
        lamps.start()
        source.start()
        watcher.start()

        def end() -> None:
            watcher.end()
            source.close()
            watcher.join(120)
            lamps.stop()

        ends.append(end)
        source.give(STILL)
        return source, found

    yield begin
    for end in ends:
        end()


def throw(source: LitSource) -> None:
    source.shows = DICE
    source.give(STILL + 8)


def texts(sight: Sight) -> list[str]:
    assert sight.seen is not None
    return sorted(die.face or "" for die in sight.seen.reading.dice if die.status == "read")


def test_a_doubt_ends_under_two_strips(watch: Callable[..., Watched]) -> None:
    """The whole way: real pictures, real nets, real HTTP to two strips."""
    strips = WledStrip(), WledStrip()
    lamps = Patient(lamps_of(",".join(f"wled://127.0.0.1:{strip.port}" for strip in strips)))
    source, entry = watch(lamps, lambda: (strips[0].shines(), strips[1].shines()))
    lamps.light(BOTH, 0.0)
    source.give(STILL)
    throw(source)
    for strip in strips:
        strip.close()
    seen = [sight for sight in entry if sight.seen is not None and sight.seen.reading.dice]
    assert {sight.seen.reading.status for sight in seen if sight.seen} == {"read"}, "no question is ever shown"
    assert texts(seen[-1]) == ["A", "AEI", "IO", "MNPR"]
    assert [entry["on"] for entry in strips[0].asked][-3:] == [True, False, True]
    assert [entry["on"] for entry in strips[1].asked][-2:] == [False, True]


def test_the_change_of_light_is_no_motion_and_no_throw(watch: Callable[..., Watched]) -> None:
    lamps = SimulatedLamps()
    source, found = watch(lamps, lambda: lamps.lit)
    throw(source)
    read = next(sight for sight in found if sight.seen is not None and sight.seen.reading.status == "read")
    source.give(40)
    assert lamps.lit_so_far == EACH, "the lamps are switched once for a throw"
    assert found[-1].motion == read.motion
    assert found[-1].seen == read.seen
    assert read.seen is not None
    assert [die.face for die in read.seen.reading.dice if die.remembered] == ["MNPR"]


def test_the_lamps_stay_lit_where_one_look_is_enough(
    watch: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lit_table, "GLARE", 0.5)
    lamps = SimulatedLamps()
    source, found = watch(lamps, lambda: lamps.lit)
    throw(source)
    assert found[-1].seen is not None
    assert found[-1].seen.reading.status == "read"
    assert lamps.lit_so_far == []


def test_a_lamp_that_does_not_answer_costs_its_looks_only(watch: Callable[..., Watched]) -> None:
    lamps = SimulatedLamps()
    source, found = watch(lamps, lambda: lamps.lit)
    lamps.answer = False
    throw(source)
    sight = found[-1]
    assert sight.seen is not None
    assert sight.seen.reading.status == "ask"
    assert sight.trouble is None, "the table is not blind"
    warning = camera_part(sight)["warning"]
    assert warning is not None
    assert warning["text"] == "The dice are read from a single picture: The lamp at wall does not answer."
    assert lamps.lit_so_far == [EACH[0], BOTH], "both lamps are told to shine again"


def test_a_hand_in_between_ends_the_looks(watch: Callable[..., Watched]) -> None:
    lamps = SimulatedLamps()
    source, found = watch(lamps, lambda: lamps.lit)

    def reach_in(_: int) -> None:
        if lamps.lit == (False, True):
            source.shows = HAND

    source.between = reach_in
    throw(source)
    assert all(sight.seen is None or sight.seen.reading.status != "read" for sight in found)
    asked = next(sight for sight in found if sight.seen is not None and sight.seen.reading.dice)
    assert found[-1].motion > asked.motion, "the hand counts as motion, as ever"
    source.between = lambda _: None
    source.shows = EMPTY
    source.give(STILL)
    throw(source)
    assert texts(found[-1]) == ["A", "AEI", "IO", "MNPR"], "after the hand has gone all goes on"


def test_light_that_stays_different_does_not_switch_the_lamps_again_and_again(watch: Callable[..., Watched]) -> None:
    lamps = SimulatedLamps()
    source, _ = watch(lamps, lambda: (lamps.lit[0], lamps.lit[1] and len(lamps.lit_so_far) < len(EACH)))
    throw(source)
    source.give(60)
    assert lamps.lit_so_far == EACH


@pytest.mark.parametrize("kind", [LiveTable, Laboratory])
def test_table_and_laboratory_light_the_lamps_while_they_run(
    tmp_path: Path, kind: type[LiveTable] | type[Laboratory]
) -> None:
    lamps = SimulatedLamps()
    source = LitSource(lambda: lamps.lit)
    running = (
        LiveTable(tmp_path / "journal.db", Seeing(source, lamps=lamps))
        if kind is LiveTable
        else Laboratory(tmp_path / "journal.db", source=source, lamps=lamps)
    )
    assert lamps.lit == (False, False)
    running.start()
    assert lamps.lit == BOTH
    running.stop()
    assert lamps.stopped


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def frame(clock: Clock, number: int, level: int) -> Frame:
    return Frame(np.full((8, 8, 3), level, np.uint8), clock.now, "", number)


@pytest.mark.parametrize("answers", [True, False])
def test_nothing_waits_longer_than_a_second(*, answers: bool) -> None:
    clock = Clock()

    class Slow(SimulatedLamps):
        def light(self, lit: Lit, within: float) -> None:
            clock.now += within
            super().light(lit, within)

    lamps = Slow()
    lamps.answer = answers

    def newest(after: int, timeout: float) -> Frame | None:
        clock.now += min(timeout, 0.2)
        return frame(clock, after + 1, after % 2 * 200)  # a light that flickers

    frames = take(lamps, newest, frame(clock, 1, 90), clock)
    assert clock.now <= LIT_SECONDS + 1e-6
    assert frames.after is None
    assert frames.frames == ()
    assert lamps.lit_so_far[-1] == BOTH


def test_a_camera_that_stands_still_ends_the_looks() -> None:
    clock, lamps = Clock(), SimulatedLamps()

    def newest(_: int, timeout: float) -> None:
        clock.now += timeout

    frames = take(lamps, newest, frame(clock, 1, 90), clock)
    assert (frames.frames, frames.after, frames.number, frames.trouble) == ((), None, 1, None)
    assert clock.now <= LIT_SECONDS + 1e-6
    assert lamps.lit_so_far == [EACH[0], BOTH]


def test_a_look_waits_until_the_light_is_steady() -> None:
    clock, lamps = Clock(), SimulatedLamps()
    levels = iter([90, 90, 60, 40, 40, 90, 60, 60, 60, 100, 100])

    def newest(after: int, timeout: float) -> Frame | None:
        clock.now += min(timeout, 1 / 30)
        return frame(clock, after + 1, next(levels))

    frames = take(lamps, newest, frame(clock, 1, 90), clock)
    assert [int(one.image[0, 0, 0]) for one in frames.frames] == [40, 60]
    assert frames.after is not None
    assert frames.after.image[0, 0, 0] == 100


def test_light_that_changes_nothing_in_the_picture_gives_no_looks() -> None:
    """A camera that delivers late would show the light before, and two looks in one light prove nothing."""
    clock, lamps = Clock(), SimulatedLamps()

    def newest(after: int, timeout: float) -> Frame | None:
        clock.now += min(timeout, 1 / 30)
        return frame(clock, after + 1, 90)

    frames = take(lamps, newest, frame(clock, 1, 90), clock)
    assert frames.frames == ()
    assert clock.now <= LIT_SECONDS + 1e-6
    assert lamps.lit_so_far == [EACH[0], BOTH]


def test_a_lamp_that_fails_in_the_middle_is_lit_again() -> None:
    clock = Clock()

    class Half(SimulatedLamps):
        def light(self, lit: Lit, within: float) -> None:
            if lit == EACH[1]:
                self.answer = False
            super().light(lit, within)

    lamps = Half()

    def newest(after: int, timeout: float) -> Frame | None:
        clock.now += min(timeout, 1 / 30)
        return frame(clock, after + 1, 50 if lamps.lit_so_far == EACH[:1] else 90)

    frames = take(lamps, newest, frame(clock, 1, 90), clock)
    assert frames.frames == ()
    assert frames.trouble == "The lamp at wall does not answer."
    assert lamps.lit_so_far == [*EACH[:2], BOTH]

"""The steps that watch dice, without threads: what each frame makes of a state, and what is to be done for it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from companion.desk.sight import Sight
from companion.language.sentence import Sentence
from companion.live.pictures import Pictures
from companion.live.watching import dice_steps
from companion.live.watching.dice_eyes import DiceEyes
from companion.live.watching.dice_settings import WatchSettings
from companion.live.watching.dice_steps import HAND_PATIENCE, PICTURE_EVERY, DiceState, DiceSteps
from companion.live.watching.thread import Action
from companion.vision.mat import Mat
from companion.vision.readings import DiceReading, Frame, Image
from companion.vision.stillness import Phase, Stillness, StillnessState
from tests.live.drawn import DrawnReader, DrawnSource, draw, joined, placed

WIBOLD = ("wibold", None)
DICE = draw(placed("EI E OU STXZ"))
EMPTY = draw({})
LIVE = Sight("drawn", "LIVE", Sentence("A drawn table."))


class Scripted(Stillness):
    """Says of each frame what the test wants."""

    def __init__(self, *says: StillnessState) -> None:
        super().__init__()
        self.says = list(says)
        self.accepted = 0

    def feed(self, frame: Frame) -> StillnessState:
        del frame
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]

    def accept(self) -> None:
        self.accepted += 1


def still(*frames: Frame, interval: int = 1, hand: bool = False, phase: Phase = "still") -> StillnessState:
    return StillnessState(phase, hand, interval, frames)


def frame(image: Image = DICE, number: int = 1, taken: float = 10.0) -> Frame:
    return Frame(image, taken, "drawn", number)


class Bench:
    """Steps with a reader that knows drawn dice, and pictures that nobody looks at."""

    def __init__(self, **settings: Any) -> None:
        self.reader = DrawnReader()
        self.pictures = Pictures()
        self.asked: list[Any] = []
        made = WatchSettings(Mat(), self._made, joined, **settings)
        self.steps = DiceSteps(made, DiceEyes(made, lambda *_: None), self.pictures)

    def _made(self, dice: Any) -> DrawnReader:
        self.asked.append(dice)
        return self.reader

    def begun(self, **parts: Any) -> DiceState:
        state = replace(self.steps.begin(DrawnSource()), sight=LIVE, **parts)
        return dice_steps.expect(WIBOLD)(state)

    def step(self, state: DiceState, given: Frame | None, now: float = 0.0) -> tuple[DiceState, Sequence[Action]]:
        number = state.number if given is None else given.number
        return self.steps.step(replace(state, number=number), given, now)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_dice_are_read_once_in_a_still_interval_and_the_state_before_stays_as_it_was(bench: Bench) -> None:
    one = frame()
    before = bench.begun(stillness=Scripted(still(one)))
    after, actions = bench.step(before, one)
    seen = after.sight.seen
    assert seen is not None
    assert [die.face for die in seen.reading.dice] == ["EI", "E", "OU", "STXZ"]
    assert (seen.interval, after.sight.picture, after.read) == (1, 1, (1, WIBOLD, False))
    assert (before.sight, before.read) == (LIVE, None)
    again, _ = bench.step(after, frame(number=2, taken=10.1))
    assert bench.reader.reads == 1
    assert again.sight.seen is seen
    assert bench.pictures.newest("table") is None  # a step only says what is to be done
    for action in actions:
        action()
    shown = bench.pictures.newest("table")
    assert shown is not None
    assert shown.number == 1


def test_other_dice_are_read_in_the_same_interval(bench: Bench) -> None:
    one = frame()
    state, _ = bench.step(bench.begun(stillness=Scripted(still(one))), one)
    state, _ = bench.step(dice_steps.expect(("pips", None))(state), frame(number=2))
    assert bench.asked == [WIBOLD, ("pips", None)]
    state, _ = bench.step(dice_steps.expect(None)(state), frame(number=3))
    assert state.sight.seen is None
    assert bench.reader.reads == 2


def test_a_hand_that_keeps_still_is_doubted_once_and_accepted_as_dice(bench: Bench) -> None:
    one = frame()
    stillness = Scripted(still(one, hand=True))
    state = bench.begun(stillness=stillness)
    for number, taken in enumerate((10.0, 10.0 + HAND_PATIENCE)):
        state, _ = bench.step(state, frame(number=number, taken=taken))
        assert (bench.reader.reads, stillness.accepted) == (0, 0)
        assert state.sight.hand
    for number in (3, 4):
        state, _ = bench.step(state, frame(number=number, taken=10.1 + HAND_PATIENCE))
        assert (bench.reader.reads, stillness.accepted) == (1, 1)


def test_a_reader_that_fails_under_a_seeming_hand_is_not_asked_again(bench: Bench) -> None:
    bench.reader.fails = True
    one = frame()
    stillness = Scripted(still(one, hand=True))
    state = bench.begun(stillness=stillness)
    for number in range(4):
        state, _ = bench.step(state, frame(number=number, taken=10.0 + number * 2 * HAND_PATIENCE))
    assert (bench.reader.reads, stillness.accepted) == (1, 0)


def test_a_reader_that_fails_says_so_once_for_each_interval(bench: Bench) -> None:
    bench.reader.fails = True
    one = frame()
    state = bench.begun(stillness=Scripted(still(one), still(one), still(one, interval=2)))
    for number, reads in enumerate((1, 1, 2)):
        state, _ = bench.step(state, frame(number=number))
        assert bench.reader.reads == reads
        assert "the net is missing" in str(state.sight.trouble)
        assert state.sight.seen is None


def test_what_lies_there_when_the_camera_comes_back_was_not_seen_thrown(bench: Bench) -> None:
    one = frame()
    state = bench.begun(stillness=Scripted(still(phase="moving"), still(one)))
    state, _ = bench.step(state, frame(EMPTY, 1))
    state, _ = bench.step(state, frame(number=2))
    assert state.sight.seen is not None
    assert state.sight.seen.watched
    lost = replace(state, sight=replace(state.sight, status="LOST"))
    state, actions = bench.step(lost, None)
    assert actions == ()
    assert (state.sight.phase, state.sight.seen, state.blind_at) == (None, None, state.sight.motion)
    assert state.stillness is not lost.stillness
    back = replace(state, sight=replace(state.sight, status="LIVE"), stillness=Scripted(still(one)))
    state, _ = bench.step(back, frame(number=3))
    assert state.sight.seen is not None
    assert not state.sight.seen.watched


def test_an_empty_table_makes_whatever_comes_to_lie_there_new(bench: Bench) -> None:
    empty, one = frame(EMPTY), frame()
    state = bench.begun(stillness=Scripted(still(empty), still(one, interval=2)))
    state, _ = bench.step(state, empty)
    assert (state.sight.motion, state.rested) == (1, None)
    state, _ = bench.step(state, frame(number=2, taken=11.0))
    assert state.sight.seen is not None
    assert state.sight.seen.watched
    assert state.rested == 11.0


def test_a_picture_is_announced_now_and_then_while_the_table_moves(bench: Bench) -> None:
    state = bench.begun(stillness=Scripted(still(phase="moving")))
    announced = []
    for number, now in enumerate((100.0, 100.0 + PICTURE_EVERY / 2, 100.1 + PICTURE_EVERY), 1):
        state, _ = bench.step(state, frame(number=number), now)
        announced.append(state.sight.picture)
    assert announced == [1, 1, 3]


@pytest.mark.parametrize(("place", "widened"), [((320.0, 240.0), True), ((600.0, 20.0), False)])
def test_the_mat_gives_way_where_it_is_the_board(bench: Bench, place: tuple[float, float], *, widened: bool) -> None:
    mat = Mat(((100.0, 80.0), (540.0, 80.0), (540.0, 400.0), (100.0, 400.0)), (640, 480))
    state = dice_steps.spare_board(*place)(bench.begun(mat=mat, read=(1, WIBOLD, False)))
    state, _ = bench.step(state, frame())
    assert (state.mat == Mat()) is widened
    assert state.board is None


def test_a_tray_is_sought_in_the_first_frame_alone() -> None:
    image = np.full((480, 640, 3), 200, np.uint8)
    image[80:400, 100:540] = (70, 130, 60)
    bench = Bench()
    state = replace(bench.begun(), mat_known=False)
    state, _ = bench.step(state, frame(image))
    assert state.mat_known
    assert state.mat.polygon is not None
    found = state.mat
    state, _ = bench.step(state, frame(EMPTY, 2))
    assert state.mat is found


def test_a_picture_of_another_size_is_counted_and_told(bench: Bench) -> None:
    mat = Mat(((100.0, 80.0), (540.0, 80.0), (540.0, 400.0), (100.0, 400.0)), (640, 480))
    state, actions = bench.step(bench.begun(mat=mat), frame(np.zeros((100, 100, 3), np.uint8)))
    assert (state.sight.bad_frames, actions) == (1, ())
    assert state.sight.trouble is not None
    assert dice_steps.count_bad_frame(state).sight.bad_frames == 2


class Course:
    """A course in which somebody teaches dice, as far as watching needs it."""

    def __init__(self) -> None:
        self.dice: Any = WIBOLD
        self.seen: list[Any] = []

    def see(self, number: int, reading: Any, crops: Any, glimpses: Any) -> None:
        self.seen.append((number, reading, len(crops), glimpses))


def test_dice_that_are_taught_are_no_throw_until_they_lie_otherwise() -> None:
    course = Course()
    bench = Bench(teaching=course)
    dice = placed("EI E OU STXZ")
    face, x, y = dice["1"]
    one, moved = frame(), frame(draw({**dice, "1": (face, x + 40, y + 150)}), 4)
    says = (still(one), still(one, interval=2), still(moved, interval=3))
    state, _ = bench.steps.ready(bench.begun(stillness=Scripted(*says)))
    state, actions = bench.step(state, one)
    assert state.sight.trouble == dice_steps.TEACHING
    assert (state.sight.seen, course.seen) == (None, [])
    for action in actions:
        action()
    assert [(number, crops) for number, _, crops, _ in course.seen] == [(1, 4)]
    course.dice = None
    state, _ = bench.steps.ready(state)
    state, _ = bench.step(state, frame(number=3))
    assert state.sight.seen is None  # they still lie as the teaching left them
    state, _ = bench.step(state, moved)
    assert state.sight.seen is not None


class Memory:
    """What a table remembers, as far as watching needs it."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.switched = False

    def open(self, camera: str) -> None:
        self.calls.append(("open", camera))

    def close(self) -> None:
        self.calls.append("close")

    def work(self) -> bool:
        return self.switched

    def hold(self, number: int, dice: str, glimpses: Any) -> None:
        self.calls.append((number, dice, glimpses))


def test_the_memory_is_handed_what_was_seen_and_new_readers_follow_its_switch() -> None:
    memory = Memory()
    bench = Bench(learning=memory)
    bench.steps.open("a camera")
    one = frame()
    state, _ = bench.steps.ready(bench.begun(stillness=Scripted(still(one), still(one, interval=2))))
    state, actions = bench.step(state, one)
    assert [action.args for action in actions if isinstance(action, partial)][1:] == [(1, "wibold", ())]
    memory.switched = True
    state, _ = bench.steps.ready(state)
    bench.step(state, frame(number=2))
    assert bench.asked == [WIBOLD, WIBOLD]
    bench.steps.close()
    assert memory.calls == [("open", "a camera"), "close"]


def test_an_unexpected_error_takes_nothing_for_seen(bench: Bench) -> None:
    one = frame()
    state, _ = bench.step(bench.begun(stillness=Scripted(still(one))), one)
    failed = bench.steps.failed(state, KeyError("x"))
    assert failed.sight.seen is None
    assert "KeyError" in str(failed.sight.trouble)


class Unhurried(DrawnReader):
    """A reader on a computer on which each reading takes so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    def read(self, image: Image) -> DiceReading:
        return replace(super().read(image), milliseconds=self.seconds * 1000)


def observed(bench: Bench, state: DiceState, began: float) -> tuple[DiceState, list[float]]:
    """Show dice that move for six seconds, and then lie still; return when the moving ones were looked at."""
    reads, times = bench.reader.reads, list[float]()
    state = replace(state, stillness=Scripted(still(phase="moving")))
    for number in range(90):
        shifted = draw(placed("EI E OU STXZ", shift=25.0 * (number % 3)))
        state, _ = bench.step(state, frame(shifted, number + 1, began + number / 15))
        if bench.reader.reads > reads:
            reads = bench.reader.reads
            times.append(round(number / 15, 1))
    lying = frame(number=91, taken=began + 6)
    return bench.step(replace(state, stillness=Scripted(still(lying, interval=round(began)))), lying)[0], times


@pytest.mark.parametrize(
    ("seconds", "first", "second", "most"),
    [(0.1, 1.5, 1.5, 15), (0.78, 1.5, 4.7, 3), (2.0, 1.5, 0.0, 2)],
)
def test_the_longer_a_reading_takes_the_later_and_less_often_moving_dice_are_read(
    seconds: float, first: float, second: float, most: int
) -> None:
    """``first``, ``second``: when in the first and the second motion; 0 means that a roll is over by then."""
    bench = Bench(restless=True)
    bench.reader = Unhurried(seconds)
    state, times = observed(bench, bench.begun(), 10.0)
    assert times[0] == first
    assert len(times) <= most
    assert state.sight.phase == "still"
    state, times = observed(bench, state, 30.0)
    assert [*times, 0.0][0] == second
    assert state.sight.seen is not None

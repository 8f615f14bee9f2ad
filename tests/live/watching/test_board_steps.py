"""The steps that watch a board, without threads: looks at a still board, doubts, another board, and what is learnt."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.desk.sight import Agreement, BoardSight
from companion.language.sentence import Sentence
from companion.live.watching import board_steps
from companion.live.watching.board_steps import (
    HAND_PATIENCE,
    LEAST_READINGS,
    MOST_READINGS,
    SECOND_READING_SECONDS,
    SEEK_AGAIN,
    BoardState,
    BoardSteps,
    BoardWatchSettings,
)
from companion.live.watching.thread import Action
from companion.rules.registry import game
from companion.vision.board_readings import Men
from companion.vision.boards.places import PlaceUnknownError
from companion.vision.readings import Frame, Image
from companion.vision.stillness import StillnessState
from tests.live.drawn import DrawnSource
from tests.live.drawn_board import CORNERS, BoardStage
from tests.live.watching.test_dice_steps import Scripted, still
from tests.referee.board.simulated import seating_of

LIVE = BoardSight("drawn", "LIVE", Sentence("A drawn board."))


class Learning(BoardStage):
    """Keeps what it is to learn."""

    def __init__(self) -> None:
        super().__init__(seating_of(game("tables/zeno")))
        self.lessons: list[Mapping[str, Men]] = []

    def learn(self, men: Mapping[str, Men]) -> None:
        self.lessons.append(men)


class Bench:
    """Steps with a reader that knows drawn boards; what is shown is kept."""

    def __init__(self) -> None:
        self.stage = Learning()
        self.picture = self.stage.picture(game("tables/zeno").start(2))
        self.shown: list[Frame] = []
        self.made: list[str] = []
        self.steps = BoardSteps(BoardWatchSettings(self._reader), self.shown.append)
        self.taken = 10.0
        self.number = 0

    def _reader(self, board: str) -> BoardStage:
        self.made.append(board)
        return self.stage

    def begun(self) -> BoardState:
        state = board_steps.expect("tables")(self.steps.begin(DrawnSource()))
        return replace(self.steps.ready(state)[0], sight=LIVE)

    def step(
        self, state: BoardState, says: StillnessState, later: float = 0.1, image: Image | None = None
    ) -> tuple[BoardState, Sequence[Action]]:
        """Take the next frame, of which the stillness says this."""
        self.taken, self.number = self.taken + later, self.number + 1
        state, before = self.steps.ready(state)
        picture = self.picture if image is None else image
        frame = Frame(picture, self.taken, "drawn", self.number)
        state, after = self.steps.step(replace(state, stillness=Scripted(says), number=self.number), frame, 0.0)
        return state, (*before, *after)

    def framed(self) -> BoardState:
        """Return the state once the place of the board is known and it was looked at for long enough."""
        state = self.begun()
        for interval in (1, 2, 2):
            state, _ = self.step(state, still(interval=interval))
        assert state.sight.seen is not None
        return state


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_board_is_found_cropped_and_then_looked_at_until_that_is_enough(bench: Bench) -> None:
    state, actions = bench.step(bench.begun(), still(interval=1))
    assert (state.sight.phase, state.sight.seen, actions) == ("settling", None, ())
    assert state.around == board_steps.around(np.array(CORNERS), 640, 480)
    for number in range(1, LEAST_READINGS + 1):
        before = state
        state, actions = bench.step(state, still(interval=1))
        assert (state.count, state.interval) == (number, 2)
        assert (state.sight.seen is not None) is (number == LEAST_READINGS)
        assert before.count == number - 1 or before.counted is None
    assert bench.shown == []  # a step only says what is to be done
    for action in actions:
        action()
    assert [frame.number for frame in bench.shown] == [bench.number]
    assert bench.made == ["tables"]


def test_a_look_more_is_taken_for_each_doubt_until_there_were_enough(bench: Bench) -> None:
    state = bench.framed()
    frames = []
    for _ in range(MOST_READINGS + 2):
        seen = state.sight.seen
        assert seen is not None
        state = board_steps.doubt(seen.interval, seen.readings)(state)
        state, _ = bench.step(state, still(interval=2), SECOND_READING_SECONDS / 2)
        state, _ = bench.step(state, still(interval=2), SECOND_READING_SECONDS / 2 + 0.01)
        frames.append(state.count)
    assert frames == [3, 4, 5, 5, 5, 5, 5]


def test_without_a_doubt_nothing_more_is_looked_at(bench: Bench) -> None:
    state = bench.framed()
    reads = bench.stage.reads
    for _ in range(3):
        state, _ = bench.step(state, still(interval=2), 10.0)
    assert bench.stage.reads == reads


def test_a_look_ahead_of_the_rest_is_its_first_look(bench: Bench) -> None:
    state = bench.framed()
    state, _ = bench.step(state, still(phase="moving"))
    assert state.sight.seen is None
    quiet = replace(still(phase="settling"), quiet_since=bench.taken)
    state, _ = bench.step(state, quiet)
    reads = bench.stage.reads
    state, _ = bench.step(state, quiet)
    assert bench.stage.reads == reads  # once
    state, _ = bench.step(state, replace(still(interval=3), quiet_since=quiet.quiet_since))
    assert (bench.stage.reads, state.count) == (reads + 1, LEAST_READINGS)
    assert state.sight.seen is not None


def test_another_board_or_place_starts_over_but_intervals_go_on(bench: Bench) -> None:
    before = bench.framed()
    same, _ = bench.steps.ready(board_steps.expect("tables")(before))
    assert same == before
    elsewhere = BoardWatchSettings(bench._reader)
    for change in (board_steps.expect("chess"), board_steps.use(elsewhere)):
        state, _ = bench.steps.ready(change(before))
        assert (state.around, state.count, state.sight.seen) == (None, 0, None)
        assert state.interval == before.interval
        state, _ = bench.step(state, still(interval=1))
        state, _ = bench.step(state, still(interval=1))
        assert state.interval > before.interval
    assert bench.made == ["tables", "chess", "tables"]
    none, _ = bench.steps.ready(board_steps.expect(None)(before))
    reads = bench.stage.reads
    none, actions = bench.step(none, still())
    assert (none.eyes, bench.stage.reads, len(actions)) == (None, reads, 1)  # its picture is shown all the same


def test_what_all_agree_on_is_learnt_once_and_from_the_newest_look_alone(bench: Bench) -> None:
    state = bench.framed()
    seen = state.sight.seen
    assert seen is not None
    older = Agreement(seen.interval, seen.readings - 1, {})
    state, actions = bench.steps.ready(board_steps.agree(older)(state))
    assert actions == ()
    newest = Agreement(seen.interval, seen.readings, {})
    state, actions = bench.steps.ready(board_steps.agree(newest)(state))
    for action in actions:
        action()
    assert bench.stage.lessons == [{}]
    assert bench.steps.ready(state)[1] == ()


def test_what_lies_still_at_the_edge_is_doubted_once_and_is_no_hand_where_all_sites_are_seen(bench: Bench) -> None:
    state = bench.framed()
    reads = bench.stage.reads
    hand, accepted, read = still(interval=3, hand=True), [], []
    for later in (0.1, HAND_PATIENCE, 0.2, 0.2):
        state, _ = bench.step(state, hand, later)
        assert isinstance(state.stillness, Scripted)
        accepted.append(state.stillness.accepted)
        read.append(bench.stage.reads - reads)
        assert state.sight.seen is None
    assert accepted == [0, 0, 1, 0]
    assert read == [0, 0, 1, 1]


def test_a_reader_that_fails_says_so_and_is_asked_again_only_later(bench: Bench) -> None:
    state = bench.framed()
    bench.stage.fails = True
    state, _ = bench.step(state, still(interval=3))
    assert "the nets are missing" in str(state.sight.trouble)
    reads = bench.stage.reads
    state, _ = bench.step(state, still(interval=3), 0.1)
    assert bench.stage.reads == reads
    bench.stage.fails = False
    state, _ = bench.step(state, still(interval=3), SECOND_READING_SECONDS + 0.1)
    assert state.sight.trouble is None
    assert state.sight.seen is not None


def test_a_board_whose_place_is_not_known_is_sought_with_every_frame(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = bench.framed()

    def unknown(*_: object) -> None:
        raise PlaceUnknownError(Sentence("Show the whole board."))

    assert state.eyes is not None
    monkeypatch.setattr(state.eyes._places, "field", unknown)
    for number in range(3):
        state, _ = bench.step(state, still(interval=3))
        assert str(state.sight.trouble) == "Show the whole board."
        assert (state.count, state.readings, state.sight.picture) == (0, (), bench.number), number


def test_a_board_that_was_never_found_is_sought_seldom(bench: Bench) -> None:
    bench.stage.fails = True
    state, _ = bench.step(bench.begun(), still(interval=1))
    reads = bench.stage.reads
    state, _ = bench.step(state, still(interval=1), SEEK_AGAIN - 0.1)
    assert bench.stage.reads == reads
    state, _ = bench.step(state, still(interval=1), 0.2)
    assert bench.stage.reads == reads + 1
    assert bench.steps.failed(state, KeyError("x")).sight.seen is None


def test_a_lost_camera_begins_a_new_stillness(bench: Bench) -> None:
    state = bench.framed()
    lost, actions = bench.steps.step(replace(state, sight=replace(state.sight, status="LOST")), None, 0.0)
    assert actions == ()
    assert (lost.sight.phase, lost.sight.seen, lost.counted) == (None, None, None)
    assert lost.stillness is not state.stillness

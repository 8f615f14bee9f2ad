"""The thread that runs the steps: it alone owns the state, takes in what others ask for, and no error ends it."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from companion.desk.sight import Sight
from companion.language.sentence import Sentence
from companion.live.watching import thread
from companion.live.watching.thread import Action, Steps, WatchingThread, WatchState
from companion.vision.readings import Frame
from companion.vision.sources.grabbed import GrabbedSource
from companion.vision.sources.source import FrameSource
from tests.live.drawn import DrawnSource, draw
from tests.vision.test_sources import Camera


@dataclass(frozen=True)
class Counting(WatchState[Sight]):
    wanted: int = 0


@dataclass
class CountingSteps(Steps[Counting]):
    """Announces what is wanted as the picture's number."""

    fails: set[int] = field(default_factory=set)
    numbers: list[int] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    done: list[str] = field(default_factory=list)

    def begin(self, source: FrameSource) -> Counting:
        return Counting(Sight(source.name, str(source.state), source.sentence))

    def open(self, camera: str) -> None:
        self.done.append(f"open {camera}")

    def close(self) -> None:
        self.done.append("close")

    def ready(self, state: Counting) -> tuple[Counting, Sequence[Action]]:
        return state, ()

    def step(self, state: Counting, frame: Frame | None, now: float) -> tuple[Counting, Sequence[Action]]:
        del now
        self.threads.add(threading.get_ident())
        if frame is None:
            return state, ()
        self.numbers.append(frame.number)
        if frame.number in self.fails:
            raise RuntimeError("broken")
        sight = replace(state.sight, taken=frame.taken, picture=state.wanted, trouble=None)
        return replace(state, sight=sight), (lambda: self.done.append(f"frame {frame.number}"),)

    def failed(self, state: Counting, error: Exception) -> Counting:
        return replace(state, sight=replace(state.sight, trouble=Sentence("{why}", why=str(error))))


def test_what_another_thread_asks_for_applies_before_the_next_frame() -> None:
    source, steps, found = DrawnSource(), CountingSteps(), list[Sight]()
    watching = WatchingThread("watch", source, steps, found.append)
    source.show(draw({}), 3)
    watching.tell(lambda state: replace(state, wanted=4))
    watching.tell(lambda state: replace(state, wanted=state.wanted + 1))
    watching.turn()
    assert [sight.picture for sight in found] == [5]
    assert steps.done == ["frame 1"]
    taken = watching.taken
    watching.turn()
    assert [sight.picture for sight in found] == [5], "nothing has changed but the time"
    assert watching.taken is not None
    assert taken is not None
    assert watching.taken > taken
    watching.tell(lambda state: replace(state, wanted=6))
    watching.turn()
    assert [sight.picture for sight in found] == [5, 6]


def test_an_error_is_told_and_its_frame_is_not_asked_for_again() -> None:
    source, steps, found = DrawnSource(), CountingSteps(fails={2}), list[Sight]()
    watching = WatchingThread("watch", source, steps, found.append)
    watching.start()
    source.show(draw({}), 3)
    source.seen()
    watching.end()
    watching.join(120)
    assert not watching.is_alive()
    assert steps.numbers[:3] == [1, 2, 3]
    assert [str(sight.trouble) for sight in found if sight.trouble is not None] == ["broken"]
    assert steps.done[0] == "open a drawn table"
    assert steps.done[-1] == "close"
    assert steps.threads == {watching.ident}


def test_the_sight_follows_the_state_of_the_source_without_a_frame() -> None:
    source, found = DrawnSource(), list[Sight]()
    watching = WatchingThread("watch", source, CountingSteps(), found.append)
    source.lose()
    watching.turn()
    assert [(sight.status, str(sight.sentence)) for sight in found] == [("LOST", "The camera is gone.")]


def test_a_camera_is_asked_for_all_its_frames_unless_the_table_is_still(monkeypatch: pytest.MonkeyPatch) -> None:
    hurried: list[None] = []
    monkeypatch.setattr(thread, "FRAME_WAIT", 0.0)
    monkeypatch.setattr(GrabbedSource, "hurry", lambda _: hurried.append(None))
    watching = WatchingThread("watch", GrabbedSource("test", Camera), CountingSteps(), lambda _: None)
    for phase, hand, hurries in (("moving", False, True), ("still", False, False), ("still", True, True)):
        hurried.clear()
        watching.tell(lambda state: state.seeing(phase=phase, hand=hand))  # noqa: B023  # applied in this turn
        watching.turn()
        assert bool(hurried) == hurries

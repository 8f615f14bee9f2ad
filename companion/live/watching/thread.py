"""The thread that watches through a camera: it takes the newest frame, lets the steps judge it, and reports.

It alone owns the state. Other threads change it through a queue, and what they ask for applies before the next frame.
"""

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, Self, TypeVar

from companion.desk.sight import BoardSight, Sight
from companion.live.watching.keeping_up import KeepingUp
from companion.vision.readings import Frame
from companion.vision.sources.grabbed import GrabbedSource
from companion.vision.sources.source import FrameSource, Recording

log = logging.getLogger(__name__)

FRAME_WAIT: Final = 0.25
"""Seconds to wait for a frame before looking at the state of the source again."""

AFTER_TROUBLE: Final = 0.5
"""Seconds to wait after an unexpected error, so that it cannot fill the log."""

Seen = TypeVar("Seen", Sight, BoardSight)

Action = Callable[[], object]
"""Something that a step wants to be done outside its state, before what it saw is reported."""


@dataclass(frozen=True)
class WatchState(Generic[Seen]):
    """What a watching thread knows. ``sight``: what it saw; ``number``: that of the newest frame."""

    sight: Seen
    number: int = field(default=0, kw_only=True)

    def seeing(self, **parts: Any) -> Self:
        """Return the state with these parts of its sight changed."""
        return replace(self, sight=replace(self.sight, **parts))


State = TypeVar("State", bound=WatchState[Any])


class Steps(ABC, Generic[State]):
    """What is watched, and how: from one state to the next, without threads."""

    @abstractmethod
    def begin(self, source: FrameSource) -> State:
        """Return the state before the first frame."""

    def open(self, camera: str) -> None:
        """Open, in the watching thread, what is kept of the camera of this name."""

    def close(self) -> None:
        """Close what is kept."""

    @abstractmethod
    def ready(self, state: State) -> tuple[State, Sequence[Action]]:
        """Return the state before the next frame, now that everything which other threads asked for applies."""

    @abstractmethod
    def step(self, state: State, frame: Frame | None, now: float) -> tuple[State, Sequence[Action]]:
        """Return the state after a frame, None where none came in time; its sight has the state of the source.

        ``now``: of the monotonic clock, in seconds.
        """

    @abstractmethod
    def failed(self, state: State, error: Exception) -> State:
        """Return the state after an unexpected error."""


class WatchingThread(threading.Thread, Generic[State]):
    """Feeds frames to the steps, one at a time, always the newest."""

    def __init__(self, name: str, source: FrameSource, steps: Steps[State], report: Callable[[Any], None]) -> None:
        """``report`` is called from this thread with every change of the sight."""
        super().__init__(name=name, daemon=True)
        self._source = source
        self._steps = steps
        self._report = report
        self._changes: SimpleQueue[Callable[[State], State]] = SimpleQueue()
        self._ending = threading.Event()
        self._keeping_up = None if isinstance(source, Recording) else KeepingUp(source.name)  # a recording waits
        self._state = steps.begin(source)  # this thread replaces it; others only read it

    def tell(self, change: Callable[[State], State]) -> None:
        """Change the state before the next frame. Any thread may call it."""
        self._changes.put(change)

    @property
    def taken(self) -> float | None:
        """When the newest frame that this thread has processed was taken, by the monotonic clock; None before any."""
        taken: float | None = self._state.sight.taken
        return taken

    def end(self) -> None:
        """Ask the thread to end soon."""
        self._ending.set()

    def run(self) -> None:
        """Watch until the end. No error ends the thread before."""
        self._steps.open(self._source.name)
        while not self._ending.is_set():
            try:
                self.turn()
            except Exception as error:
                log.exception("%s: this goes on after this", self.name)
                self._publish(self._steps.failed(self._state, error))
                self._ending.wait(AFTER_TROUBLE)
        self._steps.close()

    def turn(self) -> None:
        """Wait for the next frame, take in what other threads asked for, and judge it."""
        frame = self._source.newest(self._state.number, FRAME_WAIT)
        if frame is not None:  # kept even if the step fails, so that a frame cannot fail twice
            self._state = replace(self._state, number=frame.number)
            if self._keeping_up is not None:
                self._keeping_up.take(frame)
        self._apply_changes()  # so late that what came while this thread waited counts for this frame
        self._state, actions = self._steps.ready(self._state)
        _perform(actions)
        slow = None if self._keeping_up is None else self._keeping_up.warning
        now = self._state.seeing(status=str(self._source.state), sentence=self._source.sentence, slow=slow)
        after, actions = self._steps.step(now, frame, time.monotonic())
        if isinstance(self._source, GrabbedSource) and (after.sight.phase != "still" or after.sight.hand):
            self._source.hurry()  # on a calm table it takes fewer frames
        _perform(actions)
        self._publish(after)

    def _apply_changes(self) -> None:
        while True:
            try:
                change = self._changes.get_nowait()
            except Empty:
                return
            self._state = change(self._state)

    def _publish(self, after: State) -> None:
        changed = replace(after.sight, taken=None) != replace(self._state.sight, taken=None)
        self._state = after
        if changed and not self._ending.is_set():
            self._report(after.sight)


def _perform(actions: Sequence[Action]) -> None:
    for action in actions:
        action()

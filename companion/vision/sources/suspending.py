"""A camera that is suspended for a while, such as overnight, and opened again: it sees nothing in between."""

import threading
from collections.abc import Callable

from companion.language.sentence import Sentence
from companion.vision.readings import Frame
from companion.vision.sources.source import FrameSource, NewestFrame, SourceState

HAND_ON = 0.25  # seconds that waiting for a frame may go on after `wake`


class SuspendableSource:
    """A `FrameSource` around others of the same kind, one after the other; ``make`` gives the next.

    Frame numbers rise across all of them, so that a watcher never takes an old frame for a new one.
    """

    def __init__(self, make: Callable[[], FrameSource]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._source: FrameSource | None = make()
        self._slot = NewestFrame(self._source.name)
        self._name = self._source.name
        self._started = self._closed = False
        self._given = 0  # number of the newest frame as the caller knows it
        self._own = 0  # number of the same frame as the source itself gave it

    @property
    def name(self) -> str:
        """Return what a player would call this source."""
        return self._name

    @property
    def suspended(self) -> bool:
        """Whether the camera is closed until `wake`."""
        return self._source is None

    @property
    def state(self) -> SourceState:
        """Return its state now: a suspended source is lost."""
        source = self._source
        return SourceState.LOST if source is None else source.state

    @property
    def sentence(self) -> Sentence:
        """Return the sentence for the state."""
        source = self._source
        return Sentence("{name} is resting.", name=self._name) if source is None else source.sentence

    def start(self) -> None:
        """Begin, unless it is suspended."""
        with self._lock:
            self._started = True
            if self._source is not None:
                self._source.start()

    def suspend(self) -> None:
        """Close the camera until `wake`."""
        with self._lock:
            source, self._source = self._source, None
        if source is not None:
            source.close()

    def wake(self) -> None:
        """Open the camera again."""
        with self._lock:
            if self._source is not None or self._closed:
                return
            self._own = 0
            self._source = self._make()
            if self._started:
                self._source.start()

    def close(self) -> None:
        """End for good."""
        with self._lock:
            self._closed = True
        self.suspend()
        self._slot.shut()

    def newest(self, after: int, timeout: float) -> Frame | None:
        """Return the newest frame with a number above ``after``, waiting up to ``timeout`` seconds, or None."""
        source = self._source
        if source is None:
            self._slot.newer(after, min(timeout, HAND_ON))  # nothing is ever put there: it only waits, or is shut
            return None
        known = self._own if after >= self._given else 0
        frame = source.newest(known, timeout)
        if frame is None:
            return None
        with self._lock:
            if source is not self._source:
                return None  # suspended meanwhile
            if frame.number > self._own:
                self._own, self._given = frame.number, self._given + 1
            return Frame(frame.image, frame.taken, frame.source, self._given, frame.may_repeat)

"""A recording as the camera of a table: its first picture stays until a match begins, its last one for good."""

from collections.abc import Callable
from threading import Event

from companion.language.sentence import Sentence
from companion.vision.readings import Image
from companion.vision.sources.folder import FRAME_SECONDS
from companion.vision.sources.grabbed import GrabbedSource, Grabber, Pace, Waiter
from companion.vision.sources.source import SourceEndedError, SourceState


class _HeldGrabber:
    """Plays a recording after `RecordedSource.begin`, and keeps showing its last picture."""

    frozen_after: float | None = None

    def __init__(self, recording: Grabber, begun: Event, ended: Event) -> None:
        self._recording = recording
        self._begun, self._ended = begun, ended
        self._pace = Pace(FRAME_SECONDS)
        self._image: Image | None = None

    def open(self) -> None:
        self._image = None
        self._recording.open()

    def grab(self, wait: Waiter) -> Image | None:
        if self._image is not None and (self._ended.is_set() or not self._begun.is_set()):
            return None if self._pace.step(wait) else self._image
        try:
            image = self._recording.grab(wait)
        except SourceEndedError:
            if self._image is None:
                raise
            self._ended.set()
            return self._image
        self._image = self._image if image is None else image
        return image

    def close(self) -> None:
        self._recording.close()


class RecordedSource(GrabbedSource):
    """A `FrameSource` around a folder or a video. At its end, it is not lost."""

    def __init__(self, name: str, make: Callable[[], Grabber], *, may_repeat: bool = False) -> None:
        """``make`` gives the grabber of the recording; ``may_repeat`` as in `Frame`."""
        self._begun, self._ended = begun, ended = Event(), Event()  # how far it has played, for any thread
        super().__init__(name, lambda: _HeldGrabber(make(), begun, ended), may_repeat=may_repeat, recorded=True)

    def begin(self) -> None:
        """Play on from the first picture; this changes nothing once it plays."""
        self._begun.set()

    @property
    def ended(self) -> bool:
        """Whether its last picture stays."""
        return self._ended.is_set()

    @property
    def sentence(self) -> Sentence:
        """Return the sentence for the state."""
        if self.state is not SourceState.LIVE:
            return super().sentence
        if self._ended.is_set():
            return Sentence("{name} has reached its end: its last picture stays.", name=self.name)
        if not self._begun.is_set():
            return Sentence("{name} waits with its first picture until a match or a series begins.", name=self.name)
        return super().sentence

"""Frames that a browser page sends: a phone or laptop as the camera."""

import threading
import time

from companion.language.sentence import Sentence
from companion.vision.images import check_live, decode_image
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import Frame, Image
from companion.vision.sources.retrieve import PictureMemory
from companion.vision.sources.source import NewestFrame, SourceClosedError, SourceState

STALE_AFTER = 2.0
LOST_AFTER = 10.0  # a page that was closed or a phone that sleeps; it comes back by sending again


class PushedSource:
    """A `FrameSource` without a thread: the caller of `offer` brings the frame."""

    def __init__(self, name: str = "the camera page") -> None:
        self.name = name
        """What a player would call this source."""
        self._slot = NewestFrame(name, may_repeat=True)
        self._memory = PictureMemory()
        self._decoding = threading.Lock()
        self._closed = False
        self._refused: tuple[Sentence, float] | None = None  # why the newest picture shows no table, and when it came

    @property
    def state(self) -> SourceState:
        """Return its state now."""
        frame = self._slot.frame
        if self._closed:
            return SourceState.LOST
        if frame is None:
            return SourceState.STARTING
        age = time.monotonic() - frame.taken
        if age > LOST_AFTER:
            return SourceState.LOST
        return SourceState.STALE if age > STALE_AFTER else SourceState.LIVE

    @property
    def sentence(self) -> Sentence:
        """Return the sentence for the state."""
        if self._closed:
            return Sentence("{name} is closed.", name=self.name)
        state, refused = self.state, self._refused
        if state is not SourceState.LIVE and refused is not None and time.monotonic() - refused[1] < LOST_AFTER:
            return refused[0]
        return {
            SourceState.STARTING: Sentence("Waiting for the first picture: open the camera page and allow the camera."),
            SourceState.LIVE: Sentence("{name} sees the table.", name=self.name),
            SourceState.STALE: Sentence("No new picture comes from {name}.", name=self.name),
            SourceState.LOST: Sentence("{name} has stopped sending: open it again.", name=self.name),
        }[state]

    def mirror(self) -> None:
        """Turn back every picture from now on: the source mirrors them."""
        self._slot.mirrored = True

    def start(self) -> None:
        """Do nothing: frames come when the page sends them."""

    def close(self) -> None:
        """Take no more frames."""
        self._closed = True
        self._slot.shut()

    def offer(self, jpeg: bytes) -> None:
        """Take one picture.

        While another picture is being decoded, this one is dropped: the next will come soon enough, and pictures of a
        page that sends faster than this computer decodes must not pile up.

        Raises:
            BadFrameError: the picture cannot show a table.
            SourceClosedError: the source was closed.
        """
        if self._closed:
            raise SourceClosedError(Sentence("{name} is closed.", name=self.name))
        if not self._decoding.acquire(blocking=False):
            return
        try:
            self._slot.put(self._usable(jpeg))
            self._refused = None
        except BadFrameError as refused:
            self._refused = refused.sentence, time.monotonic()
            raise
        finally:
            self._decoding.release()

    def newest(self, after: int, timeout: float) -> Frame | None:
        """Return the newest frame with a number above ``after``, waiting up to ``timeout`` seconds, or None."""
        return self._slot.newer(after, timeout)

    def _usable(self, jpeg: bytes) -> Image:
        image = decode_image(jpeg, live=True, into=self._memory.free())
        self._memory.keep(image)
        fault = check_live(image)
        if fault is not None:
            raise BadFrameError(fault)
        return image

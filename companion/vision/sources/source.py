"""What all sources of frames have in common: their states, their errors, and the slot that holds the newest frame."""

import threading
import time
from enum import StrEnum
from typing import Protocol, runtime_checkable

import numpy as np

from companion.language.sentence import Sentence, SentenceError
from companion.vision.readings import Frame, GrabbingEffort, Image
from companion.vision.sources.locking import Lock


class SourceState(StrEnum):
    """The state of a source; each state comes with a sentence for the player."""

    STARTING = "STARTING"  # no frame yet
    LIVE = "LIVE"  # fresh frames arrive
    STALE = "STALE"  # open, but nothing fresh for over two seconds
    LOST = "LOST"  # closed, ended or broken; a broken source is tried again by itself


class FrameSource(Protocol):
    """Frames from one camera or its stand-in. Its own thread keeps the newest frame only."""

    @property
    def name(self) -> str:
        """Return what a player would call this source."""

    @property
    def state(self) -> SourceState:
        """Return its state now."""

    @property
    def sentence(self) -> Sentence:
        """Return the sentence for the state."""

    def start(self) -> None:
        """Begin; returns at once. Starting twice does nothing."""

    def close(self) -> None:
        """End for good; never waits for a camera that hangs."""

    def newest(self, after: int, timeout: float) -> Frame | None:
        """Return the newest frame with a number above ``after``, waiting up to ``timeout`` seconds, or None."""


@runtime_checkable
class HoldsSettings(FrameSource, Protocol):
    """A source whose camera may hold exposure, white balance and focus."""

    @property
    def can_hold(self) -> bool:
        """Whether its kind of camera may hold them."""

    def hold_settings(self, *, still: bool = True, timeout: float = 5.0) -> Lock | None:
        """Hold them as they are now and return what held; or let the camera set them again (None).

        Raises:
            SourceError: the program cannot hold them, or the camera does not answer.
        """


@runtime_checkable
class Recording(FrameSource, Protocol):
    """A source that can wait with its first picture until somebody wants the others."""

    def begin(self) -> None:
        """Play from here on; this changes nothing for a recording that plays already."""


class SourceError(SentenceError):
    """A source cannot give frames; ``sentence`` says why and what a player can do."""


class UnknownSourceError(SourceError):
    """No source has this name."""


class SourceClosedError(SourceError):
    """The source was closed."""


class SourceBrokenError(SourceError):
    """The source broke, or was never there."""


class SourceBusyError(SourceError):
    """Another program uses the source."""


class CannotHoldError(SourceError):
    """The program cannot hold exposure, white balance and focus of this camera."""


class SourceEndedError(SourceError):
    """A file or folder has no more frames: not a fault."""


class NewestFrame:
    """A slot for one frame. A slow reader misses frames and never sees an old one."""

    def __init__(self, source: str, *, may_repeat: bool = False) -> None:
        """``may_repeat``: as in `Frame`."""
        self._source = source
        self._may_repeat = may_repeat
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self.mirrored = False  # the source mirrors its pictures: each is turned back
        self._number = self._fetched = 0
        self._shut = False

    @property
    def frame(self) -> Frame | None:
        """Return the frame in the slot, or None."""
        return self._frame

    def put(
        self, image: Image, *, again: bool = False, effort: GrabbingEffort | None = None, passed_over: int = 0
    ) -> Frame:
        """Number and time the picture, and wake all who wait; ``again``: it is the one in the slot, with its time.

        So it shows nobody that the table is at rest: it may be of rolling dice. ``effort``: as in `Frame`.
        ``passed_over``: how many came since the last one that this slot did not get; their numbers are left out.
        """
        if self.mirrored and not again:
            image = np.ascontiguousarray(image[:, ::-1])
        with self._changed:
            self._number += 1 + passed_over
            taken = self._frame.taken if again and self._frame is not None else time.monotonic()
            self._frame = Frame(image, taken, self._source, self._number, self._may_repeat, effort)
            self._changed.notify_all()
            return self._frame

    def empty(self) -> None:
        """Forget the frame: whoever asks waits for the next one."""
        with self._changed:
            self._frame = None

    def shut(self) -> None:
        """Wake all who wait; no more frames will come."""
        with self._changed:
            self._shut = True
            self._changed.notify_all()

    def newer(self, after: int, timeout: float) -> Frame | None:
        """Return the frame if its number is above ``after``, waiting up to ``timeout`` seconds for one."""
        with self._changed:
            self._changed.wait_for(lambda: self._shut or (self._frame is not None and self._number > after), timeout)
            if self._frame is None or self._frame.number <= after:
                return None
            self._fetched = self._frame.number
            self._changed.notify_all()
            return self._frame

    def followed(self, passed_over: int, timeout: float) -> bool:
        """Return whether a reader follows: it fetched one of the newest frames, with ``passed_over`` at most after it.

        Waits up to ``timeout`` seconds for that.
        """
        with self._changed:
            return self._changed.wait_for(lambda: self._shut or self._number - self._fetched <= passed_over, timeout)

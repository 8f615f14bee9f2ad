"""The thin layer over ``cv2.VideoCapture``: what device, file and network address share, and what tests replace."""

import os
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

import cv2


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that is used here."""

    def isOpened(self) -> bool:  # noqa: N802  OpenCV's own name
        """Return whether it was opened; stays True on a dead network stream."""

    def grab(self) -> bool:
        """Take the next frame without decoding it where the back end can."""

    def retrieve(self, image: Any = None, /) -> tuple[bool, Any]:
        """Decode the frame taken last, into the memory of this image if it has the frame's size."""

    def set(self, property_id: int, value: float, /) -> bool:
        """Ask for a property; the camera may refuse."""

    def get(self, property_id: int, /) -> float:
        """Read a property back."""

    def release(self) -> None:
        """Let go of the device."""


OpenCapture = Callable[[str | int, int, list[int]], Capture]

FRAMES_A_SECOND: Final = 15.0
"""So many are decoded: a table needs no more, and decoding is expensive."""

CALM_FRAMES_A_SECOND: Final = 7.5
"""So many while nothing moves: enough to see that a hand comes or dice roll, and from then on all are wanted."""

CALM_AFTER: Final = 10.0
"""Seconds without movement after which a table is calm: what came to rest has long been read."""


def open_capture(where: str | int, back_end: int, options: list[int]) -> Capture:
    """Open with OpenCV; ``options`` are its property ids and values, alternating."""
    # The program's own sentence says what is wrong. OpenCV's messages would fill the terminal: a broken camera is tried
    # every five seconds.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if isinstance(where, int):
        return cv2.VideoCapture(where, back_end, options)
    return cv2.VideoCapture(where, back_end, options)


UNREAD_EVERY: Final = 0.4
"""Seconds between two frames that are decoded although nobody took the one before: they are still reading another."""


class Thinning:
    """Chooses which frames of a fast camera are decoded: all up to 15 a second, an even share above.

    On a calm table it is half as many, and still fewer while nobody takes them. A camera's thread asks; those who watch
    say what happens.
    """

    def __init__(self) -> None:
        self._hurried = time.monotonic()
        self._due: float | None = None
        self._decoded = -UNREAD_EVERY
        self._taken = True
        self._passed_over = 0

    def hurry(self) -> None:
        """Take all frames for the next seconds: something moves. Any thread may say so."""
        self._hurried = time.monotonic()

    def take(self) -> None:
        """Note that somebody took a frame, and may soon want the next. Any thread may say so."""
        self._taken = True

    def wants(self, now: float) -> bool:
        """Return whether to decode the frame that came ``now`` (seconds of the monotonic clock)."""
        interval = 1 / (FRAMES_A_SECOND if now - self._hurried < CALM_AFTER else CALM_FRAMES_A_SECOND)
        # A quarter of an interval early is on time: a camera of 15 frames a second jitters by some milliseconds.
        if self._due is None:
            self._due = now
        if now < self._due - interval / 4:
            return False
        self._due = max(self._due, now - interval) + interval
        if not self._taken and now - self._decoded < UNREAD_EVERY:
            self._passed_over += 1
            return False
        self._taken, self._decoded = False, now
        return True

    def passed_over(self) -> int:
        """Return how many frames were passed over since the last one because nobody took that. For the same thread."""
        passed_over, self._passed_over = self._passed_over, 0
        return passed_over

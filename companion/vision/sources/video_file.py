"""A recorded video as a camera, at its own pace."""

from pathlib import Path

import cv2

from companion.language.sentence import Sentence
from companion.vision.readings import Image
from companion.vision.sources.capture import Capture
from companion.vision.sources.grabbed import Pace, Waiter
from companion.vision.sources.retrieve import PictureMemory, picture_of
from companion.vision.sources.source import SourceBrokenError, SourceEndedError

SLOWEST, FASTEST, USUAL = 1.0, 120.0, 15.0  # frames per second that are plausible, and the rate used otherwise


class VideoFileGrabber:
    """Plays ``path``, once or for ever."""

    frozen_after: float | None = None

    def __init__(self, path: Path, *, loop: bool = False) -> None:
        self._path = path
        self._loop = loop
        self._capture: Capture | None = None
        self._memory = PictureMemory()
        self._pace = Pace(1 / USUAL)
        self._played = 0

    def open(self) -> None:
        """Open at the first frame."""
        self.close()
        capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG, [cv2.CAP_PROP_N_THREADS, 1])
        if not capture.isOpened():
            raise SourceBrokenError(
                Sentence("{path} cannot be played: expected a video such as MP4.", path=str(self._path))
            )
        fps = capture.get(cv2.CAP_PROP_FPS)
        self._pace.seconds = 1 / (fps if SLOWEST <= fps <= FASTEST else USUAL)
        self._capture = capture
        self._played = 0

    def grab(self, wait: Waiter) -> Image | None:
        """Return the next frame when it is due; at the end begin again or raise `SourceEndedError`."""
        if self._pace.step(wait) or self._capture is None:
            return None
        image = picture_of(self._capture, self._memory) if self._capture.grab() else None
        if image is None:
            if self._played == 0:
                raise SourceBrokenError(
                    Sentence("{path} holds no frame that can be read: record it again.", path=str(self._path))
                )
            if not self._loop:
                raise SourceEndedError(Sentence("The video {path} has ended.", path=self._path.name))
            self.open()
            return None
        self._played += 1
        return image

    def close(self) -> None:
        """Let go of the file."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

"""A camera plugged into this computer, through V4L2 on Linux."""

import os
import platform
import time
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import cv2

from companion.language.sentence import Sentence
from companion.vision.readings import Image
from companion.vision.sources.capture import Capture, OpenCapture, Thinning, open_capture
from companion.vision.sources.grabbed import Waiter
from companion.vision.sources.locking import Lock, apply, lock, unlock
from companion.vision.sources.retrieve import PictureMemory, picture_of
from companion.vision.sources.source import SourceBrokenError, SourceBusyError

WIDTH, HEIGHT, FRAMES_A_SECOND = 1280, 720, 15.0
"""What a camera is asked for, in pixels; it may give another size and rate."""


class DeviceGrabber:
    """Reads one camera. ``device``: a path such as ``/dev/v4l/by-id/...-index0``, or a number.

    ``settings``: exposure, white balance and focus to hold, as a profile keeps them; they are set each time the camera
    is opened. `lock` writes what it holds there, so that a grabber that replaces this one holds the same.
    """

    frozen_after: float | None = 3.0

    def __init__(
        self,
        device: str,
        opener: OpenCapture = open_capture,
        settings: MutableMapping[str, Any] | None = None,
        thinning: Thinning | None = None,
    ) -> None:
        self._device = f"/dev/video{device}" if device.isdecimal() and _is_linux() else device
        self._opener = opener
        self._capture: Capture | None = None
        self._memory = PictureMemory()
        self._thinning = Thinning() if thinning is None else thinning
        self._settings = {} if settings is None else settings
        self.held: Lock | None = None  # what became of the settings, also read back

    def open(self) -> None:
        """Open and set MJPG first, then size and rate: the other way round many cameras stay at 5 frames a second."""
        self.close()
        if _is_linux():
            self._check_path()
        back_end = cv2.CAP_V4L2 if _is_linux() else cv2.CAP_ANY
        where = int(self._device) if self._device.isdecimal() else self._device
        capture = self._opener(where, back_end, [])
        if not capture.isOpened():
            capture.release()
            raise self._busy()
        self._capture = capture
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        capture.set(cv2.CAP_PROP_FPS, FRAMES_A_SECOND)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if not capture.grab():  # a camera that another program streams from opens, and fails here
            raise self._busy()
        if self._settings:
            self.held = apply(capture, dict(self._settings))

    def lock(self) -> Lock:
        """Hold exposure, white balance and focus as they are now; return what held. Only for the thread that grabs."""
        if self._capture is None:
            raise SourceBrokenError(Sentence("The camera {device} is not open.", device=self._device))
        self.held = lock(self._capture)
        self._settings.clear()
        self._settings.update(self.held.settings())
        return self.held

    def unlock(self) -> None:
        """Let the camera set everything by itself again. Only for the thread that grabs."""
        self._settings.clear()
        self.held = None
        if self._capture is not None:
            unlock(self._capture)

    def grab(self, wait: Waiter) -> Image | None:
        """Take every frame, so that none grows old in the driver; decode those that the thinning wants."""
        del wait  # the camera sets the pace
        if self._capture is None or not self._capture.grab():
            raise SourceBrokenError(Sentence("The camera {device} stopped: check its cable.", device=self._device))
        return picture_of(self._capture, self._memory) if self._thinning.wants(time.monotonic()) else None

    def close(self) -> None:
        """Let go of the camera."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _check_path(self) -> None:
        path = Path(self._device)
        if not path.exists():
            raise SourceBrokenError(
                Sentence("There is no camera at {device}: plug it in, or name another.", device=self._device)
            )
        if not os.access(path, os.R_OK | os.W_OK):
            raise SourceBrokenError(
                Sentence(
                    "You may not use the camera {device}: run 'sudo usermod -aG video $USER' and log in again.",
                    device=self._device,
                )
            )

    def _busy(self) -> SourceBusyError:
        return SourceBusyError(
            Sentence(
                "The camera {device} gives no picture; another program may be using it: close that one.",
                device=self._device,
            )
        )


def _is_linux() -> bool:
    return platform.system() == "Linux"

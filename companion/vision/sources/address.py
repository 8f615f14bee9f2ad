"""A camera on the network: HTTP-MJPEG or RTSP, through OpenCV's FFmpeg."""

import time
from urllib.parse import urlsplit

import cv2

from companion.language.sentence import Sentence
from companion.vision.readings import Image
from companion.vision.sources.capture import Capture, OpenCapture, Thinning, open_capture
from companion.vision.sources.grabbed import Waiter
from companion.vision.sources.retrieve import picture_of
from companion.vision.sources.source import SourceBrokenError

OPEN_MILLISECONDS, READ_MILLISECONDS = 2000, 1500  # OpenCV's own are 30 s each


class AddressGrabber:
    """Reads one address. In OpenCV a stream that failed once stays dead, so each failure means a new one."""

    # A telephone's H.264 may repeat the very same picture for a whole group of pictures when nothing moves.
    frozen_after: float | None = 12.0

    def __init__(self, address: str, opener: OpenCapture = open_capture) -> None:
        self._address = address
        self._shown = shown_address(address)
        self._opener = opener
        self._capture: Capture | None = None
        self._thinning = Thinning()

    def open(self) -> None:
        """Open with both time-outs."""
        self.close()
        options = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MILLISECONDS]
        options += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MILLISECONDS, cv2.CAP_PROP_N_THREADS, 1]
        capture = self._opener(self._address, cv2.CAP_FFMPEG, options)
        if not capture.isOpened():
            capture.release()
            raise SourceBrokenError(
                Sentence(
                    "No camera answers at {address}: check the address and that the camera is on.",
                    address=self._shown,
                )
            )
        self._capture = capture

    def grab(self, wait: Waiter) -> Image | None:
        """Take every frame that the camera sends; return at most 15 per second."""
        del wait  # the camera sets the pace
        if self._capture is None or not self._capture.grab():
            raise SourceBrokenError(
                Sentence("The camera at {address} stopped sending: check its network.", address=self._shown)
            )
        return picture_of(self._capture) if self._thinning.wants(time.monotonic()) else None

    def close(self) -> None:
        """Hang up."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def shown_address(address: str) -> str:
    """Return the address as a page may show it: without user name, password and query."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"

"""A camera on the network: MJPEG, single pictures or RTSP, through OpenCV's FFmpeg."""

import re
import time
from typing import Final
from urllib.parse import SplitResult, urlsplit

import cv2

from companion.language.sentence import Sentence
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import Image
from companion.vision.source_names import MIRROR
from companion.vision.sources.capture import Capture, OpenCapture, Thinning, open_capture
from companion.vision.sources.grabbed import Pace, Waiter
from companion.vision.sources.retrieve import PictureMemory, leave_undecoded, picture_of, picture_of_jpeg
from companion.vision.sources.source import SourceBrokenError, UnknownSourceError

ADDRESSES: Final = ("http://", "https://", "rtsp://", "rtsps://")

PATIENCE: Final = (1500, 3000, 6000, 9000)
"""Milliseconds to wait for the next picture: the loss of a quick camera is noticed soon, and a slow one is waited for.

Each time-out leads to the next one. OpenCV's own are 30 s. The last must be less than `grabbed.STUCK_SECONDS`.
"""
LEAST_OPEN: Final = 2000  # milliseconds to wait for an answer
QUICK, QUICK_ONES = 1.5, 10  # after so many pictures that came within so many seconds each, a camera is a quick one
ALMOST_SHARE: Final = 0.8  # of a time-out: a wait this long has met it
USER: Final = re.compile(r"[^/\s:@]+:.*@", re.DOTALL)  # a user name and a password
SINGLE_EVERY: Final = 0.5  # seconds between two pictures of a camera that gives them one by one, as for a phone


class AddressGrabber:
    """Reads one address. In OpenCV a stream that failed once stays dead, so each failure means a new one.

    A stream that ends after its first picture is a single picture: it is fetched again at a steady pace.
    """

    # A phone's H.264 may repeat the very same picture for a whole group of pictures when nothing moves.
    frozen_after: float | None = 12.0

    def __init__(self, address: str, opener: OpenCapture = open_capture, thinning: Thinning | None = None) -> None:
        self._address = address
        self._shown = shown_address(address)
        self._opener = opener
        self._capture: Capture | None = None
        self._memory = PictureMemory()
        self._undecoded = True  # ask for JPEG as it is sent, until one of its pictures is none
        self._jpeg = False  # whether this stream gives that
        self._thinning = Thinning() if thinning is None else thinning
        self._pace = Pace(SINGLE_EVERY)
        self._patience = 0  # index in PATIENCE
        self._quick = 0  # how many pictures came quickly, one after the other
        self._taken = 0  # pictures since it was opened
        self._came = 0.0  # when the last one came

    def open(self) -> None:
        """Open with both time-outs."""
        self.close()
        patience = PATIENCE[self._patience]
        options = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, max(LEAST_OPEN, patience)]
        options += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience, cv2.CAP_PROP_N_THREADS, 1]
        asked = time.monotonic()
        capture = self._opener(self._address, cv2.CAP_FFMPEG, options)
        if not capture.isOpened():
            capture.release()
            self._may_wait_longer(asked)
            raise SourceBrokenError(
                Sentence(
                    "No camera answers at {address}: check the address and that the camera is on.",
                    address=self._shown,
                )
            )
        self._capture, self._taken = capture, 0
        self._jpeg = self._undecoded and leave_undecoded(capture)

    def grab(self, wait: Waiter) -> Image | None:
        """Take every frame that the camera sends; decode those that the thinning wants."""
        if self._capture is None:
            self.open()
            return None  # each call may take the longest time-out, so one call opens or reads, never both
        asked = time.monotonic()
        if self._capture.grab():
            self._count(time.monotonic())
            return self._picture(self._capture) if self._thinning.wants(self._came) else None
        if not self._may_wait_longer(asked):
            if self._taken != 1:
                raise SourceBrokenError(
                    Sentence("The camera at {address} stopped sending: check its network.", address=self._shown)
                )
            self._pace.step(wait)
        self.close()
        return None

    def close(self) -> None:
        """Hang up."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _picture(self, capture: Capture) -> Image | None:
        """Decode the frame. One that is no JPEG as a file has it is left to FFmpeg, which knows more kinds."""
        if not self._jpeg:
            return picture_of(capture, self._memory)
        try:
            return picture_of_jpeg(capture, self._memory)
        except BadFrameError:
            self._undecoded = False
            self.close()
            return None

    def _count(self, now: float) -> None:
        self._quick = self._quick + 1 if now - self._came < QUICK else 0
        if self._quick >= QUICK_ONES:
            self._patience = 0
        self._came = now
        self._taken += 1

    def _may_wait_longer(self, asked: float) -> bool:
        """Return whether the wait since ``asked`` (seconds) ended by a time-out, and the next one is longer."""
        timed_out = (time.monotonic() - asked) * 1000 > ALMOST_SHARE * PATIENCE[self._patience]
        longer = timed_out and self._patience + 1 < len(PATIENCE)
        self._patience += longer
        return longer


def require_address(address: str) -> None:
    """Raise `UnknownSourceError` unless a camera's address can be parsed; the sentence names no part of it."""
    if _parsed(address) is None:
        raise UnknownSourceError(
            Sentence(
                "Expected a camera's address such as rtsp://USER:PASSWORD@HOST:554/PATH, but this one cannot be "
                "parsed: in user name and password write # / ? @ as %23 %2F %3F %40, and a port from 1 to 65535."
            )
        )


def shown_address(spec: str) -> str:
    """Return what names a source as a page, a log or a file may show it: without user name, password and query.

    Any text may be given; of an address that cannot be parsed only the beginning is shown.
    """
    if spec.startswith(MIRROR):
        return MIRROR + shown_address(spec.removeprefix(MIRROR))
    scheme, slashes, _ = spec.partition("://")
    if not slashes:
        return USER.sub("…@", spec)
    parts = _parsed(spec)
    if parts is None:
        return f"{USER.sub('…', scheme)}://…"
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    plain, given, _ = parts.path.partition("=")  # some cameras take user=NAME&password=WORD in the path
    path = f"{plain.rpartition('/')[0]}/…" if given else plain
    return f"{parts.scheme}://{host}{port}{path}"


def _parsed(address: str) -> SplitResult | None:
    """Return the parts of an address, or None; a password with a sign of its own would end up in another part."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return None
    astray = "@" in parts.path + parts.query + parts.fragment or not address.isprintable() or " " in address
    return None if astray or not host or parts.netloc.count("@") > 1 else parts

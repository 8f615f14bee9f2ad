"""Pictures for calibration: from files, or from a camera whose exposure, white balance and focus are then held."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.language.sentence import Sentence
from companion.vision.readings import Image
from companion.vision.sources import FIRST_PICTURE_WAIT, first_picture, local_path, names_device
from companion.vision.sources.device import DeviceGrabber
from companion.vision.sources.folder import PICTURES
from companion.vision.sources.locking import Lock
from companion.vision.sources.source import SourceBrokenError

SETTLING_SECONDS: Final = 2.0
"""Seconds in which a camera adjusts its exposure and white balance to the board before they are held."""


@dataclass(frozen=True, eq=False)
class Taken:
    """A picture (BGR) and, for a camera plugged into this computer, which of its settings are held."""

    image: Image
    lock: Lock | None = None


def take(spec: str, grabber: Callable[[str], DeviceGrabber] = DeviceGrabber) -> Taken:
    """Return one picture from a file or a camera.

    Raises:
        SourceError: the camera gives no picture.
        BadFrameError: the file is not a picture.
    """
    if names_device(spec):
        return _held(grabber(spec))
    return Taken(first_picture(spec))


def take_all(specs: tuple[str, ...]) -> list[tuple[str, Taken]]:
    """Return a picture for each name; a folder gives all its pictures in the order of their names. Raises as `take`."""
    named: list[str] = []
    for spec in specs:
        folder = local_path(spec)
        if folder is not None and folder.is_dir():
            named += [str(path) for path in sorted(folder.iterdir()) if path.suffix.lower() in PICTURES]
        else:
            named.append(spec)
    return [(name, take(name)) for name in named]


def _held(grabber: DeviceGrabber, settling: float = SETTLING_SECONDS) -> Taken:
    """Let the camera settle, hold its settings, and then take the picture."""
    grabber.open()
    try:
        until = time.monotonic() + settling
        while time.monotonic() < until:
            grabber.grab(_no_wait)
        lock = grabber.lock()
        until = time.monotonic() + FIRST_PICTURE_WAIT
        image = None
        while image is None and time.monotonic() < until:
            image = grabber.grab(_no_wait)
    finally:
        grabber.close()
    if image is None:
        raise SourceBrokenError(Sentence("The camera gives no picture: check its cable."))
    return Taken(image, lock)


def _no_wait(seconds: float, /) -> bool:
    del seconds  # a camera sets its own pace, so there is no need to wait
    return False

"""What a camera that is plugged into this computer sees, for a person who chooses one: asked for picture by picture."""

import threading
from collections.abc import Callable
from typing import Final, Protocol

from flask import Blueprint, Response, abort, jsonify

from companion.vision.images import as_jpeg
from companion.vision.readings import Image
from companion.vision.sources.device import DeviceGrabber, Mode
from companion.vision.sources.source import SourceError
from companion.web.app_state import AppKey
from companion.web.camera.attached import Attached, attached_cameras
from companion.web.owner.auth import owner_only

ASKED: Final = Mode(640, 480, 15.0)
WIDEST: Final = 480
"""Pixels; enough to tell two cameras apart."""

QUALITY: Final = 75
SETTLES: Final = 6
"""Frames until most webcams have set their exposure; the first ones are dark."""

PATIENCE: Final = 5.0
"""Seconds that a request waits for the camera that another one holds open."""

blueprint = Blueprint("preview", __name__)


class Grabber(Protocol):
    """The part of a `DeviceGrabber` that is used here."""

    def open(self) -> None:
        """Open the camera."""

    def grab(self, wait: Callable[[float], bool]) -> Image | None:
        """Return a frame, or None where it is not decoded."""

    def close(self) -> None:
        """Let go of the camera."""


class Preview:
    """Opens one camera at a time, only for the moment of a picture, so that a table can take it at once."""

    def __init__(
        self,
        listed: Callable[[], list[Attached]] = attached_cameras,
        grabber: Callable[[str], Grabber] = lambda device: DeviceGrabber(device, ASKED),
    ) -> None:
        self._listed = listed
        self._grabber = grabber
        self._one = threading.Lock()

    def lists(self, number: int) -> bool:
        """Return whether this computer has a camera of this number."""
        return any(one.number == number for one in self._listed())

    def picture(self, number: int) -> bytes | None:
        """Return what a camera sees now as a small JPEG, or None while another one is open or it gives no picture.

        Raises:
            SourceError: it cannot be opened; another program may be using it.
        """
        if not self._one.acquire(timeout=PATIENCE):
            return None
        grabber = self._grabber(str(number))
        try:
            grabber.open()
            newest = None
            for _ in range(SETTLES):
                frame = grabber.grab(lambda _seconds: False)
                newest = newest if frame is None else frame
            return None if newest is None else as_jpeg(newest, WIDEST, QUALITY)
        finally:
            grabber.close()
            self._one.release()


PREVIEW = AppKey[Preview]("preview")


@blueprint.get("/api/cameras/<int:number>/live.jpg")
@owner_only
def live(number: int) -> Response:
    """Return what a camera of this computer sees now, or JSON with the reason as ``sentence``, null if unknown."""
    preview = PREVIEW.get()
    if not preview.lists(number):
        abort(404, "This computer has no such camera.")
    try:
        jpeg = preview.picture(number)
    except SourceError as why:
        return jsonify({"sentence": why.sentence.to_json()})
    return jsonify({"sentence": None}) if jpeg is None else Response(jpeg, mimetype="image/jpeg")

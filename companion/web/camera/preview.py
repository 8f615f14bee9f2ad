"""What the cameras of this computer see, for a person who chooses one: live, and by the path that the reader uses."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort, jsonify

from companion.vision.images import as_jpeg
from companion.vision.sources import open_source
from companion.vision.sources.source import FrameSource, SourceState
from companion.web.access.auth import owner_only
from companion.web.app_state import AppKey, table

DEVICES = Path("/sys/class/video4linux")


@dataclass(frozen=True, order=True)
class Attached:
    """A camera by its number, as ``--camera`` takes it, and the name that it gives itself."""

    number: int
    name: str


def attached_cameras(devices: Path = DEVICES) -> list[Attached]:
    """Return the cameras that Linux lists, by number; an empty list where the system lists none.

    A camera has several devices; only the one with index 0 sends pictures.
    """
    found = []
    for device in devices.glob("video*"):
        number = device.name.removeprefix("video")
        try:
            if number.isdecimal() and (device / "index").read_text().strip() == "0":
                found.append(Attached(int(number), (device / "name").read_text(errors="replace").strip()))
        except OSError:
            continue  # unplugged a moment ago
    return sorted(found)


PREVIEW_WIDTH: Final = 480
"""Pixels; enough to distinguish two cameras."""

PREVIEW_QUALITY: Final = 75

PICTURE_WAIT_SECONDS: Final = 4.0
"""Seconds that a request waits for a picture: some cameras take two to start."""

CHECK_EVERY_SECONDS: Final = 0.2
"""Seconds between two checks whether the camera is lost."""

UNUSED_SECONDS: Final = 6.0
"""Seconds without a request after which a camera is let go, for other programs: longer than a request waits."""

blueprint = Blueprint("preview", __name__)


class CameraPreview:
    """Holds cameras open while somebody looks at them. Thread-safe."""

    def __init__(
        self,
        listed: Callable[[], list[Attached]] = attached_cameras,
        opener: Callable[[str], FrameSource] = open_source,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listed = listed
        self._opener = opener
        self._clock = clock
        self._lock = threading.Lock()
        self._open: dict[int, tuple[FrameSource, float]] = {}
        self._sweeper: threading.Timer | None = None

    def lists(self, number: int) -> bool:
        """Return whether this computer has a camera of this number."""
        return any(one.number == number for one in self._listed())

    def source(self, number: int) -> FrameSource:
        """Return a camera, opened if it is not open yet."""
        with self._lock:
            source = self._open[number][0] if number in self._open else self._opener(str(number))
            source.start()
            self._open[number] = source, self._clock()
            self._sweep_later()
            return source

    def release(self) -> None:
        """Let go of every camera, so that the table can open one."""
        with self._lock:
            gone = [source for source, _ in self._open.values()]
            self._open.clear()
        for source in gone:
            source.close()

    def _sweep_later(self) -> None:
        if self._sweeper is None:
            self._sweeper = threading.Timer(UNUSED_SECONDS, self._sweep)
            self._sweeper.daemon = True
            self._sweeper.start()

    def _sweep(self) -> None:
        with self._lock:
            self._sweeper = None
            old = [number for number, (_, used) in self._open.items() if self._clock() - used >= UNUSED_SECONDS]
            gone = [self._open.pop(number)[0] for number in old]
            if self._open:
                self._sweep_later()
        for source in gone:
            source.close()


PREVIEW = AppKey[CameraPreview]("preview")


@blueprint.get("/api/cameras/<int:number>/live.jpg")
@owner_only
def live(number: int) -> Response:
    """Return what a camera of this computer sees now, or JSON with the reason as ``sentence``.

    A camera that the table looks through is not opened a second time: most cameras refuse that.
    """
    preview = PREVIEW.get()
    if not preview.lists(number):
        abort(404, "This computer has no such camera.")
    in_use = (table().upkeep.dice_camera(), table().board_camera())
    names = (f"camera {number}", f"camera /dev/video{number}")
    source = next((one for one in in_use if one is not None and one.name in names), None) or preview.source(number)
    end = time.monotonic() + PICTURE_WAIT_SECONDS
    while (frame := source.newest(0, CHECK_EVERY_SECONDS)) is None and time.monotonic() < end:
        if source.state == SourceState.LOST:
            break
    if frame is None or source.state == SourceState.LOST:
        return jsonify({"sentence": source.sentence.to_json()})
    return Response(
        as_jpeg(frame.image, PREVIEW_WIDTH, PREVIEW_QUALITY),
        mimetype="image/jpeg",
        headers={"Cache-Control": "no-store"},
    )

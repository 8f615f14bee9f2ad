"""Where frames come from: a device, a video, a folder, a network address, a browser page, a sample script."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from companion.language.sentence import Sentence
from companion.vision.images import load_image
from companion.vision.readings import Image
from companion.vision.source_names import MIRROR, PUSHED
from companion.vision.sources.address import ADDRESSES, AddressGrabber, require_address, shown_address
from companion.vision.sources.capture import Thinning
from companion.vision.sources.device import DeviceGrabber
from companion.vision.sources.folder import PICTURES, FolderGrabber
from companion.vision.sources.grabbed import GrabbedSource, Grabber
from companion.vision.sources.pushed import PushedSource
from companion.vision.sources.recorded import RecordedSource
from companion.vision.sources.scripted import ScriptedSource
from companion.vision.sources.source import SourceError, UnknownSourceError
from companion.vision.sources.video_file import VideoFileGrabber

FIRST_PICTURE_WAIT = 10.0
"""Seconds in which a camera must deliver its first picture."""


def open_source(
    spec: str, *, loop: bool = False, waits: bool = False, settings: Mapping[str, Any] | None = None
) -> GrabbedSource | PushedSource:
    """Return the source that ``spec`` names; ``start()`` begins it.

    A number or ``/dev/...`` is a device, ``http://`` or ``rtsp://`` an address, ``push`` frames from a browser page
    (``phone``: from that of a phone), a folder its pictures (with a script.json: that script), any other file a
    video. ``mirror:`` before any of these: its pictures are mirrored, and are turned back. ``loop``: play again after
    the end; ``waits``: a folder or video shows its first picture until `Recording.begin` and keeps showing its last
    one; ``settings``: exposure, white balance and focus that a device holds, as a profile keeps them. A missing or busy
    camera is no error here: the state of the source reports it later.

    Raises:
        UnknownSourceError: ``spec`` names no source.
    """
    spec = spec.strip()
    if spec.startswith(MIRROR):
        source = open_source(spec.removeprefix(MIRROR), loop=loop, waits=waits, settings=settings)
        source.mirror()
        return source
    if spec in PUSHED:
        return PushedSource(PUSHED[spec])
    if spec.lower().startswith(ADDRESSES):
        require_address(spec)
        return _camera(shown_address(spec), lambda thinning: AddressGrabber(spec, thinning=thinning))
    if names_device(spec):
        held = dict(settings or {})
        return _camera(spec, lambda thinning: DeviceGrabber(spec, settings=held, thinning=thinning))
    return _recording(spec, loop=loop, waits=waits)


def _camera(name: str, make: Callable[[Thinning], Grabber]) -> GrabbedSource:
    """Return a real camera, all of whose grabbers thin its frames by what the watching threads say."""
    thinning = Thinning()
    return GrabbedSource(f"camera {name}", lambda: make(thinning), may_repeat=True, thinning=thinning)


def _recording(spec: str, *, loop: bool, waits: bool) -> GrabbedSource:
    """Return a folder of pictures or a video as `open_source` does."""
    path = local_path(spec)
    recorded = RecordedSource if waits else partial(GrabbedSource, recorded=True)
    if path is None:
        raise UnknownSourceError(
            Sentence(
                "Expected a camera such as 0, /dev/video0, http://..., rtsp://..., push, a video or a folder, "
                "but there is no '{spec}': check the spelling.",
                spec=shown_address(spec),
            )
        )
    if not path.is_dir():
        return recorded(f"video {path.name}", lambda: VideoFileGrabber(path, loop=loop), may_repeat=True)
    if (path / "script.json").is_file():
        return ScriptedSource(path, loop=loop, waits=waits)
    return recorded(f"folder {path.name}", lambda: FolderGrabber(path, loop=loop))


def names_device(spec: str) -> bool:
    """Whether ``spec`` names a camera of this computer: a number or a device, but no folder in shared memory."""
    in_memory = spec.startswith("/dev/shm/")  # noqa: S108  # nothing is written there
    return spec.isdecimal() or (spec.startswith("/dev/") and not in_memory)


def local_path(spec: str) -> Path | None:
    """Return the file or folder of this computer that ``spec`` names, or None."""
    try:
        path = Path(spec).expanduser()
        return path if spec.strip() and path.exists() else None
    except (OSError, RuntimeError, ValueError):  # a name that is too long, an unknown user's home, a zero byte
        return None


def first_picture(spec: str) -> Image:
    """Return one picture: that of a picture file, else the first one of a source as `open_source` names it.

    Raises:
        SourceError: the source gives none within `FIRST_PICTURE_WAIT` seconds; the sentence says why.
        BadFrameError: the file is no picture.
    """
    if spec.startswith(MIRROR):
        return np.ascontiguousarray(first_picture(spec.removeprefix(MIRROR))[:, ::-1])
    path = None if spec.lower().startswith(ADDRESSES) else Path(spec)
    if path is not None and path.suffix.lower() in PICTURES:
        return load_image(local_path(spec) or path)
    source = open_source(spec)
    source.start()
    try:
        frame = source.newest(after=0, timeout=FIRST_PICTURE_WAIT)
        state = source.sentence  # a source that is closed no longer says why it sent nothing
    finally:
        source.close()
    if frame is not None:
        return frame.image
    raise SourceError(
        Sentence(
            "Expected a picture from {source} within {seconds} s. {state}",
            source=source.name,
            seconds=round(FIRST_PICTURE_WAIT),
            state=state,
        )
    )

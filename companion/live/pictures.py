"""Pictures of the mat in memory: the newest, and those of the last throws and questions. Nothing outside the mat."""

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from companion.vision.images import as_jpeg
from companion.vision.readings import Frame, Image, ReadDie

QUALITY = 85  # of the JPEG: letters of 15 pixels stay readable
WIDEST = 1280  # pixels of a picture that is shown or kept
MARGIN = 0.3  # of a die's size, around it in its crop
LEAST_CROP = 48  # pixels
TABLE, BOARD = "table", "board"  # the names of the two newest pictures
HASH = re.compile(r"[0-9a-f]{64}")
MOST_KEPT = 144  # pictures and crops in memory, some 100 kB each at most


def jpeg(image: Image) -> bytes:
    """Return the picture as JPEG, made smaller if it is very wide."""
    return as_jpeg(image, WIDEST, QUALITY)


def crop_of(image: Image, die: ReadDie) -> bytes:
    """Return a JPEG of one die with some ground around it, the whole picture if it has no outline."""
    if len(die.polygon) < 3:  # noqa: PLR2004  (an outline)
        return jpeg(image)
    corners = np.array(die.polygon)
    low, high = corners.min(axis=0), corners.max(axis=0)
    centre, half = (low + high) / 2, max(float((high - low).max()) * (0.5 + MARGIN), LEAST_CROP / 2)
    height, width = image.shape[:2]
    left, top = (np.clip(centre - half, 0, [width - 2, height - 2])).astype(int)
    right, bottom = (np.clip(centre + half, [left + 2, top + 2], [width, height])).astype(int)
    return jpeg(np.ascontiguousarray(image[top:bottom, left:right]))


def digest(picture: bytes) -> str:
    """Return the hash under which a journal names a picture."""
    return hashlib.sha256(picture).hexdigest()


class Pictures:
    """The pictures that pages may ask for, by name; any thread."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder``: where the owner allows pictures of throws to be kept for good, or None."""
        self._folder = folder
        self._lock = threading.Lock()
        self._frames: dict[str, Frame] = {}
        self._encoded: dict[str, tuple[int, bytes]] = {}
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def show(self, frame: Frame) -> None:
        """Take the newest frame, cropped to the mat. It is encoded only if somebody looks."""
        self._frames[TABLE] = frame

    def show_board(self, frame: Frame) -> None:
        """Take the newest frame of the camera over the board, cropped to the board, where that is another camera."""
        self._frames[BOARD] = frame

    def keep(self, event: int, picture: bytes, crops: Sequence[bytes]) -> None:
        """Keep the picture of an event and the crops of its dice; the oldest give way."""
        with self._lock:
            self._kept[f"crop-{event}"] = self._kept[digest(picture)] = picture
            for place, crop in enumerate(crops):
                self._kept[f"crop-{event}-{place}"] = crop
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / f"{digest(picture)}.jpg").write_bytes(picture)

    def has(self, name: str) -> bool:
        """Tell whether there is a picture under this hash, in memory or where the owner lets them be kept."""
        if name in self._kept:
            return True
        path = self._path(name)
        return path is not None and path.is_file()

    def _stored(self, name: str) -> bytes | None:
        path = self._path(name)
        try:
            return None if path is None else path.read_bytes()
        except OSError:
            return None

    def _path(self, name: str) -> Path | None:
        """Return where the picture of this hash would lie; no other name ever becomes part of a path."""
        return self._folder / f"{name}.jpg" if self._folder is not None and HASH.fullmatch(name) else None

    def forget(self) -> None:
        """Drop all pictures of throws: event numbers begin anew with another match."""
        with self._lock:
            self._kept.clear()

    def get(self, name: str) -> bytes | None:
        """Return the JPEG of this name: ``table``, ``board``, ``crop-...``, or the hash of one that was kept."""
        if name not in (TABLE, BOARD):
            kept = self._kept.get(name)
            return self._stored(name) if kept is None else kept
        frame = self._frames.get(name)
        if frame is None:
            return None
        with self._lock:
            known = self._encoded.get(name)
            if known is None or known[0] != frame.number:
                known = self._encoded[name] = (frame.number, jpeg(frame.image))
            return known[1]

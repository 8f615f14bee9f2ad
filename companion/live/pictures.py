"""Pictures of the mat in memory: the newest, and those of the last throws and questions. Nothing outside the mat."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import numpy as np

from companion.live.keeping import PictureFolder
from companion.vision.images import as_jpeg
from companion.vision.readings import Frame, Image, ReadDie

QUALITY = 85  # of the JPEG: letters of 15 pixels stay readable
WIDEST_PIXELS = 1280  # pixels of a picture that is shown or kept
CROP_MARGIN = 0.3  # of a die's size, around it in its crop
LEAST_CROP = 48  # pixels
TABLE, BOARD = "table", "board"  # the names of the two newest pictures
MOST_KEPT = 144  # pictures and crops in memory, some 100 kB each at most


def jpeg(image: Image) -> bytes:
    """Return the picture as JPEG, made smaller if it is very wide."""
    return as_jpeg(image, WIDEST_PIXELS, QUALITY)


def crop_of(image: Image, die: ReadDie) -> bytes:
    """Return a JPEG of one die with some ground around it, the whole picture if it has no outline."""
    if len(die.polygon) < 3:  # noqa: PLR2004  (an outline)
        return jpeg(image)
    corners = np.array(die.polygon)
    low, high = corners.min(axis=0), corners.max(axis=0)
    centre, half = (low + high) / 2, max(float((high - low).max()) * (0.5 + CROP_MARGIN), LEAST_CROP / 2)
    height, width = image.shape[:2]
    left, top = (np.clip(centre - half, 0, [width - 2, height - 2])).astype(int)
    right, bottom = (np.clip(centre + half, [left + 2, top + 2], [width, height])).astype(int)
    return jpeg(np.ascontiguousarray(image[top:bottom, left:right]))


def digest(picture: bytes) -> str:
    """Return the hash under which a journal names a picture."""
    return hashlib.sha256(picture).hexdigest()


class Pictures:
    """The pictures that pages may ask for, by name; any thread."""

    def __init__(self, folder: PictureFolder | None = None) -> None:
        """``folder``: where pictures are kept on the disk as far as the owner allows it, or None for nowhere."""
        self.folder = folder
        self._lock = threading.Lock()
        self._frames: dict[str, Frame] = {}
        self._encoded: dict[str, tuple[int, bytes]] = {}
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def show(self, frame: Frame) -> None:
        """Take the newest frame, cropped to the mat. It is encoded only if somebody looks."""
        self._frames[TABLE] = frame

    def show_board(self, frame: Frame) -> None:
        """Take the newest frame of the camera over the board, cropped to the board, if that is another camera."""
        self._frames[BOARD] = frame

    def keep(self, event: int, picture: bytes, crops: Sequence[bytes], *, asked: bool = False) -> None:
        """Keep the picture of an event and the crops of its dice; drop the oldest ones.

        ``asked``: a person is asked about it. If the disk does not take a picture, the game goes on.
        """
        with self._lock:
            self._kept[f"crop-{event}"] = self._kept[digest(picture)] = picture
            for place, crop in enumerate(crops):
                self._kept[f"crop-{event}-{place}"] = crop
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._to_disk(digest(picture), picture, asked=asked)

    def _to_disk(self, name: str, picture: bytes, *, asked: bool) -> None:
        if self.folder is not None:
            self.folder.try_to_keep(name, picture, asked=asked)

    def hold(self, picture: bytes, *, asked: bool = False) -> str:
        """Keep one picture under its hash, and return the hash; drop the oldest ones.

        ``asked``: a person is asked about it. If the disk does not take a picture, everything goes on.
        """
        name = digest(picture)
        with self._lock:
            self._kept[name] = picture
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._to_disk(name, picture, asked=asked)
        return name

    def remove(self, digests: Iterable[str]) -> int:
        """Delete pictures from disk and memory, by their hashes; return how many there were on the disk."""
        gone = list(digests)
        with self._lock:
            for name in gone:
                self._kept.pop(name, None)
        return 0 if self.folder is None else self.folder.remove(gone)

    def prune(self) -> float | None:
        """Delete what the owner no longer allows, if that is due; return the seconds until the next time."""
        if self.folder is None:
            return None
        if self.folder.waits() == 0:
            self.folder.prune()
        return self.folder.waits()

    def newest(self, name: str) -> Frame | None:
        """Return the newest frame of ``table`` or ``board``, cropped as it is shown; None before the first."""
        return self._frames.get(name)

    def has(self, name: str) -> bool:
        """Return whether there is a picture under this hash, in memory or where the owner allows them to be kept."""
        return name in self._kept or (self.folder is not None and self.folder.holds(name))

    def forget_newest(self) -> None:
        """Drop the newest pictures of table and board: another camera looks there now."""
        with self._lock:
            self._frames.clear()
            self._encoded.clear()

    def forget(self) -> None:
        """Drop all pictures of throws: event numbers start again with another match."""
        with self._lock:
            self._kept.clear()

    def get(self, name: str) -> bytes | None:
        """Return the JPEG of this name: ``table``, ``board``, ``crop-...``, or the hash of one that was kept."""
        if name not in (TABLE, BOARD):
            kept = self._kept.get(name)
            return self.folder.read(name) if kept is None and self.folder is not None else kept
        frame = self._frames.get(name)
        if frame is None:
            return None
        with self._lock:
            known = self._encoded.get(name)
            if known is None or known[0] != frame.number:
                known = self._encoded[name] = (frame.number, jpeg(frame.image))
            return known[1]

"""A folder of pictures as a camera: in the order of their names, each shown for a while."""

from pathlib import Path

from companion.language.sentence import Sentence
from companion.vision.images import load_image
from companion.vision.picture_header import BadFrameError
from companion.vision.readings import Image
from companion.vision.sources.grabbed import Pace, Waiter
from companion.vision.sources.source import SourceBrokenError, SourceEndedError

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})
FRAME_SECONDS = 1 / 15  # seconds between two frames, as a camera would send them


class FolderGrabber:
    """Shows each picture for ``seconds``; at the end begins again (``loop``) or ends. Skips unreadable ones."""

    frozen_after: float | None = None

    def __init__(self, folder: Path, *, seconds: float = 1.0, loop: bool = True) -> None:
        self._folder = folder
        self._repeats = max(1, round(seconds / FRAME_SECONDS))
        self._loop = loop
        self._pace = Pace(FRAME_SECONDS)
        self._paths: list[Path] = []
        self._next = 0
        self._shown: Image | None = None
        self._left = 0
        self._readable = 0

    def open(self) -> None:
        """List the folder."""
        try:
            names = sorted(path for path in self._folder.iterdir() if path.suffix.lower() in PICTURES)
        except OSError as error:
            raise SourceBrokenError(
                Sentence("The folder {folder} cannot be read: check its path.", folder=str(self._folder))
            ) from error
        if not names:
            raise SourceBrokenError(
                Sentence("The folder {folder} holds no pictures: put JPEGs into it.", folder=str(self._folder))
            )
        self._paths, self._next, self._left, self._readable = names, 0, 0, 0

    def grab(self, wait: Waiter) -> Image | None:
        """Return the picture on show, or the next one when its time is over."""
        if self._left == 0:
            self._shown = self._following()
            self._left = self._repeats if self._shown is not None else 0
        if self._shown is None or self._pace.step(wait):
            return None
        self._left -= 1
        return self._shown

    def close(self) -> None:
        """Forget the picture on show."""
        self._shown = None

    def _following(self) -> Image | None:
        if self._next == len(self._paths):
            if self._readable == 0:
                raise SourceBrokenError(
                    Sentence(
                        "The folder {folder} holds no picture that can be read: save them as JPEG.",
                        folder=str(self._folder),
                    )
                )
            if not self._loop:
                raise SourceEndedError(Sentence("The folder {folder} has ended.", folder=self._folder.name))
            self._next = self._readable = 0
        path = self._paths[self._next]
        self._next += 1
        try:
            image = load_image(path)
        except BadFrameError:
            return None
        self._readable += 1
        return image

"""Which pictures of the table the owner allows to be kept on the disk, and for how long; older ones are deleted."""

import logging
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from companion.language.sentence import Sentence, SentenceError
from companion.whole_file import write_whole

log = logging.getLogger(__name__)

Which = Literal["never", "asked", "all"]
"""The throws and boards whose pictures are kept: none, only those that a person was asked about, or all that led to an
event."""

WHICH: Final[tuple[Which, ...]] = get_args(Which)
MOST_DAYS: Final = 3650
"""The most days for which pictures may be kept."""

HASH: Final = re.compile(r"[0-9a-f]{64}")
DAY_SECONDS: Final = 24 * 3600.0
PRUNE_EVERY: Final = 3600.0
"""Seconds between two searches for pictures that are too old."""


class KeepingError(SentenceError):
    """Pictures cannot be kept like that; the text is one sentence."""


@dataclass(frozen=True)
class Keeping:
    """The owner's rule on pictures: ``which`` are kept, and for how many ``days`` from when they were taken."""

    which: Which = "never"
    days: int = 30

    def __post_init__(self) -> None:
        if self.which not in WHICH:
            raise KeepingError(
                Sentence(
                    "Expected {ways} for the pictures that are kept, but got {got}.",
                    ways=", ".join(WHICH),
                    got=repr(self.which)[:40],
                )
            )
        if isinstance(self.days, bool) or not isinstance(self.days, int) or not 1 <= self.days <= MOST_DAYS:
            raise KeepingError(
                Sentence(
                    "Expected 1 to {most} days for pictures to be kept, but got {got}.",
                    most=MOST_DAYS,
                    got=repr(self.days)[:40],
                )
            )


@dataclass(frozen=True)
class Kept:
    """The pictures on the disk: how many they are, and how many bytes they take."""

    pictures: int
    size: int


class PictureFolder:
    """The pictures on the disk, each named by the SHA-256 of its JPEG, as the journal names it. Any thread.

    Those that a person was asked about end in ``.asked.jpg``: this marks them where only such pictures may stay.
    """

    def __init__(self, folder: Path, keeping: Keeping, clock: Callable[[], float] = time.time) -> None:
        """``clock``: seconds since 1970, as the disk dates its files."""
        self.folder = folder
        self._keeping = keeping
        self._clock = clock
        self._searched_at: float | None = None  # monotonic time of the last search for old ones

    @property
    def keeping(self) -> Keeping:
        """What the owner allows now."""
        return self._keeping

    def keep(self, digest: str, jpeg: bytes, *, asked: bool) -> None:
        """Keep a picture if the owner allows it.

        Raises:
            UnwrittenFileError: the disk does not take it.
        """
        if self._keeping.which == "never" or (self._keeping.which == "asked" and not asked):
            return
        write_whole(self.folder / f"{digest}{'.asked' if asked else ''}.jpg", jpeg, durable=False, folders=True)

    def try_to_keep(self, digest: str, jpeg: bytes, *, asked: bool) -> None:
        """Keep a picture as `keep` does; if the disk does not take it, everything goes on."""
        try:
            self.keep(digest, jpeg, asked=asked)
        except OSError as why:
            log.warning("a picture could not be kept: %s", why.strerror)

    def read(self, digest: str) -> bytes | None:
        """Return a kept picture, or None."""
        for path in self._paths(digest):
            try:
                return path.read_bytes()
            except OSError:
                continue
        return None

    def holds(self, digest: str) -> bool:
        """Return whether a picture is kept."""
        return any(path.is_file() for path in self._paths(digest))

    def use(self, keeping: Keeping) -> int:
        """Apply another rule of the owner from now on; return how many pictures were deleted that it forbids."""
        self._keeping = keeping
        return self.prune()

    def prune(self) -> int:
        """Delete pictures that are too old or no longer allowed; return how many."""
        self._searched_at = time.monotonic()
        oldest = self._clock() - self._keeping.days * DAY_SECONDS
        gone = 0
        for path in self._all():
            try:
                allowed = self._keeping.which == "all" or (
                    self._keeping.which == "asked" and path.name.endswith(".asked.jpg")
                )
                if not allowed or path.stat().st_mtime < oldest:
                    path.unlink()
                    gone += 1
            except FileNotFoundError:
                continue
        return gone

    def waits(self) -> float | None:
        """Return the seconds until the next search for old pictures, None while there is nothing to search for."""
        if self._searched_at is None:
            return 0.0
        if self._keeping.which == "never":
            return None
        return max(0.0, self._searched_at + PRUNE_EVERY - time.monotonic())

    def remove(self, digests: Iterable[str]) -> int:
        """Delete these pictures; return how many there were."""
        gone = 0
        for digest in digests:
            for path in self._paths(digest):
                if path.exists():
                    path.unlink(missing_ok=True)
                    gone += 1
        return gone

    def clear(self) -> int:
        """Delete every picture; return how many there were."""
        paths = self._all()
        for path in paths:
            path.unlink(missing_ok=True)
        return len(paths)

    def kept(self) -> Kept:
        """Return what lies on the disk."""
        sizes = []
        for path in self._all():
            try:
                sizes.append(path.stat().st_size)
            except FileNotFoundError:
                continue
        return Kept(len(sizes), sum(sizes))

    def _all(self) -> list[Path]:
        return sorted(self.folder.glob("*.jpg")) if self.folder.is_dir() else []

    def _paths(self, digest: str) -> tuple[Path, ...]:
        if not HASH.fullmatch(digest):
            return ()  # no other name ever becomes part of a path
        return self.folder / f"{digest}.jpg", self.folder / f"{digest}.asked.jpg"

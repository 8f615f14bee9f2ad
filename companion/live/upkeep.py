"""What the owner of a running table looks after: kept pictures, lights, and whether everything is alive. Any thread."""

import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.desk.table.match_desk import Reply
from companion.language.sentence import Sentence, SentenceJson
from companion.ledger.tail import END as TAIL
from companion.live.cameras import Cameras
from companion.live.dice_memory.known import Remembered
from companion.live.dice_memory.teaching import Teaching
from companion.live.features import RunningFeatures
from companion.live.keeping import Keeping, Kept
from companion.live.pictures import Pictures
from companion.vision.sources.source import FrameSource

if TYPE_CHECKING:
    from companion.live.audits.auditing import Auditing

LEAST_ROOM: Final = 200 * 1024 * 1024
"""Free bytes of the disk below which the owner learns that it is nearly full."""

LEARNT_WAIT: Final = 3.0
"""Seconds that a page waits for the watching thread, which does what is asked between two pictures."""

NO_AUDITS: Final = Sentence("No dice are picked for checks at this table.")

FRESH_SECONDS: Final = 10.0
"""Seconds after which the newest frame counts as old."""


@dataclass(frozen=True)
class ThreadSeen:
    """One thread that must be alive: its name, and whether it is."""

    name: str
    alive: bool


@dataclass(frozen=True)
class CameraSeen:
    """One camera: ``over`` dice or board, its name, state and sentence, and the age in seconds of its newest frame."""

    over: str
    name: str
    state: str
    sentence: SentenceJson
    frame_age: float | None


@dataclass(frozen=True)
class VitalSigns:
    """Whether the table is alive. Sizes in bytes; ``uptime`` in seconds; ``damaged``: journals that were set aside."""

    threads: tuple[ThreadSeen, ...]
    cameras: tuple[CameraSeen, ...]
    uptime: float
    journal: str
    journal_size: int
    damaged: tuple[str, ...]
    room: int | None
    memory: int | None

    @property
    def well(self) -> bool:
        """Whether nothing here needs the owner."""
        return (
            all(thread.alive for thread in self.threads)
            and all(camera.frame_age is not None and camera.frame_age < FRESH_SECONDS for camera in self.cameras)
            and (self.room is None or self.room > LEAST_ROOM)
            and not self.damaged
        )


class Upkeep:
    """What an owner can do with a running table beside the game: nothing here changes a match."""

    def __init__(
        self,
        journal: Path,
        pictures: Pictures,
        cameras: Cameras,
        features: RunningFeatures,
        threads: Callable[[], Sequence[threading.Thread]] = lambda: (),
        *,
        ask: Callable[[Callable[[], Reply]], Reply] = lambda act: act(),
    ) -> None:
        """``threads``: those that must be alive beside the ones of cameras and lights.

        ``ask``: lets the writer do what is asked of it.
        """
        self._journal = journal
        self._pictures = pictures
        self._cameras = cameras
        self._threads = threads
        self.leds, self._programs = features.leds, features.programs
        self._learning, self._teaching, self._auditing = features.learning, features.teaching, features.auditing
        self._ask = ask
        self._began = time.monotonic()

    def keep_pictures(self, keeping: Keeping) -> int:
        """Keep pictures on the disk by another rule from now on; return how many were deleted that it forbids."""
        return 0 if self._pictures.folder is None else self._pictures.folder.use(keeping)

    def clear_pictures(self) -> int:
        """Delete every picture from disk and memory; return how many there were on the disk."""
        self._pictures.forget()
        drawn = 0 if self._auditing is None else self._auditing.clear_pictures()
        return drawn if self._pictures.folder is None else drawn + self._pictures.folder.clear()

    def kept(self) -> Kept:
        """Return which pictures lie on the disk."""
        return Kept(0, 0) if self._pictures.folder is None else self._pictures.folder.kept()

    @property
    def teaching(self) -> Teaching | None:
        """The course in which somebody teaches the table its dice; None where no camera sees them, or none may."""
        return None if self._cameras.source is None else self._teaching

    @property
    def auditing(self) -> "Auditing | None":
        """What draws dice for the owner to look at; None where no camera sees any, or none are drawn."""
        return None if self._cameras.source is None else self._auditing

    def remembered(self) -> Remembered | None:
        """Return what the table remembers of its dice; None where it learns nothing, or no camera sees them."""
        return None if self._learning is None or self._cameras.source is None else self._learning.remembered

    def learn(self, *, on: bool) -> None:
        """Let the table learn its dice and use what it learnt, or not."""
        if self._learning is not None:
            done = self._learning.use(on=on)
            if self._cameras.source is not None:  # else it is done when a camera sees the dice
                _await(done)

    def forget_dice(self) -> bool:
        """Forget all that was learnt of the dice; return whether it is done already."""
        return self._learning is None or self._cameras.source is None or _await(self._learning.clear())

    def audit(self, dice: str, number: int, face: str | None) -> Reply:
        """Say what a die shows that was drawn for an audit; see `Auditing.answer`."""
        return self._of_auditing(lambda auditing: auditing.answer(dice, number, face))

    def settle_audit(self, dice: str, number: int) -> Reply:
        """Leave a throw as it is although a person read a die of it otherwise."""
        return self._of_auditing(lambda auditing: auditing.settle(dice, number))

    def _of_auditing(self, act: "Callable[[Auditing], Reply]") -> Reply:
        auditing = self.auditing
        return Reply(ok=False, sentence=NO_AUDITS) if auditing is None else self._ask(lambda: act(auditing))

    def draw_audits(self, *, on: bool) -> None:
        """Draw dice for audits from now on, or none."""
        if self._auditing is not None:
            self._auditing.use(on=on)

    def play_programs(self, strength: str, pause: float) -> None:
        """Let the program play at this strength, and wait so many seconds before its turns, from now on."""

        def play() -> Reply:
            self._programs.play(strength, pause)
            return Reply(ok=True, sentence=Sentence("Saved; it applies from now on."))

        self._ask(play)

    def dice_camera(self) -> FrameSource | None:
        """Return the camera over the dice, or None."""
        return self._cameras.source

    def vital_signs(self) -> VitalSigns:
        """Check everything now."""
        threads = [*self._threads(), *self._cameras.threads(), *self.leds.threads()]
        path = self._journal
        size = sum(part.stat().st_size for end in ("", "-wal", TAIL) if (part := Path(f"{path}{end}")).exists())
        return VitalSigns(
            tuple(ThreadSeen(thread.name, thread.is_alive()) for thread in threads),
            tuple(self._cameras_seen()),
            time.monotonic() - self._began,
            str(path),
            size,
            tuple(sorted(found.name for found in path.parent.glob(f"{path.name}.damaged-*[0-9]"))),
            _room(path.parent),
            memory(),
        )

    def _cameras_seen(self) -> list[CameraSeen]:
        named = [("dice", self._cameras.source)]
        board = None if self._cameras.board is None else self._cameras.board.source
        if board is not self._cameras.source:
            named.append(("board", board))
        seen = []
        for over, source in named:
            if source is not None:
                frame = source.newest(0, 0)
                age = None if frame is None else max(0.0, time.monotonic() - frame.taken)
                seen.append(CameraSeen(over, source.name, str(source.state), source.sentence.to_json(), age))
        return seen


def _await(answer: Future[None]) -> bool:
    try:
        answer.result(LEARNT_WAIT)
    except TimeoutError:
        return False
    return True


def _room(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def memory() -> int | None:
    """Return how many bytes of memory this program holds now; None where the system does not say."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * 4096

"""The running table: one writer owns match and journal, a watcher looks, others read snapshots and send commands."""

import logging
import random
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from companion.desk.page.library import Library
from companion.desk.page.match_review import MatchReview
from companion.desk.table.match_desk import Reply
from companion.live.arrivals import Arrivals
from companion.live.cameras import Cameras
from companion.live.chronicles import Chronicles
from companion.live.features import PLAIN, RunningFeatures, TableFeatures
from companion.live.inbox import Inbox
from companion.live.keeping import Keeping, PictureFolder
from companion.live.pictures import Pictures
from companion.live.running import Running
from companion.live.seeing import NOTHING_SEEN, Seeing
from companion.live.shared_matches import SharedMatches
from companion.live.snapshot import SnapshotStore
from companion.live.upkeep import Upkeep
from companion.live.watching.dice_settings import Combine, combined
from companion.live.writer import Parts, Writer
from companion.live.writer_loop import WriterLoop
from companion.referee.readable import Dice
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.sources.source import FrameSource

log = logging.getLogger(__name__)


class LiveTable(Running):
    """A table with or without a camera. All public methods may be called from any thread."""

    def __init__(
        self,
        journal: Path,
        sees: Seeing = NOTHING_SEEN,
        features: TableFeatures = PLAIN,
        *,
        keeping: Keeping | None = None,
        clock: Callable[[], float] = time.time,
        chance: random.Random | None = None,
        combine: Combine = combined,
        first_version: int = 0,
    ) -> None:
        """Make a table that does nothing before `start`.

        Args:
            journal: the file in which every match is kept.
            sees: what it looks through, unless it plays a sample.
            features: what it has and does beside the match.
            keeping: which pictures of throws and boards may be kept beside the journal; none by default.
            clock: seconds since 1970, for the journal.
            chance: what the program throws with; by default the system's own generator.
            combine: joins readings of several frames of one throw.
            first_version: the version of the last snapshot of the table that was shown before this one.

        Raises:
            UnknownSourceError: there is no such sample table.
            UnknownBoardError: there is no such board to be read.
        """
        self._pictures = Pictures(PictureFolder(journal.with_suffix(".pictures"), keeping or Keeping(), clock))
        self._inbox = inbox = Inbox()
        shown = SnapshotStore(first_version)
        chance = chance or random.SystemRandom()
        self._library = Library(journal)
        self._chronicles = Chronicles(journal, self._pictures.has)
        running = RunningFeatures(features, inbox, chance, SharedMatches(journal))
        self._followers, self._plays_sample = running.followers, bool(running.sample_name)
        sees = running.seeing(sees)
        cameras = Cameras(sees.source, sees.side(), running.watching(sees, combine), self._pictures, inbox)
        parts = Parts(
            shown,
            clock,
            chance,
            self._pictures,
            cameras,
            running.squares,
            running.strength,
            running.sample_name,
            running.followers,
        )
        self._writer = Writer(journal, parts)
        super().__init__(WriterLoop("referee", inbox, self._writer), shown, cameras)
        self.remote = running.remote
        """What holds an open match and that of another table together."""
        self._arrivals = Arrivals(journal, self._loop.ask, self._writer)
        self.upkeep = Upkeep(journal, self._pictures, cameras, running, lambda: [self._loop.thread], ask=self._loop.ask)

    def start(self, *, cameras: bool = True) -> None:
        """Open the journal and the last match that is not over, then the ``cameras``, unless they wait.

        Raises:
            JournalError: the journal cannot be opened; nothing runs.
        """
        self._loop.start()
        for follower in self._followers:
            follower.start()
        if cameras:
            self.start_cameras()

    def start_cameras(self) -> None:
        """Start the cameras, unless they run."""
        self._cameras.start()

    def stop(self) -> None:
        """End all threads and close camera and journal. What was answered is in the journal."""
        self._cameras.stop()
        self._loop.stop()
        for follower in self._followers:
            follower.stop()
        self._board.close()

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Hand a command to the writer and wait for its answer; see `companion.desk.table.commands`."""
        return self._loop.ask(lambda: self._writer.command(name, data, actor))

    def set_suspended(self, *, suspended: bool) -> Reply:
        """Suspend the table outside its hours, its cameras closed and its lights dark, or wake it again."""
        return self._loop.ask(lambda: self._writer.set_suspended(suspended=suspended))

    def picture(self, name: str) -> bytes | None:
        """Return a JPEG, cropped to mat or board: ``table``, ``board``, ``crop-<event>[-<die>]``; or None."""
        return self._pictures.get(name)

    def board_camera(self) -> FrameSource | None:
        """Return the camera that looks at the board, or could: a board may be calibrated under it; None without one."""
        return None if self._plays_sample else self._cameras.over_board

    def use_cameras(self, sees: Seeing) -> Reply:
        """Look through other cameras from now on, also in the middle of a match.

        Raises:
            UnknownBoardError: there is no such board to be read.
        """
        side = sees.side()
        return self._loop.ask(lambda: self._writer.use_cameras(sees, side))

    def try_dice(self, dice: Dice) -> None:
        """Read these dice while no match says which lie there."""
        self._cameras.before_a_match = dice
        self._inbox.nudge()

    @property
    def tried_dice(self) -> str:
        """The set of dice that is read while no match says which ones lie there."""
        return self._cameras.before_a_match[0]

    def calibrated(self, profile: BoardProfile, actor: str) -> Reply:
        """Follow the board from the place that a person has just shown, at once, also in the middle of a match."""
        log.info("%s has calibrated the board %s", actor, profile.name)
        return self._loop.ask(lambda: self._writer.calibrated(profile))

    def matches(self, first: int = 0, count: int = -1, only: int | None = None) -> list[dict[str, Any]]:
        """List the journal's matches, the one with the newest event first: ``count`` from ``first`` on, or all."""
        return self._library.matches(first, count, only)

    def match_count(self) -> int:
        """Return how many matches the journal holds."""
        return self._library.count()

    def chronicle(self, match: int) -> MatchReview | None:
        """Return a match event by event, as it stands now; None if the journal has none of this number."""
        return self._chronicles.of(match)

    def export(self, match: int) -> Iterator[str] | None:
        """Return a whole match as JSON lines, or None if there is no such match."""
        return self._library.export(match)

    def import_lines(self, lines: Iterable[str], actor: str) -> Reply:
        """Take in an exported match; the reply's data names the match."""
        whole = list(lines)
        log.info("%s brings a match of %d lines", actor, len(whole))
        return self._arrivals.take_in(whole)

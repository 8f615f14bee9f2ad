"""The running laboratory: one writer owns the series, a watcher looks, all others read snapshots and send commands."""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.desk.page.series import throw_json
from companion.desk.series.commands import ReadingFacts
from companion.desk.series.judging import accounts_of
from companion.desk.series.rows import UNSORTED
from companion.desk.shapes.series import SeriesThrowShape
from companion.desk.table.match_desk import Reply
from companion.fairness.account import DieAccount
from companion.fairness.series.fold import NoSeriesError, Series
from companion.fairness.series.ledger import SeriesLedger
from companion.language.sentence import Sentence, why_of
from companion.ledger.entries import JournalError
from companion.live.cameras import Cameras
from companion.live.inbox import Inbox
from companion.live.keeping import Keeping, PictureFolder
from companion.live.laboratory.likes import Likes, as_kept
from companion.live.laboratory.photographs import Photographs
from companion.live.laboratory.questions import Questions
from companion.live.laboratory.row_store import RowStore
from companion.live.laboratory.rows import SortedRows
from companion.live.laboratory.writer import LaboratoryParts, LaboratoryWriter
from companion.live.pictures import Pictures, jpeg
from companion.live.running import Running
from companion.live.snapshot import SnapshotStore
from companion.live.watching.dice_settings import Combine, Reader, WatchSettings, combined, dice_reader
from companion.live.watching.lit_frames import Switch
from companion.live.writer_loop import WriterLoop
from companion.referee.readable import Dice
from companion.rules.dice import DiceSet
from companion.vision.mat import Mat
from companion.vision.readings import Image
from companion.vision.sources.source import FrameSource

if TYPE_CHECKING:
    from companion.vision.dice.memory.table import TableMemory

log = logging.getLogger(__name__)

LARGEST_SEED = 2**53  # a number that any reader of JSON keeps exact


class Laboratory(Running):
    """A laboratory with or without a camera. All public methods may be called from any thread."""

    def __init__(
        self,
        path: Path,
        *,
        source: FrameSource | None = None,
        mat: Mat | None = None,
        keeping: Keeping | None = None,
        clock: Callable[[], float] = time.time,
        seed: Callable[[], int] = lambda: secrets.randbelow(LARGEST_SEED),
        profile: "TableMemory | None" = None,
        reader: Callable[[Dice], Reader] | None = None,
        taught: "Callable[[str], TableMemory | None]" = lambda _: None,
        combine: Combine = combined,
        about: Mapping[str, str] | None = None,
        measured: Mapping[str, Any] | None = None,
        lamps: Switch | None = None,
        by_likeness: bool = False,
        learn: int | None = None,
    ) -> None:
        """Make a laboratory that does nothing before `start`.

        Args:
            path: the file in which every series is kept.
            source: the camera, or None.
            mat: the part of the picture that counts; by default a tray or mat that is found in the first frame.
            keeping: which pictures of throws may be kept beside the file; none by default.
            clock: seconds since 1970, for the file.
            seed: draws a series' seed, which decides the throws that are audited.
            profile: what was learnt of the owner's dice.
            reader: makes a reader for dice, in the watching thread; by default one for the series' own dice.
            taught: returns what somebody taught of an owner's own set of dice under this camera.
            combine: joins readings of several frames of one throw.
            about: what the program knows for the report: profile, software.
            measured: how the reader read known faces when it was measured, by a die's name, "" for any die.
            lamps: two lamps over the dice, lit one by one where a view leaves a question; None without.
            by_likeness: each series of one die that begins is counted by likeness: its throws are kept, sorted into
                rows that a person names once, and then read.
            learn: of how many throws the rows are made; by default of 8 for each face.
        """
        self._path = path
        self._pictures = Pictures(PictureFolder(path.with_suffix(".pictures"), keeping or Keeping(), clock))
        self._photographs = Photographs(path.with_suffix(".photographs"))
        inbox, shown = Inbox(), SnapshotStore(0)
        self._questions = Questions(inbox.nudge)
        own_sets: dict[str, DiceSet] = {}
        general = reader or dice_reader(profile, own_sets, taught=taught)
        settings = WatchSettings(mat, general, combine, lamps=lamps)
        store = RowStore(path.with_suffix(".rows.db"))
        self._likes: Likes | None = None
        self._rows = UNSORTED
        if by_likeness:
            from companion.live.laboratory.like_readers import likeness_readers  # noqa: PLC0415  (nets load slowly)

            self._likes = likes = Likes(general, own_sets)
            self._rows = SortedRows(likes, store, self._photographs, inbox.nudge, learn)
            settings = WatchSettings(mat, likeness_readers(likes), combine, lamps=lamps, cut=likes.cut, restless=False)
        cameras = Cameras(source, None, settings, self._pictures, inbox)
        self._writer = LaboratoryWriter(
            path,
            LaboratoryParts(
                shown,
                clock,
                seed,
                self._pictures,
                self._photographs,
                cameras,
                self._questions,
                own_sets,
                ReadingFacts(about or {}, measured or {}),
                store,
                self._rows,
            ),
        )
        self._last_folded: Series | None = None  # the series asked for last; guarded by the lock
        self._folding = threading.Lock()
        super().__init__(WriterLoop("laboratory", inbox, self._writer), shown, cameras)

    def start(self) -> None:
        """Open the file and the last series that was not laid aside, then the camera.

        Raises:
            JournalError: the file cannot be opened; nothing runs.
        """
        self._loop.start()
        self._cameras.start()

    def stop(self) -> None:
        """End all threads and close camera and file. What was answered is in the file."""
        self._cameras.stop()
        self._loop.stop()
        self._questions.stop()
        self._rows.stop()
        self._board.close()

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Hand a command to the writer and wait for its answer; see `companion.desk.series.commands`."""
        reply = self._loop.ask(lambda: self._writer.command(name, data, actor))
        if name == "delete":  # its number may be given again
            with self._folding:
                self._last_folded = None
        return reply

    def picture(self, name: str) -> bytes | None:
        """Return a JPEG: ``table``, or the hash of a throw's picture or of a photograph; or None."""
        return self._pictures.get(name) or self._photographs.get(name) or self._rows.picture(name)

    def throws(self, series: int) -> list[SeriesThrowShape] | None:
        """Return every throw of a series as it stands, in their order; None if there is no such series."""
        with self._folding:
            folded = self._folded(series)
            return None if folded is None else [throw_json(folded, throw) for throw in folded.throws]

    def accounts(self, series: int) -> list[DieAccount] | None:
        """Return an account of each die of a series, as it stands; None if there is no such series."""
        with self._folding:
            folded = self._folded(series)
            return None if folded is None else accounts_of(folded, self._photographs.get, self._pictures.get)

    def count(self, pictures: Iterable[Image]) -> Iterator[Sentence | None]:
        """Count each picture as a throw of the open series, which is counted by likeness.

        Yields after each throw why its die could not be cut out, None where it was. For one thread, which does not
        look through a camera as well.
        """
        from companion.vision.dice.atlas.method import NotCut, cuts_of, method_for  # noqa: PLC0415  (nets load slowly)

        with self._folding:
            series = self._folded(self.snapshot().data["series"]["id"])
        assert series is not None
        assert self._likes is not None
        die = series.dice[0]
        for picture, cut in cuts_of(method_for(die.dice, die.die, surface=self._likes.by_surface), pictures):
            missed = isinstance(cut, NotCut)
            self._likes.saw_late([(jpeg(picture), None) if missed else as_kept(cut)])
            self._loop.ask(lambda: Reply(ok=True, sentence=Sentence("The table answers.")))
            yield why_of(cut) if missed else None

    def _folded(self, series: int) -> Series | None:
        """Fold a series from the file, through a connection of its own; continue the one that was folded last."""
        known = self._last_folded if self._last_folded is not None and self._last_folded.id == series else None
        self._last_folded = None
        try:
            with SeriesLedger(self._path, writable=False) as ledger:
                if known is None:
                    known = Series(ledger.events(series))
                else:
                    for entry in ledger.events(series, known.events):
                        known.take(entry)
        except (JournalError, NoSeriesError) as why:
            log.warning("series %s cannot be told: %s", series, why)
            return None
        self._last_folded = known
        return known

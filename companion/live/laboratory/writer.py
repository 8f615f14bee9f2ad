"""The laboratory's writer: it owns series and file, does what it is asked, publishes the state; its loop runs it."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.desk.page.series import LaboratoryNow, SeriesPage, laboratory_snapshot, listed, status_sentence
from companion.desk.series.commands import ReadingFacts, SeriesCommands
from companion.desk.series.rows import Rows
from companion.desk.series.series_desk import SeriesDesk
from companion.desk.series.throw_judge import ThrowJudge
from companion.desk.shapes.series import ListedShape
from companion.desk.sight import BoardSight, DiceSeen, Sight
from companion.desk.table.match_desk import PROGRAM, Reply
from companion.fairness.series.events import Learnt, SeriesStarted
from companion.fairness.series.fold import Series
from companion.fairness.series.ledger import SeriesLedger
from companion.language.sentence import Sentence
from companion.ledger.rescue import open_ledger
from companion.live.cameras import Cameras
from companion.live.laboratory.photographs import Photographs
from companion.live.laboratory.questions import Questions
from companion.live.laboratory.row_store import RowStore
from companion.live.pictures import Pictures
from companion.live.snapshot import SnapshotStore
from companion.live.writer_loop import ROOM_EVERY
from companion.referee.refused import RefusedError
from companion.rules.dice import DiceSet

log = logging.getLogger(__name__)

MOST_LISTED = 50  # series that a page lists


@dataclass(frozen=True)
class LaboratoryParts:
    """What the writer works with: other threads know these parts too, and they are made before the writer's begins.

    ``own_sets``: where the writer puts an owner's own set before the watching thread has to read it. ``rows``: what
    counts the series of this laboratory by likeness; ``row_store``: the rows of all series, also of those that an
    earlier run counted so.
    """

    board: SnapshotStore
    clock: Callable[[], float]
    seed: Callable[[], int]
    pictures: Pictures
    photographs: Photographs
    cameras: Cameras
    questions: Questions
    own_sets: dict[str, DiceSet]
    known: ReadingFacts
    row_store: RowStore
    rows: Rows


class LaboratoryWriter:
    """Owns series and file. Everything here is for the writer's thread alone."""

    def __init__(self, path: Path, parts: LaboratoryParts) -> None:
        """``path``: the file in which every series is kept."""
        self._path = path
        self._parts = parts
        self._sight = parts.cameras.sight
        self._page = SeriesPage(parts.questions, lambda name: parts.pictures.has(name) or parts.photographs.has(name))
        self._failure: Sentence | None = None
        self._hindrance: Sentence | None = None  # why dice of the newest sight are not read for certain
        self._listed: tuple[int, list[ListedShape]] = (-1, [])

    @contextmanager
    def open(self) -> Iterator[None]:
        """Open the file and the last series that was not laid aside."""
        with open_ledger(self._path, SeriesLedger) as ledger:
            self._desk = SeriesDesk(ledger, self._parts.clock)
            self._judge = ThrowJudge(self._desk, self._parts.pictures, self._named_later)
            self._commands = SeriesCommands(
                self._desk,
                self._judge,
                lambda: self._sight,
                seed=self._parts.seed,
                known=self._parts.known,
                pictures=self._parts.pictures,
                photographs=self._parts.photographs,
                row_store=self._parts.row_store,
                rows=self._parts.rows,
            )
            self._desk.reopen_last()
            if self._desk.series is not None:
                self._parts.rows.resume(self._desk.series)
            yield

    def waits(self) -> Iterable[float | None]:
        """Return in how many seconds the file or the pictures are due."""
        return ROOM_EVERY if self._desk.waits_for_room else None, self._parts.pictures.prune()

    def check(self, sight: Sight | None, board: BoardSight | None) -> None:
        """Take the newest sight of the dice; a laboratory has no board."""
        del board
        if sight is not None:
            before, seen = self._sight.seen, sight.seen
            if seen is not None and (before is None or before.interval != seen.interval):
                self._failure = None
                self._hindrance = _hindrance(self._desk.series, seen)
            self._sight = sight if seen is None else replace(sight, warning=sight.warning or self._hindrance)

    def go_on(self) -> None:
        """Count what is seen; report what cannot be written, and try again."""
        try:
            if not self._desk.waits_for_room or self._desk.try_again():
                self._follow_rows()  # throws that count late come before what lies there now
                self._judge.see(self._sight)
                self._follow_rows()
        except RefusedError as why:
            log.warning("what was seen could not be counted: %s", why)

    def _named_later(self, series: Series) -> Photographs | None:
        return self._parts.photographs if self._parts.rows.counts(series) else None

    def _follow_rows(self) -> None:
        rows = self._parts.rows
        while events := rows.follow(self._desk.series):
            self._desk.record(events, PROGRAM)
            if any(isinstance(one, Learnt) for one in events):
                rows.recorded()

    def failed(self, error: Exception) -> None:
        """Show the failure at once."""
        self._failure = Sentence(
            "Something failed inside the companion ({error}): look at the last throw, and type in what is missing.",
            error=type(error).__name__,
        )
        self.publish(hurried=False)

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Carry out a command of a page."""
        return self._commands.do(name, data, actor)

    def publish(self, *, hurried: bool) -> None:
        """Pass the current state to camera and questions, then publish the snapshot."""
        del hurried
        desk = self._desk
        self._drive(desk.series)
        trouble = desk.trouble if desk.waits_for_room else None
        row_sentence = self._parts.rows.sentence(desk.series)
        sentence, sign = status_sentence(desk.series, self._sight, self._judge.mismatch, trouble, row_sentence)
        now = LaboratoryNow(
            sentence,
            sign,
            self._sight,
            time.monotonic(),
            failure=self._failure,
            trouble=desk.trouble,
            copy_trouble=desk.ledger.copy_trouble,
            rows=self._parts.rows.to_page(desk.series),
        )
        self._parts.board.publish(laboratory_snapshot(self._page.of(desk.series), self._list(), now))

    def _drive(self, series: Series | None) -> None:
        """Set the dice that the camera reads, and start the tests of the series that are due."""
        if series is not None:
            self._parts.own_sets.update({die.dice.name: die.dice for die in series.dice if die.text})
            self._parts.questions.ask(series)
        self._parts.cameras.read(dice_of(series))

    def _list(self) -> list[ListedShape]:
        """List the series, the one with the newest event first; look them up again when another one is open."""
        series = self._desk.series
        if self._listed[0] != self._desk.turns:
            ledger = self._desk.ledger
            throws = ledger.count("thrown")
            lines = [
                listed(first.chain, first.event, first.at, last, throws)
                for first, last, _, _ in ledger.ends()[:MOST_LISTED]
                if isinstance(first.event, SeriesStarted)
            ]
            self._listed = (self._desk.turns, lines)
        if series is None:
            return self._listed[1]
        return [
            {**line, "throws": len(series.throws), "last": series.last} if line["id"] == series.id else line
            for line in self._listed[1]
        ]


def _hindrance(series: Series | None, seen: DiceSeen) -> Sentence | None:
    """Return what keeps dice from being read that are not read for certain; None where it is not known."""
    from companion.vision.dice.legibility import hindrance  # noqa: PLC0415  (OpenCV and nets load slowly)

    there = [die for die in seen.reading.dice if die.status != "ignored"]
    if series is None or all(die.status == "read" for die in there):
        return None
    return hindrance(series.dice[0].dice, [np.array(die.polygon) for die in there])


def dice_of(series: Series | None) -> tuple[str, tuple[str, ...] | None] | None:
    """Return the dice that a camera reads for a series: their set, and which of it; None without a series."""
    if series is None:
        return None
    first = series.dice[0].dice
    return first.name, None if first.alike else tuple(die.die.name for die in series.dice)

"""The laboratory's one writer: owns series and file, does what it is asked, says what is to be seen; in its thread."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.desk.page.series import LaboratoryNow, SeriesPage, laboratory_snapshot, listed, said
from companion.desk.series.commands import Commands, Known
from companion.desk.series.series_desk import SeriesDesk
from companion.desk.series.throw_rests import Rests
from companion.desk.sight import Sight
from companion.desk.table.match_desk import Reply
from companion.fairness.series.events import SeriesStarted
from companion.fairness.series.fold import Series
from companion.fairness.series.ledger import open_series_ledger
from companion.language.sentence import Sentence
from companion.live.cameras import Cameras
from companion.live.inbox import Inbox, Task
from companion.live.laboratory.photographs import Photographs
from companion.live.laboratory.questions import Questions
from companion.live.pictures import Pictures
from companion.live.snapshot import SnapshotStore
from companion.referee.match import RefusedError
from companion.rules.dice import DiceSet

log = logging.getLogger(__name__)

ROOM_EVERY = 1.0  # seconds between two looks whether a file that refused an event can be written again
MOST_LISTED = 50  # series that a page lists


@dataclass(frozen=True)
class Parts:
    """What the writer works with: each is known to other threads too, and made before the writer's begins.

    ``own_sets``: where the writer puts an owner's own set before the watching thread is told to read it.
    """

    inbox: Inbox
    board: SnapshotStore
    clock: Callable[[], float]
    seed: Callable[[], int]
    pictures: Pictures
    photographs: Photographs
    cameras: Cameras
    questions: Questions
    own_sets: dict[str, DiceSet]
    known: Known


class Writer:
    """Owns series and file. Everything here but `ready` is for its own thread alone."""

    def __init__(self, path: Path, parts: Parts) -> None:
        """``path``: the file in which every series is kept."""
        self._path = path
        self._parts = parts
        self._sight = parts.cameras.sight
        self._page = SeriesPage(parts.questions, parts.pictures.has)
        self._hitch: Sentence | None = None
        self._listed: tuple[int, list[dict[str, Any]]] = (-1, [])
        self.ready: Future[None] = Future()
        """Done once the file is open and the first snapshot is up, or failed with what was in the way."""

    def run(self) -> None:
        """Open the file and the last series, then do what comes until the inbox is closed."""
        try:
            ledger = open_series_ledger(self._path)
        except Exception as why:  # noqa: BLE001  (it is raised by start, in the thread that asked for it)
            self.ready.set_exception(why)
            return
        with ledger:
            self._desk = SeriesDesk(ledger, self._parts.clock)
            self._rests = Rests(self._desk, self._parts.pictures)
            self._commands = Commands(
                self._desk,
                self._rests,
                lambda: self._sight,
                seed=self._parts.seed,
                known=self._parts.known,
                pictures=self._parts.pictures,
                photographs=self._parts.photographs,
            )
            try:
                self._desk.reopen_last()
                self._publish()
            except Exception as why:  # noqa: BLE001  (likewise)
                self.ready.set_exception(why)
                return
            self.ready.set_result(None)
            while not self._parts.inbox.closed:
                self._turn()

    def _turn(self) -> None:
        waits = [ROOM_EVERY if self._desk.waits_for_room else None, self._parts.pictures.prune()]
        task, sight, _ = self._parts.inbox.take(min((wait for wait in waits if wait is not None), default=None))
        answered: Callable[[], None] | None = None
        try:
            self._look(sight)
            if task is not None:
                answered = self._answer(*task)
            if not self._desk.waits_for_room or self._desk.try_again():
                self._rests.see(self._sight)
            self._publish()
        except RefusedError as why:  # what was seen could not be written: it is said, and tried again
            log.warning("what was seen could not be counted: %s", why)
            self._publish()
        except Exception as error:
            log.exception("the laboratory goes on after this")
            self._hitch = Sentence(
                "Something failed inside the companion ({error}): look at the last throw, and type in what is missing.",
                error=type(error).__name__,
            )
            self._publish()
        finally:
            if answered is not None:
                answered()

    def _look(self, sight: Sight | None) -> None:
        if sight is not None:
            if sight.rest is not None and (self._sight.rest is None or self._sight.rest.rest != sight.rest.rest):
                self._hitch = None
            self._sight = sight

    def _answer(self, task: Task, answer: Future[Reply]) -> Callable[[], None]:
        """Carry out a task; its answer is given after the snapshot that shows it is up."""
        try:
            reply = task()
        except Exception as error:
            log.exception("a command failed")
            reply = Reply(
                ok=False, sentence=Sentence("That failed inside the companion ({error}).", error=type(error).__name__)
            )
        return lambda: answer.set_result(reply)

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Carry out a command of a page."""
        return self._commands.do(name, data, actor)

    def _publish(self) -> None:
        desk = self._desk
        self._drive(desk.series)
        trouble = desk.trouble if desk.waits_for_room else None
        sentence, sign = said(desk.series, self._sight, self._rests.mismatch, trouble)
        now = LaboratoryNow(
            sentence,
            sign,
            self._sight,
            time.monotonic(),
            hitch=self._hitch,
            trouble=desk.trouble,
            copy_trouble=desk.ledger.copy_trouble,
        )
        self._parts.board.publish(laboratory_snapshot(self._page.of(desk.series), self._list(), now))

    def _drive(self, series: Series | None) -> None:
        """Tell the camera which dice to read, and ask what is due of the series."""
        if series is not None:
            self._parts.own_sets.update({die.dice.name: die.dice for die in series.dice if die.text})
            self._parts.questions.ask(series)
        self._parts.cameras.read(dice_of(series))

    def _list(self) -> list[dict[str, Any]]:
        """List the series, the one in which something last happened first; looked up anew when another one is open."""
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
            line | {"throws": len(series.throws), "last": series.last} if line["id"] == series.id else line
            for line in self._listed[1]
        ]


def dice_of(series: Series | None) -> tuple[str, tuple[str, ...] | None] | None:
    """Return the dice that a camera is to read for a series: their set, and which of it; None without a series."""
    if series is None:
        return None
    first = series.dice[0].dice
    return first.name, None if first.alike else tuple(die.die.name for die in series.dice)

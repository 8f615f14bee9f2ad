"""The table's writer: it owns match and journal, does what it is asked, and publishes the state; its loop runs it."""

import logging
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.desk.finding import BoardFinding
from companion.desk.kept import UnwrittenError
from companion.desk.last_failure import LastFailure
from companion.desk.page.match import MatchPage
from companion.desk.page.table import TableNow, table_snapshot
from companion.desk.shapes.common import State
from companion.desk.sight import BoardSight, Sight
from companion.desk.table.autoplay import Autoplay
from companion.desk.table.board_judge import BoardJudge
from companion.desk.table.commands import TableCommands
from companion.desk.table.deletion import delete_match
from companion.desk.table.demonstration import Demonstration, untouched
from companion.desk.table.dice_judge import DiceJudge, IntervalResult
from companion.desk.table.match_desk import PROGRAM, Desk, Reply
from companion.desk.table.square_sense import SquaresAlone
from companion.desk.table.state import state_of
from companion.desk.table.turn_end import TurnEnd
from companion.desk.watched import Watched, watched
from companion.language.sentence import Sentence
from companion.live.audits.auditing import Auditing
from companion.live.board_side import BoardSide
from companion.live.board_uplink import BoardUplink
from companion.live.cameras import Cameras, NoBoardCameraError
from companion.live.dice_memory.match_lessons import MatchLessons
from companion.live.led_board import LedBoard
from companion.live.pictures import Pictures
from companion.live.program_seats import ProgramSeats
from companion.live.sample import Sample
from companion.live.seeing import Seeing
from companion.live.snapshot import SnapshotStore
from companion.live.writer_loop import ROOM_EVERY
from companion.referee.journal import Entry, Journal, JournalError
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.referee.rescue import open_journal
from companion.vision.boards.board_profile import BoardProfile

log = logging.getLogger(__name__)

PUBLISH_EVERY = 0.2  # seconds between two snapshots while the program throws quickly
MOST_ROUNDS = 4  # how often dice and men are judged in turn while one gives the other a meaning


@dataclass(frozen=True)
class Parts:
    """What the writer works with: other threads know these parts too, and they are made before the writer's begins."""

    sample: Sample | None
    board: SnapshotStore
    clock: Callable[[], float]
    chance: random.Random
    pictures: Pictures
    cameras: Cameras
    autoplay: Autoplay
    programs: ProgramSeats
    uplink: BoardUplink
    leds: LedBoard
    lessons: MatchLessons
    auditing: Auditing | None = None


class Writer:
    """Owns match and journal. Everything here is for the writer's thread alone."""

    def __init__(self, journal: Path, parts: Parts) -> None:
        """``journal``: the file in which every match is kept."""
        self._path = journal
        self._parts = parts
        self._sight = parts.cameras.sight
        self._page = MatchPage(lambda name: parts.pictures.get(name) is not None, self._watched)
        self._published = 0.0
        self._arriving = 0  # the number of the match that comes in from elsewhere
        self._last_failure = LastFailure()
        self._demonstration = (
            None if parts.sample is None else Demonstration(parts.sample.script, parts.sample.source.pace)
        )

    @contextmanager
    def open(self) -> Iterator[None]:
        """Open the journal and the last match that is not over."""
        with open_journal(self._path) as journal:
            scripted = (lambda _: None) if self._parts.sample is None else self._parts.sample.script.throw
            self._desk = Desk(journal, self._parts.clock, self._parts.chance, scripted)
            self._dice_judge = DiceJudge(self._desk)
            self._board_judge = BoardJudge(self._desk, self._dice_judge.coming, self._parts.uplink.squares)
            self._commands = TableCommands(
                self._desk,
                self._dice_judge,
                self._parts.autoplay,
                lambda: self._sight,
                board_judge=self._board_judge,
                follows=self._parts.cameras.watches,
                strength=self._parts.programs.usual,
                sample=self._parts.sample is not None,
                pictures=self._parts.pictures,
            )
            squares = SquaresAlone(self._desk, self._parts.uplink.squares)
            self._parts.uplink.serve(TurnEnd(self._desk, self._board_judge), squares)
            self._open_last(journal)
            with self._audits_open():
                self._followed_from(self._desk.match)
                yield

    @contextmanager
    def _audits_open(self) -> Iterator[None]:
        self._open_audits()
        try:
            yield
        finally:
            if self._parts.auditing is not None:
                self._parts.auditing.close()

    def _open_audits(self) -> None:
        """Draw dice under the camera that looks at them now; without one, nothing is drawn."""
        source = self._parts.cameras.source
        if self._parts.auditing is not None and source is not None:
            self._parts.auditing.open(source.name)

    def _followed_from(self, match: Match | None) -> None:
        """Learn from this match and draw dice of it from here on."""
        self._parts.lessons.begin(match)
        if self._parts.auditing is not None:
            self._parts.auditing.begin(match)

    def _open_last(self, journal: Journal) -> None:
        for match_id in journal.latest():
            if self._desk.reopen(match_id) is not None:
                break
        sample, match = self._parts.sample, self._desk.match
        if sample is None:
            return
        if match is not None and match.started.sample == sample.script.name:
            sample.skip(match)
            return
        sample.script.begin(self._desk)

    def waits(self) -> Iterable[float | None]:
        """Return in how many seconds the program, the sample's person, the board or the pictures are due."""
        runs = self._parts.autoplay.runs(self._desk.match)
        now, stuck = time.monotonic(), self._desk.waits_for_room
        throws = self._parts.autoplay.wait(now) if runs and not stuck else None
        seats = None if runs or stuck else self._parts.programs.wait(self._desk.match, now)
        shows = None if self._demonstration is None or stuck else self._demonstration.wait(now)
        room = ROOM_EVERY if stuck else None
        return throws, seats, shows, room, self._parts.uplink.waits(), self._parts.pictures.prune()

    def look(self, sight: Sight | None, board: BoardSight | None) -> None:
        """Take the newest sights of dice and board."""
        seen = replace(sight or self._sight, board=board or self._sight.board)
        self._sight = self._parts.cameras.apart(seen, self._desk.match)

    def go_on(self) -> None:
        """Use what is seen, and let the program and the sample's person do what is due."""
        if self._desk.waits_for_room and not self._desk.try_again():
            return
        self._parts.uplink.follow()
        self._see(self._seen())
        if self._parts.uplink.settle(self._seen().board):
            self._see(self._seen())
        runs = self._parts.autoplay.runs(self._desk.match)
        if runs and not self._parts.autoplay.wait(time.monotonic()):
            self._throw()
        elif not runs and self._parts.programs.wait(self._desk.match, time.monotonic()) == 0.0:
            self._parts.programs.act(self._desk)
        self._demonstrate()
        self._parts.lessons.follow(self._desk.match, self._sight.seen)
        if self._parts.auditing is not None:
            self._parts.auditing.follow(self._desk.match, self._sight.seen)

    def _demonstrate(self) -> None:
        """Let the person at a sample's table do what is due; a match that nobody else took part in is not kept."""
        before = self._desk.match
        if self._demonstration is None or self._parts.sample is None:
            return
        due = self._demonstration.due(before, time.monotonic(), self._parts.sample.made)
        if due is None:
            return
        reply = self.command(due.name, due.data, due.actor)
        if not reply.ok:
            log.warning("the demonstration could not go on: %s", reply.sentence)
        elif before is not None and due.name == "reset" and untouched(before):
            lines = self._desk.journal.matches()
            last_hash = next(line.last_hash for line in lines if line.id == before.id)
            delete_match(self._desk, self._parts.pictures, before.id, last_hash)

    def _seen(self) -> Sight:
        """Return what the cameras see now, as far as it counts in the open match."""
        return self._watched(self._desk.match).of(self._sight)

    def _watched(self, match: Match | None) -> Watched:
        sample = self._parts.sample
        return watched(match, None if sample is None else sample.script.name)

    def set_suspended(self, *, suspended: bool) -> Reply:
        """Close cameras and darken lights, or open and light them again."""
        self._parts.cameras.set_suspended(suspended=suspended)
        self._parts.leds.darken(dark=suspended)
        return Reply(ok=True, sentence=Sentence("The table rests.") if suspended else Sentence("The table is awake."))

    def failed(self, error: Exception) -> None:
        """Show the failure with the next snapshot."""
        self._last_failure.failed(error)

    def _see(self, sight: Sight) -> None:
        """Judge the table again: a command, too, may give what is there a meaning.

        What the men show may be what the dice had waited for, and the other way round.
        """
        self._last_failure.look(sight, self._desk.match)
        for _ in range(MOST_ROUNDS):
            before = None if self._desk.match is None else len(self._desk.match.entries)
            try:
                waits = self._parts.cameras.board_first(sight, self._desk.match)
                finding = IntervalResult() if waits else self._dice_judge.see(sight)
                if finding.event is not None and sight.seen is not None:
                    asked = self._desk.match is not None and self._desk.match.question is not None
                    crops = self._dice_judge.crops(sight.seen)
                    self._parts.pictures.keep(finding.event, sight.seen.picture, crops, asked=asked)
                self._keep_board(self._board_judge.see(sight.board), sight)
            except RefusedError as why:
                log.warning("what was seen could not be used: %s", why)
                self._last_failure.record(why.sentence)
            if before == (None if self._desk.match is None else len(self._desk.match.entries)):
                return

    def _keep_board(self, finding: BoardFinding | None, sight: Sight) -> None:
        """Keep the picture of a board that led to an event, once."""
        seen = None if sight.board is None else sight.board.seen
        if finding is not None and finding.event is not None and seen is not None:
            self._parts.pictures.keep(finding.event, seen.picture, (), asked=finding.kind == "asked")

    def _throw(self) -> None:
        try:
            self._desk.throw(PROGRAM)
        except UnwrittenError as why:
            log.warning("the program waits with its throw: %s", why)
        except RefusedError as why:
            log.warning("the program stops throwing: %s", why)
            self._parts.autoplay.stop()
        self._parts.autoplay.threw(time.monotonic())

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Carry out a command of a page."""
        before = None if self._desk.match is None else self._desk.match.id
        reply = self._commands.do(name, data, actor)
        match, auditing = self._desk.match, self._parts.auditing
        if reply.ok and name == "delete_match" and auditing is not None:
            auditing.deleted(data["match"])
        if match is not None and match.id != before:
            self._followed_from(match)
            self._parts.pictures.forget()
            sample = self._parts.sample
            if sample is not None and sample.script.plays(match):
                sample.skip(match)
                sample.script.seat(self._desk)
                self._sight = replace(self._sight, seen=None)  # what lies there belongs to where the script was before
        return reply

    def use_cameras(self, sees: Seeing, board: BoardSide | None) -> Reply:
        """Look through other cameras from now on; a match that one of them watched goes on as it stands."""
        cameras, source = self._parts.cameras, sees.source
        looks = replace(cameras.looks, mat=sees.mat, lamps=sees.lamps, reader=sees.reader or cameras.looks.reader)
        auditing = self._parts.auditing
        if auditing is not None:
            auditing.close()
        self._sight = cameras.use(source, board, looks)
        self._open_audits()
        self._parts.lessons.forget_looks()
        self._followed_from(self._desk.match)
        self._dice_judge.forget(self._sight)
        self._board_judge.forget()
        if source is None and board is None:
            return Reply(ok=True, sentence=Sentence("The table looks through no camera now: tap in the dice."))
        return Reply(ok=True, sentence=Sentence("The table looks through this camera now."))

    def calibrated(self, profile: BoardProfile) -> Reply:
        """Follow the board from its place in this profile."""
        try:
            begun = self._parts.cameras.calibrated(profile)
        except NoBoardCameraError:
            return Reply(ok=False, sentence=Sentence("No camera sees a board: choose one on the page Camera."))
        board = begun or self._sight.board
        # What was seen was seen at another place: look again before anything is judged.
        self._sight = replace(self._sight, board=None if board is None else replace(board, seen=None, trouble=None))
        match = self._desk.match
        if match is None or match.over or match.started.men_by != "camera":
            return Reply(ok=True, sentence=Sentence("The board is followed from here on."))
        self._board_judge.forget()
        return Reply(
            ok=True, sentence=Sentence("The board is followed from its new place; the match goes on as it stands.")
        )

    def take_in(self, entries: Sequence[Entry]) -> Reply:
        """Write a piece of the match that comes in from elsewhere; nobody is shown it before `taken_in`."""
        journal = self._desk.journal
        try:
            number = journal.next_match() if entries[0].number == 1 else self._arriving
            journal.arrive(number, entries)
        except JournalError as why:
            return Reply(ok=False, sentence=why.sentence)
        self._arriving = number
        return Reply(ok=True, sentence=Sentence("The match was imported."))

    def taken_in(self, *, whole: bool) -> Reply:
        """Show the match whose pieces were all taken in, or delete those that were."""
        number, self._arriving = self._arriving, 0
        try:
            (self._desk.journal.arrived if whole else self._desk.journal.abandon)(number)
        except JournalError as why:
            return Reply(ok=False, sentence=why.sentence)
        return Reply(ok=True, sentence=Sentence("The match was imported."), data={"match": number})

    def publish(self, *, hurried: bool) -> None:
        """Pass the current state to all parts, then publish the snapshot.

        ``hurried``: publish only now and then while the program throws quickly.
        """
        match, now = self._desk.match, time.monotonic()
        runs = self._parts.autoplay.runs(match)
        if hurried and runs and now - self._published < PUBLISH_EVERY:
            return
        self._published = now
        finding = self._board_judge.finding
        state, sentence = state_of(match, self._seen(), self._dice_judge.mismatch, finding)
        self._drive(state, now)
        demonstration = self._demonstration
        stands = TableNow(
            match,
            state,
            sentence,
            self._sight,
            self._watched(match),
            now,
            finding=finding,
            reading=self._board_judge.reading,
            lights=self._parts.leds.part(match),
            demonstration=None if demonstration is None else demonstration.shown(match),
            autoplay=runs,
            failure=self._last_failure.sentence,
            sample=self._parts.sample is not None,
            followed=self._parts.cameras.followed,
            two_cameras=self._parts.cameras.two,
            trouble=self._desk.trouble,
            copy_trouble=self._desk.journal.copy_trouble,
        )
        self._parts.board.publish(table_snapshot(self._page.of(match), stands))

    def _drive(self, state: State, now: float) -> None:
        """Pass the current state of the match to cameras, sample, demonstration and lights."""
        match, finding, sample = self._desk.match, self._board_judge.finding, self._parts.sample
        self._parts.cameras.expect(match, self._board_judge, self._watched(match))
        if sample is not None:
            sample.keep_step(match, state, 0 if finding is None else finding.going)
        if self._demonstration is not None:
            self._demonstration.see(match, state, now)
        self._parts.leds.update(match, state, finding)

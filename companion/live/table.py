"""The running table: one writer owns match and journal, a watcher looks, everybody else reads snapshots and asks."""

import logging
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.live.autoplay import Autoplay
from companion.live.board_finding import BoardFinding
from companion.live.board_rests import BoardRests
from companion.live.board_side import AUTO, BoardSide, board_part
from companion.live.board_uplink import BoardUplink
from companion.live.board_watch import BoardLooks
from companion.live.cameras import Cameras, NoBoardCameraError
from companion.live.chronicles import Chronicles, ToldMatch
from companion.live.commands import Commands
from companion.live.desk import PROGRAM, Desk, Reply, UnwrittenError
from companion.live.dice_reading import combined, dice_reader
from companion.live.hitch import Hitch
from companion.live.inbox import Inbox, Task
from companion.live.keeping import Keeping, PictureFolder
from companion.live.led_board import AS_USUAL, LedBoard, Lights
from companion.live.library import Library
from companion.live.pictures import Pictures
from companion.live.program_seats import PAUSE, ProgramSeats
from companion.live.rests import Finding, Rests
from companion.live.sample import Sample
from companion.live.shown import MatchPage, camera_part, reading_part, said_to
from companion.live.sight import Sight
from companion.live.snapshot import NoticeBoard, Snapshot
from companion.live.square_sense import SquaresAlone
from companion.live.state import state_of
from companion.live.turn_end import TurnEnd
from companion.live.upkeep import Upkeep
from companion.live.vitals import Vitals
from companion.live.watch import Combine, Dice, Looks, Reader
from companion.referee.journal import Journal
from companion.referee.match import RefusedError
from companion.referee.rescue import open_journal
from companion.referee.transfer import AlreadyHereError, ImportRefusedError, import_match
from companion.rules.sentence import Sentence, why_of
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.mat import Mat
from companion.vision.sources import FrameSource
from firmware_bridge.transport import Transport

log = logging.getLogger(__name__)

ANSWER_WAIT = 10.0  # seconds that a command waits for the writer
PUBLISH_EVERY = 0.2  # seconds between two snapshots while the program throws quickly
MOST_ROUNDS = 4  # times that dice and men are looked at in turn while one gives the other a meaning
END_WAIT = 5.0  # seconds that stopping waits for each thread
ROOM_EVERY = 1.0  # seconds between two looks whether a journal that refused an event can be written again


class LiveTable:
    """A table with or without a camera. All public methods may be called from any thread."""

    def __init__(
        self,
        journal: Path,
        *,
        source: FrameSource | None = None,
        sample: str | None = None,
        mat: Mat | None = None,
        keeping: Keeping | None = None,
        sample_pace: float = 1.0,
        clock: Callable[[], float] = time.time,
        chance: random.Random | None = None,
        reader: Callable[[Dice], Reader] | None = None,
        combine: Combine = combined,
        leds: Transport | None = None,
        lights: Lights = AS_USUAL,
        board: str | None = None,
        board_source: FrameSource | None = None,
        board_looks: BoardLooks | None = None,
        program_pause: float = PAUSE,
    ) -> None:
        """Make a table that does nothing before `start`.

        Args:
            journal: the file in which every match is kept.
            source: the camera, or None; ``sample`` names a sample table instead.
            mat: the part of the picture that counts; by default a tray or mat is looked for in the first frame.
            keeping: which pictures of throws and boards may be kept beside the journal; none by default.
            sample_pace: how many times its own speed a sample table is played.
            clock: seconds since 1970, for the journal.
            chance: what the program throws with; by default the system's own generator.
            reader: makes a reader for dice, in the watching thread.
            combine: joins readings of several frames of one throw.
            leds: an LED board, or None.
            lights: its map and its theme.
            board: the board on which the men are followed, by name, `AUTO` for that of the game; None for none.
            board_source: the camera over the board; by default the camera of the dice sees the board too.
            board_looks: how the board is looked at.
            program_pause: seconds before each throw or choice of a player who is the program.

        Raises:
            UnknownSourceError: there is no such sample table.
            UnknownBoardError: there is no such board to be read.
        """
        self._path = journal
        self._sample = None if sample is None else Sample.open(sample, sample_pace)
        if self._sample is not None:
            source = self._sample.source
            if self._sample.board:
                source, board_source, board = None, self._sample.source, self._sample.board
        seen_by = board_source or source
        side: BoardSide | None = None
        if seen_by is not None and (board is not None or board_source is not None):
            side = BoardSide(seen_by, board or AUTO, board_looks, shared=board_source is None)
        self._pictures = Pictures(PictureFolder(journal.with_suffix(".pictures"), keeping or Keeping(), clock))
        self._inbox = Inbox()
        self._board = NoticeBoard(0)
        self._clock = clock
        self._chance = chance or random.SystemRandom()
        self._library = Library(journal)
        self._chronicles = Chronicles(journal, self._pictures.has)
        looks = Looks(mat, reader or dice_reader(), combine)
        self._cameras = Cameras(source, side, looks, self._pictures, self._inbox)
        self._sight = self._cameras.sight
        self._page = MatchPage(lambda name: self._pictures.get(name) is not None)
        self._autoplay = Autoplay()
        self._programs = ProgramSeats(self._chance, self._inbox.nudge, program_pause)
        self._published = 0.0
        self._hitch = Hitch()
        self._uplink = BoardUplink(self._inbox, lights.wiring, time.monotonic)
        self._leds = LedBoard(leds, lights, self._inbox.nudge, self._uplink)
        self._writer = threading.Thread(target=self._write, name="referee", daemon=True)
        self.upkeep = Upkeep(journal, self._pictures, self._leds, self._cameras, lambda: [self._writer])
        self._ready: Future[None] = Future()

    def start(self) -> None:
        """Open the journal and the last match that is not over, then the camera.

        Raises:
            JournalError: the journal cannot be opened; nothing runs.
        """
        self._writer.start()
        self._ready.result()
        self._leds.start()
        self._cameras.start()

    def stop(self) -> None:
        """End all threads and close camera and journal. What was answered is in the journal."""
        self._cameras.stop()
        self._inbox.close()
        self._programs.stop()
        if self._writer.ident is not None:
            self._writer.join(END_WAIT)
        self._leds.stop()
        self._board.close()

    def snapshot(self) -> Snapshot:
        """Return the newest state."""
        return self._board.newest()

    def lights(self) -> dict[str, list[int]] | None:
        """Return the colour that each site of a simulated board of lights shows now, None without such a board."""
        return self._leds.shown()

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        """Return a state newer than ``version``, waiting up to ``timeout`` seconds, or None."""
        return self._board.newer(version, timeout)

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Hand a command to the writer and wait for its answer; see `companion.live.commands`."""
        return self._ask(lambda: self._command(name, data, actor))

    def rest(self, *, resting: bool) -> Reply:
        """Let the table rest outside its hours, its cameras closed and its lights dark, or wake it again."""
        return self._ask(lambda: self._rested(resting=resting))

    def vitals(self) -> Vitals:
        """Say whether the writer answers, and how old the newest frame is; a watchdog lives by this."""
        answer = self._inbox.ask(lambda: Reply(ok=True, sentence=Sentence("The table answers.")))
        try:
            answers = answer is not None and answer.result(ANSWER_WAIT / 2).ok
        except TimeoutError:
            answers = False
        return Vitals(answers, self._cameras.frame_age(time.monotonic()))

    def picture(self, name: str) -> bytes | None:
        """Return a JPEG, cropped to mat or board: ``table``, ``board``, ``crop-<event>[-<die>]``; or None."""
        return self._pictures.get(name)

    def offer_frame(self, jpeg: bytes) -> None:
        """Take a picture that a browser page pushed.

        Raises:
            BadFrameError: it cannot show a table.
            NoPushedCameraError: this table's camera is another one, or it is closed.
        """
        self._cameras.offer(jpeg)

    def board_camera(self) -> FrameSource | None:
        """Return the camera that looks at the board, or could: a board may be calibrated under it; None without one."""
        return None if self._sample is not None else self._cameras.over_board

    def calibrated(self, profile: BoardProfile, actor: str) -> Reply:
        """Follow the board from where a person has just shown it to lie, at once, also in the middle of a match."""
        log.info("%s has calibrated the board %s", actor, profile.name)
        return self._ask(lambda: self._calibrated(profile))

    def matches(self) -> list[dict[str, Any]]:
        """List the journal's matches, the one in which something last happened first."""
        return self._library.matches()

    def chronicle(self, match: int) -> ToldMatch | None:
        """Return a match event by event, as it stands now; None if the journal has none of this number."""
        return self._chronicles.of(match)

    def export(self, match: int) -> Iterator[str] | None:
        """Give a whole match as JSON lines, or None if there is no such match."""
        return self._library.export(match)

    def import_lines(self, lines: Iterable[str], actor: str) -> Reply:
        """Take in an exported match; the reply's data names the match."""
        whole = list(lines)
        log.info("%s brings a match of %d lines", actor, len(whole))
        return self._ask(lambda: self._import(whole))

    def _ask(self, task: Task) -> Reply:
        answer = self._inbox.ask(task)
        if answer is None:
            return Reply(ok=False, sentence=Sentence("The table is busy or closed: try again in a moment."))
        try:
            return answer.result(ANSWER_WAIT)
        except TimeoutError:
            said = Sentence("The table has not answered in time: see whether the command was done, then try again.")
            return Reply(ok=False, sentence=said)

    # From here on everything runs in the writer's thread.

    def _write(self) -> None:
        try:
            journal = open_journal(self._path)
        except Exception as why:  # noqa: BLE001  (it is raised by start, in the thread that asked for it)
            self._ready.set_exception(why)
            return
        with journal:
            self._desk = Desk(journal, self._clock, self._chance)
            self._rests = Rests(self._desk)
            self._board_rests = BoardRests(self._desk, self._rests.coming, self._uplink.squares)
            self._commands = Commands(
                self._desk,
                self._rests,
                self._autoplay,
                lambda: self._sight,
                board=self._board_rests,
                follows=self._cameras.watches,
                pictures=self._pictures,
            )
            squares = SquaresAlone(self._desk, self._uplink.squares)
            self._uplink.serve(TurnEnd(self._desk, self._board_rests), squares)
            try:
                self._open_last(journal)
                self._publish()
            except Exception as why:  # noqa: BLE001  (likewise)
                self._ready.set_exception(why)
                return
            self._ready.set_result(None)
            while not self._inbox.closed:
                self._turn()

    def _open_last(self, journal: Journal) -> None:
        for match_id in journal.latest():
            if self._desk.reopen(match_id) is not None:
                break
        sample, match = self._sample, self._desk.match
        if sample is None:
            return
        if match is not None and match.started.sample == sample.name:
            sample.skip(match)
            return
        sample.begin(self._desk)

    def _turn(self) -> None:
        runs = self._autoplay.runs(self._desk.match)
        now, stuck = time.monotonic(), self._desk.waits_for_room
        throws = self._autoplay.wait(now) if runs and not stuck else None
        seats = None if runs or stuck else self._programs.wait(self._desk.match, now)
        waits = [throws, seats, ROOM_EVERY if stuck else None, self._uplink.waits(), self._pictures.prune()]
        task, sight, board = self._inbox.take(min((wait for wait in waits if wait is not None), default=None))
        answered: Callable[[], None] | None = None
        try:
            sight = replace(sight or self._sight, board=board or self._sight.board)
            self._sight = self._cameras.apart(sight, self._desk.match)
            if task is not None:
                answered = self._answer(*task)
            if not self._desk.waits_for_room or self._desk.try_again():
                self._go_on()
            self._publish(hurried=task is None)
        except Exception as error:
            log.exception("the referee goes on after this")
            self._hitch.failed(error)
        finally:
            if answered is not None:
                answered()

    def _go_on(self) -> None:
        self._uplink.follow()
        self._see(self._sight)
        if self._uplink.settle(self._sight.board):
            self._see(self._sight)
        runs = self._autoplay.runs(self._desk.match)
        if runs and not self._autoplay.wait(time.monotonic()):
            self._throw()
        elif not runs and self._programs.wait(self._desk.match, time.monotonic()) == 0.0:
            self._programs.act(self._desk)

    def _rested(self, *, resting: bool) -> Reply:
        self._cameras.rest(resting=resting)
        self._leds.darken(dark=resting)
        return Reply(ok=True, sentence=Sentence("The table rests.") if resting else Sentence("The table is awake."))

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

    def _see(self, sight: Sight) -> None:
        """Look at the table again: also what a command did may give what is there a meaning.

        What the men show may be what the dice had waited for, and the other way round.
        """
        self._hitch.look(sight, self._desk.match)
        for _ in range(MOST_ROUNDS):
            before = None if self._desk.match is None else len(self._desk.match.entries)
            try:
                waits = self._cameras.board_first(sight, self._desk.match)
                finding = Finding() if waits else self._rests.see(sight)
                if finding.event is not None and sight.rest is not None:
                    asked = self._desk.match is not None and self._desk.match.question is not None
                    crops = self._rests.crops(sight.rest)
                    self._pictures.keep(finding.event, sight.rest.picture, crops, asked=asked)
                self._keep_board(self._board_rests.see(sight.board), sight)
                if self._sample is not None and sight.board is not None:
                    self._sample.throw_next(self._desk, self._board_rests.finding)
            except RefusedError as why:
                log.warning("what was seen could not be used: %s", why)
                self._hitch.tell(why.sentence)
            if before == (None if self._desk.match is None else len(self._desk.match.entries)):
                return

    def _keep_board(self, finding: BoardFinding | None, sight: Sight) -> None:
        """Keep the picture of a board that led to an event, once."""
        seen = None if sight.board is None else sight.board.seen
        if finding is not None and finding.event is not None and seen is not None:
            self._pictures.keep(finding.event, seen.picture, (), asked=finding.kind == "asked")

    def _throw(self) -> None:
        try:
            self._desk.throw(PROGRAM)
        except UnwrittenError as why:
            log.warning("the program waits with its throw: %s", why)
        except RefusedError as why:
            log.warning("the program stops throwing: %s", why)
            self._autoplay.stop()
        self._autoplay.threw(time.monotonic())

    def _command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        before = None if self._desk.match is None else self._desk.match.id
        reply = self._commands.do(name, data, actor)
        match = self._desk.match
        if match is not None and match.id != before:
            self._pictures.forget()
            if self._sample is not None and self._sample.plays(match):
                self._sample.skip(match)
                self._sample.seat(self._desk)
        return reply

    def _calibrated(self, profile: BoardProfile) -> Reply:
        try:
            begun = self._cameras.calibrated(profile)
        except NoBoardCameraError:
            return Reply(ok=False, sentence=Sentence("No camera looks at a board: start the table with one."))
        board = begun or self._sight.board
        # What was seen was seen at another place: it is looked at again before anything is judged.
        self._sight = replace(self._sight, board=None if board is None else replace(board, seen=None, trouble=None))
        match = self._desk.match
        if match is None or match.over or match.started.men_by != "camera":
            return Reply(ok=True, sentence=Sentence("The board is followed from here on."))
        self._board_rests.forget()
        return Reply(
            ok=True, sentence=Sentence("The board is followed from its new place; the match goes on as it stands.")
        )

    def _import(self, lines: list[str]) -> Reply:
        try:
            match_id = import_match(self._desk.journal, lines)
        except AlreadyHereError as why:
            return Reply(ok=False, sentence=why_of(why), data={"match": why.match})
        except ImportRefusedError as why:
            return Reply(ok=False, sentence=why_of(why))
        return Reply(ok=True, sentence=Sentence("The match was taken in."), data={"match": match_id})

    def _publish(self, *, hurried: bool = False) -> None:
        match, sight, now = self._desk.match, self._sight, time.monotonic()
        runs = self._autoplay.runs(match)
        if hurried and runs and now - self._published < PUBLISH_EVERY:
            return
        self._published = now
        self._cameras.expect(match, self._board_rests)
        finding = self._board_rests.finding
        state, sentence = state_of(match, sight, self._rests.mismatch, finding)
        if self._sample is not None:
            self._sample.follow(match, 0 if finding is None else finding.going)
            self._sample.go_on(waits=state in ("PROPOSED", "MISMATCH"))
        trouble = self._desk.trouble
        self._board.put_up(
            {
                "state": state,
                "state_sentence": said_to(match, sentence).to_json(),
                "sample": self._sample is not None,
                "camera": camera_part(sight),
                **self._page.of(match),
                "reading": reading_part(match, sight),
                "board_camera": self._cameras.followed,
                "board_only": self._cameras.board_only,
                "two_cameras": self._cameras.two,
                "watch": board_part(match, sight.board, self._board_rests),
                "lights": self._leds.tell(match, state, finding),
                "autoplay": runs,
                "hitch": None if (hitch := self._hitch.sentence) is None else said_to(match, hitch).to_json(),
                "health": {
                    "frame_age": None if sight.taken is None else round(max(0.0, now - sight.taken), 1),
                    "journal": "ok" if trouble is None else trouble.to_json(),
                    "bad_frames": sight.bad_frames,
                    "reader": None if sight.trouble is None else sight.trouble.to_json(),
                },
            }
        )

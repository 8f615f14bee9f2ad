"""The table's writer: it owns match and journal, does what it is asked, and publishes the state; its loop runs it."""

import logging
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.desk.page.match import MatchPage
from companion.desk.page.table import FeatureParts, TableNow, table_snapshot
from companion.desk.sight import BoardSight, Sight
from companion.desk.table.autoplay import Autoplay
from companion.desk.table.board_judge import BoardJudge
from companion.desk.table.commands import TableCommands
from companion.desk.table.dice_judge import DiceJudge, IntervalResult
from companion.desk.table.match_desk import Desk, Reply
from companion.desk.table.square_sense import SquareSense
from companion.desk.table.state import state_of
from companion.desk.watched import Watched, watched
from companion.language.sentence import Sentence
from companion.ledger.entries import JournalError
from companion.ledger.rescue import open_ledger
from companion.live.board_side import BoardSide
from companion.live.cameras import Cameras, NoBoardCameraError
from companion.live.following import Follower, MatchNow, OpenTable
from companion.live.pictures import Pictures
from companion.live.seeing import Seeing
from companion.live.snapshot import SnapshotStore
from companion.live.writer_loop import ROOM_EVERY
from companion.referee.journal import Entry, Journal
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from companion.vision.boards.board_profile import BoardProfile


class LastFailure:
    """Holds one sentence at most. Only the writer uses it."""

    def __init__(self) -> None:
        self.sentence: Sentence | None = None
        self._about: object = None

    def check(self, sight: Sight, match: Match | None) -> None:
        """Forget the failure once something else lies before the cameras or the match has gone on."""
        board = None if sight.board is None else sight.board.seen
        about = (
            None if sight.seen is None else sight.seen.interval,
            None if board is None else board.interval,
            None if match is None else (match.id, len(match.entries)),
        )
        if about != self._about:
            self.sentence, self._about = None, about

    def record(self, sentence: Sentence) -> None:
        """Keep the sentence that says why what lies there could not be used."""
        self.sentence = sentence

    def failed(self, error: Exception) -> None:
        """Say that something unforeseen happened and what to do."""
        self.record(
            Sentence(
                "Something failed inside the companion ({error}): tap in what was played.", error=type(error).__name__
            )
        )


log = logging.getLogger(__name__)

PUBLISH_EVERY = 0.2  # seconds between two snapshots while the program throws quickly
MOST_ROUNDS = 4  # how often dice and men are judged in turn while one gives the other a meaning


@dataclass(frozen=True)
class Parts:
    """What the writer works with: other threads know these parts too, and they are made before the writer's begins.

    ``clock``: seconds since 1970, for the journal. ``strength``: how well the program plays where nobody says.
    ``sample``: the sample table that is played, "" without one. ``followers``: the features, in their order.
    """

    board: SnapshotStore
    clock: Callable[[], float]
    chance: random.Random
    pictures: Pictures
    cameras: Cameras
    squares: SquareSense
    strength: str
    sample: str
    followers: Sequence[Follower]


class Writer:
    """Owns match and journal. Everything here is for the writer's thread alone."""

    def __init__(self, journal: Path, parts: Parts) -> None:
        """``journal``: the file in which every match is kept."""
        self._path = journal
        self._parts = parts
        self._followers = parts.followers
        self._sight = parts.cameras.sight
        self._page = MatchPage(lambda name: parts.pictures.get(name) is not None, self._watched)
        self._autoplay = Autoplay()
        self._published = 0.0
        self._arriving = 0  # the number of the match that comes in from elsewhere
        self._suspended = False
        self._last_failure = LastFailure()

    @contextmanager
    def open(self) -> Iterator[None]:
        """Open the journal and the last match that is not over."""
        parts = self._parts
        with open_ledger(self._path, Journal) as journal:
            self._desk = desk = Desk(journal, parts.clock, parts.chance)
            self._dice_judge = DiceJudge(desk)
            self._board_judge = BoardJudge(desk, self._dice_judge.coming, parts.squares)
            self._commands = TableCommands(
                desk,
                self._dice_judge,
                self._autoplay,
                lambda: self._sight,
                board_judge=self._board_judge,
                follows=parts.cameras.watches,
                strength=parts.strength,
                sample=bool(parts.sample),
                pictures=parts.pictures,
            )
            for match_id in journal.latest():
                if desk.reopen(match_id) is not None:
                    break
            table = OpenTable(
                desk,
                self._board_judge,
                self._autoplay,
                self._seen,
                self._see,
                self.command,
                self._forget_dice,
                lambda: self._dice_judge.forget(self._seen()),
            )
            try:
                for follower in self._followers:
                    follower.open(table)
                self._watch()
                yield
            finally:
                for follower in self._followers:
                    follower.watch(None)

    def _watch(self) -> None:
        """Let all followers see what the cameras see from now on, and follow the match from where it stands."""
        source = self._parts.cameras.source
        for follower in self._followers:
            follower.watch(None if source is None else source.name)
        self._begin()

    def _begin(self) -> None:
        for follower in self._followers:
            follower.begin(self._desk.match)

    def _forget_dice(self) -> None:
        self._sight = replace(self._sight, seen=None)

    def waits(self) -> Iterable[float | None]:
        """Return in how many seconds each feature or the pictures are due, or the journal is to be tried again."""
        yield self._parts.pictures.prune()
        if self._desk.waits_for_room:
            yield ROOM_EVERY
            return
        now = time.monotonic()
        for follower in self._followers:
            yield follower.due(now)

    def check(self, sight: Sight | None, board: BoardSight | None) -> None:
        """Take the newest sights of dice and board."""
        seen = replace(sight or self._sight, board=board or self._sight.board)
        self._sight = self._parts.cameras.separated(seen, self._desk.match)

    def go_on(self) -> None:
        """Use what is seen, and let every feature do what is due."""
        if self._desk.waits_for_room and not self._desk.try_again():
            return
        for follower in self._followers:
            follower.check()
        self._see()
        for follower in self._followers:
            follower.go_on(time.monotonic())

    def _seen(self) -> Sight:
        """Return what the cameras see now, as far as it counts in the open match."""
        return self._watched(self._desk.match).of(self._sight)

    def _watched(self, match: Match | None) -> Watched:
        return watched(match, self._parts.sample)

    def set_suspended(self, *, suspended: bool) -> Reply:
        """Close cameras and darken lights, or open and light them again."""
        self._parts.cameras.set_suspended(suspended=suspended)
        self._suspended = suspended
        return Reply(ok=True, sentence=Sentence("The table rests.") if suspended else Sentence("The table is awake."))

    def failed(self, error: Exception) -> None:
        """Show the failure with the next snapshot."""
        self._last_failure.failed(error)

    def _see(self) -> None:
        """Judge the table again: a command, too, may give what is there a meaning.

        What the men show may be what the dice had waited for, and the other way round.
        """
        sight = self._seen()
        self._last_failure.check(sight, self._desk.match)
        for _ in range(MOST_ROUNDS):
            before = self._stands
            try:
                self._see_dice(sight)
                self._see_men(sight.board)
            except RefusedError as why:
                log.warning("what was seen could not be used: %s", why)
                self._last_failure.record(why.sentence)
            if before == self._stands:
                return

    @property
    def _stands(self) -> tuple[int, int] | None:
        """The open match and the number of its events."""
        match = self._desk.match
        return None if match is None else (match.id, len(match.entries))

    def _see_dice(self, sight: Sight) -> None:
        """Judge the dice, unless they wait for the men; keep the picture of what led to an event."""
        waits = self._parts.cameras.board_first(sight, self._desk.match)
        finding = IntervalResult() if waits else self._dice_judge.see(sight)
        if finding.event is not None and sight.seen is not None:
            asked = self._desk.match is not None and self._desk.match.question is not None
            crops = self._dice_judge.crops(sight.seen)
            self._parts.pictures.keep(finding.event, sight.seen.picture, crops, asked=asked)

    def _see_men(self, board: BoardSight | None) -> None:
        """Judge the men; keep the picture of a board that led to an event, once."""
        finding, seen = self._board_judge.see(board), None if board is None else board.seen
        if finding is not None and finding.event is not None and seen is not None:
            self._parts.pictures.keep(finding.event, seen.picture, (), asked=finding.kind == "asked")

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Carry out a command of a page."""
        before = self._stands
        reply = self._commands.do(name, data, actor)
        if reply.ok and name == "delete_match":
            for follower in self._followers:
                follower.deleted(data["match"])
        if (stands := self._stands) is not None and (before is None or stands[0] != before[0]):
            self._parts.pictures.forget()
            self._begin()
        return reply

    def use_cameras(self, sees: Seeing, board: BoardSide | None) -> Reply:
        """Look through other cameras from now on; a match that one of them watched goes on as it stands."""
        cameras, source = self._parts.cameras, sees.source
        before = cameras.settings
        reader = sees.reader or before.reader
        settings = replace(before, mat=sees.mat, lamps=sees.lamps, reader=reader, restless=True)
        self._sight = cameras.use(source, board, settings)
        self._watch()
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
            number = journal.next_chain() if entries[0].number == 1 else self._arriving
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
        """Pass the current state to cameras and features, then publish the snapshot.

        ``hurried``: publish only now and then while the program throws quickly.
        """
        match, now = self._desk.match, time.monotonic()
        runs = self._autoplay.runs(match)
        if hurried and runs and now - self._published < PUBLISH_EVERY:
            return
        self._published = now
        finding = self._board_judge.finding
        state, sentence = state_of(match, self._seen(), self._dice_judge.mismatch, finding)
        self._parts.cameras.expect(match, self._board_judge, self._watched(match))
        match_now, features = MatchNow(match, state, finding, now, self._suspended), FeatureParts()
        for follower in self._followers:
            features |= follower.publish(match_now)
        stands = TableNow(
            match,
            state,
            sentence,
            self._sight,
            self._watched(match),
            now,
            features,
            finding=finding,
            reading=self._board_judge.reading,
            autoplay=runs,
            failure=self._last_failure.sentence,
            sample=bool(self._parts.sample),
            followed=self._parts.cameras.followed,
            two_cameras=self._parts.cameras.two,
            trouble=self._desk.trouble,
            copy_trouble=self._desk.journal.copy_trouble,
        )
        self._parts.board.publish(table_snapshot(self._page.of(match), stands))

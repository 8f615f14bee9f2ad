"""The cameras of a running table, over the dice and over the board, and the threads that watch through them."""

from dataclasses import replace
from threading import Thread
from typing import Final

from companion.desk.sight import BoardSight, Sight
from companion.desk.table.board_judge import BoardJudge
from companion.desk.watched import Watched
from companion.language.sentence import Sentence, SentenceError
from companion.live.board_side import AUTO, BoardSide
from companion.live.inbox import Inbox
from companion.live.pictures import Pictures
from companion.live.watching import dice_steps
from companion.live.watching.dice_settings import WatchSettings
from companion.live.watching.dice_steps import DiceState, watching_dice
from companion.live.watching.thread import WatchingThread
from companion.referee.match import Match
from companion.referee.readable import Dice, dice_to_read
from companion.rules.game import Game
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.mat import Mat
from companion.vision.sources.grabbed import GrabbedSource
from companion.vision.sources.pushed import PushedSource
from companion.vision.sources.source import FrameSource, Recording, SourceClosedError

END_WAIT: Final = 30.0
"""Seconds that stopping waits for the watching thread: on a slow computer it may be reading dice, and ends then."""

BEFORE_A_MATCH: Final[Dice] = ("wibold", None)
"""The dice that are read while somebody tries the camera out, until that person says which lie there."""


class NoPushedCameraError(SentenceError, ValueError):
    """A picture was pushed to a table that looks through another camera."""


class NoBoardCameraError(RuntimeError):
    """No camera of this table can look at a board."""


class Cameras:
    """Watches dice and board through one camera or two, or through none."""

    def __init__(
        self,
        source: FrameSource | None,
        board: BoardSide | None,
        settings: WatchSettings,
        pictures: Pictures,
        inbox: Inbox,
    ) -> None:
        """``source``: the camera over the dice; ``board``: what watches the board; what they see goes to the inbox."""
        self._settings = settings
        self._started = False
        self._pictures, self._inbox = pictures, inbox
        self._watcher: WatchingThread[DiceState] | None = None
        self.before_a_match = BEFORE_A_MATCH
        """The dice to read while no match is open. Any thread may set them."""
        self.sight = self._put(source, board)
        """The sight before the first frame."""

    def _put(self, source: FrameSource | None, board: BoardSide | None) -> Sight:
        """Make the threads that watch through these cameras; return the sight before their first frame."""
        self.source, self.board = source, board
        self._watcher = None
        sight = Sight()
        if source is not None:
            settings = self._settings
            if board is not None and board.shared:
                # a board looks like a mat, dice may lie beside it
                settings = replace(settings, mat=settings.mat or Mat(), dice_alone=False)
            self._watcher = watching_dice(source, settings, self._pictures, self._inbox.put_sight)
            sight = Sight(source.name, str(source.state), source.sentence)
        return sight if board is None else replace(sight, board=self._wired(board))

    def use(self, source: FrameSource | None, board: BoardSide | None, settings: WatchSettings) -> Sight:
        """Close the cameras and look through these from now on; return the sight before their first frame.

        For the writer's thread: it waits until the threads have ended, so that no two of them use one memory.
        """
        self.stop()
        self._settings = settings
        self._inbox.drop_sights()
        self._pictures.forget_newest()
        if settings.teaching is not None:
            settings.teaching.leave()
        sight = self._put(source, board)
        self.start()
        return sight

    @property
    def settings(self) -> WatchSettings:
        """How the table is watched."""
        return self._settings

    def start(self) -> None:
        """Start cameras and threads, unless they run."""
        if self._started:
            return
        self._started = True
        if self._settings.lamps is not None:
            self._settings.lamps.start()
        if self.source is not None and self._watcher is not None:
            self.source.start()
            self._watcher.start()
        if self.board is not None:
            self.board.start()

    def stop(self) -> None:
        """End the threads and close the cameras."""
        self._started = False
        if self._watcher is not None and self.source is not None:
            self._watcher.end()
            self.source.close()
            if self._watcher.ident is not None:
                self._watcher.join(END_WAIT)
        if self._settings.lamps is not None:
            self._settings.lamps.stop()
        if self.board is not None:
            self.board.stop()

    def threads(self) -> list[Thread]:
        """Return the watching threads, which must be alive while the table is."""
        watchers = [self._watcher, None if self.board is None else self.board.watcher]
        return [one for one in watchers if one is not None and one.ident is not None]

    @property
    def over_board(self) -> FrameSource | None:
        """The camera that looks at the board, or could; None without any."""
        return self.source if self.board is None else self.board.source

    @property
    def followed(self) -> list[str]:
        """The games whose men can be followed, by slug."""
        return [] if self.board is None else self.board.followed

    @property
    def two(self) -> bool:
        """Whether the board has a camera of its own beside that of the dice."""
        return self.board is not None and self.source is not None and not self.board.shared

    def set_suspended(self, *, suspended: bool) -> None:
        """Close the cameras that can be opened again, or open them again."""
        for source in self._sources():
            if isinstance(source, GrabbedSource):
                (source.suspend if suspended else source.wake)()

    def frame_age(self, now: float) -> float | None:
        """Return the age in seconds of the newest frame that its thread has processed, of the slower camera.

        None while no frame is expected: without a camera, before its first frame, or while it is suspended.
        """
        dice = None if self._watcher is None else self._watcher.taken
        board = None if self.board is None or self.board.shared else self.board.taken
        suspended = any(isinstance(source, GrabbedSource) and source.suspended for source in self._sources())
        ages = [now - taken for taken in (dice, board) if taken is not None]
        return max(ages) if ages and not suspended else None

    def _sources(self) -> list[FrameSource]:
        sources = [self.source, None if self.board is None or self.board.shared else self.board.source]
        return [source for source in sources if source is not None]

    def offer(self, jpeg: bytes) -> None:
        """Take a picture that a browser page pushed.

        Raises:
            BadFrameError: it cannot show a table.
            NoPushedCameraError: this table's camera is another one, or it is closed.
        """
        cameras = (self.source, None if self.board is None else self.board.source)
        pushed = next((camera for camera in cameras if isinstance(camera, PushedSource)), None)
        if pushed is None:
            raise NoPushedCameraError(
                Sentence("This table looks through another camera: choose this device's camera on the page Camera.")
            )
        try:
            pushed.offer(jpeg)
        except SourceClosedError as why:
            raise NoPushedCameraError(why.sentence) from why
        except Exception:
            if self._watcher is not None:
                self._watcher.tell(dice_steps.count_bad_frame)
            raise

    # From here on everything is called by the writer's thread.

    def watches(self, game: Game) -> bool:
        """Whether a camera can follow the men of this game."""
        return self.board is not None and self.board.watches(game)

    def separated(self, sight: Sight, match: Match | None) -> Sight:
        """Tell men from dice where one camera sees both."""
        return sight if self.board is None else self.board.separated(sight, match)

    def board_first(self, sight: Sight, match: Match | None) -> bool:
        """Whether dice must wait until the places of the men are known."""
        return self.board is not None and self.board.waits_for_board(sight, match)

    def expect(self, match: Match | None, judge: BoardJudge, watched: Watched) -> None:
        """Set what the threads read now: nothing of a match that they do not watch."""
        if self._watcher is not None:
            dice = self.before_a_match if match is None else dice_to_read(match.start)
            self._watcher.tell(dice_steps.expect(dice if watched.dice else None))
        if self.board is not None:
            self.board.follow(match if watched.men else None, judge)
        if match is not None and watched.anything and not (match.paused or match.over):
            self._begin()

    def read(self, dice: Dice | None) -> None:
        """Set the dice that the watching thread reads where no match decides it: from here on they are thrown."""
        if self._watcher is not None:
            self._watcher.tell(dice_steps.expect(dice))
        if dice is not None:
            self._begin()

    def _begin(self) -> None:
        for source in self._sources():
            if isinstance(source, Recording):
                source.begin()

    def calibrated(self, profile: BoardProfile) -> BoardSight | None:
        """Follow the board from the place that a person has just shown; start watching if no board was watched.

        Returns the sight of a new watcher before its first frame.

        Raises:
            NoBoardCameraError: there is no camera.
        """
        if self.source is None and self.board is None:
            raise NoBoardCameraError
        begun = None
        if self.board is None and self.source is not None:
            self.board = BoardSide(self.source, AUTO, shared=True)
            begun = self._wired(self.board)
            self.board.start()
        assert self.board is not None
        self.board.calibrated(profile)
        if self.board.shared and self._watcher is not None:
            x, y = profile.corners.mean(axis=0)
            self._watcher.tell(dice_steps.spare_board(float(x), float(y)))
        return begun

    def _wired(self, board: BoardSide) -> BoardSight:
        return board.wire(
            self._inbox.put_board_sight, self._pictures.show if self.source is None else self._pictures.show_board
        )

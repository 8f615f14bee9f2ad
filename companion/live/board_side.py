"""The board's side of the running table: its camera, its watcher, and the use of what they see."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from companion.desk.sight import BoardSight, DiceSeen, Sight
from companion.desk.table.board_judge import BoardJudge, follows
from companion.live.watching import board_steps
from companion.live.watching.board_steps import BoardState, BoardWatchSettings, board_reader, watching_board
from companion.live.watching.thread import WatchingThread
from companion.referee.match import Match
from companion.referee.readable import board_to_read
from companion.rules.game import Game
from companion.rules.registry import games
from companion.vision.board_readings import BoardReading
from companion.vision.boards.beside_men import beside_men, only
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.boards.known import Sites, holds_tokens, plan, same_board, sites_of
from companion.vision.boards.places import BoardPlaces, BoardReads, CalibratedPlaces, FoundPlaces
from companion.vision.boards.tokens.layout import ANY
from companion.vision.readings import Frame
from companion.vision.sources.source import FrameSource

AUTO: Final = "auto"
"""Watch the board of the game that is played."""

END_WAIT: Final = 30.0
"""Seconds that stopping waits for the watching thread."""


class BoardSide:
    """Watches one board through a camera of its own, or through that of the dice."""

    def __init__(
        self, source: FrameSource, board: str, settings: BoardWatchSettings | None = None, *, shared: bool
    ) -> None:
        """``board``: the board that the camera sees, or `AUTO`; ``shared``: somebody else starts and closes the camera.

        Raises:
            UnknownBoardError: there is no such board to be read.
        """
        self._sees(board)
        self.source = source
        self.shared = shared
        self._settings = settings or BoardWatchSettings(board_reader)
        self._watcher: WatchingThread[BoardState] | None = None
        self._newest: BoardReading | None = None  # the last reading of the board that the dice lie beside

    def _sees(self, board: str) -> None:
        if board != AUTO:
            plan(board)  # if there is no such board, this raises and names those that there are
        self._own_name = board
        self.followed = [slug for slug, game in games().items() if self.watches(game)]
        """The games whose men can be followed, by slug."""

    def wire(self, report: Callable[[BoardSight], None], show: Callable[[Frame], None]) -> BoardSight:
        """Make the watching thread; return its sight before the first frame."""
        self._watcher = watching_board(self.source, self._settings, report, show)
        return BoardSight(self.source.name, str(self.source.state), self.source.sentence)

    def start(self) -> None:
        """Start the camera, unless it is shared, and watch."""
        if not self.shared:
            self.source.start()
        if self._watcher is not None:
            self._watcher.start()

    def stop(self) -> None:
        """End watching and close the camera, unless it is shared."""
        if self._watcher is None:
            return
        self._watcher.end()
        if not self.shared:
            self.source.close()
        if self._watcher.ident is not None:
            self._watcher.join(END_WAIT)

    @property
    def watcher(self) -> WatchingThread[BoardState] | None:
        """The watching thread, once it is made."""
        return self._watcher

    def watches(self, game: Game) -> bool:
        """Whether the men of this game can be followed on the board that the camera sees."""
        return self._named(game) is not None

    def calibrated(self, profile: BoardProfile) -> None:
        """Follow a board from the place that a person has just shown, at once; other boards as before."""
        if self._own_name != AUTO and not same_board(self._own_name, profile.board):
            self._sees(AUTO)  # another board lies there now
        self._settings = at_place(self._settings, profile)
        if self._watcher is not None:
            self._watcher.tell(board_steps.use(self._settings))

    @property
    def taken(self) -> float | None:
        """When the newest frame that the watching thread has processed was taken; None before any."""
        return None if self._watcher is None else self._watcher.taken

    def _named(self, game: Game) -> str | None:
        """Return the board to read for a game, None if the camera sees another one.

        A game of tokens is played on any of its boards: their sites have the same names.
        """
        name, mine = board_to_read(game), self._own_name
        if name is None:
            return None
        if holds_tokens(name):
            mine = ANY if mine == AUTO else mine
            return mine if mine == ANY or mine in (board.name for board in game.boards) else None
        return name if mine == AUTO or same_board(mine, name) else None

    def _followed(self, match: Match | None) -> str | None:
        """Return the board to read for a match."""
        return None if match is None or follows(match) is None else self._named(match.game)

    def waits_for_board(self, sight: Sight, match: Match | None) -> bool:
        """Whether dice must wait until the places of the men are known: the same camera is about to read the board."""
        board = sight.board
        if not self.shared or board is None or follows(match) is None or self._newest is not None:
            return False
        return board.phase == "still" and not board.hand and board.seen is None and board.trouble is None

    def separated(self, sight: Sight, match: Match | None) -> Sight:
        """Return the sight with no man among its dice, if the camera of the dice sees the board too."""
        name = self._followed(match)
        if not self.shared or name is None or sight.board is None:
            self._newest = None
            return sight
        if sight.board.seen is not None:
            self._newest = sight.board.seen.reading
        if self._newest is None or sight.seen is None:
            return sight
        return replace(sight, seen=without_men(sight.seen, self._newest, sites_of(name, self._newest.board)))

    def follow(self, match: Match | None, judge: BoardJudge) -> None:
        """Tell the watcher which board to read now, and whether what it saw leaves a doubt."""
        if self._watcher is None:
            return
        self._watcher.tell(board_steps.expect(self._followed(match)))
        finding, seen = judge.finding, judge.seen
        if finding is not None and finding.doubtful and seen is not None:
            self._watcher.tell(board_steps.doubt(seen.interval, seen.readings))
        if judge.agreement is not None:
            self._watcher.tell(board_steps.agree(judge.agreement))


def without_men(seen: DiceSeen, board: BoardReading, layout: Sites) -> DiceSeen:
    """Return what was seen of the dice without the men of the board."""
    kept = beside_men(seen.reading, seen.origin, board, layout)
    count = len(seen.reading.dice)
    if len(kept) == count:
        return seen
    crops = tuple(seen.crops[place] for place in kept) if len(seen.crops) == count else seen.crops
    return replace(seen, reading=only(seen.reading, kept), crops=crops)


def at_place(settings: BoardWatchSettings, profile: BoardProfile) -> BoardWatchSettings:
    """Return settings that follow the profile's board from its place there, and every other board as before."""

    def places(board: str, reader: BoardReads) -> BoardPlaces:
        if same_board(profile.board, board):
            return CalibratedPlaces(profile, board, reader)
        return FoundPlaces(reader) if settings.places is None else settings.places(board, reader)

    return BoardWatchSettings(settings.reader, places)

"""Pass events of the LED board to the one writer: presses of its button, and squares that are occupied."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.desk.page.names import with_player_names
from companion.desk.shapes.table import PressedShape
from companion.desk.sight import BoardSight
from companion.desk.table.match_desk import Reply
from companion.desk.table.square_sense import SquaresAlone, SquareSense
from companion.desk.table.turn_end import TurnEnd, Whose
from companion.language.sentence import Sentence
from companion.live.following import Follower, OpenTable
from companion.live.inbox import Inbox
from companion.referee.match import Match
from companion.referee.refused import RefusedError
from firmware_bridge.protocols.uplink import Button, Squares
from firmware_bridge.wiring import Wiring

log = logging.getLogger(__name__)

PRESS_WAIT: Final = 4.0
"""Seconds that a press waits for an observation of the board: people move men first and press the button at once."""


class UplinkBusyError(RuntimeError):
    """The table can accept nothing now: the board gets no answer, so it sends its press again."""


@dataclass(frozen=True)
class Pressed:
    """The result of the last press; ``number`` counts the presses, so that two equal results can be distinguished."""

    number: int
    ok: bool
    sentence: Sentence

    def to_json(self, match: Match | None) -> PressedShape:
        """Return ``{"number": 1, "ok": true, "sentence": {...}}``, with the names of the match's players."""
        return {"number": self.number, "ok": self.ok, "sentence": with_player_names(match, self.sentence).to_json()}


class BoardUplink(Follower):
    """Passes events of the board to the writer. `hear` belongs to the driver's thread, all else to the writer's."""

    def __init__(self, inbox: Inbox, wiring: Wiring | None, clock: Callable[[], float]) -> None:
        """``wiring``: the map of the board, which distinguishes its squares; ``clock``: in seconds."""
        self.squares = SquareSense(wiring, clock)
        self._inbox = inbox
        self._clock = clock
        self._waiting: tuple[float, Whose] | None = None  # until when a press waits, and whose turn it was
        self.pressed: Pressed | None = None
        """The result of the last press."""

    def hear(self, event: Button | Squares) -> None:
        """Take an event of the board; returns at once.

        Raises:
            BusyError: too much waits already, so the press was not accepted.
        """
        if isinstance(event, Squares):
            if self.squares.hear(event.occupied):
                self._inbox.nudge()
        elif event.pressed and self._inbox.ask(self._press) is None:
            raise UplinkBusyError("The table is busy or closed.")

    # From here on everything runs in the writer's thread.

    def open(self, table: OpenTable) -> None:
        """End turns at this table, and follow its men where no camera follows them."""
        super().open(table)
        self._turn_end = TurnEnd(table.desk, table.board_judge)
        self._alone = SquaresAlone(table.desk, self.squares)

    def check(self) -> None:
        """Use what the squares show, and follow the men by them where no camera does."""
        self.squares.settle()
        try:
            self._alone.see()
        except RefusedError as why:
            log.warning("what the squares say could not be used: %s", why)

    def _press(self) -> Reply:
        self._waiting = self._clock() + PRESS_WAIT, self._turn_end.whose
        return Reply(ok=True, sentence=Sentence("The button was pressed."))

    @property
    def followed(self) -> Sentence | None:
        """What the squares show of a play that is not whole yet, if they alone follow the men; else None."""
        finding = self._alone.finding
        return finding.sentence if finding is not None and finding.kind == "go on" else None

    def due(self, now: float) -> float | None:
        """Return the seconds until an event of the board is due, None if nothing waits."""
        del now  # presses and squares have a clock of their own
        press = None if self._waiting is None else max(0.0, self._waiting[0] - self._clock())
        waits = [wait for wait in (press, self.squares.waits()) if wait is not None]
        return min(waits, default=None)

    def go_on(self, now: float) -> None:
        """Carry out a press that waits, unless men are being moved; then judge the table again."""
        del now
        if self.settle(self._table.sight().board):
            self._table.judge()

    def settle(self, board: BoardSight | None) -> bool:
        """Carry out a press that waits, unless men are being moved; return whether that was done.

        ``board``: what the camera over the board sees, if one follows the men.
        """
        if self._waiting is None:
            return False
        moving = board is not None and board.status == "LIVE" and board.seen is None and board.trouble is None
        if moving and self._clock() < self._waiting[0]:
            return False
        (_, whose), self._waiting = self._waiting, None
        number = 1 if self.pressed is None else self.pressed.number + 1
        try:
            self.pressed = Pressed(number, ok=True, sentence=self._turn_end.press(whose))
        except RefusedError as why:
            self.pressed = Pressed(number, ok=False, sentence=why.sentence)
        return True

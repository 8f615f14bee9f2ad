"""What a running table looks through: its cameras, what they watch, and how it is read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.live.board_side import AUTO, BoardSide
from companion.live.watching.board_steps import BoardWatchSettings
from companion.live.watching.dice_settings import Reader
from companion.live.watching.lit_frames import Switch
from companion.referee.readable import Dice
from companion.vision.mat import Mat
from companion.vision.sources.source import FrameSource


@dataclass(frozen=True)
class Seeing:
    """What a table looks through, and how it reads what it sees.

    ``source``: the camera over the dice, or None. ``mat``: the part of its picture that counts; by default a tray or
    mat that is found in the first frame. ``reader``: makes a reader for dice, in the watching thread. ``board``: the
    name of the board on which men are followed, `AUTO` for that of the game; None for none. ``board_source``: the
    camera over the board; by default that of the dice sees the board too. ``board_settings``: how the board is watched.
    ``lamps``: two lamps over the dice, lit one by one where a view leaves a question; None without.
    """

    source: FrameSource | None = None
    mat: Mat | None = None
    reader: Callable[[Dice], Reader] | None = None
    board: str | None = None
    board_source: FrameSource | None = None
    board_settings: BoardWatchSettings | None = None
    lamps: Switch | None = None

    def side(self) -> BoardSide | None:
        """Return what watches the board; None where no camera does, or none is to.

        Raises:
            UnknownBoardError: there is no such board to be read.
        """
        seen_by = self.board_source or self.source
        if seen_by is None or (self.board is None and self.board_source is None):
            return None
        return BoardSide(seen_by, self.board or AUTO, self.board_settings, shared=self.board_source is None)


NOTHING_SEEN: Final = Seeing()

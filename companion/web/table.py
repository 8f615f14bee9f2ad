"""What the page needs from the running table: the protocol that `companion.live.LiveTable` implements."""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from companion.desk.page.match_review import MatchReview
from companion.desk.table.match_desk import Reply
from companion.live.running import Vitals
from companion.live.snapshot import Snapshot
from companion.live.upkeep import Upkeep
from companion.referee.readable import Dice
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.sources import FrameSource


class FollowedState(Protocol):
    """A table or the fairness laboratory: pages follow its state live, and it takes pictures from a page."""

    def snapshot(self) -> Snapshot:
        """Return the newest state."""
        ...

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        """Return a state newer than ``version``, or None after ``timeout`` seconds."""
        ...

    def offer_frame(self, jpeg: bytes) -> None:
        """Take a picture that a browser pushed; raises `ValueError` with a sentence if it is refused."""
        ...


class Table(FollowedState, Protocol):
    """The running table as the page sees it."""

    @property
    def upkeep(self) -> Upkeep:
        """What the owner maintains beside the game."""
        ...

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Hand a command to the one writer and wait for its answer."""
        ...

    def set_suspended(self, *, suspended: bool) -> Reply:
        """Close cameras and darken lights outside the opening hours, or start them again."""
        ...

    def vitals(self) -> Vitals:
        """Return whether the table's threads still work."""
        ...

    def picture(self, name: str) -> bytes | None:
        """Return a JPEG (``table`` or ``crop-<n>``), cropped to the mat, or None if there is none."""
        ...

    def board_camera(self) -> FrameSource | None:
        """Return the camera for calibrating a board, or None."""
        ...

    @property
    def tried_dice(self) -> str:
        """The set of dice that is read while no match says which ones lie there."""
        ...

    def try_dice(self, dice: Dice) -> None:
        """Read the dice of this set while no match says which ones lie there."""
        ...

    def calibrated(self, profile: BoardProfile, actor: str) -> Reply:
        """Follow the board at the place where a person has just shown that it lies."""
        ...

    def matches(self, first: int = 0, count: int = -1, only: int | None = None) -> list[dict[str, Any]]:
        """List the journal's matches, newest first: ``count`` from ``first`` on, below zero all; or ``only`` this."""
        ...

    def match_count(self) -> int:
        """Return how many matches the journal holds."""
        ...

    def chronicle(self, match: int) -> MatchReview | None:
        """Return a match event by event, or None if there is none; raises `UnreadableMatchError` if it is broken."""
        ...

    def export(self, match: int) -> Iterator[str] | None:
        """Return a whole match as JSON lines, or None if there is none; raises like `chronicle`."""
        ...

    def import_lines(self, lines: Iterable[str], actor: str) -> Reply:
        """Import a match; the reply's data names the new match."""
        ...

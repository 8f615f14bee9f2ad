"""What the page needs from the running table: the protocol that `companion.live.LiveTable` implements."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from companion.desk.page.worksheet import Worksheet
from companion.language.sentence import Sentence
from companion.live.running import Vitals
from companion.live.upkeep import Upkeep
from companion.referee.readable import Dice
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.sources import FrameSource


class StateSnapshot(Protocol):
    """One immutable state of the table."""

    @property
    def version(self) -> int:
        """A number that grows with every change."""
        ...

    @property
    def data(self) -> Mapping[str, Any]:
        """Everything the page shows, ready for JSON."""
        ...


class CommandReply(Protocol):
    """The one writer's answer to a command."""

    @property
    def ok(self) -> bool:
        """Whether the command succeeded; if so it is in the journal."""
        ...

    @property
    def sentence(self) -> Sentence:
        """The sentence to show."""
        ...

    @property
    def data(self) -> Mapping[str, Any]:
        """The command's own data, e.g. the effect of a correction."""
        ...


class Review(Protocol):
    """One match for the replay, event by event; `companion.desk.page.match_review` implements it."""

    @property
    def count(self) -> int:
        """The number of moments; they are numbered from 1."""
        ...

    @property
    def stands(self) -> str:
        """What names the match as it stands, and no other: the hash of its last event."""
        ...

    def head(self) -> dict[str, Any]:
        """Return the description of the match."""
        ...

    def as_file(self) -> str | None:
        """Return the match as a file for other programs, None where there is none; raises `BrokenLineError`."""
        ...

    def worksheet(self) -> Worksheet:
        """Return what the dice of the match showed beside the odds, with tasks for a class."""
        ...

    def lines(self, first: int, count: int) -> list[dict[str, Any]]:
        """Return some events from the ``first`` on, without their boards."""
        ...

    def moment(self, number: int) -> dict[str, Any] | None:
        """Return one event and the board after it, or None if there is no event of this number."""
        ...

    def evidence(self, event: int) -> dict[str, Any] | None:
        """Return what was seen and asked at an event, or None if there is no event of this number."""
        ...

    def claim(self, event: int, text: str) -> dict[str, Any] | None:
        """Return what the rules say of a move that somebody claims instead, or None if the event is no commit."""
        ...

    def hint(self) -> dict[str, Any]:
        """Return the best turn now, with its reasons, as sentences."""
        ...

    def looked(self, first: int) -> dict[str, Any]:
        """Look some moves over from ``first`` on; raises `SentenceError` or `GameError` where that cannot be."""
        ...


class FollowedState(Protocol):
    """A table or the fairness laboratory: pages follow its state live, and it takes pictures from a page."""

    def snapshot(self) -> StateSnapshot:
        """Return the newest state."""
        ...

    def wait(self, version: int, timeout: float) -> StateSnapshot | None:
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

    def command(self, name: str, data: dict[str, Any], actor: str) -> CommandReply:
        """Hand a command to the one writer and wait for its answer."""
        ...

    def set_suspended(self, *, suspended: bool) -> CommandReply:
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

    def calibrated(self, profile: BoardProfile, actor: str) -> CommandReply:
        """Follow the board at the place where a person has just shown that it lies."""
        ...

    def matches(self, first: int = 0, count: int = -1, only: int | None = None) -> list[dict[str, Any]]:
        """List the journal's matches, newest first: ``count`` from ``first`` on, below zero all; or ``only`` this."""
        ...

    def match_count(self) -> int:
        """Return how many matches the journal holds."""
        ...

    def chronicle(self, match: int) -> Review | None:
        """Return a match event by event, or None if there is none; raises `UnreadableMatchError` if it is broken."""
        ...

    def export(self, match: int) -> Iterator[str] | None:
        """Return a whole match as JSON lines, or None if there is none; raises like `chronicle`."""
        ...

    def import_lines(self, lines: Iterable[str], actor: str) -> CommandReply:
        """Import a match; the reply's data names the new match."""
        ...

"""What the page asks of the running table: the protocol that `companion.live.LiveTable` keeps."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from companion.language.sentence import Sentence
from companion.live.running import Vitals
from companion.live.upkeep import Upkeep
from companion.vision.boards.board_profile import BoardProfile
from companion.vision.sources import FrameSource


class Snapshot(Protocol):
    """One state of the table, never changed once made."""

    @property
    def version(self) -> int:
        """Grows with every change."""
        ...

    @property
    def data(self) -> Mapping[str, Any]:
        """Everything the page shows, ready for JSON."""
        ...


class Reply(Protocol):
    """The one writer's answer to a command."""

    @property
    def ok(self) -> bool:
        """Whether the command was done; if so it is in the journal."""
        ...

    @property
    def sentence(self) -> Sentence:
        """What to say of it."""
        ...

    @property
    def data(self) -> Mapping[str, Any]:
        """The command's own particulars, e.g. the effect of a correction."""
        ...


class MatchReview(Protocol):
    """One match as it is looked at again, event by event; what `companion.desk.page.match_review` keeps."""

    @property
    def count(self) -> int:
        """How many moments there are; they are numbered from 1."""
        ...

    def head(self) -> dict[str, Any]:
        """Return what the match is."""
        ...

    def lines(self, first: int, count: int) -> list[dict[str, Any]]:
        """Return some events from the ``first`` on, without their boards."""
        ...

    def moment(self, number: int) -> dict[str, Any] | None:
        """Return one event and the board after it, None where there is none of this number."""
        ...

    def evidence(self, event: int) -> dict[str, Any] | None:
        """Return what was seen and asked at an event, None where there is none of this number."""
        ...

    def claim(self, event: int, text: str) -> dict[str, Any] | None:
        """Say what the rules say of a move that somebody claims instead, None where the event is no commit."""
        ...


class Watched(Protocol):
    """Whatever has a state that pages follow live and takes pictures of a page: a table, or the fairness laboratory."""

    def snapshot(self) -> Snapshot:
        """Return the newest state."""
        ...

    def wait(self, version: int, timeout: float) -> Snapshot | None:
        """Return a state newer than ``version``, or None after ``timeout`` seconds."""
        ...

    def offer_frame(self, jpeg: bytes) -> None:
        """Take a picture that a browser pushed; raises `ValueError` with a sentence when it is refused."""
        ...


class Table(Watched, Protocol):
    """The running table as the page sees it."""

    @property
    def upkeep(self) -> Upkeep:
        """What the owner looks after beside the game."""
        ...

    def command(self, name: str, data: dict[str, Any], actor: str) -> Reply:
        """Hand a command to the one writer and wait for its answer."""
        ...

    def set_suspended(self, *, suspended: bool) -> Reply:
        """Close cameras and darken lights outside the opening hours, or wake them again."""
        ...

    def vitals(self) -> Vitals:
        """Say whether the table's threads still work."""
        ...

    def lights(self) -> Mapping[str, list[int]] | None:
        """Return the red, green and blue of each site of a simulated LED board, or None without one."""
        ...

    def picture(self, name: str) -> bytes | None:
        """Return a JPEG (``table`` or ``crop-<n>``), cropped to the mat, or None if there is none."""
        ...

    def board_camera(self) -> FrameSource | None:
        """Return the camera under which a board may be calibrated, or None."""
        ...

    def calibrated(self, profile: BoardProfile, actor: str) -> Reply:
        """Follow the board from where a person has just shown it to lie."""
        ...

    def matches(self) -> list[dict[str, Any]]:
        """List the journal's matches, newest first."""
        ...

    def chronicle(self, match: int) -> MatchReview | None:
        """Return a match event by event, None if there is none; raises `UnreadableMatchError` where it is broken."""
        ...

    def export(self, match: int) -> Iterator[str] | None:
        """Give a whole match as JSON lines, or None if there is no such match; raises likewise."""
        ...

    def import_lines(self, lines: Iterable[str], actor: str) -> Reply:
        """Take in a match that was exported; the reply's data names the new match."""
        ...

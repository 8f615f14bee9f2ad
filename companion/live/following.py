"""What a feature of the running table is to its writer: a follower, which sees the match go on and may act in it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.desk.finding import BoardFinding
from companion.desk.page.table import FeatureParts
from companion.desk.shapes.common import State
from companion.desk.sight import Sight
from companion.desk.table.autoplay import Autoplay
from companion.desk.table.board_judge import BoardJudge
from companion.desk.table.match_desk import Desk, Reply
from companion.referee.match import Match


@dataclass(frozen=True)
class OpenTable:
    """What a follower may use of a table whose journal is open.

    ``sight``: returns what the cameras see now, as far as it counts in the open match. ``judge``: judges dice and men
    again. ``command``: carries out a command as a page gives it: name, data, actor. ``forget_dice``: takes the dice
    that lie there as not seen yet; ``distrust_dice``: takes them for nobody's throw until they are moved.
    """

    desk: Desk
    board_judge: BoardJudge
    autoplay: Autoplay
    sight: Callable[[], Sight]
    judge: Callable[[], None]
    command: Callable[[str, dict[str, Any], str], Reply]
    forget_dice: Callable[[], None]
    distrust_dice: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class MatchNow:
    """How the match stands when a snapshot is published; ``time``: of the monotonic clock, in seconds.

    ``finding``: how the men stand; ``suspended``: the table rests outside its hours.
    """

    match: Match | None
    state: State
    finding: BoardFinding | None
    time: float
    suspended: bool


class Follower:
    """A feature that follows the match. It overrides what it needs; here, nothing happens.

    The writer's thread calls everything but `start` and `stop`. Times are of the monotonic clock, in seconds.
    """

    def start(self) -> None:
        """Begin what runs beside the writer, which has opened its journal."""

    def stop(self) -> None:
        """End what runs beside the writer, which has ended."""

    def open(self, table: OpenTable) -> None:
        """Take the table, whose journal has just been opened."""
        self._table = table

    def watch(self, camera: str | None) -> None:
        """Expect the dice through the camera of this name from now on; None for none, and at the end."""

    def begin(self, match: Match | None) -> None:
        """Follow this match from here on: it was opened, or other cameras watch it."""

    def deleted(self, match: int) -> None:
        """Drop what belongs to a match that was deleted."""

    def check(self) -> None:
        """Take in what is new before the table is judged."""

    def due(self, now: float) -> float | None:
        """Return in how many seconds `go_on` has something to do, None if nothing is awaited."""

    def go_on(self, now: float) -> None:
        """Do what is due, now that the table was judged."""

    def publish(self, now: MatchNow) -> FeatureParts:
        """Take how the match stands; return the feature's parts of the snapshot."""
        del now
        return {}

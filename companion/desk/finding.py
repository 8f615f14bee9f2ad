"""How table and match stand on the board, as plain data: for the page, the lights and whoever waits for a turn."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.language.sentence import Sentence
from companion.referee.board.orders import Orders
from companion.referee.board.results import Arrow, Difference
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position

Kind = Literal["agrees", "go on", "asked", "mismatch", "blind"]


class Ahead(NamedTuple):
    """A turn in the middle: the match's position, what was seen played from there, and where that leads."""

    begun: Position
    moves: tuple[Throw | Choice, ...]
    reached: Position


@dataclass(frozen=True)
class BoardFinding:
    """How table and match stand on the board.

    ``differences``: sites that are not as they should be; ``why_not``: the rule that forbids what was done;
    ``orders``: what brings the board into agreement; ``arrows``: what was played last, or has been played so far.
    ``going``: how many choices of a turn in the middle were seen; ``ahead``: what they are; ``event``: the event that
    this look led to, if any; ``notice``: what is to be told although table and match agree.
    """

    kind: Kind
    sentence: Sentence
    differences: tuple[Difference, ...] = ()
    why_not: Sentence | None = None
    orders: Orders = ()
    arrows: tuple[Arrow, ...] = ()
    going: int = 0
    ahead: Ahead | None = None
    event: int | None = None
    notice: Sentence | None = None

    @property
    def doubtful(self) -> bool:
        """Whether another look in the same still interval may tell more."""
        return self.kind in ("asked", "mismatch", "blind")

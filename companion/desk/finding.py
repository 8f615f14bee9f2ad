"""How table and match agree on the board, as plain data: for the page, the lights and the button that ends turns."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from companion.language.sentence import Sentence
from companion.referee.board.orders import Orders
from companion.referee.board.results import Arrow, Difference
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position

Kind = Literal["agrees", "go on", "asked", "mismatch", "blind"]


class Ahead(NamedTuple):
    """A turn that may go on: the match's position, the moves seen from there, and the position that they lead to.

    ``whole``: the turn may also be over there.
    """

    begun: Position
    moves: tuple[Throw | Choice, ...]
    reached: Position
    whole: bool = False


@dataclass(frozen=True)
class BoardFinding:
    """How table and match agree on the board.

    ``differences``: sites that are not as they should be; ``why_not``: the rule that forbids what was done; ``orders``:
    what brings the board into agreement; ``arrows``: the last play, or the moves of the turn so far. ``going``: the
    number of choices that were seen of an unfinished turn; ``ahead``: those choices; ``event``: the event that this
    reading led to, if any; ``notice``: what to say although table and match agree.
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
        """Whether another observation in the same still interval may settle it."""
        return self.kind in ("asked", "mismatch", "blind") or (self.ahead is not None and self.ahead.whole)

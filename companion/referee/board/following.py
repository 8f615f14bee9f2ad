"""How the referee follows the men of one family of games before a camera: the family's face on this floor."""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from companion.language.sentence import Sentence
from companion.referee.board import move_search
from companion.referee.board.evidence import Evidence
from companion.referee.board.move_search import Search
from companion.rules.dice import Throw
from companion.rules.errors import GameError
from companion.rules.game import Choice, Game, Position

P = TypeVar("P", bound=Position)


class Following(Generic[P]):
    """What people may have done on a board. This base class suits games in which a choice moves men at once."""

    def search(self, position: P, evidence: Evidence, then: Sequence[Throw]) -> Search:
        """Return the plays that fit what is seen. ``then``: known throws of the turns after this one."""
        del then
        return move_search.search(position, evidence)

    def unseen_remainder(self, position: P) -> Sequence[Choice] | None:
        """Return the rest of a turn if it leads to only one position and no camera can see it; else None."""
        del position
        return None

    def overtaken(self, position: P, evidence: Evidence) -> Search:
        """Return the whole turns after which the next player may have caused all that is still unexplained."""
        del position, evidence
        return Search()

    def lifted(self, position: P, evidence: Evidence) -> bool:
        """Whether a hand may have lifted a man before it makes the move that takes him."""
        del position, evidence
        return False

    def why_not(self, position: P, evidence: Evidence) -> Sentence | None:
        """Name the rule that forbids what is seen, if the only choice that explains it is refused; else None."""
        del position, evidence
        return None


PLAIN = Following[Position]()
"""For families that follow men in no way of their own."""


def following(game: Game) -> Following[Any]:
    """Return how to follow the men of a game.

    Raises:
        FamilyError: its family does not say.
    """
    return game.family.face("board", Following)


def refused(position: Position, choice: Choice) -> Sentence | None:
    """Say which rule forbids a choice; None if none does, or if it is no choice of this game."""
    try:
        return position.why_not(choice)
    except (GameError, KeyError, IndexError):
        return None

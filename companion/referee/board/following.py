"""How the referee follows the men of a family of games before a camera: the family's face on this floor."""

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
    """What may have been done on a board; as it stands here, in games in which a choice moves men at once."""

    def search(self, position: P, evidence: Evidence, then: Sequence[Throw]) -> Search:
        """Return what may have been played that fits what is seen. ``then``: throws known of the turns after this."""
        del then
        return move_search.search(position, evidence)

    def unseen_remainder(self, position: P) -> Sequence[Choice] | None:
        """Return what is left of a turn where it can lead to one position only and no eye can see it; else None."""
        del position
        return None

    def overtaken(self, position: P, evidence: Evidence) -> Search:
        """Return the whole turns after which all that is still unexplained may be the next player's, who went on."""
        del position, evidence
        return Search()

    def lifted(self, position: P, evidence: Evidence) -> bool:
        """Whether a hand may have lifted a man and has still to make the move that takes him."""
        del position, evidence
        return False

    def why_not(self, position: P, evidence: Evidence) -> Sentence | None:
        """Name the rule that forbids what is seen, where the one choice that would explain it is refused; else None."""
        del position, evidence
        return None


PLAIN = Following[Position]()
"""For games without a way of their own."""


def following(game: Game) -> Following[Any]:
    """Return how the men of a game are followed.

    Raises:
        FamilyError: its family does not say.
    """
    return game.family.face("board", Following)


def refused(position: Position, choice: Choice) -> Sentence | None:
    """Say which rule forbids a choice that may be none of this game at all; None then too."""
    try:
        return position.why_not(choice)
    except (GameError, KeyError, IndexError):
        return None

"""What the page shows of one family of games beyond what it shows of every game: the family's face on this floor."""

from collections.abc import Mapping
from typing import Any

from companion.desk.shapes.match import FamilyPartsShape, PrizesShape
from companion.referee.match import Match
from companion.rules.dice import Throw
from companion.rules.game import Game
from companion.rules.options import OptionValue


class FamilyPage:
    """What the page shows of one family. This base class shows nothing special: the board is plain text."""

    def drawn(self, match: Match) -> str | None:
        """Return the board in plain text, or None where the page draws the board itself."""
        return match.position.drawn()

    def progress(self, match: Match) -> tuple[int, int]:
        """Return how many prizes are won, and of how many; 0 of 0 in games without prizes."""
        del match
        return 0, 0

    def of_player(self, match: Match, number: int) -> PrizesShape:
        """Return what a player has beside a score."""
        del match, number
        return {"virtues": [], "pairs": []}

    def expected_prizes(self, game: Game, options: Mapping[str, OptionValue], throws: int) -> float | None:
        """Return how many prizes this many throws win on average, or None where that is not known."""
        del game, options, throws
        return None

    def parts(self, match: Match) -> FamilyPartsShape:
        """Return the snapshot's family parts (`PARTS`), filled where they are this family's."""
        del match
        return {**PARTS}

    def prospects(self, match: Match, shown: Throw) -> Mapping[str, Any] | None:
        """Return what dice on the table point to before they are committed."""
        del match, shown
        return None


PLAIN = FamilyPage()
"""For games without special parts on the page."""

PARTS: FamilyPartsShape = {"ludix": None, "virtues": [], "curve": []}
"""The parts of the snapshot that one family fills, with their values in all other games."""


def page_of(game: Game) -> FamilyPage:
    """Return what the page shows of a game's family.

    Raises:
        FamilyError: the family does not say.
    """
    return game.family.face("page", FamilyPage)

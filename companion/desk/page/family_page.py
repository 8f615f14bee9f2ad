"""What the page shows of a family of games beyond what every game has: the family's face on this floor."""

from collections.abc import Mapping
from typing import Any

from companion.desk.page.shapes.match import FamilyPartsShape, PrizesShape
from companion.referee.match import Match
from companion.rules.dice import Throw
from companion.rules.game import Game


class FamilyPage:
    """What is special about a match; as it stands here, nothing is: the page has the board as plain text."""

    def drawn(self, match: Match) -> str | None:
        """Return the board in plain text, or None where the page draws it otherwise."""
        return match.position.drawn()

    def progress(self, match: Match) -> tuple[int, int]:
        """Return how many of how many prizes are won, 0 of 0 where there are none."""
        del match
        return 0, 0

    def of_player(self, match: Match, number: int) -> PrizesShape:
        """Return what a player has beside a score."""
        del match, number
        return {"virtues": [], "pairs": []}

    def parts(self, match: Match) -> FamilyPartsShape:
        """Return the `PARTS` of the snapshot that are one family's own, filled where they are this family's."""
        del match
        return {**PARTS}

    def prospects(self, match: Match, shown: Throw) -> Mapping[str, Any] | None:
        """Return what dice that lie there point to before they are committed."""
        del match, shown
        return None


PLAIN = FamilyPage()
"""For games of which the page shows nothing special."""

PARTS: FamilyPartsShape = {"ludix": None, "virtues": [], "curve": []}
"""The parts of the snapshot that one family fills, as they are in all other games."""


def page_of(game: Game) -> FamilyPage:
    """Return what is special about a game.

    Raises:
        FamilyError: its family does not say.
    """
    return game.family.face("page", FamilyPage)

"""What the page shows of games of virtues beyond what it shows of every game: the 56, their owners, pairs and curve."""

from collections.abc import Mapping
from typing import Any

from companion.desk.page.family_page import FamilyPage
from companion.desk.shapes.match import FamilyPartsShape, PrizesShape, VirtueShape
from companion.odds.ludus_regularis import expected_curve
from companion.referee.match import Match
from companion.rules.dice import Throw
from companion.rules.game import Game
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.ludus_regularis.virtues import virtues
from companion.rules.options import OptionValue


class _LudusPage(FamilyPage):
    """Ludus Regularis, whole or by sums, and the wheel."""

    def drawn(self, match: Match) -> None:
        """Return nothing: the page draws the boards of the virtues itself."""

    def progress(self, match: Match) -> tuple[int, int]:
        """Return how many virtues are held, and how many the dice can give."""
        position = _position(match)
        return sum(holder > 0 for holder in position.holders), len(position.variant.obtainable(position.rule_set))

    def of_player(self, match: Match, number: int) -> PrizesShape:
        """Return a player's virtues as lots in the order in which they were won, and the completed pairs."""
        position = _position(match)
        return {
            "virtues": [virtue.lot for virtue in position.held(number)],
            "pairs": [(one.lot, other.lot) for one, other in position.pairs(number)],
        }

    def expected_prizes(self, game: Game, options: Mapping[str, OptionValue], throws: int) -> float:
        """Return the exact expectation of how many virtues are won after this many throws."""
        return expected_curve(game.slug, [throws], options)[0]

    def parts(self, match: Match) -> FamilyPartsShape:
        """Return all 56 virtues in the order of the lots, and the curve of how many are won."""
        position = _position(match)
        curve = _curve(position, match.play.throws)
        return {**super().parts(match), "virtues": _virtues(position), "curve": curve}

    def prospects(self, match: Match, shown: Throw) -> Mapping[str, Any]:
        """Return what the dice on the table point to."""
        return _position(match).prospects(shown).to_json()


PAGE = _LudusPage()


def _position(match: Match) -> LudusPosition:
    assert isinstance(match.position, LudusPosition), "games of virtues have positions of their own"
    return match.position


def _virtues(position: LudusPosition) -> list[VirtueShape]:
    return [
        {
            "id": virtue.lot,
            "name": virtue.latin,
            "english": virtue.english,
            "sum": virtue.sum,
            "owner": position.holder(virtue) or None,
            "throw": position.numbers[virtue.index] or None,
        }
        for virtue in virtues()
    ]


def _curve(position: LudusPosition, throws: int) -> list[tuple[int, int]]:
    """Return (throw, acquired) at (0, 0), at each throw that raised it, and at the last throw."""
    won = sorted(filter(None, position.numbers))
    points = {0: 0, **{number: acquired for acquired, number in enumerate(won, start=1)}}
    points.setdefault(throws, max(points.values()))
    return list(points.items())

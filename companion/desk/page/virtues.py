"""What the page shows of the games of virtues beyond what every game has: the 56, their owners, pairs and curve."""

from collections.abc import Mapping
from typing import Any

from companion.referee.match import Match
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.ludus_regularis.virtues import virtues

Json = dict[str, Any]


class PlainFamily:
    """A game of which the page shows nothing special: its board as plain text."""

    acquired = 0
    obtainable = 0

    def __init__(self, position: Position) -> None:
        self._drawn = position.drawn()

    def drawn(self) -> str | None:
        """Return the board in plain text, or None where the page draws it otherwise."""
        return self._drawn

    def of_player(self, _: int) -> Json:
        """Return what a player has beside a score."""
        return {"virtues": [], "pairs": []}

    def virtues(self) -> list[Json]:
        """Return the virtues and who holds them."""
        return []

    def curve(self) -> list[list[int]]:
        """Return how many were acquired after which throw, where that changed, and now."""
        return []

    def prospects(self, _: Throw) -> Mapping[str, Any] | None:
        """Return what dice that lie there point to before they are committed."""
        return None


class VirtueFamily(PlainFamily):
    """Ludus Regularis, whole or by sums."""

    def __init__(self, match: Match, position: LudusPosition) -> None:
        self._match = match
        self._position: LudusPosition = position
        self.acquired = sum(holder > 0 for holder in position.holders)
        self.obtainable = len(position.variant.obtainable(position.reading))

    def drawn(self) -> None:
        """Return nothing: the page draws the boards of the virtues itself."""

    def of_player(self, number: int) -> Json:
        """Return a player's virtues as lots in the order in which they were won, and the completed pairs."""
        return {
            "virtues": [virtue.lot for virtue in self._position.held(number)],
            "pairs": [[one.lot, other.lot] for one, other in self._position.pairs(number)],
        }

    def virtues(self) -> list[Json]:
        """Return all 56 in the order of the lots."""
        return [
            {
                "id": virtue.lot,
                "name": virtue.latin,
                "english": virtue.english,
                "sum": virtue.sum,
                "owner": self._position.holder(virtue) or None,
                "throw": self._position.numbers[virtue.index] or None,
            }
            for virtue in virtues()
        ]

    def curve(self) -> list[list[int]]:
        """Return ``[throw, acquired]`` from [0, 0] on, wherever it rose, and at the last throw."""
        points, acquired = [[0, 0]], 0
        for number in sorted(number for number in self._position.numbers if number):
            acquired += 1
            if points[-1][0] == number:
                points[-1][1] = acquired
            else:
                points.append([number, acquired])
        if points[-1][0] < self._match.play.throws:
            points.append([self._match.play.throws, acquired])
        return points

    def prospects(self, shown: Throw) -> Mapping[str, Any] | None:
        """Return what the dice that lie there point to."""
        return self._position.prospects(shown).to_json()


def family(match: Match) -> PlainFamily:
    """Return what is special about the match's game."""
    position = match.position
    return VirtueFamily(match, position) if isinstance(position, LudusPosition) else PlainFamily(position)

"""The picture of how a game begins on its rule card: a family's face in the kit."""

from typing import Final

from calibration.kit.pen import Pen
from companion.rules.game import Game, Position

SIDES: Final = {"1": ("#ffffff", "#1c1c1c"), "2": ("#1c1c1c", "#ffffff")}
"""The fill and text colours of each side's men."""


class Diagram:
    """A picture of a start; this base class draws none, for a start with an empty board or all men in hand."""

    def height(self, position: Position, width: float) -> float:
        """Return the height of the picture at this width, in millimetres; 0 if there is nothing to show."""
        del position, width
        return 0.0

    def legend(self) -> str:
        """Return the text that explains the picture."""
        return ""

    def draw(self, pen: Pen, position: Position, width: float) -> None:
        """Draw it from the upper left corner, at most ``width`` millimetres wide."""


NONE = Diagram()
"""For games without a picture."""


def diagram_of(game: Game) -> Diagram:
    """Return the diagram of a game's start.

    Raises:
        FamilyError: its family names no diagram.
    """
    return game.family.face("diagram", Diagram)

"""The picture of how a game begins on its rule card: a family's face in the kit."""

from typing import Final

from calibration.kit.pen import Pen
from companion.rules.game import Game, Position

SIDES: Final = {"1": ("#ffffff", "#1c1c1c"), "2": ("#1c1c1c", "#ffffff")}
"""How a side's men are drawn and written on."""


class Diagram:
    """A picture of a start; as it stands here there is none, for nothing stands there or everything is in hand."""

    def height(self, position: Position, width: float) -> float:
        """Return how tall the picture is in this width, in millimetres; 0 where there is nothing to show."""
        del position, width
        return 0.0

    def legend(self) -> str:
        """Return what has to be said about the picture."""
        return ""

    def draw(self, pen: Pen, position: Position, width: float) -> None:
        """Draw it from the upper left corner, as wide as ``width`` millimetres at most."""


NONE = Diagram()
"""For games of which there is nothing to draw."""


def diagram_of(game: Game) -> Diagram:
    """Return how the start of a game is drawn.

    Raises:
        FamilyError: its family does not say.
    """
    return game.family.face("diagram", Diagram)

"""How a board lies, said so that somebody who stands at it can tell whether it is so."""

from typing import Final

from companion.language.sentence import Listing, Sentence, player
from companion.referee.board import Seating, holds_tokens
from companion.rules.game import Game
from companion.rules.looks_said import colour
from companion.rules.tables.points import HALF, POINTS

_CORNERS: Final = {
    POINTS[0]: Sentence("at the bottom right"),
    POINTS[HALF - 1]: Sentence("at the bottom left"),
    POINTS[HALF]: Sentence("at the top left"),
    POINTS[-1]: Sentence("at the top right"),
}
"""Where the corner points lie in the picture, by the picture's own names."""


def lies_said(game: Game, seating: Seating) -> Sentence:
    """Say of a seating whose the colours are and where the first point, or White's side, lies in the picture."""
    colours = [
        Sentence("{colour} is {player}'s", colour=colour(name), player=player(owner)) for name, owner in seating.colours
    ]
    if holds_tokens(game) and colours:
        return Sentence("{said}.", said=Listing(colours, "comma"))
    if game.board.name == "tables":
        where = Sentence("point a lies {where}", where=_CORNERS[seating.site(POINTS[0])])
    else:
        first = game.board.sites[0].name
        side = Sentence("at the left") if seating.site(first) == first else Sentence("at the right")
        where = Sentence("square {site} lies {where}", site=first, where=side)
    return Sentence("{said}.", said=Listing([*colours, where], "comma"))

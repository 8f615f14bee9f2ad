"""Every choice that can be expressed at all in a tables game, legal or not."""

from collections.abc import Iterator

from companion.rules.game import Choice, Position
from companion.rules.tables.choices import HAND, OFF, Step, TurnDie
from companion.rules.tables.free_board import FreePosition
from companion.rules.tables.free_choices import Agreed, Done, Move
from companion.rules.tables.points import POINTS

FACES = range(1, 7)


def expressible(position: Position) -> Iterator[Choice]:
    """Give all steps from every place to every place with every die, and every die turned; or every free move."""
    if isinstance(position, FreePosition):
        yield from _free(position)
        return
    for die in FACES:
        yield TurnDie(die)
        for origin in (HAND, *POINTS):
            for to in (*POINTS, OFF):
                yield Step(origin, to, die)


def _free(position: FreePosition) -> Iterator[Choice]:
    yield Done()
    for side in (0, 1, 2):
        yield Agreed(side)
    places = [site.name for site in position.game.board.sites]
    for side in (1, 2):
        for origin in places:
            for to in places:
                yield Move(side, origin, to)

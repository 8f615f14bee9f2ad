"""Every choice that can be expressed at all in a tables game, legal or not."""

from collections.abc import Iterator

from companion.rules.board import HAND, OFF
from companion.rules.game import Choice, Position
from companion.rules.tables.choices import Leave, Step, TurnDie
from companion.rules.tables.free.board import FreePosition
from companion.rules.tables.free.choices import Agreed, Done, Move
from companion.rules.tables.points import POINTS
from companion.rules.tables.position import TablesPosition

FACES = range(1, 7)


def expressible(position: Position) -> Iterator[Choice]:
    """Give every die turned, every step that a die makes on either side's way, and from each place to each other.

    Of the steps that no die makes anywhere each pair of places stands with one die: six would be refused alike.
    """
    if isinstance(position, FreePosition):
        yield from _free(position)
        return
    assert isinstance(position, TablesPosition)
    yield Leave()
    yield from map(TurnDie, FACES)
    for course in position.rules.courses:
        yield from course.by_step
    for row, origin in enumerate((HAND, *POINTS)):
        for column, to in enumerate((*POINTS, OFF)):
            yield Step(origin, to, (row + column) % len(FACES) + 1)


def _free(position: FreePosition) -> Iterator[Choice]:
    yield Done()
    for side in (0, 1, 2):
        yield Agreed(side)
    places = [site.name for site in position.game.board.sites]
    for side in (1, 2):
        for origin in places:
            for to in places:
                yield Move(side, origin, to)

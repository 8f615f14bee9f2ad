"""The boards of the virtues as the templates draw them: the rim of Table 5 and the pairs of Table 6."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from companion.rules.ludus_regularis.boards import mates, pair_rows, rim_sides
from companion.rules.ludus_regularis.virtues import Virtue, virtues


@dataclass(frozen=True)
class Cell:
    """One virtue on the rim; ``column`` and ``row`` count from 1, ``side`` is upper, right, lower or left."""

    virtue: Virtue
    mate: Virtue
    side: str
    column: int
    row: int


@cache
def rim_cells() -> tuple[Cell, ...]:
    """Return the rim's cells, clockwise from the upper left corner."""
    upper, right, lower, left = rim_sides()
    places = [("upper", column + 1, 1) for column in range(upper)]
    places += [("right", upper, row + 2) for row in range(right)]
    places += [("lower", column, right + 2) for column in range(lower, 0, -1)]
    places += [("left", 1, row + 1) for row in range(left, 0, -1)]
    return tuple(Cell(virtue, mates()[virtue], *place) for virtue, place in zip(virtues(), places, strict=True))


def pairs() -> Sequence[tuple[Virtue, Virtue]]:
    """Return the 28 pairs, row by row."""
    return pair_rows()

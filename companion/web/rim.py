"""The rim of Table 5 as the templates draw it."""

from dataclasses import dataclass
from functools import cache

from companion.rules.ludus_regularis.virtues import Virtue, virtues

CELLS_ACROSS = 8  # cells on the upper and the lower side: few enough that each is wide enough for an upright name


@dataclass(frozen=True)
class Cell:
    """One virtue on the rim; ``column`` and ``row`` count from 1."""

    virtue: Virtue
    column: int
    row: int


@cache
def rim_cells() -> tuple[Cell, ...]:
    """Return the rim's cells, clockwise from the upper left corner, as on the board but on a higher rectangle."""
    down = len(virtues()) // 2 - CELLS_ACROSS  # between the corners
    places = [(column, 1) for column in range(1, CELLS_ACROSS + 1)]
    places += [(CELLS_ACROSS, row) for row in range(2, down + 2)]
    places += [(column, down + 2) for column in range(CELLS_ACROSS, 0, -1)]
    places += [(1, row) for row in range(down + 1, 1, -1)]
    return tuple(Cell(virtue, *place) for virtue, place in zip(virtues(), places, strict=True))

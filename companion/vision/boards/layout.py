"""Where the sites of a board lie in its playing field, and what may stand on them: all that a reader needs to know.

Places in the field are u from its left to its right edge and v from its top to its bottom edge, both from 0 to 1, as
seen in the picture.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]

TABLES: Final = "tables"
RITHMOMACHIA: Final = "rithmomachia"
BAR: Final = "bar"

LOWER: Final = "mlkihgfedcba"
"""The points along the bottom, from left to right; Murray's letters, without j and v."""
UPPER: Final = "nopqrstuwxyz"

HALF_POINTS: Final = 6
"""The number of points in each row on each side of the bar."""

MIDDLE_LINE: Final = 0.5

NUMBERS: Final = (0, 1, 2, 3)
"""The numbers of a board's printed markers, clockwise from its top left."""

USUAL_BAR: Final = 0.075
"""The width of a tables board's bar where nothing else is known, as a fraction of the field."""


class UnknownBoardError(ValueError):
    """There is no such board to be read."""


@dataclass(frozen=True)
class Layout:
    """The sites of one board. ``columns`` and ``rows``: points (or squares) in a row, and in a column."""

    board: str
    columns: int
    rows: int
    colours: tuple[str, str]
    """What the lighter and the darker side are called."""

    @property
    def is_tables(self) -> bool:
        """Whether men stand in rows on points, beside a bar."""
        return self.board == TABLES

    @cached_property
    def sites(self) -> tuple[str, ...]:
        """Every site by name; a board of points ends with its bar."""
        if self.is_tables:
            return (*UPPER, *LOWER, BAR)
        return tuple(f"{chr(97 + row)}{column + 1}" for row in range(self.rows) for column in range(self.columns))

    def site_at(self, u: float, v: float, bar: float = USUAL_BAR) -> str | None:
        """Return the site that a place of the field belongs to, None outside the field. ``bar``: its width."""
        if not (0 <= u <= 1 and 0 <= v <= 1):
            return None
        if not self.is_tables:
            column, row = min(int(u * self.columns), self.columns - 1), min(int(v * self.rows), self.rows - 1)
            return f"{chr(97 + row)}{column + 1}"
        if abs(u - MIDDLE_LINE) < bar / 2:
            return BAR
        pitch = (1 - bar) / 12
        column = (
            min(int(u / pitch), HALF_POINTS - 1) if u < MIDDLE_LINE else 11 - min(int((1 - u) / pitch), HALF_POINTS - 1)
        )
        return (UPPER if v < MIDDLE_LINE else LOWER)[column]

    def place(self, site: str, bar: float = USUAL_BAR) -> tuple[float, float]:
        """Return the middle of a square; of a point the middle of its outer edge; of the bar its middle."""
        if not self.is_tables:
            return (int(site[1:]) - 0.5) / self.columns, (ord(site[0]) - 96.5) / self.rows
        if site == BAR:
            return 0.5, 0.5
        column = (UPPER if site in UPPER else LOWER).index(site)
        pitch = (1 - bar) / 12
        return (column + 0.5) * pitch + (bar if column >= HALF_POINTS else 0.0), 0.0 if site in UPPER else 1.0


LAYOUTS: Final = {
    TABLES: Layout(TABLES, 12, 2, ("light", "dark")),
    RITHMOMACHIA: Layout(RITHMOMACHIA, 16, 8, ("white", "black")),
    "8x14": Layout(RITHMOMACHIA, 14, 8, ("white", "black")),
    "8x9": Layout(RITHMOMACHIA, 9, 8, ("white", "black")),
}
LAYOUTS["8x16"] = LAYOUTS[RITHMOMACHIA]


def layout(name: str) -> Layout:
    """Return the layout of a board: tables, rithmomachia (8x16), 8x14 or 8x9.

    Raises:
        UnknownBoardError: there is none of that name.
    """
    if name not in LAYOUTS:
        raise UnknownBoardError(f"Expected a board that can be read ({', '.join(LAYOUTS)}), but got {name!r}.")
    return LAYOUTS[name]

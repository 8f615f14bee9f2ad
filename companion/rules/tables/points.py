"""The twenty-four points as Murray names them (no j, no v), and where they lie on the drawn board."""

from functools import cache

from companion.rules.board import HAND, LIES, OFF, Board, Site

POINTS = "abcdefghiklmnopqrstuwxyz"
HALF = len(POINTS) // 2
TABLES = ("af", "gm", "ns", "tz")
"""The four tables, each by its first and last point."""

_COLUMNS = HALF + 1
_BAR_COLUMN = 6
"""The bar takes the place of a seventh column in the middle."""


def table_points(table: str) -> str:
    """Return the points of a table, ``"af"`` is ``"abcdef"``."""
    return POINTS[POINTS.index(table[0]) : POINTS.index(table[1]) + 1]


@cache
def tables_board() -> Board:
    """Return the board as the camera sees it: a to m below from right to left, n to z above from left to right.

    Men in hand lie on the bar in the middle, men borne off on the right beside the board.
    """
    sites = []
    for index, point in enumerate(POINTS):
        along = index if index < HALF else len(POINTS) - 1 - index
        column = _COLUMNS - 1 - along if along < _BAR_COLUMN else _COLUMNS - 2 - along
        sites.append(Site(point, (column + 0.5) / (_COLUMNS + 1), 0.75 if index < HALF else 0.25))
    sites.append(Site(HAND, (_BAR_COLUMN + 0.5) / (_COLUMNS + 1), 0.5))
    sites.append(Site(OFF, (_COLUMNS + 0.5) / (_COLUMNS + 1), 0.5))
    return Board("tables", tuple(sites), LIES, ("light", "dark"), barred=True)

"""The boards of the virtues, each with a site for every lot: rim (Table 5), pairs (Table 6), wheel (Figure 6)."""

import math
from collections.abc import Iterable
from functools import cache

from companion.data_file import data_of
from companion.rules.board import Board, Site
from companion.rules.ludus_regularis.virtues import Virtue, by_lot, virtues


def rim_sides() -> tuple[int, int, int, int]:
    """Return the numbers of lots on the upper, right, lower and left side of the rim, in clockwise order."""
    upper, right, lower, left = data_of(__package__, "boards.toml")["rim"]["sides"]
    return upper, right, lower, left


@cache
def rim() -> Board:
    """Return the rim board: lots clockwise from the upper left corner (Pulskamp & Otero, Table 5)."""
    upper, right, lower, left = rim_sides()
    cells = [(column, 0) for column in range(upper)]
    cells += [(upper - 1, row) for row in range(1, right + 1)]
    cells += [(column, right + 1) for column in range(lower - 1, -1, -1)]
    cells += [(0, row) for row in range(left, 0, -1)]
    rows = right + 2
    return _for_tokens(
        "rim",
        (
            Site(virtue.lot, (column + 0.5) / upper, (row + 0.5) / rows)
            for virtue, (column, row) in zip(virtues(), cells, strict=True)
        ),
    )


@cache
def pair_rows() -> tuple[tuple[Virtue, Virtue], ...]:
    """Return the 28 pairs of Table 6, row by row: the lower sum first; both sums add up to 21."""
    return tuple((by_lot()[low], by_lot()[high]) for low, high in data_of(__package__, "boards.toml")["pairs"]["rows"])


@cache
def mates() -> dict[Virtue, Virtue]:
    """Return the partner of each virtue in Table 6."""
    return {one: other for low, high in pair_rows() for one, other in ((low, high), (high, low))}


@cache
def pairs() -> Board:
    """Return the board of pairs: 28 rows, the lower sums on the left (Pulskamp & Otero, Table 6)."""
    rows = pair_rows()
    return _for_tokens(
        "pairs",
        (
            Site(virtue.lot, x, (row + 0.5) / len(rows))
            for row, pair in enumerate(rows)
            for virtue, x in zip(pair, (0.25, 0.75), strict=True)
        ),
    )


@cache
def wheel() -> Board:
    """Return Colvener's wheel (Pulskamp & Otero, Figure 6): the lots clockwise around a circle from the top."""
    count = len(virtues())
    turns = [2 * math.pi * virtue.index / count for virtue in virtues()]
    return _for_tokens(
        "wheel",
        (
            Site(virtue.lot, 0.5 + 0.45 * math.sin(turn), 0.5 - 0.45 * math.cos(turn))
            for virtue, turn in zip(virtues(), turns, strict=True)
        ),
    )


def _for_tokens(name: str, sites: Iterable[Site]) -> Board:
    """Return a board with printed lots, so it lies only one way; its tokens may have any colour."""
    return Board(name, tuple(sites), lies=("as named",), colours=())

"""The table of harmonies: every progression of three of the numbers with which the armies begin."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from companion.rules.rithmomachia.men import COLOURS, array
from companion.rules.rithmomachia.numbers import KINDS, progression

Triple = tuple[int, int, int]

EXAMPLES: Final[Mapping[str, Triple]] = {"arithmetic": (2, 4, 6), "geometric": (4, 6, 9), "harmonic": (3, 4, 6)}
"""A progression of each kind with small numbers, for the sentence that says what it is."""


@cache
def army_numbers(side: int) -> frozenset[int]:
    """Return the numbers with which a side begins, its pyramid's own number among them."""
    return frozenset(man.number for rank in array(side) for man in rank if man is not None)


@cache
def triples() -> Mapping[str, Sequence[Triple]]:
    """Return the progressions of three different numbers of both armies, by kind, in rising order.

    The pyramids' own numbers count, as in the tables of the sources (004, appendix III).
    """
    found: dict[str, list[Triple]] = {kind: [] for kind in KINDS}
    for low, middle, high in combinations(sorted(frozenset().union(*map(army_numbers, COLOURS))), 3):
        kind = progression((low, middle, high))
        if kind is not None:
            found[kind].append((low, middle, high))
    return found

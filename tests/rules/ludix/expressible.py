"""Every choice of Ludix that could be expressed at all, whether or not a position allows it."""

from collections.abc import Iterator
from itertools import product

from companion.rules.game import Choice, Position
from companion.rules.ludix import Formed


def expressible(position: Position) -> Iterator[Choice]:
    """Give every row of four symbols as a numeral, with stop and with again."""
    del position  # the same can be said everywhere
    for symbols in product("LXVI", repeat=4):
        yield Formed("".join(symbols), "stop")
        yield Formed("".join(symbols), "again")

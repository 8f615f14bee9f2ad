"""One turn of Ludix, for many states of a match in parallel: its value, stake by stake from the highest down.

A turn ends in one of two ways: the player stops at some stake, or a throw makes no numeral and the turn fails. So the
value of a plan for the turn is *a + b f*, where *f* is the chance to win after a failed turn. *b* is the chance that
the turn fails, and *a* sums the chances to win over all stops. Both follow from the higher stakes, up to `WIDTH` above.
No numeral is worth less than `STEP`, so `STEP` stakes in a row do not depend on each other and are computed at once.
"""

from collections import defaultdict
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from companion.odds.ludix.throws import chances
from companion.rules.ludix.chances import chance_of_null

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

STEP = min(chances())
"""The lowest value of a throw that makes a numeral."""

WIDTH = max(chances())
"""The highest value of a throw."""

FAILS = float(chance_of_null())

Decision = Callable[[int, Floats, Floats, Floats], Truths]
"""Decides where to go on: takes the lowest stake of some rows, the value of stopping there, and a and b of going on."""


def _alike() -> tuple[tuple[float, tuple[int, ...]], ...]:
    """Return the values by their chances: equally likely ones are added before they are weighted."""
    alike: dict[float, list[int]] = defaultdict(list)
    for value, chance in chances().items():
        alike[chance].append(value)
    return tuple((chance, tuple(values)) for chance, values in alike.items())


ALIKE = _alike()


def rows_for(top: int) -> int:
    """Return how many stakes from 0 on a table needs, so that going on is possible up to the stake ``top``."""
    return (top // STEP + 1) * STEP + WIDTH


def expected(above: Floats, stake: int, rows: int) -> Floats:
    """Return the average of the next throw from ``rows`` stakes on (rows x columns), with a failure as 0."""
    odds_of = np.zeros((rows, above.shape[1]))
    some = np.empty_like(odds_of)
    for chance, values in ALIKE:
        some[:] = above[stake + values[0] : stake + values[0] + rows]
        for value in values[1:]:
            some += above[stake + value : stake + value + rows]
        some *= chance
        odds_of += some
    return odds_of


def sweep(won: Floats, top: Places, decide: Decision) -> tuple[Floats, Floats]:
    """Return a (layers x columns) and b (columns) of one plan for the turn, before its first throw.

    ``won`` (float64, layers x stakes x columns) is the chance to win if the player stops at each stake: a column for
    each state of the match, a layer for each opponent. It is overwritten. ``top`` (columns, falling) is the highest
    stake at which going on is an option. ``decide`` gets the first layer.
    """
    failed = np.zeros(won.shape[1:])
    for stake in range(int(top[0]) // STEP * STEP, 0, -STEP):
        columns = int(np.searchsorted(-top, -stake, side="right"))
        on = [expected(layer[:, :columns], stake, STEP) for layer in won]
        on_failed = expected(failed[:, :columns], stake, STEP)
        on_failed += FAILS
        here = won[:, stake : stake + STEP, :columns]
        again = decide(stake, here[0], on[0], on_failed)
        for layer, value in zip(here, on, strict=True):
            np.copyto(layer, value, where=again)
        np.multiply(on_failed, again, out=failed[stake : stake + STEP, :columns])
    first = np.concatenate([expected(layer, 0, 1) for layer in won])
    return first, expected(failed, 0, 1)[0] + FAILS

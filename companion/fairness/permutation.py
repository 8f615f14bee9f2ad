"""Permutation tests: how many other orders of the same throws look as strange as theirs.

They assume nothing about the die's chances. Where many orders look as strange, a few are enough (Besag and Clifford
1991): p stays valid.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Floats
from companion.fairness.serial_dependence import UNREAD_PLACE

MOST_ORDERS: Final = 4500
"""The most orders to try; the given one counts too, so that no chance is ever 0."""

ENOUGH_STRANGE_ORDERS: Final = 20
"""When this many orders look as strange, the test stops: p is this number over the orders tried, and as valid as ever.
"""

LEAST_P: Final = 1 / (MOST_ORDERS + 1)
"""No p is smaller."""

_FIRST_ORDERS: Final = 60
_MOST_ORDERS_AT_ONCE: Final = 250
_MOST_PLACES_AT_ONCE: Final = 500_000
"""Orders times throws that are tried at once, so that a million throws need little memory."""

_EQUAL_WITHIN: Final = 1e-9


def p_of_orders(shown: Counts, strangeness: Callable[[Counts], Floats], rng: np.random.Generator) -> float:
    """Return the share of orders of the same throws that are as strange as this one; unread ones keep their places.

    ``strangeness``: of each of several orders (orders x n -> orders).
    """
    read = np.flatnonzero(shown != UNREAD_PLACE)
    small = shown.astype(np.int8 if shown.max(initial=0) < np.iinfo(np.int8).max else np.int64)  # fits into the cache

    def drawn(many: int) -> Floats:
        orders = np.repeat(small[None], many, axis=0)
        if len(read) == len(shown):
            rng.permuted(orders, axis=1, out=orders)
        else:
            orders[:, read] = rng.permuted(orders[:, read], axis=1)
        return strangeness(orders)

    most = max(1, _MOST_PLACES_AT_ONCE // max(1, len(shown)))
    return _chance(float(strangeness(shown[None])[0]), drawn, min(_MOST_ORDERS_AT_ONCE, most))


def p_of_tables(table: Counts, rng: np.random.Generator) -> float:
    """Return the share of tables with the same row and column sums that are as uneven as this one (groups x kinds)."""
    if len(table) < 2:  # noqa: PLR2004
        return 1.0
    sums, columns = table.sum(axis=1), table.sum(axis=0)

    def drawn(many: int) -> Floats:
        rows = [rng.multivariate_hypergeometric(columns, int(sums[0]), size=many)]
        left = columns - rows[0]
        for whole in sums[1:-1]:  # each group in turn draws from the throws that are left
            rows.append(np.stack([rng.multivariate_hypergeometric(one, int(whole)) for one in left]))
            left = left - rows[-1]
        return chi_square(np.stack([*rows, left], axis=1))

    return _chance(float(chi_square(table[None])[0]), drawn, _MOST_ORDERS_AT_ONCE)


def chi_square(tables: Counts) -> Floats:
    """Return Pearson's chi-square for the independence of rows and columns, of each table (m x rows x columns)."""
    rows, columns = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
    expected = rows * columns / np.maximum(tables.sum(axis=(1, 2), keepdims=True), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(expected > 0, (tables - expected) ** 2 / expected, 0.0)
    return np.asarray(parts.sum(axis=(1, 2)))


def _chance(seen: float, drawn: Callable[[int], Floats], at_once: int) -> float:
    """Return how likely chance alone deviates as far as ``seen``; ``drawn`` gives the deviations of n other orders."""
    hits, made, many = 0, 0, _FIRST_ORDERS
    while made < MOST_ORDERS:
        many = min(many, MOST_ORDERS - made, at_once)
        so_far = hits + np.cumsum(drawn(many) >= seen * (1 - _EQUAL_WITHIN))
        if so_far[-1] >= ENOUGH_STRANGE_ORDERS:
            return ENOUGH_STRANGE_ORDERS / (made + int(np.argmax(so_far >= ENOUGH_STRANGE_ORDERS)) + 1)
        hits, made, many = int(so_far[-1]), made + many, 2 * many
    return (hits + 1) / (MOST_ORDERS + 1)

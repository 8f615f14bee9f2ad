"""Whether it is the die or the thrower: throws that depend on the one before, drift, or differ between groups.

A biased die behaves alike in every throw, and its throws are independent. Where that does not hold, the cause is how
the die is thrown or read, not the die. The tests assume nothing about the die's chances: they shuffle the same throws
and count how many orders look as strange (a permutation test). Where many do, a few orders are enough (Besag and
Clifford 1991). Each question has a level of its own. It spends parts of that level at a few moments (100, 200, 400, ...
throws), so that looking often does no harm.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Floats

LEVEL: Final = 0.01
"""The chance that one question ever finds something in throws that are independent and alike."""

FIRST: Final = 100
"""Throws at the first moment; each later one has twice as many."""

MOMENTS: Final = 12
"""The number of moments, up to 204,800 throws; each has the same part of the level."""

ORDERS: Final = 1500
"""The most orders to try; the given one counts too, so that no chance is ever 0."""

ENOUGH_STRANGE_ORDERS: Final = 20
"""When this many orders look as strange, the test stops: p is this number over the orders tried, and as valid as ever.
The level allowed at a moment is less than this number over `ORDERS`, so no finding depends on it."""


@dataclass(frozen=True)
class Finding:
    """The result of one question at its strangest moment: after ``throws`` throws it had this ``p``, of ``allowed``.

    ``found``: whether p was at most the allowed level at any moment.
    """

    question: str
    throws: int
    p: float
    allowed: float
    found: bool


def moments(throws: int) -> list[tuple[int, float]]:
    """Return the numbers of throws after which the test looks, and the level that it spends there."""
    looks = [FIRST * 2**number for number in range(MOMENTS)]
    return [(look, LEVEL / MOMENTS) for look in looks if look <= throws]


def lag_one(shown: Counts, kinds: int, *, seed: int = 1) -> Finding | None:
    """Ask whether a throw depends on the one before; ``shown``: places of outcomes in their order (n).

    None if there are too few throws for a first look.
    """
    rng = np.random.default_rng(seed)

    def p(part: Counts) -> float:
        return _p_of_orders(part, kinds, rng)

    return _strangest("lag", shown, p)


def drift(shown: Counts, kinds: int, *, seed: int = 2) -> Finding | None:
    """Ask whether the first half of the throws and the second half differ."""
    rng = np.random.default_rng(seed)

    def p(part: Counts) -> float:
        middle = len(part) // 2
        table = np.stack([np.bincount(half, minlength=kinds) for half in (part[:middle], part[middle:])])
        return _p_of_tables(table, rng)

    return _strangest("drift", shown, p)


def between(shown: Counts, groups: Sequence[str], kinds: int, question: str, *, seed: int = 3) -> Finding | None:
    """Ask whether groups of throws differ: sessions, dice of a set, hands. ``groups``: the group of each throw (n).

    None if there is only one group, or too few throws.
    """
    names = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    if len(names) < 2:  # noqa: PLR2004  one group differs from none
        return None
    rng = np.random.default_rng(seed)
    of = np.array([names[name] for name in groups], np.int64)

    def p(part: Counts) -> float:
        table = np.zeros((len(names), kinds), np.int64)
        np.add.at(table, (of[: len(part)], part), 1)
        return _p_of_tables(table[table.sum(axis=1) > 0], rng)

    return _strangest(question, shown, p)


def _strangest(question: str, shown: Counts, p: Callable[[Counts], float]) -> Finding | None:
    found = []
    for throws, allowed in moments(len(shown)):
        chance = p(np.asarray(shown[:throws], np.int64))
        found.append(Finding(question, throws, chance, allowed, chance <= allowed))
        if chance <= _LEAST:
            break  # no later moment can be stranger
    if not found:
        return None
    return min(found, key=lambda one: one.p / one.allowed)


def _p_of_orders(shown: Counts, kinds: int, rng: np.random.Generator) -> float:
    """Return the share of orders of the same throws that depend on the previous throw as much as this order."""

    def drawn(many: int) -> Floats:
        return _stray(_transitions(rng.permuted(np.repeat(shown[None], many, axis=0), axis=1), kinds))

    return _chance(float(_stray(_transitions(shown[None], kinds))[0]), drawn)


def _p_of_tables(table: Counts, rng: np.random.Generator) -> float:
    """Return the share of tables with the same row and column sums that are as uneven as this one."""
    if len(table) < 2:  # noqa: PLR2004
        return 1.0
    sums, columns = table.sum(axis=1), table.sum(axis=0)

    def drawn(many: int) -> Floats:
        rows = [rng.multivariate_hypergeometric(columns, int(sums[0]), size=many)]
        left = columns - rows[0]
        for whole in sums[1:-1]:  # each group in turn draws from the throws that are left
            rows.append(np.stack([rng.multivariate_hypergeometric(one, int(whole)) for one in left]))
            left = left - rows[-1]
        return _stray(np.stack([*rows, left], axis=1))

    return _chance(float(_stray(table[None])[0]), drawn)


def _chance(seen: float, drawn: Callable[[int], Floats]) -> float:
    """Return how likely chance alone deviates as far as ``seen``; ``drawn`` gives the deviations of n other orders."""
    hits, made, many = 0, 0, _AT_FIRST
    while made < ORDERS:
        many = min(many, ORDERS - made, _AT_ONCE)
        so_far = hits + np.cumsum(drawn(many) >= seen * (1 - _ALIKE))
        if so_far[-1] >= ENOUGH_STRANGE_ORDERS:
            return ENOUGH_STRANGE_ORDERS / (made + int(np.argmax(so_far >= ENOUGH_STRANGE_ORDERS)) + 1)
        hits, made, many = int(so_far[-1]), made + many, 2 * many
    return (hits + 1) / (ORDERS + 1)


_LEAST: Final = 1 / (ORDERS + 1)
_AT_FIRST: Final = 60
_AT_ONCE: Final = 250
_ALIKE: Final = 1e-9


def _transitions(orders: Counts, kinds: int) -> Counts:
    """Return how often each outcome follows each one (orders x kinds x kinds)."""
    pairs = orders[:, :-1] * kinds + orders[:, 1:] + np.arange(len(orders))[:, None] * kinds * kinds
    flat = np.bincount(pairs.ravel(), minlength=len(orders) * kinds * kinds)
    return flat.reshape(len(orders), kinds, kinds)


def _stray(tables: npt.NDArray[np.int64]) -> Floats:
    """Return Pearson's chi-square for the independence of rows and columns, of each table (m)."""
    rows, columns = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
    expected = rows * columns / np.maximum(tables.sum(axis=(1, 2), keepdims=True), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(expected > 0, (tables - expected) ** 2 / expected, 0.0)
    return np.asarray(parts.sum(axis=(1, 2)))

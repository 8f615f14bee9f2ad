"""Whether it is the die or the thrower: throws that depend on earlier ones, drift, come and go, or differ by group.

A biased die behaves alike in every throw, and its throws are independent. Where that does not hold, the cause is how
the die is thrown or read, not the die. The tests assume nothing about the die's chances: they shuffle the same throws
and count how many orders look as strange (a permutation test). Where many do, a few orders are enough (Besag and
Clifford 1991). Each question has a level of its own. It spends parts of that level at a few moments (100, 200, 400, ...
throws), so that looking often does no harm.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Floats
from companion.fairness.serial_dependence import LAGS, UNREAD_PLACE

QUESTION_LEVEL: Final = 0.01
"""The chance that one question ever finds something in throws that are independent and alike."""

FIRST_MOMENT: Final = 100
"""Throws at the first moment; each later one has twice as many."""

MOST_MOMENTS: Final = 12
"""The number of moments, up to 204,800 throws; each has the same part of the level."""

MOST_ORDERS: Final = 1500
"""The most orders to try; the given one counts too, so that no chance is ever 0."""

ENOUGH_STRANGE_ORDERS: Final = 20
"""When this many orders look as strange, the test stops: p is this number over the orders tried, and as valid as ever.
The level allowed at a moment is less than this number over `MOST_ORDERS`, so no finding depends on it."""


@dataclass(frozen=True)
class Finding:
    """The result of one question at its strangest moment: after ``throws`` throws it had this ``p``, of ``allowed``.

    ``found``: whether p was at most the allowed level at any moment. ``about``: for ``lag`` how many throws ago the
    throw is that the later one depends on most (0: a die of the same throw), for ``period`` in how many throws the
    strongest change comes again; else 0.
    """

    question: str
    throws: int
    p: float
    allowed: float
    found: bool
    about: int = 0

    @property
    def chance(self) -> float:
        """How often throws that are independent and alike look as strange at any of the moments: at most so often."""
        return min(1.0, QUESTION_LEVEL * self.p / self.allowed)


def moments(throws: int) -> list[tuple[int, float]]:
    """Return the numbers of throws after which the test looks, and the level that it spends there."""
    moments_of = [FIRST_MOMENT * 2**number for number in range(MOST_MOMENTS)]
    return [(moment, QUESTION_LEVEL / MOST_MOMENTS) for moment in moments_of if moment <= throws]


def lag(
    shown: Counts, kinds: int, *, together: int = 1, stations: Counts | None = None, seed: int = 1
) -> Finding | None:
    """Ask whether a throw depends on one of the `LAGS` throws before, by repeats (or runs) or in any other way.

    ``shown``: places of outcomes in their order, or `UNREAD_PLACE` (n). ``together``: so many dice that nobody
    can distinguish follow each other in one throw, in any order. Then whole throws are compared, and the dice within a
    throw. ``stations``: the number of each one's station (n): a throw follows those of its own. None if there are too
    few throws for a first test.
    """
    rng = np.random.default_rng(seed)

    def seen(orders: Counts) -> Floats:
        return _by_lag(orders, kinds, together)

    def p(part: Counts) -> tuple[float, int]:
        if stations is not None:  # one station after the other: the few pairs across their ends are independent
            part = part[np.argsort(stations[: len(part)], kind="stable")]
        by_lag = seen(part[None])[0]
        strongest = int(by_lag.argmax())
        chance = _p_of_orders(part, lambda orders: seen(orders).max(axis=1), rng)
        return chance, strongest + 1 if together == 1 else strongest

    return _strangest("lag", shown, p)


def period(shown: Counts, kinds: int, *, seed: int = 4) -> Finding | None:
    """Ask whether an outcome comes and goes regularly, from twice to `MOST_WAVES` times in all the throws (n)."""
    rng = np.random.default_rng(seed)

    def p(part: Counts) -> tuple[float, int]:
        strongest = int(_waves(part[None], kinds)[0].max(axis=-1).argmax()) + _LEAST_WAVES
        chance = _p_of_orders(part, lambda orders: _waves(orders, kinds).max(axis=(1, 2)), rng)
        return chance, round(len(part) / strongest)

    return _strangest("period", _read(shown), p)


def drift(shown: Counts, kinds: int, *, seed: int = 2) -> Finding | None:
    """Ask whether the first half of the throws and the second half differ."""
    rng = np.random.default_rng(seed)

    def p(part: Counts) -> tuple[float, int]:
        middle = len(part) // 2
        table = np.stack([np.bincount(half, minlength=kinds) for half in (part[:middle], part[middle:])])
        return _p_of_tables(table, rng), 0

    return _strangest("drift", _read(shown), p)


def between(shown: Counts, groups: Sequence[str], kinds: int, question: str, *, seed: int = 3) -> Finding | None:
    """Ask whether groups of throws differ: sessions, dice of a set, hands. ``groups``: the group of each throw (n).

    None if there is only one group, or too few throws.
    """
    names = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    if len(names) < 2:  # noqa: PLR2004  one group differs from none
        return None
    rng = np.random.default_rng(seed)
    of = np.array([names[name] for name in groups], np.int64)

    def p(part: Counts) -> tuple[float, int]:
        table = np.zeros((len(names), kinds), np.int64)
        np.add.at(table, (of[: len(part)], part), 1)
        return _p_of_tables(table[table.sum(axis=1) > 0], rng), 0

    return _strangest(question, shown, p)


def _read(shown: Counts) -> Counts:
    places: Counts = np.asarray(shown, np.int64)
    return np.asarray(places[places != UNREAD_PLACE])


def _strangest(question: str, shown: Counts, p: Callable[[Counts], tuple[float, int]]) -> Finding | None:
    found = []
    shown = np.asarray(shown, np.int64)
    read = np.flatnonzero(shown != UNREAD_PLACE)
    for throws, allowed in moments(len(read)):
        chance, about = p(shown[: read[throws - 1] + 1])
        found.append(Finding(question, throws, chance, allowed, chance <= allowed, about))
        if chance <= _LEAST:
            break  # no later moment can be stranger
    if not found:
        return None
    return min(found, key=lambda one: one.p / one.allowed)


def _p_of_orders(shown: Counts, strangeness: Callable[[Counts], Floats], rng: np.random.Generator) -> float:
    """Return the share of orders of the same throws that are as strange as this one; unread ones keep their places."""
    read = np.flatnonzero(shown != UNREAD_PLACE)

    def drawn(many: int) -> Floats:
        orders = np.repeat(shown[None], many, axis=0)
        orders[:, read] = rng.permuted(orders[:, read], axis=1)
        return strangeness(orders)

    return _chance(float(strangeness(shown[None])[0]), drawn)


def _by_lag(orders: Counts, kinds: int, together: int) -> Floats:
    """Return how strangely throws depend on each of the earlier ones (orders x lags), in standard deviations."""
    lags = LAGS if together == 1 else (0, *LAGS)
    return np.stack([_dependence(_transitions(orders, kinds, lag, together)) for lag in lags], axis=1)


def _dependence(tables: Counts) -> Floats:
    """Return the stranger of two signs of dependence, of each table (m): repeats, and Pearson's chi-square.

    Both are in standard deviations, roughly: other orders of the throws say how strange that is.
    """
    whole = tables.sum(axis=(1, 2)).astype(np.float64)
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    part = (rows * columns).sum(axis=1) / np.maximum(whole, 1) ** 2
    spread = np.sqrt(np.maximum(whole * part * (1 - part), 1))
    repeats = np.abs(np.trace(tables, axis1=1, axis2=2) - whole * part) / spread
    freedom = max(1, (tables.shape[1] - 1) ** 2)
    stray = (_stray(tables) / freedom) ** (1 / 3)  # nearly normal (Wilson and Hilferty 1931)
    return np.asarray(np.maximum(repeats, (stray - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))))


def _waves(orders: Counts, kinds: int) -> Floats:
    """Return how strongly each outcome comes and goes at each frequency (orders x frequencies x kinds)."""
    count = orders.shape[1]
    bins = min(count, MOST_BINS)
    bin_of = np.arange(count) * bins // count
    flat = (np.arange(len(orders))[:, None] * bins + bin_of) * kinds + orders
    tables = np.bincount(flat.ravel(), minlength=len(orders) * bins * kinds).reshape(len(orders), bins, kinds)
    fell = tables.sum(axis=1, keepdims=True).astype(np.float64)
    waves = np.fft.rfft(tables - fell / bins, axis=1)[:, _LEAST_WAVES : min(MOST_WAVES, bins // 4) + 1]
    return np.asarray(np.abs(waves) ** 2 / np.maximum(fell * (1 - fell / count), 1))


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
    while made < MOST_ORDERS:
        many = min(many, MOST_ORDERS - made, _AT_ONCE)
        so_far = hits + np.cumsum(drawn(many) >= seen * (1 - _EQUAL_WITHIN))
        if so_far[-1] >= ENOUGH_STRANGE_ORDERS:
            return ENOUGH_STRANGE_ORDERS / (made + int(np.argmax(so_far >= ENOUGH_STRANGE_ORDERS)) + 1)
        hits, made, many = int(so_far[-1]), made + many, 2 * many
    return (hits + 1) / (MOST_ORDERS + 1)


MOST_WAVES: Final = 32
_LEAST_WAVES: Final = 2
MOST_BINS: Final = 256
"""Throws are pooled to at most so many bins before waves are looked for: the longest waves need no more."""

_LEAST: Final = 1 / (MOST_ORDERS + 1)
_AT_FIRST: Final = 60
_AT_ONCE: Final = 250
_EQUAL_WITHIN: Final = 1e-9


def _transitions(orders: Counts, kinds: int, lag: int, together: int = 1) -> Counts:
    """Return how often each outcome follows each one so many throws later (orders x kinds x kinds).

    Each die of a throw follows each of the other; at lag 0 each other one of its own throw.
    """
    size = kinds + 1  # one more for throws that were not read
    count = orders.shape[1] // together * together
    throws = np.where(orders == UNREAD_PLACE, kinds, orders)[:, :count].reshape(len(orders), -1, together)
    first = np.arange(len(orders))[:, None] * size * size
    found = np.zeros((len(orders), size, size), np.int64)
    for one in range(together):
        for other in range(together):
            if lag or one != other:
                before, after = throws[:, : throws.shape[1] - lag, one], throws[:, lag:, other]
                flat = np.bincount((before * size + after + first).ravel(), minlength=found.size)
                found += flat.reshape(found.shape)
    return found[:, :kinds, :kinds]


def _stray(tables: npt.NDArray[np.int64]) -> Floats:
    """Return Pearson's chi-square for the independence of rows and columns, of each table (m)."""
    rows, columns = tables.sum(axis=2, keepdims=True), tables.sum(axis=1, keepdims=True)
    expected = rows * columns / np.maximum(tables.sum(axis=(1, 2), keepdims=True), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(expected > 0, (tables - expected) ** 2 / expected, 0.0)
    return np.asarray(parts.sum(axis=(1, 2)))

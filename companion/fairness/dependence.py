"""Whether it is the die or the thrower: throws that depend on earlier ones, change, come and go, or differ by group.

A biased die behaves alike in every throw, and its throws are independent. Where that does not hold, the cause is how
the die is thrown or read, not the die. The tests assume nothing about the die's chances: they shuffle the same throws
(`companion.fairness.permutation`). Each question has a level of its own. It spends a third of that level at a few
moments (100, 141, 200, ... throws), so that looking often does no harm, and the rest at one look at the end.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Floats
from companion.fairness.permutation import LEAST_P, chi_square, p_of_orders, p_of_tables
from companion.fairness.serial_dependence import UNREAD_PLACE

END_LEVEL: Final = 0.01
"""The part of a question's level that the one look at the end spends."""

MOMENTS_LEVEL: Final = 0.005
"""The part of a question's level that all moments before the end spend together."""

QUESTION_LEVEL: Final = END_LEVEL + MOMENTS_LEVEL
"""The chance that one question ever finds something in throws that are independent and alike."""

FIRST_MOMENT: Final = 100
"""Throws at the first moment."""

_DENSE_DOUBLINGS: Final = 8
_MOST_DOUBLINGS: Final = 12

MOMENTS: Final = tuple(
    round(FIRST_MOMENT * 2 ** (half / 2))
    for half in (*range(2 * _DENSE_DOUBLINGS), *range(2 * _DENSE_DOUBLINGS, 2 * _MOST_DOUBLINGS + 1, 2))
)
"""The moments, in throws: two a doubling up to 25,600, then one, up to 409,600; each has the same part of the level."""

LAGS: Final = tuple(range(1, 13))
"""How many throws ago the throw may be on which a later one depends: people write five or six dice in a row."""

CYCLES: Final = tuple(range(2, 13))
"""In how many throws the same die may come again, where several dice are thrown in turn."""

SEEDS: Final = {"lag": 1, "drift": 2, "period": 4, "cycle": 5, "session": 3, "hand": 3}
"""By question the seed of the other orders of the throws: asking again gives the same answer."""


@dataclass(frozen=True)
class Finding:
    """The result of one question at its strangest moment: after ``throws`` throws it had this ``p``, of ``allowed``.

    ``found``: whether p was at most the allowed level at any moment. ``about``: for ``lag`` how many throws ago the
    throw is that the later one depends on most (0: a die of the same throw), for ``drift`` after about how many throws
    they change, for ``period`` in how many throws the strongest change comes again, for ``cycle`` how many dice may
    have been thrown in turn; else 0. ``asked_to``: how many throws had been read at the last moment.
    """

    question: str
    throws: int
    p: float
    allowed: float
    found: bool
    about: int = 0
    asked_to: int = 0

    @property
    def chance(self) -> float:
        """How often throws that are independent and alike look as strange at any of the moments: at most so often."""
        return min(1.0, QUESTION_LEVEL * self.p / self.allowed)


@dataclass(frozen=True)
class Doubt:
    """A face that a verdict blames comes up unequally often in groups of throws: a cause that is not the die, perhaps.

    ``question``: what distinguishes the groups. ``low`` and ``high``: the groups with the smallest and the largest
    share of it, and the shares. ``p``: how often chance alone makes them as unequal, at one look.
    """

    question: str
    low: tuple[str, float]
    high: tuple[str, float]
    p: float


DOUBT_LEVEL: Final = 0.05
"""A verdict on a die is doubted aloud if a question about the blamed face has at most this p."""

Tested = Callable[[Counts], tuple[float, int]]


def moments(throws: int) -> list[tuple[int, float]]:
    """Return the numbers of throws after which the test looks, and the level that it spends there."""
    return [(moment, MOMENTS_LEVEL / len(MOMENTS)) for moment in MOMENTS if moment <= throws]


def asked(
    seen: Counts,
    kinds: int,
    groups: Mapping[str, Sequence[str]],
    *,
    together: int = 1,
    stations: Counts | None = None,
    at_end: bool = False,
) -> dict[str, Finding | None]:
    """Ask all questions about the thrower; by question what was found, None where throws or groups are too few.

    ``seen``: places of outcomes in their order, or `UNREAD_PLACE` (n). ``groups``: by question (`session`, `hand`) the
    group of each throw (n). ``together`` and ``stations``: as in `lag`. ``at_end``: this is the one look at the end.
    """
    read = seen != UNREAD_PLACE
    shown = seen[read]
    found = {
        "lag": lag(seen, kinds, together=together, stations=stations, at_end=at_end),
        "drift": drift(shown, kinds, at_end=at_end),
        "period": period(shown, kinds, at_end=at_end),
        "cycle": cycle(seen, kinds, stations=stations, at_end=at_end) if together == 1 else None,
    }
    for question, names in groups.items():
        mine = [name for name, was_read in zip(names, read, strict=True) if was_read]
        found[question] = between(shown, mine, kinds, question, seed=SEEDS[question], at_end=at_end)
    return found


def lag(
    shown: Counts,
    kinds: int,
    *,
    together: int = 1,
    stations: Counts | None = None,
    seed: int = SEEDS["lag"],
    at_end: bool = False,
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
        part = _by_station(part, stations)
        strongest = int(seen(part[None])[0].argmax())
        chance = p_of_orders(part, lambda orders: seen(orders).max(axis=1), rng)
        return chance, LAGS[strongest] if together == 1 else (0, *LAGS)[strongest]

    return _strangest("lag", shown, p, at_end=at_end)


def period(shown: Counts, kinds: int, *, seed: int = SEEDS["period"], at_end: bool = False) -> Finding | None:
    """Ask whether an outcome comes and goes regularly, from twice to `MOST_WAVES` times in all the throws (n)."""
    rng = np.random.default_rng(seed)

    def p(part: Counts) -> tuple[float, int]:
        strongest = int(_waves(part[None], kinds)[0].max(axis=-1).argmax()) + _LEAST_WAVES
        chance = p_of_orders(part, lambda orders: _waves(orders, kinds).max(axis=(1, 2)), rng)
        return chance, round(len(part) / strongest)

    return _strangest("period", _read(shown), p, at_end=at_end)


def cycle(
    shown: Counts,
    kinds: int,
    *,
    stations: Counts | None = None,
    seed: int = SEEDS["cycle"],
    at_end: bool = False,
) -> Finding | None:
    """Ask whether every n-th throw differs from the rest, n one of `CYCLES`, as where several dice come in turn.

    ``shown`` and ``stations`` as in `lag`.
    """
    rng = np.random.default_rng(seed)

    def p(part: Counts) -> tuple[float, int]:
        part = _by_station(part, stations)
        strongest = int(_by_cycle(part[None], kinds)[0].argmax())
        chance = p_of_orders(part, lambda orders: _by_cycle(orders, kinds).max(axis=1), rng)
        return chance, CYCLES[strongest]

    return _strangest("cycle", shown, p, at_end=at_end)


def drift(shown: Counts, kinds: int, *, seed: int = SEEDS["drift"], at_end: bool = False) -> Finding | None:
    """Ask whether the throws change at some moment: half of the weight is on the middle, half on all other moments."""
    rng = np.random.default_rng(seed)

    def p(part: Counts) -> tuple[float, int]:
        after = (int(_by_change(part[None], kinds)[0].argmax()) + 1) * len(part) / CHANGE_PARTS
        return p_of_orders(part, lambda orders: _change(orders, kinds), rng), round(after)

    return _strangest("drift", _read(shown), p, at_end=at_end)


def between(
    shown: Counts,
    groups: Sequence[str],
    kinds: int,
    question: str,
    *,
    seed: int = SEEDS["session"],
    at_end: bool = False,
) -> Finding | None:
    """Ask whether groups of throws differ: sessions, dice of a set, hands. ``groups``: the group of each throw (n).

    None if there is only one group, or too few throws.
    """
    names = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    if len(names) < 2:  # noqa: PLR2004  one group differs from none
        return None
    rng = np.random.default_rng(seed)
    of = np.array([names[name] for name in groups], np.int64)

    def p(part: Counts) -> tuple[float, int]:
        table = _table(part, of[: len(part)], len(names), kinds)
        return p_of_tables(table[table.sum(axis=1) > 0], rng), 0

    return _strangest(question, shown, p, at_end=at_end)


def doubt(shown: Counts, groups: Sequence[str], blamed: Sequence[int], question: str) -> Doubt | None:
    """Return how unequally often the ``blamed`` outcomes (places) came up in groups of throws; None if that is chance.

    ``shown`` (n) holds read throws only, ``groups`` (n) the name of each one's group.
    """
    names = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    if len(names) < 2:  # noqa: PLR2004
        return None
    of = np.array([names[name] for name in groups], np.int64)
    table = _table(np.isin(shown, blamed).astype(np.int64), of, len(names), 2)
    p = p_of_tables(table, np.random.default_rng(SEEDS[question]))
    if p > DOUBT_LEVEL:
        return None
    shares = sorted((float(row[1] / row.sum()), name) for row, name in zip(table, names, strict=True))
    return Doubt(question, shares[0][::-1], shares[-1][::-1], p)


def _table(shown: Counts, of: Counts, groups: int, kinds: int) -> Counts:
    return np.bincount(of * kinds + shown, minlength=groups * kinds).reshape(groups, kinds)


def _by_station(part: Counts, stations: Counts | None) -> Counts:
    """Return the throws one station after the other: the few pairs across their ends are independent."""
    return part if stations is None else part[np.argsort(stations[: len(part)], kind="stable")]


def _read(shown: Counts) -> Counts:
    places: Counts = np.asarray(shown, np.int64)
    return np.asarray(places[places != UNREAD_PLACE])


def _strangest(question: str, shown: Counts, p: Tested, *, at_end: bool) -> Finding | None:
    found = []
    shown = np.asarray(shown, np.int64)
    read = np.flatnonzero(shown != UNREAD_PLACE)
    due = moments(len(read))
    if at_end and due:
        due = [one for one in due if one[0] < len(read)] + [(len(read), END_LEVEL)]
    for throws, allowed in due:
        chance, about = p(shown[: read[throws - 1] + 1])
        found.append(Finding(question, throws, chance, allowed, chance <= allowed, about, due[-1][0]))
        if chance <= LEAST_P:
            break  # no later moment can be stranger
    if not found:
        return None
    return min(found, key=lambda one: one.p / one.allowed)


def _by_lag(orders: Counts, kinds: int, together: int) -> Floats:
    """Return how strangely throws depend on each of the earlier ones (orders x lags), in standard deviations."""
    lags = LAGS if together == 1 else (0, *LAGS)
    throws = _by_throw(orders, kinds, together)
    before = (throws + np.arange(len(throws))[:, None, None] * (kinds + 1)) * (kinds + 1)
    return np.stack([_dependence(_transitions(before, throws, kinds, lag)) for lag in lags], axis=1)


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
    stray = (chi_square(tables) / freedom) ** (1 / 3)  # nearly normal (Wilson and Hilferty 1931)
    return np.asarray(np.maximum(repeats, (stray - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))))


def _waves(orders: Counts, kinds: int) -> Floats:
    """Return how strongly each outcome comes and goes at each frequency (orders x frequencies x kinds)."""
    count = orders.shape[1]
    bins = min(count, MOST_BINS)
    tables = _binned(orders, kinds, bins)
    fell = tables.sum(axis=1, keepdims=True).astype(np.float64)
    waves = np.fft.rfft(tables - fell / bins, axis=1)[:, _LEAST_WAVES : min(MOST_WAVES, bins // 4) + 1]
    return np.asarray(np.abs(waves) ** 2 / np.maximum(fell * (1 - fell / count), 1))


def _change(orders: Counts, kinds: int) -> Floats:
    """Return how strangely the throws change (orders): the mean likelihood ratio over the moments, as a logarithm."""
    by_change = _by_change(orders, kinds) / 2
    middle, others = by_change[:, CHANGE_PARTS // 2 - 1], np.delete(by_change, CHANGE_PARTS // 2 - 1, axis=1)
    most = others.max(axis=1)
    return np.asarray(np.logaddexp(middle, most + np.log(np.exp(others - most[:, None]).mean(axis=1))))


def _by_change(orders: Counts, kinds: int) -> Floats:
    """Return how far the throws before each moment of `CHANGE_PARTS` differ from those after it, as a chi-square."""
    before = _binned(orders, kinds, CHANGE_PARTS).cumsum(axis=1)
    whole = before[:, -1:].astype(np.float64)
    count = before.sum(axis=2, keepdims=True)[:, :-1]
    expected = whole * count / orders.shape[1]
    spread = np.maximum(expected * (1 - count / orders.shape[1]), _LEAST_SPREAD)
    return np.asarray(((before[:, :-1] - expected) ** 2 / spread).sum(axis=2))


def _by_cycle(orders: Counts, kinds: int) -> Floats:
    """Return how far the throws at one place in a cycle differ from the rest, at most, as a chi-square.

    The shape is orders x cycles; throws that were not read count at no place.
    """
    size = kinds + 1
    begin = np.where(orders == UNREAD_PLACE, kinds, orders) + np.arange(len(orders))[:, None] * size
    fell = {}
    for cycle in _COMMON_CYCLES:
        flat = begin * cycle + _places_in(cycle, orders.shape[1])
        tables = np.bincount(flat.ravel(), minlength=len(orders) * size * cycle).reshape(-1, size, cycle)
        fell[cycle] = tables[:, :kinds].transpose(0, 2, 1)
    found = []
    for many in reversed(CYCLES):
        longer = fell[min(cycle for cycle in fell if cycle % many == 0)]
        fell[many] = longer.reshape(len(orders), -1, many, kinds).sum(axis=1)
        part = fell[many].sum(axis=2, keepdims=True) / np.maximum(fell[many].sum(axis=(1, 2), keepdims=True), 1)
        expected = fell[many].sum(axis=1, keepdims=True) * part
        spread = np.maximum(expected * (1 - part), _LEAST_SPREAD)
        found.append(((fell[many] - expected) ** 2 / spread).sum(axis=2).max(axis=1))
    return np.stack(found[::-1], axis=1)


_COMMON_CYCLES: Final = (60, 72, 77)
"""Each of `CYCLES` is a part of one of these: the throws are counted once for all."""


@lru_cache(maxsize=len(_COMMON_CYCLES))  # all other orders of the same throws need the same
def _places_in(cycle: int, count: int) -> npt.NDArray[np.int16]:
    return (np.arange(count) % cycle).astype(np.int16)


@lru_cache(maxsize=1)  # likewise
def _bin_of(bins: int, count: int) -> npt.NDArray[np.int16]:
    return (np.arange(count) * bins // count).astype(np.int16)


def _binned(orders: Counts, kinds: int, bins: int) -> Counts:
    """Return how often each outcome fell in each of so many parts of the throws (orders x bins x kinds)."""
    flat = (np.arange(len(orders))[:, None] * bins + _bin_of(bins, orders.shape[1])) * kinds + orders
    return np.bincount(flat.ravel(), minlength=len(orders) * bins * kinds).reshape(len(orders), bins, kinds)


MOST_WAVES: Final = 32
_LEAST_WAVES: Final = 2
MOST_BINS: Final = 256
"""Throws are pooled to at most so many bins before waves are searched for: the longest waves need no more."""

CHANGE_PARTS: Final = 32
"""In so many equal parts the throws are cut: a change may lie between any two of them."""

_LEAST_SPREAD: Final = 1e-9


def _by_throw(orders: Counts, kinds: int, together: int) -> Counts:
    """Return the places by throw (orders x throws x together), those that were not read as one more kind."""
    count = orders.shape[1] // together * together
    places = np.where(orders == UNREAD_PLACE, np.int64(kinds), orders)[:, :count]
    return places.reshape(len(orders), -1, together)


def _transitions(before: Counts, throws: Counts, kinds: int, lag: int) -> Counts:
    """Return how often each outcome follows each one so many throws later (orders x kinds x kinds).

    ``throws``: as `_by_throw`; ``before``: where in the table the row of each begins. Each die of a throw follows each
    of the other; at lag 0 each other one of its own throw.
    """
    size, together = kinds + 1, throws.shape[2]
    found = np.zeros((len(throws), size, size), np.int64)
    for one, other in product(range(together), repeat=2):
        if lag or one != other:
            pairs = before[:, : throws.shape[1] - lag, one] + throws[:, lag:, other]
            found += np.bincount(pairs.ravel(), minlength=found.size).reshape(found.shape)
    return found[:, :kinds, :kinds]

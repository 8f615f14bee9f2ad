"""The three harmonies from their definitions, by trying every three and every four numbers."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations


def arithmetic(a: int, b: int, c: int) -> bool:
    return b - a == c - b


def geometric(a: int, b: int, c: int) -> bool:
    """Whether a : b = b : c."""
    return a * c == b * b


def harmonic(a: int, b: int, c: int) -> bool:
    """Whether b = 2ac / (a + c) (Durnil & Guardia 5.5)."""
    return b * (a + c) == 2 * a * c


KINDS = {"arithmetic": arithmetic, "geometric": geometric, "harmonic": harmonic}


def kinds_of_three(numbers: Iterable[int]) -> set[str]:
    """Name the harmonies of three different numbers, in whatever order they come."""
    a, b, c = sorted(numbers)
    if b in (a, c):
        return set()
    return {name for name, holds in KINDS.items() if holds(a, b, c)}


def kinds_of_four(numbers: Iterable[int], *, four_term: bool) -> set[str]:
    """Name the harmonies among any three of four numbers; read four-term, a : b = c : d is geometric as well."""
    a, b, c, d = sorted(numbers)
    found = {kind for three in combinations((a, b, c, d), 3) for kind in kinds_of_three(three)}
    if four_term and len({a, b, c, d}) == 4 and a * d == b * c:
        found.add("geometric")
    return found


def triples(values: Iterable[int], kind: str) -> list[tuple[int, ...]]:
    return [three for three in combinations(sorted(values), 3) if kind in kinds_of_three(three)]


@cache
def every_four(values: tuple[int, ...], *, four_term: bool) -> dict[tuple[int, ...], set[str]]:
    return {four: kinds_of_four(four, four_term=four_term) for four in combinations(values, 4)}


def fours(values: Sequence[int], kinds: set[str], *, four_term: bool) -> list[tuple[int, ...]]:
    """List the sets of four different numbers whose harmonies are exactly these kinds."""
    return [four for four, held in every_four(tuple(sorted(values)), four_term=four_term).items() if held == kinds]

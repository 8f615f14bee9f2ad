"""The arithmetic: what numbers make together, and their progressions, written out for a player; the table of them."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import prod
from typing import Final

from companion.rules.rithmomachia.men import COLOURS, array

ARITHMETIC, GEOMETRIC, HARMONIC = "arithmetic", "geometric", "harmonic"
KINDS = (ARITHMETIC, GEOMETRIC, HARMONIC)
TRIPLE, FOUR = 3, 4
Triple = tuple[int, int, int]

EXAMPLES: Final[Mapping[str, Triple]] = {"arithmetic": (2, 4, 6), "geometric": (4, 6, 9), "harmonic": (3, 4, 6)}
"""A progression of each kind with small numbers, for the sentence that says what it is."""


def results(one: int, other: int, *, all_four: bool) -> tuple[tuple[str, int], ...]:
    """Return what two numbers make, written out: ``(("9 + 4 = 13", 13), ...)``; quotients only if whole."""
    high, low = max(one, other), min(one, other)
    made = [(f"{one} + {other} = {one + other}", one + other)]
    if high > low:
        made.append((f"{high} - {low} = {high - low}", high - low))
    if all_four:
        made.append((f"{one} x {other} = {one * other}", one * other))
        if high % low == 0:
            made.append((f"{high} / {low} = {high // low}", high // low))
    return tuple(made)


def together(numbers: Sequence[int], wanted: int, *, all_four: bool) -> str | None:
    """Say how two or more numbers make another, ``"9 x 4 = 36"``, or return None if they do not.

    Three or more make it as their sum, or as one of them less all the others (Mebben, D).
    """
    if len(numbers) == 2:  # noqa: PLR2004 -- two men
        one, other = numbers
        # most pairs of men make nothing: check this before writing any text
        made = wanted in (one + other, one - other, other - one)
        if not made and not (all_four and (one * other == wanted or wanted * other == one or wanted * one == other)):
            return None
        return next(text for text, result in results(one, other, all_four=all_four) if result == wanted)
    total = sum(numbers)
    if total == wanted:
        return f"{' + '.join(map(str, numbers))} = {wanted}"
    for place, number in enumerate(numbers):
        if 2 * number - total == wanted:
            others = [*numbers[:place], *numbers[place + 1 :]]
            return f"{number} - {' - '.join(map(str, others))} = {wanted}"
    return None


def progression(numbers: Sequence[int]) -> str | None:
    """Return the kind of progression that three numbers make in rising order, or None; equal numbers make none."""
    low, middle, high = sorted(numbers)
    if middle in (low, high):
        return None
    if 2 * middle == low + high:
        return ARITHMETIC
    if middle * middle == low * high:
        return GEOMETRIC
    if middle * (low + high) == 2 * low * high:
        return HARMONIC
    return None


def written(numbers: Sequence[int]) -> str:
    """Write out why three numbers are in progression: ``"4, 20, 100: 20 x 20 = 4 x 100"``."""
    low, middle, high = sorted(numbers)
    named = f"{low}, {middle}, {high}"
    proofs = {
        ARITHMETIC: f"{named}: {middle} - {low} = {high} - {middle}",
        GEOMETRIC: f"{named}: {middle} x {middle} = {low} x {high}",
        HARMONIC: f"{named}: {middle} x ({low} + {high}) = 2 x {low} x {high}",
    }
    return proofs[progression(numbers) or ARITHMETIC]


def assault(number: int, wanted: int, distance: int) -> str | None:
    """Say how a number and a distance make another, ``"36 / 3 = 12"``, or return None if they do not."""
    if number * distance == wanted:
        return f"{number} x {distance} = {wanted}"
    if wanted * distance == number:
        return f"{number} / {distance} = {wanted}"
    return None


@lru_cache(maxsize=1 << 16)
def power(number: int, wanted: int, exponent: int) -> str | None:
    """Say which power or root of a number another number is, ``"4 x 4 x 4 = 64"``, or return None if it is none."""
    base, high = min(number, wanted), max(number, wanted)
    if base**exponent != high:
        return None
    return f"{' x '.join([str(base)] * exponent)} = {high}"


def kinds(numbers: Sequence[int], *, four_term: bool) -> frozenset[str]:
    """Return the kinds of progression among the triples of three or four different numbers.

    ``four_term``: among four numbers, two pairs in equal proportion count as geometric (the tables of 004).
    """
    if len(set(numbers)) < len(numbers):
        return frozenset()
    found = {kind for triple in combinations(numbers, TRIPLE) if (kind := progression(triple)) is not None}
    if four_term and len(numbers) == FOUR:
        low, *middle, high = sorted(numbers)
        if low * high == prod(middle):
            found.add(GEOMETRIC)
    return frozenset(found)


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

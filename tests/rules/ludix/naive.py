"""Ludix a second time, as plainly as can be: a match of the default rules as a tuple, and what may follow it."""

from collections.abc import Iterator
from itertools import product

from tests.rules.ludix.test_numerals import FACES, found_naively

Match = tuple[tuple[int, ...], int, tuple[str, ...], str]
"""Noted points, how many turns were played, the numerals at stake, and the dice that wait for a choice, if any."""


def worth(numerals: tuple[str, ...]) -> int:
    return sum(dict(found_naively(numeral))[numeral] for numeral in numerals)


def over(match: Match, target: int) -> bool:
    points, turns, at_stake, cast = match
    return turns % len(points) == 0 and not at_stake and not cast and max(points) >= target


def following(match: Match, target: int) -> Iterator[Match]:
    """Give what each throw, or each choice, leads to."""
    points, turns, at_stake, cast = match
    if over(match, target):
        return
    if not cast:
        for faces in product(FACES, repeat=4):
            shown = "".join(faces)
            yield (points, turns, at_stake, shown) if found_naively(shown) else (points, turns + 1, (), "")
        return
    for numeral, _ in found_naively(cast):
        formed = (*at_stake, numeral)
        yield points, turns, formed, ""
        noted = [had + worth(formed) if number == turns % len(points) else had for number, had in enumerate(points)]
        yield tuple(noted), turns + 1, (), ""

"""Exact odds of one throw of dice, for every set: how likely each sum is, each kind of throw, and two alike."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from companion.rules.dice import Throw, dice_set
from companion.rules.die import Die, Face


@dataclass(frozen=True)
class ThrowOdds:
    """The equally likely ways in which some dice fall, ``total`` of them.

    ``sums``: how many ways lead to each sum, the lowest first; ``kinds``: likewise to each kind of throw, which is its
    values in ascending order; ``alike``: the chance that at least two dice show the same value. Of one die alone the
    faces are counted and not their values: ``faces`` has the ways of each by its text, and is empty for several dice.
    """

    total: int
    sums: Mapping[int, int]
    kinds: Mapping[tuple[int, ...], int]
    faces: Mapping[str, int]
    alike: Fraction

    @property
    def mean(self) -> Fraction:
        """The sum to expect."""
        return Fraction(sum(value * ways for value, ways in self.sums.items()), self.total)


def counted(throw: Throw) -> list[tuple[Die, Face]]:
    """Return the dice of a throw whose values are added: its cubes, or all where no cube is among them."""
    shown = list(throw)
    return [one for one in shown if one[0].shape == "cube"] or shown


@cache
def throw_odds(set_name: str, dice: tuple[str, ...]) -> ThrowOdds:
    """Return the odds of these dice of a set, of those that `counted` counts."""
    thrown = [dice_set(set_name).die(name) for name in dice]
    cubes = [die for die in thrown if die.shape == "cube"] or thrown
    values = Counter(tuple(sorted(face.value for face in shown)) for shown in product(*(die.faces for die in cubes)))
    sums = Counter[int]()
    for kind, ways in values.items():
        sums[sum(kind)] += ways
    total = prod(len(die.faces) for die in cubes)
    alike = sum(ways for kind, ways in values.items() if len(set(kind)) < len(kind))
    faces = Counter(face.text for face in cubes[0].faces) if len(cubes) == 1 else {}
    return ThrowOdds(total, dict(sorted(sums.items())), dict(values), dict(faces), Fraction(alike, total))

"""The 35 different throws of Ludix: how likely each is, which numerals it makes, and what it is worth."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import floor

from companion.rules.dice import all_throws
from companion.rules.ludix.chances import chance_of_null, mean_of_best
from companion.rules.ludix.numerals import DICE, Numeral, dice, formed_by, shown_by, total, write


@dataclass(frozen=True)
class ThrowClass:
    """Throws that show the same symbols: ``ways`` of the equally likely throws of four dice.

    ``numerals``: what the symbols form, the highest first. ``rightful``: how their sum is written.
    """

    symbols: str
    ways: int
    numerals: tuple[Numeral, ...]

    @property
    def value(self) -> int:
        """The points of the highest numeral, 0 if there is none."""
        return self.numerals[0].value if self.numerals else 0

    @property
    def rightful(self) -> str:
        """How the sum of the symbols is written."""
        return write(total(self.symbols))


@cache
def kinds() -> tuple[ThrowClass, ...]:
    """Return every different throw, the lowest sum first."""
    ways = Counter(shown_by(throw) for throw in all_throws(DICE, dice()))
    return tuple(ThrowClass(shown, ways[shown], formed_by(shown)) for shown in sorted(ways, key=total))


@cache
def every_way() -> int:
    """Return the number of equally likely throws."""
    return sum(kind.ways for kind in kinds())


@cache
def threshold() -> Fraction:
    """Return the stake at which a further throw wins on average as much as it loses."""
    return mean_of_best() / chance_of_null()


@cache
def most_to_go_on() -> int:
    """Return the highest stake at which a further throw does not lose on average: the simple rule."""
    return floor(threshold())


@cache
def chances() -> Mapping[int, float]:
    """Return the chance of each value of the highest numeral."""
    return {kind.value: kind.ways / every_way() for kind in kinds() if kind.numerals}

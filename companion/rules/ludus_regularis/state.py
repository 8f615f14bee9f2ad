"""The record of a position of the games of virtues: its fields, and what the whole package derives from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from companion.rules.dice import Throw
from companion.rules.ludus_regularis.rulings import RuleSet
from companion.rules.ludus_regularis.variant import LudusVariant
from companion.rules.ludus_regularis.virtues import Virtue, virtues
from companion.rules.options import OptionValue


@dataclass(frozen=True)
class LudusState:
    """The fields of a position of any of the games of virtues.

    ``holders`` and ``numbers`` are parallel to `virtues`: the player who holds each (0: free) and the number of the
    throw that won it (0: free). ``thrown`` counts finished throws; a throw that waits for its second cast is not
    finished, and ``first_cast`` holds it. ``called`` is true once somebody called the end of the agreed time.
    """

    variant: LudusVariant
    seats: int
    settings: tuple[tuple[str, OptionValue], ...]
    turn: int
    thrown: int
    holders: tuple[int, ...]
    numbers: tuple[int, ...]
    first_cast: Throw | None = None
    called: bool = False

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """Every option's value."""
        return dict(self.settings)

    @cached_property
    def rule_set(self) -> RuleSet:
        """The interpretation of the letter rules in this match."""
        return _rule_set(self.settings)

    @property
    def throw_number(self) -> int:
        """The number of the throw that the position awaits, or whose second cast it awaits."""
        return self.thrown + 1

    def holder(self, virtue: Virtue) -> int:
        """Return the player who holds a virtue, 0 while it is free."""
        return self.holders[virtue.index]

    def held(self, number: int) -> tuple[Virtue, ...]:
        """Return a player's virtues in the order of winning."""
        mine = [virtue for virtue in virtues() if self.holders[virtue.index] == number]
        return tuple(sorted(mine, key=lambda virtue: (self.numbers[virtue.index], virtue.index)))


@lru_cache(maxsize=64)
def _rule_set(settings: tuple[tuple[str, OptionValue], ...]) -> RuleSet:
    return RuleSet.of(dict(settings))

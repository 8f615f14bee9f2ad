"""The record of a position of the games of virtues: its fields, and what follows from them for the whole room."""

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
    """What a position of any of the games of virtues holds.

    ``holders`` and ``numbers`` run parallel to `virtues`: the player who holds each (0: free) and the number of the
    throw that won it (0: free). ``thrown`` counts finished throws; a throw that waits for its second cast is not
    finished and lies in ``first_cast``. ``called`` is set once the agreed time was called up.
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
    def reading(self) -> RuleSet:
        """How the letter rules are read here."""
        return _rule_set(self.settings)

    @property
    def throw_number(self) -> int:
        """The number of the throw that is awaited, or whose second cast is."""
        return self.thrown + 1

    def holder(self, virtue: Virtue) -> int:
        """Return the player who holds a virtue, 0 while it is free."""
        return self.holders[virtue.index]

    def held(self, number: int) -> tuple[Virtue, ...]:
        """Return a player's virtues in the order in which they were won."""
        mine = [virtue for virtue in virtues() if self.holders[virtue.index] == number]
        return tuple(sorted(mine, key=lambda virtue: (self.numbers[virtue.index], virtue.index)))


@lru_cache(maxsize=64)
def _rule_set(settings: tuple[tuple[str, OptionValue], ...]) -> RuleSet:
    return RuleSet.of(dict(settings))

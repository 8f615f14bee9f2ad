"""What a position must know of its game: what decides a throw, with which dice, and what the dice can give."""

from functools import cache
from typing import Literal

from companion.rules.game import Game
from companion.rules.ludus_regularis.rulings import RuleSet, weights
from companion.rules.ludus_regularis.virtues import Virtue, virtues

Kind = Literal["whole", "sum", "wheel"]
"""What decides a throw: letters and consonant, the sum alone, or a pointer and no dice."""


class LudusVariant(Game):
    """One of the games as its positions see it; ``kind`` says what decides a throw."""

    kind: Kind

    @property
    def by_sum(self) -> bool:
        """Whether the sum of three cubes alone decides."""
        return self.kind == "sum"

    @property
    def by_letters(self) -> bool:
        """Whether vowels and a consonant decide."""
        return self.kind == "whole"

    @property
    def dice_set(self) -> str:
        """The dice set of the game."""
        return "wheel" if self.kind == "wheel" else "wibold"

    def obtainable(self, rule_set: RuleSet) -> tuple[Virtue, ...]:
        """Return the virtues that the dice can give."""
        if not self.by_letters:
            return virtues()
        return _obtainable(rule_set)


@cache
def _obtainable(rule_set: RuleSet) -> tuple[Virtue, ...]:
    throws = weights(rule_set)
    return tuple(virtue for virtue in virtues() if throws[virtue.index])

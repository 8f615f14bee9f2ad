"""How the program plays the games of a family: the family's face as a player."""

import random
from collections.abc import Mapping
from typing import Generic, TypeVar

from companion.language.sentence import Sentence
from companion.rules.game import Choice, Position

P = TypeVar("P", bound=Position)
T = TypeVar("T")


class Opponent(Generic[P]):
    """The program in a seat; what is not said otherwise here: it can play, players choose, and it draws lots."""

    can_play = True
    """Whether it can take a seat: not where nothing but the players' agreement rules the game."""

    chooses = True
    """Whether a player chooses anything, or only throws."""

    def manner(self) -> Sentence:
        """Say in one sentence how the program plays."""
        raise NotImplementedError

    def choose(self, position: P, chance: random.Random) -> Choice:
        """Return the choice that it makes in a position that waits for one."""
        return chance.choice(list(position.legal()))


def any_of_the_best(worth: Mapping[T, float], chance: random.Random) -> T:
    """Return one of those that are worth most, drawn by lot."""
    most = max(worth.values())
    return chance.choice([what for what, value in worth.items() if value == most])

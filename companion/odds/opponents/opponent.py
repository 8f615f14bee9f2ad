"""How the program plays the games of a family: the family's face as a player."""

import random
from collections.abc import Mapping
from typing import Generic, TypeVar

from companion.language.sentence import Sentence
from companion.rules.game import Choice, Game, Position

P = TypeVar("P", bound=Position)
T = TypeVar("T")


class Opponent(Generic[P]):
    """The program in a seat; by default it can play, players choose, and it chooses at random."""

    can_play = True
    """Whether it can take a seat: not if only the players' agreement rules the game."""

    chooses = True
    """Whether a player chooses anything, or only throws."""

    def manner(self, game: Game) -> Sentence:
        """Describe in one sentence how the program plays this game of the family."""
        raise NotImplementedError

    def choose(self, position: P, chance: random.Random) -> Choice:
        """Return the choice of the plain way in a position that awaits one."""
        return chance.choice(list(position.legal()))


def any_of_the_best(worth: Mapping[T, float], chance: random.Random) -> T:
    """Return one of the most valuable choices at random."""
    most = max(worth.values())
    return chance.choice([what for what, value in worth.items() if value == most])

"""The program as a player: where it takes a seat, and how it plays there, in one sentence (`manner`).

In a seat it plays as `companion.players` has it. `choose` is the plain way of each game, quick and without looking
ahead: for games that only have to be played through, and for `bench` to compare with.
"""

import random
from typing import Any

from companion.language.sentence import Sentence
from companion.odds.opponents.opponent import Opponent, any_of_the_best
from companion.rules.game import Choice, Game, Position


def can_play(game: Game) -> bool:
    """Whether the program can take a seat in this game: not if only the players' agreement rules it."""
    return _opponent(game).can_play


def chooses(game: Game) -> bool:
    """Whether a player of this game chooses anything, or only throws."""
    return _opponent(game).chooses


def manner(game: Game) -> Sentence:
    """Describe in one sentence how the program plays this game."""
    return _opponent(game).manner(game)


def choose(position: Position, chance: random.Random) -> Choice:
    """Return the choice of the plain way in a position that awaits one.

    May take seconds: the program solves the best play of Ludix at the first request.
    """
    return _opponent(position.game).choose(position, chance)


def _opponent(game: Game) -> Opponent[Any]:
    """Return how the program plays a game. Raises `FamilyError` if its family names no opponent."""
    return game.family.face("program", Opponent)


def die_to_cast(position: Position, chance: random.Random) -> str:
    """Return the die that the program throws again: one of those with the most faces that win something."""
    wins = dict.fromkeys(position.awaits.dice, 0)
    turn = position.awaits.player
    before = position.scores()[turn]
    for throw in position.throws():
        name = throw.shown[0][0]
        wins[name] += position.after(throw).scores()[turn] > before
    return any_of_the_best(wins, chance)

"""What a player of a given strength does in a position, with its evaluation and its reasons."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.players.player import Budget, Clock, Player, Reason, Weighed, never
from companion.players.strengths import STRENGTHS, Strength, picked
from companion.rules.game import Choice, Game, Position


@dataclass(frozen=True)
class Thought:
    """What a player has thought.

    ``choices``: the turn that it makes. ``chance``: its chance to win then. ``best`` and ``weighed``: what it finds
    best, and every turn that it weighed, the best first.
    """

    choices: tuple[Choice, ...]
    chance: float
    best: Weighed
    weighed: Sequence[Weighed]

    @property
    def choice(self) -> Choice:
        """The first choice of the turn."""
        return self.choices[0]


def player_of(game: Game) -> Player[Any]:
    """Return the player of a game's family. Raises `FamilyError` if the family names none."""
    return game.family.face("player", Player)


def think(
    position: Position,
    strength: Strength,
    chance: random.Random,
    budget: Budget | None = None,
    stopped: Callable[[], bool] = never,
) -> Thought:
    """Return what a player of this strength does in a position that awaits a choice.

    ``chance`` draws among turns; with the same state of it, and a budget whose seconds suffice, the thought is the
    same. ``budget`` replaces the strength's own. If ``stopped`` becomes true, the player soon answers with the best
    that it has found until then (`bench.games.players --stopping` measures how soon).
    """
    weighed = weigh(position, budget or strength.budget, stopped)
    turn = picked(weighed, strength.temperature, chance, player_of(position.game).heat(position))
    return Thought(turn.choices, turn.chance, weighed[0], weighed)


def weigh(position: Position, budget: Budget, stopped: Callable[[], bool] = never) -> Sequence[Weighed]:
    """Return every way to play on from a position that awaits a choice, the best first."""
    return player_of(position.game).weigh(position, budget, Clock(budget, stopped))


def reasons(position: Position, weighed: Sequence[Weighed], turn: Weighed) -> Sequence[Reason]:
    """Return why a weighed turn is good, the strongest reason first; each is true of the position."""
    return player_of(position.game).reasons(position, weighed, turn)


def thorough() -> Budget:
    """Return the budget for hints: the highest strength's, and bad turns are weighed as truly as good ones."""
    return replace(list(STRENGTHS.values())[-1].budget, margin=1.0)


def die_to_cast(position: Position, chance: random.Random) -> str:
    """Return the die that the program throws again: one of those with the most faces that win something."""
    wins = dict.fromkeys(position.awaits.dice, 0)
    turn = position.awaits.player
    before = position.scores()[turn]
    for throw in position.throws():
        wins[throw.shown[0][0]] += position.after(throw).scores()[turn] > before
    most = max(wins.values())
    return chance.choice([die for die, won in wins.items() if won == most])


def turn_text(position: Position, choices: Sequence[Choice]) -> str:
    """Return a turn as a player types it."""
    found = []
    for choice in choices:
        found.append(position.text(choice))
        position = position.applied(choice)
    return ", ".join(found)

"""The contract of a player: it weighs what a position offers, within a budget, and says why one choice is better."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.language.sentence import Sentence
from companion.rules.game import Choice, Position

P = TypeVar("P", bound=Position)

EVEN_CHANCE = 0.5
"""The chance to win where nothing is known; a shared win counts one half."""


def never() -> bool:
    """Whether to stop: never, if nobody can ask for it."""
    return False


@dataclass(frozen=True)
class Budget:
    """How much a player may think about one turn.

    ``depth``: turns to look ahead, its own included. ``nodes``: positions to evaluate; with the same number, a player
    always finds the same. ``margin``: of turns that are worse than the best by more than this chance, it is enough to
    know that they are worse. ``seconds``: when to stop at the latest, a bound for slow computers: a player that reaches
    it may find something else than a player that does not.
    """

    depth: int = 1
    nodes: int = 60_000
    margin: float = 1.0
    seconds: float = 60.0


class StoppedError(Exception):
    """A search was told to stop before it had found what it looked for."""


class Clock:
    """Tells a search when to stop: because somebody asks, or because its seconds are over."""

    def __init__(self, budget: Budget, stopped: Callable[[], bool] = never) -> None:
        """``stopped``: asked again and again during the search."""
        self.stopped = stopped
        self._end = time.monotonic() + budget.seconds

    @property
    def over(self) -> bool:
        """Whether to stop now."""
        return self.stopped() or time.monotonic() >= self._end


@dataclass(frozen=True)
class Weighed:
    """One way to play on, weighed.

    ``choices``: a whole turn, choice by choice, or the part of it that was decided. ``chance``: the chance to win after
    it, from 0 to 1, for the player who makes it.
    """

    choices: tuple[Choice, ...]
    chance: float


@dataclass(frozen=True)
class Reason:
    """One reason for a choice. ``kind`` names what is claimed, ``facts`` are its numbers, for checks and programs."""

    kind: str
    sentence: Sentence
    facts: tuple[tuple[str, int | str], ...]


class Player(Generic[P]):
    """The program as a player of one family's games; by default all choices are equal to it."""

    def weigh(self, position: P, budget: Budget, clock: Clock) -> Sequence[Weighed]:
        """Return every way to play on from a position that awaits a choice, the best first; never none.

        If ``clock`` is stopped before every way is found, some are missing.
        """
        del budget, clock
        return [Weighed((choice,), EVEN_CHANCE) for choice in position.legal()]

    def reasons(self, position: P, weighed: Sequence[Weighed], picked: Weighed) -> Sequence[Reason]:
        """Return why ``picked`` is good, the strongest reason first; only what is true of the position."""
        del position, weighed, picked
        return ()

    def losses(self, position: P) -> Sequence[Sentence]:
        """Return what each side's next throw could take from the other, and how likely; nothing without dice or men."""
        del position
        return ()

    def chance(self, position: P) -> float:
        """Return player 1's chance to win from any position that is not over, estimated without a search."""
        del position
        return EVEN_CHANCE

    def heat(self, position: P) -> float:
        """Return how many times higher the temperatures of the strengths are than in a usual game.

        More than 1 where a single choice changes little; less where the estimates of this game lie closer together.
        """
        del position
        return 1.0

    def exact(self, position: P) -> bool:
        """Whether the chances of `weigh` are exact, not estimates."""
        del position
        return False


ANY: Player[Position] = Player()
"""The player of a game in which the choices do not matter."""

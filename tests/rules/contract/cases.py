"""The cases: every game with its defaults, and beside them each other value of each of its options, one at a time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from random import Random
from types import ModuleType

from companion.odds.playouts import chance_of, random_move
from companion.rules.dice import Throw
from companion.rules.game import Choice, Game, Position
from companion.rules.options import Option, OptionValue
from companion.rules.registry import game, games

Step = tuple[Position, Throw | Choice]

EACH_VALUE = 2
"""Games of a family in which one value of an option is tried."""


def walk(start: Position, chance: Random, cap: int) -> Iterator[Step]:
    """Yield each position of a random game with its move, to the end or for at most ``cap`` moves."""
    position = start
    for _ in range(cap):
        if position.outcome is not None:
            return
        move = random_move(position, chance)
        yield position, move
        position = position.after(move)


@dataclass(frozen=True)
class Case:
    """One game as it may be started; ``plies`` is how far a test follows a random game of it."""

    slug: str
    players: int
    options: tuple[tuple[str, OptionValue], ...] = ()
    plies: int = 450

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options]
        return ",".join(
            [self.slug, *([] if self.players == self.game.least_players else [f"{self.players}p"]), *chosen]
        )

    @property
    def game(self) -> Game:
        return game(self.slug)

    def start(self) -> Position:
        return self.game.start(self.players, **dict(self.options))


def defaults() -> list[Case]:
    """Every game as it is played if nobody chooses anything, most of them to their end."""
    plies = {"rithmomachia": 200}
    return [
        Case(slug, listed.least_players, plies=plies.get(slug.partition("/")[0], 450))
        for slug, listed in games().items()
    ]


def variations() -> list[Case]:
    """Every game with most players, and each other value of each option in some games: few plies, for they are many.

    All games of a family read an option by the same rules, so `EACH_VALUE` of those that have it try each value: those
    that have tried least so far, so that every game has its turn.
    """
    found = []
    having: dict[tuple[str, str, OptionValue], list[Game]] = {}
    for slug, listed in games().items():
        if listed.most_players != listed.least_players:
            found.append(Case(slug, listed.most_players, plies=30))
        for option in listed.options:
            for value in _others(option):
                having.setdefault((slug.partition("/")[0], option.name, value), []).append(listed)
    tried = Counter[str]()
    for (_, name, value), some_of in having.items():
        for listed in sorted(some_of, key=lambda one: tried[one.slug])[:EACH_VALUE]:
            tried[listed.slug] += 1
            found.append(Case(listed.slug, listed.least_players, ((name, value),), plies=30))
    return found


def _others(option: Option) -> Iterator[OptionValue]:
    if option.values is not None:
        yield from option.values[1:]
        return
    yield from (value for value in (option.least, option.most) if value != option.default)


@lru_cache(maxsize=16)
def path(case: Case, seed: int = 1) -> tuple[list[Step], Position]:
    """A random game of a case: each position with the move made in it, and the last position."""
    steps = list(walk(case.start(), chance_of(seed, 0), case.plies))
    if not steps:
        return [], case.start()
    position, move = steps[-1]
    return steps, position.after(move)


def positions(case: Case, seed: int = 1) -> list[Position]:
    """Every position of a random game of a case, the last one too."""
    steps, last = path(case, seed)
    return [*(position for position, _ in steps), last]


def thinned(case: Case) -> list[Position]:
    """Every third position of a random game of a case, and the last."""
    return positions(case)[::-3]


def some(case: Case, count: int) -> Sequence[Position]:
    """Some positions of a random game of a case that lie evenly over it, first and last among them."""
    every = positions(case)
    if len(every) <= count:
        return every
    return [every[number * (len(every) - 1) // (count - 1)] for number in range(count)]


def choosing(case: Case, count: int) -> Sequence[Position]:
    """Some positions of a random game of a case in which a choice is awaited, evenly over it."""
    every = [position for position in positions(case) if position.awaits.kind == "choice"]
    return every[:: max(1, len(every) // count)][:count]


def room(slug: str, name: str) -> ModuleType:
    """The module of this name that the tests of a game's room keep, ``expressible`` or ``planted``."""
    return import_module(f"tests.rules.{slug.partition('/')[0].replace('-', '_')}.{name}")

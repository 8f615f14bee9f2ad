"""How far a side is from a harmony of four men at the corners of a square, with the men whom it can bring back.

One army alone has hardly four numbers that hold all kinds of progression: white 2, 9, 16 and 72, black none. So men in
hand count too, and enemies who could be taken: each for the moves that it takes until he stands in the enemy's half.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.players.rithmomachia.harmony import MOST_KEPT, TOO_FAR, Moves, Side, moves_between, moves_round
from companion.rules.rithmomachia.arrangements import arranged
from companion.rules.rithmomachia.choices import Return
from companion.rules.rithmomachia.harmonies import grade
from companion.rules.rithmomachia.men import COLOURS, Men
from companion.rules.rithmomachia.numbers import FOUR, army_numbers
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.rule_set import RithmoRules
from companion.rules.rithmomachia.squares import FILES, enemy

MOST_FOLLOWED = 3
"""Fours of numbers whose men's ways are followed round others."""

FAR = 4 * TOO_FAR
"""Moves of a four that never comes about."""

Four = tuple[int, ...]
Squares = npt.NDArray[np.intp]


class FourPlan(NamedTuple):
    """A four, the moves that it needs, and the corner for each of its numbers."""

    moves: int
    numbers: Four
    corners: tuple[int, ...]


class _Source(NamedTuple):
    """Where a man comes from: his square, or none if he is to be brought back after some other moves."""

    shape: str
    square: int | None
    before: int


class Fours:
    """How near one player is to the harmonies of four men that end the game; threads may share it."""

    def __init__(self, rules: RithmoRules, player: int, least: int) -> None:
        """``least``: the least grade of harmony that counts."""
        self._rules, self._player = rules, player
        self._fours = fours(rules, least)
        self._numbers = frozenset(number for four in self._fours for number in four)
        self._corners = corners(rules, player)
        self._kept: dict[tuple[tuple[_Source, ...], ...], int] = {}

    def plans(self, position: RithmoPosition, own: Side, foes: Side, away: Sequence[int]) -> Sequence[FourPlan]:
        """Return the few fours that need least, with what the men on the way cost.

        ``away``: for each of the ``foes`` the moves to a place from which he can be taken.
        """
        sources = self._sources(position, own, foes, away)
        near = []
        for four in self._fours:
            if all(number in sources for number in four):
                moves = self._moves(tuple(sources[number] for number in four))
                if moves < FAR:
                    near.append((moves, four))
        walked: dict[_Source, Moves] = {}
        return [self._followed(position.men, four, sources, walked) for _, four in sorted(near)[:MOST_FOLLOWED]]

    def returns(self, position: RithmoPosition, plans: Sequence[FourPlan]) -> Iterator[Return]:
        """Yield how men in hand are brought back for these fours, each where he is nearest to his corner."""
        held = {man.number: man.shape for man in position.held(self._player)}
        free = [square for square in self._rules.entering(self._player) if position.men[square] is None]
        if not free or not held or self._rules["returns"] == "none":
            return
        found: dict[Return, None] = {}
        for plan in plans:
            for number, corner in zip(plan.numbers, plan.corners, strict=True):
                if number in held:
                    moves = moves_between(self._rules, (held[number],))[free, corner]
                    back = self._rules.returning(held[number], number)[free[int(moves.argmin())]]
                    found[back] = None
        yield from found

    def _sources(
        self, position: RithmoPosition, own: Side, foes: Side, away: Sequence[int]
    ) -> dict[int, tuple[_Source, ...]]:
        found: dict[int, list[_Source]] = {}
        for square, man in own:
            if man.number in self._numbers and not man.is_pyramid:
                found.setdefault(man.number, []).append(_Source(man.shape, square, 0))
        if self._rules["returns"] != "none":
            for man in position.held(self._player):
                if man.number in self._numbers:
                    found.setdefault(man.number, []).append(_Source(man.shape, None, 1))
            for (_, man), moves in zip(foes, away, strict=True):
                if man.number in self._numbers and not man.is_pyramid and moves < TOO_FAR:
                    found.setdefault(man.number, []).append(_Source(man.shape, None, 1 + max(1, moves)))
        return {number: tuple(sources) for number, sources in found.items()}

    def _moves(self, sources: tuple[tuple[_Source, ...], ...]) -> int:
        """Return the moves of four numbers on an empty board."""
        found = self._kept.get(sources)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            needed = _needed([_nearest(self._rules, self._player, some) for some in sources], self._corners)
            found = self._kept[sources] = int(needed.min(initial=FAR))
        return found

    def _followed(
        self, men: Men, four: Four, sources: dict[int, tuple[_Source, ...]], walked: dict[_Source, Moves]
    ) -> FourPlan:
        """Return the plan of a four; each man in the way of one on the board costs moves, or on a corner of others."""
        occupied = sum(1 << square for square, man in enumerate(men) if man is not None)
        taken = np.array([0 if man is None else 2 for man in men], np.uint8)
        costs = []
        for number in four:
            ways = []
            for source in sources[number]:
                if source not in walked:
                    walked[source] = (
                        _from(self._rules, self._player, source) + taken
                        if source.square is None
                        else moves_round(self._rules, (source.shape,), source.square, occupied)
                    )
                ways.append(walked[source])
            costs.append(np.minimum.reduce(ways))
        needed = _needed(costs, self._corners)
        best = int(needed.argmin())
        return FourPlan(int(needed[best]), four, tuple(int(square) for square in self._corners[:, best]))


def _needed(costs: Sequence[Moves], corners: Squares) -> npt.NDArray[np.int64]:
    needed: npt.NDArray[np.int64] = sum(
        (cost[squares].astype(np.int64) for cost, squares in zip(costs, corners, strict=True)),
        start=np.zeros(corners.shape[1], np.int64),
    )
    return needed


def _nearest(rules: RithmoRules, player: int, sources: Sequence[_Source]) -> Moves:
    found: Moves = np.minimum.reduce([_from(rules, player, source) for source in sources])
    return found


@cache
def _from(rules: RithmoRules, player: int, source: _Source) -> Moves:
    """Return the moves that a man needs to each square of an empty board."""
    table = moves_between(rules, (source.shape,))
    starts = [source.square] if source.square is not None else list(rules.entering(player))
    found: Moves = np.minimum(table[starts].min(axis=0) + source.before, TOO_FAR).astype(np.uint8)
    return found


@cache
def fours(rules: RithmoRules, least: int) -> tuple[Four, ...]:
    """Return the sets of four numbers of both armies that make a harmony of at least a grade."""
    every = sorted(frozenset().union(*map(army_numbers, COLOURS)))
    return tuple(
        four for four in combinations(every, FOUR) if (reached := grade(rules, four)) is not None and reached >= least
    )


@cache
def corners(rules: RithmoRules, player: int) -> Squares:
    """Return the squares of the enemy's half on which four men stand in harmony, a row for each of the four."""
    board = rules.board
    far = board.half(enemy(player))
    found: list[tuple[int, ...]] = []
    for square in sorted(far):
        file, rank = board.places[square]
        for side in range(1, len(FILES)):
            spots = [(file + down, rank + along) for down in (0, side) for along in (0, side)]
            squares = [board.at(*spot) for spot in spots]
            if all(one in far for one in squares) and arranged(rules, spots):
                found.extend(permutations(one for one in squares if one is not None))
    return np.array(found, np.intp).reshape(-1, FOUR).T.copy()


@cache
def fours_of(rules: RithmoRules, player: int, least: int) -> Fours:
    """Return what is known of a player's harmonies of four under a rule set."""
    return Fours(rules, player, least)

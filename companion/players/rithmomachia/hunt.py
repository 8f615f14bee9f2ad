"""How near a side is to taking the enemy's king, which triumphs wait for (Italian): part by part, whole, or by siege.

A part, or the whole, is taken from exactly the king's distance, by few men alone, by more of them in twos. So what
counts are the fewest moves that bring one man or two who take it to that distance; men on the line are in the way. A
siege takes the whole as well, by a man of any number on each of the king's ways: in a corner these are three.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from companion.players.rithmomachia.harmony import TOO_FAR, Side, moves_between
from companion.players.rithmomachia.routes import EVERYBODY, moves_to
from companion.rules.rithmomachia import numbers
from companion.rules.rithmomachia.choices import AMBUSH, ASSAULT, ENCOUNTER, PROGRESSION, SIEGE
from companion.rules.rithmomachia.rule_set import RithmoRules, numbers_of

SHARE_PER_MOVE = 0.93
"""What one move more makes of the worth of taking the king."""

MOST_TO_TAKE = 3
"""Moves: an enemy on the line who cannot be taken so soon may as well step aside."""

MOST_FOR_A_PART = 12
"""Moves: a part that is farther off, or that no man takes, counts as so far."""

NO_WAY = 3
"""Moves more for a man whom others shut in: somebody has to step aside, or the way round is longer."""

COVERED_PER_MOVE, GATHERED_PER_MOVE = 0.8, 0.7
"""What one move more makes of the worth of a square from which the king is besieged, and of a man near his distance."""

OF_NEAR = 0.36
"""How much of the hunt is that men are near, ready for what becomes free; half of it squares, half of it men."""

MOST_MEN = 24
"""Men of a side at the start."""

MOST_BESIEGED = 5
"""A king with more ways than that is not besieged."""

Takers = tuple[tuple[int, ...], ...]
"""The places of one man, or of two, who take a number together."""

Lines = Sequence[Sequence[int]]
"""The squares from the king to where each of his ways ends."""

Clearing = Mapping[int, int]
"""Where men stand, and the moves that clear the square."""


class Hunt(NamedTuple):
    """How far a side is from taking the enemy's king: the fewest moves; how near men are to his ways, from 0 to 1."""

    moves: int
    near: float

    @property
    def share(self) -> float:
        """What the hunt is worth, from 0 to 1 for a king that is gone; less for each move that it needs."""
        return (1 - OF_NEAR) * SHARE_PER_MOVE**self.moves + OF_NEAR * self.near


DONE = Hunt(0, 1.0)


def hunt(rules: RithmoRules, own: Side, others: Side, away: Sequence[int]) -> Hunt:
    """Return how far a side is from taking all of the enemy's king, by the way that needs least; `DONE` if he is gone.

    ``away``: for each of the others the moves to a place from which he can be taken, who may stand in the way.
    """
    found = next(((square, man) for square, man in others if man.parts), None)
    if found is None:
        return DONE
    square, king = found
    hunters = _Hunters(rules, own, others)
    distance = rules.king_distance(king)
    clearing = {place: 1 + min(moves, MOST_TO_TAKE) for (place, _), moves in zip(others, away, strict=True)}
    lines = [line[:distance] for _, line in rules.board.rays[square] if len(line) >= distance]
    besieged = hunters.besieging(lines, clearing) if SIEGE in rules.captures else TOO_FAR
    clearing.update((place, 1) for place, _ in own)
    needed = hunters.at_end_of(lines, clearing)
    whole, *parts = (
        min(
            (sum(needed[one] for one in group) for group in _takers(rules, hunters.numbers, number, distance)),
            default=TOO_FAR,
        )
        for _, number in numbers_of(king)
    )
    one_by_one = sum(1 + min(part, MOST_FOR_A_PART) for part in parts) - 1 if parts else TOO_FAR
    gathered = sum(GATHERED_PER_MOVE**moves for moves in needed) / MOST_MEN
    near = (gathered + hunters.covering({place for line in lines for place in line})) / 2
    return Hunt(1 + min(whole, one_by_one, besieged), near)


class _Hunters:
    """The men of a side, without its own pyramid, and the moves that they need on this board."""

    def __init__(self, rules: RithmoRules, own: Side, others: Side) -> None:
        self._rules = rules
        men = sorted((man.number, square, man.shape) for square, man in own if not man.is_pyramid)
        self.numbers = tuple(number for number, _, _ in men)
        self._places = [square for _, square, _ in men]
        self._shapes = {square: shape for _, square, shape in men}
        self._occupied = sum(1 << square for side in (own, others) for square, _ in side)
        self._starts: dict[str, int] = {}
        for square, shape in self._shapes.items():
            self._starts[shape] = self._starts.get(shape, 0) | 1 << square

    def at_end_of(self, lines: Lines, clearing: Clearing) -> Sequence[int]:
        """Return for each man the moves until he stands at the end of one of the lines, with nobody between."""
        between = {line[-1]: sum(clearing.get(passed, 0) for passed in line[:-1]) for line in lines}
        places = {place: before + clearing.get(place, 0) for place, before in between.items()}
        found = self._found(places, EVERYBODY)
        # who stands there already needs nobody to clear the place
        found.update((place, before) for place, before in between.items() if place in self._shapes)
        return [found[square] if square in found else self._shut_in(square, places) for square in self._places]

    def covering(self, places: Collection[int]) -> float:
        """Return how near men are to the places on an empty board, from 0 to 1: ready for those that become free."""
        tables = [_listed(self._rules, shape)[square] for square, shape in self._shapes.items()]
        nearest = (min((table[place] for table in tables), default=TOO_FAR) for place in places)
        return sum(COVERED_PER_MOVE**moves for moves in nearest) / max(1, len(places))

    def besieging(self, lines: Lines, enemies: Clearing) -> int:
        """Return the fewest moves that bring a man of any number onto each of the king's ways."""
        if self._rules.own_men_stop:
            lines = [line for line in lines if not any(place in enemies for place in line)]
        if not 0 < len(lines) <= min(MOST_BESIEGED, len(self._places)):
            return TOO_FAR
        nearest = []
        for line in lines:
            places = {place: enemies.get(place, 0) for place in line}
            found = self._found(places, len(lines))
            if len(found) < len(lines):
                found.update((square, self._shut_in(square, places)) for square in self._places if square not in found)
            found.update((place, 0) for place in line if place in self._shapes)
            nearest.append(sorted((moves, square) for square, moves in found.items())[: len(lines)])
        return _shared_out(nearest, 0, frozenset(), TOO_FAR)

    def _found(self, places: Mapping[int, int], enough: int) -> dict[int, int]:
        """Return the fewest moves of men to one of the places, each with the moves that it costs beforehand.

        Who finds no way is missing, and so are those who need more moves than ``enough`` others of their shape.
        """
        by_cost: dict[int, int] = {}
        for place, cost in places.items():
            by_cost[cost] = by_cost.get(cost, 0) | 1 << place
        found: dict[int, int] = {}
        for shape, starts in self._starts.items():
            found.update(moves_to(self._rules, shape, by_cost, self._occupied, starts, enough=enough))
        return found

    def _shut_in(self, square: int, places: Mapping[int, int]) -> int:
        """Return the moves of a man who has no way round others."""
        moves = _listed(self._rules, self._shapes[square])[square]
        return min(TOO_FAR, NO_WAY + min(moves[place] + cost for place, cost in places.items()))


def _shared_out(nearest: Sequence[Sequence[tuple[int, int]]], at: int, used: frozenset[int], most: int) -> int:
    """Return the fewest moves for the lines from ``at`` on, a man of his own for each, or ``most`` if fewer."""
    if at == len(nearest):
        return min(0, most)
    for moves, one in nearest[at]:
        if moves >= most:
            break
        if one not in used:
            most = min(most, moves + _shared_out(nearest, at + 1, used | {one}, most - moves))
    return most


@cache
def _listed(rules: RithmoRules, shape: str) -> Sequence[Sequence[int]]:
    found: list[list[int]] = moves_between(rules, (shape,)).tolist()
    return found


@lru_cache(maxsize=1 << 12)
def _takers(rules: RithmoRules, having: tuple[int, ...], wanted: int, distance: int) -> Takers:
    """Return who of these numbers take another at a king's distance, alone or in twos."""
    alone = [
        (one,)
        for one, number in enumerate(having)
        if (ENCOUNTER in rules.captures and number == wanted)
        or (ASSAULT in rules.captures and numbers.assault(number, wanted, distance + rules.offset) is not None)
    ]
    able = {one for (one,) in alone}
    return (
        *alone,
        *(
            (one, other)
            for one, other in combinations(range(len(having)), 2)
            if not able & {one, other} and _in_twos(rules, having[one], having[other], wanted)
        ),
    )


@lru_cache(maxsize=1 << 16)
def _in_twos(rules: RithmoRules, one: int, other: int, wanted: int) -> bool:
    if AMBUSH in rules.captures and numbers.together((one, other), wanted, all_four=rules.all_four) is not None:
        return True
    return PROGRESSION in rules.captures and numbers.progression((one, other, wanted)) is not None

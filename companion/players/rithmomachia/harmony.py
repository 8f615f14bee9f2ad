"""How far a side is from a harmony: the moves that its men need, on an empty board, to stand as a harmony requires."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import log
from threading import Lock

import numpy as np
import numpy.typing as npt

from companion.rules.rithmomachia import numbers
from companion.rules.rithmomachia.arrangements import arranged
from companion.rules.rithmomachia.men import Man, Men
from companion.rules.rithmomachia.rule_set import RithmoRules
from companion.rules.rithmomachia.squares import FILES, enemy

Side = Sequence[tuple[int, Man]]
"""The men of one side with their squares."""

Moves = npt.NDArray[np.uint8]
"""For each square, the moves that a man needs to reach it."""

TOO_FAR = 30
"""Moves to a square that a man never reaches."""

SHARE_PER_MOVE = 0.5
"""What one move more makes of a harmony's worth."""

TO_CLEAR = 2
"""Moves for each man in the way: somebody has to step aside, or the way round is longer."""

MOST_FOLLOWED = 3
"""Threes of men whose ways are followed round other men."""

MOST_KEPT = 50_000
"""Harmonies whose distance is remembered, some ten megabytes."""


class Harmonies:
    """How near one player is to the harmonies of three men that a rule set knows; threads may share it."""

    def __init__(self, rules: RithmoRules, player: int) -> None:
        self._rules = rules
        self._first, self._second, self._third = placements(rules, player).T
        self._kept: dict[tuple[int, int, int], float] = {}
        self._numbers: dict[Man, int] = {}
        self._moves: list[Moves] = []
        self._growing = Lock()

    def nearness(self, own: Side) -> float:
        """Return how near harmonies are: for each three numbers in progression, one half for each move they need."""
        return sum(self.shares(own))

    def shares(self, own: Side) -> Sequence[float]:
        """Return for each three numbers in progression one half to the power of the moves that they need."""
        rising = sorted(own, key=_by_number)
        places = self._places(rising)
        found = []
        for one, other, third in _progressions(tuple(man.number for _, man in rising)):
            found.append(self._share((places[one], places[other], places[third])))
        return found

    def nearest(self, own: Side) -> tuple[int, tuple[int, int, int]] | None:
        """Return the fewest moves that three men need to a harmony, and their numbers, the lowest of equally near ones.

        None if no three numbers are in progression, or if those never get there.
        """
        rising = sorted(own, key=_by_number)
        places = self._places(rising)
        found: list[tuple[int, tuple[int, int, int]]] = []
        for three in _progressions(tuple(man.number for _, man in rising)):
            one, other, third = three
            moves = round(log(self._near((places[one], places[other], places[third])), SHARE_PER_MOVE))
            if moves < TOO_FAR:
                found.append((moves, (rising[one][1].number, rising[other][1].number, rising[third][1].number)))
        return min(found, default=None)

    def least_moves(self, men: Men, own: Side) -> int:
        """Return the fewest moves that three men need on this board to a harmony.

        Only the few threes that need least on an empty board are followed; each man in their way counts as more moves.
        """
        rising = sorted(own, key=_by_number)
        threes = _progressions(tuple(man.number for _, man in rising))
        places = self._places(rising)
        nears = [self._share((places[one], places[other], places[third])) for one, other, third in threes]
        first = sorted(range(len(threes)), key=lambda at: -nears[at])[:MOST_FOLLOWED]
        occupied = sum(1 << square for square, man in enumerate(men) if man is not None)
        walked: dict[int, Moves] = {}
        least = TOO_FAR
        for at in first:
            for place in threes[at]:
                if place not in walked:
                    square, man = rising[place]
                    walked[place] = moves_round(self._rules, self._rules.shapes(man), square, occupied)
            one, other, third = (walked[place] for place in threes[at])
            needed = one[self._first].astype(int) + other[self._second] + third[self._third]
            least = min(least, int(needed.min(initial=TOO_FAR)))
        return least

    def _places(self, rising: Side) -> list[int]:
        return [self._number(man) * self._rules.board.count + square for square, man in rising]

    def _share(self, three: tuple[int, int, int]) -> float:
        near = self._kept.get(three)
        return self._near(three) if near is None else near

    def _near(self, three: tuple[int, int, int]) -> float:
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        one, other, third = (self._moves_from(place) for place in three)
        needed = one[self._first] + other[self._second] + third[self._third]
        self._kept[three] = near = float(SHARE_PER_MOVE ** int(needed.min(initial=3 * TOO_FAR)))
        return near

    def _moves_from(self, place: int) -> Moves:
        number, square = divmod(place, self._rules.board.count)
        moves: Moves = self._moves[number][square]
        return moves

    def _number(self, man: Man) -> int:
        found = self._numbers.get(man)
        return self._added(man) if found is None else found

    def _added(self, man: Man) -> int:
        with self._growing:
            if man not in self._numbers:
                self._moves.append(moves_between(self._rules, self._rules.shapes(man)))
                self._numbers[man] = len(self._moves) - 1
            return self._numbers[man]


@cache
def harmonies(rules: RithmoRules, player: int) -> Harmonies:
    """Return what is known of a player's harmonies under a rule set."""
    return Harmonies(rules, player)


def _by_number(placed: tuple[int, Man]) -> int:
    return placed[1].number


@lru_cache(maxsize=1 << 12)
def _progressions(rising: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    """Return the places of each three of these rising numbers that are in progression."""
    return tuple(
        (one, other, third)
        for one, other, third in combinations(range(len(rising)), 3)
        if numbers.progression((rising[one], rising[other], rising[third]))
    )


@cache
def placements(rules: RithmoRules, player: int) -> npt.NDArray[np.intp]:
    """Return three squares of the enemy's half on which three men of rising numbers make a harmony, a row each."""
    board = rules.board
    far = board.half(enemy(player))
    found = [
        squares
        for steps in _shapes(rules)
        for first in far
        if (squares := _from(rules, first, steps)) is not None and all(square in far for square in squares)
    ]
    return np.array(found, np.intp).reshape(-1, 3)


Steps = tuple[tuple[int, int], tuple[int, int]]


def _from(rules: RithmoRules, first: int, steps: Steps) -> tuple[int, ...] | None:
    file, rank = rules.board.places[first]
    found = [rules.board.at(file + down, rank + along) for down, along in steps]
    if any(square is None for square in found):
        return None
    return first, *(square for square in found if square is not None)


@cache
def _shapes(rules: RithmoRules) -> tuple[Steps, ...]:
    """Return the steps from the first to the second and to the third man of every arrangement."""
    return tuple(steps for steps in _candidates() if arranged(rules, [(0, 0), *steps]))


def _candidates() -> Iterator[Steps]:
    """Yield the steps of three men in line, or at a right angle; no other three are arranged anywhere."""
    wide = range(1 - len(FILES), len(FILES))
    every = [(down, along) for down in wide for along in wide if (down, along) != (0, 0)]
    a = np.array(every)
    down, along = a[:, 0], a[:, 1]
    cross = down[:, None] * along - along[:, None] * down
    dot = down[:, None] * down + along[:, None] * along
    length = down**2 + along**2
    some = (cross == 0) | (dot == 0) | (dot == length[:, None]) | (dot == length)
    for one, other in zip(*np.nonzero(some), strict=True):
        if one != other:
            yield every[one], every[other]


@cache
def moves_between(rules: RithmoRules, shapes: tuple[str, ...]) -> Moves:
    """Return the moves that a man of these shapes needs from each square (first axis) of an empty board to each."""
    count = rules.board.count
    reached = np.eye(count, dtype=np.bool_)
    found = np.where(reached, 0, TOO_FAR).astype(np.uint8)
    ends = [[way.end for shape in shapes for way in rules.tables[shape][square]] for square in range(count)]
    for moves in range(1, TOO_FAR):
        reached = np.stack([reached[square] | reached[ends[square]].any(axis=0) for square in range(count)])
        fresh = reached & (found == TOO_FAR)
        if not fresh.any():
            break
        found[fresh] = moves
    return found


def moves_round(rules: RithmoRules, shapes: tuple[str, ...], start: int, occupied: int) -> Moves:
    """Return the moves that a man needs to each square; a man on ``occupied``, one bit a square, adds `TO_CLEAR`."""
    ways = _masked_ways(rules, shapes)
    found = np.full(rules.board.count, TOO_FAR, np.uint8)
    least = [TOO_FAR] * rules.board.count
    least[start] = 0
    ahead: list[list[int]] = [[] for _ in range(TOO_FAR)]
    ahead[0].append(start)
    others = occupied & ~(1 << start)
    for moves, squares in enumerate(ahead):
        for square in squares:
            if least[square] < moves:
                continue
            for end, stops in ways[square]:
                reached = moves + 1 + TO_CLEAR * (stops & others).bit_count()
                if reached < least[end]:
                    least[end] = reached
                    ahead[reached].append(end)
    found[:] = least
    return found


@cache
def _masked_ways(rules: RithmoRules, shapes: tuple[str, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return from each square where a man's ways end, and the squares that must be free for them as bits."""
    return tuple(
        tuple(
            (way.end, sum(1 << stop for stop in way.stops)) for shape in shapes for way in rules.tables[shape][square]
        )
        for square in range(rules.board.count)
    )

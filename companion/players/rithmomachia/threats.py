"""What a side could take by its next move: which men, and how much nearer they bring it to a victory.

A table says between which squares a man threatens another on an empty board; only what it names is looked at on the
real one. Captures by two men or by a siege are left to the search.
"""

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.rules.rithmomachia.captures import hops
from companion.rules.rithmomachia.men import Man, Men
from companion.rules.rithmomachia.rule_set import RithmoRules, Way

Squares = npt.NDArray[np.bool_]
"""For each square (first axis) and each other square, whether something holds."""

SOON, LATER = 1, 2
"""Within how many moves a man can take another on an empty board, where he can at all."""


class Placed(NamedTuple):
    """The men of one side: their numbers in the table, and where they stand."""

    kinds: npt.NDArray[np.intp]
    squares: npt.NDArray[np.intp]

    @classmethod
    def of(cls, kinds: Sequence[int], squares: Sequence[int]) -> "Placed":
        """Return men with these numbers on these squares."""
        return cls(np.array(kinds, np.intp), np.array(squares, np.intp))


class Threats:
    """The tables of one rule set; they grow with the men that are seen, also while other threads read them."""

    def __init__(self, rules: RithmoRules) -> None:
        self._rules = rules
        self._numbers: dict[Man, int] = {}
        self._kinds: list[Man] = []
        self._pairs = np.zeros((0, 0), np.intp)
        self._taking: list[Squares] = [np.zeros((rules.board.count, rules.board.count), np.bool_)]
        self._off = np.zeros((1, rules.board.count, rules.board.count), np.uint8)
        self._lines = _lines(rules)
        self._growing = Lock()

    def number(self, man: Man) -> int:
        """Return the number of a man in the tables."""
        found = self._numbers.get(man)
        return self._added(man) if found is None else found

    def of(self, men: Men, own: Placed, others: Placed) -> tuple[list[int], list[int]]:
        """Return which of the others could be taken by the next move, and which by the one after it on an empty board.

        Both list places in ``others``.
        """
        pairs = self._pairs[own.kinds[:, None], others.kinds]
        off = self._off[pairs, own.squares[:, None], others.squares]
        takers, targets = np.nonzero(off)
        soon: set[int] = set()
        later: set[int] = set()
        for taker, target in zip(takers.tolist(), targets.tolist(), strict=True):
            if target in soon:
                continue
            if off[taker, target] == SOON and self._takes(
                men, int(own.squares[taker]), int(others.squares[target]), self._taking[pairs[taker, target]]
            ):
                soon.add(target)
            else:
                later.add(target)
        return sorted(soon), sorted(later - soon)

    def _takes(self, men: Men, square: int, target: int, taking: Squares) -> bool:
        """Whether the man on a square has a move to one from which he takes the other."""
        man = men[square]
        assert man is not None, "a man threatens"
        between = self._rules.board.between
        for way in _regular(self._rules, man)[square]:
            if not taking[way.end, target] or any(men[stop] is not None for stop in way.stops):
                continue
            line = between(way.end, target)
            if line is not None and all(men[passed] is None or passed == square for passed in line):
                return True
        return False

    def _added(self, man: Man) -> int:
        with self._growing:
            if man not in self._numbers:
                self._grow(man)
            return self._numbers[man]

    def _grow(self, man: Man) -> None:
        number = len(self._kinds)
        grown = np.zeros((number + 1, number + 1), np.intp)
        grown[:number, :number] = self._pairs
        fresh = []
        for other, like in enumerate(self._kinds):
            if like.owner == man.owner:
                continue
            for pair, taker, taken in (((number, other), man, like), ((other, number), like, man)):
                taking = self._alone(taker, taken)
                if taking.any():
                    grown[pair] = len(self._taking)
                    self._taking.append(taking)
                    fresh.append(_moves_off(_ends(self._rules, taker), taking))
        # a table before what refers to it, so that a reader never looks for what is not there yet
        self._off = np.concatenate([self._off, *(one[None] for one in fresh)])
        self._pairs = grown
        self._kinds.append(man)
        self._numbers[man] = number

    def _alone(self, taker: Man, taken: Man) -> Squares:
        """Return from which square (first axis) a man takes another on which one, alone, if nobody stands between."""
        takes = np.zeros(2 * self._rules.board.ranks, np.bool_)
        for diagonal, steps in hops(self._rules, taker, taken).alone:
            takes[diagonal * self._rules.board.ranks + steps] = True
        takes[0] = False
        return takes[self._lines]


@cache
def threats(rules: RithmoRules) -> Threats:
    """Return the tables of a rule set."""
    return Threats(rules)


def _lines(rules: RithmoRules) -> npt.NDArray[np.intp]:
    """Return for each two squares in line the steps between them, more by the ranks if diagonal; else 0."""
    board = rules.board
    found = np.zeros((board.count, board.count), np.intp)
    for square, rays in enumerate(board.rays):
        for diagonal, line in rays:
            for steps, seen in enumerate(line, 1):
                found[square, seen] = diagonal * board.ranks + steps
    return found


def _moves_off(ends: npt.NDArray[np.intp], taking: Squares) -> npt.NDArray[np.uint8]:
    """Return from which square (first axis) a man takes on which square after one move, or after two."""
    once = _after_a_move(ends, taking)
    return np.where(once, SOON, np.where(_after_a_move(ends, once), LATER, 0)).astype(np.uint8)


def _after_a_move(ends: npt.NDArray[np.intp], holds: Squares) -> Squares:
    nowhere = np.zeros((1, holds.shape[1]), np.bool_)
    found: Squares = np.logical_or.reduce(np.concatenate([holds, nowhere])[ends], axis=1)
    return found


@cache
def _ends(rules: RithmoRules, man: Man) -> npt.NDArray[np.intp]:
    """Return for each square those that a man reaches from it by a move that may take, filled up with one off it."""
    every = [[way.end for way in ways] for ways in _regular(rules, man)]
    most = max(map(len, every))
    return np.array([ends + [rules.board.count] * (most - len(ends)) for ends in every], np.intp)


@cache
def _regular(rules: RithmoRules, man: Man) -> tuple[tuple[Way, ...], ...]:
    """Return the ways of a man from each square after which he may take."""
    return tuple(
        tuple(way for way in ways if rules.regular(square, way.end)) for square, ways in enumerate(rules.ways(man))
    )

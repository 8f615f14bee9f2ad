"""What a side could take by its next move, and how far it is from taking each enemy.

A table says between which squares a man threatens another on an empty board; only what it names is tried on the
real one. Captures by two men or by a siege are left to the search. Another table has the moves that a man needs there
to a place from which he takes the other alone: it tells where to go long before anything can be taken.
"""

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.players.rithmomachia.harmony import TOO_FAR, Moves, moves_between
from companion.rules.rithmomachia.captures import hops
from companion.rules.rithmomachia.men import Man, Men
from companion.rules.rithmomachia.rule_set import Hop, RithmoRules, Way

Squares = npt.NDArray[np.bool_]
"""For each square (first axis) and each other square, whether something holds."""

SOON, LATER = 1, 2
"""Within how many moves a man can take another on an empty board, where he can at all."""


MOST_KEPT = 50_000
"""Threats whose free squares are remembered, some ten megabytes."""


class Placed(NamedTuple):
    """The men of one side: their numbers in the table, and where they stand, also as one bit a square."""

    kinds: npt.NDArray[np.intp]
    squares: npt.NDArray[np.intp]
    occupied: int

    @classmethod
    def of(cls, kinds: Sequence[int], squares: Sequence[int]) -> "Placed":
        """Return men with these numbers on these squares."""
        occupied = 0
        for square in squares:
            occupied |= 1 << square
        return cls(np.array(kinds, np.intp), np.array(squares, np.intp), occupied)


class Threats:
    """The tables of one rule set; they grow with the men that are seen, also while other threads read them."""

    def __init__(self, rules: RithmoRules) -> None:
        self._rules = rules
        self._numbers: dict[Man, int] = {}
        self._kinds: list[Man] = []
        self._pairs = np.zeros((0, 0), np.intp)
        self._tables: dict[tuple[tuple[str, ...], frozenset[Hop]], int] = {}
        squares = (rules.board.count, rules.board.count)
        self._taking: list[Squares] = [np.zeros(squares, np.bool_)]
        self._off = np.zeros((1, *squares), np.uint8)
        self._needed = np.full((1, *squares), TOO_FAR, np.uint8)
        self._free: dict[tuple[int, int, int], tuple[int, ...]] = {}
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
        takers, targets = np.nonzero(off == SOON)
        occupied = own.occupied | others.occupied
        soon: set[int] = set()
        for taker, target in zip(takers.tolist(), targets.tolist(), strict=True):
            if target not in soon:
                start = int(own.squares[taker])
                ways = self._ways(men[start], int(pairs[taker, target]), start, int(others.squares[target]))
                if any(not way & occupied for way in ways):
                    soon.add(target)
        later = set(np.flatnonzero(off.any(axis=0)).tolist())
        return sorted(soon), sorted(later - soon)

    def moves_to(self, own: Placed, others: Placed) -> list[int]:
        """Return for each of the others the moves that the nearest man needs to a place from which he takes it.

        Counted on an empty board; 0 if a man could take it from where he stands. There must be own men.
        """
        pairs = self._pairs[own.kinds[:, None], others.kinds]
        nearest: list[int] = self._needed[pairs, own.squares[:, None], others.squares].min(axis=0).tolist()
        return nearest

    def _ways(self, man: Man | None, table: int, start: int, target: int) -> tuple[int, ...]:
        """Return for each move to a square from which a man takes another the squares that must be free, as bits."""
        found = self._free.get((table, start, target))
        if found is None:
            assert man is not None, "a man threatens"
            if len(self._free) >= MOST_KEPT:
                self._free.clear()
            found = self._free[table, start, target] = tuple(
                sum(1 << square for square in {*way.stops, *line} - {start})
                for way in _regular(self._rules, man)[start]
                if self._taking[table][way.end, target]
                and (line := self._rules.board.between(way.end, target)) is not None
            )
        return found

    def _added(self, man: Man) -> int:
        with self._growing:
            if man not in self._numbers:
                self._grow(man)
            return self._numbers[man]

    def _grow(self, man: Man) -> None:
        number = len(self._kinds)
        grown = np.zeros((number + 1, number + 1), np.intp)
        grown[:number, :number] = self._pairs
        for other, like in enumerate(self._kinds):
            if like.owner != man.owner:
                grown[number, other] = self._table(man, like)
                grown[other, number] = self._table(like, man)
        # after the tables that it refers to, so that a reader never looks for what is not there yet
        self._pairs = grown
        self._kinds.append(man)
        self._numbers[man] = number

    def _table(self, taker: Man, taken: Man) -> int:
        """Return the number of the tables for a man and whom he takes; men who go and take alike share theirs."""
        key = self._rules.shapes(taker), hops(self._rules, taker, taken).alone
        if key not in self._tables:
            taking = self._alone(key[1])
            if taking.any():
                self._taking.append(taking)
                self._off = np.concatenate([self._off, _moves_off(_ends(self._rules, taker), taking)[None]])
                needed = _moves_to(moves_between(self._rules, key[0]), taking)
                self._needed = np.concatenate([self._needed, needed[None]])
            self._tables[key] = len(self._taking) - 1 if taking.any() else 0
        return self._tables[key]

    def _alone(self, over: frozenset[Hop]) -> Squares:
        """Return from which square (first axis) a man takes on which one over these hops, if nobody stands between."""
        takes = np.zeros(2 * self._rules.board.ranks, np.bool_)
        for diagonal, steps in over:
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


def _moves_to(between: Moves, taking: Squares) -> Moves:
    """Return the moves that a man on a square (first axis) needs to one from which he takes on each square."""
    found = np.full(taking.shape, TOO_FAR, np.uint8)
    for target in np.flatnonzero(taking.any(axis=0)):
        found[:, target] = between[:, taking[:, target]].min(axis=1)
    return found


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

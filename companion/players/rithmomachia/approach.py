"""How far a side is from taking each enemy: the moves that its nearest man needs to a place from which he takes alone.

Counted on an empty board, so it tells where to go long before anything can be taken; `threats` counts exactly what the
next two moves take.
"""

from collections.abc import Sequence
from functools import cache
from threading import Lock

import numpy as np
import numpy.typing as npt

from companion.players.rithmomachia.harmony import TOO_FAR, Side, moves_between
from companion.rules.rithmomachia.captures import hops
from companion.rules.rithmomachia.men import Man
from companion.rules.rithmomachia.rule_set import RithmoRules

SHARE_PER_MOVE = 0.75
"""What one move more makes of the worth of an enemy to be taken."""

MOST_KEPT = 1500
"""Enemies on squares whose distances are remembered, some ten megabytes."""

Needed = npt.NDArray[np.uint8]
"""For each kind of man (first axis) and each square, the moves to a place from which he takes one enemy."""


class Approaches:
    """How near the men of one rule set are to each other's enemies; threads may share it."""

    def __init__(self, rules: RithmoRules) -> None:
        self._rules = rules
        self._kinds: dict[Man, int] = {}
        self._kept: dict[tuple[Man, int], Needed] = {}
        self._growing = Lock()

    def of(self, own: Side, others: Side) -> Sequence[float]:
        """Return for each enemy the share of his worth that is in reach: 1 if he could be taken now, less each move."""
        if not own:
            return [0.0] * len(others)
        kinds = [self._kind(man) for _, man in own]
        squares = [square for square, _ in own]
        return [
            SHARE_PER_MOVE ** int(self._needed(man, square)[kinds, squares].min()) if self._reachable(man) else 0.0
            for square, man in others
        ]

    def _reachable(self, target: Man) -> bool:
        return bool(target.parts or not target.is_pyramid)

    def _kind(self, man: Man) -> int:
        found = self._kinds.get(man)
        if found is None:
            with self._growing:
                found = self._kinds.setdefault(man, len(self._kinds))
        return found

    def _needed(self, target: Man, square: int) -> Needed:
        kept = self._kept.get((target, square))
        kinds = list(self._kinds)
        if kept is None or len(kept) < len(kinds):
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            rows = [self._row(man, target, square) for man in kinds]
            kept = self._kept[target, square] = np.stack(rows)
        return kept

    def _row(self, man: Man, target: Man, square: int) -> Needed:
        takes = hops(self._rules, man, target).alone
        places = [
            place
            for diagonal, line in self._rules.board.rays[square]
            for steps, place in enumerate(line, start=1)
            if (diagonal, steps) in takes
        ]
        if not places:
            return np.full(self._rules.board.count, TOO_FAR, np.uint8)
        nearest: Needed = moves_between(self._rules, self._rules.shapes(man))[places].min(axis=0)
        return nearest


@cache
def approaches(rules: RithmoRules) -> Approaches:
    """Return what is known of the distances under a rule set."""
    return Approaches(rules)

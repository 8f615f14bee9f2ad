"""What a player sees of a tables position: a row of numbers for each side, by the rules of the layout alone.

Every number is between 0 and about 2. A row describes the side that is to throw (own) and then the other side, each
along its own track, so the same numbers mean the same in every variant.
"""

from collections.abc import Iterable
from itertools import combinations

import numpy as np
import numpy.typing as npt

from companion.odds.tables.layout import TrackLayout
from companion.odds.tables.men import BIT_SLICES, TAKEN_BIT, counts
from companion.odds.tables.pools import HIGHEST_PIPS, Dice, Pools
from companion.players.tables.boards import Boards

Rows = npt.NDArray[np.float32]
Placed = tuple[Rows, Rows]

TABLE_POINTS = 6
PAIR_OF_MEN = 2
TALL_STACK_MEN = 3
"""Men on one point from which on further men help little."""

SIDE_NAMES = ("pips", "hand", "off", "home", "risk", "walled", "shut_in", "stacked", "pairs")
"""The numbers of one side.

``pips``: pips to go, as a share of the whole way of all men; ``hand``, ``off``, ``home``: the share of men there;
``risk``: pips that the other side's next throw takes by hitting, on average, if nothing blocks it, in tenths of the
track; ``walled``: the mean share of closed points among the six before each man; ``shut_in``: the share of men with
five or six of these closed; ``stacked``: the share of men on top of three others; ``pairs``: the number of pairs that
are not taken down, in sixths (Doblet).
"""

NAMES: tuple[str, ...] = (
    *(f"own_{name}" for name in SIDE_NAMES),
    *(f"foe_{name}" for name in SIDE_NAMES),
    "race",
    "lead",
)
"""All numbers of a row. ``race``: the lead in pips after half a throw, divided by the spread that the dice still give
it; ``lead``: the lead in points held, by halves of the men."""


def reach(pools: Pools) -> npt.NDArray[np.float32]:
    """Return by distance from 0 to 24 the share of throws with dice that add up to it, some or all of them."""
    found = np.zeros(TAKEN_BIT, np.float32)
    for pool in pools.thrown:
        ways = [pools.dice[pool]]
        if pools.turned[0, pool]:
            ways = [pools.dice[turned] for turned in set(pools.turned[:, pool]) if turned]
        found[list(_sums(ways))] += 1
    return found / np.float32(len(pools.thrown))


def _sums(ways: Iterable[Dice]) -> set[int]:
    return {
        total
        for dice in ways
        for size in range(1, len(dice) + 1)
        for chosen in combinations(dice, size)
        if (total := sum(chosen)) < TAKEN_BIT
    }


def mean_throw(pools: Pools) -> float:
    """Return the mean number of pips of a throw."""
    return float(
        np.mean([sum(pools.dice[pool]) + (HIGHEST_PIPS / 2 if pools.turned[0, pool] else 0) for pool in pools.thrown])
    )


class LayoutFeatures:
    """Makes the rows of one layout."""

    def __init__(self, layout: TrackLayout) -> None:
        self.layout = layout
        length = self.length = layout.length
        places = np.arange(TAKEN_BIT)
        self.men = int(layout.start[0, : length + 1].sum())
        self.end = length + 1 if layout.goal == "bear" else length - TABLE_POINTS + 1
        self.to_go = np.maximum(self.end - places, 0).astype(np.float32)
        self.to_go[length + 1 :] = 0
        self.on_track = ((places >= 1) & (places <= length)).astype(np.float32)
        self.at_home = ((places > length - TABLE_POINTS) & (places <= length)).astype(np.float32)
        self.across = self._across()
        ways, chance = places[None, :] - places[:, None], reach(layout.pools)
        self.reached = np.where(ways > 0, chance[np.clip(ways, 0, TAKEN_BIT - 1)], 0).astype(np.float32)
        self.ahead = ((ways > 0) & (ways <= TABLE_POINTS)).astype(np.float32)
        self.throw = mean_throw(layout.pools)

    def _across(self) -> npt.NDArray[np.intp]:
        """Return, for each place of a side's track, the other side's place of that point; 0 where it has none."""
        ours, theirs = self.layout.tracks
        found = np.zeros(TAKEN_BIT, np.intp)
        for place, point in enumerate(theirs, 1):
            found[place] = ours.index(point) + 1 if point in ours else 0
        return found

    def rows(self, boards: Boards) -> Rows:
        """Return the rows (columns, `NAMES`) of boards on which their own side is to throw."""
        return self.of_sides(*self.both(boards))

    def both(self, boards: Boards) -> tuple[Placed, Placed]:
        """Return `placed` of the own side, and of the other side."""
        return self.placed(boards.men[:BIT_SLICES]), self.placed(boards.men[BIT_SLICES:])

    def of_sides(self, own: Placed, foe: Placed) -> Rows:
        """Return the rows of boards from what `both` returns of them."""
        sides = []
        for ours, theirs in ((own, foe), (foe, own)):
            sides.append(self._side(ours, theirs))
        pips = [side[:, 0] * self.men * self.end for side in sides]
        total = np.sqrt(pips[0] + pips[1] + np.float32(self.throw))
        race = (pips[1] - pips[0] + np.float32(self.throw / 2)) / total
        lead = (self._held(own[0]).sum(axis=1) - self._held(foe[0]).sum(axis=1)) / np.float32(TABLE_POINTS)
        return np.concatenate([*sides, race[:, None], lead[:, None]], axis=1).astype(np.float32)

    def placed(self, men: npt.NDArray[np.uint32]) -> Placed:
        """Return men by place (columns, 25), the hand first, and the number of pairs that are not taken down."""
        counted = counts(men).astype(np.float32)
        placed = counted[:, :TAKEN_BIT].copy()
        if self.layout.corners:
            placed[:, 0] = counted[:, TAKEN_BIT:].sum(axis=1)
        pairs = counted[:, self.length + 1 : TAKEN_BIT].sum(axis=1) if self.layout.pairs else np.zeros(len(counted))
        placed[:, self.length + 1 :] = 0
        return placed, pairs.astype(np.float32)

    @staticmethod
    def _held(placed: Rows) -> Rows:
        held: Rows = (placed[:, 1:] >= PAIR_OF_MEN).astype(np.float32)
        return held

    def _side(self, ours: Placed, theirs: Placed) -> Rows:
        """Return the numbers of one side (columns, `SIDE_NAMES`)."""
        placed, pairs = ours
        men = np.float32(self.men)
        # the points as the other side meets them, and the other side's men as this side meets them
        facing = self.across
        foe = theirs[0]
        foe_there = (foe > 0).astype(np.float32)
        seen = placed.take(facing, axis=1)
        seen[:, facing == 0] = 0
        hits = np.minimum(foe_there @ self.reached, 1) * (seen == 1)
        back = (facing * np.float32(1))[None, :]
        shut = (foe.take(facing, axis=1) >= PAIR_OF_MEN).astype(np.float32)
        shut[:, facing == 0] = 0
        before = (shut @ self.ahead.T) / np.float32(TABLE_POINTS)
        numbers = [
            (placed @ self.to_go) / (men * self.end),
            placed[:, 0] / men,
            1 - placed.sum(axis=1) / men,
            (placed @ self.at_home) / men,
            (hits * back).sum(axis=1) * np.float32(10 / self.length / TABLE_POINTS),
            (placed * before).sum(axis=1) / men,
            (placed * (before * TABLE_POINTS > TABLE_POINTS - PAIR_OF_MEN + 0.5)).sum(axis=1) / men,
            np.maximum(placed[:, 1:] - TALL_STACK_MEN, 0).sum(axis=1) / men,
            pairs / np.float32(TABLE_POINTS),
        ]
        return np.stack(numbers, axis=1)

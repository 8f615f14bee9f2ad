"""Many tables positions at once, and every turn that is possible from them, found layer by layer.

Everything called own belongs to the side that plays, along its own track, as in `companion.odds.tables.games`, whose
rules these are: which steps are legal is `companion.odds.tables.duty`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.odds.tables.crossing import Crossing
from companion.odds.tables.duty import legal
from companion.odds.tables.layout import TrackLayout
from companion.odds.tables.men import BIT_SLICES, Bits, paired
from companion.odds.tables.steps import Places, Turns, finished, step
from companion.odds.tables.striking import strike
from companion.players.player import StoppedError, never

NO_PARENT = -1
"""The parent of a board that is no board's child."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(29)


@dataclass
class Boards:
    """Positions within a turn, one column each.

    ``men`` (8, columns): the slices of the own men, then those of the other side. ``hit`` (2, columns): of the men in
    hand, those that were hit, own and other. ``block`` and ``blots``: points of the own track where the other side has
    two men or more, or one. ``pool``: the dice left (`TrackLayout.pools`). ``side``: which side plays, 0 or 1.
    """

    men: Bits
    hit: npt.NDArray[np.int8]
    block: Bits
    blots: Bits
    pool: npt.NDArray[np.int16]
    side: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.pool)

    def take(self, columns: Places | npt.NDArray[np.bool_]) -> "Boards":
        """Return copies of these columns."""
        places = np.flatnonzero(columns) if columns.dtype == bool else columns
        return Boards(*(getattr(self, field.name).take(places, axis=-1) for field in fields(self)))

    @classmethod
    def joined(cls, several: "list[Boards]") -> "Boards":
        """Return the columns of several boards one after another."""
        return cls(*(np.concatenate([getattr(one, field.name) for one in several], axis=-1) for field in fields(cls)))

    def turns(self) -> Turns:
        """Return what decides the steps of the sides that play."""
        return Turns(self.men[:BIT_SLICES], self.hit[0], self.block, self.pool)


class Layer(NamedTuple):
    """Boards after equally many steps.

    ``parent``: the column in the layer before, or `NO_PARENT`; ``place`` and ``die``: of the step from there; ``turn``:
    the turn of each; ``ends``: whether its turn ends there.
    """

    boards: Boards
    parent: Places
    place: Places
    die: Places
    turn: Places
    ends: npt.NDArray[np.bool_]


class Turning:
    """Finds turns in one layout."""

    def __init__(self, layout: TrackLayout) -> None:
        self.layout = layout
        self.crossing = Crossing(layout)

    def handed_over(self, boards: Boards, pool: npt.NDArray[np.int16]) -> Boards:
        """Return the boards with the other side to play these dice."""
        other = Boards(
            np.roll(boards.men, BIT_SLICES, axis=0),
            boards.hit[::-1].copy(),
            boards.block,
            boards.blots,
            pool,
            1 - boards.side,
        )
        return self.from_across(other)

    def from_across(self, boards: Boards) -> Boards:
        """Return the boards with ``block`` and ``blots`` found again from the men."""
        others, side = boards.men[BIT_SLICES:], 1 - boards.side
        two = paired(others)
        block, blots = self.crossing.across(side, two), self.crossing.across(side, others[0] & ~two)
        return Boards(boards.men, boards.hit, block, blots, boards.pool, boards.side)

    def layers(self, boards: Boards, stopped: Callable[[], bool] = never) -> Iterator[Layer]:
        """Yield each layer of steps of these turns, until all are over; the first are the boards themselves.

        The same board with the same dice left appears once in a turn, as the child of one of its parents.

        Raises:
            StoppedError: ``stopped``, which is asked before each layer, became true.
        """
        turn = np.arange(len(boards))
        parent = place = die = np.full(len(boards), NO_PARENT)
        while len(boards):
            if stopped():
                raise StoppedError
            after, parents, places, dice = self._next(boards)
            ends = np.ones(len(boards), bool)
            ends[parents] = False
            yield Layer(boards, parent, place, die, turn, ends)
            kept = _first_of_each(after, turn[parents])
            boards, parent, place, die = after.take(kept), parents[kept], places[kept], dice[kept]
            turn = turn[parent]

    def _next(self, boards: Boards) -> tuple[Boards, Places, Places, Places]:
        """Return every board one step further, with parent, place and die of its step."""
        pools = self.layout.pools
        going = np.flatnonzero((boards.pool > 0) & ~finished(self.layout, boards.turns()))
        found = legal(self.layout, boards.take(going).turns())
        parent = going[found.game]
        after = boards.take(parent)
        value = pools.value[found.kind, after.pool]
        turns = after.turns()
        goal = step(self.layout, turns, np.uint32(1) << found.place.astype(np.uint32), value)
        after.men[:BIT_SLICES], after.hit[0] = turns.men, turns.hit
        after.pool = pools.less[found.kind, after.pool]
        strike(after, goal & after.blots, self.crossing, corners=self.layout.corners)
        return after, parent, found.place, value.astype(np.intp)


def _first_of_each(boards: Boards, turn: Places) -> Places:
    """Return the columns that show a board of a turn for the first time."""
    key = turn.astype(np.uint64)
    for word in (*boards.men, boards.pool, boards.hit[0], boards.hit[1]):
        key = (key ^ (key >> _FOLD)) * _MIX + word.astype(np.uint64)
    # the first of equal keys is the least column among them, so the sort need not be stable, and is quicker
    order = key.argsort()
    ranked = key[order]
    starts = np.flatnonzero(np.concatenate([np.ones(min(1, len(key)), bool), ranked[1:] != ranked[:-1]]))
    return np.sort(np.minimum.reduceat(order, starts)) if len(key) else order

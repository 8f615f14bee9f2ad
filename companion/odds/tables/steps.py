"""A step of one man with one die, in many games at once: where each die can be played, and what it does to the mover.

Everything is from the view of the side that plays. Its own steps never change which points the other side holds, so
``block`` stays the same for a whole turn. What a step hits matters only to the other side, and `games` handles it.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.odds.tables.corners import enterable, entered
from companion.odds.tables.layout import TrackLayout
from companion.odds.tables.men import HAND, Bits, add, held, paired, remove

Places = npt.NDArray[np.intp]


@dataclass
class Turns:
    """What decides the steps of the side that plays, one column a game.

    ``men``: its slices (4, games). ``hit``: how many of its men in hand were hit. ``block``: the points that the other
    side holds. ``pool``: the number of the set of dice left.
    """

    men: Bits
    hit: npt.NDArray[np.int8]
    block: Bits
    pool: npt.NDArray[np.int16]

    def take(self, games: Places) -> "Turns":
        """Return copies of these columns."""
        return Turns(self.men[:, games], self.hit[games], self.block[games], self.pool[games])


def movable(layout: TrackLayout, turns: Turns) -> Bits:
    """Return where each kind of the remaining dice can be played from, (3, games), without regard to the duty."""
    value = layout.pools.value[:, turns.pool]
    own = held(turns.men)
    closed = turns.block
    if layout.single:
        closed = closed | (own & layout.single)
    if layout.most_two:
        closed = closed | paired(turns.men)
    free = layout.track & ~closed
    found: Bits = (own & ~layout.stays) & (free >> value)
    if layout.never_entered:
        found &= ~((layout.never_entered >> value) & HAND)
    if layout.corners:
        found |= enterable(own, free, value)
    if layout.pairs:
        found |= own & layout.pairs & (np.uint32(1) << (np.uint32(2 * layout.length + 1) - value))
    if layout.goal == "bear":
        found |= _bearable(layout, own, value)
    found[:, must_enter(layout, turns)] &= layout.hand
    found[value == 0] = 0
    return found


def must_enter(layout: TrackLayout, turns: Turns) -> npt.NDArray[np.bool_]:
    """Tell in which games only a man in hand may move."""
    must: npt.NDArray[np.bool_] = (turns.hit > 0) if layout.enter_first else np.zeros(turns.hit.shape, bool)
    if layout.all_enter_first:
        must = must | (turns.men & layout.hand).any(axis=0)
    return must


def finished(layout: TrackLayout, turns: Turns) -> npt.NDArray[np.bool_]:
    """Tell in which games the side that plays has just reached the goal."""
    if layout.goal == "places":
        full: npt.NDArray[np.bool_] = (paired(turns.men) | turns.block) & layout.track == layout.track
        return full
    left = held(turns.men)
    if layout.goal == "home":
        left = left & ~layout.home
    over: npt.NDArray[np.bool_] = left == 0
    return over


def _bearable(layout: TrackLayout, own: Bits, value: Bits) -> Bits:
    """Return where each die bears a man off from: with the exact number, or the last man with a higher number."""
    at_home = (own & ~layout.home) == 0
    exact = np.uint32(1) << (np.uint32(layout.length + 1) - value)
    last = own & (~own + np.uint32(1))
    found: Bits = np.where(at_home, (own & exact) | np.where(last > exact, last, np.uint32(0)), np.uint32(0))
    return found


def step(layout: TrackLayout, turns: Turns, origin: Bits, value: Bits) -> Bits:
    """Move a man from each of these places with these pips, in place; return where it landed (0: off the board)."""
    goal: Bits = (origin << value) & layout.track
    if layout.corners:
        goal |= entered(origin, value)
    remove(turns.men, origin)
    add(turns.men, goal)
    turns.hit -= (origin & layout.hand > 0) & (turns.hit > 0)
    return goal

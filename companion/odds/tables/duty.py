"""The duty in many games at once: use as many dice as possible, then the higher ones, decided exactly.

Most games need no search. If each kind of the remaining dice can be played by as many men as there are dice, and none
of them blocks another, any first step leaves the rest playable. The other games are searched: every first step becomes
a column of its own, and so on, until one die is left or the same condition holds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.odds.tables.layout import TrackLayout
from companion.odds.tables.men import BIT_SLICES, TAKEN_BIT, WIDTH, Bits, count, paired
from companion.odds.tables.pools import MOST_PIP_KINDS, WEIGHTS
from companion.odds.tables.steps import Places, Turns, finished, movable, must_enter, step

CELLS = WIDTH * MOST_PIP_KINDS
_TABLES = np.uint32(WIDTH - TAKEN_BIT)


@dataclass(frozen=True)
class Candidates:
    """Steps of many games in one list: game by game, by origin along the track (the hand first), then by die.

    ``game`` is the column of the turns, ``place`` the bit of the origin, ``kind`` which of the dice.
    """

    game: Places
    place: Places
    kind: Places

    def where(self, kept: npt.NDArray[np.bool_]) -> "Candidates":
        """Return the marked steps."""
        return Candidates(self.game[kept], self.place[kept], self.kind[kept])


def legal(layout: TrackLayout, turns: Turns) -> Candidates:
    """Return every legal step of these turns."""
    possible = movable(layout, turns)
    found = listed(layout, possible)
    searched = ~_all_playable(layout, turns, possible)[found.game] & (layout.pools.size[turns.pool] > 1)[found.game]
    if not searched.any():
        return found
    unsure = found.where(searched)
    worth = _worth_of(layout, turns, unsure)
    lawful = np.ones(found.game.shape, bool)
    lawful[searched] = worth == _best(unsure.game, worth)[1]
    return found.where(lawful)


def listed(layout: TrackLayout, possible: Bits) -> Candidates:
    """Return the steps that these words (3, games) mark."""
    if layout.corners:
        possible = possible << _TABLES | possible >> np.uint32(TAKEN_BIT)
    octets = np.ascontiguousarray(possible.T).astype("<u4", copy=False).view(np.uint8)
    cells = np.unpackbits(octets, axis=1, bitorder="little").reshape(-1, MOST_PIP_KINDS, 32)[:, :, :WIDTH]
    game, cell = np.divmod(np.flatnonzero(cells.transpose(0, 2, 1)), CELLS)
    place, kind = np.divmod(cell, MOST_PIP_KINDS)
    if layout.corners:
        place = (place - int(_TABLES)) % WIDTH
    return Candidates(game, place, kind)


def _worth(layout: TrackLayout, turns: Turns) -> npt.NDArray[np.int32]:
    """Return the worth (`pools.weight`) of the dice that each of these turns can use at best.

    A step that ends the game fulfils the duty: dice that are no longer needed count as used.
    """
    possible = movable(layout, turns)
    sure = _all_playable(layout, turns, possible) | finished(layout, turns)
    worth = np.where(sure, layout.pools.worth[turns.pool], 0)
    searched = np.flatnonzero(~sure & possible.any(axis=0))
    if searched.size:
        found = listed(layout, possible[:, searched])
        found = Candidates(searched[found.game], found.place, found.kind)
        games, best = _best(found.game, _worth_of(layout, turns, found))
        worth[games] = best[np.flatnonzero(np.diff(found.game, prepend=-1))]
    return worth


def _worth_of(layout: TrackLayout, turns: Turns, steps: Candidates) -> npt.NDArray[np.int32]:
    """Return the worth of each of these steps and the best that can follow it."""
    after = turns.take(steps.game)
    value = layout.pools.value[steps.kind, after.pool]
    step(layout, after, np.uint32(1) << steps.place.astype(np.uint32), value)
    after.pool = layout.pools.less[steps.kind, after.pool]
    worth: npt.NDArray[np.int32] = WEIGHTS[value] + _worth(layout, after)
    return worth


def _best(game: Places, worth: npt.NDArray[np.int32]) -> tuple[Places, npt.NDArray[np.int32]]:
    """Return the games of a list sorted by game, and for each entry the highest worth in its game."""
    first = np.flatnonzero(np.diff(game, prepend=-1))
    best = np.maximum.reduceat(worth, first)
    return game[first], np.repeat(best, np.diff(first, append=game.size))


def _all_playable(layout: TrackLayout, turns: Turns, possible: Bits) -> npt.NDArray[np.bool_]:
    """Tell in which turns all remaining dice can surely be used, whichever possible step comes first.

    For one die that holds if any man can move. For n dice it holds if n different men can play each kind: a moved man
    may no longer be available, but it never blocks another. Where no second man may come onto a point, a man may take
    away one other's goal, so there must be 2n - 1 men on different points. (A step cannot prevent another man's bearing
    off: it never moves a man backwards.) False only means that this does not prove it.
    """
    size = layout.pools.size[turns.pool]
    single = size == 1
    if layout.most_two:
        one: npt.NDArray[np.bool_] = single & possible.any(axis=0)
        return one
    choices, needed = count(possible), size
    if layout.single:
        needed = 2 * size - 1
    else:
        choices = choices + _further_men(turns.men, possible)
    choices[layout.pools.value[:, turns.pool] == 0] = BIT_SLICES * WIDTH
    sure: npt.NDArray[np.bool_] = np.logical_and.reduce(choices >= needed, axis=0)
    sure &= single | ~must_enter(layout, turns)
    return sure


def _further_men(men: Bits, places: Bits) -> Bits:
    """Return how many second and third men stand on these places together."""
    return count(places & paired(men)) + count(places & (men[2] | men[3] | (men[0] & men[1])))

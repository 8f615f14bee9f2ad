"""Games of one tables variant in parallel, one column a game, advanced together: throw, choose, move, pass."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from companion.odds.tables.crossing import Crossing
from companion.odds.tables.duty import Candidates, legal
from companion.odds.tables.layout import TrackLayout
from companion.odds.tables.men import BIT_SLICES, TAKEN_BIT, Bits, count, counts, paired, sliced
from companion.odds.tables.pools import HIGHEST_PIPS
from companion.odds.tables.steps import Places, Turns, finished, movable, step
from companion.odds.tables.striking import strike

Words = npt.NDArray[np.uint64]

GAMMA = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD_MASK = (1 << 64) - 1
FLOAT_BITS = 53
"""The upper bits of each word that become the number: as many as a float holds."""

_GAMMA, _FIRST, _SECOND = (np.uint64(number) for number in (GAMMA, FIRST, SECOND))
_SHIFTS = tuple(np.uint64(bits) for bits in (30, 27, 31, 64 - FLOAT_BITS))


def mixed(words: Words) -> Words:
    """Return each word with its bits well mixed."""
    words = (words ^ (words >> _SHIFTS[0])) * _FIRST
    words = (words ^ (words >> _SHIFTS[1])) * _SECOND
    mixed_words: Words = words ^ (words >> _SHIFTS[2])
    return mixed_words


def keys(seed: int, games: npt.NDArray[np.int64]) -> Words:
    """Return the key of each game's stream."""
    start = np.array([seed & WORD_MASK], np.uint64)
    return mixed(mixed(start + _GAMMA) + games.astype(np.uint64) * _GAMMA)


def numbers(key: Words, at: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return number ``at`` (from 0) of each stream, from 0 to just below 1.

    It depends on the seed, the game and ``at`` alone (the finalizer of SplitMix64: Steele, Lea and Flood, "Fast
    splittable pseudorandom number generators", OOPSLA 2014). So games may run in parallel in any order, or one after
    another through the rules core, and use the very same numbers. Each die and each choice uses one, even if there is
    only one choice.
    """
    words = mixed(key + (at.astype(np.uint64) + np.uint64(1)) * _GAMMA)
    return (words >> _SHIFTS[3]).astype(np.float64) * np.float64(2.0**-FLOAT_BITS)


RUNNING, TIE, CAPPED = -1, 0, -2
"""The states of a game besides 1 or 2, the side that has won."""


class RunningGames:
    """Columns of running games. Everything called own belongs to the side that plays, along its own track.

    ``side``: which side that is, 0 or 1. ``men`` (8, games): the slices of the own men, then those of the other side.
    ``hit`` (2, games): of the men in hand, those that were hit, own and other. ``block`` and ``blots``: points of the
    own track where the other side has two men or more, or one. ``turn`` and ``thrower``: players, from 0, who moves and
    whose throw it is. ``won``: the side, 1 or 2, that has won and goes on with the other's men, 0 for none. ``taken``:
    how many numbers of the game's stream are used. ``throws`` and ``choices`` count the moves. ``state``: how the game
    stands.
    """

    def __init__(self, layout: TrackLayout, seed: int, cap: int, numbers_of_games: npt.NDArray[np.int64]) -> None:
        self.layout, self.seed, self.cap = layout, seed, cap
        self.crossing = Crossing(layout)
        both = sliced(layout.start).reshape(BIT_SLICES, 2)
        self._start = np.concatenate([both[:, 0], both[:, 1]])
        games = numbers_of_games.size
        self.game = np.zeros(games, np.int64)
        self.key = np.zeros(games, np.uint64)
        self.men: Bits = np.zeros((2 * BIT_SLICES, games), np.uint32)
        self.hit = np.zeros((2, games), np.int8)
        self.block: Bits = np.zeros(games, np.uint32)
        self.blots: Bits = np.zeros(games, np.uint32)
        self.pool = np.zeros(games, np.int16)
        self.turn, self.thrower, self.side, self.won, self.state = (np.zeros(games, np.int8) for _ in range(5))
        self.again, self.moved = np.zeros(games, bool), np.zeros(games, bool)
        self.taken, self.throws, self.choices = (np.zeros(games, np.int64) for _ in range(3))
        self.restart(np.arange(games), numbers_of_games)

    def restart(self, columns: Places, games: npt.NDArray[np.int64]) -> None:
        """Start these games in these columns."""
        self.game[columns], self.key[columns] = games, keys(self.seed, games)
        self.men[:, columns] = self._start[:, None]
        for kept in (self.hit, self.pool, self.turn, self.thrower, self.side, self.won, self.again, self.moved):
            kept[..., columns] = 0
        for kept in (self.taken, self.throws, self.choices):
            kept[columns] = 0
        self.state[columns] = RUNNING
        self._across(columns)

    def keep(self, columns: Places) -> None:
        """Drop all columns but these."""
        for name, kept in vars(self).items():
            if isinstance(kept, np.ndarray) and name != "_start":
                setattr(self, name, kept[..., columns])

    def turns(self) -> Turns:
        """Return what decides the steps of the sides that play."""
        return Turns(self.men[:BIT_SLICES], self.hit[0], self.block, self.pool)

    def throw(self) -> None:
        """Throw the dice in every game where a throw is due."""
        due = np.flatnonzero((self.pool == 0) & self._going_on())
        cast = np.zeros(due.size, np.int64)
        for _ in range(self.layout.pools.rolled):
            cast = cast * HIGHEST_PIPS + (self._number(due) * HIGHEST_PIPS).astype(np.int64)
        self.pool[due] = self.layout.pools.thrown[cast]
        self.again[due] = self.layout.pools.again[self.pool[due]]
        self.thrower[due], self.moved[due] = self.turn[due], False
        self.throws[due] += 1

    def turn_to_six(self) -> None:
        """Turn a die to six in every game where the player has to choose one."""
        turned = self.layout.pools.turned
        due = np.flatnonzero((turned[0, self.pool] > 0) & self._going_on())
        if due.size:
            kinds = (turned[:, self.pool[due]] > 0).sum(axis=0)
            self.pool[due] = turned[self._chosen(due, kinds), self.pool[due]]
            self.again[due] = self.layout.pools.again[self.pool[due]]

    def found(self) -> Candidates:
        """Return every legal step of every game that goes on; none if the turn passes."""
        self._going_on()
        return legal(self.layout, self.turns())

    def move(self, steps: Candidates) -> None:
        """Make one of these steps in each game that has any, chosen by its stream; pass the turn in the others."""
        among = np.bincount(steps.game, minlength=self.game.size)
        acting = np.flatnonzero(among)
        at = (np.cumsum(among) - among)[acting] + self._chosen(acting, among[acting])
        origin, kind = np.zeros(among.size, np.uint32), steps.kind[at]
        origin[acting] = np.uint32(1) << steps.place[at].astype(np.uint32)
        value = np.zeros(among.size, np.uint32)
        value[acting] = self.layout.pools.value[kind, self.pool[acting]]
        goal = step(self.layout, self.turns(), origin, value)
        self.pool[acting] = self.layout.pools.less[kind, self.pool[acting]]
        self.moved[acting] = True
        strike(self, goal & self.blots, self.crossing, corners=self.layout.corners)
        self._end(acting)
        self._pass(np.flatnonzero((among == 0) & (self.state == RUNNING)))
        self._hand_on(np.flatnonzero((self.pool == 0) & (self.state == RUNNING) & (among > 0)))

    def _going_on(self) -> npt.NDArray[np.bool_]:
        """Tell which games still go on; stop those that have reached the cap."""
        going = self.state == RUNNING
        over = going & (self.throws + self.choices >= self.cap)
        self.state[over], self.pool[over] = CAPPED, 0
        still: npt.NDArray[np.bool_] = going & ~over
        return still

    def _number(self, columns: Places) -> npt.NDArray[np.float64]:
        found = numbers(self.key[columns], self.taken[columns])
        self.taken[columns] += 1
        return found

    def _chosen(self, columns: Places, among: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Return for each of these games one of ``among`` choices, from 0."""
        self.choices[columns] += 1
        return (self._number(columns) * among).astype(np.intp)

    def _end(self, columns: Places) -> None:
        """Mark the games that the last steps ended."""
        over = columns[finished(self.layout, self.turns().take(columns))]
        self.pool[over] = 0
        if self.layout.slaps:
            first = over[self.won[over] == 0]
            self.won[first], self.thrower[first], self.again[first] = self.side[first] + 1, self.turn[first], False
            over = np.setdiff1d(over, first)
            self.state[over] = self.won[over]
            return
        winner = self.side[over] + 1
        if self.layout.goal == "places":
            ours, theirs = (count(paired(men[:, over])) for men in (self.men[:BIT_SLICES], self.men[BIT_SLICES:]))
            winner = np.where(ours == theirs, TIE, np.where(ours > theirs, winner, 3 - winner))
        self.state[over] = winner

    def _pass(self, columns: Places) -> None:
        """Go on in games where the remaining dice allow no (further) step."""
        if self.layout.slaps:
            going_on = self.won[columns] > 0
            self._hand_on(columns[going_on])
            columns = columns[~going_on]
        if self.layout.ad_fallum:
            self.state[columns], self.pool[columns] = 2 - self.side[columns], 0
            return
        if self.layout.lends:
            lent = self.turn[columns] != self.thrower[columns]
            self._give_turn(columns[~lent], np.where(self.side[columns[~lent]], 0, self.layout.players // 2))
            columns = columns[lent]
        still = columns[~self.moved[columns]]
        self.state[still[self._stuck(still)]] = TIE
        self.pool[columns] = 0
        self._hand_on(columns[self.state[columns] == RUNNING])

    def _hand_on(self, columns: Places) -> None:
        """Clear the remaining dice and give the next throw to the player whose it is."""
        self.pool[columns] = 0
        self._give_turn(columns, np.where(self.again[columns], self.thrower[columns], self._following(columns)))

    def _following(self, columns: Places) -> npt.NDArray[np.int8]:
        """Return who throws after the thrower: the next player, or for a side that has won, its next player."""
        half = self.layout.players // 2
        following = (self.thrower[columns] + 1) % self.layout.players
        won = self.won[columns]
        own_side = (self.thrower[columns] + 1) % half + half * (won - 1)
        return np.where(won > 0, own_side, following).astype(np.int8)

    def _give_turn(self, columns: Places, players: npt.NDArray[np.integer]) -> None:
        self.turn[columns] = players
        won = self.won[columns]
        side = np.where(won > 0, 2 - won, players >= self.layout.players // 2)
        changed = columns[self.side[columns] != side]
        self.side[columns] = side
        self.men[:, changed] = np.roll(self.men[:, changed], BIT_SLICES, axis=0)
        self.hit[:, changed] = self.hit[::-1, changed]
        self._across(changed)

    def _across(self, columns: Places) -> None:
        """Store where the other side's men stand on the own track."""
        others, side = self.men[BIT_SLICES:, columns], 1 - self.side[columns]
        two = paired(others)
        self.block[columns] = self.crossing.across(side, two)
        self.blots[columns] = self.crossing.across(side, others[0] & ~two)

    def _stuck(self, columns: Places) -> npt.NDArray[np.bool_]:
        """Tell in which of these games no throw could move either side."""
        stuck = np.ones(columns.size, bool)
        singles = np.array([self.layout.pools.dice.index((die,)) for die in range(1, HIGHEST_PIPS + 1)], np.int16)
        own = self.turns().take(columns)
        across = 1 - self.side[columns]
        ours = self.men[:BIT_SLICES, columns]
        block = self.crossing.across(1 - across, paired(ours))
        other = Turns(self.men[BIT_SLICES:, columns], self.hit[1, columns], block, own.pool)
        for turns in (own, other):
            for pool in singles:
                turns.pool = np.full(columns.size, pool)
                stuck &= ~movable(self.layout, turns).any(axis=0)
        return stuck

    def standing(self, column: int) -> Iterator[dict[str, int]]:
        """Yield the men of side 1, then of side 2, in one game: how many in hand and on each point."""
        slices = [self.men[:BIT_SLICES, column : column + 1], self.men[BIT_SLICES:, column : column + 1]]
        if self.side[column]:
            slices.reverse()
        for track, men in zip(self.layout.tracks, slices, strict=True):
            counted = counts(men)[0].tolist()
            hand = {"hand": counted[0] + sum(counted[TAKEN_BIT:])}
            standing = hand | dict(zip(track, counted[1:], strict=False))
            yield {place: count for place, count in standing.items() if count}

"""Many games of tables at once in which every turn is chosen as a whole: planned once, then made step by step."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from companion.odds.tables.duty import Candidates
from companion.odds.tables.games import CAPPED, RUNNING, TIE, RunningGames
from companion.odds.tables.layout import TrackLayout
from companion.odds.tables.steps import Places
from companion.players.strengths import SILLY_TEMPERATURES
from companion.players.tables.boards import Boards
from companion.players.tables.search import Leaves, TablesSearch

Pick = Callable[[Boards, Leaves, Places], npt.NDArray[np.floating]]
"""Tells how gladly each leaf is chosen, from the boards before the turns, the leaves, and each leaf's board before."""

CAP = 10_000
"""Throws and choices after which a game counts as a tie."""

MOST_STEPS = 12

LEAST = 1e-6
"""Chances that lie apart by less are equal."""


def tempered(temperature: float, seed: int, heat: float = 1.0) -> Pick:
    """Return how a strength with this temperature picks: as `strengths.picked` does, with other lots."""
    chance = np.random.default_rng(seed)

    def pick(before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
        if not temperature:
            return leaves.chance
        most = np.zeros(len(before), np.float32)
        np.maximum.at(most, owner, leaves.chance)
        worse = most[owner] - leaves.chance
        # the greatest of values with Gumbel noise is a draw with exponential weights
        glad = -worse / (heat * temperature) + chance.gumbel(size=len(worse))
        return np.where(worse <= SILLY_TEMPERATURES * temperature * min(heat, 1.0), glad, -np.inf)

    return pick


def exploring(share: float, seed: int) -> Pick:
    """Return how a learner picks in its games against itself, so that it meets more positions.

    A leaf that is worse than the best by ``share`` of what the best is better than the mean of its turn is chosen e
    times less often. So a learner strays equally far whether the chances of a game lie close together or far apart.
    """
    chance = np.random.default_rng(seed)

    def pick(before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
        most = np.zeros(len(before))
        np.maximum.at(most, owner, leaves.chance)
        ends = np.maximum(np.bincount(owner, minlength=len(before)), 1)
        loss = most - np.bincount(owner, leaves.chance, len(before)) / ends
        worse = most[owner] - leaves.chance
        glad: npt.NDArray[np.floating] = -worse / (share * np.maximum(loss, LEAST)[owner])
        return glad + chance.gumbel(size=len(worse))

    return pick


class Plans:
    """The planned turns of running games: each is decided once, and then made step by step."""

    def __init__(self, games: RunningGames) -> None:
        columns = games.game.size
        self.games = games
        self._steps = np.zeros((columns, MOST_STEPS, 2), np.int64)
        self._next, self._end = np.zeros(columns, np.int64), np.zeros(columns, np.int64)

    def keep(self, columns: Places) -> None:
        """Keep the plans of these columns alone."""
        self._steps, self._next, self._end = self._steps[columns], self._next[columns], self._end[columns]

    def due(self) -> Places:
        """Return the columns of the games in which a turn is to be planned."""
        games = self.games
        self._next[games.pool == 0] = self._end[games.pool == 0] = 0
        return np.flatnonzero((games.pool > 0) & (self._next >= self._end) & (games.state == RUNNING))

    def choose(self, columns: Places, search: TablesSearch, pick: Pick) -> None:
        """Plan the turns of these columns."""
        if not columns.size:
            return
        games, pools = self.games, search.layout.pools
        before = Boards(
            *(games.men[:, columns], games.hit[:, columns], games.block[columns], games.blots[columns]),
            *(games.pool[columns], games.side[columns]),
        )
        roots, root = search.with_a_die_turned(before)
        leaves = search.leaves(roots, games.again[columns][root] | pools.again[roots.pool])
        owner = root[leaves.turn]
        order = np.lexsort((-pick(before, leaves, owner), owner))
        chosen = order[np.unique(owner[order], return_index=True)[1]]
        for column, leaf in zip(columns.tolist(), chosen.tolist(), strict=True):
            steps = leaves.ways(leaf)
            self._next[column], self._end[column] = 0, len(steps)
            self._steps[column, : len(steps)] = np.array(steps, np.int64).reshape(-1, 2)
        games.pool[columns] = roots.pool[leaves.turn[chosen]]
        games.again[columns] |= pools.again[games.pool[columns]]

    def steps(self) -> Candidates:
        """Return the next step of each plan."""
        columns = np.flatnonzero(self._next < self._end)
        place, die = self._steps[columns, self._next[columns]].T
        kind = (self.games.layout.pools.value[:, self.games.pool[columns]] == die).argmax(axis=0)
        self._next[columns] += 1
        return Candidates(columns, place, kind)


def played(
    games: RunningGames,
    searches: tuple[TablesSearch, TablesSearch],
    picks: tuple[Pick, Pick],
    first: int,
    before: Callable[[RunningGames], None] | None = None,
) -> npt.NDArray[np.float64]:
    """Play games to their ends; return what the first side won of each. ``first``: which of two ways has that side."""
    plans = Plans(games)
    won = np.zeros(games.game.size)
    while games.game.size:
        if before is not None:
            before(games)
        games.throw()
        due = plans.due()
        for number in (0, 1):
            side = number if first == 0 else 1 - number
            plans.choose(due[games.side[due] == side], searches[number], picks[number])
        games.move(plans.steps())
        over = games.state != RUNNING
        if over.any():
            state = games.state[over]
            won[games.game[over]] = np.where((state == TIE) | (state == CAPPED), 0.5, state == 1)
            going = np.flatnonzero(~over)
            plans.keep(going)
            games.keep(going)
    return won


def against_itself(
    search: TablesSearch, pick: Pick, number: int, seed: int, note: Callable[[Boards], None]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8], npt.NDArray[np.float64]]:
    """Play so many games of one way against itself, and show ``note`` the boards before throws, in the order of time.

    Return the game of each of these boards, which side is to throw there, and what the first side won of each game.
    """
    games, of_game, sides = RunningGames(search.layout, seed, CAP, np.arange(number)), [], []

    def before_a_throw(games: RunningGames) -> None:
        due = (games.pool == 0) & (games.state == RUNNING)
        of_game.append(games.game[due].copy())
        sides.append(games.side[due].copy())
        men = (games.men[:, due], games.hit[:, due], games.block[due], games.blots[due])
        note(Boards(*men, games.pool[due], sides[-1]))

    won = played(games, (search, search), (pick, pick), 0, before_a_throw)
    return np.concatenate(of_game), np.concatenate(sides), won


def paired(
    layout: TrackLayout, searches: tuple[TablesSearch, TablesSearch], picks: tuple[Pick, Pick], pairs: int, seed: int
) -> npt.NDArray[np.float64]:
    """Return what the first of two ways wins of each pair of games with the same dice: 0, 0.5, 1, 1.5 or 2."""
    won = np.zeros(pairs)
    for first in (0, 1):
        of_first = played(RunningGames(layout, seed, CAP, np.arange(pairs)), searches, picks, first)
        won += of_first if first == 0 else 1 - of_first
    return won

"""Two ways of playing tables against each other in many games side by side, each game twice with the seats exchanged.

The players here look at their own turn only. So a master here is weaker than the one that people meet, who also looks
at every throw that can follow.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from companion.odds.opponents.tables import A_HIT, A_LONE_MAN, A_MAN_HOME
from companion.odds.tables.duty import Candidates
from companion.odds.tables.games import CAPPED, RUNNING, TIE, Games
from companion.odds.tables.layout import Layout
from companion.odds.tables.men import SLICES
from companion.odds.tables.steps import Places
from companion.players.strengths import SILLY
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation
from companion.players.tables.features import PAIR, Features
from companion.players.tables.search import Leaves, Search

Pick = Callable[[Boards, Leaves, Places], npt.NDArray[np.floating]]
"""Tells how gladly each leaf is chosen, from the boards before the turns, the leaves, and each leaf's board before."""

CAP = 10_000
MOST_STEPS = 12


def tempered(temperature: float, seed: int) -> Pick:
    """Return how a strength with this temperature picks; the same lots as `strengths.picked`, drawn side by side."""
    chance = np.random.default_rng(seed)

    def pick(before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
        if not temperature:
            return leaves.chance
        most = np.zeros(len(before), np.float32)
        np.maximum.at(most, owner, leaves.chance)
        worse = most[owner] - leaves.chance
        # the greatest of values with Gumbel noise is a draw with exponential weights
        glad = -worse / temperature + chance.gumbel(size=len(worse))
        return np.where(worse <= SILLY * temperature, glad, -np.inf)

    return pick


def plain(layout: Layout, seed: int) -> Pick:
    """Return the plain way to play (`companion.odds.opponents.tables`), which decides by whole turns here."""
    features, chance = Features(layout), np.random.default_rng(seed)

    def score(men: npt.NDArray[np.float32]) -> npt.NDArray[np.floating]:
        if layout.goal == "places":
            held: npt.NDArray[np.floating] = (men[:, 1:] >= PAIR).sum(axis=1).astype(np.float32)
            return held
        found: npt.NDArray[np.floating] = men @ features.at_home
        return found if layout.goal == "home" else features.men - men.sum(axis=1)

    def pick(before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
        after = leaves.boards
        (own, were), (foe, foe_were) = (
            [features.placed(boards.men[part])[0] for boards in (after, before)]
            for part in (slice(None, SLICES), slice(SLICES, None))
        )
        hits = foe[:, 0] - foe_were[owner, 0]
        home = score(own) - score(were)[owner]
        alone = (own[:, 1:] == 1).sum(axis=1)
        lots = chance.random(len(own)) / 100
        found: npt.NDArray[np.floating] = (
            A_HIT * hits + A_MAN_HOME * home - A_LONE_MAN * alone + 100 * leaves.over + lots
        )
        return found

    return pick


class _Plans:
    """The planned turns of running games: each is decided once, and then made step by step."""

    def __init__(self, games: Games) -> None:
        columns = games.game.size
        self.games = games
        self._steps = np.zeros((columns, MOST_STEPS, 2), np.int64)
        self._next, self._end = np.zeros(columns, np.int64), np.zeros(columns, np.int64)

    def keep(self, columns: Places) -> None:
        self._steps, self._next, self._end = self._steps[columns], self._next[columns], self._end[columns]

    def due(self) -> Places:
        games = self.games
        self._next[games.pool == 0] = self._end[games.pool == 0] = 0
        return np.flatnonzero((games.pool > 0) & (self._next >= self._end) & (games.state == RUNNING))

    def choose(self, columns: Places, search: Search, pick: Pick) -> None:
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
        columns = np.flatnonzero(self._next < self._end)
        place, die = self._steps[columns, self._next[columns]].T
        kind = (self.games.layout.pools.value[:, self.games.pool[columns]] == die).argmax(axis=0)
        self._next[columns] += 1
        return Candidates(columns, place, kind)


def contest(layout: Layout, picks: tuple[Pick, Pick], pairs: int, seed: int) -> npt.NDArray[np.float64]:
    """Return what the first way wins of each pair of games with the same dice: 0, 0.5, 1, 1.5 or 2."""
    layout = replace(layout, slaps=False)
    search = Search(layout, Evaluation(layout))
    won = np.zeros(pairs)
    for first in (0, 1):
        games = Games(layout, seed, CAP, np.arange(pairs))
        plans = _Plans(games)
        while games.game.size:
            games.throw()
            due = plans.due()
            for number, pick in enumerate(picks):
                plans.choose(due[games.side[due] == (number if first == 0 else 1 - number)], search, pick)
            games.move(plans.steps())
            over = np.flatnonzero(games.state != RUNNING)
            if over.size:
                state = games.state[over]
                won[games.game[over]] += np.where((state == TIE) | (state == CAPPED), 0.5, state == first + 1)
                going = np.flatnonzero(games.state == RUNNING)
                plans.keep(going)
                games.keep(going)
    return won

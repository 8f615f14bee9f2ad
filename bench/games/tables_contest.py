"""Two ways of playing tables against each other in many games at once, each game twice with the seats exchanged.

The players here look at their own turn only, and so a master here is weaker than the one that people meet. With
`second_pass_players` it also looks at every throw that can follow, as that one does, which takes much longer.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from companion.odds.tables.layout import TrackLayout, laid_out
from companion.odds.tables.men import BIT_SLICES
from companion.odds.tables.steps import Places
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, judge_of
from companion.players.tables.features import PAIR_OF_MEN, LayoutFeatures
from companion.players.tables.player import MOST_WORSE_AT_FIRST
from companion.players.tables.search import MOST_TURNS_ANSWERED, Leaves, TablesSearch
from workshop.players.plain_ways import A_HIT, A_LONE_MAN, A_MAN_HOME
from workshop.players.vectorised import Pick, paired


def plain(layout: TrackLayout, seed: int) -> Pick:
    """Return the plain way to play (`workshop.players.plain_ways`), which decides by whole turns here."""
    features, chance = LayoutFeatures(layout), np.random.default_rng(seed)

    def score(men: npt.NDArray[np.float32]) -> npt.NDArray[np.floating]:
        if layout.goal == "places":
            held: npt.NDArray[np.floating] = (men[:, 1:] >= PAIR_OF_MEN).sum(axis=1).astype(np.float32)
            return held
        found: npt.NDArray[np.floating] = men @ features.at_home
        return found if layout.goal == "home" else features.men - men.sum(axis=1)

    def pick(before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
        after = leaves.boards
        (own, were), (foe, foe_were) = (
            [features.placed(boards.men[part])[0] for boards in (after, before)]
            for part in (slice(None, BIT_SLICES), slice(BIT_SLICES, None))
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


def second_pass_players(search: TablesSearch) -> Pick:
    """Return the way of the master: good turns are weighed again by every throw that can follow."""
    thrown_again = search.layout.pools.again

    def pick(before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
        glad = leaves.chance.astype(np.float64)
        most = np.full(len(before), -np.inf)
        np.maximum.at(most, owner, glad)
        order = np.lexsort((-glad, owner))
        rank = np.arange(len(order)) - np.searchsorted(owner[order], owner[order])
        close = order[(rank < MOST_TURNS_ANSWERED) & (glad[order] >= most[owner[order]] - MOST_WORSE_AT_FIRST)]
        close = close[~leaves.over[close]]
        close = close[np.bincount(owner[close], minlength=len(before))[owner[close]] > 1]
        if close.size:
            again = thrown_again[before.pool[owner[close]]]
            # above all others of their turns, which are worse than the best by more, but for those that win at once
            glad[close] = 1 + search.rolled_out(leaves, close, again)
        glad[leaves.over] += 2
        return glad

    return pick


def contest(slug: str, picks: tuple[Pick, Pick], pairs: int, seed: int) -> npt.NDArray[np.float64]:
    """Return what the first way wins of each pair of games with the same dice: 0, 0.5, 1, 1.5 or 2."""
    layout = replace(laid_out(slug, 2, {}), slaps=False)
    search = TablesSearch(layout, Evaluation(layout, judge_of(slug)))
    return paired(layout, (search, search), picks, pairs, seed)

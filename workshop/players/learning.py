"""Learn weights of the tables evaluation from games of the program against itself.

A champion, at first the weights by hand, plays both sides. A logistic fit of who won to what the features showed before
each throw gives challengers, held back to the champion's weights by more or by less. The challenger that wins most of
its games against the champion takes his place, if that is no accident. So what is learnt is never worse than the
weights by hand by more than chance, and a last match with other dice tells by how much it is better.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.odds.tables.games import RunningGames
from companion.odds.tables.layout import TrackLayout, laid_out
from companion.odds.tables.steps import Places
from companion.parallel.parts import WorkPart
from companion.players.tables.boards import Boards
from companion.players.tables.evaluation import Evaluation, Floats, by_hand
from companion.players.tables.network import Network
from companion.players.tables.search import Leaves, TablesSearch
from workshop.players.vectorised import CAP, against_itself, paired, played, tempered

Rows = npt.NDArray[np.float64]

HELD_BACK: Final = (2e-4, 4e-3)
"""How strongly a challenger's weights are held back to the champion's, in units of the features' spread."""

WARM: Final = 0.02
"""The temperature at which the champion plays against itself, so that it meets more positions."""

LARGEST: Final = 8.0
"""Weights of the champion count for no more than this when others are held back to them."""

STEPS: Final = 40
SETTLED: Final = 1e-7
"""The fit ends after so many steps, or when the mean loss falls by less than this."""

SPREAD_GAMES: Final = 60
"""The games over which it is measured how far chances lie apart."""

SURE: Final = 2.0
"""A challenger becomes champion if its share is above one half by more than so many standard errors."""


@dataclass(frozen=True)
class Recipe:
    """How much is played: ``games`` a round against itself; ``pairs`` of games a match, twice as many in the last."""

    seed: int
    rounds: int = 2
    games: int = 400
    pairs: int = 100


@dataclass(frozen=True)
class Learnt:
    """The weights of one variant, how many rounds changed them, and the last match against those by hand.

    ``share``: of its games, a tie as one half; ``error``: its standard error, over pairs of games with the same dice.
    ``heat``: how far its turns' chances lie apart, beside those by hand.
    """

    slug: str
    weights: Floats
    changed: int
    share: float
    error: float
    heat: float = 1.0

    @property
    def better(self) -> bool:
        """Whether it wins more than the weights by hand, and not by accident."""
        return self.changed > 0 and self.share - SURE * self.error > 0.5


def learn(slug: str, recipe: Recipe) -> Learnt:
    """Learn the weights of a variant.

    Raises:
        NotVectorisedError: its games cannot be played many at once.
    """
    layout = replace(laid_out(slug, 2, {}), slaps=False)
    hand = by_hand()
    champion, changed = hand, 0
    for number in range(recipe.rounds):
        rows, won = self_play(layout, champion, recipe.games, recipe.seed + number)
        found = [fitted(rows, won, champion, held) for held in HELD_BACK]
        seed = recipe.seed + 1000 + number
        matches = [match(layout, one, champion, recipe.pairs, seed) for one in found]
        best = int(np.argmax([share for share, _ in matches]))
        share, error = matches[best]
        if share - SURE * error > 0.5:
            champion, changed = found[best], changed + 1
    share, error = match(layout, champion, hand, 2 * recipe.pairs, recipe.seed + 2000) if changed else (0.5, 0.0)
    learnt = Learnt(slug, champion, changed, share, error)
    return replace(learnt, heat=heat(layout, champion, recipe.seed + 3000)) if learnt.better else learnt


@dataclass(frozen=True)
class Task:
    """Learns the variants of a part of a list, for `companion.parallel`."""

    slugs: tuple[str, ...]
    recipe: Recipe

    def __call__(self, part: WorkPart) -> list[Learnt]:
        """Return what was learnt of these variants."""
        return [learn(slug, self.recipe) for slug in self.slugs[part.first : part.first + part.count]]


def self_play(layout: TrackLayout, weights: Floats, number: int, seed: int) -> tuple[Rows, Rows]:
    """Return the features before each throw of games of the program against itself, and what its side won in the end.

    The rows are (positions, features); what was won is 1, 0, or 0.5 for a tie.
    """
    search = TablesSearch(layout, Evaluation(layout, weights))
    rows: list[npt.NDArray[np.float32]] = []
    pick = tempered(WARM, seed)
    game, side, won = against_itself(
        search, pick, number, seed, lambda boards: rows.append(search.evaluation.features.rows(boards))
    )
    of_first = won[game]
    return np.concatenate(rows).astype(np.float64), np.where(side == 0, of_first, 1 - of_first)


def match(
    layout: TrackLayout, one: Floats | Network, other: Floats | Network, pairs: int, seed: int
) -> tuple[float, float]:
    """Return what share of their games the first weights, or network, win, and its standard error.

    Each pair of games has the same dice.
    """
    searches = TablesSearch(layout, Evaluation(layout, one)), TablesSearch(layout, Evaluation(layout, other))
    won = paired(layout, searches, (tempered(0.0, seed), tempered(0.0, seed + 1)), pairs, seed)
    return float(won.mean() / 2), float(np.std(won / 2, ddof=1) / math.sqrt(pairs))


def heat(layout: TrackLayout, weights: Floats, seed: int) -> float:
    """Return how far the chances of a turn's ends lie apart, beside those by hand: by medians over turns, at most 1."""
    spread = [_spread(layout, one, seed) for one in (weights, by_hand())]
    return min(1.0, spread[0] / max(spread[1], 1e-6))


def _spread(layout: TrackLayout, weights: Floats, seed: int) -> float:
    """Return by how much the best end of a turn is better than the mean of all: the median over turns with a choice."""
    search, pick, found = TablesSearch(layout, Evaluation(layout, weights)), tempered(WARM, seed), []

    def noted(before: Boards, leaves: Leaves, owner: Places) -> npt.NDArray[np.floating]:
        most = np.zeros(len(before))
        np.maximum.at(most, owner, leaves.chance)
        ends = np.bincount(owner, minlength=len(before))
        mean = np.bincount(owner, leaves.chance, len(before)) / np.maximum(ends, 1)
        found.append((most - mean)[ends > 1])
        return pick(before, leaves, owner)

    played(RunningGames(layout, seed, CAP, np.arange(SPREAD_GAMES)), (search, search), (noted, noted), 0)
    return float(np.median(np.concatenate(found)))


def fitted(rows: Rows, won: Rows, champion: Floats, held_back: float) -> Floats:
    """Return the weights that fit best who won, held back to the champion's.

    Newton's method on the mean logistic loss; a step that makes it larger is halved.
    """
    spread = np.maximum(rows.std(axis=0), 0.01)
    seen = rows / spread
    start = np.clip(champion, -LARGEST, LARGEST).astype(np.float64) * spread
    found = start.copy()

    def loss(weights: Rows) -> float:
        odds = seen @ weights
        return float((np.logaddexp(0, odds) - won * odds).mean() + held_back / 2 * ((weights - start) ** 2).sum())

    now = loss(found)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(seen @ found, -30, 30)))
        slope = seen.T @ (chance - won) / len(won) + held_back * (found - start)
        bend = (seen * (chance * (1 - chance))[:, None]).T @ seen / len(won) + held_back * np.eye(len(found))
        step, part = np.linalg.solve(bend, slope), 1.0
        while (after := loss(found - part * step)) > now and part > 1e-4:
            part /= 2
        found, gained, now = found - part * step, now - after, after
        if gained < SETTLED:
            break
    return np.asarray(found / spread, np.float32)

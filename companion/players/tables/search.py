"""Weighs every whole turn of many boards at once: by what stands after it, or after the other side's answer."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.odds.tables.layout import TrackLayout
from companion.odds.tables.men import BIT_SLICES, count, paired
from companion.odds.tables.steps import Places, finished
from companion.players.player import never
from companion.players.tables.boards import NO_PARENT, Boards, Layer, Turning
from companion.players.tables.evaluation import Evaluation, Floats

Steps = tuple[tuple[int, int], ...]
"""A way through a turn: place and die of each step."""

AT_ONCE = 30
"""Turns that are followed at a time, so that a search can be stopped between them."""

PER_TURN = 60
"""The boards that one turn reaches, as a guess for how many turns a budget can follow."""

MOST_TURNS_ANSWERED = 12
"""The most turns of one position whose answers are searched."""


@dataclass(frozen=True)
class Leaves:
    """Ends of turns. ``turn``: the turn that each belongs to; ``chance``: the chance to win of the side that plays.

    ``boards``: the men, with the side that played as own; ``over``: whether the game has ended; ``ways``: gives the
    steps of a leaf.
    """

    turn: Places
    chance: Floats
    boards: Boards
    over: npt.NDArray[np.bool_]
    ways: Callable[[int], Steps]

    def best(self, turns: int) -> Floats:
        """Return the best chance of each of this number of turns; every turn must have an end."""
        found = np.zeros(turns, np.float32)
        np.maximum.at(found, self.turn, self.chance)
        return found


class TablesSearch:
    """Finds the ends of turns in one layout, and what they are worth."""

    def __init__(self, layout: TrackLayout, evaluation: Evaluation) -> None:
        self.layout = layout
        self.turning = Turning(layout)
        self.evaluation = evaluation
        pools = layout.pools
        self.thrown, ways = np.unique(pools.thrown, return_counts=True)
        self.likely = ways / ways.sum()

    def leaves(self, boards: Boards, again: npt.NDArray[np.bool_], stopped: Callable[[], bool] = never) -> Leaves:
        """Return the ends of these turns, weighed by the evaluation; ``again``: whose own side throws after it.

        Raises:
            StoppedError: ``stopped`` became true.
        """
        layers = list(self.turning.layers(boards, stopped))
        found = Boards.joined([layer.boards.take(layer.ends) for layer in layers])
        columns = [np.flatnonzero(layer.ends) for layer in layers]
        depth = np.repeat(np.arange(len(layers)), [len(ends) for ends in columns])
        turn = np.concatenate([layer.turn[layer.ends] for layer in layers])
        over = finished(self.layout, found.turns())
        return Leaves(
            turn, self._chances(found, over, again[turn]), found, over, _Ways(layers, depth, np.concatenate(columns))
        )

    def _chances(self, boards: Boards, over: npt.NDArray[np.bool_], again: npt.NDArray[np.bool_]) -> Floats:
        """Return the chance to win of the side that has played each of these turns."""
        found = np.ones(len(boards), np.float32)
        if self.layout.goal == "places" and over.any():
            ours, theirs = (count(paired(men[:, over])) for men in (boards.men[:BIT_SLICES], boards.men[BIT_SLICES:]))
            found[over] = np.where(ours == theirs, 0.5, ours > theirs)
        stays, passes = ~over & again, ~over & ~again
        found[stays] = self.evaluation.chances(boards.take(stays))
        others = boards.take(passes)
        found[passes] = 1 - self.evaluation.chances(self.turning.handed_over(others, np.zeros_like(others.pool)))
        return found

    def rolled_out(
        self, leaves: Leaves, chosen: Places, again: npt.NDArray[np.bool_], stopped: Callable[[], bool] = never
    ) -> Floats:
        """Return the chances of these leaves after every throw that can follow, with the best play of it.

        ``again`` (by leaf): whether the same side throws.

        Raises:
            StoppedError: ``stopped`` became true.
        """
        here = leaves.boards.take(chosen)
        nothing = np.zeros_like(here.pool)
        over = self.turning.handed_over(here, nothing)
        stays = np.flatnonzero(again)
        if stays.size:
            order = np.argsort(np.concatenate([np.flatnonzero(~again), stays]), kind="stable")
            over = Boards.joined([over.take(~again), here.take(again)]).take(order)
        roots, root, throw = self.with_every_throw(over)
        best = np.zeros((len(chosen), self.thrown.size), np.float32)
        for start in range(0, len(roots), AT_ONCE):
            part = np.arange(start, min(start + AT_ONCE, len(roots)))
            some = roots.take(part)
            worth = self.leaves(some, self.layout.pools.again[some.pool], stopped).best(len(part))
            np.maximum.at(best, (root[part], throw[part]), worth)
        mean: Floats = (best @ self.likely).astype(np.float32)
        return np.where(again, mean, 1 - mean).astype(np.float32)

    def with_every_throw(self, boards: Boards) -> tuple[Boards, Places, Places]:
        """Return each board with each throw, and of which board and throw it is; several where a die is turned."""
        root = np.repeat(np.arange(len(boards)), self.thrown.size)
        throw = np.tile(np.arange(self.thrown.size), len(boards))
        cast = boards.take(root)
        cast.pool = self.thrown[throw]
        after, of = self.with_a_die_turned(cast)
        return after, root[of], throw[of]

    def with_a_die_turned(self, boards: Boards) -> tuple[Boards, Places]:
        """Return the boards, several of each one where a die is to be turned first, and of which board each is."""
        turned = self.layout.pools.turned[:, boards.pool]
        if not turned.any():
            return boards, np.arange(len(boards))
        plain = np.flatnonzero(turned[0] == 0)
        kind, column = np.nonzero(turned)
        of = np.concatenate([plain, column])
        after = boards.take(of)
        after.pool = np.concatenate([boards.pool[plain], turned[kind, column]]).astype(np.int16)
        return after, of


class _Ways:
    """Follows leaves back to where their turns began."""

    def __init__(self, layers: list[Layer], depths: Places, columns: Places) -> None:
        self._layers, self._depths, self._columns = layers, depths, columns

    def __call__(self, leaf: int) -> Steps:
        depth, column = int(self._depths[leaf]), int(self._columns[leaf])
        found: list[tuple[int, int]] = []
        while depth:
            layer = self._layers[depth]
            found.append((int(layer.place[column]), int(layer.die[column])))
            column = int(layer.parent[column])
            assert column != NO_PARENT, "only the first layer has no parents"
            depth -= 1
        return tuple(reversed(found))

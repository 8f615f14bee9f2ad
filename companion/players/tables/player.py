"""The player of tables games: weighs every whole turn, and the best ones by every answer of the dice."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.language.sentence import Sentence
from companion.odds.tables.layout import NotVectorisedError
from companion.players.player import EVEN_CHANCE, Budget, Clock, Player, Reason, StoppedError, Weighed
from companion.players.tables.evaluation import heat_of
from companion.players.tables.ground import PositionRules, ground
from companion.players.tables.losses import losses
from companion.players.tables.reasons import reasons
from companion.players.tables.search import MOST_TURNS_ANSWERED, PER_TURN, Leaves
from companion.rules.game import Choice
from companion.rules.results import Outcome
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Leave, TurnDie

Chances = npt.NDArray[np.float64]

MOST_WORSE_AT_FIRST = 0.06
"""Turns that are worse than the best by more than this at the first pass are not looked at again."""


class _TablesPlayer(Player[TablesPosition]):
    def weigh(self, position: TablesPosition, budget: Budget, clock: Clock) -> Sequence[Weighed]:
        """Return every whole turn. Where the game is decided or the search does not know a rule, all are equal."""
        if position.aside.won:
            won = float(position.aside.won == position.rules.sides[position.turn])
            return [Weighed(play.choices, won) for play in position.plays()]
        try:
            laid = ground(position.rules)
        except NotVectorisedError:
            return super().weigh(position, budget, clock)
        roots, _ = laid.search.with_a_die_turned(laid.board(position))
        again = np.full(len(roots), position.aside.again) | laid.layout.pools.again[roots.pool]
        try:
            leaves = laid.search.leaves(roots, again, clock.stopped)
        except StoppedError:
            return [Weighed((next(iter(position.legal())),), EVEN_CHANCE)]
        chances = leaves.chance.astype(np.float64)
        if budget.depth > 1:
            _second_pass(laid, leaves, chances, again, budget, clock)
        found = [
            Weighed(_choices(laid, position, leaves, roots.pool, int(leaf)), float(chances[leaf]))
            for leaf in np.argsort(-chances, kind="stable")
        ]
        if position.may_leave:
            found.append(Weighed((Leave(),), self._left(position)))
        return sorted(_ended(position, found), key=lambda one: -one.chance)

    def _left(self, position: TablesPosition) -> float:
        after = position.applied(Leave())
        chance = self.chance(after)
        return chance if position.side == 1 else 1 - chance

    def heat(self, position: TablesPosition) -> float:
        """Return less than 1 where chances lie close together, or where games are so long that small losses add up."""
        return heat_of(position.rules.game.slug)

    def reasons(self, position: TablesPosition, weighed: Sequence[Weighed], picked: Weighed) -> Sequence[Reason]:
        """Say what a turn does: whom it hits, what it holds, whom it leaves open, how the race stands."""
        return reasons(position, weighed, picked)

    def losses(self, position: TablesPosition) -> Sequence[Sentence]:
        """Say how many throws hit a man now, and on which points."""
        return tuple(losses(position))

    def chance(self, position: TablesPosition) -> float:
        """Return the chance of side 1 to win, before a throw by the evaluation, else by the best turn."""
        if position.over:
            return _share(position.outcome, position, 1)
        if position.aside.won:
            return float(position.aside.won == 1)
        if position.dice:
            weighed = self.weigh(position, Budget(), Clock(Budget()))
            chance = weighed[0].chance
        else:
            try:
                laid = ground(position.rules)
            except NotVectorisedError:
                return EVEN_CHANCE
            chance = float(laid.search.evaluation.chances(laid.board(position))[0])
        return chance if position.side == 1 else 1 - chance


PLAYER = _TablesPlayer()


def _choices(
    laid: PositionRules, position: TablesPosition, leaves: Leaves, pools: npt.NDArray[np.int16], leaf: int
) -> tuple[Choice, ...]:
    """Return the choices of the turn that ends in a leaf."""
    steps = [laid.step(position.side, place, die) for place, die in leaves.ways(leaf)]
    if not position.aside.turning:
        return tuple(steps)
    return (TurnDie(laid.turned_for(position.dice, int(pools[leaves.turn[leaf]]))), *steps)


def _second_pass(  # noqa: PLR0917 - one search, in place
    laid: PositionRules, leaves: Leaves, chances: Chances, again: npt.NDArray[np.bool_], budget: Budget, clock: Clock
) -> None:
    """Weigh the best leaves again by every throw that can follow, as many as the budget allows, in place.

    A leaf that was searched again counts as it is found then. All others keep their distance from the best one.
    """
    order = np.argsort(-chances, kind="stable")
    close = order[chances[order] >= chances[order[0]] - MOST_WORSE_AT_FIRST]
    close = close[~leaves.over[close]][:MOST_TURNS_ANSWERED]
    costs = laid.search.thrown.size * PER_TURN
    close = close[: max(0, budget.nodes // costs)]
    if len(close) < 2:  # noqa: PLR2004 - one turn needs no comparison
        return
    first = chances[close].copy()
    found = np.full(len(close), np.nan)
    for number in range(len(close)):
        part = close[number : number + 1]
        try:
            found[number] = laid.search.rolled_out(leaves, part, again[leaves.turn[part]], lambda: clock.over)[0]
        except StoppedError:
            break
    seen = ~np.isnan(found)
    if seen.sum() < 2:  # noqa: PLR2004 - one turn compares with none
        return
    shift = float(np.mean(found[seen] - first[seen]))
    chances += shift
    chances[close[seen]] = found[seen]
    unseen = np.setdiff1d(order, close[seen])
    unseen = unseen[~leaves.over[unseen]]
    chances[unseen] = np.minimum(chances[unseen], found[seen].min())
    chances[leaves.over] -= shift
    np.clip(chances, 0, 1, out=chances)


def _ended(position: TablesPosition, weighed: Sequence[Weighed]) -> Sequence[Weighed]:
    """Return the turns with the result for those that end the game by a configuration, where these end games."""
    if not position.rules.ending_configurations:
        return weighed
    found = []
    for one in weighed:
        after = position
        for choice in one.choices:
            after = after.applied(choice)
        side = position.rules.sides[position.turn]
        found.append(Weighed(one.choices, _share(after.outcome, position, side)) if after.over else one)
    return found


def _share(outcome: Outcome | None, position: TablesPosition, side: int) -> float:
    """Return what a side has of an outcome: all, nothing, or one half where the win is shared."""
    assert outcome is not None, "asked only of a game that is over"
    if outcome.tie and len(outcome.winners) == position.players:
        return EVEN_CHANCE
    return float(position.rules.sides[outcome.winners[0]] == side)

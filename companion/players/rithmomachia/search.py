"""Alpha-beta over whole turns: deeper and deeper, with a table of positions; turns that take are followed further."""

from collections.abc import Sequence
from math import exp, inf, log

from companion.players.player import EVEN_CHANCE, Budget, Clock, Player, Reason, StoppedError, Weighed
from companion.players.rithmomachia.evaluation import WON_LOG_ODDS, Weights, prepared, weights_of, worth
from companion.players.rithmomachia.reasons import reasons
from companion.players.rithmomachia.turning import Turn, taking_turns, turns
from companion.rules.rithmomachia.position import RithmoPosition

LEAST_CHANCE = 1e-9


def chance_of(score: float) -> float:
    """Return the chance to win of a worth in logs of the odds; 1 and 0 for a game that is won or lost."""
    if abs(score) >= WON_LOG_ODDS:
        return float(score > 0)
    return 1 / (1 + exp(-score))


def score_of(chance: float) -> float:
    """Return the worth of a chance to win."""
    held = min(1 - LEAST_CHANCE, max(LEAST_CHANCE, chance))
    return log(held / (1 - held))


class RithmoSearch:
    """One search. ``margin``: turns worse than the best by more than this chance are only known to be worse."""

    def __init__(self, clock: Clock, nodes: int, margin: float, weights: Weights) -> None:
        self._clock, self._left, self._margin, self._weights = clock, nodes, margin, weights
        self._known: dict[tuple[RithmoPosition, int], tuple[float, float, float]] = {}
        self._worths: dict[RithmoPosition, float] = {}

    def weighed(self, position: RithmoPosition, depth: int) -> list[tuple[Turn, float]]:
        """Return every turn with its score for the player to act, the best first.

        Raises:
            StoppedError: the clock was stopped before every turn was searched once.
        """
        for _ in prepared(position):
            self._unless_stopped()
        player = position.turn
        found = [(turn, self._at_once(turn[1], player)) for turn in turns(position, self._unless_stopped)]
        self._worths = {after: -score for (_, after), score in found if after.outcome is None and after.turn != player}
        found.sort(key=lambda one: -one[1])
        for deep in range(depth):
            best = -2 * WON_LOG_ODDS
            fresh: list[tuple[Turn, float]] = []
            try:
                for turn, _ in found:
                    floor = score_of(chance_of(best) - self._margin) if best > -WON_LOG_ODDS else -2 * WON_LOG_ODDS
                    score = self._scored(turn[1], player, deep, floor - LEAST_CHANCE, 2 * WON_LOG_ODDS)
                    fresh.append((turn, score))
                    best = max(best, score)
            except StoppedError:
                if deep and len(fresh) > 1:
                    found = _merged(fresh, found)
                break
            found = sorted(fresh, key=lambda one: -one[1])
        return found

    def _at_once(self, after: RithmoPosition, player: int, low: float = -inf, high: float = inf) -> float:
        """Return the score of a position for a player without looking ahead; beyond the window it is a bound."""
        ended = _ended(after, player)
        if ended is not None:
            return ended
        if after.turn == player:
            return worth(after, self._weights, low, high)
        return -worth(after, self._weights, -high, -low)

    def _scored(self, after: RithmoPosition, player: int, depth: int, low: float, high: float) -> float:
        """Return the score of a position for a player, within a window."""
        if after.outcome is None and after.turn != player:
            return -self._best(after, depth, -high, -low)
        return self._at_once(after, player, low, high)

    def _best(self, position: RithmoPosition, depth: int, low: float, high: float) -> float:
        """Return the score of a position that goes on, for the player to act; beyond the window it is a bound."""
        self._spend()
        key = (position, depth)
        known = self._known.get(key)
        if known is not None and known[1] <= low and high <= known[2]:
            return known[0]
        player, best = position.turn, -2 * WON_LOG_ODDS
        if depth <= 0:
            counted = self._worths.get(position)
            best = worth(position, self._weights, low, high) if counted is None else counted
            if best >= high:
                return best
        floor = max(low, best)
        follow = turns if depth > 0 else taking_turns
        for _, after in follow(position, self._unless_over):
            score = (
                self._scored(after, player, depth - 1, floor, high)
                if depth > 0
                else self._at_once(after, player, floor, high)
            )
            best = max(best, score)
            floor = max(floor, best)
            if best >= high:
                break
            self._spend()
        if best == -2 * WON_LOG_ODDS:
            best = worth(position, self._weights)
        self._known[key] = best, low, high
        return best

    def _spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise StoppedError

    def _unless_over(self) -> None:
        if self._clock.over:
            raise StoppedError

    def _unless_stopped(self) -> None:
        if self._clock.stopped():
            raise StoppedError


def _merged(fresh: list[tuple[Turn, float]], before: list[tuple[Turn, float]]) -> list[tuple[Turn, float]]:
    """Return the turns that were searched deeper, then the others in their order, none of them better than those."""
    worst = min(score for _, score in fresh)
    rest = [(turn, min(score, worst)) for turn, score in before[len(fresh) :]]
    return [*sorted(fresh, key=lambda one: -one[1]), *rest]


def _ended(position: RithmoPosition, player: int) -> float | None:
    outcome = position.outcome
    if outcome is None:
        return None
    if outcome.tie:
        return 0.0
    return WON_LOG_ODDS if player in outcome.winners else -WON_LOG_ODDS


HEAT_WITH_KINGS = 0.12
"""At the usual temperatures, a side that hunts a king strays too often to get there."""

A_POSITION = 30
"""How many boards of tables cost as much time as one position here."""


class _RithmoPlayer(Player[RithmoPosition]):
    def weigh(self, position: RithmoPosition, budget: Budget, clock: Clock) -> Sequence[Weighed]:
        """Return the turns worth a thought: every move with all that it takes, captures, deliveries."""
        search = RithmoSearch(clock, budget.nodes // A_POSITION, budget.margin, weights_of(position.rules.slug))
        try:
            return [Weighed(turn[0], chance_of(score)) for turn, score in search.weighed(position, budget.depth)]
        except StoppedError:
            return [Weighed((next(iter(position.legal())),), EVEN_CHANCE)]

    def reasons(self, position: RithmoPosition, weighed: Sequence[Weighed], picked: Weighed) -> Sequence[Reason]:
        """Say what a turn takes and threatens, and what the other side can then take."""
        del weighed
        return reasons(position, picked)

    def chance(self, position: RithmoPosition) -> float:
        """Return player 1's chance to win by the worth of the position alone."""
        chance = chance_of(worth(position, weights_of(position.rules.slug)))
        return chance if position.turn == 1 else 1 - chance

    def heat(self, position: RithmoPosition) -> float:
        """Return less where kings are hunted: that takes many small steps, and each changes the chance little."""
        return HEAT_WITH_KINGS if position.rules.has_kings else 1.0


PLAYER = _RithmoPlayer()

"""The exact value of one way to play against another: the best play and the simple rule, for each one who may begin.

The simple rule looks at the turn's points alone: throw again while a further throw does not lose on average. In its
literal form it ignores the end of the match. In the form that heeds the end, a player throws in a last turn until he is
ahead, and stops as soon as that wins.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from companion.odds.ludix.race import FIRST, SECOND, LastTurn, Race, after_failing, best_last_turn, better
from companion.odds.ludix.throws import chances, most_to_go_on
from companion.odds.ludix.turns import WIDTH, Decision, Floats, Places, Truths, rows_for, sweep

BEST, SIMPLE, HEEDING = "best", "simple", "heeding"
"""The ways to play: the best, the literal simple rule, and the simple rule that heeds the end."""

Match = tuple[str, str]
"""Who plays whom; the first player of the round comes first."""

MATCHES: tuple[Match, ...] = (
    (BEST, BEST),
    *((one, other) for rule in (SIMPLE, HEEDING) for one, other in ((BEST, rule), (rule, BEST), (rule, rule))),
)
"""Each rule against the best play in both orders, and against itself; the best play's match with itself comes first."""


@dataclass(frozen=True)
class Rule:
    """The simple rule: throw again at stakes up to ``most``; ``heeds``: whether it heeds the end."""

    most: int
    heeds: bool

    def last_turn(self, behind: Places) -> Floats:
        """Return the value of a last turn for a player who is ``behind`` points behind, not ahead."""
        if self.heeds:
            return best_last_turn(behind)
        odds_of = _thrown_by_rule(self.most)
        found: Floats = odds_of[np.minimum(behind, len(odds_of) - 1)]
        return found

    def decision(self, race: Race, seat: int, own: Places) -> Decision:
        """Return the decision when the rule throws again in these states, with the other player below the target."""
        wins_at_once = self.heeds and not race.replies[seat]

        def decide(stake: int, here: Floats, _on: Floats, _fails: Floats) -> Truths:
            stakes = stake + np.arange(len(here))[:, None]
            again: Truths = np.broadcast_to(stakes <= self.most, here.shape)
            return again & (own[: here.shape[1]] + stakes < race.target) if wins_at_once else again

        return decide


def _thrown_by_rule(most: int) -> Floats:
    """Return the value of a last turn by the literal rule for a player who is n points behind, for n from 0 on.

    The last entry is for every gap that is larger than the rule can ever close.
    """
    stakes, behind = np.arange(most + WIDTH + 1), np.arange(most + WIDTH + 2)
    chance = (stakes[:, None] > behind) + (stakes[:, None] == behind) / 2
    for stake in range(most, -1, -1):
        chance[stake] = sum(weight * chance[stake + value] for value, weight in chances().items())
    first: Floats = chance[0]
    return first


def rules() -> dict[str, Rule]:
    """Return the two simple rules."""
    return {SIMPLE: Rule(most_to_go_on(), heeds=False), HEEDING: Rule(most_to_go_on(), heeds=True)}


def compare(race: Race) -> dict[Match, float]:
    """Return for each of `MATCHES` the first player's chance to win, from the beginning of a solved match."""
    tables = {
        match: (race.table(FIRST, _last_turn(match[1])), race.table(SECOND, _last_turn(match[0]))) for match in MATCHES
    }
    tables[BEST, BEST] = race.ended
    for first, second in race.states():
        plans = {
            (seat, way): _plan(race, seat, way, tables, points)
            for seat, points in enumerate(((first, second), (second, first)))
            for way in (BEST, SIMPLE, HEEDING)
        }
        for match in MATCHES[1:]:
            for_first, for_second = (plans[seat, way][match] for seat, way in enumerate(match))
            failed = after_failing(for_first, for_second)
            tables[match][FIRST][second, first] = failed[FIRST]
            tables[match][SECOND][first, second] = failed[SECOND]
    return {match: 1 - float(tables[match][SECOND][0, 0]) for match in MATCHES}


def _last_turn(way: str) -> LastTurn:
    return best_last_turn if way == BEST else rules()[way].last_turn


def _plan(
    race: Race,
    seat: int,
    way: str,
    tables: Mapping[Match, tuple[Floats, Floats]],
    points: tuple[Places, Places],
) -> dict[Match, tuple[Floats, Floats]]:
    """Return a and b of one way to play in one seat, for each match that it plays there, the best play's own first.

    ``points`` are the player's own and the other player's points in each state.
    """
    own, other = points
    played = [match for match in MATCHES if match[seat] == way]
    rule = rules().get(way)
    failed = race.ended[seat][other, own]
    top = race.top(seat, own, other, failed) if rule is None else np.full(len(own), rule.most)
    order = np.argsort(-top, kind="stable")
    own, other, top = own[order], other[order], top[order]
    decide = better(failed[order]) if rule is None else rule.decision(race, seat, own)
    stopped = race.stopped([tables[match][seat] for match in played], own, other, rows_for(int(top[0])))
    won, fails = sweep(stopped, top, decide)
    back = np.argsort(order)
    return {match: (layer[back], fails[back]) for match, layer in zip(played, won, strict=True)}

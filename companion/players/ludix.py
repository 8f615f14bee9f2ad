"""A player of Ludix: the best play, which is exact between two players, and near it otherwise.

It is exact between two, to targets up to 500, with the endings ``round`` and ``at-once`` and free going on. With more
players it plays as if only the leader of the others were there, and with the ending ``others`` as if it were ``round``.
With ``going_on`` other than free, it keeps to the rules and otherwise plays the same. To higher targets it compares
the next throw with the points at stake only.
"""

from collections.abc import Sequence

import numpy as np

from companion.language.sentence import Sentence
from companion.odds.ludix.policy import PLAYERS, turn
from companion.odds.ludix.race import FIRST, MOST_TARGET, REPLIES, SECOND, best_last_turn, race
from companion.odds.ludix.throws import chances, every_way, kinds, most_to_go_on
from companion.odds.ludix.turns import FAILS
from companion.players.player import EVEN, Budget, Clock, Player, Reason, Weighed
from companion.rules.ludix import Formed, LudixPosition
from companion.rules.ludix.choices import STOP
from companion.rules.ludix.ending import last_turn, target
from companion.rules.ludix.numerals import numerals

ROUND = "round"


class _LudixPlayer(Player[LudixPosition]):
    def weigh(self, position: LudixPosition, budget: Budget, clock: Clock) -> Sequence[Weighed]:
        """Return every numeral with stop and again. May take seconds: the first request solves the match."""
        del budget, clock
        found = [Weighed((choice,), _chance(position, choice)) for choice in position.legal()]
        return sorted(found, key=lambda one: -one.chance)

    def chance(self, position: LudixPosition) -> float:
        """Return player 1's chance to win between two players, exact as `exact` says; else an even chance."""
        if position.players != PLAYERS:
            return EVEN
        if position.cast is not None:
            chance = max(_chance(position, choice) for choice in position.legal())
        elif position.formed or last_turn(position) or target(position) > MOST_TARGET:
            chance = _again(position, position.stake)
        else:
            chance = race(target(position), _ending(position)).chance(_seat(position), position.own, _leader(position))
        return chance if position.turn == 1 else 1 - chance

    def exact(self, position: LudixPosition) -> bool:
        """Whether the match is solved."""
        options = position.options
        solved = position.players == PLAYERS and target(position) <= MOST_TARGET
        return solved and options["ending"] in REPLIES and options["going_on"] == "free"

    def reasons(self, position: LudixPosition, weighed: Sequence[Weighed], picked: Weighed) -> Sequence[Reason]:
        """Say what the next throw may bring, and what stopping brings."""
        del weighed
        (choice,) = picked.choices
        assert isinstance(choice, Formed), "the only choice of this game"
        stake = position.stake + numerals()[choice.numeral].value
        nothing = sum(kind.ways for kind in kinds() if not kind.numerals)
        if choice.then != STOP:
            said = Sentence(
                "{ways} of {total} throws make a numeral, and {stake} points are at stake.",
                ways=every_way() - nothing,
                total=every_way(),
                stake=stake,
            )
            return [Reason("makes", said, (("ways", every_way() - nothing), ("stake", stake)))]
        found = []
        if position.own + stake >= target(position):
            said = Sentence("With {points} points the target is reached.", points=position.own + stake)
            found.append(Reason("reached", said, (("points", position.own + stake),)))
        said = Sentence(
            "{ways} of {total} throws make no numeral, and would lose {stake} points.",
            ways=nothing,
            total=every_way(),
            stake=stake,
        )
        return [*found, Reason("fails", said, (("ways", nothing), ("stake", stake)))]


PLAYER = _LudixPlayer()


def _chance(position: LudixPosition, choice: object) -> float:
    assert isinstance(choice, Formed), "the only choice of this game"
    stake = position.stake + numerals()[choice.numeral].value
    if choice.then != STOP:
        return _again(position, stake)
    own, other = position.own + stake, _leader(position)
    if last_turn(position):
        return float(own > other) + (own == other) / 2
    if target(position) > MOST_TARGET:
        return EVEN
    table = race(target(position), _ending(position)).ended[_seat(position)]
    return float(table[other, min(own, table.shape[1] - 1)])


def _again(position: LudixPosition, stake: int) -> float:
    """Return the chance to win if the player throws again at this stake."""
    own, other = position.own, _leader(position)
    if last_turn(position):
        behind = other - own - stake
        return float(best_last_turn(np.array([behind]))[0]) if behind >= 0 else 1 - FAILS
    if target(position) > MOST_TARGET:
        return EVEN + (most_to_go_on() - stake) / (4 * target(position))
    match = race(target(position), _ending(position))
    plan = turn(match, _seat(position), own, other)
    failed = float(match.ended[_seat(position)][other, own])
    most = len(plan.chance) - 1
    on = sum(chance * float(plan.chance[min(stake + value, most)]) for value, chance in chances().items())
    return on + FAILS * failed


def _ending(position: LudixPosition) -> str:
    ending = str(position.options["ending"])
    return ending if ending in REPLIES else ROUND


def _seat(position: LudixPosition) -> int:
    return SECOND if position.turn == position.players else FIRST


def _leader(position: LudixPosition) -> int:
    """Return the most points that another player has."""
    return max(points for number, points in position.scores().items() if number != position.turn)

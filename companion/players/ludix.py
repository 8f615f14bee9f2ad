"""A player of Ludix: the best play, which is exact between two players, and near it otherwise.

It is exact between two, to targets up to 300, with the endings ``round`` and ``at-once`` and free going on; to higher
targets as soon as both players need at most 300 points more. Until then it counts who needs more as needing 300. With
more players it plays as if only the leader of the others were there, and with the ending ``others`` as if it were
``round``. With ``going_on`` other than free, it keeps to the rules and otherwise plays the same.
"""

from collections.abc import Sequence

import numpy as np

from companion.language.sentence import Sentence
from companion.odds.ludix.policy import POLICY_PLAYERS, turn
from companion.odds.ludix.race import FIRST, REPLIES, SECOND, Race, best_last_turn
from companion.odds.ludix.shipped import HIGHEST_TARGET, shipped_race
from companion.odds.ludix.throws import chances, every_way, kinds
from companion.odds.ludix.turns import FAILS
from companion.players.player import EVEN_CHANCE, Budget, Clock, Player, Reason, Weighed
from companion.rules.ludix import Formed, LudixPosition
from companion.rules.ludix.choices import STOP
from companion.rules.ludix.ending import last_turn, target
from companion.rules.ludix.numerals import numerals

ROUND = "round"


LUDIX_HEAT = 6.0
"""One choice among many changes little in Ludix."""


class _LudixPlayer(Player[LudixPosition]):
    def weigh(self, position: LudixPosition, budget: Budget, clock: Clock) -> Sequence[Weighed]:
        """Return every numeral with stop and again."""
        del budget, clock
        found = [Weighed((choice,), _chance(position, choice)) for choice in position.legal()]
        return sorted(found, key=lambda one: -one.chance)

    def heat(self, position: LudixPosition) -> float:
        """Return more than 1: a single choice changes little."""
        del position
        return LUDIX_HEAT

    def chance(self, position: LudixPosition) -> float:
        """Return player 1's chance to win between two players, exact as `exact` says; else an even chance."""
        if position.players != POLICY_PLAYERS:
            return EVEN_CHANCE
        if position.cast is not None:
            chance = max(_chance(position, choice) for choice in position.legal())
        elif position.formed or last_turn(position):
            chance = _again(position, position.stake)
        else:
            match, own, other = _match(position)
            chance = match.chance(_seat(position), own, other)
        return chance if position.turn == 1 else 1 - chance

    def exact(self, position: LudixPosition) -> bool:
        """Whether the match is solved from here on."""
        options = position.options
        solved = position.players == POLICY_PLAYERS and target(position) - min(position.points) <= HIGHEST_TARGET
        return solved and options["ending"] in REPLIES and options["going_on"] == "free"

    def reasons(self, position: LudixPosition, weighed: Sequence[Weighed], picked: Weighed) -> Sequence[Reason]:
        """Say what the next throw may bring, and what stopping brings."""
        del weighed
        (choice,) = picked.choices
        assert isinstance(choice, Formed), "the only choice of this game"
        stake = position.stake + numerals()[choice.numeral].value
        nothing = sum(kind.ways for kind in kinds() if not kind.numerals)
        if choice.then != STOP:
            sentence = Sentence(
                "{ways} of {total} throws make a numeral, and {stake} points are at risk.",
                ways=every_way() - nothing,
                total=every_way(),
                stake=stake,
            )
            return [Reason("makes", sentence, (("ways", every_way() - nothing), ("stake", stake)))]
        found = []
        if position.own + stake >= target(position):
            sentence = Sentence("With {points} points the target is reached.", points=position.own + stake)
            found.append(Reason("reached", sentence, (("points", position.own + stake),)))
        sentence = Sentence(
            "{ways} of {total} throws make no numeral, and would lose {stake} points.",
            ways=nothing,
            total=every_way(),
            stake=stake,
        )
        return [*found, Reason("fails", sentence, (("ways", nothing), ("stake", stake)))]


PLAYER = _LudixPlayer()


def _chance(position: LudixPosition, choice: object) -> float:
    assert isinstance(choice, Formed), "the only choice of this game"
    stake = position.stake + numerals()[choice.numeral].value
    if choice.then != STOP:
        return _again(position, stake)
    if last_turn(position):
        own, other = position.own + stake, _leader(position)
        return float(own > other) + (own == other) / 2
    match, own, other = _match(position)
    table = match.ended[_seat(position)]
    return float(table[other, min(own + stake, table.shape[1] - 1)])


def _again(position: LudixPosition, stake: int) -> float:
    """Return the chance to win if the player throws again at this stake."""
    if last_turn(position):
        behind = _leader(position) - position.own - stake
        return float(best_last_turn(np.array([behind]))[0]) if behind >= 0 else 1 - FAILS
    match, own, other = _match(position)
    plan = turn(match, _seat(position), own, other)
    failed = float(match.ended[_seat(position)][other, own])
    most = len(plan.chance) - 1
    on = sum(chance * float(plan.chance[min(stake + value, most)]) for value, chance in chances().items())
    return on + FAILS * failed


def _match(position: LudixPosition) -> tuple[Race, int, int]:
    """Return a solved match, the points of the player to act and those of the leader of the others in it."""
    aim = target(position)
    short = max(0, aim - HIGHEST_TARGET)
    match = shipped_race(aim - short, _ending(position))
    return match, max(0, position.own - short), max(0, _leader(position) - short)


def _ending(position: LudixPosition) -> str:
    ending = str(position.options["ending"])
    return ending if ending in REPLIES else ROUND


def _seat(position: LudixPosition) -> int:
    return SECOND if position.turn == position.players else FIRST


def _leader(position: LudixPosition) -> int:
    """Return the most points that another player has."""
    return max(points for number, points in position.scores().items() if number != position.turn)

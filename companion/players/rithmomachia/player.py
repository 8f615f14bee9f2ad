"""The player of Rithmomachia: it searches whole turns and takes what a turn can take."""

from collections.abc import Sequence

from companion.players.player import EVEN_CHANCE, Budget, Clock, Player, Reason, StoppedError, Weighed
from companion.players.rithmomachia.evaluation import weights_of, worth
from companion.players.rithmomachia.reasons import reasons
from companion.players.rithmomachia.search import RithmoSearch, chance_of
from companion.rules.rithmomachia.position import RithmoPosition

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

"""The program in Ludix: between two players it plays the best play, else a plain rule."""

import random

from companion.language.sentence import Sentence
from companion.odds.ludix.policy import best_choice
from companion.odds.ludix.race import PolicyError
from companion.odds.ludix.throws import most_to_go_on
from companion.odds.opponents.opponent import Opponent
from companion.rules.game import Choice, Game
from companion.rules.ludix import Formed, LudixPosition
from companion.rules.ludix.choices import AGAIN, STOP


class _LudixOpponent(Opponent[LudixPosition]):
    def manner(self, game: Game) -> Sentence:
        """Describe when it stops and goes on."""
        del game
        return Sentence(
            "With two players the program stops or continues by the best play, which is known exactly; with more "
            "players it plays as if only the leader of the others were there."
        )

    def choose(self, position: LudixPosition, chance: random.Random) -> Choice:
        """Return the best choice if it is known. May take seconds: the first request solves the match."""
        del chance
        try:
            return best_choice(position)
        except PolicyError:
            best = position.best
            again = Formed(best.text, AGAIN)
            if position.stake + best.value <= most_to_go_on() and position.refusal(again) is None:
                return again
            return Formed(best.text, STOP)


OPPONENT = _LudixOpponent()

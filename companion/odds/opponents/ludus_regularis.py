"""The program in games of virtues: it throws."""

from companion.language.sentence import Sentence
from companion.odds.opponents.opponent import Opponent
from companion.rules.game import Game
from companion.rules.ludus_regularis import LudusPosition, LudusRegularis


class _LudusOpponent(Opponent[LudusPosition]):
    chooses = False

    def manner(self, game: Game) -> Sentence:
        """Say that nobody plays better than anybody else; only letters know a second cast."""
        if not (isinstance(game, LudusRegularis) and game.by_letters):
            return Sentence("The program throws as you do; there is nothing to choose.")
        return Sentence("The program throws as you do; there is nothing to choose except the die of a second cast.")


OPPONENT = _LudusOpponent()

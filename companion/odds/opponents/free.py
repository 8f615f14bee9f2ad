"""The free board, on which the program takes no seat."""

from companion.language.sentence import Sentence
from companion.odds.opponents.opponent import Opponent
from companion.rules.game import Game
from companion.rules.tables import FreePosition


class _FreeOpponent(Opponent[FreePosition]):
    can_play = False

    def manner(self, game: Game) -> Sentence:
        """Say why the program does not play."""
        del game
        return Sentence("The program cannot play here: nobody knows the rules, so people agree on every move.")


OPPONENT = _FreeOpponent()

"""The program in games of virtues: it throws."""

from companion.language.sentence import Sentence
from companion.odds.opponents.opponent import Opponent
from companion.rules.ludus_regularis import LudusPosition


class _Opponent(Opponent[LudusPosition]):
    chooses = False

    def manner(self) -> Sentence:
        """Say that nobody plays better than anybody else."""
        return Sentence("The program throws as you do; there is nothing to choose except the die of a second cast.")


OPPONENT = _Opponent()

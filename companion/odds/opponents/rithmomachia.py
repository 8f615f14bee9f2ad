"""The plain way to play Rithmomachia: it takes the highest number that its next move can take."""

import random

from companion.language.sentence import Sentence
from companion.odds.opponents.opponent import Opponent, any_of_the_best
from companion.rules.game import Choice, Game
from companion.rules.rithmomachia.choices import Claim, Delivery, Move
from companion.rules.rithmomachia.position import RithmoPosition


class _RithmoOpponent(Opponent[RithmoPosition]):
    def manner(self, game: Game) -> Sentence:
        """Say how the program plays in a seat (`companion.players.rithmomachia`)."""
        del game
        return Sentence(
            "The program takes what it can, considers what the other side could then take, and works towards every "
            "victory; as a master it looks farther ahead."
        )

    def choose(self, position: RithmoPosition, chance: random.Random) -> Choice:
        """Return the choice that takes, or leads to taking, the highest number."""
        if position.phase == "claims":
            claims = {claim: _number(position, claim) for claim in position.claims}
            return any_of_the_best(claims, chance) if claims else next(iter(position.legal()))
        worth: dict[Choice, float] = {}
        for choice in position.legal():
            if isinstance(choice, Claim | Delivery):
                worth[choice] = _number(position, choice)
            elif isinstance(choice, Move):
                moved = position.carried_out(choice)
                worth[choice] = max((_number(moved, claim) for claim in moved.claims), default=0)
            else:
                worth[choice] = 0
        return any_of_the_best(worth, chance)


OPPONENT = _RithmoOpponent()


def _number(position: RithmoPosition, choice: Claim | Delivery) -> float:
    target = choice.target
    man = position.men[position.rules.board.numbered[target.site]]
    assert man is not None, "a man is taken"
    return float(target.part or man.number)

"""The faces of the race that are its own: how the program plays it, and the picture by which it is chosen."""

import random

from companion.drawings.picture import SQUARE_HEIGHT, Picture, Shape, whole
from companion.language.sentence import Sentence
from companion.odds.opponents.opponent import Opponent
from companion.rules.board import Board
from companion.rules.game import Choice, Game
from tests.toy.race import RacePosition


class _Opponent(Opponent[RacePosition]):
    def manner(self, game: Game) -> Sentence:
        del game
        return Sentence("The program never stays if it can go on.")

    def choose(self, position: RacePosition, chance: random.Random) -> Choice:
        del chance
        return next(iter(position.legal()))


class _Picture(Picture):
    def ground(self, board: Board) -> list[Shape]:
        del board
        return [whole(SQUARE_HEIGHT, "pic-field")]


OPPONENT = _Opponent()
PICTURE = _Picture()

"""The face of the race that is its own: the picture by which it is chosen."""

from companion.drawings.picture import SQUARE_HEIGHT, Picture, Shape, whole
from companion.rules.board import Board


class _Picture(Picture):
    def ground(self, board: Board) -> list[Shape]:
        del board
        return [whole(SQUARE_HEIGHT, "pic-field")]


PICTURE = _Picture()

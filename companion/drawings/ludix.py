"""Ludix, which has no board: its dice."""

from companion.drawings.picture import Picture, Shape, die
from companion.rules.board import Board


class _LudixPicture(Picture):
    def height(self, board: Board) -> int:
        """Return the height of a row of dice."""
        del board
        return 44

    def printed_heights(self, board: Board) -> tuple[float, ...]:
        """Return the height of a row of dice on a card."""
        del board
        return (30.0, 22.0)

    def ground(self, board: Board) -> list[Shape]:
        """Return four dice."""
        del board
        return [shape for n, letter in enumerate("LXVI") for shape in die(8 + n * 33, 8, 27, letter)]


PICTURE = _LudixPicture()

"""The free board: its cells, and on each cell a dot for the men of each side."""

from companion.drawings.picture import Picture, Shape, beside, cells, dotted, whole
from companion.rules.board import Board
from companion.rules.game import Position

FREE_HEIGHT = 56


class _FreePicture(Picture):
    def height(self, board: Board) -> int:
        """Return the height of the one board."""
        del board
        return FREE_HEIGHT

    def ground(self, board: Board) -> list[Shape]:
        """Return the three rows of cells."""
        return [whole(FREE_HEIGHT, "pic-field"), cells(board.sites, FREE_HEIGHT, 9.2, 14)]

    def printed_heights(self, board: Board) -> tuple[float, ...]:
        """Return the height at the full width of a card."""
        del board
        return (48.0,)

    def men(self, position: Position) -> list[Shape]:
        """Return a dot for the men of each side."""
        sites = {site.name: site for site in position.game.board.sites}
        occupied = position.occupancy()
        return dotted(stroke for name, there in occupied.items() for stroke in beside(sites[name], there, FREE_HEIGHT))


PICTURE = _FreePicture()

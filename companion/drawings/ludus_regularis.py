"""The boards of the virtues: the rim with the dice in the middle, and the wheel."""

from collections.abc import Iterator
from math import hypot

from companion.drawings.picture import PICTURE_WIDTH, SQUARE_HEIGHT, Picture, Shape, cells, die, whole
from companion.rules.board import Board


class _LudusPicture(Picture):
    def ground(self, board: Board) -> list[Shape]:
        """Return the wheel, or the cells of another board."""
        if board.name == "wheel":
            return _wheel(board, SQUARE_HEIGHT)
        won = [site for n, site in enumerate(board.sites) if n % 9 == 4]  # noqa: PLR2004  (here and there)
        return [
            whole(SQUARE_HEIGHT, "pic-wood"),
            cells(board.sites, SQUARE_HEIGHT, 7.4, 6.6, "pic-tile"),
            cells(won[::2], SQUARE_HEIGHT, 7.4, 6.6, "pic-tile first"),
            cells(won[1::2], SQUARE_HEIGHT, 7.4, 6.6, "pic-tile second"),
            Shape("rect", "pic-field", {"x": 13, "y": 11.5, "width": PICTURE_WIDTH - 26, "height": SQUARE_HEIGHT - 23}),
            *_dice(SQUARE_HEIGHT),
        ]


PICTURE = _LudusPicture()


def _dice(height: float) -> Iterator[Shape]:
    """Yield three cubes and a tetrahedron in the middle of the rim."""
    for n, letter in enumerate("AEI"):
        yield from die(34 + n * 26, height / 2 - 20, 20, letter)
    x, y = PICTURE_WIDTH / 2, height / 2 + 6
    yield Shape("path", "pic-die", {"d": f"M{x} {y}l13 22h-26z"})
    yield Shape("text", "pic-letter", {"x": x, "y": y + 15, "font-size": 11}, "M")


def _wheel(board: Board, height: float) -> list[Shape]:
    middle_x, middle_y = PICTURE_WIDTH / 2, height / 2
    outer, inner = height / 2 - 2, height / 2 - 20
    spokes = []
    for site in board.sites:
        dx, dy = (site.x - 0.5), (site.y - 0.5)
        far = hypot(dx, dy) or 1
        ux, uy = dx / far, dy / far
        near = f"M{middle_x + ux * inner:.1f} {middle_y + uy * inner:.1f}"
        spokes.append(f"{near}L{middle_x + ux * outer:.1f} {middle_y + uy * outer:.1f}")
    return [
        Shape("circle", "pic-wood", {"cx": middle_x, "cy": middle_y, "r": outer}),
        Shape("circle", "pic-tile", {"cx": middle_x, "cy": middle_y, "r": outer - 4}),
        Shape("path", "pic-spoke", {"d": "".join(spokes)}),
        Shape("circle", "pic-field", {"cx": middle_x, "cy": middle_y, "r": inner}),
        Shape("path", "pic-pointer", {"d": f"M{middle_x} {middle_y - inner + 4}l6 {inner}h-12z"}),
        Shape("circle", "pic-die", {"cx": middle_x, "cy": middle_y + 3, "r": 5}),
    ]

"""The boards of Rithmomachia with both armies."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from companion.drawings.picture import PICTURE_WIDTH, Example, Picture, Shape, image_of, whole, written
from companion.rules.board import Board, Site
from companion.rules.game import Position

NEAR_SQUARES = 2.5
"""An example shows the men within two squares of the one who is taken."""

EXAMPLE_SCALE = 0.88
"""Millimetres on paper of a unit of a picture in an example: its numbers are 7 points high."""

HEIGHTS = {"8x16": 74, "8x14": 84}


class _RithmoPicture(Picture):
    def height(self, board: Board) -> int:
        """Return the height that makes the squares about square."""
        return HEIGHTS[board.name]

    def ground(self, board: Board) -> list[Shape]:
        """Return the squares."""
        return _squares(board, self.height(board))

    def men(self, position: Position) -> list[Shape]:
        """Return the armies, each man in his shape."""
        sites = {site.name: site for site in position.game.board.sites}
        return _armies(sites, position.occupancy(), self.height(position.game.board))

    def printed_heights(self, board: Board) -> tuple[float, ...]:
        """Return what leaves the names large enough to read."""
        return (69.5 if board.name == "8x16" else 76.5,)

    def names(self, position: Position) -> list[Shape]:
        """Return the men's numbers."""
        sites = {site.name: site for site in position.game.board.sites}
        return _numbers(sites, position.occupancy(), self.height(position.game.board))

    def example(self, position: Position, target: str, moved: str) -> Example:
        """Return the squares from the man who is taken to the one who moved, with the men beside the first."""
        board, high = position.game.board, self.height(position.game.board)
        sites = {site.name: site for site in board.sites}
        wide, tall = PICTURE_WIDTH / len({one.x for one in board.sites}), high / len({one.y for one in board.sites})

        def near(name: str) -> bool:
            across = abs(sites[name].x - sites[target].x) * PICTURE_WIDTH / wide
            down = abs(sites[name].y - sites[target].y) * high / tall
            return max(across, down) < NEAR_SQUARES

        men = {name: man for name, man in position.occupancy().items() if name == moved or near(name)}
        xs, ys = [sites[name].x * PICTURE_WIDTH for name in men], [sites[name].y * high for name in men]
        box = (min(xs) - wide / 2, min(ys) - tall / 2, max(xs) - min(xs) + wide, max(ys) - min(ys) + tall)
        shapes = (*self.ground(board), *_armies(sites, men, high), *_numbers(sites, men, high))
        return Example(image_of(shapes, box), (box[2] * EXAMPLE_SCALE, box[3] * EXAMPLE_SCALE))


PICTURE = _RithmoPicture()


def _squares(board: Board, height: float) -> list[Shape]:
    wide = PICTURE_WIDTH / len({site.x for site in board.sites})
    high = height / len({site.y for site in board.sites})
    odd = [
        f"M{site.x * PICTURE_WIDTH - wide / 2:.2f} {site.y * height - high / 2:.2f}h{wide:.2f}v{high:.2f}h-{wide:.2f}z"
        for site in board.sites
        if (round(site.x * PICTURE_WIDTH / wide - 0.5) + round(site.y * height / high - 0.5)) % 2
    ]
    return [whole(height, "pic-field"), Shape("path", "pic-cell pic-odd", {"d": "".join(odd)})]


def _armies(sites: Mapping[str, Site], occupancy: Mapping[str, Any], height: float) -> list[Shape]:
    outlines: dict[str, list[str]] = defaultdict(list)
    r = 3.3
    for name, man in occupancy.items():
        x, y = sites[name].x * PICTURE_WIDTH, sites[name].y * height
        match man["shape"]:
            case "circle":
                drawn = f"M{x - r:.1f} {y:.1f}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 -{2 * r} 0z"
            case "triangle":
                drawn = f"M{x:.1f} {y - r:.1f}l{r} {2 * r}h-{2 * r}z"
            case "square":
                drawn = f"M{x - r:.1f} {y - r:.1f}h{2 * r}v{2 * r}h-{2 * r}z"
            case _:
                drawn = f"M{x - 1.2:.1f} {y - r:.1f}h2.4v2.2h1.1v2.2h1.1v2.2h-6.8v-2.2h1.1v-2.2h1.1z"
        outlines[man["colour"]].append(drawn)
    return [Shape("path", f"army {colour}", {"d": "".join(drawn)}) for colour, drawn in outlines.items()]


def _numbers(sites: Mapping[str, Site], occupancy: Mapping[str, Any], high: float) -> list[Shape]:
    return [
        written(
            f"pic-number on-{1 if man['colour'] == 'white' else 2}",
            sites[name].x * PICTURE_WIDTH,
            sites[name].y * high + (1.0 if man["shape"] == "triangle" else 0.0),
            str(man["number"]),
        )
        for name, man in occupancy.items()
    ]

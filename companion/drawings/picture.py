"""The picture of a position: how a family draws it, and the shapes that all families use.

Lengths are in units of a picture of `PICTURE_WIDTH` by its height.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from companion.rules.board import Board, Site
from companion.rules.game import Game, Position

PICTURE_WIDTH = 140
SQUARE_HEIGHT = 124
"""The height of a picture that is about as high as wide."""

NAMES_MARGIN = 8
"""The room above and below a picture for names."""

MAN_RADIUS = 4.1
"""The radius of a man on a point."""


@dataclass(frozen=True)
class Shape:
    """One SVG element: its tag, its class, its other attributes, and the text in it."""

    tag: str
    kind: str
    attributes: Mapping[str, str | float]
    text: str = ""


@dataclass(frozen=True)
class Example:
    """A part of a board as an SVG image; ``size``: its width and height on paper in millimetres."""

    svg: str
    size: tuple[float, float]


class Picture:
    """How to draw the games of a family; by default without men."""

    def height(self, board: Board) -> int:
        """Return the height of a board's picture."""
        del board
        return SQUARE_HEIGHT

    def ground(self, board: Board) -> list[Shape]:
        """Return the empty board."""
        raise NotImplementedError

    def men(self, position: Position) -> list[Shape]:
        """Return the men of a position."""
        del position
        return []

    def printed_heights(self, board: Board) -> tuple[float, ...]:
        """Return how high a card may draw it, in millimetres, the best first; names in the last are 7 points high."""
        del board
        return PRINTED_HEIGHTS

    def example(self, position: Position, target: str, moved: str) -> Example | None:
        """Return the part of the board where a man on ``target`` can be taken, by the one on ``moved`` with others."""
        del position, target, moved
        return None

    def names(self, position: Position) -> list[Shape]:
        """Return the names of points and the numbers of men: what a picture shows where it is large enough, on paper.

        They may lie up to `NAMES_MARGIN` above and below the picture.
        """
        del position
        return []


PRINTED_HEIGHTS: Final = (86.0, 70.0, 56.0, 50.0, 44.0, 38.0)


def picture_of(game: Game) -> Picture:
    """Return how to draw a game.

    Raises:
        FamilyError: its family has no picture.
    """
    return game.family.face("picture", Picture)


def svg_of(position: Position) -> str:
    """Return a position as an SVG image with its own style, for paper and to hand on."""
    board, picture = position.game.board, picture_of(position.game)
    height, names = picture.height(board), picture.names(position)
    margin = NAMES_MARGIN if any(name.kind == "pic-name" for name in names) else 1
    shapes = (*picture.ground(board), *picture.men(position), *names)
    return image_of(shapes, (-1, -margin, PICTURE_WIDTH + 2, height + 2 * margin))


def image_of(shapes: Iterable[Shape], box: tuple[float, float, float, float]) -> str:
    """Return shapes as an SVG image with its own style; ``box``: left, top, width and height of what it shows."""
    view = " ".join(f"{one:.2f}" for one in box)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board-picture" viewBox="{view}"><style>{_style()}</style>'
    return f"{head}{''.join(map(_element, shapes))}</svg>"


@cache
def _style() -> str:
    """Return the style of a picture on paper: the page's, and what paper alone has."""
    page = files("companion") / "web" / "static" / "css" / "table" / "pictures.css"
    return "".join(one.read_text(encoding="utf-8") for one in (page, files(__package__) / "print.css"))


def _element(shape: Shape) -> str:
    attributes = "".join(f' {name}="{escape(str(value))}"' for name, value in shape.attributes.items())
    return f'<{shape.tag} class="{shape.kind}"{attributes}>{escape(shape.text)}</{shape.tag}>'


def written(kind: str, x: float, y: float, text: str) -> Shape:
    """Return a name or a number with its middle at a place."""
    return Shape("text", kind, {"x": round(x, 1), "y": round(y, 1)}, text)


def whole(height: float, kind: str) -> Shape:
    """Return one rectangle as large as the picture."""
    return Shape("rect", kind, {"width": PICTURE_WIDTH, "height": height, "rx": 3})


def cells(sites: Iterable[Site], height: float, wide: float, high: float, kind: str = "pic-cell") -> Shape:
    """Return the small boxes at all sites as one shape."""
    boxes = (
        f"M{site.x * PICTURE_WIDTH - wide / 2:.1f} {site.y * height - high / 2:.1f}h{wide}v{high}h-{wide}z"
        for site in sites
    )
    return Shape("path", kind, {"d": "".join(boxes)})


def die(x: float, y: float, size: float, letter: str) -> Iterator[Shape]:
    """Yield one die with a letter."""
    yield Shape("rect", "pic-die", {"x": x, "y": y, "width": size, "height": size, "rx": size / 5})
    yield Shape("text", "pic-letter", {"x": x + size / 2, "y": y + size / 2, "font-size": size * 0.6}, letter)


def dotted(strokes: Iterable[tuple[str, str]]) -> list[Shape]:
    """Return the men of each side as one dotted line, one dot per man, from pairs of a side and a stroke."""
    lines: dict[str, list[str]] = defaultdict(list)
    for side, stroke in strokes:
        lines[side].append(stroke)
    return [
        Shape("path", f"stack side-{side} {part}", {"d": "".join(drawn)})
        for side, drawn in sorted(lines.items())
        for part in ("rim-of", "body-of")
    ]


def beside(site: Site, there: Mapping[str, int], height: float) -> Iterator[tuple[str, str]]:
    """Yield one dot for each side with men on a site, side 2's below side 1's."""
    for row, side in enumerate(sorted(there)):
        yield side, f"M{site.x * PICTURE_WIDTH:.1f} {site.y * height + (row - 0.5) * 3 * MAN_RADIUS:.1f}v0.01"

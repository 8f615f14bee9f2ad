"""Small pictures of the games' boards for choosing a game, drawn from the boards' own sites and the men at the start.

A picture is a list of plain SVG shapes that a template writes out. The empty board is shared by all games that are
played on it (`ground`); `men` are those of one game. Lengths are in units of `WIDTH` by the picture's height.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import hypot
from typing import Any

from companion.rules.board import Board, Site
from companion.rules.game import Game

WIDTH = 140
HEIGHTS = {"tables": 106, "xii-scripta": 56, "8x16": 74, "8x14": 84, "8x9": 124, "ludix": 44}
SQUARE_PICTURE = 124
MOST_STACKED = 5
MAN = 4.1
"""The radius of a man on a point."""


@dataclass(frozen=True)
class Shape:
    """One SVG element: its tag, its class, its other attributes, and the text in it."""

    tag: str
    kind: str
    attributes: Mapping[str, str | float]
    text: str = ""


def height_of(board: Board) -> int:
    """Return how high the picture of a board is."""
    return HEIGHTS.get(board.name, SQUARE_PICTURE)


def ground(board: Board) -> list[Shape]:
    """Return the empty board."""
    height = height_of(board)
    match board.name:
        case "tables":
            return _points(board, height)
        case "xii-scripta":
            return [_whole(height, "pic-field"), _cells(board.sites, height, 9.2, 14)]
        case "rim" | "pairs":
            return [_whole(height, "pic-leaf"), _cells(board.sites, height, 7.4, 6.6), *_dice(height)]
        case "wheel":
            return _wheel(board, height)
        case "ludix":
            return [shape for n, letter in enumerate("LXVI") for shape in _die(8 + n * 33, 8, 27, letter)]
        case _:
            return _squares(board, height)


def men(game: Game) -> list[Shape]:
    """Return the men as they stand at the start of a game between two."""
    height = height_of(game.board)
    sites = {site.name: site for site in game.board.sites}
    occupancy = game.start(game.least_players).occupancy()
    if game.board.name in ("tables", "xii-scripta"):
        return _stacks(sites, occupancy, height)
    return _armies(sites, occupancy, height) if game.board.name.startswith("8x") else []


def _whole(height: float, kind: str) -> Shape:
    return Shape("rect", kind, {"width": WIDTH, "height": height, "rx": 3})


def _cells(sites: Iterable[Site], height: float, wide: float, high: float) -> Shape:
    """Return one outline of a small box at every site."""
    boxes = (
        f"M{site.x * WIDTH - wide / 2:.1f} {site.y * height - high / 2:.1f}h{wide}v{high}h-{wide}z" for site in sites
    )
    return Shape("path", "pic-cell", {"d": "".join(boxes)})


def _points(board: Board, height: float) -> list[Shape]:
    triangles: dict[str, list[str]] = {"pic-point": [], "pic-point pic-odd": []}
    points = [site for site in board.sites if len(site.name) == 1]
    for n, site in enumerate(points):
        x, below = site.x * WIDTH, site.y > 0.5  # noqa: PLR2004  (the middle)
        base, tip = (height - 1, height * 0.6) if below else (1, height * 0.4)
        kind = "pic-point pic-odd" if n % 2 else "pic-point"
        triangles[kind].append(f"M{x - 4.6:.1f} {base}L{x:.1f} {tip:.1f}L{x + 4.6:.1f} {base}z")
    aside = {site.name: site.x * WIDTH - 5 for site in board.sites if len(site.name) > 1}
    return [
        _whole(height, "pic-field"),
        *(Shape("rect", "pic-bar", {"x": round(x, 1), "width": 10, "height": height}) for x in aside.values()),
        *(Shape("path", kind, {"d": "".join(drawn)}) for kind, drawn in triangles.items()),
    ]


def _stacks(sites: Mapping[str, Site], occupancy: Mapping[str, Any], height: float) -> list[Shape]:
    """Return the men of each side as one dotted line: a dot a man, the first of them at the edge of the board."""
    lines: dict[str, list[str]] = defaultdict(list)
    for name, there in occupancy.items():
        x, y = sites[name].x * WIDTH, sites[name].y * height
        for row, (side, count) in enumerate(sorted(there.items())):
            if len(name) == 1:
                below = y > height / 2
                start, step = (height - MAN - 2, -1) if below else (MAN + 2, 1)
                length = (min(count, MOST_STACKED) - 1) * 2 * MAN
                lines[side].append(f"M{x:.1f} {start:.1f}v{step * length + step * 0.01:.2f}")
            else:
                lines[side].append(f"M{x:.1f} {y + (row - 0.5) * 3 * MAN:.1f}v0.01")
    return [
        Shape("path", f"stack side-{side} {part}", {"d": "".join(drawn)})
        for side, drawn in sorted(lines.items())
        for part in ("rim-of", "body-of")
    ]


def _squares(board: Board, height: float) -> list[Shape]:
    wide = WIDTH / len({site.x for site in board.sites})
    high = height / len({site.y for site in board.sites})
    odd = [
        f"M{site.x * WIDTH - wide / 2:.2f} {site.y * height - high / 2:.2f}h{wide:.2f}v{high:.2f}h-{wide:.2f}z"
        for site in board.sites
        if (round(site.x * WIDTH / wide - 0.5) + round(site.y * height / high - 0.5)) % 2
    ]
    return [_whole(height, "pic-field"), Shape("path", "pic-cell pic-odd", {"d": "".join(odd)})]


def _armies(sites: Mapping[str, Site], occupancy: Mapping[str, Any], height: float) -> list[Shape]:
    outlines: dict[str, list[str]] = defaultdict(list)
    r = 3.3
    for name, man in occupancy.items():
        x, y = sites[name].x * WIDTH, sites[name].y * height
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


def _die(x: float, y: float, size: float, letter: str) -> Iterator[Shape]:
    yield Shape("rect", "pic-die", {"x": x, "y": y, "width": size, "height": size, "rx": size / 5})
    yield Shape("text", "pic-letter", {"x": x + size / 2, "y": y + size / 2, "font-size": size * 0.6}, letter)


def _dice(height: float) -> Iterator[Shape]:
    """Give three cubes and a tetrahedron in the middle of the rim."""
    for n, letter in enumerate("AEI"):
        yield from _die(34 + n * 26, height / 2 - 20, 20, letter)
    x, y = WIDTH / 2, height / 2 + 6
    yield Shape("path", "pic-die", {"d": f"M{x} {y}l13 22h-26z"})
    yield Shape("text", "pic-letter", {"x": x, "y": y + 15, "font-size": 11}, "M")


def _wheel(board: Board, height: float) -> list[Shape]:
    middle_x, middle_y = WIDTH / 2, height / 2
    outer, inner = height / 2 - 2, height / 2 - 20
    spokes = []
    for site in board.sites:
        dx, dy = (site.x - 0.5), (site.y - 0.5)
        far = hypot(dx, dy) or 1
        ux, uy = dx / far, dy / far
        near = f"M{middle_x + ux * inner:.1f} {middle_y + uy * inner:.1f}"
        spokes.append(f"{near}L{middle_x + ux * outer:.1f} {middle_y + uy * outer:.1f}")
    return [
        Shape("circle", "pic-leaf", {"cx": middle_x, "cy": middle_y, "r": outer}),
        Shape("circle", "pic-cell", {"cx": middle_x, "cy": middle_y, "r": inner}),
        Shape("path", "pic-cell", {"d": "".join(spokes)}),
        Shape("path", "pic-pointer", {"d": f"M{middle_x} {middle_y - inner + 4}l6 {inner}h-12z"}),
        Shape("circle", "pic-die", {"cx": middle_x, "cy": middle_y + 3, "r": 5}),
    ]

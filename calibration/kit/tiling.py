"""A board that is larger than a sheet: spread over several, with an overlap for glue and marks for alignment."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from calibration.kit.paper import Paper
from calibration.kit.pen import Pen
from calibration.kit.sheets import GREY, PrintedPage
from companion.language.sentence import Sentence
from companion.vision.boards.kit import KitBoard

SHEET_OVERLAP: Final = 9.0
"""Millimetres by which neighbouring sheets overlap."""

_TICK: Final = (0.8, 2.8)
"""The start and end of marks in the margin, from the edge of the picture outwards."""


@dataclass(frozen=True)
class Tile:
    """The part of a board on one sheet: its column and row, its upper left corner on the board and its size, in mm."""

    column: int
    row: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Spread:
    """A board on several sheets; each part lies in the upper left corner of its sheet's room."""

    paper: Paper
    columns: int
    rows: int
    tiles: tuple[Tile, ...]


def _parts(length: float, room: float, seams: Sequence[float]) -> list[tuple[float, float]]:
    """Return start and length of the fewest parts, about equal, that begin at seams where these leave enough room."""
    count = max(1, ceil((length - SHEET_OVERLAP) / (room - SHEET_OVERLAP) - 1e-9))
    step = (length - SHEET_OVERLAP) / count
    starts = [0.0]
    for number in range(1, count):
        least = length - (count - number) * (room - SHEET_OVERLAP) - SHEET_OVERLAP
        most = starts[-1] + room - SHEET_OVERLAP
        fit = [seam for seam in seams if least - 1e-6 <= seam <= most + 1e-6]
        even = min(max(number * step, least), most)
        starts.append(min(fit, key=lambda seam: abs(seam - even), default=even))
    ends = [*(start + SHEET_OVERLAP for start in starts[1:]), length]
    return [(start, end - start) for start, end in zip(starts, ends, strict=True)]


def spread(
    width: float, height: float, paper: Paper, seams: tuple[Sequence[float], Sequence[float]] = ((), ())
) -> Spread:
    """Return how to put a board of this size in millimetres on the fewest sheets, upright or lying.

    ``seams``: places across and down where a joint cuts nothing; the sheet on top begins there.
    """

    def lay(sheet: Paper) -> Spread:
        columns, rows = _parts(width, sheet.room[0], seams[0]), _parts(height, sheet.room[1], seams[1])
        tiles = tuple(
            Tile(column, row, x, y, wide, tall)
            for row, (y, tall) in enumerate(rows)
            for column, (x, wide) in enumerate(columns)
        )
        return Spread(sheet, len(columns), len(rows), tiles)

    upright, lying = lay(paper), lay(paper.turned)
    return upright if len(upright.tiles) <= len(lying.tiles) else lying


def spread_pages(
    notes: tuple[Sentence, ...], plan: KitBoard, paper: Paper, draw: Callable[[Pen], None]
) -> list[PrintedPage]:
    """Return a board's pages. ``draw`` draws the whole board from its upper left corner."""
    laid = spread(*plan.size, paper, plan.seams)
    return [_page(notes, laid, tile, draw) for tile in laid.tiles]


def _page(notes: tuple[Sentence, ...], plan: Spread, tile: Tile, draw: Callable[[Pen], None]) -> PrintedPage:
    def drawn(pen: Pen) -> None:
        with pen.at(-tile.x, -tile.y, (tile.x, tile.y, tile.width, tile.height)):
            draw(pen)
        _marks(pen, plan, tile)

    if len(plan.tiles) == 1:
        return PrintedPage(notes, plan.paper, drawn)
    where = []
    if plan.columns > 1:
        where.append(Sentence("Column {number} of {count}", number=tile.column + 1, count=plan.columns))
    if plan.rows > 1:
        where.append(Sentence("Row {number} of {count}", number=tile.row + 1, count=plan.rows))
    return PrintedPage((*notes, _gluing(tile)), plan.paper, drawn, tuple(where))


def _gluing(tile: Tile) -> Sentence:
    match bool(tile.column), bool(tile.row):
        case False, False:
            return Sentence("Cut along the picture's edge; lay the other sheets over it as far as the marks.")
        case True, False:
            return Sentence("Cut along the picture's edge; glue its left side over the marks of the sheet there.")
        case False, True:
            return Sentence("Cut along the picture's edge; glue its upper side over the marks of the sheet there.")
    return Sentence("Cut along the picture's edge; glue its left and upper side over the marks of the sheets there.")


def _marks(pen: Pen, plan: Spread, tile: Tile) -> None:
    """Draw corner marks in the margins, and marks for the edge of the next sheet."""
    width, height = tile.width, tile.height
    near, far = _TICK
    for x in (0.0, width):
        for y in (0.0, height):
            out_x, out_y = (-1 if x == 0 else 1), (-1 if y == 0 else 1)
            pen.line((x + out_x * near, y), (x + out_x * far, y))
            pen.line((x, y + out_y * near), (x, y + out_y * far))
    for along, last, place in ((True, plan.columns, tile.column), (False, plan.rows, tile.row)):
        if place + 1 == last:
            continue
        edge = (width if along else height) - SHEET_OVERLAP
        for outside in (-1.0, (height if along else width) + 1.0):
            way = -1 if outside < 0 else 1
            one, other = (edge, outside), (edge, outside + way * (far - near))
            pen.line(*((one, other) if along else (one[::-1], other[::-1])), colour=GREY, thick=0.3, dashes=(0.8, 0.5))
        label = Sentence("the next sheet's edge goes here")
        if along:
            pen.text(edge - 1.0, -1.8, label, 1.6, align="right", colour=GREY)
        else:
            with pen.turned(width + 1.8, edge - 1.0, 90):
                pen.text(0, 0, label, 1.6, align="right", colour=GREY)

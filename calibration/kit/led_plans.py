"""The LED plan of each board: where a strip of lights runs under it, as a drawing and as a list in millimetres."""

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from math import dist
from typing import Final

from calibration.kit.boards import colour
from calibration.kit.men_boards import FIELD_COLUMNS, TRAY_COLUMNS
from calibration.kit.paper import Paper
from calibration.kit.pen import Pen, Point
from calibration.kit.sheets import GREY, PrintedPage
from companion.desk.lights.usual_wiring import board_wiring
from companion.language.sentence import Sentence
from companion.rules.board import Board
from companion.rules.registry import games
from companion.vision.boards.kit import KitBoard, kit_boards

DRAWN_SHARE: Final = 0.55
"""The most height of a drawing, as a share of a sheet's room; the list lies below it."""

LED_RADIUS: Final = 2.2
"""Millimetres on paper: wide enough for a number of 7 points."""

LIST_CAPITAL, LIST_PITCH = 1.65, 3.6
"""Millimetres: the least height of the list's capitals, 7 points, and from one of its rows to the next."""

FEWEST_ROWS: Final = 16
"""A list is as high as this many rows, so that no short one is set in large type."""

LIST_TOP: Final = 18.0
"""Millimetres from the drawing to the list: two lines of words lie between them."""


def led_pages(titles: Mapping[str, Sentence], paper: Paper) -> list[PrintedPage]:
    """Return a sheet for each board of the kit that has a title here."""
    boards = {board.name: board for game in games().values() for board in game.boards}
    return [
        PrintedPage((), paper, partial(_draw, paper, plan, led_places(boards[plan.board], plan)), (titles[name],))
        for name, plan in kit_boards().items()
    ]


def led_places(board: Board, plan: KitBoard) -> list[tuple[str, Point]]:
    """Return the site over each LED, in the order of the wire, with its place in millimetres in the playing field."""
    across = plan.field[0] * (1 + TRAY_COLUMNS / FIELD_COLUMNS if plan.board == "tables" else 1)
    sites = {site.name: (site.x * across, site.y * plan.field[1]) for site in board.seen_sites}
    order = sorted(board_wiring(board).sites.items(), key=lambda wired: wired[1])
    return [(site, sites[site]) for site, _ in order]


def _draw(paper: Paper, plan: KitBoard, leds: list[tuple[str, Point]], pen: Pen) -> None:
    width, height = plan.field
    scale = min(paper.room[0] / width, DRAWN_SHARE * paper.room[1] / height)
    with pen.at((paper.room[0] - width * scale) / 2, 0.0):
        pen.rectangle(0, 0, width * scale, height * scale, line=colour("line"))
        drawn = [(x * scale, y * scale) for _, (x, y) in leds]
        for one, other in pairwise(drawn):
            pen.line(one, other, colour=colour("line"), thick=0.6)
        for number, place in enumerate(drawn):
            pen.circle(*place, LED_RADIUS, fill="#ffffff", line=colour("line"))
            pen.text(*place, str(number), LIST_CAPITAL, align="middle", width=2 * LED_RADIUS)
    gaps = [dist(one, other) for (_, one), (_, other) in pairwise(leds)]
    counted = Sentence(
        "One LED lies under the middle of each place, {count} in all, with {least} to {most} mm of wire between two.",
        count=len(leds),
        least=round(min(gaps)),
        most=round(max(gaps)),
    )
    listed = Sentence(
        "In the list: number along the wire, place, and how far right and down from the field's upper left corner."
    )
    with pen.at(0.0, height * scale):
        pen.text(0, 6.0, counted, 2.0, width=paper.room[0])
        pen.text(0, 10.5, listed, 2.0, colour=GREY, width=paper.room[0])
        _list(pen, paper, leds, paper.room[1] - height * scale - LIST_TOP)


def _list(pen: Pen, paper: Paper, leds: list[tuple[str, Point]], tall: float) -> None:
    columns = max(2 if len(leds) < 2 * FEWEST_ROWS else 4, -(-len(leds) // int(tall // LIST_PITCH)))
    rows = -(-len(leds) // columns)
    pitch = tall / max(rows, FEWEST_ROWS)
    capital = max(LIST_CAPITAL, min(pitch * LIST_CAPITAL / LIST_PITCH, paper.room[0] / columns / 20))
    for number, (site, (x, y)) in enumerate(leds):
        left, top = number // rows * paper.room[0] / columns, LIST_TOP + number % rows * pitch
        pen.text(left + 4 * capital, top, str(number), capital, face="bold", align="right")
        pen.text(left + 5 * capital, top, site, capital)
        pen.text(left + 19 * capital, top, f"{x:.0f} | {y:.0f} mm", capital, align="right")

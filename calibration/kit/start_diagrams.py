"""Small pictures of how a game begins, drawn from the position's own account of what stands where."""

from collections.abc import Mapping
from typing import Any, Final

from calibration.kit.boards import colour
from calibration.kit.pen import Pen
from calibration.kit.pieces import triangle
from calibration.kit.sheets import GREY
from companion.rules.game import Position

TABLES_HEIGHT: Final = 62.0
"""Millimetres of a picture of the tables board."""

SIDES: Final = {"1": ("#ffffff", "#1c1c1c"), "2": ("#1c1c1c", "#ffffff")}
"""How a side's men are drawn and written on."""

ROOM_FOR_MEN: Final = 3
"""Men drawn on a point; more are counted on the last."""


_SIDES_OF_TABLES: Final = (
    "Light men are player 1's, dark ones player 2's. The number says how many men lie on the point."
)
_SIDES_OF_RITHMOMACHIA: Final = "White is player 1, Black player 2. The men with two borders are the pyramids."


def diagram_height(position: Position, width: float) -> float:
    """Return how tall the picture of a start is in this width, in millimetres; 0 where there is nothing to show."""
    if not position.occupancy():
        return 0.0
    match position.game.board.name:
        case "tables":
            return TABLES_HEIGHT + 4.0
        case "8x16" | "8x14":
            return _square(position, width) * 8 + 1.0
        case _:
            return 0.0


def legend(position: Position) -> str:
    """Return what has to be said about the picture of a start."""
    return _SIDES_OF_TABLES if position.game.board.name == "tables" else _SIDES_OF_RITHMOMACHIA


def draw_start(pen: Pen, position: Position, width: float) -> None:
    """Draw the start from the upper left corner, as wide as ``width`` millimetres at most."""
    if position.game.board.name == "tables":
        _draw_tables(pen, position, width)
    else:
        _draw_squares(pen, position, width)


def _draw_tables(pen: Pen, position: Position, width: float) -> None:
    column = min(width / 14, 11.0)
    left = (width - 14 * column) / 2
    man = column * 0.37
    tall = TABLES_HEIGHT - 8.0
    occupied = position.occupancy()
    with pen.at(left, 4.0):
        pen.rectangle(0, 0, 13 * column, tall, fill=colour("frame"), line=colour("line"), thick=0.3)
        pen.rectangle(6 * column, 0, column, tall, fill=colour("frame"), line=colour("line"), thick=0.2)
        for site in position.game.board.sites:
            x, below = site.x * 14 * column, site.y > 0.5
            men: Mapping[str, int] = occupied.get(site.name, {})
            if site.name in ("hand", "off"):
                if men:
                    words = " and ".join(f"{count} of player {side}" for side, count in men.items())
                    where = "in hand" if site.name == "hand" else "borne off"
                    pen.text(3 * column, tall / 2, f"{words} {where}", 1.8, align="middle", width=5.6 * column)
                continue
            foot = tall if below else 0.0
            way = -1 if below else 1
            fill = colour("ground" if int(x / column) % 2 else "dark_field")
            half = column * 0.46
            pen.polygon([(x - half, foot), (x, foot + way * tall * 0.42), (x + half, foot)], fill=fill)
            pen.text(x, foot - way * 2.2, site.name, 1.9, face="bold", align="middle")
            place = 0
            for side, count in men.items():
                fill, ink = SIDES[side]
                for number in range(min(count, ROOM_FOR_MEN)):
                    y = foot + way * (0.5 + man * (1 + 2 * place))
                    place += 1
                    pen.circle(x, y, man, fill=fill, line=GREY, thick=0.2)
                    if number == min(count, ROOM_FOR_MEN) - 1:
                        pen.text(x, y, str(count), man * 0.8, face="bold", align="middle", colour=ink)


def _square(position: Position, width: float) -> float:
    ranks = len(position.game.board.sites) // 8
    return min(width / ranks, 9.0)


def _draw_squares(pen: Pen, position: Position, width: float) -> None:
    edge = _square(position, width)
    sites = {site.name: site for site in position.game.board.sites}
    ranks = len(sites) // 8
    across, down = ranks * edge, 8 * edge
    with pen.at((width - across) / 2, 0):
        pen.rectangle(0, 0, across, down, fill=colour("frame"), line=colour("line"), thick=0.3)
        for site in sites.values():
            x, y = site.x * across, site.y * down
            if (int(x / edge) + int(y / edge)) % 2:
                pen.rectangle(x - edge / 2, y - edge / 2, edge, edge, fill=colour("light_field"))
        for name, man in position.occupancy().items():
            if name in sites:
                _draw_man(pen, man, sites[name].x * across, sites[name].y * down, edge * 0.42)


def _draw_man(pen: Pen, man: Mapping[str, Any], x: float, y: float, reach: float) -> None:
    fill, ink = SIDES["1" if man["colour"] == "white" else "2"]
    shape = man["shape"]
    if shape == "circle":
        pen.circle(x, y, reach, fill=fill, line=GREY, thick=0.2)
    elif shape == "triangle":
        pen.polygon([(x + a, y + b + reach * 0.2) for a, b in triangle(2.1 * reach)], fill=fill, line=GREY, thick=0.2)
    else:
        pen.rectangle(x - reach * 0.9, y - reach * 0.9, 1.8 * reach, 1.8 * reach, fill=fill, line=GREY, thick=0.2)
        if shape == "pyramid":
            pen.rectangle(x - reach * 0.7, y - reach * 0.7, 1.4 * reach, 1.4 * reach, line=ink, thick=0.15)
    shift = reach * 0.25 if shape == "triangle" else 0.0
    room = reach * (0.95 if shape == "triangle" else 1.25)
    pen.text(x, y + shift, str(man["number"]), reach * 0.62, face="bold", align="middle", colour=ink, width=room)

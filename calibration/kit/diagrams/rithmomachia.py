"""The start of a game of Rithmomachia: the board of squares with both armies."""

from collections.abc import Mapping
from typing import Any

from calibration.kit.boards import colour
from calibration.kit.diagrams.diagram import SIDES, Diagram
from calibration.kit.pen import Pen
from calibration.kit.pieces import triangle
from calibration.kit.sheets import GREY
from companion.rules.game import Position


class _RithmomachiaDiagram(Diagram):
    def height(self, position: Position, width: float) -> float:
        """Return the height of eight squares."""
        return _square(position, width) * 8 + 1.0

    def legend(self) -> str:
        """Say whose the men are, and which are the pyramids."""
        return "White is player 1, Black player 2. The men with two borders are the pyramids."

    def draw(self, pen: Pen, position: Position, width: float) -> None:
        """Draw the board and the men."""
        _draw_squares(pen, position, width)


DIAGRAM = _RithmomachiaDiagram()


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

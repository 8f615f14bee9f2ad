"""The start of a tables game: the board with a few men on each point, and their number."""

from collections.abc import Mapping
from typing import Final

from calibration.kit.boards import colour
from calibration.kit.diagrams.diagram import SIDES, Diagram
from calibration.kit.pen import Pen
from calibration.kit.sheets import GREY
from companion.rules.game import Position

PICTURE_HEIGHT: Final = 62.0
"""The height of the picture in millimetres."""

ROOM_FOR_MEN: Final = 3
"""The most men drawn on a point; if there are more, the last one shows the number."""


class _TablesDiagram(Diagram):
    def height(self, position: Position, width: float) -> float:
        """Return the same height for every start."""
        del position, width
        return PICTURE_HEIGHT + 4.0

    def legend(self) -> str:
        """Say whose the men are."""
        return "Light men are player 1's, dark ones player 2's. The number says how many men are on the point."

    def draw(self, pen: Pen, position: Position, width: float) -> None:
        """Draw the board, the men on it and, in words, those in hand."""
        _draw_tables(pen, position, width)


DIAGRAM = _TablesDiagram()


def _draw_tables(pen: Pen, position: Position, width: float) -> None:
    column = min(width / 14, 11.0)
    left = (width - 14 * column) / 2
    man = column * 0.37
    tall = PICTURE_HEIGHT - 8.0
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

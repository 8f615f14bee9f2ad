"""Dice to cut and fold: Wibold's cubes with the tetrahedron, those of Ludix, and those of eight to twenty faces."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import atan2, degrees
from typing import Final

from calibration.kit.boards import colour
from calibration.kit.marks import draw_number, draw_square_face, draw_triangle_face
from calibration.kit.nets import DieNet, Panel, Points, bounds_of, nets_of
from calibration.kit.paper import Paper
from calibration.kit.pen import Pen
from calibration.kit.plans import sizes
from calibration.kit.sheets import GREY, PrintedPage
from companion.language.sentence import Sentence
from companion.rules.dice import dice_set
from companion.rules.die import Die

FOLD = (1.2, 0.8)
"""The dashes of a fold line, in millimetres."""

NET_GAP = 5.0
"""Millimetres between nets."""

NUMBER_TALL: Final = 0.85
"""The height of a face's number, as a share of the radius of the circle within the face."""

NUMBER_WIDE: Final = 1.2
"""The most width of it, as such a share."""


def dice_pages(sheets: Sequence[Sequence[str]], paper: Paper) -> list[PrintedPage]:
    """Return pages with nets: on each sheet those of the dice sets that it names."""
    notes = (
        Sentence("Print on stiff paper."),
        Sentence("Cut along the full lines; score the dashed ones and fold them back, the print outside."),
        Sentence("Glue the grey tabs to the inside of the faces they meet."),
    )
    return [PrintedPage(notes, paper, partial(_draw_nets, net_places(names, paper))) for names in sheets]


def net_places(names: Sequence[str], paper: Paper) -> list[tuple[DieNet, float, float]]:
    """Return the nets of some sets, each with the place of its own origin in the sheet's room, in millimetres.

    Two lie in a row where they fit.
    """
    nets = [one for name in names for one in nets_of(dice_set(name))]
    wide, tall = bounds_of(nets)
    room = paper.room
    columns = 2 if 2 * (wide + NET_GAP) <= room[0] else 1
    rows = -(-len(nets) // columns)
    across, down = room[0] / columns, room[1] / rows
    assert wide + NET_GAP <= across, "the nets are too wide for the paper"
    assert tall + NET_GAP <= down, "the nets are too tall for the paper"
    placed = []
    for number, one in enumerate(nets):
        left, top, right, bottom = one.bounds
        x = (number % columns + 0.5) * across - (left + right) / 2
        y = (number // columns + 0.5) * down - (top + bottom) / 2
        placed.append((one, x, y))
    return placed


def _draw_nets(places: Sequence[tuple[DieNet, float, float]], pen: Pen) -> None:
    for one, x, y in places:
        with pen.at(x, y):
            _draw_net(pen, one)


def _draw_net(pen: Pen, one: DieNet) -> None:
    for tab in one.tabs:
        pen.polygon([_point(corner) for corner in tab], fill="#e4e4e4")
    for panel in one.panels:
        pen.polygon([_point(corner) for corner in panel.corners], fill=colour("paper"))
    for start, end in one.folds:
        pen.line(_point(start), _point(end), colour=GREY, dashes=FOLD)
    for start, end in one.cuts:
        pen.line(_point(start), _point(end), colour=GREY, thick=0.2)
    for tab in one.tabs:
        for start, end in pairwise(tab):
            pen.line(_point(start), _point(end), colour=GREY, thick=0.2)
    for panel in one.panels:
        _draw_face(pen, one.die, panel)


def _draw_face(pen: Pen, die: Die, panel: Panel) -> None:
    marks = die.faces[panel.face].marks
    edge = float(sizes()["dice"][die.shape])
    x, y = _point(panel.middle)
    if die.shape == "cube":
        with pen.at(x, y):
            draw_square_face(pen, marks, edge, colour=colour("ink"))
        return
    up_x, up_y = panel.corners[0] - panel.middle
    with pen.turned(x, y, degrees(atan2(up_x, -up_y))):
        if die.shape == "tetrahedron":
            draw_triangle_face(pen, marks, edge, colour=colour("ink"))
        else:
            draw_number(pen, marks, NUMBER_TALL * panel.inner, colour=colour("ink"), width=NUMBER_WIDE * panel.inner)


def _point(values: Points) -> tuple[float, float]:
    return float(values[0]), float(values[1])

"""Cut-and-fold dice: Wibold's three letter cubes with the tetrahedron of consonants, and the four dice of Ludix."""

from itertools import pairwise
from math import atan2, degrees

from calibration.kit.boards import colour
from calibration.kit.marks import draw_square_face, draw_triangle_face
from calibration.kit.nets import Panel, PaperNet, Points, bounds_of, net_of
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


def net(die: Die) -> PaperNet:
    """Return a die's net in the kit's size."""
    measures = sizes()["dice"]
    return net_of(die, float(measures[die.shape]), float(measures["tab"]))


def dice_pages(name: str, paper: Paper) -> list[PrintedPage]:
    """Return the one page with the nets of a dice set, two and two."""
    notes = (
        Sentence("Print on stiff paper."),
        Sentence("Cut along the full lines; score the dashed ones and fold them back, the print outside."),
        Sentence("Glue the grey tabs to the inside of the faces they meet."),
    )
    return [PrintedPage(notes, paper, lambda pen: _draw_set(pen, name, paper))]


def net_places(name: str, paper: Paper) -> list[tuple[PaperNet, float, float]]:
    """Return a set's nets with the place of each net's own origin in the sheet's room, in millimetres."""
    nets = [net(die) for die in dice_set(name).dice]
    wide, tall = bounds_of(nets)
    room = paper.room
    columns = 2
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


def _draw_set(pen: Pen, name: str, paper: Paper) -> None:
    for one, x, y in net_places(name, paper):
        with pen.at(x, y):
            _draw_net(pen, one)


def _draw_net(pen: Pen, one: PaperNet) -> None:
    for _, tab in one.tabs:
        pen.polygon([_point(corner) for corner in tab], fill="#e4e4e4")
    for panel in one.panels:
        pen.polygon([_point(corner) for corner in panel.corners], fill=colour("paper"))
    for start, end in one.folds:
        pen.line(_point(start), _point(end), colour=GREY, dashes=FOLD)
    for start, end in one.outline:
        pen.line(_point(start), _point(end), colour=GREY, thick=0.2)
    for _, tab in one.tabs:
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
        draw_triangle_face(pen, marks, edge, colour=colour("ink"))


def _point(values: Points) -> tuple[float, float]:
    return float(values[0]), float(values[1])

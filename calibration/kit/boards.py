"""The common parts of every board of the kit: ground, markers, a playing field, and its pages."""

from collections.abc import Callable
from typing import Final

from calibration.kit.markers import draw_marker
from calibration.kit.paper import Paper
from calibration.kit.pen import Pen
from calibration.kit.plans import sizes
from calibration.kit.sheets import PrintedPage
from calibration.kit.tiling import spread_pages
from companion.language.sentence import Sentence
from companion.vision.boards.kit import KitBoard, kit_boards
from companion.vision.boards.layout import NUMBERS

MARKERS: Final = "DICT_4X4_50"
"""OpenCV's name of the dictionary of the boards' markers, as `companion.vision.boards.markers` finds them."""

MARKER_WHITE_MM = 4.0
"""Millimetres of white around a marker: as wide as one of its cells, so that a camera finds it on any ground."""

TOKEN_BOARDS: Final = ("virtues-rim", "virtues-pairs", "virtues-wheel")
"""The boards that the reader of tokens knows, ground and all."""

Draw = Callable[[Pen, KitBoard], None]


def colour(name: str) -> str:
    """Return a colour of the kit by name."""
    return str(sizes()["colours"][name])


def board_pages(name: str, notes: tuple[Sentence, ...], paper: Paper, draw_field: Draw) -> list[PrintedPage]:
    """Return the pages of the board of this name; ``draw_field`` draws its field from the field's upper left corner."""
    plan = kit_boards()[name]
    width, height = plan.size
    measures = Sentence("Playing field {width} x {height} mm.", width=int(plan.field[0]), height=int(plan.field[1]))

    def draw(pen: Pen) -> None:
        pen.rectangle(0, 0, width, height, fill=colour("frame" if name in TOKEN_BOARDS else "men_frame"))
        if min(plan.edge) > 0:
            _ornament(pen, width, height)
        with pen.at(*plan.edge):
            draw_field(pen, plan)
            for marker, centre in zip(NUMBERS, plan.centres, strict=True):
                draw_marker(pen, MARKERS, marker, centre, plan.marker, quiet=MARKER_WHITE_MM)
        pen.rectangle(0, 0, width, height, line=colour("line"), thick=0.3)

    return spread_pages((measures, *notes), plan, paper, draw)


ORNAMENT_MM = (3.0, 4.2, 3.4)
"""Millimetres from the edge of a print to the lines around it, and across the lozenge in the middle of each side."""


def _ornament(pen: Pen, width: float, height: float) -> None:
    """Draw two lines around a board, and a lozenge in the middle of each side, as on the page's panels."""
    outer, inner, across = ORNAMENT_MM
    for inset, thick in ((outer, 0.5), (inner, 0.2)):
        pen.rectangle(inset, inset, width - 2 * inset, height - 2 * inset, line=colour("line"), thick=thick)
    middle, half = (outer + inner) / 2, across / 2
    sides = [(width / 2, middle), (width / 2, height - middle), (middle, height / 2), (width - middle, height / 2)]
    for x, y in sides:
        pen.polygon([(x - half, y), (x, y - half), (x + half, y), (x, y + half)], fill=colour("rubric"))

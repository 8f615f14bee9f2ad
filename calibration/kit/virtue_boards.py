"""The boards of the virtues: the rim of Table 5, the pairs of Table 6, and the wheel with its pointer."""

from math import cos, pi, sin
from typing import Final

from calibration.kit.boards import board_pages, colour
from calibration.kit.paper import Paper
from calibration.kit.pen import Align, Pen
from calibration.kit.plans import sizes
from calibration.kit.sheets import PrintedPage
from companion.language.sentence import Sentence
from companion.rules.board import Site
from companion.rules.dice import dice_set
from companion.rules.ludus_regularis.boards import mates, pair_rows, pairs, rim, rim_sides, wheel
from companion.rules.ludus_regularis.virtues import Virtue, by_lot
from companion.vision.boards.kit import KitBoard

POINTER_RADIUS: Final = 76.0
"""Millimetres from the wheel's middle to the pointer's tip."""

HUB_GAP: Final = 4.0
"""Millimetres of empty ground between the pointer's tip and the sectors."""

JOINT_GAP: Final = 14.0
"""Millimetres between words and the middle of a board, where the overlap of two sheets may lie."""

RING_HALF_WIDTH: Final = 8.5
"""Half the width of the ring for the wheel's tokens."""


def rim_pages(paper: Paper) -> list[PrintedPage]:
    """Return the pages of the rim board."""
    notes = (_token_note(), Sentence("Put one on each virtue that a player has won."))
    return board_pages("virtues-rim", notes, paper, _draw_rim)


def pairs_pages(paper: Paper) -> list[PrintedPage]:
    """Return the pages of the board of pairs."""
    notes = (_token_note(), Sentence("The two virtues of a row belong together: their sums add up to 21."))
    return board_pages("virtues-pairs", notes, paper, _draw_pairs)


def wheel_pages(paper: Paper) -> list[PrintedPage]:
    """Return the pages of the wheel, and one with its pointer."""
    pin = Sentence("Pin the pointer on the middle with a split pin or a drawing pin, so that it turns.")
    pointer = PrintedPage(
        (
            Sentence("Glue on card and cut out along the line."),
            Sentence("Pierce the small circle and pin it loosely on the wheel's middle."),
        ),
        paper,
        _draw_pointer,
        (Sentence("Pointer of the wheel"),),
    )
    return [*board_pages("virtues-wheel", (_token_note(), pin), paper, _draw_wheel), pointer]


def _token_note() -> Sentence:
    return Sentence("Tokens of {width} mm go on the circles.", width=int(sizes()["tokens"]["diameter"]))


def _spot(pen: Pen, x: float, y: float) -> None:
    pen.circle(x, y, sizes()["tokens"]["diameter"] / 2 + 0.4, fill=colour("frame"), line=colour("line"), thick=0.2)


def _places(sites: tuple[Site, ...], plan: KitBoard) -> list[tuple[Virtue, float, float]]:
    """Return each virtue with the middle of its place in millimetres, in the layout of the rules' board."""
    width, height = plan.field
    return [(by_lot()[site.name], site.x * width, site.y * height) for site in sites]


def _draw_rim(pen: Pen, plan: KitBoard) -> None:
    width, height = plan.field
    columns, rows = rim_sides()[0], rim_sides()[1] + 2
    wide, tall = width / columns, height / rows
    for virtue, x, y in _places(rim().sites, plan):
        pen.rectangle(
            x - wide / 2, y - tall / 2, wide, tall, fill=colour("light_field"), line=colour("line"), thick=0.25
        )
        _spot(pen, x, y)
        room = wide - 1.6
        pen.text(x, y - tall / 2 + 2.0, virtue.latin, 2.1, face="bold", align="middle", width=room)
        with pen.turned(x - wide / 2 + 1.9, y, -90):
            pen.text(0, 0, virtue.lot, 1.7, align="middle")
        pen.text(x, y + tall / 2 - 2.0, virtue.translated, 1.7, align="middle", width=room)
    # on either side of the joints of sheets, which cross near the middle
    left, right, y = width / 2 - JOINT_GAP, width / 2 + JOINT_GAP, height / 2 - JOINT_GAP
    pen.text(left, y - 16, "LVDVS", 9.0, face="bold", align="right", colour=colour("rubric"))
    pen.text(right, y - 16, "REGVLARIS", 9.0, face="bold", colour=colour("rubric"))
    pen.text(left, y - 3, Sentence("the virtues of Wibold,"), 4.0, align="right", colour=colour("words"))
    pen.text(right, y - 3, Sentence("by their lots"), 4.0, colour=colour("words"))


def _draw_pairs(pen: Pen, plan: KitBoard) -> None:
    width, height = plan.field
    tall = height / len(pair_rows())
    for virtue, x, y in _places(pairs().sites, plan):
        left = x - width / 4
        pen.rectangle(left, y - tall / 2, width / 2, tall, fill=colour("light_field"), line=colour("line"), thick=0.25)
        _spot(pen, x, y)
        pen.text(left + 2, y - 2.2, virtue.latin, 2.6, face="bold", width=36)
        pen.text(left + 2, y + 2.8, virtue.translated, 2.0, width=36)
        pen.text(left + width / 2 - 2, y - 2.2, virtue.lot, 2.6, face="bold", align="right")
        pen.text(
            left + width / 2 - 2,
            y + 2.8,
            Sentence("sum {number}", number=virtue.sum),
            2.0,
            align="right",
            colour=colour("words"),
        )
    pen.line((width / 2, 0), (width / 2, height), colour=colour("line"), thick=0.8)
    pen.text(width / 2, -17, "LVDVS REGVLARIS", 6.0, face="bold", align="middle", colour=colour("rubric"))
    pen.text(
        width / 2, -8, Sentence("pairs of virtues: both sums add up to 21"), 2.6, align="middle", colour=colour("words")
    )
    assert all(one.sum + mates()[one].sum == 21 for row in pair_rows() for one in row)


def _draw_wheel(pen: Pen, plan: KitBoard) -> None:
    places = _places(wheel().sites, plan)
    middle = plan.field[0] / 2, plan.field[1] / 2
    radius = 0.45 * plan.field[0]
    outer = radius + RING_HALF_WIDTH
    pen.circle(*middle, outer, fill=colour("light_field"), line=colour("line"), thick=0.5)
    count = len(dice_set("wheel").dice[0].faces)
    room = radius - RING_HALF_WIDTH - POINTER_RADIUS - HUB_GAP - 4
    for number in range(count):
        turn = (number + 0.5) * 2 * pi / count
        way = sin(turn), -cos(turn)
        inner = POINTER_RADIUS + HUB_GAP
        one = (middle[0] + way[0] * inner, middle[1] + way[1] * inner)
        other = (middle[0] + way[0] * outer, middle[1] + way[1] * outer)
        pen.line(one, other, colour=colour("line"), thick=0.25)
    pen.circle(*middle, radius - RING_HALF_WIDTH, line=colour("line"), thick=0.25)
    pen.circle(*middle, POINTER_RADIUS + HUB_GAP, fill=colour("frame"), line=colour("line"), thick=0.5)
    for virtue, x, y in places:
        _spot(pen, x, y)
        turn = 360 / count * virtue.index
        # text runs outwards on the right half and inwards on the left, so that no name is upside down
        right = virtue.index < count / 2
        with pen.turned(*middle, turn - 90 if right else turn + 90):
            near = (radius - RING_HALF_WIDTH - 2) * (1 if right else -1)
            align: Align = "right" if right else "left"
            pen.text(near, -1.9, f"{virtue.lot}  {virtue.latin}", 2.7, face="bold", align=align, width=room)
            pen.text(near, 2.2, virtue.translated, 1.9, align=align, width=room)
    pen.circle(*middle, 1.0, fill=colour("ink"))


def _draw_pointer(pen: Pen) -> None:
    tip, tail, half = POINTER_RADIUS, 30.0, 5.0
    with pen.at(20.0, 60.0):
        pen.polygon(
            [
                (0, 0),
                (14, -half - 3),
                (14, -half / 2),
                (tip - 8, -half),
                (tip + 8, -half),
                (tip + tail, -half / 2),
                (tip + tail, half / 2),
                (tip + 8, half),
                (tip - 8, half),
                (14, half / 2),
                (14, half + 3),
            ],
            fill=colour("dark_field"),
            line=colour("ink"),
            thick=0.3,
        )
        pen.circle(tip, 0, 1.0, fill=colour("paper"), line=colour("ink"), thick=0.3)
        pen.text(0, 22, Sentence("Its point shows the virtue. If it stops on a line, spin again."), 2.2)

"""Men and tokens: Rithmomachia's two-faced men with the parts of the pyramids, tables men, tokens of six players."""

from dataclasses import dataclass
from functools import partial
from math import cos, pi, sin, sqrt

from calibration.kit.boards import colour
from calibration.kit.marks import draw_underlined, turns_into_another
from calibration.kit.paper import Paper
from calibration.kit.pen import Pen
from calibration.kit.plans import sizes
from calibration.kit.sheets import GREY, PrintedPage
from companion.language.sentence import Sentence
from companion.rules.rithmomachia.men import BLACK, WHITE, Part, array, whole_pyramid

FIT = {"circle": 0.68, "square": 0.8, "triangle": 0.46}
"""The largest width of a number on each shape, as a share of its size."""

TALL = {"circle": 0.42, "square": 0.42, "triangle": 0.26}
"""The largest height of its numerals, as a share of its size."""


@dataclass(frozen=True)
class PaperMan:
    """A man of Rithmomachia to cut out. ``size``: diameter or edge in millimetres."""

    part: Part
    size: float


def paper_men(side: int) -> list[PaperMan]:
    """Return a side's men in the order of their ranks, then the parts of its pyramid from the base."""
    measures = sizes()["rithmomachia"]
    standing = [man for row in array(side) for man in row if man is not None and not man.is_pyramid]
    men = [PaperMan(Part(man.shape, man.number), float(measures[man.shape])) for man in standing]
    shares = measures["pyramid"]
    return men + [
        PaperMan(part, float(measures[part.shape]) * share)
        for part, share in zip(whole_pyramid(side), shares, strict=False)
    ]


def rithmomachia_men_pages(paper: Paper) -> list[PrintedPage]:
    """Return the sheets of men: White's faces left and Black's right of a fold; folding a sheet makes both faces."""
    lying = paper.turned
    pitch = float(sizes()["rithmomachia"]["pitch"])
    columns, rows = _grid(lying, pitch)
    men = [*paper_men(WHITE), *paper_men(BLACK)]
    each = columns * rows
    notes = (
        Sentence("Fold back along the dashed line, glue the halves together, and only then cut the men out."),
        Sentence("White's face is on one side, Black's on the other, because captured men change sides."),
        Sentence("The small ones are the parts of the pyramids: stack them."),
    )
    return [
        PrintedPage(notes, lying, partial(_fold, lying, tuple(men[start : start + each])))
        for start in range(0, len(men), each)
    ]


def _grid(lying: Paper, pitch: float) -> tuple[int, int]:
    """Return how many columns fit into half a sheet, and how many rows."""
    width, height = lying.room
    return int((width / 2 - 1.0) // pitch), int(height // pitch)


def men_places(paper: Paper, count: int) -> list[tuple[float, float, float]]:
    """Return the places of ``count`` men: x of White's face, x of Black's, and y (mm in the lying sheet's room)."""
    lying = paper.turned
    pitch = float(sizes()["rithmomachia"]["pitch"])
    columns, _ = _grid(lying, pitch)
    middle = lying.room[0] / 2
    places = []
    for number in range(count):
        away, y = (number % columns + 0.5) * pitch + 1.0, (number // columns + 0.5) * pitch
        places.append((middle - away, middle + away, y))
    return places


def _fold(lying: Paper, men: tuple[PaperMan, ...], pen: Pen) -> None:
    middle = lying.room[0] / 2
    for man, (white, black, y) in zip(men, men_places(lying.turned, len(men)), strict=True):
        for x, owner in ((white, WHITE), (black, BLACK)):
            with pen.at(x, y):
                _draw_man(pen, man, owner)
    pen.line((middle, 0), (middle, lying.room[1]), colour=GREY, thick=0.2, dashes=(3.0, 2.0))


def _draw_man(pen: Pen, man: PaperMan, owner: int) -> None:
    fill, ink = (colour("paper"), colour("ink")) if owner == WHITE else (colour("ink"), colour("paper"))
    shape, size = man.part.shape, man.size
    if shape == "circle":
        pen.circle(0, 0, size / 2, fill=fill, line=GREY)
    elif shape == "square":
        pen.rectangle(-size / 2, -size / 2, size, size, fill=fill, line=GREY)
    else:
        pen.polygon(triangle(size), fill=fill, line=GREY)
    text = str(man.part.number)
    turns = turns_into_another(man.part.number)
    with pen.at(0, size * 0.02 if shape == "triangle" else 0):
        draw_underlined(pen, text, TALL[shape] * size, underlined=turns, colour=ink, width=FIT[shape] * size)


def triangle(edge: float) -> list[tuple[float, float]]:
    """Return the corners of an equilateral triangle about its middle, tip up."""
    reach = edge / sqrt(3)
    return [(reach * sin(turn), -reach * cos(turn)) for turn in (0, 2 * pi / 3, 4 * pi / 3)]


def tables_men_pages(paper: Paper) -> list[PrintedPage]:
    """Return the one sheet of tables men, light and dark, with some spare ones."""
    measures = sizes()["tables"]
    notes = (
        Sentence(
            "Men of {width} mm: {each} on each side and {spare} to spare.",
            width=int(measures["man"]),
            each=measures["each"],
            spare=measures["spare"],
        ),
        Sentence("Glue the sheet on card, or each man on a coin, then cut out."),
    )
    return [PrintedPage(notes, paper, lambda pen: _draw_tables_men(pen, paper))]


def _draw_tables_men(pen: Pen, paper: Paper) -> None:
    measures = sizes()["tables"]
    pitch, radius = float(measures["pitch"]), float(measures["man"]) / 2
    columns = int(paper.room[0] // pitch)
    number = int(measures["each"] + measures["spare"])
    rows = -(-number // columns)
    left = (paper.room[0] - columns * pitch) / 2
    for side, (fill, ring) in enumerate(((colour("paper"), GREY), (colour("ink"), "#5a5a5a"))):
        top = side * (rows * pitch + 4)
        for man in range(number):
            x, y = left + (man % columns + 0.5) * pitch, top + (man // columns + 0.5) * pitch
            pen.circle(x, y, radius, fill=fill, line=GREY)
            pen.circle(x, y, radius * 0.7, line=ring, thick=0.2)


def tokens_pages(paper: Paper) -> list[PrintedPage]:
    """Return the one sheet of tokens: the page's colours of six players, each with the player's number."""
    notes = (
        Sentence(
            "Tokens of {width} mm in the page's colours of the players 1 to 6.",
            width=int(sizes()["tokens"]["diameter"]),
        ),
        Sentence("Cut out those of your players; for two or three players print the sheet twice."),
    )
    return [PrintedPage(notes, paper, lambda pen: _draw_tokens(pen, paper))]


def _draw_tokens(pen: Pen, paper: Paper) -> None:
    measures = sizes()["tokens"]
    pitch, radius = float(measures["pitch"]), float(measures["diameter"]) / 2
    columns, rows = (int(length // pitch) for length in paper.room)
    left = (paper.room[0] - columns * pitch) / 2
    players = measures["colours"]
    for column in range(columns):
        player = column * len(players) // columns
        for row in range(rows):
            with pen.at(left + (column + 0.5) * pitch, (row + 0.5) * pitch):
                pen.circle(0, 0, radius, fill=players[player])
                number = player + 1
                draw_underlined(pen, str(number), 5.0, underlined=turns_into_another(number), colour="#ffffff")

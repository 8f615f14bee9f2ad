"""The marks on faces and men: plain, sturdy, all upright one way; underlined if they could be read upside down."""

from typing import Final

from calibration.kit.pen import Pen, Point
from companion.rules.die import UNDERLINE

ROWS: Final[dict[int, tuple[int, ...]]] = {1: (1,), 2: (2,), 3: (1, 2), 4: (2, 2), 5: (2, 3), 6: (3, 3)}
"""The number of letters in each row of a square face."""

LETTERS_TALL: Final = {1: 0.5, 2: 0.3}
"""The height of capitals on a face with one and with two rows, as a share of the face."""

PITCH: Final = {2: 0.4, 3: 0.28}
"""The distance from letter to letter in the widest row, as a share of the face.

With three letters at a distance of 0.3 or 0.31, the program asked about EIOUAE in all rendered throws tried; 0.28 was
read."""

UPSIDE_DOWN: Final = {"0": "0", "1": "1", "6": "9", "8": "8", "9": "6"}
"""Numerals that are also numerals upside down, and which."""

TRIANGLE_PLACES: Final[tuple[Point, ...]] = ((0.0, -0.22), (-0.21, 0.13), (0.0, 0.13), (0.21, 0.13))
"""The places of four letters on a triangle: from its middle, towards its foot, as shares of its edge.

Of four ways tried on 12 rendered throws of the die alone, two were read 8 times; letters nearer to the edges 4."""

TRIANGLE_LETTERS: Final = 0.17
"""Height of those letters as a share of the edge."""


def turns_into_another(number: int) -> bool:
    """Tell whether a number upside down reads as another one: 6 and 9, 16 and 91, 169 and 691; it may begin with 0."""
    text = str(number)
    if any(digit not in UPSIDE_DOWN for digit in text):
        return False
    return "".join(UPSIDE_DOWN[digit] for digit in reversed(text)) != text


def draw_underlined(
    pen: Pen,
    text: str,
    capital: float,
    *,
    underlined: bool,
    colour: str,
    thick: float = 0.16,
    width: float | None = None,
) -> None:
    """Write a text about the origin, underlined if it would read differently upside down.

    ``thick``: the line's thickness and its distance from the text, as shares of the height of capitals. ``width``: the
    text shrinks to be no wider.
    """
    line = thick if underlined else 0.0
    pen.text(0, 0, text, capital, face="marks", align="middle", colour=colour, width=width, underline=line)


def draw_number(pen: Pen, marks: tuple[str, ...], capital: float, *, colour: str, width: float | None = None) -> None:
    """Write the marks of a face as one number about the origin, no wider than ``width``."""
    text = "".join(mark for mark in marks if mark != UNDERLINE)
    draw_underlined(pen, text, capital, underlined=UNDERLINE in marks, colour=colour, width=width)


def draw_square_face(pen: Pen, marks: tuple[str, ...], edge: float, *, colour: str) -> None:
    """Write the marks of a square face about the origin, upright."""
    if UNDERLINE in marks:
        draw_number(pen, marks, LETTERS_TALL[1] * edge, colour=colour)
        return
    rows = ROWS[len(marks)]
    pitch = PITCH.get(max(rows), 0.0) * edge
    left = list(marks)
    for row, count in enumerate(rows):
        y = (row - (len(rows) - 1) / 2) * 0.42 * edge
        for column in range(count):
            pen.text(
                (column - (count - 1) / 2) * pitch,
                y,
                left.pop(0),
                LETTERS_TALL[len(rows)] * edge,
                face="marks",
                align="middle",
                colour=colour,
                width=0.84 * pitch or None,
                like=marks,
            )


def draw_triangle_face(pen: Pen, marks: tuple[str, ...], edge: float, *, colour: str) -> None:
    """Write four letters on a triangle with its tip up, about its middle: one above three."""
    width = 0.92 * (TRIANGLE_PLACES[3][0] - TRIANGLE_PLACES[2][0]) * edge
    for mark, (x, y) in zip(marks, TRIANGLE_PLACES, strict=True):
        pen.text(
            x * edge,
            y * edge,
            mark,
            TRIANGLE_LETTERS * edge,
            face="marks",
            align="middle",
            colour=colour,
            width=width,
            like=marks,
        )

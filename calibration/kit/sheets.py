"""Pages of the kit and the strip at the foot of each: a ruler to check the scale, a description, the sheet's number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

from reportlab.pdfgen.canvas import Canvas

from calibration.kit.paper import STRIP_HEIGHT, WHITE_MARGIN_MM, Paper
from calibration.kit.pen import UNITS_PER_MILLIMETRE, Pen, fitting, font_name, wrapped

GREY: Final = "#555555"
INCH_MILLIMETRES: Final = 25.4

RULER: Final = (WHITE_MARGIN_MM + 1.0, 3.0)
"""The ruler's zero: millimetres from the left edge of the sheet, and below the upper edge of the strip."""

_WORDS: Final = WHITE_MARGIN_MM + 110.0
"""The start of the words beside the ruler, in millimetres."""


@dataclass(frozen=True)
class PrintedPage:
    """One sheet to print. ``draw`` gets a pen with its origin at the upper left of the sheet's room.

    ``heading`` and ``note`` appear in the strip: what this is, and in plain words what to do with it.
    """

    heading: str
    note: str
    paper: Paper
    draw: Callable[[Pen], None]


def pdf(title: str, pages: Sequence[PrintedPage]) -> bytes:
    """Return the pages as a PDF file; the same pages give the same bytes.

    Raises:
        ValueError: there are no pages.
    """
    if not pages:
        raise ValueError("Expected at least one page to write, but got none.")
    stream = BytesIO()
    own: Any = font_name("plain")  # its type stub declares a font's name as a number
    canvas = Canvas(stream, invariant=1, pageCompression=1, initialFontName=own)
    canvas.setTitle(title)
    canvas.setAuthor("Alea, a companion beside a real table")
    canvas.setViewerPreference("PrintScaling", "None")  # viewers that respect it do not shrink the page to fit
    for number, page in enumerate(pages, 1):
        canvas.setPageSize((page.paper.width * UNITS_PER_MILLIMETRE, page.paper.height * UNITS_PER_MILLIMETRE))
        pen = Pen(canvas, page.paper.height)
        with pen.at(WHITE_MARGIN_MM, WHITE_MARGIN_MM):
            page.draw(pen)
        _strip(pen, page, f"Sheet {number} of {len(pages)}")
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _strip(pen: Pen, page: PrintedPage, number: str) -> None:
    top = page.paper.height - WHITE_MARGIN_MM - STRIP_HEIGHT
    with pen.at(0, top):
        _ruler(pen)
        width = page.paper.width - WHITE_MARGIN_MM - _WORDS
        heading = f"{page.heading}. {number}"
        pen.text(_WORDS, 4.7, heading, fitting(heading, 2.1, width), face="bold")
        room = STRIP_HEIGHT - 6.2
        capital = 1.75
        while len(lines := wrapped(page.note, capital, width)) * capital * 1.75 > room:
            capital -= 0.05
        for place, line in enumerate(lines):
            pen.text(_WORDS, 7.6 + place * capital * 1.75, line, capital, colour=GREY)


def _ruler(pen: Pen) -> None:
    """Draw 100 mm and 4 inches along one line, millimetres above it and inches below."""
    left, y = RULER[0], RULER[1] + 3.0
    for millimetre in range(101):
        tall = 3.0 if millimetre % 10 == 0 else 2.2 if millimetre % 5 == 0 else 1.4
        pen.line((left + millimetre, y), (left + millimetre, y - tall))
    for sixteenth in range(65):
        x = left + sixteenth * INCH_MILLIMETRES / 16
        tall = 3.0 if sixteenth % 16 == 0 else 2.2 if sixteenth % 8 == 0 else 1.4
        pen.line((x, y), (x, y + tall))
    pen.line((left - HALF_TICK, y), (left + 4 * INCH_MILLIMETRES + HALF_TICK, y))
    for ten in range(0, 101, 10):
        pen.text(left + ten, y - 4.2, str(ten), 1.4, align="middle" if 0 < ten < 100 else "left", colour=GREY)
    for inch in range(5):
        pen.text(
            left + inch * INCH_MILLIMETRES, y + 4.2, str(inch), 1.4, align="middle" if inch else "left", colour=GREY
        )
    pen.text(
        left + 0.6, y + 6.9, "To check it: print at 100 %; 0 to 100 above is 100 mm, 0 to 4 below is 4 inches.", 1.35
    )


HALF_TICK: Final = 0.075
"""Half a hairline: the base line ends with its last strokes."""

"""Draw in millimetres from the upper left corner of a sheet, as vectors, with embedded fonts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Final, Literal

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

Point = tuple[float, float]
Face = Literal["plain", "bold", "slanted"]
Align = Literal["left", "middle", "right"]

UNITS_PER_MILLIMETRE: Final = 72 / 25.4
"""PDF units in a millimetre."""

CAPITAL_SHARE: Final = 0.729
"""Height of a capital or a numeral as a share of the nominal font size (Bitstream Vera)."""

HAIRLINE_WIDTH: Final = 0.15
"""The width in millimetres of the thinnest line that home printers draw without gaps."""

_FILES: Final[dict[Face, str]] = {"plain": "Vera.ttf", "bold": "VeraBd.ttf", "slanted": "VeraIt.ttf"}
"""Bitstream Vera is part of the PDF library; its licence allows embedding.

Its bold is plain and sturdy, with an I without serifs."""


@cache
def font_name(face: Face) -> str:
    """Register a face once and return its name in the PDF library."""
    name = f"kit-{face}"
    pdfmetrics.registerFont(TTFont(name, _FILES[face]))
    return name


def text_width(text: str, capital: float, face: Face = "bold") -> float:
    """Return the width of a text in millimetres if its capitals are ``capital`` millimetres high."""
    return float(pdfmetrics.stringWidth(text, font_name(face), capital / CAPITAL_SHARE))


def fitting(text: str, capital: float, width: float, face: Face = "bold") -> float:
    """Return the height of capitals, at most ``capital``, at which the text is no wider than ``width``."""
    wide = text_width(text, capital, face)
    return capital if wide <= width else capital * width / wide


def wrapped(text: str, capital: float, width: float, face: Face = "plain") -> list[str]:
    """Return a text split into lines no wider than ``width`` millimetres."""
    return [str(line) for line in simpleSplit(text, font_name(face), capital / CAPITAL_SHARE, width)]


class Pen:
    """Draws on one sheet. Lengths and line widths are in millimetres; colours as ``"#rrggbb"``; degrees clockwise."""

    def __init__(self, canvas: Canvas, height: float) -> None:
        self._canvas = canvas
        self._height = height
        self._origin: Point = (0.0, 0.0)

    @contextmanager
    def at(self, x: float, y: float, within: tuple[float, float, float, float] | None = None) -> Iterator[None]:
        """Move the origin by x and y; ``within`` (x, y, width, height from the new origin) clips the drawing."""
        before = self._origin
        self._origin = (before[0] + x, before[1] + y)
        self._canvas.saveState()
        if within is not None:
            path = self._canvas.beginPath()
            self._trace(path, _corners(*within))
            self._canvas.clipPath(path, stroke=0, fill=0)
        yield
        self._canvas.restoreState()
        self._origin = before

    @contextmanager
    def turned(self, x: float, y: float, degrees: float) -> Iterator[None]:
        """Move the origin to x and y and turn everything clockwise about it."""
        before = self._origin
        self._canvas.saveState()
        self._canvas.translate(*self._place((x, y)))
        self._canvas.rotate(-degrees)
        self._origin = (0.0, self._height)
        yield
        self._canvas.restoreState()
        self._origin = before

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = None,
        line: str | None = None,
        thick: float = HAIRLINE_WIDTH,
    ) -> None:
        """Draw a rectangle from its upper left corner."""
        self.shapes([_corners(x, y, width, height)], fill=fill, line=line, thick=thick)

    def polygon(
        self,
        points: Sequence[Point],
        *,
        fill: str | None = None,
        line: str | None = None,
        thick: float = HAIRLINE_WIDTH,
    ) -> None:
        """Draw a closed polygon."""
        self.shapes([points], fill=fill, line=line, thick=thick)

    def shapes(
        self,
        outlines: Sequence[Sequence[Point]],
        *,
        fill: str | None = None,
        line: str | None = None,
        thick: float = HAIRLINE_WIDTH,
    ) -> None:
        """Draw several closed polygons as one figure, without visible seams where they touch."""
        self._style(fill, line, thick, ())
        path = self._canvas.beginPath()
        for points in outlines:
            self._trace(path, points)
        self._canvas.drawPath(path, stroke=int(line is not None), fill=int(fill is not None))

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        *,
        fill: str | None = None,
        line: str | None = None,
        thick: float = HAIRLINE_WIDTH,
    ) -> None:
        """Draw a circle."""
        self._style(fill, line, thick, ())
        self._canvas.circle(
            *self._place((x, y)),
            radius * UNITS_PER_MILLIMETRE,
            stroke=int(line is not None),
            fill=int(fill is not None),
        )

    def line(
        self,
        one: Point,
        other: Point,
        *,
        colour: str = "#000000",
        thick: float = HAIRLINE_WIDTH,
        dashes: Sequence[float] = (),
    ) -> None:
        """Draw a straight line, dashed if lengths of dash and gap are given."""
        self._style(None, colour, thick, dashes)
        self._canvas.line(*self._place(one), *self._place(other))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        capital: float,
        *,
        face: Face = "plain",
        align: Align = "left",
        colour: str = "#000000",
        width: float | None = None,
    ) -> None:
        """Write one line. y is the middle of its capitals; if ``width`` is given, the text shrinks to fit."""
        high = capital if width is None else fitting(text, capital, width, face)
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * text_width(text, high, face)
        self._canvas.setFillColor(_colour(colour))
        self._canvas.setFont(font_name(face), high / CAPITAL_SHARE * UNITS_PER_MILLIMETRE)
        self._canvas.drawString(*self._place((x - shift, y + high / 2)), text)

    def paragraph(
        self,
        x: float,
        y: float,
        text: str,
        capital: float,
        width: float,
        *,
        face: Face = "plain",
        colour: str = "#000000",
    ) -> float:
        """Write a text in lines of at most ``width`` from y down, and return where the next text may begin."""
        step = capital * LEADING_CAPITALS
        for line in wrapped(text, capital, width, face):
            self.text(x, y + step / 2, line, capital, face=face, colour=colour)
            y += step
        return y

    def _place(self, point: Point) -> Point:
        x, y = point[0] + self._origin[0], point[1] + self._origin[1]
        return x * UNITS_PER_MILLIMETRE, (self._height - y) * UNITS_PER_MILLIMETRE

    def _trace(self, path: PDFPathObject, points: Sequence[Point]) -> None:
        first, *others = (self._place(point) for point in points)
        path.moveTo(*first)
        for other in others:
            path.lineTo(*other)
        path.close()

    def _style(self, fill: str | None, line: str | None, thick: float, dashes: Sequence[float]) -> None:
        if fill is not None:
            self._canvas.setFillColor(_colour(fill))
        if line is not None:
            self._canvas.setStrokeColor(_colour(line))
            self._canvas.setLineWidth(thick * UNITS_PER_MILLIMETRE)
            self._canvas.setDash([length * UNITS_PER_MILLIMETRE for length in dashes])


LEADING_CAPITALS: Final = 1.85
"""The distance from line to line of a paragraph, in heights of capitals."""


def _corners(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


@cache
def _colour(value: str) -> Color:
    return HexColor(value)

"""Draw in millimetres from the upper left corner of a sheet: vectors as SVG, and words for the typesetter to set."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Any, Final, Literal, TypedDict, Unpack

from companion.language.sentence import Sentence

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, width and height."""
Face = Literal["plain", "bold", "marks"]
"""``marks`` is the face of dice and men: plain and sturdy, with an I without serifs."""
Align = Literal["left", "middle", "right"]

HAIRLINE_WIDTH: Final = 0.15
"""The width in millimetres of the thinnest line that home printers draw without gaps."""

KEPT_IN_OUTLINE: Final = ("#000000", "#ffffff")
"""The fills that stay where ink is saved: a camera needs a marker's black and the white around it."""


class Style(TypedDict, total=False):
    """How a figure looks: its fill, its line and the line's width, a hairline if none is given."""

    fill: str | None
    line: str | None
    thick: float


@dataclass
class Layer:
    """A part of a sheet: its SVG elements and its words, all cut off at ``within`` if there is one."""

    within: Box | None = None
    shapes: list[str] = field(default_factory=list)
    words: list[dict[str, Any]] = field(default_factory=list)


class Pen:
    """Draws on one sheet. Lengths and line widths are in millimetres; colours as ``"#rrggbb"``; degrees clockwise.

    ``say`` puts sentences into the reader's language. ``outline``: areas become lines, except white and black ones.
    ``layers``: what was drawn, the lowest first; within a layer words lie over shapes.
    """

    def __init__(self, say: Callable[[Sentence], str] = str, *, outline: bool = False) -> None:
        self.layers = [Layer()]
        self._say = say
        self._outline = outline
        self._origin: Point = (0.0, 0.0)
        self._turn = 0.0

    @contextmanager
    def at(self, x: float, y: float, within: Box | None = None) -> Iterator[None]:
        """Move the origin by x and y; ``within`` (from the new origin) cuts the drawing off."""
        with self.turned(x, y, 0.0):
            if within is None:
                yield
                return
            left, top = self._place(within[:2])
            self.layers.append(Layer((left, top, within[2], within[3])))
            yield
            self.layers.append(Layer())

    @contextmanager
    def turned(self, x: float, y: float, degrees: float) -> Iterator[None]:
        """Move the origin to x and y and turn everything clockwise about it."""
        before = self._origin, self._turn
        self._origin, self._turn = self._place((x, y)), self._turn + degrees
        yield
        self._origin, self._turn = before

    def rectangle(self, x: float, y: float, width: float, height: float, **style: Unpack[Style]) -> None:
        """Draw a rectangle from its upper left corner."""
        self.shapes([[(x, y), (x + width, y), (x + width, y + height), (x, y + height)]], **style)

    def polygon(self, points: Sequence[Point], **style: Unpack[Style]) -> None:
        """Draw a closed polygon."""
        self.shapes([points], **style)

    def shapes(self, outlines: Sequence[Sequence[Point]], **style: Unpack[Style]) -> None:
        """Draw several closed polygons as one figure, without visible seams where they touch."""
        paths = ("M" + "L".join(f"{x:.4f} {y:.4f}" for x, y in map(self._place, points)) + "Z" for points in outlines)
        self._draw(f'<path d="{"".join(paths)}"', **style)

    def circle(self, x: float, y: float, radius: float, **style: Unpack[Style]) -> None:
        """Draw a circle."""
        middle = self._place((x, y))
        self._draw(f'<circle cx="{middle[0]:.4f}" cy="{middle[1]:.4f}" r="{radius:.4f}"', **style)

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
        (x, y), (right, low) = self._place(one), self._place(other)
        dashed = f' stroke-dasharray="{" ".join(map(str, dashes))}"' if dashes else ""
        self._draw(f'<path d="M{x:.4f} {y:.4f}L{right:.4f} {low:.4f}"{dashed}', line=colour, thick=thick)

    def text(
        self,
        x: float,
        y: float,
        text: str | Sentence,
        capital: float,
        *,
        face: Face = "plain",
        align: Align = "left",
        colour: str = "#000000",
        width: float | None = None,
        like: Sequence[str] = (),
        underline: float = 0.0,
    ) -> None:
        """Write one line, its capitals ``capital`` high. y is the middle of its capitals.

        ``width``: the text shrinks so that it, and each of those ``like`` it, is no wider. ``underline``: the thickness
        of a line below and its distance from the text, as shares of the height of capitals; the text rises by as much.
        """
        words = self._say(text) if isinstance(text, Sentence) else text
        place, like = self._place((x, y)), [words, *like]
        self.layers[-1].words.append(
            {"place": place, "turn": self._turn, "text": words, "capital": capital, "face": face, "align": align}
            | {"colour": colour, "width": width, "like": like, "underline": underline}
        )

    def _place(self, point: Point) -> Point:
        (x, y), turn = point, radians(self._turn)
        return self._origin[0] + x * cos(turn) - y * sin(turn), self._origin[1] + x * sin(turn) + y * cos(turn)

    def _draw(
        self, element: str, fill: str | None = None, line: str | None = None, thick: float = HAIRLINE_WIDTH
    ) -> None:
        if self._outline and fill is not None and fill not in KEPT_IN_OUTLINE:
            fill, line = None, line or "#000000"
        stroke = "" if line is None else f' stroke="{line}" stroke-width="{thick}"'
        self.layers[-1].shapes.append(f'{element} fill="{fill or "none"}"{stroke}/>')

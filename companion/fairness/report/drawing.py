"""The parts of a plot, lines, areas and words, and the plot as SVG for page and PDF.

Lengths are in units of the drawing, x to the right and y down from its upper left corner; 640 units are as wide as the
text. Colour alone never carries a meaning: curves differ by dashes, squares are solid or hollow.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

Point = tuple[float, float]
Tone = Literal["ink", "soft", "rule", "wash", "rubric", "leaf"]
Align = Literal["start", "middle", "end"]

TONES: Final[dict[Tone, str]] = {
    "ink": "#2b1f14",
    "soft": "#5f4f3c",
    "rule": "#cdb88c",
    "wash": "#eadfc4",
    "rubric": "#8f1d24",
    "leaf": "#fffdf6",
}
"""The page's colours; in grey they keep their order from dark to light."""

DRAWING_WIDTH: Final = 640.0
SMALL_LETTERS: Final = 11.0
"""The font size in a plot."""


@dataclass(frozen=True)
class Line:
    """A line through points; ``dashes``: lengths of dash and gap, empty for a solid line."""

    points: tuple[Point, ...]
    tone: Tone = "ink"
    thick: float = 1.0
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True)
class Area:
    """A closed polygon, filled or outlined or both."""

    points: tuple[Point, ...]
    fill: Tone | None = "wash"
    line: Tone | None = None
    thick: float = 1.0


@dataclass(frozen=True)
class Label:
    """A few words; x is their start, end or middle, y their baseline."""

    x: float
    y: float
    text: str
    align: Align = "start"
    tone: Tone = "ink"
    size: float = SMALL_LETTERS
    bold: bool = False


Mark = Line | Area | Label


@dataclass(frozen=True)
class Drawing:
    """A plot: its size, its marks, later ones over earlier ones, and a text for those who cannot see it."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str
    description: str


def box(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle from its upper left corner."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


@dataclass(frozen=True)
class Scale:
    """The positions of values along an axis: ``low`` at ``start``, ``high`` at ``end``."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the position of a value; a value outside the scale gets the nearer end."""
        part = (value - self.low) / (self.high - self.low)
        return round(self.start + min(max(part, 0.0), 1.0) * (self.end - self.start), 2)


def ticks(low: float, high: float, about: int = 5) -> Sequence[float]:
    """Return round values from ``low`` to ``high``, about this many; steps are 1, 2 or 5 times a power of ten."""
    span = max(high - low, 1e-12)
    raw = span / max(1, about)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * by for by in (1, 2, 5, 10) if power * by >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(step * number, 12) for number in range(first, last + 1)]


def svg(drawing: Drawing, name: str) -> str:
    """Return a plot as an ``svg`` element without styles or scripts, so that any Content-Security-Policy allows it.

    ``name`` separates its identifiers from those of other plots on the page.
    """
    marks = "".join(map(_mark, drawing.marks))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="plot" font-family="Alegreya Sans" '
        f'role="img" aria-labelledby="{name}-title {name}-desc" '
        f'viewBox="0 0 {drawing.width:g} {drawing.height:g}">'
        f'<title id="{name}-title">{escape(drawing.title)}</title><desc id="{name}-desc">'
        f"{escape(drawing.description)}</desc>{marks}</svg>"
    )


def _mark(mark: Mark) -> str:
    if isinstance(mark, Line):
        dashes = f' stroke-dasharray="{" ".join(f"{one:g}" for one in mark.dashes)}"' if mark.dashes else ""
        return (
            f'<polyline points="{_points(mark.points)}" fill="none" stroke="{TONES[mark.tone]}" '
            f'stroke-width="{mark.thick:g}" stroke-linejoin="round"{dashes}/>'
        )
    if isinstance(mark, Area):
        line = f' stroke="{TONES[mark.line]}" stroke-width="{mark.thick:g}"' if mark.line else ""
        fill = TONES[mark.fill] if mark.fill else "none"
        return f'<polygon points="{_points(mark.points)}" fill="{fill}"{line}/>'
    return _label(mark)


def _label(mark: Label) -> str:
    bold = ' font-weight="bold"' if mark.bold else ""
    return (
        f'<text x="{mark.x:g}" y="{mark.y:g}" font-size="{mark.size:g}" fill="{TONES[mark.tone]}" '
        f'text-anchor="{mark.align}"{bold}>{escape(mark.text)}</text>'
    )


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)

"""A plot as SVG: without styles or scripts, so that any Content-Security-Policy allows it."""

from html import escape

from companion.fairness.report.drawing import TONES, Area, Drawing, Label, Line, Mark, Point


def svg(drawing: Drawing, name: str) -> str:
    """Return a plot as an ``svg`` element; ``name`` separates its identifiers from those of other plots on the page."""
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

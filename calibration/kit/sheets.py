"""Pages of the kit, each with a strip at its foot: a ruler to check the scale, a description, the sheet's number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from calibration.kit.paper import STRIP_HEIGHT, WHITE_MARGIN_MM, Paper
from calibration.kit.pen import Layer, Pen
from companion.printing.setting import set_pages

GREY: Final = "#555555"

RULER: Final = (WHITE_MARGIN_MM + 1.0, 3.0)
"""The ruler's zero: millimetres from the left edge of the sheet, and below the upper edge of the strip."""


@dataclass(frozen=True)
class PrintedPage:
    """One sheet to print. ``draw`` gets a pen with its origin at the upper left of the sheet's room.

    ``heading`` and ``note`` appear in the strip: what this is, and in plain words what to do with it.
    """

    heading: str
    note: str
    paper: Paper
    draw: Callable[[Pen], None]


def pdf(title: str, pages: Sequence[PrintedPage], made: date | None = None, *, outline: bool = False) -> bytes:
    """Return the pages as a PDF file of today, or of another date; ``outline`` saves ink, see `Pen`.

    Raises:
        ValueError: there are no pages.
    """
    if not pages:
        raise ValueError("Expected at least one page to write, but got none.")
    pictures: dict[str, str] = {}
    sheets = [
        _sheet(page, f"{number} of {len(pages)}", pictures, outline=outline) for number, page in enumerate(pages, 1)
    ]
    data = {
        "title": title,
        "language": "en",
        "strip": STRIP_HEIGHT,
        "margin": WHITE_MARGIN_MM,
        "ruler": RULER,
        "sheets": sheets,
    }
    return set_pages("sheets", data, made or datetime.now().astimezone().date(), pictures)


def _sheet(page: PrintedPage, number: str, pictures: dict[str, str], *, outline: bool) -> dict[str, Any]:
    """Return a sheet as the template reads it, and add what is drawn on it to the pictures."""
    pen = Pen(outline=outline)
    with pen.at(WHITE_MARGIN_MM, WHITE_MARGIN_MM):
        page.draw(pen)
    layers = [_layer(layer, page.paper, pictures) for layer in pen.layers if layer.shapes or layer.words]
    heading = f"{page.heading}. Sheet {number}"
    return {"size": page.paper.size, "heading": heading, "note": page.note, "layers": layers}


def _layer(layer: Layer, paper: Paper, pictures: dict[str, str]) -> dict[str, Any]:
    left, top, width, height = layer.within or (0.0, 0.0, *paper.size)
    name = f"layer-{len(pictures)}.svg"
    pictures[name] = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{left} {top} {width} {height}">{"".join(layer.shapes)}</svg>'
    )
    return {"place": (left, top), "size": (width, height), "drawn": name, "words": layer.words}

"""Pages of the kit, each with a strip at its foot: a ruler to check the scale, a description, the sheet's number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from calibration.kit.paper import STRIP_HEIGHT, WHITE_MARGIN_MM, Paper
from calibration.kit.pen import Layer, Pen
from companion.language.sentence import Sentence
from companion.language.texts import load
from companion.printing.setting import PrintedDocument

GREY: Final = "#555555"

RULER: Final = (WHITE_MARGIN_MM + 1.0, 3.0)
"""The ruler's zero: millimetres from the left edge of the sheet, and below the upper edge of the strip."""


@dataclass(frozen=True)
class PrintedPage:
    """One sheet to print. ``draw`` gets a pen with its origin at the upper left of the sheet's room.

    ``notes`` and ``where`` appear in the strip: what to do with it, in plain words, and which part of the whole it is.
    """

    notes: tuple[Sentence, ...]
    paper: Paper
    draw: Callable[[Pen], None]
    where: tuple[Sentence, ...] = ()


def document(
    title: Sentence,
    pages: Sequence[PrintedPage],
    made: date | None = None,
    *,
    language: str = "en",
    outline: bool = False,
) -> PrintedDocument:
    """Return the pages as a document of today, or of another date; ``outline`` saves ink, see `Pen`.

    Raises:
        ValueError: there are no pages.
    """
    if not pages:
        raise ValueError("Expected at least one page to write, but got none.")
    words, pictures = load(language), dict[str, str]()

    def say(sentence: Sentence) -> str:
        return words.translate(sentence.to_json())

    sheets = []
    for number, page in enumerate(pages, 1):
        pen = Pen(say, outline=outline)
        with pen.at(WHITE_MARGIN_MM, WHITE_MARGIN_MM):
            page.draw(pen)
        layers = [_layer(layer, page.paper, pictures) for layer in pen.layers if layer.shapes or layer.words]
        named = (title, *page.where, Sentence("Sheet {number} of {count}", number=number, count=len(pages)))
        heading, note = ". ".join(map(say, named)), " ".join(map(say, page.notes))
        sheets.append({"size": page.paper.size, "heading": heading, "note": note, "layers": layers})
    data = {
        "title": say(title),
        "language": language,
        "strip": STRIP_HEIGHT,
        "margin": WHITE_MARGIN_MM,
        "ruler": RULER,
        "check": say(CHECK),
        "sheets": sheets,
    }
    return PrintedDocument("sheets", data, made or datetime.now().astimezone().date(), pictures)


CHECK: Final = Sentence("To check it: print at 100 %; 0 to 100 above is 100 mm, 0 to 4 below is 4 inches.")


def _layer(layer: Layer, paper: Paper, pictures: dict[str, str]) -> dict[str, Any]:
    left, top, width, height = layer.within or (0.0, 0.0, *paper.size)
    name = f"layer-{len(pictures)}.svg"
    pictures[name] = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{left} {top} {width} {height}">{"".join(layer.shapes)}</svg>'
    )
    words = [word for word in layer.words if _seen(word, left, top, left + width, top + height)]
    return {"place": (left, top), "size": (width, height), "drawn": name, "words": words}


def _seen(word: dict[str, Any], left: float, top: float, right: float, low: float) -> bool:
    """Tell whether a word may lie within these edges; a generous guess, so that no sheet holds all words of a board."""
    (x, y), high = word["place"], 0.6 * word["capital"]
    long = word["width"] or word["capital"] * len(word["text"])
    before, after = {"left": (0.0, long), "middle": (long / 2, long / 2), "right": (long, 0.0)}[word["align"]]
    if word["turn"]:
        before = after = high = max(before, after)
    return bool(left < x + after and x - before < right and top < y + high and y - high < low)

"""Every sheet of the kit as its reader sees it: size of type, contrast, margins, whole words, room that is used."""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest

from calibration.kit.catalogue import PARTS, DrawnPart
from calibration.kit.paper import ALL_PAPERS
from companion.language.texts import load
from companion.vision.boards.kit import kit_boards
from tests.printed_pages import (
    LEAST_CONTRAST,
    contrasts,
    covered,
    emptiest,
    lines_of,
    margin_is_empty,
    pictures_of,
    smallest_type,
    unembedded,
)

WAYS: Final = (("a4", "en"), ("letter", "de"), ("a3", "fr"), ("a4", "es"))
"""Each language, and each paper of which sheets differ; A2 differs from A3 in size alone."""

FREE_CUT: Final = {
    "many-sided-dice",
    "letter-dice",
    "ludix-dice",
    "charuco",
    "tokens",
    "tables-men",
    "rithmomachia-men",
}
"""Parts to cut out, true to scale: what their sheets leave empty is not for words."""


@cache
def printed(part: str, paper: str, language: str) -> bytes:
    return PARTS[part].pdf(ALL_PAPERS[paper], language)


@cache
def opened(part: str, paper: str, language: str) -> tuple[pypdfium2.PdfDocument, list[pypdfium2.PdfPage]]:
    """Return a part's file and its sheets."""
    document = pypdfium2.PdfDocument(printed(part, paper, language))
    return document, list(document)


@cache
def pages(part: str, paper: str, language: str) -> list[npt.NDArray[np.uint8]]:
    """Return each page as a picture."""
    return pictures_of(opened(part, paper, language)[1])


def cases() -> list[tuple[str, str, str]]:
    return [(part, paper, language) for part in PARTS for paper, language in WAYS]


@pytest.mark.parametrize(("part", "paper", "language"), cases())
def test_a_sheet_can_be_read(part: str, paper: str, language: str) -> None:
    data = printed(part, paper, language)
    document, sheets = opened(part, paper, language)
    half = max(ALL_PAPERS[paper].size) / 2
    vignettes = [(right - 36, 6, right - 6, 28) for right in (half, 2 * half)] if part == "rule-cards" else []
    assert smallest_type(sheets, vignettes) >= 6.99
    assert not unembedded(data)
    about = document.get_metadata_dict()
    assert about["Author"] == "Alea"
    if isinstance(PARTS[part], DrawnPart):
        title = PARTS[part].title
        assert about["Title"] == load(language).translate({"template": title, "text": str(title), "parts": {}})
    assert len(sheets) == PARTS[part].sheets(ALL_PAPERS[paper])
    best: dict[str, float] = {}  # a word that a joint cuts is whole on the sheet beside it
    for grey, page in zip(pages(part, paper, language), sheets, strict=True):
        assert margin_is_empty(grey)
        texts, lines = lines_of(page)
        for text, seen in zip(texts, contrasts(grey, lines), strict=True):
            best[text] = max(best.get(text, 0.0), seen)
        assert part == "virtues-wheel" or not covered(lines).any(), "a line lies on another"
    if part == "virtues-wheel":  # its words are turned: the box of one holds parts of others, which a joint hides
        best = {text: seen for text, seen in best.items() if seen > 1}
    assert {text: seen for text, seen in best.items() if seen < LEAST_CONTRAST} == {}


@pytest.mark.parametrize(("part", "paper", "language"), cases())
def test_no_third_of_a_sheet_is_empty(part: str, paper: str, language: str) -> None:
    """Boards end where they end; of a card's sheet each half is a side."""
    if part in kit_boards() or part in FREE_CUT:
        return
    for grey in pages(part, paper, language):
        for side in np.array_split(grey, 2, axis=1) if part == "rule-cards" else [grey]:
            assert emptiest(side) < 1 / 3

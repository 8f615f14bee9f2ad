"""A report as PDF, in A4 or Letter: a certificate of one page to lie beside the die, and behind it all its grounds."""

from datetime import date
from typing import Any, Final, Literal

from companion.fairness.report.contents import Report
from companion.fairness.report.document import (
    Block,
    Code,
    Document,
    FacePictures,
    Figure,
    Paragraph,
    ReportTable,
    Section,
)
from companion.fairness.report.drawing import svg
from companion.fairness.report.html import cell_text
from companion.fairness.report.sections_about import document_of
from companion.fairness.report.wording import translated
from companion.language.sentence import Sentence
from companion.language.texts import Texts
from companion.printing.setting import PrintedDocument, photograph

PaperName = Literal["a4", "letter"]
PAPERS: Final[tuple[PaperName, ...]] = ("a4", "letter")

UNDATED: Final = date(2000, 1, 1)
"""The date in the file of a report that names none."""


def to_pdf(report: Report, words: Texts, paper: PaperName = "a4") -> bytes:
    """Return a report as a PDF file; the same report in the same language gives the same bytes."""
    return document_pdf(document_of(report), report.account.made, words, paper)


def document_pdf(document: Document, made: str, words: Texts, paper: PaperName = "a4") -> bytes:
    """Return a document of this day (ISO 8601, or empty) as a PDF file: a report on a die, or on a batch."""
    return _Set(words, paper).pdf(document, date.fromisoformat(made) if made else UNDATED)


class _Set:
    """A document as a template reads it, with the pictures that it names."""

    def __init__(self, words: Texts, paper: PaperName) -> None:
        self._words, self._paper = words, paper
        self._pictures: dict[str, str] = {}

    def pdf(self, document: Document, made: date) -> bytes:
        count = Sentence("Page {number} of {count}", number="<number>", count="<count>")
        data = {
            "title": document.title,
            "subtitle": self._translated(document.subtitle),
            "language": self._words.language,
            "paper": self._paper,
            "page": self._translated(count),
            "annex": self._translated(Sentence("Annex: what this rests on")),
            "answer": [self._block(paragraph) for paragraph in document.answer],
            "sections": [self._section(section) for section in document.sections],
        }
        return PrintedDocument("report", data, made, self._pictures).pdf()

    def _translated(self, sentence: Sentence) -> str:
        return translated(sentence, self._words)

    def _section(self, section: Section) -> dict[str, Any]:
        return {"heading": self._translated(section.heading), "blocks": list(map(self._block, section.blocks))}

    def _block(self, block: Block) -> dict[str, Any]:
        match block:
            case Paragraph(sentence, kind):
                return {"kind": kind, "text": self._translated(sentence)}
            case Code(text):
                return {"kind": "code", "text": text}
            case Figure(name, draw):
                drawing = draw(self._words)
                file = self._kept(f"plot-{name}.svg", svg(drawing, name))
                return {"kind": "figure", "file": file, "caption": drawing.title, "described": drawing.description}
            case FacePictures(pictures):
                return {
                    "kind": "pictures",
                    "pictures": [{"file": self._photograph(one), "label": label} for label, one in pictures],
                }
            case ReportTable(_, head, rows, pairs):
                return {
                    "kind": "pairs" if pairs else "table",
                    "head": [cell_text(cell, self._words, str) for cell in head],
                    "rows": [[cell_text(cell, self._words, str) for cell in row] for row in rows],
                    "right": block.numeric,
                }

    def _photograph(self, content: bytes) -> str:
        return self._kept(f"photograph-{len(self._pictures)}.svg", photograph(content))

    def _kept(self, file: str, content: str) -> str:
        self._pictures[file] = content
        return file

"""A report as PDF, in A4 or Letter: a certificate of one page to lie beside the die, and behind it all its grounds."""

from datetime import date
from typing import Final, Literal

from companion.fairness.report.contents import Report
from companion.fairness.report.document import Document
from companion.fairness.report.drawing import svg
from companion.fairness.report.plain import PlainReport
from companion.fairness.report.sections_about import document_of
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
    pictures: dict[str, str] = {}

    def kept(file: str, content: str) -> str:
        pictures[file] = content
        return file

    written = PlainReport(
        words,
        lambda name, drawing: kept(f"plot-{name}.svg", svg(drawing, name)),
        lambda jpeg: kept(f"photograph-{len(pictures)}.svg", photograph(jpeg)),
    )
    data = written.document(document) | {
        "paper": paper,
        "page": written.sentence(Sentence("Page {number} of {count}", number="<number>", count="<count>")),
        "annex": written.sentence(Sentence("Annex: what this rests on")),
    }
    return PrintedDocument("report", data, date.fromisoformat(made) if made else UNDATED, pictures).pdf()

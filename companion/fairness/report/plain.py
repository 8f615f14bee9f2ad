"""A document in a reader's language as plain data: the templates of page and paper read the same."""

from collections.abc import Callable
from typing import Any

from companion.fairness.report.document import (
    Block,
    Cell,
    Code,
    Document,
    FacePictures,
    Figure,
    Number,
    Paragraph,
    ReportTable,
    Section,
)
from companion.fairness.report.drawing import Drawing
from companion.fairness.report.wording import translated
from companion.language.sentence import Sentence
from companion.language.texts import Texts


class PlainReport:
    """Writes documents in a language.

    Args:
        words: the texts of the language.
        plot: returns what a template puts in place of a plot with this name.
        photograph: returns the same of a JPEG.
    """

    def __init__(self, words: Texts, plot: Callable[[str, Drawing], str], photograph: Callable[[bytes], str]) -> None:
        self._words, self._plot, self._photograph = words, plot, photograph

    def document(self, document: Document) -> dict[str, Any]:
        """Return a whole document; each block says its ``kind``."""
        return {
            "title": document.title,
            "subtitle": self.sentence(document.subtitle),
            "language": self._words.language,
            "answer": [self._block(paragraph) for paragraph in document.answer],
            "sections": [self._section(section) for section in document.sections],
        }

    def sentence(self, sentence: Sentence) -> str:
        """Return a sentence."""
        return translated(sentence, self._words)

    def _section(self, section: Section) -> dict[str, Any]:
        heading = self.sentence(section.heading)
        return {"name": section.name, "heading": heading, "blocks": list(map(self._block, section.blocks))}

    def _block(self, block: Block) -> dict[str, Any]:
        match block:
            case Paragraph(sentence, kind):
                return {"kind": kind, "text": self.sentence(sentence)}
            case Code(text):
                return {"kind": "code", "text": text}
            case Figure(name, draw):
                drawing = draw(self._words)
                file = self._plot(name, drawing)
                return {"kind": "figure", "file": file, "caption": drawing.title, "described": drawing.description}
            case FacePictures(pictures):
                return {"kind": "pictures", "pictures": [self._face(label, jpeg) for label, jpeg in pictures]}
            case ReportTable(about, head, rows, pairs):
                return {
                    "kind": "pairs" if pairs else "table",
                    "about": self.sentence(about),
                    "head": list(map(self._cell, head)),
                    "rows": [list(map(self._cell, row)) for row in rows],
                    "right": [
                        all(isinstance(row[at], Number) or row[at] == "" for row in rows) for at in range(len(head))
                    ],
                }

    def _cell(self, cell: Cell) -> str:
        if isinstance(cell, Number):
            return self._words.number(cell.value, cell.digits)
        return self.sentence(cell) if isinstance(cell, Sentence) else cell

    def _face(self, label: str, jpeg: bytes) -> dict[str, str]:
        named = Sentence("The face {face}", face=label) if label else Sentence("The die, as it lay at a throw")
        return {"file": self._photograph(jpeg), "label": label, "named": self.sentence(named)}

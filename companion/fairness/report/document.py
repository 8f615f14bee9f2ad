"""What a report is written in, before it becomes a page or a PDF: sections of sentences, tables, plots and pictures."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from companion.fairness.report.drawing import Drawing
from companion.fairness.report.wording import Words
from companion.language.sentence import Sentence


@dataclass(frozen=True)
class Number:
    """A number in a cell, with so many digits behind the decimal sign."""

    value: float
    digits: int = 0


Cell = Sentence | Number | str
"""What stands in a table: words, a number, or something that is the same in every language (a face, a name)."""


@dataclass(frozen=True)
class Paragraph:
    """A sentence of its own line. ``lead``: the answer; ``text``; ``note``: how something is to be understood."""

    sentence: Sentence
    kind: Literal["lead", "text", "note"] = "text"


@dataclass(frozen=True)
class Table:
    """Rows under a head; the first column names its row. ``about`` says what it holds to those who do not see it.

    ``pairs``: it merely lists names and what belongs to them, and has no head.
    """

    about: Sentence
    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    pairs: bool = False


@dataclass(frozen=True)
class Figure:
    """A plot, drawn in the language of the reader."""

    name: str
    draw: Callable[[Words], Drawing]


@dataclass(frozen=True)
class Pictures:
    """Photographs of faces: JPEG by label."""

    pictures: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True)
class Code:
    """Something to be typed as it stands."""

    text: str


Block = Paragraph | Table | Figure | Pictures | Code


@dataclass(frozen=True)
class Section:
    """A part of a report with a heading; ``name`` is the same in every language."""

    name: str
    heading: Sentence
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Document:
    """A report: its title, what it is, the answer, and the sections."""

    title: str
    subtitle: Sentence
    answer: tuple[Paragraph, ...]
    sections: tuple[Section, ...]

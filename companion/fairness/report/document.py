"""A report before it becomes a page or a PDF: sections of sentences, tables, plots and pictures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from companion.fairness.report.drawing import Drawing
from companion.language.sentence import Sentence
from companion.language.texts import Texts


@dataclass(frozen=True)
class Number:
    """A number in a cell, with ``digits`` digits after the decimal separator."""

    value: float
    digits: int = 0


Cell = Sentence | Number | str
"""The content of a cell: words, a number, or something that is the same in every language (a face, a name)."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of one sentence. ``lead``: the answer; ``text``; ``note``: an explanation."""

    sentence: Sentence
    kind: Literal["lead", "text", "note"] = "text"


@dataclass(frozen=True)
class ReportTable:
    """Rows under a head; the first column names its row. ``about`` describes the contents to those who cannot see them.

    ``pairs``: the table only lists names with their values, and has no head.
    """

    about: Sentence
    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    pairs: bool = False


@dataclass(frozen=True)
class Figure:
    """A plot, drawn in the reader's language."""

    name: str
    draw: Callable[[Texts], Drawing]


@dataclass(frozen=True)
class FacePictures:
    """Photographs of faces: JPEG by label."""

    pictures: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True)
class Code:
    """Text to type exactly as it is."""

    text: str


Block = Paragraph | ReportTable | Figure | FacePictures | Code


@dataclass(frozen=True)
class Section:
    """A part of a report with a heading; ``name`` is the same in every language."""

    name: str
    heading: Sentence
    blocks: tuple[Block, ...]


Of = TypeVar("Of")


def section(name: str, heading: Sentence) -> Callable[[Callable[[Of], Iterator[Block]]], Callable[[Of], Section]]:
    """Make a function that yields the blocks of a section return the section."""
    return lambda blocks: lambda of: Section(name, heading, tuple(blocks(of)))


@dataclass(frozen=True)
class Document:
    """A report: its title, its subtitle, the answer and the sections."""

    title: str
    subtitle: Sentence
    answer: tuple[Paragraph, ...]
    sections: tuple[Section, ...]

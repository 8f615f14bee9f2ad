"""A report as HTML: one file that needs nothing else, or a part of a page that has its own stylesheet."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

from companion.fairness.report.contents import Report
from companion.fairness.report.document import (
    Block,
    Cell,
    Document,
    FacePictures,
    Figure,
    Number,
    Paragraph,
    ReportTable,
    Section,
)
from companion.fairness.report.drawing import svg
from companion.fairness.report.sections_about import document_of
from companion.fairness.report.wording import translated
from companion.language.sentence import Sentence
from companion.language.texts import Texts

NUMBERS: Final = ' class="report-number"'
"""The attribute of a cell that stands to the right."""

SCROLLED_COLUMNS: Final = 7
"""A table with more columns than this may be wider than a phone, and then scrolls by itself."""


def stylesheet() -> str:
    """Return the stylesheet of a report, for screen and paper; all its rules apply inside ``.report`` only."""
    return (files(__package__) / "report.css").read_text(encoding="utf-8")


def to_html(report: Report, words: Texts) -> str:
    """Return a report as a page in one file, as `page_of` does."""
    return page_of(document_of(report), words)


def page_of(document: Document, words: Texts) -> str:
    """Return a document as a page in one file: it loads nothing, and contains nothing executable."""
    style = stylesheet()
    digest = b64encode(sha256(style.encode()).digest()).decode()
    allowed = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'"
    return (
        f'<!doctype html>\n<html lang="{escape(words.language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(document.title)}</title>\n<style>{style}</style>\n</head>\n"
        f'<body class="report-page">\n<main>\n{"".join(_article(document, words))}</main>\n</body>\n</html>\n'
    )


def _article(document: Document, words: Texts) -> Iterator[str]:
    yield '<article class="report">\n<header>\n'
    yield f'<p class="report-kind">{escape(translated(document.subtitle, words))}</p>\n'
    yield f"<h1><bdi>{escape(document.title)}</bdi></h1>\n"
    for paragraph in document.answer:
        yield _paragraph(paragraph, words)
    yield "</header>\n"
    for section in document.sections:
        yield from _section(section, words)
    yield "</article>\n"


def _section(section: Section, words: Texts) -> Iterator[str]:
    heading = f"report-{section.name}"
    yield f'<section class="report-section" aria-labelledby="{heading}">\n'
    yield f'<h2 id="{heading}">{escape(translated(section.heading, words))}</h2>\n'
    for block in section.blocks:
        yield _block(block, words)
    yield "</section>\n"


def _block(block: Block, words: Texts) -> str:
    if isinstance(block, Paragraph):
        return _paragraph(block, words)
    if isinstance(block, ReportTable):
        return _pairs(block, words) if block.pairs else _table(block, words)
    if isinstance(block, Figure):
        drawing = block.draw(words)
        caption = escape(drawing.title)
        plot = svg(drawing, f"plot-{block.name}")
        return f"<figure>{_wide(plot, caption)}<figcaption>{caption}</figcaption></figure>\n"
    if isinstance(block, FacePictures):
        return _pictures(block, words)
    return f'<pre dir="ltr"><code>{escape(block.text)}</code></pre>\n'


def _paragraph(paragraph: Paragraph, words: Texts) -> str:
    kind = "" if paragraph.kind == "text" else f' class="report-{paragraph.kind}"'
    return f"<p{kind}>{escape(translated(paragraph.sentence, words))}</p>\n"


def _table(table: ReportTable, words: Texts) -> str:
    about = escape(translated(table.about, words))
    head = "".join(
        f'<th scope="col"{NUMBERS if numeric else ""}>{cell_text(cell, words, escape)}</th>'
        for cell, numeric in zip(table.head, table.numeric, strict=True)
    )
    rows = "".join(f"<tr>{_cells(row, words)}</tr>\n" for row in table.rows)
    whole = (
        f'<table><caption class="report-unseen">{about}</caption>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody></table>\n"
    )
    if len(table.head) <= SCROLLED_COLUMNS:
        return whole
    return _wide(whole, about)


def _wide(inner: str, about: str) -> str:
    """Let content that is wider than a phone scroll by itself, by keyboard too."""
    return f'<div class="report-wide" role="region" tabindex="0" aria-label="{about}">{inner}</div>\n'


def _cells(row: tuple[Cell, ...], words: Texts) -> str:
    first, *others = row
    cells = "".join(
        f"<td{NUMBERS if isinstance(cell, Number) else ''}>{cell_text(cell, words, escape)}</td>" for cell in others
    )
    return f'<th scope="row"><bdi>{cell_text(first, words, escape)}</bdi></th>{cells}'


def _pairs(table: ReportTable, words: Texts) -> str:
    rows = "".join(
        f"<div><dt>{cell_text(name, words, escape)}</dt><dd><bdi>{cell_text(value, words, escape)}</bdi></dd></div>\n"
        for name, value in table.rows
    )
    return f"<dl>\n{rows}</dl>\n"


def cell_text(cell: Cell, words: Texts, safe: Callable[[str], str]) -> str:
    """Return the content of a cell in the reader's language; ``safe`` escapes a text for the output format."""
    if isinstance(cell, Number):
        return safe(words.number(cell.value, cell.digits))
    return safe(translated(cell, words) if isinstance(cell, Sentence) else cell)


def _pictures(block: FacePictures, words: Texts) -> str:
    shown = ""
    for label, picture in block.pictures:
        named = escape(translated(_name(label), words))
        source = f"data:image/jpeg;base64,{b64encode(picture).decode()}"
        shown += f'<li><img src="{source}" alt="{named}"><bdi>{escape(label)}</bdi></li>\n'
    return f'<ul class="report-pictures">\n{shown}</ul>\n'


def _name(label: str) -> Sentence:
    return Sentence("The face {face}", face=label) if label else Sentence("The die, as it lay at a throw")

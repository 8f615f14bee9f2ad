"""A report as PDF, in A4 or Letter: the same document as the page, with plots as vectors and embedded fonts."""

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import Any, Final, Literal
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_RIGHT
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    HRFlowable,
    Image,
    KeepTogether,
    PageBreak,
    PageTemplate,
    Spacer,
)
from reportlab.platypus import Paragraph as Text
from reportlab.platypus import Table as Grid

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
from companion.fairness.report.drawing import TONES, Area, Drawing, Label, Line, Tone
from companion.fairness.report.html import cell_text
from companion.fairness.report.sections_about import document_of
from companion.fairness.report.wording import RAISED, ReportWords, translated
from companion.language.sentence import Sentence

PaperName = Literal["a4", "letter"]
PAPERS: Final[dict[PaperName, tuple[float, float]]] = {"a4": A4, "letter": LETTER}

MARGIN: Final = 20 * mm
FOOT: Final = 12 * mm

_FONTS: Final = {"plain": "Vera.ttf", "bold": "VeraBd.ttf", "slanted": "VeraIt.ttf"}
"""Bitstream Vera is part of the PDF library; its licence allows embedding."""

_SPACES: Final = dict.fromkeys(map(ord, "\u202f\u2009\u2007"), "\u00a0")
"""Narrow spaces that languages put into numbers and that these fonts lack."""


def to_pdf(report: Report, words: ReportWords, paper: PaperName = "a4") -> bytes:
    """Return a report as a PDF file; the same report in the same language gives the same bytes."""
    document = document_of(report)
    stream = BytesIO()
    width, height = PAPERS[paper]
    template = _Outlined(
        stream,
        pagesize=(width, height),
        title=_known(document.title),
        author="Alea",
        subject=_known(translated(document.subtitle, words)),
        lang=words.language,
        invariant=1,
        pageCompression=1,
        displayDocTitle=1,
        initialFontName=_font("plain"),
    )
    frame = Frame(MARGIN, MARGIN, width - 2 * MARGIN, height - 2 * MARGIN, 0, 0, 0, 0)
    template.addPageTemplates(PageTemplate(frames=[frame]))
    template.build(list(_story(document, words, width - 2 * MARGIN)), canvasmaker=_numbered(document, words))
    return stream.getvalue()


class _Outlined(BaseDocTemplate):
    """A document whose headings appear in the viewer's table of contents."""

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802  (the library's name)
        if isinstance(flowable, _Heading):
            self.canv.bookmarkPage(flowable.name)
            self.canv.addOutlineEntry(flowable.text, flowable.name, 0)


class _Heading(Text):
    """A heading; links refer to it by ``name``."""

    def __init__(self, name: str, text: str, style: ParagraphStyle) -> None:
        super().__init__(_safe(text), style)
        self.name, self.text = name, _clipped(_known(text))


def _numbered(document: Document, words: ReportWords) -> type[Canvas]:
    """Return a canvas that writes the page number and their total at the foot of each page, once all are made."""
    title = _clipped(_known(document.title))

    class Numbered(Canvas):
        _startPage: Callable[[], None]  # noqa: N815  (the library's name)
        _pagesize: tuple[float, float]

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self._made: list[dict[str, Any]] = []

        def showPage(self) -> None:  # noqa: N802  (the library's name)
            self._made.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for number, page in enumerate(self._made, 1):
                self.__dict__.update(page)
                self.setFont(_font("plain"), 7.5)
                self.setFillColor(_colour("soft"))
                count = Sentence("Page {number} of {count}", number=number, count=len(self._made))
                self.drawRightString(self._pagesize[0] - MARGIN, FOOT, _known(translated(count, words)))
                self.drawString(MARGIN, FOOT, title)
                super().showPage()
            super().save()

    return Numbered


def _story(document: Document, words: ReportWords, width: float) -> Iterator[Flowable]:
    yield Text(_safe(translated(document.subtitle, words)), _style("kind"))
    yield _Heading("title", document.title, _style("title"))
    for paragraph in document.answer:
        yield _paragraph(paragraph, words)
    yield HRFlowable("100%", 0.8, color=_colour("rule"), spaceBefore=3, spaceAfter=2)
    for section in document.sections:
        yield from _section(section, words, width)
        if section.name == "summary":
            yield PageBreak()


def _section(section: Section, words: ReportWords, width: float) -> Iterator[Flowable]:
    heading = _Heading(f"section-{section.name}", translated(section.heading, words), _style("heading"))
    first, *others = section.blocks
    yield KeepTogether([heading, *_block(first, words, width)])
    for block in others:
        flowables = _block(block, words, width)
        yield KeepTogether(flowables) if _whole(block) else flowables[0]


def _whole(block: Block) -> bool:
    """Tell whether a block must stay on one page: a plot with its caption, a short table."""
    return isinstance(block, Figure) or (isinstance(block, ReportTable) and len(block.rows) <= _SHORT_TABLE_ROWS)


def _block(block: Block, words: ReportWords, width: float) -> list[Flowable]:
    if isinstance(block, Figure):
        drawing = block.draw(words)
        return [_Plot(drawing, width), Text(_safe(drawing.title), _style("caption"))]
    if isinstance(block, Paragraph):
        return [_paragraph(block, words)]
    if isinstance(block, ReportTable):
        return [_pairs(block, words, width) if block.pairs else _table(block, words, width)]
    return [_pictures(block, width) if isinstance(block, FacePictures) else Text(_safe(block.text), _style("code"))]


def _paragraph(paragraph: Paragraph, words: ReportWords) -> Flowable:
    return Text(_safe(translated(paragraph.sentence, words)), _style(paragraph.kind))


def _table(table: ReportTable, words: ReportWords, width: float) -> Flowable:
    columns = len(table.head)
    size = next(size for most, size in _SIZES if columns <= most)
    numbers = [all(isinstance(row[at], Number) or row[at] == "" for row in table.rows) for at in range(columns)]
    rows = [
        [
            Text(_cell(cell, words), _cell_style("head", size, right=right))
            for cell, right in zip(table.head, numbers, strict=True)
        ]
    ]
    rows += [
        [
            Text(_cell(cell, words), _cell_style("bold" if at == 0 else "plain", size, right=right))
            for at, (cell, right) in enumerate(zip(row, numbers, strict=True))
        ]
        for row in table.rows
    ]
    return _ruled(rows, _widths(table, words, width, size), head=True)


_SHORT_TABLE_ROWS: Final = 14
"""The most rows of a short table."""

_SIZES: Final = ((7, 8.5), (10, 7.0), (15, 6.0), (99, 4.6))
"""The font size of a table by its largest number of columns."""


def _widths(table: ReportTable, words: ReportWords, width: float, size: float) -> list[float]:
    """Divide the width among columns by their longest texts."""
    long = [
        max(
            pdfmetrics.stringWidth(cell_text(row[at], words, _known), _font("bold"), size)
            for row in (table.head, *table.rows)
        )
        for at in range(len(table.head))
    ]
    wanted = [min(one + 10, width / 2) for one in long]
    return [one * width / sum(wanted) for one in wanted]


def _pairs(table: ReportTable, words: ReportWords, width: float) -> Flowable:
    rows: list[list[Text]] = [
        [
            Text(_cell(name, words), _cell_style("soft", 8.5, right=False)),
            Text(_cell(value, words), _cell_style("plain", 8.5, right=False)),
        ]
        for name, value in table.rows
    ]
    return _ruled(rows, [0.26 * width, 0.74 * width], head=False)


def _ruled(rows: Sequence[list[Text]], widths: Sequence[float], *, head: bool) -> Flowable:
    style: list[tuple[Any, ...]] = [
        ("FONTNAME", (0, 0), (-1, -1), _font("plain")),
        ("VALIGN", (0, 0), (-1, -1), "BOTTOM" if head else "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
        ("TOPPADDING", (0, 0), (-1, -1), 1.6),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.2),
        ("LINEBELOW", (0, 0), (-1, -2), 0.3, _colour("rule")),
    ]
    if head:
        style.append(("LINEBELOW", (0, 0), (-1, 0), 0.7, _colour("ink")))
    return Grid(rows, widths, repeatRows=int(head), style=style, spaceBefore=4, spaceAfter=8)


def _pictures(block: FacePictures, width: float) -> Flowable:
    across = 6
    wide = width / across - 8
    cells: list[list[Flowable]] = []
    for label, picture in block.pictures:
        try:
            of, by = ImageReader(BytesIO(picture)).getSize()
            shown: Flowable = Image(BytesIO(picture), wide, wide * min(by / of, 2.0), lazy=0)
        except (OSError, ValueError, SyntaxError, ZeroDivisionError):
            shown = Spacer(wide, wide)  # leave out what is not a picture; an empty place shows that
        cells.append([shown, Text(_safe(label), _cell_style("middle", 8.5, right=False))])
    rows = [cells[start : start + across] for start in range(0, len(cells), across)]
    filled = [[*row, *([""] * (across - len(row)))] for row in rows]
    style = [
        ("FONTNAME", (0, 0), (-1, -1), _font("plain")),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 4),
    ]
    return Grid(filled, [width / across] * across, style=style, spaceBefore=4, spaceAfter=6)


class _Plot(Flowable):
    """A plot as wide as the text."""

    def __init__(self, drawing: Drawing, width: float) -> None:
        super().__init__()
        self._drawing = drawing
        self._scale = width / drawing.width
        self.width, self.height = width, drawing.height * self._scale
        self.spaceBefore, self.spaceAfter = 4, 2

    def wrap(self, *_: float) -> tuple[float, float]:
        """Return the size of the plot."""
        return self.width, self.height

    def draw(self) -> None:
        """Draw the plot; the canvas has its origin at the lower left corner of it."""
        canvas = self.canv
        canvas.saveState()
        canvas.translate(0, self.height)
        canvas.scale(self._scale, -self._scale)
        canvas.setLineJoin(1)
        for mark in self._drawing.marks:
            if isinstance(mark, Label):
                self._write(mark)
            else:
                self._trace(mark)
        canvas.restoreState()

    def _trace(self, mark: Line | Area) -> None:
        canvas = self.canv
        path = canvas.beginPath()
        first, *others = mark.points
        path.moveTo(*first)
        for point in others:
            path.lineTo(*point)
        canvas.setLineWidth(mark.thick)
        if isinstance(mark, Line):
            canvas.setStrokeColor(_colour(mark.tone))
            canvas.setDash(list(mark.dashes))
            canvas.drawPath(path, stroke=1, fill=0)
            return
        path.close()
        canvas.setDash([])
        if mark.fill is not None:
            canvas.setFillColor(_colour(mark.fill))
        if mark.line is not None:
            canvas.setStrokeColor(_colour(mark.line))
        canvas.drawPath(path, stroke=int(mark.line is not None), fill=int(mark.fill is not None))

    def _write(self, mark: Label) -> None:
        canvas = self.canv
        canvas.saveState()
        canvas.translate(mark.x, mark.y)
        canvas.scale(1, -1)
        canvas.setFillColor(_colour(mark.tone))
        size = mark.size * 0.92  # this font is wider than that of the page
        canvas.setFont(_font("bold" if mark.bold else "plain"), size)
        put = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
        text = _RAISED.sub(lambda found: f"^{_lowered(found[0])}", mark.text)
        put[mark.align](0, 0, _known(text))
        canvas.restoreState()


def _cell(cell: Cell, words: ReportWords) -> str:
    return cell_text(cell, words, _safe)


def _safe(text: str) -> str:
    """Return a text as markup of the PDF library: with everything in it escaped and powers raised."""
    return _RAISED.sub(lambda found: f"<super>{_lowered(found[0])}</super>", escape(_known(text, RAISED.values())))


def _known(text: str, more: Container[str] = "") -> str:
    """Return a text with a question mark for each character that neither the font nor ``more`` has."""
    font: Any = pdfmetrics.getFont(_font("plain"))
    glyphs = font.face.charToGlyph
    return "".join(one if ord(one) in glyphs or one in more else "?" for one in text.translate(_SPACES))


_RAISED: Final = re.compile(f"[{''.join(RAISED.values())}]+")
_LOWER: Final = {ord(high): chr(low) for low, high in RAISED.items()}


def _lowered(raised: str) -> str:
    return raised.translate(_LOWER)


def _clipped(text: str) -> str:
    return text if len(text) <= _FOOTED else text[: _FOOTED - 1] + "…"


_FOOTED: Final = 70


@cache
def _font(face: str) -> str:
    """Register a font once and return its name in the PDF library."""
    name = f"report-{face}"
    pdfmetrics.registerFont(TTFont(name, _FONTS[face]))
    return name


@cache
def _colour(tone: Tone) -> Any:
    return HexColor(TONES[tone])


@cache
def _style(kind: str) -> ParagraphStyle:
    """Return the style of a kind of paragraph: font, size, leading, space before and after."""
    face, size, before, after, tone = _KINDS[kind]
    return ParagraphStyle(
        f"report-{kind}",
        fontName=_font(face),
        fontSize=size,
        leading=size * 1.38,
        spaceBefore=before,
        spaceAfter=after,
        textColor=_colour(tone),
        splitLongWords=1,
    )


_KINDS: Final[dict[str, tuple[str, float, float, float, Tone]]] = {
    "kind": ("slanted", 9, 0, 2, "soft"),
    "title": ("bold", 19, 0, 8, "ink"),
    "heading": ("bold", 11.5, 12, 4, "rubric"),
    "lead": ("plain", 11.5, 0, 5, "ink"),
    "text": ("plain", 9, 0, 4, "ink"),
    "note": ("plain", 8, 0, 4, "soft"),
    "caption": ("slanted", 8, 0, 6, "soft"),
    "code": ("plain", 8, 3, 6, "ink"),
}


@cache
def _cell_style(kind: str, size: float, *, right: bool) -> ParagraphStyle:
    face = {"bold": "bold", "middle": "bold", "head": "slanted"}.get(kind, "plain")
    return ParagraphStyle(
        f"report-cell-{kind}-{size}-{right}",
        fontName=_font(face),
        fontSize=size,
        leading=size * 1.3,
        alignment=TA_RIGHT if right else TA_CENTER if kind == "middle" else 0,
        textColor=_colour("soft" if kind in {"head", "soft"} else "ink"),
        splitLongWords=1,
    )

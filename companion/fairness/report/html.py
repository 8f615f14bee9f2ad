"""A report as HTML: one file that needs nothing else, or a part of a page that has its own stylesheet."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from jinja2 import Environment, Template
from markupsafe import Markup

from companion.fairness.report.contents import Report
from companion.fairness.report.document import Document
from companion.fairness.report.drawing import svg
from companion.fairness.report.plain import PlainReport
from companion.fairness.report.sections_about import document_of
from companion.language.texts import Texts

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
    written = PlainReport(
        words,
        lambda name, drawing: Markup(svg(drawing, f"plot-{name}")),  # noqa: S704  (svg escapes each text)
        lambda jpeg: f"data:image/jpeg;base64,{b64encode(jpeg).decode()}",
    )
    style = stylesheet()
    return _template().render(
        written.document(document),
        style=Markup(style),  # noqa: S704  (ours)
        digest=b64encode(sha256(style.encode()).digest()).decode(),
        scrolled=SCROLLED_COLUMNS,
    )


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    return environment.from_string((files(__package__) / "report.html").read_text(encoding="utf-8"))

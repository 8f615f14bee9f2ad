"""Set pages: a template of this package and a document's data become a PDF/A, the same bytes for the same data.

The first page alone becomes a picture for the screen.
"""

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import typst

STANDARD: Final = "a-2u"
"""PDF/A-2u: every letter embedded, and its text can be found and copied."""

PREVIEW_PPI: Final = 60
"""Pixels to the inch of a preview: a sheet of A4 is 496 wide."""

_KEPT_FOR: Final = 11
"""The number of documents after which the typesetter drops what none of them used."""

_PREFERENCES: Final = b"/ViewerPreferences<</Direction/L2R>>"
_AT_TRUE_SCALE: Final = b"/ViewerPreferences<</PrintScaling/None/DisplayDocTitle true>>"


@dataclass(frozen=True)
class PrintedDocument:
    """A document to print.

    ``template`` is the name of a file of ``templates``, without its ending; ``data`` what it reads, as JSON;
    ``pictures`` the SVG images that the data names. ``made`` is written into the file as its date.
    """

    template: str
    data: Mapping[str, Any]
    made: date
    pictures: Mapping[str, str] = field(default_factory=dict)

    def pdf(self) -> bytes:
        """Return the document as a PDF file.

        Raises:
            typst.TypstError: the template does not suit the data.
        """
        import typst  # noqa: PLC0415  (6 MB, which a table needs only once somebody prints)

        given = _given(self.template, self.data, self.pictures)
        when = datetime(self.made.year, self.made.month, self.made.day, tzinfo=UTC)
        try:
            written = _compiler(given).compile(pdf_standards=STANDARD, timestamp=when)
        except typst.TypstError as why:
            if "could not be displayed" not in why.message:
                raise
            written = _compiler(given).compile(timestamp=when)  # a name in letters that no face has: no PDF/A
        assert isinstance(written, bytes)
        _forget()
        return _at_true_scale(written)

    def preview(self) -> bytes:
        """Return the first page as a PNG image for the screen.

        Raises:
            typst.TypstError: as `pdf`.
        """
        drawn = _compiler(_given(self.template, self.data, self.pictures)).compile(format="png", ppi=PREVIEW_PPI)
        _forget()
        first = drawn[0] if isinstance(drawn, list) else drawn
        assert isinstance(first, bytes)
        return first


def measured(template: str, data: Mapping[str, Any], pictures: Mapping[str, str] | None = None) -> Sequence[Any]:
    """Return what a template finds out and labels ``found``, in its order, before the pages are set.

    Raises:
        typst.TypstError: as `PrintedDocument.pdf`.
    """
    found = json.loads(_compiler(_given(template, data, pictures)).query("<found>", field="value"))
    _forget()
    assert isinstance(found, list)
    return found


def _given(template: str, data: Mapping[str, Any], pictures: Mapping[str, str] | None) -> Mapping[str, bytes]:
    folder = files(__package__) / "templates"
    sources = {one.name: one.read_text(encoding="utf-8") for one in folder.iterdir() if one.name.endswith(".typ")}
    texts = {**sources, "data.json": json.dumps(data), **(pictures or {}), "main.typ": sources[f"{template}.typ"]}
    return {name: text.encode() for name, text in texts.items()}


def photograph(content: bytes) -> str:
    """Return a JPEG as a square SVG image that holds all of it; nothing shows where the content is no picture."""
    held = base64.b64encode(content).decode()
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<image width="100" height="100" href="data:image/jpeg;base64,{held}"/></svg>'
    )


def _at_true_scale(written: bytes) -> bytes:
    """Ask viewers not to shrink the pages to the printer's margins, and to show the document's title.

    Typst has no setting for it. The catalogue is the last object, so that only the place of the table after it moves.
    """
    before, found, after = written.rpartition(_PREFERENCES)
    moved = len(_AT_TRUE_SCALE) - len(_PREFERENCES)
    placed, count = re.subn(
        rb"startxref\n(\d+)\n", lambda place: b"startxref\n%d\n" % (int(place[1]) + moved), after, count=1
    )
    assert found
    assert count == 1
    return before + _AT_TRUE_SCALE + placed


def _forget() -> None:
    """Free what the typesetter keeps of a document, 100 MB of a long one: it drops what the last ten did not use."""
    for _ in range(_KEPT_FOR):
        _compiler({"main.typ": b""}).compile()


def _compiler(given: Any) -> "typst.Compiler":
    """Return a compiler of files by their names; typst's own types know of one file only."""
    import typst  # noqa: PLC0415  (as above)

    return typst.Compiler(given, font_paths=_fonts())


@cache
def _fonts() -> "typst.Fonts":
    """Return the faces that pages are set in: ours, and the typesetter's own for signs that ours lack."""
    import typst  # noqa: PLC0415  (as above)

    return typst.Fonts(include_system_fonts=False, font_paths=[str(files(__package__) / "fonts")])

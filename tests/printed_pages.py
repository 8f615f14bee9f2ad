"""What a printed file holds, as its reader sees it: its words, its type, its fonts."""

import ctypes
import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

INCH: Final = 25.4
_SOFT_BREAK: Final = "\ufffe"
"""What the renderer gives for a hyphen at the end of a line."""


def texts_of(data: bytes) -> list[str]:
    """Return the words of each page, divided words whole."""
    document = pypdfium2.PdfDocument(data)
    texts = [page.get_textpage().get_text_range() for page in document]
    return [re.sub(rf"(?:{_SOFT_BREAK}|\u00ad)\s*", "", text) for text in texts]


def letters_of(data: bytes) -> str:
    """Return all words without spaces and hyphens, so that the ends of lines do not matter."""
    return re.sub(r"[\s-]", "", "".join(texts_of(data)))


def smallest_type(document: pypdfium2.PdfDocument, pictures: Sequence[tuple[float, float, float, float]] = ()) -> float:
    """Return the smallest size of any letter, in points on paper.

    ``pictures``: left, top, right and bottom in millimetres of pictures of lettering, which nobody has to read.
    """
    sizes = []
    for page in document:
        text = page.get_textpage()
        for place in range(text.count_chars()):
            matrix = pdfium.FS_MATRIX()
            pdfium.FPDFText_GetMatrix(text.raw, place, ctypes.byref(matrix))
            scale = (matrix.c**2 + matrix.d**2) ** 0.5
            letter = pdfium.FPDFText_GetUnicode(text.raw, place)
            x, y = matrix.e / 72 * INCH, (page.get_height() - matrix.f) / 72 * INCH
            pictured = any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in pictures)
            if scale > 0 and not pictured and not chr(letter).isspace():
                sizes.append(pdfium.FPDFText_GetFontSize(text.raw, place) * scale)
    return float(min(sizes))


def unembedded(data: bytes) -> list[bytes]:
    """Return the descriptors of fonts whose letters are not in the file."""
    descriptors = [one for one in data.split(b"endobj") if re.search(rb"/Type\s*/FontDescriptor\b", one)]
    assert descriptors
    return [one for one in descriptors if not re.search(rb"/FontFile[23]?\b", one)]


def lines_of(page: pypdfium2.PdfPage) -> tuple[list[str], npt.NDArray[np.float64]]:
    """Return a page's lines of text, and their boxes: left, top, right, bottom (n x 4), in points from the upper left.

    Lines of dashes and dots alone are left out.
    """
    text, height = page.get_textpage(), page.get_height()
    boxes = [text.get_rect(number) for number in range(text.count_rects())]
    boxes = [(left, low, right, top) for left, low, right, top in boxes if min(right - left, top - low) > DOT]
    found = [(left, height - top, right, height - low) for left, low, right, top in boxes]
    return [text.get_text_bounded(*box) for box in boxes], np.array(found, np.float64).reshape(-1, 4)


DOT: Final = 3.0
"""Points: a mark that is no larger is a dash or a dot."""

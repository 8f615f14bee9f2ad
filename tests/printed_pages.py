"""What a printed file holds, as its reader sees it: its words, its type, its fonts."""

import ctypes
import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

INCH: Final = 25.4
SCALE: Final = 2.0
"""Pixels in a point."""

MARGIN_MM: Final = 5.0
LEAST_CONTRAST: Final = 4.5
OVERLAP: Final = 0.25
"""The share of a line that another one may cover: the boxes of lines are higher than their letters."""

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


def smallest_type(
    pages: Iterable[pypdfium2.PdfPage], pictures: Sequence[tuple[float, float, float, float]] = ()
) -> float:
    """Return the smallest size of any letter of a document or its pages, in points on paper.

    ``pictures``: left, top, right and bottom in millimetres of pictures of lettering, which nobody has to read.
    """
    smallest, matrix = float("inf"), pdfium.FS_MATRIX()
    at = ctypes.byref(matrix)
    for page in pages:
        text, height = page.get_textpage(), page.get_height()
        for place in range(text.count_chars()):
            pdfium.FPDFText_GetMatrix(text.raw, place, at)
            size = pdfium.FPDFText_GetFontSize(text.raw, place) * (matrix.c**2 + matrix.d**2) ** 0.5
            if not 0 < size < smallest or chr(pdfium.FPDFText_GetUnicode(text.raw, place)).isspace():
                continue
            x, y = matrix.e / 72 * INCH, (height - matrix.f) / 72 * INCH
            if not any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in pictures):
                smallest = size
    return smallest


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


def pictures_of(pages: Iterable[pypdfium2.PdfPage]) -> list[npt.NDArray[np.uint8]]:
    """Return each page of a document as a grey picture (H x W), `SCALE` pixels in a point."""
    return [np.array(page.render(scale=SCALE, grayscale=True).to_numpy()) for page in pages]


def margin_is_empty(grey: npt.NDArray[np.uint8]) -> bool:
    """Return whether nothing lies in the margin of a page's picture."""
    edge = int(MARGIN_MM / INCH * 72 * SCALE)
    frame = grey.copy()
    frame[edge:-edge, edge:-edge] = 255
    return bool(frame.min() == 255)


def contrasts(grey: npt.NDArray[np.uint8], lines: npt.NDArray[np.float64]) -> list[float]:
    """Return the contrast (WCAG) between the darkest and the lightest pixels of each line of `lines_of`."""
    boxes = (lines * SCALE).round().astype(int).tolist()
    return [_contrast(grey[max(top - 2, 0) : low + 2, max(left - 2, 0) : right + 2]) for left, top, right, low in boxes]


def _contrast(cut: npt.NDArray[np.uint8]) -> float:
    if cut.size == 0:
        return 21.0
    places = [round(part * (cut.size - 1)) for part in (0.01, 0.99)]
    dark, light = (((one / 255 + 0.055) / 1.055) ** 2.4 for one in np.partition(cut, places, axis=None)[places])
    return float((light + 0.05) / (dark + 0.05))


def covered(lines: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Return which lines lie on another one by more than `OVERLAP` of their area."""
    low = np.maximum(lines[:, None, :2], lines[None, :, :2])
    high = np.minimum(lines[:, None, 2:], lines[None, :, 2:])
    both = np.prod(np.maximum(high - low, 0), axis=2)
    own = np.prod(lines[:, 2:] - lines[:, :2], axis=1)
    both[np.diag_indices(len(lines))] = 0
    return np.asarray((both > OVERLAP * own[:, None]).any(axis=1))


def emptiest(grey: npt.NDArray[np.uint8]) -> float:
    """Return the largest band over the whole width in which nothing is printed, as a share of the height."""
    inked = np.flatnonzero((grey < 250).any(axis=1))
    edges = np.concatenate([[0], inked, [len(grey)]])
    return float(np.diff(edges).max() / len(grey))


def faults_of(data: bytes) -> list[str]:
    """Return what keeps a reader from any page, and whether a third of the first one is empty.

    That is too little contrast, a line on another, or something in the margin. A line that is cut off is not seen.
    """
    pages, found = list(pypdfium2.PdfDocument(data)), list[str]()
    pictures = pictures_of(pages)
    for number, (grey, page) in enumerate(zip(pictures, pages, strict=True), start=1):
        texts, lines = lines_of(page)
        ink = np.array(contrasts(grey, lines))
        shown = np.flatnonzero(ink > 1)
        found += [f"page {number}: faint {texts[one]!r} ({ink[one]:.1f})" for one in shown if ink[one] < LEAST_CONTRAST]
        found += [f"page {number}: covered {texts[one]!r}" for one in shown[covered(lines[shown])]]
        found += [] if margin_is_empty(grey) else [f"page {number}: something in the margin"]
    return found + ["page 1: a third is empty"] * (emptiest(pictures[0]) >= 1 / 3)

"""A sheet of the groups: one crop of each with its number, and some of its others, as a PNG or an HTML page."""

import base64
import html
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.learning.naming import Name
from companion.vision.readings import Image
from companion.whole_file import write_whole

CROP_PIXELS, BESIDE_PIXELS, MOST_OTHERS, MARGIN_PIXELS = 128, 48, 4, 12
"""Pixels of a group's crop and of its other faces, the number of these, and the space between groups."""

SHEET_COLUMNS = 5
PAPER = 245


def draw_sheet(groups: Sequence[tuple[Image, Sequence[Image], str]]) -> Image:
    """Return a picture of groups: each a typical face, some others, and a caption below."""
    width = SHEET_COLUMNS * (CROP_PIXELS + BESIDE_PIXELS + MARGIN_PIXELS) + MARGIN_PIXELS
    tall = CROP_PIXELS + 28 + MARGIN_PIXELS
    rows = -(-max(1, len(groups)) // SHEET_COLUMNS)
    sheet = np.full((rows * tall + MARGIN_PIXELS, width, 3), PAPER, np.uint8)
    for number, (face, others, words) in enumerate(groups):
        left = MARGIN_PIXELS + number % SHEET_COLUMNS * (CROP_PIXELS + BESIDE_PIXELS + MARGIN_PIXELS)
        top = MARGIN_PIXELS + number // SHEET_COLUMNS * tall
        sheet[top : top + CROP_PIXELS, left : left + CROP_PIXELS] = cv2.resize(
            face, (CROP_PIXELS, CROP_PIXELS), interpolation=cv2.INTER_CUBIC
        )
        for place, other in enumerate(others[: CROP_PIXELS // (BESIDE_PIXELS - 4)]):
            at = top + place * (BESIDE_PIXELS - 4)
            small = cv2.resize(other, (BESIDE_PIXELS - 8, BESIDE_PIXELS - 8), interpolation=cv2.INTER_AREA)
            sheet[at : at + BESIDE_PIXELS - 8, left + CROP_PIXELS + 4 : left + CROP_PIXELS + BESIDE_PIXELS - 4] = small
        below = (left, top + CROP_PIXELS + 20)
        cv2.putText(sheet, _plain(words), below, cv2.FONT_HERSHEY_SIMPLEX, 0.55, (20, 20, 20), 1, cv2.LINE_AA)
    return sheet


def words_of(number: int, size: int, name: Name | None) -> str:
    """Return the caption of a group, counted from 1."""
    called = "?" if name is None else name.text or "none"
    return f"{number}: {called} ({size})"


def write_page(path: Path, title: str, groups: Sequence[tuple[Image, Sequence[Image], str]]) -> None:
    """Write the groups as one self-contained HTML file.

    Raises:
        OSError: it cannot be written.
    """
    figures = "".join(
        f"<figure><img alt='' width='128' src='{_data(face)}'>"
        + "".join(f"<img alt='' width='40' src='{_data(other)}'>" for other in others[:MOST_OTHERS])
        + f"<figcaption>{html.escape(words)}</figcaption></figure>"
        for face, others, words in groups
    )
    page = (
        "<!doctype html><meta charset='utf-8'>"
        f"<title>{html.escape(title)}</title>"
        "<style>body{font:16px sans-serif;margin:2em}figure{display:inline-block;margin:.5em;vertical-align:top}"
        "figcaption{font-weight:bold}</style>"
        f"<h1>{html.escape(title)}</h1><p>Each group should show only one face, at any angle.</p>{figures}\n"
    )
    write_whole(path, page.encode())


def write_sheet(path: Path, sheet: Image) -> None:
    """Write a picture.

    Raises:
        OSError: it cannot be written.
    """
    ok, png = cv2.imencode(".png", sheet)
    assert ok
    write_whole(path, png.tobytes())


def shown(
    patches: Sequence[Image], members: Sequence[Sequence[int]], typical: Sequence[int], names: Mapping[int, Name]
) -> list[tuple[Image, Sequence[Image], str]]:
    """Return what a sheet shows of each group: its typical face, its least typical others, its caption."""
    return [
        (
            patches[typical[number]],
            [patches[i] for i in own if i != typical[number]][-MOST_OTHERS:],
            words_of(number + 1, len(own), names.get(number)),
        )
        for number, own in enumerate(members)
    ]


def _plain(words: str) -> str:
    """Return a text with only the characters that OpenCV's font has."""
    return words.encode("ascii", "replace").decode()


def _data(image: Image) -> str:
    ok, png = cv2.imencode(".png", image)
    assert ok
    return "data:image/png;base64," + base64.b64encode(png.tobytes()).decode()

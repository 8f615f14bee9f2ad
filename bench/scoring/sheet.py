"""A contact sheet of what went wrong: each die cut out of its picture, with what it shows and what was read."""

from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np

from bench.scoring.outcomes import Became, Label, Outcome
from bench.scoring.score import Scored
from companion.vision.readings import Image

MOST_DICE: Final = 200
"""The most dice that are shown; the sheet says how many more there are."""

COLUMNS: Final = 10
CROP, LINE, LINES = 176, 16, 4
"""Pixels of a crop's edge and of a line of text below it, and how many lines there are."""

SURROUNDINGS_SIZES: Final = 0.5
"""How much of the surroundings is shown on each side of a die, in its own sizes."""

ORDER: Final[tuple[Became, ...]] = ("wrong", "guessed", "phantom", "asked", "missed")
"""Silent errors come first."""

COLOURS: Final[dict[Became, tuple[int, int, int]]] = {
    "wrong": (0, 0, 200),
    "guessed": (0, 0, 200),
    "phantom": (160, 0, 160),
    "asked": (0, 110, 190),
    "missed": (110, 110, 110),
}
"""Colours of the outlines, BGR."""


def draw_sheet(pictures: Sequence[Scored], load: Callable[[str], Image], most: int = MOST_DICE) -> Image:
    """Return the sheet of all dice that were not read rightly, BGR; silent errors first, then asked, then missed.

    ``load`` gives the picture of a name, BGR. An empty sheet is one line that says so.
    """
    found = [(picture, one) for picture in pictures for one in picture.outcomes if one.became in ORDER]
    found.sort(key=lambda pair: ORDER.index(pair[1].became))
    shown, held = found[:most], ("", np.zeros((1, 1, 3), np.uint8))
    cells: list[tuple[int, Image]] = []
    for place in sorted(range(len(shown)), key=lambda number: shown[number][0].image):
        picture, outcome = shown[place]
        if held[0] != picture.image:
            held = picture.image, load(picture.image)  # pictures are large: only one is held at a time
        cells.append((place, _cell(picture, outcome, held[1])))
    cells.sort(key=lambda pair: pair[0])
    rows = [_row([cell for _, cell in cells[at : at + COLUMNS]]) for at in range(0, len(cells), COLUMNS)]
    head = np.full((2 * LINE, COLUMNS * CROP, 3), 255, np.uint8)
    left = len(found) - len(shown)
    caption = f"{len(found)} dice were not read rightly" + (f"; the {left} last of them are not shown" if left else "")
    _write(head, caption if found else "All dice were read rightly.", 4, LINE + 4, (0, 0, 0))
    return np.asarray(np.vstack([head, *rows]), np.uint8)


def _row(cells: Sequence[Image]) -> Image:
    blank = np.full((CROP + LINES * LINE + 4, CROP, 3), 255, np.uint8)
    return np.asarray(np.hstack([*cells, *[blank] * (COLUMNS - len(cells))]), np.uint8)


def _cell(scored: Scored, outcome: Outcome, picture: Image) -> Image:
    cell = np.full((CROP + LINES * LINE + 4, CROP, 3), 255, np.uint8)
    colour = COLOURS[outcome.became]
    cell[:CROP, : CROP - 4] = _crop(outcome, picture, colour)[:, : CROP - 4]
    answer = outcome.answer or {}
    sure = answer.get("confidence")
    read = str(answer.get("face") or "-") + (f" {sure:.4f}" if isinstance(sure, int | float) else "")
    caption = (
        f"{outcome.became}: {_truth(scored, outcome)}",
        f"read: {read}",
        str(answer.get("reason", "")),
        scored.image,
    )
    for number, text in enumerate(caption):
        _write(cell, text, 2, CROP + LINE * (number + 1) - 3, colour if number == 0 else (0, 0, 0))
    return cell


def _truth(scored: Scored, outcome: Outcome) -> str:
    """Return what the die shows; where labels have no places, all faces that it may show."""
    if outcome.truth is None:
        return "nothing"
    if outcome.paired:
        return str(outcome.truth["face"])
    others = {str(one.truth["face"]) for one in scored.outcomes if one.truth is not None and not one.paired}
    return " or ".join(sorted(others))


def _crop(outcome: Outcome, picture: Image, colour: tuple[int, int, int]) -> Image:
    """Cut the die out with its outlines, the label's in colour, the reading's in green; without places, show all."""
    height, width = picture.shape[:2]
    outlines = [(one, of) for one in (outcome.truth, outcome.answer) if one and (of := _corners(one)) is not None]
    if outlines:
        corners = outlines[0][1]
        low, high = corners.min(axis=0), corners.max(axis=0)
        half = (0.5 + SURROUNDINGS_SIZES) * max(float((high - low).max()), 8.0)
        middle = (low + high) / 2
    else:
        half, middle = max(height, width) / 2, np.array([width, height]) / 2
    scale = CROP / (2 * half)
    warp = np.array([[scale, 0, CROP / 2 - scale * middle[0]], [0, scale, CROP / 2 - scale * middle[1]]])
    if scale < 1:  # averaged first: else thin strokes are lost
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        moved = warp.copy()
        moved[:, :2] = np.eye(2)
        crop = cv2.warpAffine(small, moved, (CROP, CROP), borderValue=(230, 230, 230))
    else:
        crop = cv2.warpAffine(picture, warp, (CROP, CROP), flags=cv2.INTER_CUBIC, borderValue=(230, 230, 230))
    for one, of in reversed(outlines):  # where both are the same, the label is seen
        line = np.round(of @ warp[:, :2].T + warp[:, 2]).astype(np.int32)
        cv2.polylines(crop, [line], isClosed=True, color=colour if one is outcome.truth else (0, 150, 0), thickness=1)
    return np.asarray(crop, np.uint8)


def _corners(one: Label) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
    polygon = one.get("polygon")
    return np.asarray(polygon, np.float64) if polygon else None


def _write(image: Image, text: str, x: int, y: int, colour: tuple[int, int, int]) -> None:
    fits = 28 if image.shape[1] == CROP else 200
    cut = text if len(text) <= fits else text[: fits - 1] + "…"
    cv2.putText(image, cut, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, colour, 1, cv2.LINE_AA)

"""Boards whose looks taught nothing: board and men are not those that the reader's nets learnt from.

``python -m bench.boards.followed --unlike``, or path traced ``python -m bench.boards.matches FOLDER --unlike --blender
PYTHON``. Squares, points and men have strong colours of any hue; squares are tiles with joints, blotched or veined;
numbers stand in fonts of the system, which the workshop's lists do not hold. Light, ground and camera are those of
every drawn or path traced board.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.vision.boards.layout import TABLES
from workshop.board_scenes.board import Board
from workshop.board_scenes.filming import BoardFilm
from workshop.board_scenes.men import NumberStyle, TablesStyle
from workshop.photoreal.boards import TracedFilm
from workshop.scenes.fonts import Font
from workshop.scenes.materials import Colour, Texture, brightness, hue_colour

FONTS: Final = (
    "DejaVuSans-Bold.ttf",
    "DejaVuSerif-Bold.ttf",
    "DejaVuSans.ttf",
    "DejaVuSerif.ttf",
    "DejaVuSansMono.ttf",
)
LEAST_CONTRAST: Final = 0.28
"""How much brighter one side's men, or the one of man and number, must look than the other."""


class UnlikeFilm(BoardFilm):
    """A film with looks of its own."""

    def __init__(self, kind: str, seed: int, fonts: Sequence[Font], **given: Any) -> None:
        """Set up a board of this kind; see `BoardFilm`."""
        super().__init__(kind, seed, fonts, **given)
        rng = np.random.default_rng([seed, 4907])
        board = self.scene.board
        self.scene = replace(self.scene, board=replace(board, texture=_squares(rng, board)))
        if kind == TABLES:
            self._tables = _men_of_tables(rng, self._tables)
        else:
            self._numbered = _numbered(rng, self._numbered)


class TracedUnlikeFilm(UnlikeFilm, TracedFilm):
    """The same, path traced."""


def _colour(rng: np.random.Generator) -> Colour:
    return hue_colour(rng, (0.05, 0.75), (0.15, 0.97))


def _unlike(rng: np.random.Generator, others: Sequence[Colour], least: float) -> Colour:
    while True:
        one = _colour(rng)
        if all(abs(brightness(one) - brightness(other)) > least for other in others):
            return one


def _squares(rng: np.random.Generator, board: Board) -> Texture:
    """Return the board with its colours exchanged for others, blotches, and joints between its squares."""
    old = board.texture
    height, width = old.shape[:2]
    ground = np.array(_colour(rng), np.float32)
    parts = [ground, *(np.array(_unlike(rng, [tuple(ground)], 0.1), np.float32) for _ in board.field_colours[1:])]
    frame = np.array(_colour(rng), np.float32)
    wanted = np.stack([frame, *parts])
    known = np.stack([np.array(board.frame_colour), *map(np.array, board.field_colours)]).astype(np.float32)
    # each pixel belongs to the colour that it is nearest to
    away = ((np.sqrt(old)[:, :, None] - np.sqrt(known)[None, None]) ** 2).sum(axis=3)
    made = wanted[away.argmin(axis=2)]
    coarse = rng.normal(0, float(rng.uniform(0.03, 0.2)), (max(2, height // 40), max(2, width // 40), 1))
    blotches = cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    made = made * np.exp(blotches + rng.normal(0, 0.04, old.shape[:2]).astype(np.float32))[:, :, None]
    joint = tuple(float(value) for value in _colour(rng))
    if board.kind != TABLES and rng.random() < 0.6:
        texels = float(height / (board.height + 2 * board.border))
        for along, count in ((0, board.columns), (1, board.rows)):
            for place in range(count + 1):
                at = round((board.border + place) * texels)
                end = (at, height) if along == 0 else (width, at)
                wide = max(1, round(texels * float(rng.uniform(0.01, 0.06))))
                cv2.line(made, (at, 0) if along == 0 else (0, at), end, joint, wide)
    return np.asarray(np.clip(made, 0, 1), np.float32)


def _men_of_tables(
    rng: np.random.Generator, styles: tuple[TablesStyle, TablesStyle]
) -> tuple[TablesStyle, TablesStyle]:
    light, dark = _two(rng)
    return (
        replace(styles[0], material=replace(styles[0].material, colour=light)),
        replace(styles[1], material=replace(styles[1].material, colour=dark)),
    )


def _numbered(rng: np.random.Generator, styles: tuple[NumberStyle, NumberStyle]) -> tuple[NumberStyle, NumberStyle]:
    folder = Path("/usr/share/fonts/truetype/dejavu")
    fonts = [folder / name for name in FONTS if (folder / name).is_file()]
    font = fonts[int(rng.integers(len(fonts)))] if fonts else styles[0].font
    light, dark = (
        replace(
            one,
            material=replace(one.material, colour=colour),
            ink=_unlike(rng, [colour], LEAST_CONTRAST),
            font=font,
        )
        for one, colour in zip(styles, _two(rng), strict=True)
    )
    return light, dark


def _two(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Return the colours of two sides, the lighter first."""
    one = _colour(rng)
    other = _unlike(rng, [one], LEAST_CONTRAST)
    return (one, other) if brightness(one) > brightness(other) else (other, one)

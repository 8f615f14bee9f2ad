"""The field's place made exact: a net looks at the board straightened by its rough corners and corrects them."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.nets import FRAMES, load
from companion.vision.dice.geometry import Points, grow, is_convex, mapped, mapping
from companion.vision.dice.nets import Net
from companion.vision.readings import Image

WIDE, HIGH = 192, 128
"""The straightened board as the net sees it, in pixels."""

MARGIN: Final = 0.14
"""The part of the patch beside the field on each side, so that its edges and what lies around it are seen."""

START: Final = np.array([[MARGIN, MARGIN], [1 - MARGIN, MARGIN], [1 - MARGIN, 1 - MARGIN], [MARGIN, 1 - MARGIN]])
"""Where the field's corners are brought to, in parts of the patch."""

OFFSETS: Final = slice(0, 8)
"""By how much each corner is off, x and y, in parts of the patch."""

BARWIDTH, ERROR, POINTED_BOARD, SQUARED_BOARD = 8, 9, 10, 11
"""How wide the bar is in parts of the field; the logarithm of how far the worst corner is still off, in parts of the
field's width; and as logits whether this is a tables board, or a board of squares, at all."""

OUTPUTS: Final = 12
ROUNDS: Final = 3

DOUBTFUL: Final = 0.008
"""Corners are doubtful that may be off by more than this, in parts of the field's width, as the net itself says."""

OTHERWISE: Final = (0.92, 1.08)
"""So much smaller or larger the rough field is taken then."""


@dataclass(frozen=True, eq=False)
class Field:
    """A playing field: ``corners`` from the top left clockwise in pixels (4 x 2), the ``bar`` in parts of its width.

    ``error``: how far a corner may be off, in parts of the field's width; ``chance``: that this is such a board.
    """

    corners: Points
    bar: float
    error: float
    chance: float


def straightened(image: Image, corners: Points) -> Image:
    """Return what the net sees: `HIGH` x `WIDE` BGR, the corners brought to `START`."""
    return warped(image, corners, START * [WIDE, HIGH] - 0.5, (WIDE, HIGH))


def warped(image: Image, corners: Points, places: Points, size: tuple[int, int]) -> Image:
    """Return a picture of ``size`` (width, height) in which a quadrilateral of the image comes to ``places``.

    A large board is first averaged down, so that thin lines do not flicker.
    """
    shrink = float(np.sqrt(abs(_area(corners)) / max(abs(_area(places)), 1.0)))
    source = np.asarray(corners, np.float64)
    if shrink > 1.5:  # noqa: PLR2004 (below this, linear interpolation sees every pixel)
        reduced = (max(2, round(image.shape[1] / shrink)), max(2, round(image.shape[0] / shrink)))
        source = (source + 0.5) * [reduced[0] / image.shape[1], reduced[1] / image.shape[0]] - 0.5
        image = np.asarray(cv2.resize(image, reduced, interpolation=cv2.INTER_AREA), np.uint8)
    warp = mapping(source, places)
    flat = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _area(corners: Points) -> float:
    x, y = corners.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2


def frame_input(patches: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the net's input of patches (n, `HIGH`, `WIDE`, 3): means and spreads taken out, (n, 3, h, w)."""
    pixels = patches.astype(np.float32)
    spread = np.maximum(pixels.std(axis=(1, 2), keepdims=True), 8.0)
    return np.ascontiguousarray(((pixels - pixels.mean(axis=(1, 2), keepdims=True)) / spread).transpose(0, 3, 1, 2))


class FrameCorrector:
    """Corrects rough corners. Loads its net when it is first used."""

    def __init__(self) -> None:
        self._net: Net | None = None

    def correct(self, image: Image, corners: Points, *, pointed: bool) -> Field | None:
        """Return the field near these corners, or None where they run away; ``pointed``: of a tables board.

        Where that remains doubtful, it is begun anew from other corners, and what the net is surest of is kept.
        """
        best = self._rounds(image, corners, pointed=pointed)
        if best is not None and best.error < DOUBTFUL:
            return best
        tried = [self._rounds(image, grow(corners, factor), pointed=pointed) for factor in OTHERWISE]
        found = [one for one in (best, *tried) if one is not None]
        return min(found, key=lambda one: one.error, default=None)

    def _rounds(self, image: Image, corners: Points, *, pointed: bool) -> Field | None:
        if self._net is None:
            self._net = load(FRAMES)
        answer = np.zeros(OUTPUTS)
        for _ in range(ROUNDS):
            answer = self._net.run(frame_input(straightened(image, corners)[None])).reshape(-1).astype(np.float64)
            moved = mapped(mapping(START, corners), START + answer[OFFSETS].reshape(4, 2))
            if not is_convex(moved) or not np.isfinite(moved).all():
                return None
            corners = moved
        chance = 1 / (1 + np.exp(-answer[POINTED_BOARD if pointed else SQUARED_BOARD]))
        return Field(corners, float(np.clip(answer[BARWIDTH], 0.0, 0.2)), float(np.exp(answer[ERROR])), float(chance))

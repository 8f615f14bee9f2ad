"""Read which man of Rithmomachia stands on a square: a net reads shape and number of one man in any rotation."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.data_file import data_of
from companion.vision.boards.nets import NUMBERS, load
from companion.vision.dice.geometry import Points, cut, mapped
from companion.vision.dice.nets import Net
from companion.vision.readings import Image

KindChances = npt.NDArray[np.float64]
"""The chance of each of `kinds` (kinds)."""

LEAST_SPREAD: Final = 8.0
"""The least spread of a channel of a patch that is normalised, of 255."""

MAN_PATCH_PIXELS: Final = 64
"""Edge of a man's patch, in pixels."""

PATCH_REACH_SQUARES: Final = 0.62
"""How far the patch reaches to each side of the middle of a man's top, in squares."""

_WHOLE: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@cache
def kinds() -> tuple[tuple[str, int], ...]:
    """Return every kind of man that can be read: shape and number."""
    return tuple((shape, number) for shape, number, _, _ in _listed())


@cache
def copies() -> tuple[int, ...]:
    """Return how many men of each kind both sides have together."""
    return tuple(white + black for _, _, white, black in _listed())


@cache
def whites() -> npt.NDArray[np.float64]:
    """Return for each kind the share of its men that begin as White's (kinds)."""
    return np.array([white / (white + black) for _, _, white, black in _listed()])


@cache
def _listed() -> tuple[tuple[str, int, int, int], ...]:
    data = data_of(__package__, "men.toml")
    return tuple((str(s), int(n), int(w), int(b)) for s, n, w, b in data["men"])


def around(to_image: Points, place: tuple[float, float], square: tuple[float, float], top: Points) -> Points:
    """Return the four corners, in pixels of the image, of the patch around a man that the net sees.

    ``to_image``: the mapping (3 x 3) of the field's u and v to pixels; ``place``: u and v of his foot; ``square``:
    width and height of a square in u and v; ``top``: the middle of his top in pixels.
    """
    half = np.array(square) * PATCH_REACH_SQUARES
    offsets = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    corners = mapped(to_image, np.array(place) + offsets)
    return np.asarray(corners - corners.mean(axis=0) + top)


def patch(image: Image, corners: Points) -> Image:
    """Return `MAN_PATCH_PIXELS` x `MAN_PATCH_PIXELS` BGR of what lies between the corners."""
    return cut(image, corners, _WHOLE, MAN_PATCH_PIXELS)


def number_input(patches: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the net's input for patches (n, h, w, 3), normalised by means and spreads: (n, 3, h, w)."""
    pixels = patches.astype(np.float32)
    spread = np.maximum(pixels.std(axis=(1, 2), keepdims=True), LEAST_SPREAD)
    return np.ascontiguousarray(((pixels - pixels.mean(axis=(1, 2), keepdims=True)) / spread).transpose(0, 3, 1, 2))


class NumberReader:
    """Reads men. Loads its net when it is first used."""

    def __init__(self, temperature: float) -> None:
        self.temperature = temperature
        self._net: Net | None = None

    def read(self, patches: Sequence[Image]) -> npt.NDArray[np.float64]:
        """Return for each patch the chance of each of `kinds` (n x kinds)."""
        if not patches:
            return np.zeros((0, len(kinds())))
        if self._net is None:
            self._net = load(NUMBERS)
        logits = self._net.run(number_input(np.stack(patches))).astype(np.float64) / self.temperature
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

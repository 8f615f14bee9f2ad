"""How light men are beside the ground around them: a shadow that lies over both changes that little."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.men import FoundMan
from companion.vision.readings import Image

Floats = npt.NDArray[np.float64]

GROUND_REDUCTION: Final = 4
"""The ground is measured in a canvas that is so many times smaller."""

MAN_RADII: Final = 3.2
"""How far around the middle of a man's top the canvas shows him and his shadow, in radii that his colour is measured
over: that is no ground."""

NEAR_COLUMNS: Final = 0.5
"""How far the ground counts that is compared with a man (Gaussian), in columns of the board. Light may end sharply."""

LIGHTNESS_STEPS: Final = 40.0
"""Steps of lightness for e times as much light: about as CIELAB counts."""

FAINT_LIGHT: Final = 0.02
"""The least light that differs from none, as a fraction of white."""


def beside_ground(flat: Image, men: Sequence[FoundMan], radius: float, column: float) -> Floats:
    """Return how much lighter each man is than the ground around him, in steps of lightness (n).

    ``flat``: the board's canvas; ``radius``: over which a man's colour is measured; ``column``: the width of one of the
    board's columns; both in pixels of the canvas.
    """
    if not men:
        return np.zeros(0)
    small = cv2.resize(flat, None, fx=1 / GROUND_REDUCTION, fy=1 / GROUND_REDUCTION, interpolation=cv2.INTER_AREA)
    light = np.log(small.astype(np.float32) / 255 + FAINT_LIGHT).mean(axis=2)
    ground = np.ones(light.shape, np.float32)
    places = [(round(man.top[0] / GROUND_REDUCTION), round(man.top[1] / GROUND_REDUCTION)) for man in men]
    for place in places:
        cv2.circle(ground, place, round(MAN_RADII * radius / GROUND_REDUCTION), 0.0, -1)
    spread = NEAR_COLUMNS * column / GROUND_REDUCTION
    around = cv2.GaussianBlur(light * ground, (0, 0), spread)
    around /= np.maximum(cv2.GaussianBlur(ground, (0, 0), spread), 1e-3)  # far from all ground, nothing is known of it
    height, width = light.shape
    found = []
    for x, y in places:
        near = max(1, round(radius / GROUND_REDUCTION))
        own = light[max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1]
        there = around[min(max(y, 0), height - 1), min(max(x, 0), width - 1)]
        found.append(LIGHTNESS_STEPS * (float(np.median(own)) - float(there)) if own.size else 0.0)
    return np.array(found)

"""Print repeats itself: the same square or letter is found in many places, the same face of a die in a few."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import SQUARE, Points, cut_flat
from companion.vision.readings import Image

THUMBNAIL_PIXELS: Final = 12
"""The side of the small picture of a face that is compared, in pixels."""

LEAST_ALIKE: Final = 0.9
"""Two faces look alike if their pictures correlate by more than this, however one of them is turned."""

LEAST_CONTRAST: Final = 4.0
"""The least spread of a view's brightness, of 255, so that even faces are not alike by their noise."""


def times_seen(image: Image, faces: Sequence[Points]) -> npt.NDArray[np.int64]:
    """Return how many square faces look like each one, itself included, (n,); 1 for other faces."""
    square = [i for i, corners in enumerate(faces) if len(corners) == len(SQUARE)]
    times = np.ones(len(faces), np.int64)
    if not square:
        return times
    small = np.stack([_thumbnail(image, faces[i]) for i in square])
    alike = np.max([_flat(small) @ _flat(np.rot90(small, k, (1, 2))).T for k in range(4)], axis=0)
    times[square] = np.maximum((alike > LEAST_ALIKE).sum(axis=1), 1)
    return times


def _thumbnail(image: Image, corners: Points) -> npt.NDArray[np.float32]:
    grey = cv2.cvtColor(cut_flat(image, corners, SQUARE), cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (THUMBNAIL_PIXELS, THUMBNAIL_PIXELS), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(small - small.mean(), np.float32)


def _flat(small: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    rows = small.reshape(len(small), -1)
    least = LEAST_CONTRAST * THUMBNAIL_PIXELS
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), least), np.float32)

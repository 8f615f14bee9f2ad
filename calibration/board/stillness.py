"""Whether a board looks in two pictures as it did, so that what lay on it for a moment is not taken for it."""

from typing import Final

import cv2
import numpy as np

from companion.vision.boards.pose import BoardPose
from companion.vision.change import compare
from companion.vision.readings import Image

WIDE: Final = 192
"""Pixels of the flat board, rim and all, in which it is compared."""

AVERAGED_PIXELS: Final = 4
"""Times as many pixels are averaged into each of them, so that noise and thin lines do not count."""

RIM: Final = 0.1
"""Of the field, the rim around it that is compared too: an arm comes in over it."""

LARGEST: Final = 1.6
"""Sites that one change may cover: a man who is set down or lifted is smaller than that, a hand is larger."""


def disturbed(before: Image, now: Image, pose: BoardPose, grid: tuple[int, int]) -> bool:
    """Tell whether something larger than a man came onto the board, or left it, between two pictures (BGR, one size).

    ``grid``: sites across and down. Light that changed is no disturbance.
    """
    across, down = grid
    # sites of a tables board are points: what lies there is as large as the point is wide
    high = round(WIDE * _height(pose))
    size = (WIDE * AVERAGED_PIXELS, max(2, high) * AVERAGED_PIXELS)
    flat = [
        np.asarray(cv2.resize(pose.flat(image, *size, margin=RIM), (WIDE, max(2, high)), interpolation=cv2.INTER_AREA))
        for image in (before, now)
    ]
    change = compare(np.asarray(flat[1], np.uint8), np.asarray(flat[0], np.uint8), 0.0)
    site = WIDE / (1 + 2 * RIM) / across
    site *= min(site, max(2, high) / (1 + 2 * RIM) / down)
    count, _, stats, _ = cv2.connectedComponentsWithStats(change.mask, connectivity=8)
    largest = max((int(stats[n, cv2.CC_STAT_AREA]) for n in range(1, count)), default=0)
    return largest > LARGEST * site


def _height(pose: BoardPose) -> float:
    """Return the field's height in parts of its width, as it lies in the picture."""
    corners = pose.corners
    across, down, back, up = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float((down + up) / max(across + back, 1e-6))

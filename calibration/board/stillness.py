"""Whether a board looks the same in two pictures, so that something that lay on it for a moment is not part of it."""

from typing import Final

import cv2
import numpy as np

from companion.vision.boards.pose import BoardPose
from companion.vision.change import compare
from companion.vision.readings import Image

COMPARED_WIDTH: Final = 192
"""The width in pixels of the flat board, with its rim, for the comparison."""

AVERAGED_PIXELS: Final = 4
"""Each of these pixels is the average of a square this many pixels wide, so that noise and thin lines do not count."""

RIM_SHARE: Final = 0.1
"""The rim that is compared too, in parts of the field: an arm reaches over it."""

LARGEST_CHANGE_SITES: Final = 1.6
"""Sites that one change may cover: setting down or lifting a man covers less, a hand covers more."""


def disturbed(before: Image, now: Image, pose: BoardPose, grid: tuple[int, int]) -> bool:
    """Tell whether something larger than a man came onto the board, or left it, between two pictures (BGR, one size).

    ``grid``: sites across and down. A change of light is not a disturbance.
    """
    across, down = grid
    # sites of a tables board are points: a man there is as large as the point is wide
    high = round(COMPARED_WIDTH * pose.proportion)
    size = (COMPARED_WIDTH * AVERAGED_PIXELS, max(2, high) * AVERAGED_PIXELS)
    flat = [
        np.asarray(
            cv2.resize(
                pose.flat(image, *size, margin=RIM_SHARE), (COMPARED_WIDTH, max(2, high)), interpolation=cv2.INTER_AREA
            )
        )
        for image in (before, now)
    ]
    change = compare(np.asarray(flat[1], np.uint8), np.asarray(flat[0], np.uint8), 0.0)
    site = COMPARED_WIDTH / (1 + 2 * RIM_SHARE) / across
    site *= min(site, max(2, high) / (1 + 2 * RIM_SHARE) / down)
    count, _, stats, _ = cv2.connectedComponentsWithStats(change.mask, connectivity=8)
    largest = max((int(stats[n, cv2.CC_STAT_AREA]) for n in range(1, count)), default=0)
    return largest > LARGEST_CHANGE_SITES * site

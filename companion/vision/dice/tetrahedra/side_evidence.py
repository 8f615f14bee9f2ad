"""What a tetrahedron's side shows: cut out at its own resolution, and weighted by the mark net's accuracy on sides."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from companion.vision.dice.faces import Marks
from companion.vision.dice.geometry import (
    PATCH_PIXELS,
    TRIANGLE,
    Points,
    area,
    edge_length,
    grow,
    hide_surroundings,
    mapping,
)
from companion.vision.dice.locate import Tetrahedron
from companion.vision.dice.marks import Bags, Opinion
from companion.vision.readings import Image

LEAST_RISE: Final = 0.04
"""The reader uses a side if the apex stands more than this many base edges inside its base line."""

OVERSURE_DIVISOR: Final = 1.7
"""The divisor for the mark net's logarithms: on sides the net is overconfident by this factor."""

SIDE_SLIP_SHARE: Final = 0.001
"""The share of sides on which the net may be wrong, however sure it is."""

UNREADABLE_REDUCTION: Final = 0.05
"""The reduction in the weight of a side that the net calls unreadable."""

UNKNOWN_CHANCE: Final = 2e-4
"""How likely a side bears marks outside the set. Upper faces need a larger value, because a tetrahedron's sides must
also fit each other."""

LOW_SIDE_PIXELS: Final = 16.0
"""The height in the picture, in pixels, below which the letters of a side blur into bars: a 3 looks like a 1."""

REDUCTION_PER_PIXEL: Final = 0.05
"""The reduction in the weight of a side for each pixel below `LOW_SIDE_PIXELS`."""

MOST_MISSING: Final = 0.5
"""The largest such reduction: what a side shows is never worthless."""

FINEST_MULTIPLE: Final = 4
"""The largest resolution at which a side is straightened, in multiples of the resolution at which it is read."""

UPRIGHT_HEIGHT: Final = float(np.sqrt(3) / 2)
"""The height of a side without foreshortening, in edges."""


def seen_sides(one: Tetrahedron) -> list[tuple[int, Points]]:
    """Return the sides that the camera sees, each with its number around the base (clockwise, 0 to 2).

    Each side consists of the apex and two base corners, clockwise. Very low sides are included: they count less, but
    sometimes distinguish two candidates.
    """
    if one.apex is None:
        return []
    least = LEAST_RISE * edge_length(one.base)
    sides = [(i, np.array([one.apex, one.base[i], one.base[(i + 1) % 3]])) for i in range(3)]
    return [(i, side) for i, side in sides if rise(side) > least]


def rise(side: Points) -> float:
    """Return the height of the apex above a side's base line in the picture, in pixels; negative behind the line."""
    return 2 * area(side) / max(float(np.linalg.norm(side[1] - side[2])), 1e-9)


def cut_side(image: Image, side: Points) -> list[Image]:
    """Return a side flat in its three rotations, `PATCH_PIXELS` x `PATCH_PIXELS` BGR, like `geometry.cut_turned`.

    `geometry.cut_turned` shrinks a large side equally in both directions before it straightens it. A low side would
    lose rows that it needs. This function keeps the resolution of the low direction and averages only the wide one.
    """
    low, wide = rise(side) / (UPRIGHT_HEIGHT * PATCH_PIXELS), edge_length(side) / PATCH_PIXELS
    reach = grow(side, 1.25)
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(reach.min(axis=0)).astype(int), 0, [max(width - 2, 0), max(height - 2, 0)])
    right, bottom = np.clip(np.ceil(reach.max(axis=0)).astype(int) + 1, [left + 2, top + 2], [width, height])
    piece, corners = image[top:bottom, left:right], side - [left, top]
    if low > 1.5:  # noqa: PLR2004 (below this, linear interpolation sees every pixel)
        size = (max(2, round(piece.shape[1] / low)), max(2, round(piece.shape[0] / low)))
        corners = (corners + 0.5) * [size[0] / piece.shape[1], size[1] / piece.shape[0]] - 0.5
        piece = cv2.resize(piece, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        wide /= low
    fine = int(np.clip(np.ceil(wide), 1, FINEST_MULTIPLE)) * PATCH_PIXELS
    return [_flat(piece, np.roll(corners, -turn, axis=0), fine) for turn in range(3)]


def _flat(piece: Image, corners: Points, fine: int) -> Image:
    warp = mapping(corners, TRIANGLE * fine - 0.5)
    flat = cv2.warpPerspective(piece, warp, (fine, fine), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if fine > PATCH_PIXELS:
        flat = cv2.resize(flat, (PATCH_PIXELS, PATCH_PIXELS), interpolation=cv2.INTER_AREA)
    return hide_surroundings(flat.astype(np.uint8, copy=False), TRIANGLE)


def side_marks(opinions: Sequence[Opinion], bags: Bags, rises: Sequence[float]) -> Marks:
    """Return the posteriors of sides over a set's texts, one row for each side, corrected for the net's overconfidence.

    ``rises``: the height of each side in the picture, in pixels.

    A side whose marks match none of the texts is evidence for none of them. The contrast of the marks plays no part:
    the net itself is less sure of faint marks.
    """
    texts = np.zeros((len(opinions), len(bags.pips)))
    unreadable = np.zeros(len(opinions))
    for i, (opinion, high) in enumerate(zip(opinions, rises, strict=True)):
        logs, anything = opinion.logs(bags)
        logs = logs / OVERSURE_DIVISOR
        likely = np.exp(logs - logs.max())
        strange = UNKNOWN_CHANCE * np.exp(np.clip(anything / OVERSURE_DIVISOR - logs.max(), 0, 50))
        readable = float(np.exp(opinion.upright + opinion.readable).sum())
        missing = float(np.clip(REDUCTION_PER_PIXEL * (LOW_SIDE_PIXELS - high), 0, MOST_MISSING))
        known = (1 - SIDE_SLIP_SHARE - UNREADABLE_REDUCTION * (1 - readable) - missing) / (1 + strange)
        texts[i], unreadable[i] = known * likely / likely.sum(), 1 - known
    return Marks(texts, unreadable)

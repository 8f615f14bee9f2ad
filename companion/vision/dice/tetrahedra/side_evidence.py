"""What a tetrahedron's side shows: cut out at the size it has, and weighed by what the mark net is worth on sides."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from companion.vision.dice.faces import Chances, Marks
from companion.vision.dice.geometry import PATCH, TRIANGLE, Points, area, edge_length, grow, hide_surroundings, mapping
from companion.vision.dice.locate import Tetrahedron
from companion.vision.dice.marks import Bags, Opinion
from companion.vision.readings import Image

LEAST_RISE: Final = 0.04
"""A side is looked at if the apex stands at least so many base edges inside its base line."""

OVERSURE: Final = 1.7
"""The mark net's logarithms are divided by this: on sides it is so much surer than it is right."""

SLIP: Final = 0.001
"""The share of sides on which it may be wrong however sure it is."""

UNREADABLE: Final = 0.05
"""A side of which it says that nothing can be read counts by so much less."""

UNKNOWN: Final = 2e-4
"""How likely a side bears marks that are none of the set's. Upper faces need more: a tetrahedron's sides must fit each
other too."""

LOW_SIDE_PIXELS: Final = 16.0
"""Of sides that are lower in the picture, in pixels, letters run into bars: a 3 looks like a 1."""

MISSING: Final = 0.05
"""For each pixel that it is lower, a side counts by so much less."""

MOST_MISSING: Final = 0.5
"""But what is seen of it is never worth nothing."""

FINEST: Final = 4
"""A side is straightened at most so many times as fine as it is read."""

UPRIGHT_HEIGHT: Final = float(np.sqrt(3) / 2)
"""How high a side is where nothing is foreshortened, in edges."""


def seen_sides(one: Tetrahedron) -> list[tuple[int, Points]]:
    """Return the sides that the camera sees, each with its number around the base (clockwise, 0 to 2).

    A side is given as apex and two base corners, clockwise. Very low ones are among them: what little they show is
    weighed, and tells two candidates apart at times.
    """
    if one.apex is None:
        return []
    least = LEAST_RISE * edge_length(one.base)
    sides = [(i, np.array([one.apex, one.base[i], one.base[(i + 1) % 3]])) for i in range(3)]
    return [(i, side) for i, side in sides if rise(side) > least]


def rise(side: Points) -> float:
    """Return how high the apex stands above a side's base line in the picture, in pixels; below 0 behind it."""
    return 2 * area(side) / max(float(np.linalg.norm(side[1] - side[2])), 1e-9)


def cut_side(image: Image, side: Points) -> list[Image]:
    """Return a side flat in its three rotations, `PATCH` x `PATCH` BGR, as `geometry.cut_turned` does.

    That one makes a large side smaller before it is straightened, alike in both directions; of a low side that takes
    rows that it needs. Here the low direction keeps what it has, and only the wide one is averaged.
    """
    low, wide = rise(side) / (UPRIGHT_HEIGHT * PATCH), edge_length(side) / PATCH
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
    fine = int(np.clip(np.ceil(wide), 1, FINEST)) * PATCH
    return [_flat(piece, np.roll(corners, -turn, axis=0), fine) for turn in range(3)]


def _flat(piece: Image, corners: Points, fine: int) -> Image:
    warp = mapping(corners, TRIANGLE * fine - 0.5)
    flat = cv2.warpPerspective(piece, warp, (fine, fine), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if fine > PATCH:
        flat = cv2.resize(flat, (PATCH, PATCH), interpolation=cv2.INTER_AREA)
    return hide_surroundings(flat.astype(np.uint8, copy=False), TRIANGLE)


def side_marks(opinions: Sequence[Opinion], bags: Bags, rises: Sequence[float]) -> Marks:
    """Return the posteriors of sides over a set's texts, one row a side, honest where the net is too sure.

    ``rises``: how high each side is in the picture, in pixels.

    A side that shows marks of none of the texts speaks for none of them.
    How faint the marks are is not asked: on faint ones the net is less sure by itself.
    """
    texts = np.zeros((len(opinions), len(bags.pips)))
    unreadable = np.zeros(len(opinions))
    for i, (opinion, high) in enumerate(zip(opinions, rises, strict=True)):
        logs = text_logs(opinion, bags) / OVERSURE
        likely = np.exp(logs - logs.max())
        strange = UNKNOWN * np.exp(np.clip(anything_log(opinion) / OVERSURE - logs.max(), 0, 50))
        readable = float(np.exp(opinion.upright + opinion.readable).sum())
        missing = float(np.clip(MISSING * (LOW_SIDE_PIXELS - high), 0, MOST_MISSING))
        known = (1 - SLIP - UNREADABLE * (1 - readable) - missing) / (1 + strange)
        texts[i], unreadable[i] = known * likely / likely.sum(), 1 - known
    return Marks(texts, unreadable)


def anything_log(opinion: Opinion) -> float:
    """Return the logarithm of how likely a side's looks are for the marks that are read best, whatever they are."""
    best = opinion.pips.max(axis=1) + opinion.singles.max(axis=2).sum(axis=1) + opinion.upright
    return float(np.logaddexp.reduce(best))


def text_logs(opinion: Opinion, bags: Bags) -> Chances:
    """Return the logarithm of how likely a side's looks are for each face, over all its rotations."""
    singles = np.broadcast_to(bags.singles[None, ..., None], (len(opinion.upright), *bags.singles.shape, 1))
    picked = np.take_along_axis(opinion.singles[:, None], singles, 3)[..., 0].sum(axis=2)
    logs: Chances = np.logaddexp.reduce(opinion.pips[:, bags.pips] + picked + opinion.upright[:, None], axis=0)
    for places in bags.lookalikes:
        logs[places] = np.logaddexp.reduce(logs[places]) - np.log(len(places))
    return logs

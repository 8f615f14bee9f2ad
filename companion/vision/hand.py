"""Detect a hand: something that reaches in over the edge and is larger than dice, compared with the known table."""

from collections import deque

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.change import compare
from companion.vision.mat import Mask
from companion.vision.readings import Image

KNOWN_TABLES = 6  # still intervals to remember: dice lie elsewhere each time, so together they show the bare table
USUAL_DIE, SMALLEST_DIE, LARGEST_DIE = 0.15, 0.03, 0.24  # side of a die as a share of the picture's width
# In die sides. One die seen from the side with its shadow: area 2.3, reach 1.6, contact 1.4. A hand that lies on
# the table covers the area of 30 dice; a single finger reaches in by three dice.
LEAST_AREA, LEAST_REACH, LEAST_CONTACT = 3.2, 2.6, 2.6
LEAST_TOUCH = 3  # small pixels of the edge that a hand must cover
LEARN_DICE = 3  # dice to see before their size counts
GHOST_SHARPNESS = 1.5  # if the outline was this many times sharper in the known table, something left and nothing came


class HandWatch:
    """Knows the table without a hand and detects what reaches into the picture. Works on small pictures."""

    def __init__(self, inside: Mask) -> None:
        self._inside = inside
        self._set_edge(inside)
        self._interior = ~self._rim  # stays the same when `adopt` changes the rim
        self._width = int(inside.shape[1])
        self._tables: deque[Image] = deque(maxlen=KNOWN_TABLES)
        self._sides: deque[float] = deque(maxlen=24)
        self._set_side: float | None = None

    @property
    def die_side(self) -> float:
        """Side of a die in small pixels: from `set_die_size`, otherwise learnt, otherwise the usual size."""
        if self._set_side is not None:
            return self._set_side
        if len(self._sides) < LEARN_DICE:
            return USUAL_DIE * self._width
        side = float(np.percentile(list(self._sides), 75))  # a die may break into parts here; it seldom grows
        return self._believable(side)

    def set_die_size(self, side: float) -> None:
        """Set the side of a die in small pixels, as a reader measured it for example."""
        self._set_side = self._believable(side)

    def _believable(self, side: float) -> float:
        return min(max(side, SMALLEST_DIE * self._width), LARGEST_DIE * self._width)

    def reaches_in(self, small: Image, noise: float) -> bool:
        """Return whether something larger than dice reaches in over the edge, compared with the known table."""
        return self._reaching(self.foreground(small, noise)) is not None

    def in_motion(self, mask: npt.NDArray[np.uint8]) -> bool:
        """Return the same for what moved between two pictures, as long as no table is known."""
        return not self._tables and self._reaching(_closed(mask)) is not None

    def has_left(self, small: Image, noise: float) -> bool:
        """Return whether what seems to reach in is only the place where something lay in the known table."""
        blob = self._reaching(self.foreground(small, noise))
        if blob is None or not self._tables:
            return False
        kernel = np.ones((3, 3), np.uint8)
        outline = (cv2.morphologyEx(blob, cv2.MORPH_GRADIENT, kernel) > 0) & self._interior
        if not outline.any():
            return False
        now, before = (
            float(cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, kernel).max(axis=2)[outline].mean())
            for picture in (small, self._tables[-1])
        )
        return before > GHOST_SHARPNESS * now + 2.0

    def learn(self, small: Image, noise: float) -> None:
        """Remember this picture as the table without a hand, and the size of the dice that are new on it."""
        if self._tables:
            self._learn_dice(self.foreground(small, noise))
        self._tables.append(small)

    def forget(self) -> None:
        """Forget the table, but keep the sizes of dice."""
        self._tables.clear()
        self._set_edge(self._inside)

    def adopt(self, small: Image, noise: float) -> None:
        """Learn the table again; what reaches in becomes a part of its edge, over which the next hand may come."""
        thing = self._reaching(self.foreground(small, noise))
        self.forget()
        if thing is not None:
            self._set_edge(self._inside & (thing == 0))
        self.learn(small, noise)

    def _set_edge(self, inside: Mask) -> None:
        """Set the rim: the outermost two pixels inside the edge."""
        solid = inside.astype(np.uint8)
        padded = cv2.copyMakeBorder(solid, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        core = cv2.erode(padded, np.ones((5, 5), np.uint8))[1:-1, 1:-1]
        self._rim = (solid > 0) & (core == 0)

    def foreground(self, small: Image, noise: float) -> npt.NDArray[np.uint8]:
        """Return 255 where the picture differs from all known tables; all 0 if no table is known."""
        if not self._tables:
            return np.zeros(small.shape[:2], np.uint8)
        mask = np.full(small.shape[:2], 255, np.uint8)
        for table in reversed(self._tables):
            mask &= compare(small, table, noise).mask
            if not mask.any():
                return mask
        return _closed(mask)

    def _reaching(self, mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8] | None:
        """Return a mask, 255 in the region of ``mask`` that touches the edge and is too large for a die, or None."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        side = self.die_side
        for label in range(1, count):
            area = int(stats[label, cv2.CC_STAT_AREA])
            if area < side:
                continue
            region = labels == label
            touching = np.argwhere(region & self._rim)
            contact = len(touching)
            if contact < LEAST_TOUCH:
                continue
            away = np.argwhere(region) - touching.mean(axis=0)
            reach = float(np.sqrt((away * away).sum(axis=1).max()))
            # The rim is two pixels wide, so the length of contact is half the number of touching pixels.
            if area >= LEAST_AREA * side * side or reach >= LEAST_REACH * side or contact / 2 >= LEAST_CONTACT * side:
                return np.where(region, 255, 0).astype(np.uint8)
        return None

    def _learn_dice(self, mask: npt.NDArray[np.uint8]) -> None:
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        for label in range(1, count):
            width, height = int(stats[label, cv2.CC_STAT_WIDTH]), int(stats[label, cv2.CC_STAT_HEIGHT])
            side = float(np.sqrt(width * height))
            compact = max(width, height) < 1.8 * min(width, height)
            if not compact or not SMALLEST_DIE * self._width <= side <= LARGEST_DIE * self._width:
                continue
            if not (self._rim & (labels == label)).any():
                self._sides.append(side)


def _closed(mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Drop single pixels and close the gaps inside one object."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)

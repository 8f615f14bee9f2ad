"""Blobs of likely cells in the locator's maps: one for each die, also where dice touch."""

from collections.abc import Collection
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import fit_rectangle

Maps = npt.NDArray[np.float32]

DIE_CELL_CHANCE: Final = 0.5
"""A cell belongs to a die if the net gives it a larger chance than this."""

SURER: Final = (0.65, 0.8, 0.9, 0.96)
"""Dice that touch may form one blob at `DIE_CELL_CHANCE`; one of these higher chances separates them."""

LEAST_REGULARITY: Final = 0.72
"""A blob is one upper face if its `_regularity` is above this: 30 degrees off overhead leave 0.8, two dice 0.5."""

FILLS: Final = {3: 0.5, 4: 1.0, 5: 0.72}
"""By number of corners: how much of the smallest rectangle around it a regular face fills."""

LEAST_CELLS: Final = 8
"""Regions with fewer cells are no dice."""


class Blob(NamedTuple):
    """A connected blob of cells: the place of its box in the maps, and which cells of the box belong to it, 1 or 0."""

    left: int
    top: int
    cells: npt.NDArray[np.uint8]

    def of(self, heat: Maps) -> Maps:
        """Return a map within the box."""
        high, wide = self.cells.shape
        return heat[self.top : self.top + high, self.left : self.left + wide]

    def moved(self, box: "Blob") -> "Blob":
        """Return a blob of another blob's box as one of the maps."""
        return self._replace(left=self.left + box.left, top=self.top + box.top)

    def whole(self, heat: Maps) -> npt.NDArray[np.uint8]:
        """Return which cells of a whole map belong to the blob."""
        cells = np.zeros(heat.shape, np.uint8)
        cells[self.top : self.top + self.cells.shape[0], self.left : self.left + self.cells.shape[1]] = self.cells
        return cells


def regions(chance: Maps, sides: Collection[int]) -> list[Blob]:
    """Return the blobs of likely cells.

    A blob that is no regular face may be dice that touch. It is split at a higher chance if the parts are more regular
    faces. A regular blob stays whole, however much the chance varies within it.
    """
    found = []
    for blob in blobs(chance > DIE_CELL_CHANCE):
        parts, best = [blob], _regularity(blob.cells, sides)
        likely = blob.of(chance)
        for surer in SURER:
            if best > LEAST_REGULARITY:
                break
            least = max(LEAST_CELLS // 2, int(np.count_nonzero(blob.cells)) // 12)
            every = [part.moved(blob) for part in blobs((likely > surer) & (blob.cells > 0))]
            split = [part for part in every if int(np.count_nonzero(part.cells)) >= least]
            if len(split) > 1 and (value := float(np.mean([_regularity(part.cells, sides) for part in split]))) > best:
                parts, best = split, value
        found += parts
    return found


def _regularity(blob: npt.NDArray[np.uint8], sides: Collection[int]) -> float:
    """Return how much a blob looks like one face from above: 1 for a square, 0.5 for two adjacent squares."""
    box = fit_rectangle(blob)
    short, long = sorted((float(np.linalg.norm(box[1] - box[0])), float(np.linalg.norm(box[2] - box[1]))))
    fill = np.count_nonzero(blob) / (short * long)
    return float(max(min(fill / FILLS[n], FILLS[n] / fill) for n in sides) * short / long)


def blobs(likely: npt.NDArray[np.bool_]) -> list[Blob]:
    """Return the connected blobs of likely cells; cells that touch only at a corner are not connected."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(likely.astype(np.uint8), connectivity=4)
    return [
        Blob(int(left), int(top), (labels[top : top + high, left : left + wide] == label).astype(np.uint8))
        for label in range(1, count)
        for left, top, wide, high, _ in [stats[label]]
    ]

"""How large the solids on a table look: what that says of a fitted pose, and what many throws gathered of it.

Most wrong poses have another size, before a camera that does not move.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.rules.dice import Shape
from companion.vision.dice.solids.model import Batch

LEAST_PIXELS: Final = 8.0
MOST_PIXELS: Final = 400.0
STEP: Final = 0.02
"""The sizes that are distinguished: pixels per length of the solid, and the natural logarithm between neighbours."""

SIZE_ERROR: Final = 0.05
"""How far two throws of one die differ in size (natural logarithm): nearer and farther places, and the fit's error."""

RIGHT_SIZE_SHARE: Final = 0.15
"""How many of the wrong poses have a right size all the same: those that begin at another face of the die. Chosen from
0.05, 0.15 and 0.3, which differ little; not measured."""

SIZES: Final[Batch] = np.arange(np.log(LEAST_PIXELS), np.log(MOST_PIXELS), STEP)
"""The logarithms of these sizes, (s)."""

ANY: Final = float(1 / (SIZES[-1] - SIZES[0]))
"""The density of a size of which nothing is known."""


def seen(sizes: Batch, chances: Batch, sure: float) -> Batch:
    """Return how many dice of each of `SIZES` one die is: a density of weight ``sure``.

    ``sizes``: (n), logarithms, of the die's possible poses; ``chances``: (n), of those poses.
    """
    densities = np.exp(-0.5 * ((SIZES[None] - sizes[:, None]) / SIZE_ERROR) ** 2) / (SIZE_ERROR * np.sqrt(2 * np.pi))
    return np.asarray(sure * (chances @ densities) / chances.sum())


def fitting(sizes: Batch, density: Batch) -> Batch:
    """Return by how much sizes (n) speak for a pose, as log likelihood ratios. ``density``: of the dice's sizes."""
    at = np.interp(sizes, SIZES, density)
    return np.asarray(np.log(at / (RIGHT_SIZE_SHARE * at + (1 - RIGHT_SIZE_SHARE) * ANY)))


Numbers = npt.NDArray[np.float64]

UNKNOWN_SIZE_DICE: Final = 2.0
"""The size of the next die is as unknown as if so many dice of any size had been seen, besides those that were."""

FADING_PER_DIE: Final = 0.97
"""What is left of the earlier dice after each further one: somebody may move the camera."""


class Sizes:
    """What a table knows of the sizes of its solids. Not for two threads at once.

    Args:
        gathered: for each shape, how many dice of each of `SIZES` were seen, a density.

    Raises:
        ValueError: there are more or fewer sizes, or one of the densities is negative or no number.
    """

    def __init__(self, gathered: Mapping[Shape, Numbers] | None = None) -> None:
        self.gathered = {shape: np.asarray(of, np.float64) for shape, of in (gathered or {}).items()}
        for shape, of in self.gathered.items():
            if of.shape != SIZES.shape or not np.isfinite(of).all() or (of < 0).any():
                raise ValueError(f"Expected {len(SIZES)} sizes of {shape}s, none negative, but got {of.shape}.")

    def density(self) -> dict[Shape, Numbers]:
        """Return for each shape that was seen the density of the next die's size."""
        seen = {shape: float(of.sum() * (SIZES[1] - SIZES[0])) for shape, of in self.gathered.items()}
        return {
            shape: (of + UNKNOWN_SIZE_DICE * ANY) / (seen[shape] + UNKNOWN_SIZE_DICE)
            for shape, of in self.gathered.items()
        }

    def learn(self, shape: Shape, says: Numbers) -> None:
        """Add what one die says, as `solids.upper.SolidReader.posed` holds it."""
        before = self.gathered.get(shape, np.zeros(len(SIZES)))
        self.gathered = {**self.gathered, shape: FADING_PER_DIE * before + says}

    def copy(self) -> "Sizes":
        """Return the same sizes, which change no more with these."""
        return Sizes(self.gathered)

"""How large the solids of a table look before a camera that does not move, gathered from the dice of many throws."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.rules.dice import Shape
from companion.vision.dice.solids.size import ANY, SIZES

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

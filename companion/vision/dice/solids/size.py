"""How large the solids on a table look, and what that says of a fitted pose: most wrong poses have another size."""

from typing import Final

import numpy as np

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

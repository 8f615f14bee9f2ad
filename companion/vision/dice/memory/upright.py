"""Where the table's upright points before a camera that does not move, gathered from the dice of many throws.

One picture of one die with many faces does not show from where somebody took it: a neighbour of the upper face may
look straight at the camera. But all throws lie on one table. Each die says which directions its visible faces could
make the upright; only the true one fits them all.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.solids import table as solid_table

Numbers = npt.NDArray[np.float64]

DIE_WEIGHT: Final = 0.3
"""How much one die counts: errors of lens and fit are alike in all throws, so they are not independent."""

MOST_AGAINST: Final = 12.0
"""The most that all dice may say against a direction, in natural logarithms: somebody may move the camera."""

FADING_PER_DIE: Final = 0.97
"""What is left of the earlier dice after each further one."""


class Upright:
    """What a table knows of its upright. Not for two threads at once.

    Args:
        evidence: the log likelihood of each of `solid_table.directions`, as the attribute of this name holds it.

    Raises:
        ValueError: there are more or fewer of them, or one is no number.
    """

    def __init__(self, evidence: Numbers | None = None) -> None:
        number = len(solid_table.directions())
        self.evidence: Numbers = np.zeros(number) if evidence is None else np.asarray(evidence, np.float64)
        if self.evidence.shape != (number,) or not np.isfinite(self.evidence).all():
            raise ValueError(f"Expected {number} finite log likelihoods of the upright, but got {self.evidence.shape}.")

    def chances(self) -> Numbers:
        """Return the log chance of each direction before a throw is seen, up to a constant."""
        return solid_table.expected() + self.evidence

    def learn(self, says: Numbers) -> None:
        """Add what one die says, as `solids.upper.SolidReader.posed` holds it."""
        gathered = FADING_PER_DIE * self.evidence + DIE_WEIGHT * says
        self.evidence = np.maximum(gathered - gathered.max(), -MOST_AGAINST)

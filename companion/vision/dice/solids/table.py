"""The direction of the table's upright, inferred from the solids on it: each has an upper face in that direction.

One picture of one die with many faces does not show from where somebody took it: a neighbour of the upper face may
look straight at the camera. But all throws lie on one table. Each die says which directions its visible faces could
make the upright; only the true one fits them all.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import Points
from companion.vision.dice.solids.model import Batch

OVERHEAD_DEGREES: Final = 7.5
"""How far a camera above a table usually looks off straight down: one standard deviation, in degrees."""

ASLANT_CHANCE: Final = 0.01
"""The chance that the camera looks from anywhere instead."""

MOST_TILT_DEGREES: Final = 50.0
"""The largest angle of a camera off overhead, in degrees."""

STEP_DEGREES: Final = 3.0
"""The distance between neighbouring directions, in degrees."""

NORMAL_ERROR_DEGREES: Final = 4.5
"""The usual error of a fitted face's normal, in degrees; the lens is unknown, too."""

STRAY_POSE_CHANCE: Final = 0.1
"""The chance that the true pose is none of the found poses."""


@cache
def directions() -> Points:
    """Return possible directions of the upright, spaced evenly over a cap, (g, 3): x right, y down, z away."""
    number = round(2 * np.pi * (1 - np.cos(np.radians(MOST_TILT_DEGREES))) / np.radians(STEP_DEGREES) ** 2)
    height = 1 - (1 - np.cos(np.radians(MOST_TILT_DEGREES))) * (np.arange(number) + 0.5) / number
    turn = np.arange(number) * np.pi * (3 - np.sqrt(5))  # the golden angle leaves no gaps
    out = np.sqrt(1 - height**2)
    return np.column_stack([out * np.cos(turn), out * np.sin(turn), -height])


def expected(upright: Points | None = None, spread: float = OVERHEAD_DEGREES) -> Batch:
    """Return the prior log chance of each direction, before any die is seen, (g).

    ``upright``: the direction as far as it is known, to within ``spread`` degrees. By default the camera looks down on
    the table.
    """
    known = np.array([0.0, 0.0, -1.0]) if upright is None else upright / np.linalg.norm(upright)
    near = np.exp((directions() @ known - 1) / np.radians(spread) ** 2)
    return np.asarray(np.log((1 - ASLANT_CHANCE) * near / near.sum() + ASLANT_CHANCE / len(near)))


def seen(normals: Points, chances: Batch, sure: float = 1 - STRAY_POSE_CHANCE) -> Batch:
    """Return the log likelihood of each direction, (g), from one die whose upper face is one of these faces.

    ``normals``: (k, 3), of the visible faces in the die's possible poses; ``chances``: (k), of those poses; ``sure``:
    the chance that it is a die in one of these poses.
    """
    density = chances @ _near(normals) / chances.sum()
    trust = min(sure, 1 - STRAY_POSE_CHANCE)
    return np.asarray(np.log(trust * density + (1 - trust) * density.mean()))


def lying(normals: Batch, table: Batch) -> Batch:
    """Return the log density of each face's normal (..., 3) as the upright, given log chances of the upright (g)."""
    chances = np.exp(table - table.max())
    return np.asarray(np.log(_near(normals) @ chances / chances.sum() + 1e-12))


def without(each: Sequence[Batch], number: int, before: Batch) -> Batch:
    """Return the log chances of the upright given all dice but one."""
    return np.asarray(before + sum((one for k, one in enumerate(each) if k != number), np.zeros(len(before))))


def _near(normals: Batch) -> Batch:
    return np.asarray(np.exp((normals @ directions().T - 1) / np.radians(NORMAL_ERROR_DEGREES) ** 2))


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
        evidence: the log likelihood of each of `directions`, as the attribute of this name holds it.

    Raises:
        ValueError: there are more or fewer of them, or one is no number.
    """

    def __init__(self, evidence: Numbers | None = None) -> None:
        number = len(directions())
        self.evidence: Numbers = np.zeros(number) if evidence is None else np.asarray(evidence, np.float64)
        if self.evidence.shape != (number,) or not np.isfinite(self.evidence).all():
            raise ValueError(f"Expected {number} finite log likelihoods of the upright, but got {self.evidence.shape}.")

    def chances(self) -> Numbers:
        """Return the log chance of each direction before a throw is seen, up to a constant."""
        return expected() + self.evidence

    def learn(self, says: Numbers) -> None:
        """Add what one die says, as `solids.upper.SolidReader.posed` holds it."""
        gathered = FADING_PER_DIE * self.evidence + DIE_WEIGHT * says
        self.evidence = np.maximum(gathered - gathered.max(), -MOST_AGAINST)

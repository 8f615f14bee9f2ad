"""Which way the table's upright points, as the solids on it tell: each lies on a face, so each has a face that way."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from companion.vision.dice.geometry import Points
from companion.vision.dice.solids.model import Batch

OVERHEAD: Final = 7.5
"""A camera above a table looks down within about so many degrees (one standard deviation)."""

ASLANT: Final = 0.01
"""So often it looks from anywhere."""

MOST_TILT_DEGREES: Final = 50.0
"""Cameras are not farther off overhead than this, degrees."""

STEP: Final = 3.0
"""Directions that far apart are told apart, degrees."""

BLUNT: Final = 4.5
"""A fitted face's normal is off by about so many degrees, as the lens is not known either."""

STRAY_POSE_CHANCE: Final = 0.1
"""So often a pose is none of those that were found."""


@cache
def directions() -> Points:
    """Return the directions in which the upright may point, evenly over a cap, (g, 3): x right, y down, z away."""
    number = round(2 * np.pi * (1 - np.cos(np.radians(MOST_TILT_DEGREES))) / np.radians(STEP) ** 2)
    height = 1 - (1 - np.cos(np.radians(MOST_TILT_DEGREES))) * (np.arange(number) + 0.5) / number
    turn = np.arange(number) * np.pi * (3 - np.sqrt(5))  # the sunflower's angle leaves no gaps
    out = np.sqrt(1 - height**2)
    return np.column_stack([out * np.cos(turn), out * np.sin(turn), -height])


def expected(upright: Points | None = None, spread: float = OVERHEAD) -> Batch:
    """Return the log chance of each direction before any die was seen, (g).

    ``upright``: what is known of it, to within ``spread`` degrees; by default that the camera looks down on the table.
    """
    known = np.array([0.0, 0.0, -1.0]) if upright is None else upright / np.linalg.norm(upright)
    near = np.exp((directions() @ known - 1) / np.radians(spread) ** 2)
    return np.asarray(np.log((1 - ASLANT) * near / near.sum() + ASLANT / len(near)))


def seen(normals: Points, chances: Batch, sure: float = 1 - STRAY_POSE_CHANCE) -> Batch:
    """Return the log likelihood of each direction by one die, (g), whose upper face is one of these.

    ``normals``: (k, 3), of the faces that show in the poses that it may have; ``chances``: (k), of those poses;
    ``sure``: how surely it is a die in one of these poses.
    """
    told = chances @ _near(normals) / chances.sum()
    trust = min(sure, 1 - STRAY_POSE_CHANCE)
    return np.asarray(np.log(trust * told + (1 - trust) * told.mean()))


def lying(normals: Batch, table: Batch) -> Batch:
    """Return the log density that faces with these normals (..., 3) lie up, given log chances of the upright (g)."""
    chances = np.exp(table - table.max())
    return np.asarray(np.log(_near(normals) @ chances / chances.sum() + 1e-12))


def without(each: Sequence[Batch], number: int, before: Batch) -> Batch:
    """Return the log chances of the upright given all dice but one."""
    return np.asarray(before + sum((one for k, one in enumerate(each) if k != number), np.zeros(len(before))))


def _near(normals: Batch) -> Batch:
    return np.asarray(np.exp((normals @ directions().T - 1) / np.radians(BLUNT) ** 2))

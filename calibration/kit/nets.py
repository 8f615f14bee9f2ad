"""Nets of dice as the file has them: panels and tabs to cut, score, fold and glue. This module draws nothing.

The file, ``nets.toml``, is written by ``python -m workshop.paper_dice``, which unfolds the solids and folds them again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from companion.data_file import data_of
from companion.rules.dice import DiceSet
from companion.rules.die import Die

Points = npt.NDArray[np.float64]

FILE: Final = "nets.toml"


@dataclass(frozen=True, eq=False)
class Panel:
    """One face in the net. ``corners``: n x 2 millimetres, y down, clockwise as printed, seen from the printed side.

    ``face`` is its place in the die's faces. The marks' top points to the first corner of a triangle, and to the first
    edge of a square.
    """

    face: int
    corners: Points

    @property
    def middle(self) -> Points:
        """The middle of the face in the net."""
        return np.asarray(self.corners.mean(axis=0))

    @property
    def inner(self) -> float:
        """The radius of the largest circle about the middle, in millimetres."""
        along = np.roll(self.corners, -1, axis=0) - self.corners
        away = self.middle - self.corners
        across = along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0]
        return float((across / np.linalg.norm(along, axis=1)).min())


@dataclass(frozen=True, eq=False)
class DieNet:
    """A die's net, all lengths in millimetres. ``tabs``: (n, 4, 2), the corners of the tabs that glue it.

    ``cuts``, ``folds``: (n, 2, 2), the ends of the panels' edges to cut, and of those to score and fold.
    """

    die: Die
    panels: tuple[Panel, ...]
    tabs: Points
    cuts: Points
    folds: Points

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of panels and tabs."""
        points = np.vstack([*(panel.corners for panel in self.panels), *self.tabs])
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        return float(left), float(top), float(right), float(bottom)


def nets_of(dice: DiceSet) -> tuple[DieNet, ...]:
    """Return the nets of a set's dice; `KeyError` for a set that the kit does not print."""
    data = data_of(__package__, FILE)
    return tuple(_net(die, data[die.shape], data["faces"][dice.name][die.name]) for die in dice.dice)


def _net(die: Die, shape: dict[str, Any], faces: Sequence[int]) -> DieNet:
    panels = tuple(Panel(face, np.array(corners)) for face, corners in zip(faces, shape["panels"], strict=True))
    return DieNet(die, panels, *(np.array(shape[part]) for part in ("tabs", "cuts", "folds")))


def bounds_of(nets: Sequence[DieNet]) -> tuple[float, float]:
    """Return the width and height of the largest of these nets."""
    sizes = [(right - left, bottom - top) for left, top, right, bottom in (net.bounds for net in nets)]
    return max(width for width, _ in sizes), max(height for _, height in sizes)

"""The bias to expect of a brick-shaped die, from its edges: a model that gives a range, not one number.

The higher a brick's centre lies when it rests on a face, the more rarely it lands on that face. The chances are in
proportion to exp(-beta h), where h is the upright edge over the cube root of the volume. The form is that of Riemer,
Stoyan and Obreschkow (Cuboidal Dice and Gibbs Distributions, Metrika 2013, arXiv 1302.3925). The exponent depends on
how the brick is thrown and on what; here it is fitted to bricks that others have thrown (``brick.toml``). The model
ignores rounded edges, cavities and pips, the surface and the hand.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from companion.data_file import data_of
from companion.fairness.outcomes import Contrast, Floats, Outcomes
from companion.fairness.planning import Plan, plan_of

OPPOSITE_PAIRS: Final = 3
MOST_RATIO: Final = 3.0
"""The longest edge is at most this many times the shortest: nobody has thrown longer bricks."""

EQUAL_WITHIN: Final = 1e-9


class BrickError(ValueError):
    """Nobody has thrown such a brick, so nothing is known of it."""


@dataclass(frozen=True)
class Measured:
    """A brick 1 x 1 x ``ratio`` that others threw: the share of its two ``squares`` together, in ``throws`` throws."""

    ratio: float
    squares: float
    throws: int


@dataclass(frozen=True, eq=False)
class Brick:
    """A brick and what the model expects of it.

    ``edges``: three lengths in any unit. ``low``, ``middle``, ``high``: the chance of one face of each pair (3) with a
    weak, a usual and a strong exponent; each edge's length is the distance between the two faces of its pair.
    """

    edges: tuple[float, float, float]
    low: Floats
    middle: Floats
    high: Floats

    @property
    def chances(self) -> Floats:
        """The middle of the model: a chance for each of six faces; opposite faces are first and last, and so on."""
        return np.concatenate([self.middle, self.middle[::-1]])

    def between(self, pair: int) -> tuple[float, float]:
        """Return the lowest and the highest chance that the model gives each face of a pair (0 to 2)."""
        every = (float(self.low[pair]), float(self.middle[pair]), float(self.high[pair]))
        return min(every), max(every)


@cache
def measured() -> tuple[tuple[Measured, ...], tuple[float, float, float]]:
    """Return the bricks that others threw, and the weakest, usual and strongest exponents."""
    data = data_of(__package__, "brick.toml")
    low, middle, high = data["beta"]
    return tuple(Measured(**one) for one in data["measured"]), (low, middle, high)


def brick_of(edges: tuple[float, float, float]) -> Brick:
    """Return what the model expects of a brick with these edges.

    Raises:
        BrickError: an edge is not a length, or the brick is longer than any that was thrown.
    """
    if len(edges) != OPPOSITE_PAIRS or not all(math.isfinite(edge) and edge > 0 for edge in edges):
        raise BrickError(f"Expected three lengths of edges, each more than 0, but got {', '.join(map(str, edges))}.")
    if max(edges) > MOST_RATIO * min(edges):
        raise BrickError(
            f"Expected edges of which the longest is at most {MOST_RATIO:g} times the shortest, but got "
            f"{', '.join(map(str, edges))}: of longer bricks nothing is known."
        )
    low, middle, high = (shares(edges, beta) for beta in measured()[1])
    return Brick(edges, low, middle, high)


def shares(edges: tuple[float, float, float], beta: float) -> Floats:
    """Return the chance of one face of each pair (3); each edge's length is the distance between the pair's faces."""
    heights = np.array(edges) / math.prod(edges) ** (1 / 3)
    weights = np.exp(-beta * (heights - heights.min()))
    return np.asarray(weights / weights.sum() / 2)


def throws_to_see(brick: Brick) -> Plan | None:
    """Return how many throws show that a brick with the model's middle chances is not a fair die.

    None if the model expects a cube.
    """
    if np.ptp(brick.middle) < EQUAL_WITHIN:
        return None
    return plan_of(_six_faces(), brick.chances)


def _six_faces() -> Outcomes:
    """Return the outcomes of a die whose opposite faces are first and last, second and last but one, ..."""
    faces = 2 * OPPOSITE_PAIRS
    singles = tuple(Contrast("face", (place,)) for place in range(faces))
    axes = tuple(Contrast("axis", (place, faces - 1 - place)) for place in range(OPPOSITE_PAIRS))
    return Outcomes(tuple(str(place + 1) for place in range(faces)), (1,) * faces, singles + axes)

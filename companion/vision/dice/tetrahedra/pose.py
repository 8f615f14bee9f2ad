"""A regular tetrahedron seen from far away: how well four found corners fit one, and where else they may lie.

From far away, the four corners in the picture are those of the solid, rotated, scaled and projected: x = s R v. The
second moment of a regular tetrahedron's corners about their mean is the same in all directions. So the best 2 x 3
matrix for four found corners is a plain product. It is a scaled rotation exactly if its two singular values are equal.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.vision.dice.geometry import Points, area, edge_length
from companion.vision.dice.locate import Tetrahedron

TETRAHEDRON_CORNERS: Final = 4
APEX_CORNER: Final = 3

_RING: Final = np.array([[0, -1 / np.sqrt(3)], [0.5, 0.5 / np.sqrt(3)], [-0.5, 0.5 / np.sqrt(3)]])
_HEIGHT: Final = np.sqrt(2 / 3)
SOLID: Final = np.vstack([np.column_stack([_RING, [-_HEIGHT / 4] * 3]), [0, 0, 3 * _HEIGHT / 4]])
"""The corners of a tetrahedron with edge 1 about their mean, shape (4, 3): the base clockwise with y down, the apex."""

_SECOND_MOMENT: Final = 0.5
"""The corners' second moment, which is the same in each direction."""

ERROR_COUNTS: Final = 0.8
"""The weight of the corner net's own error relative to the stretch of the corners."""

TRIED_TURNS: Final = 4
"""How many rotations of a tetrahedron seen from straight above to try."""

LARGER_BASE: Final = 1.4
"""The size of that tetrahedron's base relative to the found base, which is too small where a dark side was not seen."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """The regular tetrahedron that fits found corners best.

    ``corners``: shape (4, 2), pixels, the base and the apex. ``off``: how much the found corners are stretched relative
    to it: 0 for a true tetrahedron seen from far away, 1 for four corners on a line. It is up to 0.07 for dice that a
    wide lens sees from near, and hardly 0.02 for others.
    """

    corners: Points
    off: float


def fitted(base: Points, apex: Points) -> Fitted:
    """Return the regular tetrahedron, seen from far away, that fits a base (3, 2) and an apex (2,) best."""
    found = np.vstack([base, apex[None]])
    middle = found.mean(axis=0)
    matrix = (found - middle).T @ SOLID / _SECOND_MOMENT
    left, (large, small), right = np.linalg.svd(matrix, full_matrices=False)
    scale = (large + small) / 2
    corners: Points = SOLID @ (scale * left @ right).T + middle
    return Fitted(corners, float((large - small) / max(large + small, 1e-9)))


def fourth(corners: Points, number: int) -> list[Points]:
    """Return the two places of one corner (0 to 2, or `APEX_CORNER`) that complete a regular tetrahedron.

    The entry of that corner in ``corners`` plays no part.
    """
    # with complex places z, the two rows of the matrix are equally long and perpendicular if (z SOLID)^2 = 0
    places = corners[:, 0] + 1j * corners[:, 1]
    places = places - np.delete(places, number).mean()
    others = np.delete(places, number) @ np.delete(SOLID, number, axis=0)
    own = SOLID[number]
    square, linear, rest = own @ own, 2 * (others @ own), others @ others
    root = np.sqrt(linear**2 - 4 * square * rest)
    middle = np.delete(corners, number, axis=0).mean(axis=0)
    found = [(-linear + sign * root) / (2 * square) for sign in (1, -1)]
    return [middle + np.array([place.real, place.imag]) for place in found]


def others(one: Tetrahedron) -> Iterator[Tetrahedron]:
    """Yield what the tetrahedron may be if some of its corners are wrong.

    First it moves each corner in turn to the places that fit the other three. Then comes the best fit to all four. Last
    come tetrahedra seen from straight above, around the apex, which is the best found corner, and around the base's
    middle.
    """
    if one.apex is None:
        return
    found = np.vstack([one.base, one.apex[None]])
    for number in range(TETRAHEDRON_CORNERS):
        for place in fourth(found, number):
            moved = found.copy()
            moved[number] = place
            yield replace(one, base=moved[:APEX_CORNER], apex=moved[APEX_CORNER])
    fit = fitted(one.base, one.apex).corners
    yield replace(one, base=fit[:APEX_CORNER], apex=fit[APEX_CORNER])
    for turn in np.arange(TRIED_TURNS) * 2 * np.pi / (TRIED_TURNS * APEX_CORNER):
        cos, sin = np.cos(turn), np.sin(turn)
        ring = LARGER_BASE * edge_length(one.base) * SOLID[:APEX_CORNER, :2] @ np.array([[cos, sin], [-sin, cos]])
        for middle in (one.apex, one.base.mean(axis=0)):
            yield replace(one, base=ring + middle, apex=middle)


def turns_clockwise(base: Points) -> bool:
    """Return whether a base runs clockwise in the picture, as every base seen from above does."""
    return area(base) > 0


def strain(one: Tetrahedron) -> float:
    """Return how unreliable found corners are: from their stretch, and from the corner net's own error.

    For right corners it was below 0.08, for corners that were off by more than 0.15 edges above it.
    """
    if one.apex is None or not turns_clockwise(one.base):
        return np.inf
    return fitted(one.base, one.apex).off + ERROR_COUNTS * one.error

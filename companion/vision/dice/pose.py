"""How a flat face of known shape is seen: its scale in pixels, and how far off its own upright the camera looks."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from companion.rules.dice import Shape
from companion.vision.dice.geometry import Points

KITE_TIP: Final = np.radians(54.4)
KITE_SHORT: Final = 0.503
"""A ten-sided die's kite: the angle at its tip and its short edges in long ones, where the kites lean 45 degrees."""

TRIANGLE, SQUARE, PENTAGON = 3, 4, 5

CORNERS: Final[dict[Shape, int]] = {
    "cube": SQUARE,
    "tetrahedron": TRIANGLE,
    "octahedron": TRIANGLE,
    "trapezohedron": SQUARE,
    "dodecahedron": PENTAGON,
    "icosahedron": TRIANGLE,
    "tile": SQUARE,
}
"""How many corners a face has. A wheel has none that a camera could find."""


@dataclass(frozen=True)
class Foreshortening:
    """How a face is seen.

    ``along``: pixels of an edge in the direction that is not shortened; ``across``: in the one that is shortened
    most; ``tilt``: degrees between the face's upright and the line of sight.
    """

    along: float
    across: float

    @property
    def tilt(self) -> float:
        """Return the angle off the face's upright in degrees."""
        return float(np.degrees(np.arccos(np.clip(self.across / max(self.along, 1e-9), 0.0, 1.0))))


def foreshortening(corners: Points, shape: Shape) -> Foreshortening:
    """Return how a face with these corners (shape (n, 2), pixels, in order) is seen, as from far away.

    Perspective within the one face is averaged out: it is small where a die is small against its distance. Found
    corners are a little off, and an angle under some 8 degrees is then hardly told from none.

    Raises:
        ValueError: a face of this shape has not so many corners.
    """
    flat = flat_face(shape)
    if len(corners) != len(flat):
        raise ValueError(f"Expected {len(flat)} corners of the face of a {shape}, but {len(corners)} were given.")
    placed = corners - corners.mean(axis=0)
    # the corners of a kite may begin anywhere; of a regular face every beginning fits alike
    fits = [np.linalg.lstsq(np.roll(flat, turn, axis=0), placed, rcond=None) for turn in range(len(flat))]
    matrix = min(fits, key=lambda fit: float(np.sum(fit[1])))[0]
    along, across = np.linalg.svd(matrix, compute_uv=False)
    return Foreshortening(float(along), float(across))


@cache
def flat_face(shape: Shape) -> Points:
    """Return a face's corners about their mean, clockwise with y down, in its own (of a kite the longer) edges.

    Raises:
        ValueError: the shape has no face of its own: a wheel.
    """
    if shape not in CORNERS:
        raise ValueError(f"Expected a shape with flat faces, but a {shape} has none.")
    if shape == "trapezohedron":
        half = KITE_TIP / 2
        side = np.array([np.sin(half), np.cos(half)])
        far = side[1] + np.sqrt(KITE_SHORT**2 - side[0] ** 2)
        kite: Points = np.array([[0.0, 0.0], [-side[0], side[1]], [0.0, far], [side[0], side[1]]])[::-1]
        about: Points = kite - kite.mean(axis=0)
        return about
    number = CORNERS[shape]
    turn = np.arange(number) * 2 * np.pi / number
    regular: Points = np.column_stack([np.cos(turn), np.sin(turn)]) / (2 * np.sin(np.pi / number))
    return regular

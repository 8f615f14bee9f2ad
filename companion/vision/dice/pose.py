"""How the camera sees a flat face of known shape: its scale in pixels, and the tilt off the face's own upright."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from companion.rules.dice import Shape
from companion.vision.dice.geometry import Points

KITE_TIP: Final = np.radians(54.4)
KITE_SHORT: Final = 0.503
"""A ten-sided die's kite, for kites that lean 45 degrees: the angle at its tip, and its short edge in long edges."""

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
"""How many corners a face of each shape has. A wheel has no corners that a camera could find."""


@dataclass(frozen=True)
class Foreshortening:
    """How the camera sees a face.

    ``along``: pixels of an edge in the direction without foreshortening; ``across``: in the direction with the most
    foreshortening; ``tilt``: degrees between the face's upright and the line of sight.
    """

    along: float
    across: float

    @property
    def tilt(self) -> float:
        """Return the angle off the face's upright in degrees."""
        return float(np.degrees(np.arccos(np.clip(self.across / max(self.along, 1e-9), 0.0, 1.0))))


def foreshortening(corners: Points, shape: Shape) -> Foreshortening:
    """Return the foreshortening of a face with these corners (shape (n, 2), pixels, in order), as seen from far away.

    The fit averages out perspective within the face, which is small where a die is small compared with its distance.
    Found corners are a little off, so angles under about 8 degrees are hard to distinguish from 0.

    Raises:
        ValueError: a face of this shape has another number of corners, or the shape has no flat faces.
    """
    flat = flat_face(shape)
    if len(corners) != len(flat):
        raise ValueError(f"Expected {len(flat)} corners of the face of a {shape}, but {len(corners)} were given.")
    placed = corners - corners.mean(axis=0)
    # a kite's corners may begin anywhere; for a regular face every beginning fits equally well
    fits = [np.linalg.lstsq(np.roll(flat, turn, axis=0), placed, rcond=None) for turn in range(len(flat))]
    matrix = min(fits, key=lambda fit: float(np.sum(fit[1])))[0]
    along, across = np.linalg.svd(matrix, compute_uv=False)
    return Foreshortening(float(along), float(across))


@cache
def flat_face(shape: Shape) -> Points:
    """Return a face's corners about their mean, clockwise with y down, in units of its edge (a kite's longer edge).

    Raises:
        ValueError: the shape has no flat faces: a wheel.
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

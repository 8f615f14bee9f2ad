"""The convex solids that dice are made as, each defined by the directions of its faces."""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from workshop.scenes.camera import Points

SOLIDS = ("cube", "tetrahedron", "octahedron", "trapezohedron", "dodecahedron", "icosahedron")
"""The shapes of dice with a closed formula; a tile is a box with its own measures."""

_KITE_LEAN = float(np.radians(45.0))
"""How far the kites of a ten-sided die lean from the upright, as on most dice."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A convex solid around the origin. A die's inscribed sphere has the radius 0.5, like that of a cube of edge 1.

    ``vertices``: n x 3; ``normals``: outward unit normals of the faces, f x 3; ``rings``: for each face the indices of
    its corners, clockwise as seen from outside. A kite's ring starts at its tip, the sharpest corner.
    """

    vertices: Points
    normals: Points
    rings: tuple[tuple[int, ...], ...]
    inner: float

    def opposite(self, face: int) -> int | None:
        """Return the face that looks in the opposite direction, if there is one."""
        along = self.normals @ self.normals[face]
        back = int(np.argmin(along))
        return back if along[back] < -0.999 else None


@cache
def solid(shape: str) -> Solid:
    """Return the solid of that name, see `SOLIDS`.

    Raises:
        ValueError: there is no such solid.
    """
    golden = (1 + np.sqrt(5)) / 2
    ends = (-1.0, 1.0)
    match shape:
        case "cube":
            normals = np.vstack([np.eye(3), -np.eye(3)])
        case "tetrahedron":
            normals = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], np.float64)
        case "octahedron":
            normals = np.array([[x, y, z] for x in ends for y in ends for z in ends])
        case "dodecahedron":
            normals = np.array([np.roll([0, x, y * golden], k) for x in ends for y in ends for k in range(3)])
        case "icosahedron":
            inner = [[x, y, z] for x in ends for y in ends for z in ends]
            outer = [np.roll([0, x / golden, y * golden], k) for x in ends for y in ends for k in range(3)]
            normals = np.vstack([inner, outer])
        case "trapezohedron":
            angles = np.arange(10) * np.pi / 5
            height = np.where(np.arange(10) % 2 == 0, 1.0, -1.0) * np.sin(_KITE_LEAN)
            normals = np.column_stack(
                [np.cos(angles) * np.cos(_KITE_LEAN), np.sin(angles) * np.cos(_KITE_LEAN), height]
            )
        case _:
            raise ValueError(f"Expected one of the solids {', '.join(SOLIDS)}, but got {shape!r}.")
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    return _bounded(normals, np.full(len(normals), 0.5))


@cache
def box(width: float, length: float, height: float) -> Solid:
    """Return a flat box, its faces in this order: upper, lower, then the four edges."""
    x, y, z = np.eye(3)
    return _bounded(np.stack([z, -z, x, -x, y, -y]), np.array([height, height, width, width, length, length]) / 2)


def _bounded(normals: Points, distances: Points) -> Solid:
    """Return the solid bounded by planes with these normals and distances from the origin."""
    points: list[Points] = []
    for three in combinations(range(len(normals)), 3):
        system = normals[list(three)]
        if abs(np.linalg.det(system)) < 1e-6:
            continue
        point: Points = np.asarray(np.linalg.solve(system, distances[list(three)]), np.float64)
        if (normals @ point < distances + 1e-6).all() and all(np.linalg.norm(point - p) > 1e-5 for p in points):
            points.append(point)
    vertices = np.array(points)
    rings = tuple(
        _ring(vertices, normal, np.flatnonzero(np.abs(vertices @ normal - distance) < 1e-5))
        for normal, distance in zip(normals, distances, strict=True)
    )
    return Solid(vertices, normals, rings, float(distances.min()))


def _ring(vertices: Points, normal: Points, corners: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[int, ...]:
    """Return a face's corners clockwise as seen from outside, the sharpest first where they differ."""
    centre = vertices[corners].mean(axis=0)
    right = vertices[corners[0]] - centre
    up = np.cross(normal, right)
    offsets = vertices[corners] - centre
    order = corners[np.argsort(-np.arctan2(offsets @ up, offsets @ right))]
    before = vertices[np.roll(order, 1)] - vertices[order]
    after = vertices[np.roll(order, -1)] - vertices[order]
    sharp = (before * after).sum(axis=1) / np.linalg.norm(before, axis=1) / np.linalg.norm(after, axis=1)
    first = int(np.argmax(sharp)) if len(order) == 4 and np.ptp(sharp) > 0.1 else 0
    return tuple(int(v) for v in np.roll(order, -first))

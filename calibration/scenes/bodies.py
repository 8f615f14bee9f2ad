"""Cubes and tetrahedra on the table: which face lies where, and the corners of every side in space."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.scenes.camera import Camera, Points
from calibration.scenes.faces import FaceStyle
from companion.rules.dice import Die

RINGS = {0: (1, 2, 3), 1: (0, 3, 2), 2: (3, 0, 1), 3: (2, 1, 0)}
"""For each lower side of a tetrahedron (opposite the vertex of that number) its corners, anticlockwise."""

TETRAHEDRON_HEIGHT = float(np.sqrt(2 / 3))


@dataclass(frozen=True)
class Body:
    """A die as it was made: its faces, how their letters are turned, its handedness, its size and look."""

    die: Die
    set_name: str
    style: FaceStyle
    edge: float
    turns: tuple[int, ...]
    """For each face: quarter turns of the letters; of a tetrahedron the vertex that their top points to."""
    right_handed: bool
    seed: int
    """What is random in drawing its faces comes from it, so that a die looks the same in every picture."""

    @property
    def is_cube(self) -> bool:
        """Whether this is a cube (else a tetrahedron)."""
        return self.die.shape == "cube"

    @property
    def height(self) -> float:
        """How high it stands."""
        return self.edge if self.is_cube else self.edge * TETRAHEDRON_HEIGHT


@dataclass(frozen=True)
class Placed:
    """A die lying on the table. ``face`` is the number of the face that counts: up for a cube, down otherwise."""

    body: Body
    x: float
    y: float
    yaw: float
    face: int
    blur: tuple[float, float] = (0.0, 0.0)
    """How far it moves along x and y of the table while the picture is taken, in its edges."""
    spoiled: bool = False
    """Nobody could read it: glare lies on it."""


@dataclass(frozen=True, eq=False)
class Side:
    """One side in space: its text, its corners in the order of the upright letters, and which way it looks.

    Corners: of a square the letters' upper left, then clockwise; of a triangle the apex of the die, then clockwise
    as seen from outside. ``rotation``: at which of the triangle's corners the letters' top is (0 for squares).
    """

    text: str
    face: int
    corners: Points
    normal: Points
    rotation: int
    upper: bool


def random_body(rng: np.random.Generator, die: Die, set_name: str, style: FaceStyle, edge: float) -> Body:
    """Return a die of either hand with its letters turned at random."""
    if die.shape == "cube":
        turns = tuple(int(rng.integers(4)) for _ in die.faces)
    else:
        turns = tuple(int(rng.choice([v for v in range(4) if v != face])) for face in range(4))
    return Body(die, set_name, style, edge, turns, bool(rng.random() < 0.6), int(rng.integers(2**31)))


def sides(placed: Placed) -> tuple[Side, ...]:
    """Return all sides of a die as it lies, the hidden one of a tetrahedron included."""
    return _cube_sides(placed) if placed.body.is_cube else _tetrahedron_sides(placed)


def footprint(placed: Placed) -> Points:
    """Return the corners of a die where it is widest, x and y on the table, anticlockwise."""
    body = placed.body
    if body.is_cube:
        angles = placed.yaw + np.pi / 4 + np.arange(4) * np.pi / 2
        reach = body.edge / np.sqrt(2)
    else:
        angles = placed.yaw + np.arange(3) * 2 * np.pi / 3
        reach = body.edge / np.sqrt(3)
    return np.asarray(np.column_stack([placed.x + reach * np.cos(angles), placed.y + reach * np.sin(angles)]))


def outline(placed: Placed, camera: Camera) -> tuple[Points, Points]:
    """Return the die's corners rounded as balls: their pixels (n x 2) and radii in pixels (n), whose hull it fills."""
    body = placed.body
    corners = vertices(placed)
    centre = corners.mean(axis=0)
    radius = body.style.bevel * body.edge
    inner = body.edge / 2 if body.is_cube else body.edge * 0.2041
    radius = min(radius, inner * 0.6) * (1.0 if body.is_cube else 0.5)
    shrunk = centre + (corners - centre) * (1 - radius / inner)
    return camera.project(shrunk), radius * camera.focal / camera.depth(shrunk)


def vertices(placed: Placed) -> Points:
    """Return the corners in space, n x 3: a cube's lower then upper, a tetrahedron's lower ring, then the apex."""
    base = footprint(placed)
    low = np.column_stack([base, np.zeros(len(base))])
    if placed.body.is_cube:
        return np.vstack([low, low + np.array([0, 0, placed.body.edge])])
    return np.vstack([low, [[placed.x, placed.y, placed.body.height]]])


def _cube_sides(placed: Placed) -> tuple[Side, ...]:
    body = placed.body
    x, y, z = np.eye(3)
    flip = 1 if body.right_handed else -1
    # values 1 and 6, 2 and 5, 3 and 4 lie opposite: seven letters together
    normals = (x, flip * y, z, -z, -flip * y, -x)
    frames = []
    for normal, turn in zip(normals, body.turns, strict=True):
        right = np.roll(np.abs(normal), 1)
        up = np.cross(normal, right)
        angle = turn * np.pi / 2
        right, up = np.cos(angle) * right + np.sin(angle) * up, np.cos(angle) * up - np.sin(angle) * right
        frames.append((normal, right, up))
    normal, right, up = frames[placed.face]
    cos, sin = np.cos(placed.yaw), np.sin(placed.yaw)
    world = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]]).T @ np.stack([right, up, normal])
    half = body.edge / 2
    middle = np.array([placed.x, placed.y, half])
    out = []
    for face, (n, r, u) in enumerate(frames):
        corners = np.stack([n - r + u, n + r + u, n + r - u, n - r - u]) * half
        out.append(Side(body.die.faces[face].text, face, corners @ world.T + middle, world @ n, 0, face == placed.face))
    return tuple(out)


def _tetrahedron_sides(placed: Placed) -> tuple[Side, ...]:
    body = placed.body
    ring: Sequence[int] = RINGS[placed.face]
    if not body.right_handed:
        ring = ring[::-1]
    places = vertices(placed)
    centre = places.mean(axis=0)
    at = {vertex: places[i] for i, vertex in enumerate(ring)}
    at[placed.face] = places[3]
    out = []
    for i, vertex in enumerate(ring):
        # seen from outside, the next corner anticlockwise lies left and the one after it right
        order = (placed.face, ring[(i + 2) % 3], ring[(i + 1) % 3])
        corners = np.stack([at[v] for v in order])
        normal = corners.mean(axis=0) - centre
        rotation = order.index(body.turns[vertex])
        text = body.die.faces[vertex].text
        out.append(Side(text, vertex, corners, normal / np.linalg.norm(normal), rotation, upper=False))
    below = np.stack([at[v] for v in ring])
    out.append(Side(body.die.faces[placed.face].text, placed.face, below, np.array([0.0, 0, -1]), 0, upper=False))
    return tuple(out)


def overlap(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Return how deep two convex outlines run into each other; below 0 the width of the gap along the best axis."""
    deepest = np.inf
    for outline_ in (one, other):
        edges = np.roll(outline_, -1, axis=0) - outline_
        axes = np.column_stack([edges[:, 1], -edges[:, 0]])
        axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
        a, b = one @ axes.T, other @ axes.T
        depth = np.minimum(a.max(axis=0) - b.min(axis=0), b.max(axis=0) - a.min(axis=0))
        deepest = min(deepest, float(depth.min()))
    return float(deepest)

"""Dice on the table: which face lies where, and the corners of every side in space."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.dice import Die
from workshop.scenes.camera import Camera, Points
from workshop.scenes.faces import FaceStyle
from workshop.scenes.solids import Solid, solid

RINGS = {0: (1, 2, 3), 1: (0, 3, 2), 2: (3, 0, 1), 3: (2, 1, 0)}
"""For each lower side of a tetrahedron (opposite the vertex of that number): its corners, anticlockwise."""

TETRAHEDRON_HEIGHT = float(np.sqrt(2 / 3))


@dataclass(frozen=True)
class Body:
    """A die as it was made: its faces, the turn of their letters, its handedness, its size and look."""

    die: Die
    set_name: str
    style: FaceStyle
    edge: float
    turns: tuple[int, ...]
    """For each face: quarter turns of the letters; on a tetrahedron the vertex that their top points to."""
    right_handed: bool
    seed: int
    """Seed for everything random in drawing its faces, so that a die looks the same in every picture."""
    solid: Solid | None = None
    """Its solid, None for a cube or a tetrahedron; a tile's first face bears the letter, its second none."""
    places: tuple[int, ...] = ()
    """For each face of the die the face of the solid that bears it; empty for a tile, where one face bears them all."""

    @property
    def is_cube(self) -> bool:
        """Whether this is a cube."""
        return self.die.shape == "cube"

    @property
    def is_tetrahedron(self) -> bool:
        """Whether this is a tetrahedron: the one die whose lower face counts."""
        return self.die.shape == "tetrahedron"

    @cached_property
    def reach(self) -> float:
        """Distance on the table from its centre to its farthest corner."""
        if self.solid is not None:
            return float(np.linalg.norm(self.solid.vertices, axis=1).max()) * self.edge
        return self.edge * (0.7072 if self.is_cube else 0.5774)

    @property
    def height(self) -> float:
        """Its height above the table."""
        if self.solid is not None:
            return 2 * self.solid.inner * self.edge
        return self.edge if self.is_cube else self.edge * TETRAHEDRON_HEIGHT


@dataclass(frozen=True)
class Placed:
    """A die lying on the table. ``face``: number of the face that counts, a tetrahedron's lower one, else the upper."""

    body: Body
    x: float
    y: float
    yaw: float
    face: int
    blur: tuple[float, float] = (0.0, 0.0)
    """How far it moves along x and y of the table during the exposure, in its edges."""
    spoiled: bool = False
    """Whether glare lies on it, so that nobody could read it."""
    blank: bool = False
    """Whether this is a tile that shows its back: there is nothing to read."""

    @cached_property
    def footprint(self) -> Points:
        """The die's corners where it is widest, x and y on the table, in their order around it (n x 2)."""
        body = self.body
        if body.solid is not None:
            return np.asarray(cv2.convexHull(self.vertices[:, :2].astype(np.float32))[:, 0, :], np.float64)
        if body.is_cube:
            angles = self.yaw + np.pi / 4 + np.arange(4) * np.pi / 2
            reach = body.edge / np.sqrt(2)
        else:
            angles = self.yaw + np.arange(3) * 2 * np.pi / 3
            reach = body.edge / np.sqrt(3)
        return np.asarray(np.column_stack([self.x + reach * np.cos(angles), self.y + reach * np.sin(angles)]))

    @cached_property
    def vertices(self) -> Points:
        """The corners in space, n x 3: a cube's lower, then upper ones; a tetrahedron's lower ring, then apex."""
        if self.body.solid is not None:
            return self.lying(self.body.solid.vertices * self.body.edge)
        base = self.footprint
        low = np.column_stack([base, np.zeros(len(base))])
        if self.body.is_cube:
            return np.vstack([low, low + np.array([0, 0, self.body.edge])])
        return np.vstack([low, [[self.x, self.y, self.body.height]]])

    @cached_property
    def filled(self) -> Points:
        """The corners and points between them (n x 3), so that a solid half behind a plane still casts a shadow."""
        corners = self.vertices
        one, two = np.triu_indices(len(corners), 1)
        between = [corners[one] * t + corners[two] * (1 - t) for t in (0.25, 0.5, 0.75)]
        return np.vstack([corners, *between])

    @cached_property
    def turn(self) -> Points:
        """The rotation (3 x 3) from the solid's own frame to the table's; the face that counts looks up."""
        body = self.body
        assert body.solid is not None
        upper = body.places[self.face] if body.places else int(self.blank)
        normal = body.solid.normals[upper]
        right = body.solid.vertices[body.solid.rings[upper][0]]
        right = right - (right @ normal) * normal
        right /= np.linalg.norm(right)
        cos, sin = np.cos(self.yaw), np.sin(self.yaw)
        level = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
        return np.asarray(level @ np.stack([right, np.cross(normal, right), normal]))

    def lying(self, points: Points) -> Points:
        """Transform points of the solid (n x 3, origin in its centre) to where it lies on the table."""
        return np.asarray(points @ self.turn.T + np.array([self.x, self.y, self.body.height / 2]))


@dataclass(frozen=True, eq=False)
class Side:
    """One side in space: its text, its corners in the order of the upright letters, and its normal.

    The corners run clockwise as seen from outside. They start on a square at the letters' upper left, on a
    tetrahedron's side at the die's apex, on a kite at its tip, on another triangle or a pentagon at the marks' top.
    ``rotation`` is the number of the corner at the marks' top where that is not the first (0 for squares). An empty
    text means a bare side.
    """

    text: str
    face: int
    corners: Points
    normal: Points
    rotation: int
    upper: bool
    marks: tuple[str, ...] = ()


def random_body(rng: np.random.Generator, die: Die, set_name: str, style: FaceStyle, edge: float) -> Body:
    """Return a left- or right-handed die with its letters turned at random.

    ``edge`` is the edge of a cube or a tetrahedron, of another solid the distance between opposite faces.
    """
    if die.shape in ("octahedron", "trapezohedron", "dodecahedron", "icosahedron"):
        return _random_solid(rng, die, set_name, style, edge)
    if die.shape == "cube":
        turns = tuple(int(rng.integers(4)) for _ in die.faces)
    else:
        turns = tuple(int(rng.choice([v for v in range(4) if v != face])) for face in range(4))
    return Body(die, set_name, style, edge, turns, bool(rng.random() < 0.6), int(rng.integers(2**31)))


def _random_solid(rng: np.random.Generator, die: Die, set_name: str, style: FaceStyle, edge: float) -> Body:
    form = solid(die.shape)
    if len(die.faces) != len(form.rings):
        raise ValueError(f"Expected {len(form.rings)} faces on a {die.shape}, but die {die.name} has {len(die.faces)}.")
    places = [-1] * len(form.rings)
    free = [int(place) for place in rng.permutation(len(form.rings))]
    for one, other in die.opposite or tuple((2 * k, 2 * k + 1) for k in range(len(die.faces) // 2)):
        places[one] = free[0]
        back = form.opposite(free[0])
        assert back is not None
        places[other] = back
        free = [place for place in free if place not in (places[one], back)]
    upside_down = bool(rng.random() < 0.3)  # makers of ten-sided dice put the numerals' top at either end of the kite
    turns = tuple(2 * upside_down if len(ring) == 4 else int(rng.integers(len(ring))) for ring in form.rings)
    seed = int(rng.integers(2**31))
    return Body(die, set_name, style, edge, turns, right_handed=True, seed=seed, solid=form, places=tuple(places))


def sides(placed: Placed) -> tuple[Side, ...]:
    """Return all sides of a die where it lies, including the hidden one of a tetrahedron."""
    if placed.body.solid is not None:
        return _solid_sides(placed, placed.body.solid)
    return _cube_sides(placed) if placed.body.is_cube else _tetrahedron_sides(placed)


def footprint(placed: Placed) -> Points:
    """Return the corners of a die where it is widest, x and y on the table, in their order around it."""
    return placed.footprint


def outline(placed: Placed, camera: Camera) -> tuple[Points, Points]:
    """Return balls at the die's corners: their pixels (n x 2) and radii in pixels (n). The die fills their hull."""
    body = placed.body
    corners = vertices(placed)
    centre = corners.mean(axis=0)
    radius = body.style.bevel * body.edge
    inner = body.edge * (0.2041 if body.is_tetrahedron else body.solid.inner if body.solid else 0.5)
    radius = min(radius, inner * 0.6) * (0.5 if body.is_tetrahedron else 1.0)
    if body.solid is not None and not body.places:
        made = body.solid.vertices * body.edge
        shrunk = placed.lying(made - np.sign(made) * radius)
    elif body.is_cube and body.style.trimmed:
        shrunk = centre + _trimmed(placed, body.style.trimmed) * (body.edge / 2 - radius)
    else:
        shrunk = centre + (corners - centre) * (1 - radius / inner)
    return camera.project(shrunk), radius * camera.focal / camera.depth(shrunk)


def _trimmed(placed: Placed, reach: float) -> Points:
    """Return the outline of a cube of half edge 1, its corners turned off at ``reach`` from its faces' centres."""
    angles = np.arange(24) * np.pi / 12
    out = np.minimum(reach, 1 / np.maximum(np.abs(np.cos(angles)), np.abs(np.sin(angles))))
    a, b, c = out * np.cos(angles), out * np.sin(angles), np.ones(24)
    faces = [np.column_stack(points) for k in (c, -c) for points in ((a, b, k), (a, k, b), (k, a, b))]
    cos, sin = np.cos(placed.yaw), np.sin(placed.yaw)
    return np.asarray(np.vstack(faces) @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]]))


def vertices(placed: Placed) -> Points:
    """Return the corners in space, n x 3: a cube's lower, then upper ones; a tetrahedron's lower ring, then apex."""
    return placed.vertices


def _solid_sides(placed: Placed, form: Solid) -> tuple[Side, ...]:
    body = placed.body
    out = []
    for number, (ring, normal) in enumerate(zip(form.rings, form.normals, strict=True)):
        corners = placed.lying(form.vertices[list(ring)] * body.edge)
        turned = placed.turn @ normal
        if not body.places:
            shown = body.die.faces[placed.face] if number == 0 else None
            upper = number == 0 and not placed.blank
            text, marks = (shown.text, shown.marks) if shown else ("", ())
            out.append(Side(text, placed.face if shown else -1, corners, turned, 0, upper, marks))
            continue
        face = body.places.index(number)
        top = body.turns[number]
        kite = len(ring) == 4
        corners = corners if kite else np.roll(corners, -top, axis=0)
        shown = body.die.faces[face]
        rotation = top if kite else 0
        out.append(Side(shown.text, face, corners, turned, rotation, face == placed.face, shown.marks))
    return tuple(out)


def _cube_sides(placed: Placed) -> tuple[Side, ...]:
    body = placed.body
    x, y, z = np.eye(3)
    flip = 1 if body.right_handed else -1
    # values 1 and 6, 2 and 5, 3 and 4 lie opposite each other: together seven letters
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
        shown = body.die.faces[face]
        upper = face == placed.face
        out.append(Side(shown.text, face, corners @ world.T + middle, world @ n, 0, upper, shown.marks))
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
        # seen from outside, the next corner anticlockwise lies on the left and the one after it on the right
        order = (placed.face, ring[(i + 2) % 3], ring[(i + 1) % 3])
        corners = np.stack([at[v] for v in order])
        normal = corners.mean(axis=0) - centre
        rotation = order.index(body.turns[vertex])
        shown = body.die.faces[vertex]
        unit = normal / np.linalg.norm(normal)
        out.append(Side(shown.text, vertex, corners, unit, rotation, upper=False, marks=shown.marks))
    below = np.stack([at[v] for v in ring])
    out.append(Side(body.die.faces[placed.face].text, placed.face, below, np.array([0.0, 0, -1]), 0, upper=False))
    return tuple(out)


def overlap(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Return how deep two convex outlines overlap; a negative value is the gap between them along the best axis."""
    axes = outline_axes(one, other)
    a, b = one @ axes.T, other @ axes.T
    return float(np.minimum(a.max(axis=0) - b.min(axis=0), b.max(axis=0) - a.min(axis=0)).min())


def contact(moving: Points, fixed: Points, way: Points, *, gap: float) -> float:
    """Return the distance along ``way`` (a unit vector) at which one convex outline comes to rest against another.

    It comes from afar and stops where only ``gap`` lies between them. Each outline is given about its own centre.
    """
    axes = outline_axes(moving, fixed)
    a, b = moving @ axes.T, fixed @ axes.T
    speed = axes @ way
    with np.errstate(divide="ignore", invalid="ignore"):
        ahead = (b.max(axis=0) - a.min(axis=0) + gap) / speed
        behind = (b.min(axis=0) - a.max(axis=0) - gap) / speed
    return float(min(ahead[speed > 1e-9].min(initial=4.0), behind[speed < -1e-9].min(initial=4.0)))


def outline_axes(one: Points, other: Points) -> Points:
    """Return the unit normals of all edges of two outlines, k x 2."""
    edges = np.vstack([np.concatenate([shape[1:], shape[:1]]) - shape for shape in (one, other)])
    return np.asarray(np.column_stack([edges[:, 1], -edges[:, 0]]) / np.sqrt((edges * edges).sum(axis=1))[:, None])

"""The solids of dice with more than six faces: their corners, edges and faces, and how a camera sees them."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.data_file import data_of
from companion.vision.dice.geometry import Points

DATA: Final = "solids.toml"

Numbers = npt.NDArray[np.intp]
Batch = npt.NDArray[np.float64]
"""Places or directions of several poses; the first axis is the pose."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A convex solid with identical faces. The origin is its middle, and each face is 0.5 away from it.

    ``vertices``: (v, 3). ``rings``: (f, k), each face's corners, clockwise as seen from outside. ``normals``: (f, 3),
    outward, of length 1. ``edges``: (e, 2) corners; ``beside``: (e, 2) the two faces of each edge. ``upright``: the
    rotation by which face 0 looks at the camera, with its first corner up in the picture. ``again``: the angle
    (radians) of the rotation about that face's middle that maps the solid to itself.
    """

    vertices: Points
    rings: Numbers
    normals: Points
    edges: Numbers
    beside: Numbers
    upright: Points
    again: float

    @property
    def across(self) -> float:
        """Return the distance between two opposite corners."""
        return 2 * float(np.linalg.norm(self.vertices, axis=1).max())


@cache
def solids() -> dict[str, Solid]:
    """Return the solids of dice by shape."""
    data = data_of(__package__, DATA)
    return {shape: _solid(np.array(one["vertices"]), np.array(one["faces"])) for shape, one in data.items()}


def _solid(vertices: Points, rings: Numbers) -> Solid:
    middles = vertices[rings].mean(axis=1)
    normals = middles / np.linalg.norm(middles, axis=1, keepdims=True)
    if rings.shape[1] == 4:  # noqa: PLR2004 (a kite's corners are not even about its foot)
        across = np.cross(vertices[rings[:, 2]] - vertices[rings[:, 0]], vertices[rings[:, 3]] - vertices[rings[:, 1]])
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        normals = across * np.sign((across * middles).sum(axis=1, keepdims=True))
    beside: dict[tuple[int, int], list[int]] = {}
    for face, ring in enumerate(rings.tolist()):
        for one, other in zip(ring, ring[1:] + ring[:1], strict=True):
            beside.setdefault((min(one, other), max(one, other)), []).append(face)
    up = vertices[rings[0, 0]] - middles[0]
    up = up - (up @ normals[0]) * normals[0]
    down, away = -up / np.linalg.norm(up), -normals[0]
    upright = np.stack([np.cross(down, away), down, away])
    again = 2 * np.pi / (1 if rings.shape[1] == 4 else rings.shape[1])  # noqa: PLR2004
    return Solid(vertices, rings, normals, np.array(list(beside)), np.array(list(beside.values())), upright, again)


@dataclass(frozen=True, eq=False)
class PinholeView:
    """A camera that looks along z, x to the right and y down: focal length and middle of its picture, in pixels."""

    focal: float
    middle: Points

    def zoomed(self, scale: float, shift: Points) -> "PinholeView":
        """Return the view of a picture that was scaled and then shifted."""
        return PinholeView(self.focal * scale, self.middle * scale + shift)


@dataclass(frozen=True, eq=False)
class Poses:
    """Several poses of a solid: rotations (n, 3, 3), its middle in pixels (n, 2), log of pixels per length (n).

    Each pose has six unknowns, as in weak perspective. The distance follows from the size and the camera.
    """

    turns: Batch
    places: Batch
    sizes: Batch

    def __len__(self) -> int:
        return len(self.sizes)

    def taken(self, rows: Numbers) -> "Poses":
        """Return some of the poses."""
        return Poses(self.turns[rows], self.places[rows], self.sizes[rows])

    def zoomed(self, scale: float, shift: Points) -> "Poses":
        """Return the poses in a picture that was scaled and then shifted."""
        return Poses(self.turns, self.places * scale + shift, self.sizes + np.log(scale))

    def and_more(self, others: "Poses") -> "Poses":
        """Return these poses and then the others."""
        pairs = ((self.turns, others.turns), (self.places, others.places), (self.sizes, others.sizes))
        return Poses(*(np.concatenate(pair) for pair in pairs))

    def middles(self, view: PinholeView) -> Batch:
        """Return the solids' middles in the camera's frame, (n, 3), in lengths of the solid."""
        rays = np.column_stack([(self.places - view.middle) / view.focal, np.ones(len(self))])
        return np.asarray(rays * (view.focal / np.exp(self.sizes))[:, None])


@dataclass(frozen=True, eq=False)
class SeenSolids:
    """Solids as the camera sees them.

    ``about``: corners about the solid's middle (n, v, 3); ``middles`` (n, 3); ``pixels`` of the corners (n, v, 2);
    ``faces``: which faces are visible (n, f).
    """

    about: Batch
    middles: Batch
    pixels: Batch
    faces: npt.NDArray[np.bool_]

    @property
    def depths(self) -> Batch:
        """Return the depths of the corners in the camera's frame, (n, v)."""
        return np.asarray(self.about[..., 2] + self.middles[:, None, 2])


def see(solid: Solid, poses: Poses, view: PinholeView) -> SeenSolids:
    """Return how a camera sees a solid in these poses."""
    middles = poses.middles(view)
    about = solid.vertices @ poses.turns.transpose(0, 2, 1)
    there = about + middles[:, None]
    pixels = view.middle + view.focal * there[..., :2] / there[..., 2:]
    normals = solid.normals @ poses.turns.transpose(0, 2, 1)
    # a face is visible if the camera lies in front of its plane, which is 0.5 from the middle
    faces = (normals * middles[:, None]).sum(axis=2) < -0.5  # noqa: PLR2004
    return SeenSolids(about, middles, pixels, faces)


def rotations(vectors: Batch) -> Batch:
    """Return rotations (n, 3, 3) from rotation vectors (n, 3): the direction is the axis, the length is the radians."""
    angles = np.linalg.norm(vectors, axis=1)[:, None, None] + 1e-12
    x, y, z = (vectors / angles[:, :, 0]).T
    none = np.zeros(len(vectors))
    cross = np.stack([none, -z, y, z, none, -x, -y, x, none], axis=1).reshape(-1, 3, 3)
    return np.asarray(np.eye(3) + np.sin(angles) * cross + (1 - np.cos(angles)) * (cross @ cross))


def facing(solid: Solid, yaw: Batch, tilt: Batch) -> Batch:
    """Return rotations that turn face 0 to the camera, then rotate it by ``yaw`` (n) and tilt it by ``tilt`` (n, 2)."""
    level = rotations(np.column_stack([np.zeros((len(yaw), 2)), yaw]))
    return np.asarray(rotations(np.column_stack([tilt, np.zeros(len(yaw))])) @ level @ solid.upright)

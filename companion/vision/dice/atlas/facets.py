"""The faces of a solid that lies on one of them: points on each, and the rotations that map the solid to itself."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.solids.model import Solid, solids

RING_POINTS: Final = 30
"""Points on each ring of a face: a number that 3 and 5 divide, so that a face's own rotation only moves points."""

RINGS: Final = (0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
"""The rings of points on a face: its outline, so much smaller."""
Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.intp]

SHAPES: Final = frozenset({"icosahedron", "dodecahedron"})
"""The solids that show a camera so many faces at once that one throw can be joined to another by them."""


@dataclass(frozen=True, eq=False)
class Facets:
    """The points of a solid's faces, and its symmetry. Face 0 is the upper one.

    ``points``: (faces, samples, 3) on the solid, see `Solid`. ``weights``: (samples), the area that each stands for.
    ``faces``, ``turns``: (symmetries, faces): under each of the solid's own rotations, which face of the die lies where
    face j lies, and by how many steps it is turned. ``turned``: (steps, samples): of a face turned by so many steps,
    the sample that lies where each sample lies. ``level``: the rotation that puts face 0 up, z being up.
    """

    solid: Solid
    points: npt.NDArray[np.float64]
    weights: Floats
    faces: Numbers
    turns: Numbers
    turned: Numbers
    level: npt.NDArray[np.float64]

    @property
    def steps(self) -> int:
        """In how many positions a face looks the same from above, apart from its marks."""
        return len(self.turned)

    @cached_property
    def radius(self) -> float:
        """Return the radius of a corner, in lengths of the solid."""
        return float(np.linalg.norm(self.solid.vertices, axis=1).max())


@cache
def facets(shape: str) -> Facets:
    """Return the faces of a solid of `SHAPES`."""
    solid = solids()[shape]
    steps = solid.rings.shape[1]
    middles = solid.vertices[solid.rings].mean(axis=1)
    frames = np.stack([_frame(solid, face, 0) for face in range(len(solid.rings))])
    inside = min(
        float(np.linalg.norm(solid.vertices[[ring[0], ring[1]]].mean(axis=0) - middle))
        for ring, middle in zip(solid.rings, middles, strict=True)
    )
    angles = 2 * np.pi * np.arange(RING_POINTS) / RING_POINTS
    edge = inside / np.cos(angles % (2 * np.pi / steps) - np.pi / steps)
    ring = np.column_stack([edge * np.cos(angles), edge * np.sin(angles), np.zeros(RING_POINTS)])
    points = middles[:, None] + np.concatenate([part * ring for part in RINGS]) @ frames.transpose(0, 2, 1)
    weights = np.concatenate([part * edge**2 for part in RINGS]).astype(np.float32)
    weights /= weights.sum()
    places = np.arange(len(RINGS) * RING_POINTS).reshape(len(RINGS), RING_POINTS)
    turned = np.stack([np.roll(places, -k * RING_POINTS // steps, axis=1).ravel() for k in range(steps)])
    faces, turns = _symmetries(solid, frames)
    return Facets(solid, points, weights, faces, turns, turned, frames[0].T)


def _frame(solid: Solid, face: int, corner: int) -> npt.NDArray[np.float64]:
    """Return the axes of a face as columns: towards one of its corners, across, and outward."""
    ring = solid.vertices[solid.rings[face]]
    to = ring[corner] - ring.mean(axis=0)
    to /= np.linalg.norm(to)
    return np.stack([to, np.cross(solid.normals[face], to), solid.normals[face]], axis=1)


def _symmetries(solid: Solid, frames: npt.NDArray[np.float64]) -> tuple[Numbers, Numbers]:
    steps = solid.rings.shape[1]
    corner_frames = [[_frame(solid, face, k) for k in range(steps)] for face in range(len(frames))]
    faces, turns = [], []
    for face in range(len(frames)):
        for corner in range(steps):
            turn = corner_frames[face][corner] @ frames[0].T
            onto = (solid.normals @ turn.T) @ solid.normals.T
            faces.append(onto.argmax(axis=1))
            first = np.stack([solid.vertices[ring[0]] for ring in solid.rings]) @ turn.T
            there = solid.vertices[solid.rings[faces[-1]]]
            step = np.linalg.norm(there - first[:, None], axis=2).argmin(axis=1)
            # corners run clockwise as seen from outside, angles the other way round
            turns.append(-step % steps)
    return np.array(faces), np.array(turns)

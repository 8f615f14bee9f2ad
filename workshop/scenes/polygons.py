"""The faces of many-sided dice laid flat: their outlines in a unit square, and the rounding of their edges."""

from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.camera import Points
from workshop.scenes.solids import solid

FILLED = 0.9
"""Share of the unit square's side that an outline takes."""


@dataclass(frozen=True, eq=False)
class Flat:
    """A face laid flat into the unit square, y down, centred, its first corner on top.

    ``corners``: clockwise, n x 2; ``middle``: where the numeral stands; ``radius``: of the circle that fits around it;
    ``scale``: parts of the square per length of the solid; ``turns``: angle to the neighbouring face at each edge,
    radians.
    """

    corners: Points
    middle: tuple[float, float]
    radius: float
    scale: float
    turns: tuple[float, ...]


@cache
def flat(shape: str) -> Flat:
    """Return a face of the solid ``shape``: a triangle, a kite with its tip on top, a pentagon or a square.

    A square stands on an edge, starts at its upper left corner and fills the unit square.
    """
    form = solid(shape)
    ring, normal = form.rings[0], form.normals[0]
    vertices = form.vertices[list(ring)]
    up = vertices[0] - (vertices[2] if len(ring) == 4 else vertices.mean(axis=0))
    if shape == "cube":
        up = vertices[0] - vertices[3]
    up = up / np.linalg.norm(up)
    right = np.cross(up, normal)
    plane = np.column_stack([vertices @ right, -(vertices @ up)])
    low, high = plane.min(axis=0), plane.max(axis=0)
    scale = (1.0 if shape == "cube" else FILLED) / float((high - low).max())
    corners = (plane - (low + high) / 2) * scale + 0.5
    turns = []
    for one, two in zip(ring, (*ring[1:], ring[0]), strict=True):
        other = next(k for k, r in enumerate(form.rings) if k != 0 and one in r and two in r)
        turns.append(float(np.arccos(np.clip(normal @ form.normals[other], -1, 1))))
    along = np.roll(corners, -1, axis=0) - corners
    inward = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    heights = np.linspace(0, 1, 1001)
    # the centre of the largest inscribed circle lies on the upright axis
    room = np.min(
        [inward[k, 0] * (0.5 - corners[k, 0]) + inward[k, 1] * (heights - corners[k, 1]) for k in range(len(ring))],
        axis=0,
    )
    return Flat(corners, (0.5, float(heights[int(room.argmax())])), float(room.max()), scale, tuple(turns))


@lru_cache(maxsize=256)
def polygon_normals(shape: str, size: int, bevel_percent: int) -> npt.NDArray[np.float32]:
    """Return the normals of a face with rounded edges, size x size x 3, as right, down and outward in the texture."""
    face = flat(shape)
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32)
    points = np.dstack([xs + 0.5, ys + 0.5]) / size
    radius = max(0.01, bevel_percent / 100) * face.scale * 0.5
    normals = np.zeros((size, size, 3), np.float32)
    normals[:, :, 2] = 1
    for a, b, turn in zip(face.corners, np.roll(face.corners, -1, axis=0), face.turns, strict=True):
        along = (b - a) / np.linalg.norm(b - a)
        outward = np.array([along[1], -along[0]])
        distance = -((points - a) @ outward)
        lean = np.tan(np.clip(1 - distance / radius, 0, 1) * turn / 2)
        normals[:, :, :2] += lean[:, :, None] * outward
    return np.asarray(normals / np.linalg.norm(normals, axis=2, keepdims=True), np.float32)


@lru_cache(maxsize=64)
def polygon_cover(shape: str, size: int) -> npt.NDArray[np.float32]:
    """Return a mask that is 1 inside the outline, size x size."""
    mask = np.zeros((size, size), np.uint8)
    corners = np.round((flat(shape).corners * size - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA, 4)
    return np.asarray(mask.astype(np.float32) * np.float32(1 / 255))

"""One throw is one scene: all upper faces lie in one plane, are of one size and seen by one camera.

The plane is found from the faces themselves. A regular face that lies flat has second moments that are those of a
circle; the picture stretches them by the slant of the plane and by nothing else. So each face tells the slant, and
faces that do not agree with what the others say are sides of dice, parts of a face, or no dice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import Points, area

Numbers = npt.NDArray[np.float64]

FOCAL: Final = (0.75, 1.1, 1.8, 4.0)
"""Focal lengths that are tried, in longer sides of the picture: from a wide lens to one that is hardly perspective."""

TILTS: Final = np.radians(np.arange(0.0, 61.0, 4.0))
TURNS: Final = 24
"""Slants of the plane that are tried: degrees off the camera's axis, and so many directions."""

SHAPE: Final = 0.07
"""How far a face's shape is usually off that of its plane: the logarithm of the stretch. Corners are never exact."""

SIZE: Final = 0.1
"""How far its size is usually off: a logarithm. Perspective within a die, and dice that are not quite alike."""

OUTLIER: Final = 3.0
"""What is off by more of these than this speaks against no plane: it is something else."""

UPRIGHT_PREFERENCE: Final = 0.3
"""How much a plane straight below the camera is preferred, for each 30 degrees of slant, squared."""

MIRROR_LOG_LIKELIHOOD: Final = 8.0
"""By so much the mirror image of a slant must fit worse to be no longer thought of: twice the log of a likelihood."""

REGULAR: Final = (3, 4, 5)
"""Faces with so many corners are regular; kites, which have four too, must not be given."""


@dataclass(frozen=True, eq=False)
class Scene:
    """The plane of the upper faces. ``normal``: in the camera's frame (x right, y down, z away), a unit vector.

    ``focal``: in pixels; ``centre``: where the camera's axis meets the picture; ``size``: a face's edge, if the plane
    is one unit away; ``faces``: so many faces agree with it. ``certain``: whether it is known to which side the plane
    slants; from far away the mirror image of a slant looks alike.
    """

    normal: Numbers
    focal: float
    centre: Numbers
    size: float
    faces: int
    certain: bool = False

    def tilt(self, place: npt.ArrayLike) -> float:
        """Return how far off its own upright a face at that place of the picture is seen, in degrees."""
        ray = np.append((np.asarray(place, np.float64) - self.centre) / self.focal, 1.0)
        return float(np.degrees(np.arccos(np.clip(self.normal @ ray / np.linalg.norm(ray), 0.0, 1.0))))

    def mirrored(self) -> "Scene":
        """Return the plane that slants to the other side: from far away both look alike."""
        return replace(self, normal=self.normal * [-1, -1, 1])

    def sides(self, corners: Points) -> list[Points]:
        """Return where the sides of a cube are seen whose upper face has these four corners, clockwise each."""
        rays = np.column_stack([(corners - self.centre) / self.focal, np.ones(len(corners))])
        lower = rays / (rays @ self.normal)[:, None] + self.size * self.normal
        feet = lower[:, :2] / lower[:, 2:] * self.focal + self.centre
        every = [np.array([corners[(i + 1) % 4], corners[i], feet[i], feet[(i + 1) % 4]]) for i in range(len(corners))]
        return [side for side in every if area(side) > 0]

    def off(self, corners: Points) -> tuple[float, float]:
        """Return how far a regular face is off this plane: in shape (the logarithm of the stretch), and in size.

        The size is the logarithm of its own edge by the one it should have: negative for a face that is too small.
        """
        place = corners.mean(axis=0)
        metric = _metric(self.normal[None], self.focal, (place - self.centre)[None])
        shape, size = _off(_moments([corners]), metric)
        return float(np.hypot(*shape[0, 0])), float(size[0, 0] - np.log(self.size))


def find_scene(faces: Sequence[Points], weights: Sequence[float], picture: tuple[int, int]) -> Scene | None:
    """Return the plane on which most of these regular faces lie.

    ``faces``: corners in pixels of the picture, shape (n, 2) each, n of `REGULAR`; ``weights``: how surely each is the
    upper face of a die, 0 to 1; ``picture``: its height and width. None if there is no face.

    One face alone fits two planes, which slant to opposite sides: the tilt is the same for both.
    """
    if not faces or max(weights) <= 0:
        return None
    moments = _moments(faces)
    centre = np.array([picture[1], picture[0]]) / 2
    places = np.array([corners.mean(axis=0) for corners in faces]) - centre
    sure = np.asarray(weights, np.float64)
    found = [_best(moments, places, sure, share * max(picture), _normals()) for share in FOCAL]
    fit = min(found, key=lambda one: one.cost)
    mirrored = np.array([[-fit.normal[0], -fit.normal[1], fit.normal[2]]])
    other = min(_best(moments, places, sure, one.focal, mirrored).cost for one in found)
    return Scene(
        fit.normal,
        fit.focal,
        centre,
        float(np.exp(fit.size)),
        int((fit.agree & (sure > 0)).sum()),
        other > fit.cost + MIRROR_LOG_LIKELIHOOD,
    )


@dataclass(frozen=True, eq=False)
class _Fit:
    cost: float
    normal: Numbers
    focal: float
    size: float
    agree: npt.NDArray[np.bool_]


def _best(moments: Numbers, places: Numbers, sure: Numbers, focal: float, normals: Numbers) -> _Fit:
    """Return the plane that fits best: of these, then of two finer grids around the best."""
    for step in (0.05, 0.015, 0.0):
        shape, size = _off(moments, _metric(normals, focal, places))
        cost, middle = _cost(shape, size, sure)
        cost = cost + UPRIGHT_PREFERENCE * (np.arccos(normals[:, 2]) / np.radians(30)) ** 2
        first = int(cost.argmin())
        near = abs(size[first] - middle[first]) < OUTLIER * SIZE
        agree = (np.hypot(*shape[first].T) < OUTLIER * SHAPE) & near
        fit = _Fit(float(cost[first]), normals[first], focal, float(middle[first]), agree)
        normals = _around(fit.normal, step)
    return fit


@cache
def _normals() -> Numbers:
    """Return the slants that are tried first, shape (n, 3)."""
    tilt, turn = np.meshgrid(TILTS, np.arange(TURNS) * 2 * np.pi / TURNS, indexing="ij")
    every = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=-1)
    return np.asarray(every.reshape(-1, 3)[TURNS - 1 :])  # straight below once


def _around(normal: Numbers, step: float) -> Numbers:
    """Return slants near one, shape (25, 3)."""
    side, up = np.meshgrid(np.arange(-2, 3) * step, np.arange(-2, 3) * step)
    flat = np.array([normal[0] / normal[2], normal[1] / normal[2]])
    moved = np.column_stack([flat[0] + side.ravel(), flat[1] + up.ravel(), np.ones(side.size)])
    return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True))


def _metric(normals: Numbers, focal: float, places: Numbers) -> Numbers:
    """Return what a step in the picture is in the plane: the matrix G of its squared length, (planes, places, 2, 2).

    The plane is n X = 1, and a place with the ray r is at X = r / (n r).
    """
    rays = np.column_stack([places / focal, np.ones(len(places))])
    depth = np.maximum(normals @ rays.T, 1e-3)[..., None]  # 1 / distance along the axis
    steps = []
    for axis in range(2):
        step = np.zeros(3)
        step[axis] = 1 / focal
        slant = (normals @ step)[:, None, None]
        steps.append(step / depth - rays[None] * slant / depth**2)
    every = np.stack(steps, axis=-2)
    return np.asarray(every @ every.swapaxes(-1, -2))


def _moments(faces: Sequence[Points]) -> Numbers:
    """Return the second moments of faces about their middle, for an edge of 1 as of a flat one: (faces, 2, 2).

    A flat regular face with edge e gives e squared times the unit matrix.
    """
    moments = []
    for corners in faces:
        off = corners - corners.mean(axis=0)
        radius = 1 / (2 * np.sin(np.pi / len(corners)))  # of the circle around a regular face of edge 1
        moments.append(2 * off.T @ off / len(corners) / radius**2)
    return np.array(moments)


def _off(moments: Numbers, metric: Numbers) -> tuple[Numbers, Numbers]:
    """Return how each face lies in each plane: (planes, faces, 2) its stretch, and (planes, faces) its edge's log.

    What the picture shows, brought into the plane, is e squared times the unit matrix for a regular face. Its stretch
    is the logarithm of the ratio of its axes, by direction: 0 for a regular one.
    """
    # the plane's own axes do not matter: the root of G brings the picture's moments into it up to a rotation
    lies = np.linalg.cholesky(metric).swapaxes(-1, -2)
    flat = lies @ moments[None] @ lies.swapaxes(-1, -2)
    trace = (flat[..., 0, 0] + flat[..., 1, 1]) / 2
    along, across = (flat[..., 0, 0] - flat[..., 1, 1]) / 2, flat[..., 0, 1]
    long = np.hypot(along, across)
    root = np.sqrt(np.maximum(trace**2 - long**2, 1e-300))
    stretch = np.arctanh(np.clip(long / trace, 0, 1 - 1e-12)) / np.maximum(long, 1e-300)
    return np.stack([along * stretch, across * stretch], axis=-1), np.log(root) / 2


def _cost(shape: Numbers, size: Numbers, sure: Numbers) -> tuple[Numbers, Numbers]:
    """Return for each plane what the faces say against it, and the logarithm of their size there."""
    most = OUTLIER**2
    shapes = np.minimum((shape**2).sum(axis=-1) / SHAPE**2, most)
    # the size on which most agree is that of one of the faces
    apart = np.minimum(((size[:, :, None] - size[:, None, :]) / SIZE) ** 2, most)
    sizes = (sure[None, :, None] * apart).sum(axis=1)
    chosen = sizes.argmin(axis=1)
    rows = np.arange(len(size))
    middle = size[rows, chosen]
    near = (abs(size - middle[:, None]) < OUTLIER * SIZE) * sure
    mean = (near * size).sum(axis=1) / np.maximum(near.sum(axis=1), 1e-12)
    return (sure * shapes).sum(axis=1) + sizes[rows, chosen], mean

"""One throw is one scene: all upper faces lie in one plane, have one size, and one camera sees them.

The faces themselves define the plane. A flat regular face has the second moments of a circle. Only the slant of the
plane stretches them in the picture, so each face gives the slant. Faces that do not agree with the others are sides of
dice, parts of a face, or no dice.
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
"""Focal lengths to try, in longer sides of the picture: from a wide lens to one almost without perspective."""

TILTS: Final = np.radians(np.arange(0.0, 61.0, 4.0))
PLANE_TURNS: Final = 24
"""Slants of the plane to try: angles off the camera's axis (in radians, every 4 degrees), and how many directions."""

SHAPE_ERROR: Final = 0.07
"""The usual error of a face's shape in its plane, as the logarithm of the stretch. Corners are never exact."""

SIZE_ERROR: Final = 0.1
"""The usual error of a face's size, as a logarithm: from perspective within a die, and from dice not quite alike."""

OUTLIER_ERRORS: Final = 3.0
"""A face that is off by more than this many usual errors is no evidence against a plane: it is something else."""

UPRIGHT_PREFERENCE: Final = 0.3
"""The cost of a slant, times the square of the slant in units of 30 degrees: prefers a plane straight below the
camera."""

MIRROR_LOG_LIKELIHOOD: Final = 8.0
"""How much worse the mirror image of a slant must fit to be ruled out: twice a log likelihood ratio."""

USUAL_FOCAL: Final = 1.5
FOCAL_SPREAD: Final = 0.5
"""The usual focal length, in longer sides of the picture, and how far lenses differ from it, as a logarithm."""

NEAR: Final = np.stack(np.meshgrid(np.arange(-2.0, 3.0), np.arange(-2.0, 3.0)), axis=-1).reshape(-1, 2)
"""The finer grid around a normal, (25, 2): steps to the right and down."""

FITTING_STEPS: Final = 3
NUDGE_SIZE: Final = 1e-4
LONGEST_STEP: Final = 0.1
SHORTEST_STEP: Final = 1e-4
"""How a plane is refined: the most steps, what a slope is measured with, the longest step of one number, and the step
after which nothing changes any more."""

ODD_SIZE: Final = 0.05
"""How much the edge of a die may differ from that of the others, as a share of it."""

REGULAR: Final = (3, 4, 5)
"""The numbers of corners of regular faces. Callers must not pass kites, which have four corners too."""


@dataclass(frozen=True, eq=False)
class Scene:
    """The plane of the upper faces. ``normal``: in the camera's frame (x right, y down, z away), a unit vector.

    ``focal``: in pixels; ``centre``: where the camera's axis meets the picture; ``size``: a face's edge, if the plane
    is one unit away; ``faces``: how many faces agree with the plane. ``certain``: whether the side to which the plane
    slants is known; from far away, a slant and its mirror image look alike.
    """

    normal: Numbers
    focal: float
    centre: Numbers
    size: float
    faces: int
    certain: bool = False

    def tilt(self, place: npt.ArrayLike) -> float:
        """Return the angle in degrees between a face's upright and the line of sight, at a place of the picture."""
        ray = np.append((np.asarray(place, np.float64) - self.centre) / self.focal, 1.0)
        return float(np.degrees(np.arccos(np.clip(self.normal @ ray / np.linalg.norm(ray), 0.0, 1.0))))

    def mirrored(self) -> "Scene":
        """Return the plane that slants to the other side; from far away both look alike."""
        return replace(self, normal=self.normal * [-1, -1, 1])

    def sides(self, corners: Points) -> list[Points]:
        """Return the visible sides of a cube whose upper face has these four corners, each clockwise."""
        rays = np.column_stack([(corners - self.centre) / self.focal, np.ones(len(corners))])
        lower = rays / (rays @ self.normal)[:, None] + self.size * self.normal
        feet = lower[:, :2] / lower[:, 2:] * self.focal + self.centre
        every = [np.array([corners[(i + 1) % 4], corners[i], feet[i], feet[(i + 1) % 4]]) for i in range(len(corners))]
        return [side for side in every if area(side) > 0]

    def square(self, corners: Points) -> Points:
        """Return the square of the plane that lies as these four corners do, and has the size of the faces there.

        Only its place and its turn are fitted; the size may differ a little from die to die.
        """
        flat = self.on_plane(corners)
        places = flat[:, 0] + 1j * flat[:, 1]
        middle = places.mean()
        ring = np.exp(1j * np.arange(len(corners)) * 2 * np.pi / len(corners))
        lies = ((places - middle) * ring.conj()).mean()
        large = abs(lies) * np.sqrt(2) / self.size
        edge = self.size * np.clip(large, 1 - ODD_SIZE, 1 + ODD_SIZE)
        lying = middle + edge / np.sqrt(2) * lies / max(abs(lies), 1e-12) * ring
        return self.seen(np.column_stack([lying.real, lying.imag]))

    def seen(self, places: Points) -> Points:
        """Return where the camera sees places of the plane; the plane is one unit away, and so are its units."""
        across, along = self._axes()
        there = self.normal + places[:, :1] * across + places[:, 1:] * along
        shown: Points = there[:, :2] / there[:, 2:] * self.focal + self.centre
        return shown

    def on_plane(self, places: Points) -> Points:
        """Return where the plane lies that the camera sees at places of the picture; the inverse of `seen`."""
        across, along = self._axes()
        rays = np.column_stack([(places - self.centre) / self.focal, np.ones(len(places))])
        flat = rays / (rays @ self.normal)[:, None]
        return np.column_stack([flat @ across, flat @ along])

    def _axes(self) -> tuple[Numbers, Numbers]:
        """Return two axes of the plane, which run clockwise in the picture as its own do."""
        across = np.array([self.normal[2], 0.0, -self.normal[0]]) / np.hypot(self.normal[0], self.normal[2])
        return across, np.cross(self.normal, across)

    def off(self, corners: Points) -> tuple[float, float]:
        """Return how far a regular face is off this plane: in shape (the logarithm of the stretch), and in size.

        The size is the logarithm of its edge divided by the expected edge: negative for a face that is too small.
        """
        shape, size = self.each_off([corners])
        return float(shape[0]), float(size[0])

    def each_off(self, faces: Sequence[Points]) -> tuple[Numbers, Numbers]:
        """Return how far each of these faces is off this plane, in shape and in size, (n,), see `off`."""
        places = np.array([corners.mean(axis=0) for corners in faces]) - self.centre
        shape, size = _off(_moments(faces), _metric(self.normal[None], self.focal, places))
        return np.hypot(shape[0, :, 0], shape[0, :, 1]), size[0] - np.log(self.size)


def find_scene(faces: Sequence[Points], weights: Sequence[float], picture: tuple[int, int]) -> Scene | None:
    """Return the plane on which most of these regular faces lie.

    ``faces``: corners in pixels of the picture, shape (n, 2) each, n one of `REGULAR`; ``weights``: how surely each is
    the upper face of a die, 0 to 1; ``picture``: its height and width. None if there is no face.

    A single face fits two planes, which slant to opposite sides. Both give the same tilt.
    """
    if not faces or max(weights) <= 0:
        return None
    moments = _moments(faces)
    centre = np.array([picture[1], picture[0]]) / 2
    places = np.array([corners.mean(axis=0) for corners in faces]) - centre
    sure = np.asarray(weights, np.float64)
    focal = np.array(FOCAL) * max(picture)
    found = _best(moments, places, sure, focal, np.repeat(_normals()[None], len(focal), axis=0))
    fit = min(found, key=lambda one: one.cost)
    mirrored = np.tile([-fit.normal[0], -fit.normal[1], fit.normal[2]], (len(focal), 1, 1))
    other = min(one.cost for one in _best(moments, places, sure, focal, mirrored))
    return Scene(
        fit.normal,
        fit.focal,
        centre,
        float(np.exp(fit.size)),
        int((fit.agree & (sure > 0)).sum()),
        other > fit.cost + MIRROR_LOG_LIKELIHOOD,
    )


def refined_scene(scene: Scene, faces: Sequence[Points]) -> Scene:
    """Return the plane on which these regular faces lie, near one that is known already.

    It costs far less than `find_scene`, and the more faces there are, the more exact it is (Gauss and Newton's steps,
    with weights after Cauchy, so that faces that lie otherwise hardly count).
    """
    moments = _moments(faces)
    places = np.array([corners.mean(axis=0) for corners in faces]) - scene.centre
    longer = 2 * float(scene.centre.max())
    normal = scene.normal / scene.normal[2]
    numbers = np.array([normal[0], normal[1], np.log(scene.focal / longer), np.log(scene.size)])
    for _ in range(FITTING_STEPS):
        here = _errors(numbers, moments, places, longer)
        slopes = np.column_stack(
            [
                (_errors(numbers + NUDGE_SIZE * one, moments, places, longer) - here) / NUDGE_SIZE
                for one in np.eye(len(numbers))
            ]
        )
        by_face = (here[:-1].reshape(-1, len(faces)) ** 2).sum(axis=0)
        weights = np.append(np.tile(1 / (1 + by_face / OUTLIER_ERRORS**2), (len(here) - 1) // len(faces)), 1.0)
        step = np.linalg.lstsq(slopes * np.sqrt(weights)[:, None], -here * np.sqrt(weights), rcond=None)[0]
        numbers = numbers + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        if abs(step).max() < SHORTEST_STEP:
            break
    errors = _errors(numbers, moments, places, longer)[:-1].reshape(-1, len(faces))
    agree = (np.hypot(errors[0], errors[1]) < OUTLIER_ERRORS) & (abs(errors[2]) < OUTLIER_ERRORS)
    normal = np.append(numbers[:2], 1.0) / np.linalg.norm(np.append(numbers[:2], 1.0))
    focal = float(np.exp(numbers[2])) * longer
    return Scene(normal, focal, scene.centre, float(np.exp(numbers[3])), int(agree.sum()), certain=True)


def _errors(numbers: Numbers, moments: Numbers, places: Numbers, longer: float) -> Numbers:
    """Return how far faces are off a plane, in usual errors: stretch along and across, size; last the focal length's.

    ``numbers``: the slant of the plane (x / z, y / z), the logarithms of the focal length (in ``longer`` sides of the
    picture) and of the size.
    """
    normal = np.append(numbers[:2], 1.0)
    shape, size = _off(moments, _metric(normal[None] / np.linalg.norm(normal), np.exp(numbers[2]) * longer, places))
    lens = (numbers[2] - np.log(USUAL_FOCAL)) / FOCAL_SPREAD
    return np.concatenate(
        [shape[0, :, 0] / SHAPE_ERROR, shape[0, :, 1] / SHAPE_ERROR, (size[0] - numbers[3]) / SIZE_ERROR, [lens]]
    )


@dataclass(frozen=True, eq=False)
class _Fit:
    cost: float
    normal: Numbers
    focal: float
    size: float
    agree: npt.NDArray[np.bool_]


def _best(moments: Numbers, places: Numbers, sure: Numbers, focal: Numbers, normals: Numbers) -> list[_Fit]:
    """Return for each focal length the plane that fits best: of its normals, then of two finer grids around the best.

    ``focal``: (n,), ``normals``: (n, m, 3).
    """
    lengths = np.arange(len(focal))
    for step in (0.05, 0.015, 0.0):
        tried = normals.shape[1]
        flat = normals.reshape(-1, 3)
        shape, size = _off(moments, _metric(flat, np.repeat(focal, tried), places))
        cost, middle = _cost(shape, size, sure)
        cost = cost + UPRIGHT_PREFERENCE * (np.arccos(flat[:, 2]) / np.radians(30)) ** 2
        first = cost.reshape(-1, tried).argmin(axis=1) + lengths * tried
        if step:
            normals = _around(flat[first], step)
    near = abs(size[first] - middle[first, None]) < OUTLIER_ERRORS * SIZE_ERROR
    agree = (np.hypot(shape[first, :, 0], shape[first, :, 1]) < OUTLIER_ERRORS * SHAPE_ERROR) & near
    return [
        _Fit(float(cost[one]), flat[one], float(length), float(middle[one]), same)
        for one, length, same in zip(first, focal, agree, strict=True)
    ]


@cache
def _normals() -> Numbers:
    """Return the normals to try first, shape (n, 3)."""
    tilt, turn = np.meshgrid(TILTS, np.arange(PLANE_TURNS) * 2 * np.pi / PLANE_TURNS, indexing="ij")
    every = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=-1)
    return np.asarray(every.reshape(-1, 3)[PLANE_TURNS - 1 :])  # keep straight below only once


def _around(normals: Numbers, step: float) -> Numbers:
    """Return normals near each of n normals, shape (n, 25, 3)."""
    flat = normals[:, None, :2] / normals[:, None, 2:] + NEAR * step
    moved = np.concatenate([flat, np.ones((*flat.shape[:2], 1))], axis=2)
    return np.asarray(moved / np.linalg.norm(moved, axis=2, keepdims=True))


def _metric(normals: Numbers, focal: Numbers | float, places: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return the metric of the plane in the picture, which gives a step's squared length: across, mixed, along.

    Each is (planes, places). The plane is n X = 1, and a place with the ray r is at X = r / (n r). ``focal``: one for
    each plane, or one for all.
    """
    length = np.broadcast_to(np.asarray(focal, np.float64), len(normals))[:, None]
    ray = [places[:, axis] / length for axis in range(2)]
    depth = np.maximum(ray[0] * normals[:, :1] + ray[1] * normals[:, 1:2] + normals[:, 2:], 1e-3)  # 1 / distance
    slant = [normals[:, axis : axis + 1] / (length * depth) for axis in range(2)]
    long = ray[0] ** 2 + ray[1] ** 2 + 1
    step = 1 / length
    scale = 1 / depth**2
    return (
        scale * (step**2 - 2 * step * ray[0] * slant[0] + long * slant[0] ** 2),
        scale * (long * slant[0] * slant[1] - step * (ray[0] * slant[1] + ray[1] * slant[0])),
        scale * (step**2 - 2 * step * ray[1] * slant[1] + long * slant[1] ** 2),
    )


def _moments(faces: Sequence[Points]) -> Numbers:
    """Return the normalised second moments of faces about their middle: (faces, 2, 2).

    A flat regular face with edge e gives e squared times the unit matrix.
    """
    moments = []
    for corners in faces:
        off = corners - corners.mean(axis=0)
        radius = 1 / (2 * np.sin(np.pi / len(corners)))  # of the circle around a regular face of edge 1
        moments.append(2 * off.T @ off / len(corners) / radius**2)
    return np.array(moments)


def _off(moments: Numbers, metric: tuple[Numbers, Numbers, Numbers]) -> tuple[Numbers, Numbers]:
    """Return how each face lies in each plane: its stretch, (planes, faces, 2), and its edge's log, (planes, faces).

    A regular face's moments, mapped into the plane, are e squared times the unit matrix. The stretch is the logarithm
    of the ratio of the face's axes, by direction: 0 for a regular face.
    """
    # the plane's own axes do not matter: a root of G (Cholesky's) maps the picture's moments into it, up to a rotation
    first = np.sqrt(metric[0])
    mixed = metric[1] / first
    last = np.sqrt(np.maximum(metric[2] - mixed**2, 0.0))
    wide, shared, high = moments[:, 0, 0], moments[:, 0, 1], moments[:, 1, 1]
    turned = first * shared + mixed * high
    across_axis, along_axis = first * (first * wide + mixed * shared) + mixed * turned, last**2 * high
    trace = (across_axis + along_axis) / 2
    along, across = (across_axis - along_axis) / 2, last * turned
    long = np.hypot(along, across)
    root = np.sqrt(np.maximum(trace**2 - long**2, 1e-300))
    stretch = np.arctanh(np.clip(long / trace, 0, 1 - 1e-12)) / np.maximum(long, 1e-300)
    return np.stack([along * stretch, across * stretch], axis=-1), np.log(root) / 2


def _cost(shape: Numbers, size: Numbers, sure: Numbers) -> tuple[Numbers, Numbers]:
    """Return for each plane the cost of the faces that disagree with it, and the logarithm of their size there."""
    most = OUTLIER_ERRORS**2
    shapes = np.minimum((shape**2).sum(axis=-1) / SHAPE_ERROR**2, most)
    # candidates for the common size are the sizes of the faces themselves
    difference = np.minimum(((size[:, :, None] - size[:, None, :]) / SIZE_ERROR) ** 2, most)
    sizes = (sure[None, :, None] * difference).sum(axis=1)
    chosen = sizes.argmin(axis=1)
    rows = np.arange(len(size))
    middle = size[rows, chosen]
    near = (abs(size - middle[:, None]) < OUTLIER_ERRORS * SIZE_ERROR) * sure
    mean = (near * size).sum(axis=1) / np.maximum(near.sum(axis=1), 1e-12)
    return (sure * shapes).sum(axis=1) + sizes[rows, chosen], mean

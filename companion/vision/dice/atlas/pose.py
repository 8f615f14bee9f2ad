"""Where the faces of a die that lies on a table are in the picture, given the table's tilt; and their pixels."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.atlas.facets import Facets, Floats, Numbers
from companion.vision.dice.solids.model import rotations
from companion.vision.readings import Image

SHADE_RADII: Final = 0.17
"""Marks are what is brighter or darker than its surroundings within so many radii of the die: light is wider."""

BLUR_RADII: Final = 0.027
"""Detail finer than so many radii of the die is not compared."""

LEAST_FACING: Final = 0.4
"""A face is compared if the cosine of the angle at which the camera sees it is larger."""

FACING_POWER: Final = 1.5
"""How much more a face counts that faces the camera."""

FAINT_CONTRAST: Final = 40.0
"""The contrast of a face that is treated as nothing but noise, as the length of its samples."""

OUTLINE_RADIUS: Final = 0.935
"""The radius of a circle with the area of a die's outline, in radii of its corners, on average over poses."""

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A camera over a table. ``middle``: of its picture, in pixels; ``focal``: in pixels.

    ``tilt``: between straight down and its axis, in radians; ``away``: the direction in the picture in which the table
    recedes, in radians, 0 to the right and pi/2 down.
    """

    middle: tuple[float, float]
    focal: float
    tilt: float
    away: float

    def upright(self) -> Vector:
        """Return the rotation (3, 3) from the table (z up) to the camera (x right, y down, z into the picture)."""
        sine, cosine = np.sin(self.tilt), np.cos(self.tilt)
        down = np.array([[1.0, 0.0, 0.0], [0.0, -cosine, -sine], [0.0, sine, -cosine]])
        turn = self.away + np.pi / 2
        level = np.array([[np.cos(turn), -np.sin(turn), 0.0], [np.sin(turn), np.cos(turn), 0.0], [0.0, 0.0, 1.0]])
        return np.asarray(level @ down)

    def sight(self, x: float, y: float) -> Vector:
        """Return the rotation that turns the ray of a pixel to the camera's axis."""
        ray = np.array([(x - self.middle[0]) / self.focal, (y - self.middle[1]) / self.focal, 1.0])
        ray /= np.linalg.norm(ray)
        axis = np.cross(ray, [0.0, 0.0, 1.0])
        sine = float(np.linalg.norm(axis))
        return np.asarray(rotations(axis[None] / max(sine, 1e-12) * np.arcsin(sine))[0])


@lru_cache(maxsize=512)
def _level(camera: Camera, x: float, y: float) -> Vector:
    """Return the rotation from the table to the line of sight of a pixel: many poses of one throw are tried."""
    return np.asarray(camera.sight(x, y) @ camera.upright())


@dataclass(frozen=True, eq=False)
class LyingThrow:
    """One throw: what is compared of its picture, and where the die is.

    ``marks``: the picture around the die without slow changes of light, float32; ``x``, ``y``: the die's middle in it;
    ``at``: the same in the whole picture; ``radius``: of its outline, in pixels.
    """

    marks: Floats
    x: float
    y: float
    at: tuple[float, float]
    radius: float


def lying(image: Image, x: float, y: float, radius: float) -> LyingThrow:
    """Return what is compared of a throw, given the middle and the radius of the die's outline in a BGR picture."""
    reach = int(np.ceil(radius * 1.7)) + 3
    left, top = round(x) - reach, round(y) - reach
    size = (2 * reach + 1, 2 * reach + 1)
    cut = cv2.getRectSubPix(image, size, (left + reach, top + reach))
    grey = np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2LAB)[..., 0], np.float32)
    marks = np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), SHADE_RADII * radius), np.float32)
    return LyingThrow(
        np.asarray(cv2.GaussianBlur(marks, (0, 0), max(BLUR_RADII * radius, 0.3)), np.float32),
        x - left,
        y - top,
        (x, y),
        radius,
    )


@dataclass(frozen=True, eq=False)
class Pose:
    """How a die lies. ``yaw``: the rotation of its upper face about the table's upright, in radians.

    ``shift``: of its middle, in radii; ``lean``: small rotations about the picture's axes, in radians, for what the
    camera's tilt leaves; ``growth``: natural logarithm of its size against that of the outline.
    """

    yaw: float
    shift: tuple[float, float] = (0.0, 0.0)
    lean: tuple[float, float] = (0.0, 0.0)
    growth: float = 0.0

    def as_vector(self) -> Vector:
        """Return its six numbers."""
        return np.array([self.yaw, *self.shift, *self.lean, self.growth])

    @classmethod
    def of(cls, six: Vector) -> "Pose":
        """Return the pose with these six numbers."""
        yaw, right, down, one, other, growth = map(float, six)
        return cls(yaw, (right, down), (one, other), growth)


@dataclass(frozen=True, eq=False)
class Visible:
    """The faces that the camera sees in one pose.

    ``faces``: (n), by their place on the solid; ``samples``: (n, samples), of each without its mean, weighted, and of
    length 1 unless it is faint; ``facing``: (n), how much each counts.
    """

    faces: Numbers
    samples: Floats
    facing: Floats


def projection(solid: Facets, camera: Camera, throw: LyingThrow, pose: Pose) -> tuple[Vector, Vector, float]:
    """Return the rotation from the solid to the line of sight, the die's middle and its scale in the picture."""
    middle = np.array([throw.x + pose.shift[0] * throw.radius, throw.y + pose.shift[1] * throw.radius])
    turn = cv2.Rodrigues(np.array([*pose.lean, 0.0]))[0] @ _level(camera, *throw.at)
    cosine, sine = np.cos(pose.yaw), np.sin(pose.yaw)
    turn = turn @ np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]]) @ solid.level
    return turn, middle, throw.radius / OUTLINE_RADIUS / solid.radius * float(np.exp(pose.growth))


def visible(solid: Facets, camera: Camera, throw: LyingThrow, pose: Pose) -> Visible:
    """Return the faces that the camera sees of a die in this pose, cut out of its picture."""
    turn, middle, scale = projection(solid, camera, throw, pose)
    facing = -(solid.solid.normals @ turn.T)[:, 2]
    (faces,) = (facing > LEAST_FACING).nonzero()
    pixels = (solid.points[faces].reshape(-1, 3) @ turn.T)[:, :2] * scale + middle
    maps = pixels.astype(np.float32).reshape(len(faces), -1, 2)
    cut = cv2.remap(throw.marks, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return Visible(
        faces,
        even(np.asarray(cut, np.float32), solid.weights, FAINT_CONTRAST),
        (facing[faces] ** FACING_POWER).astype(np.float32),
    )


def even(samples: Floats, weights: Floats, faint: float) -> Floats:
    """Return samples without their mean, weighted, with length 1; what is shorter than ``faint`` stays shorter."""
    centred = (samples - samples @ weights[:, None]) * np.sqrt(weights * len(weights))
    length = np.sqrt((centred * centred).sum(axis=1, keepdims=True))  # half the time of NumPy's norm
    return np.asarray(centred / np.maximum(length, faint), np.float32)

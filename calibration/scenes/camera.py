"""A pinhole camera above the table, and the lights. Lengths are in edges of a cube; the table is the plane z = 0."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.scenes.materials import Colour

Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Looks at ``target`` on the table from ``distance``, ``tilt`` degrees off overhead, from the side ``azimuth``.

    ``focal`` is in pixels, ``roll`` in degrees about the view; the principal point is the middle of the picture.
    """

    width: int
    height: int
    focal: float
    distance: float
    tilt: float
    azimuth: float
    roll: float
    target: tuple[float, float] = (0.0, 0.0)

    @property
    def position(self) -> Points:
        """Where the camera is, world coordinates."""
        tilt, azimuth = np.radians(self.tilt), np.radians(self.azimuth)
        flat = self.distance * np.sin(tilt)
        return np.array(
            [
                self.target[0] + flat * np.cos(azimuth),
                self.target[1] + flat * np.sin(azimuth),
                self.distance * np.cos(tilt),
            ]
        )

    @property
    def axes(self) -> Points:
        """The picture's right, down and forward as rows, world coordinates."""
        forward = np.array([*self.target, 0.0]) - self.position
        forward /= np.linalg.norm(forward)
        azimuth, roll = np.radians(self.azimuth), np.radians(self.roll)
        right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
        down = np.cross(forward, right)
        cos, sin = np.cos(roll), np.sin(roll)
        return np.stack([cos * right + sin * down, cos * down - sin * right, forward])

    def project(self, points: Points) -> Points:
        """Return pixels (n x 2, the upper left pixel's middle is 0, 0) of world points (n x 3)."""
        seen = (points - self.position) @ self.axes.T
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + middle)

    def depth(self, points: Points) -> Points:
        """Return how far in front of the camera world points lie."""
        return np.asarray((points - self.position) @ self.axes[2])

    def ground(self) -> Points:
        """Return the homography (3 x 3) from places on the table (x, y, 1) to pixels."""
        axes = self.axes
        lens = np.array([[self.focal, 0, (self.width - 1) / 2], [0, self.focal, (self.height - 1) / 2], [0, 0, 1]])
        moved = np.column_stack([axes[:, 0], axes[:, 1], -axes @ self.position])
        return np.asarray(lens @ moved)


@dataclass(frozen=True)
class Light:
    """A lamp or window: the unit vector towards it, its colour and strength, and how soft its shadows are (0 to 1)."""

    direction: tuple[float, float, float]
    colour: Colour
    softness: float


@dataclass(frozen=True)
class Lighting:
    """All light on the table: the even part, and lamps."""

    ambient: Colour
    lights: tuple[Light, ...]

    def shade(
        self, normals: npt.NDArray[np.float32], view: Points, gloss: float
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return what a surface of these world normals (h x w x 3) sends back: the light on it, and its mirrored shine.

        ``view`` is the unit vector towards the camera; both results are h x w x 3, linear.
        """
        flat = normals.reshape(-1, 3)
        light = np.outer(0.55 + 0.45 * flat[:, 2], np.array(self.ambient, np.float32))
        towards = np.array([lamp.direction for lamp in self.lights], np.float32).reshape(-1, 3)
        colours = np.array([lamp.colour for lamp in self.lights], np.float32).reshape(-1, 3)
        light += np.maximum(flat @ towards.T, 0) @ colours
        halves = towards + view.astype(np.float32)
        halves /= np.linalg.norm(halves, axis=1, keepdims=True)
        lobes = np.maximum(flat @ halves.T, 0) ** np.float32(8 + 60 * gloss)
        shine = (np.float32(0.25 * gloss) * lobes) @ colours
        return light.reshape(normals.shape), shine.reshape(normals.shape)

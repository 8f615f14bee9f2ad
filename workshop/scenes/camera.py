"""A pinhole camera above the table. Lengths are in edges of a cube; the table is the plane z = 0."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A camera that looks at ``target`` on the table from ``distance`` and ``azimuth``, ``tilt`` degrees off overhead.

    ``focal`` is in pixels, ``roll`` in degrees about the view; the principal point is the centre of the picture.
    """

    width: int
    height: int
    focal: float
    distance: float
    tilt: float
    azimuth: float
    roll: float
    target: tuple[float, float] = (0.0, 0.0)

    @cached_property
    def position(self) -> Points:
        """The camera's position, world coordinates."""
        tilt, azimuth = np.radians(self.tilt), np.radians(self.azimuth)
        flat = self.distance * np.sin(tilt)
        return np.array(
            [
                self.target[0] + flat * np.cos(azimuth),
                self.target[1] + flat * np.sin(azimuth),
                self.distance * np.cos(tilt),
            ]
        )

    @cached_property
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
        """Return the pixels (n x 2; the centre of the upper left pixel is 0, 0) of world points (n x 3)."""
        seen = (points - self.position) @ self.axes.T
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + middle)

    def depth(self, points: Points) -> Points:
        """Return how far in front of the camera world points lie."""
        return np.asarray((points - self.position) @ self.axes[2])

    def ground(self) -> Points:
        """Return the homography (3 x 3) from points on the table (x, y, 1) to pixels."""
        axes = self.axes
        lens = np.array([[self.focal, 0, (self.width - 1) / 2], [0, self.focal, (self.height - 1) / 2], [0, 0, 1]])
        moved = np.column_stack([axes[:, 0], axes[:, 1], -axes @ self.position])
        return np.asarray(lens @ moved)

    def plane(self, origin: Points, across: Points, down: Points) -> Points:
        """Return the homography (3 x 3) from points on a plane (u, v, 1), at origin + u across + v down, to pixels."""
        lens = np.array([[self.focal, 0, (self.width - 1) / 2], [0, self.focal, (self.height - 1) / 2], [0, 0, 1]])
        return np.asarray(lens @ self.axes @ np.column_stack([across, down, origin - self.position]))

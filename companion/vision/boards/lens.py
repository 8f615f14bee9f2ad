"""Describe by plain numbers how a lens bends straight lines, and undo that for points and for whole pictures.

`calibration.board.lens` measures a lens; code that only reads boards needs no more than this module.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.vision.readings import Image

Points = npt.NDArray[np.float64]

SAME_SHAPE: Final = 0.02
"""How much two ratios of width to height may differ and still belong to one camera at two sizes."""

FOCAL: Final = (0.1, 100.0)
"""Focal lengths of real lenses, as multiples of a picture's longer side: from beyond fisheyes to beyond telescopes."""


class LensError(ValueError):
    """These figures describe no lens, or not the lens that took this picture; the text is one sentence."""


@dataclass(frozen=True)
class Lens:
    """A measured lens: the model of Brown and Conrady, as in OpenCV.

    ``size``: width and height of the pictures it was measured in. ``focal``: focal lengths across and down, and
    ``middle``: the principal point, in pixels of such pictures. ``distortion``: k1, k2, p1, p2, k3. ``error``: root
    mean square of the reprojection, in pixels. ``views``: the number of pictures it was measured from.
    """

    size: tuple[int, int]
    focal: tuple[float, float]
    middle: tuple[float, float]
    distortion: tuple[float, float, float, float, float]
    error: float = 0.0
    views: int = 0

    def __post_init__(self) -> None:
        figures = (*self.focal, *self.middle, *self.distortion, self.error)
        if not np.isfinite(figures).all() or min(self.size) <= 0:
            raise LensError("Expected finite figures for a lens: measure it again.")
        least, most = (part * max(self.size) for part in FOCAL)
        if min(self.focal) < least or max(self.focal) > most:
            raise LensError(
                f"Expected focal lengths of {least:.0f} to {most:.0f} pixels in pictures of this size, but got "
                f"{self.focal[0]:g} and {self.focal[1]:g}: measure the lens again."
            )

    def at(self, size: tuple[int, int]) -> "Lens":
        """Return the same lens for pictures of another size (width, height) from the same camera.

        Raises:
            LensError: those pictures have another shape, so the camera crops them differently.
        """
        if size == self.size:
            return self
        across, down = size[0] / self.size[0], size[1] / self.size[1]
        if abs(across / down - 1) > SAME_SHAPE:
            raise LensError(
                f"Expected pictures shaped like {self.size[0]}x{self.size[1]}, for which the lens was measured, "
                f"but got {size[0]}x{size[1]}: set the camera to that shape or measure the lens again."
            )
        # The middle of pixel i lies at i + 0.5 from the picture's edge.
        middle = ((self.middle[0] + 0.5) * across - 0.5, (self.middle[1] + 0.5) * down - 0.5)
        focal = (self.focal[0] * across, self.focal[1] * down)
        return Lens(size, focal, middle, self.distortion, self.error * across, self.views)

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """The camera matrix, 3 x 3."""
        return np.array([[self.focal[0], 0, self.middle[0]], [0, self.focal[1], self.middle[1]], [0, 0, 1.0]])

    def straighten(self, points: Points) -> Points:
        """Return where points (n, 2) of a picture would lie if the lens kept lines straight; pixels."""
        if not len(points):
            return np.zeros((0, 2))
        moved = cv2.undistortPoints(
            np.asarray(points, np.float64).reshape(-1, 1, 2), self.matrix, np.array(self.distortion), P=self.matrix
        )
        return np.asarray(moved, np.float64).reshape(-1, 2)

    def bend(self, points: Points) -> Points:
        """Return where points (n, 2) of a straightened picture lie in the original picture; pixels."""
        x = (np.asarray(points, np.float64) - self.middle) / self.focal
        k1, k2, p1, p2, k3 = self.distortion
        square = (x * x).sum(axis=1)
        grown = 1 + square * (k1 + square * (k2 + square * k3))
        cross = x[:, 0] * x[:, 1]
        tangential = np.column_stack(
            [
                2 * p1 * cross + p2 * (square + 2 * x[:, 0] ** 2),
                p1 * (square + 2 * x[:, 1] ** 2) + 2 * p2 * cross,
            ]
        )
        return np.asarray((x * grown[:, None] + tangential) * self.focal + self.middle, np.float64)

    def straightened(self, image: Image) -> Image:
        """Return the whole picture with straight lines straight, at the same size."""
        here = self.at((image.shape[1], image.shape[0]))
        return np.asarray(cv2.undistort(image, here.matrix, np.array(here.distortion)), np.uint8)

    def to_json(self) -> dict[str, Any]:
        """Return it as a profile keeps it."""
        return asdict(self)

    @staticmethod
    def from_json(data: Any) -> "Lens":
        """Return what a profile kept.

        Raises:
            LensError: that was no lens.
        """
        try:
            return msgspec.convert(data, Lens)
        except msgspec.ValidationError as error:
            raise LensError("Expected the figures of a lens, but they are damaged: measure the lens again.") from error

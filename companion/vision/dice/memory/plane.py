"""The plane of the cubes' upper faces before a camera that does not move, gathered from the throws on one table.

One throw shows few faces, and a single face fits two planes. All throws of one set lie in the same plane and have one
size, so after a few of them an outline has only three numbers of its own: where a face lies, and how it is turned.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import SQUARE, Points
from companion.vision.dice.scene import OUTLIER_ERRORS, SHAPE_ERROR, SIZE_ERROR, Scene, find_scene, refined_scene

Numbers = npt.NDArray[np.float64]

MOST_FACES: Final = 48
"""How many faces are kept; the oldest go first."""

LEAST_FACES: Final = 6
"""With fewer faces in one plane nothing is known of it."""

RECENT_FACES: Final = 6
STRANGE_FACES: Final = 4
"""If so many of the last faces lie otherwise, somebody moved the camera, and only these faces count."""

CLOSE_SHAPE: Final = 0.11
CLOSE_SIZE: Final = 0.15
"""How far the faces of most throws are off the table's own plane at the most, see `scene.Scene.off`. On drawn sittings
of developing hands, 95 of 100 faces were off by less than 0.03 to 0.1."""

CORNER_DECIMALS: Final = 2
"""Decimals of the corners that are kept, in pixels."""


class Plane:
    """What a table knows of the plane of its cubes' upper faces. Not for two threads at once.

    Args:
        faces: the corners of the upper faces of earlier throws, (n, 4, 2), pixels, clockwise, the oldest first.
        picture: the height and width of their picture.

    Raises:
        ValueError: these are no outlines of four corners, or there are more than `MOST_FACES`.
    """

    def __init__(self, faces: Numbers | None = None, picture: tuple[int, int] = (0, 0)) -> None:
        self.faces: Numbers = np.zeros((0, len(SQUARE), 2)) if faces is None else np.asarray(faces, np.float64)
        if self.faces.ndim != 3 or self.faces.shape[1:] != SQUARE.shape or len(self.faces) > MOST_FACES:  # noqa: PLR2004
            raise ValueError(f"Expected at most {MOST_FACES} outlines of four corners, but got {self.faces.shape}.")
        if not np.isfinite(self.faces).all() or (len(self.faces) and min(picture) < 1):
            raise ValueError("Expected corners in a picture as finite numbers.")
        self.picture = picture
        self._scene: Scene | None = None
        self._fresh = False  # whether the scene is that of these faces, and not of those of the throw before

    def copy(self) -> "Plane":
        """Return a plane that another thread may read while this one goes on learning."""
        return Plane(self.faces, self.picture)

    def scene(self, picture: tuple[int, int]) -> Scene | None:
        """Return the plane in pictures of this height and width; None while too few faces show it."""
        if picture != self.picture or len(self.faces) < LEAST_FACES:
            return None
        if not self._fresh:
            self._scene, self._fresh = self._fitted(), True
        return self._scene if self._scene is not None and self._scene.faces >= LEAST_FACES else None

    def learn(self, corners: Points, picture: tuple[int, int]) -> None:
        """Add the upper face of a cube, as it was found in a picture of this height and width.

        Pictures of another size, or faces that lie otherwise again and again, are those of a camera that was moved.
        """
        if corners.shape != SQUARE.shape:
            return
        if picture != self.picture:
            self.faces, self.picture, self._scene = self.faces[:0], picture, None
        self.faces = np.concatenate([self.faces, np.round(corners, CORNER_DECIMALS)[None]])[-MOST_FACES:]
        self._fresh, known = False, self._scene
        if known is not None and (~_close(known, list(self.faces[-RECENT_FACES:]))).sum() >= STRANGE_FACES:
            self.faces, self._scene = self.faces[-RECENT_FACES:], None

    def _fitted(self) -> Scene | None:
        every = [np.asarray(one) for one in self.faces]
        first = every[-2 * LEAST_FACES :]
        known = self._scene or find_scene(first, [1.0] * len(first), self.picture)
        return None if known is None else refined_scene(known, every)


def agrees(scene: Scene, corners: Points) -> bool:
    """Return whether a square face lies in a plane and has the size of the faces there."""
    shape, large = scene.off(corners)
    return shape < OUTLIER_ERRORS * SHAPE_ERROR and abs(large) < OUTLIER_ERRORS * SIZE_ERROR


def trusted(scene: Scene, faces: Sequence[Points]) -> bool:
    """Return whether a throw lies in the table's plane: the camera was not moved.

    ``faces``: the clear square faces of the throw.
    """
    return bool(faces) and bool(2 * _close(scene, faces).sum() > len(faces))


def _close(scene: Scene, faces: Sequence[Points]) -> npt.NDArray[np.bool_]:
    """Return which faces lie as nearly in a plane as the usual face of the same camera: (n,)."""
    shape, large = scene.each_off(faces)
    return np.asarray((shape < CLOSE_SHAPE) & (abs(large) < CLOSE_SIZE), np.bool_)

"""Corners made exact: a second net looks at each die from near and says how far the found corners are off."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import patch_input
from companion.vision.dice.geometry import PATCH, Points, clockwise, cut, edge_length, is_convex
from companion.vision.dice.locate import Cube, Found, Tetrahedron
from companion.vision.dice.nets import CORNERS, Net
from companion.vision.readings import Image

NEAR_SQUARE: Final = np.array([[0.22, 0.22], [0.78, 0.22], [0.78, 0.78], [0.22, 0.78]])
"""Where an upper face is brought to for the net, in parts of the patch."""

NEAR_TRIANGLE: Final = np.array([[0.5, 0.154], [0.8, 0.673], [0.2, 0.673]])
"""Where a tetrahedron's base is brought to, clockwise."""

OUTPUTS: Final = 18
"""Offsets of a cube's four corners, of a tetrahedron's base corners and apex, and whether it is one of them."""

ROUNDS: Final = 2
"""So often each die is looked at: what was nearly right is then looked at straight."""

FARTHEST: Final = 0.45
"""Corners that are said to be off by more than this part of an edge were never those of a die."""


class Corners:
    """Corrects corners. Loads its net when it is first used."""

    def __init__(self) -> None:
        self._net: Net | None = None

    def load(self) -> Net:
        """Load the net if it is not loaded yet; else it is loaded when it is first needed."""
        if self._net is None:
            self._net = Net(CORNERS)
        return self._net

    def correct(self, image: Image, found: Found) -> Found:
        """Return the dice with exact corners; ``score`` becomes the chance that it is such a die at all."""
        cubes = [(cube.corners, cube.score) for cube in found.cubes]
        bases: list[tuple[Points, Points | None, float]] = [(one.base, one.apex, one.score) for one in found.tetrahedra]
        for _ in range(ROUNDS):
            patches = [near_square(image, corners) for corners, _ in cubes]
            patches += [near_triangle(image, base) for base, _, _ in bases]
            if not patches:
                return found
            answers = self._ask(patches)
            cubes = [_moved_square(*cube, answer) for cube, answer in zip(cubes, answers, strict=False)]
            bases = [_moved_triangle(*base, answer) for base, answer in zip(bases, answers[len(cubes) :], strict=True)]
        return Found(
            tuple(Cube(clockwise(corners), score) for corners, score in cubes),
            tuple(Tetrahedron(base, apex, score) for base, apex, score in bases),
        )

    def _ask(self, patches: Sequence[Image]) -> npt.NDArray[np.float64]:
        net = self.load()
        answers = net.run(patch_input(np.stack(patches).reshape(-1, PATCH, PATCH, 3)))
        return answers.reshape(len(patches), OUTPUTS).astype(np.float64)


def near_square(image: Image, corners: Points) -> Image:
    """Return what the net sees of an upper face with its surroundings."""
    return cut(image, corners, NEAR_SQUARE)


def near_triangle(image: Image, base: Points) -> Image:
    """Return what the net sees of a tetrahedron with its surroundings."""
    return cut(image, base, NEAR_TRIANGLE)


def back_from_square(places: Points, corners: Points) -> Points:
    """Return places of the patch (in its parts) as pixels of the picture, given the corners it was cut by."""
    warp = cv2.getPerspectiveTransform(NEAR_SQUARE.astype(np.float32), corners.astype(np.float32))
    return _through(np.asarray(warp, np.float64), places)


def back_from_triangle(places: Points, base: Points) -> Points:
    """Return places of the patch (in its parts) as pixels of the picture, given the base it was cut by."""
    warp = cv2.getAffineTransform(NEAR_TRIANGLE.astype(np.float32), base.astype(np.float32))
    return _through(np.vstack([warp, [0, 0, 1]]), places)


def _through(warp: npt.NDArray[np.float64], places: Points) -> Points:
    moved = np.column_stack([places, np.ones(len(places))]) @ warp.T
    pixels: Points = moved[:, :2] / moved[:, 2:]
    return pixels


def _moved_square(corners: Points, score: float, answer: npt.NDArray[np.float64]) -> tuple[Points, float]:
    offsets = answer[:8].reshape(4, 2)
    chance = float(1 / (1 + np.exp(-answer[16])))
    moved = back_from_square(NEAR_SQUARE + offsets, corners)
    if not is_convex(moved) or _too_far(moved, corners):
        return corners, min(score, chance)
    return moved, chance


def _moved_triangle(
    base: Points, apex: Points | None, score: float, answer: npt.NDArray[np.float64]
) -> tuple[Points, Points | None, float]:
    offsets = answer[8:16].reshape(4, 2)
    chance = float(1 / (1 + np.exp(-answer[17])))
    start = np.vstack([NEAR_TRIANGLE, NEAR_TRIANGLE.mean(axis=0)])
    moved = back_from_triangle(start + offsets, base)
    if _too_far(moved[:3], base):
        return base, apex, min(score, chance)
    return moved[:3], moved[3], chance


def _too_far(moved: Points, corners: Points) -> bool:
    return bool(np.linalg.norm(moved - corners, axis=1).max() > FARTHEST * edge_length(corners))

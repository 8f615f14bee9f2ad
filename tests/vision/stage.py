"""A drawn table for the tests of the camera side: dice, a hand, light and noise, each where the test wants it."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.readings import Frame, Image

WIDTH, HEIGHT = 640, 360
DIE = 40  # pixels: 20 small ones


@cache
def table_and_noise(
    seed: int, noise: float, width: int, height: int
) -> tuple[Image, npt.NDArray[np.int16], dict[str, Any]]:
    """Return an empty table (H x W x 3), four fields of noise for it, and the state of chance after that.

    Drawing fresh noise takes ten times as long as all the rest: these fields are kept and shifted about.
    """
    chance = np.random.default_rng(seed)
    grain = chance.integers(95, 150, (height // 12, width // 12, 3), dtype=np.uint8)
    fields = np.round(chance.normal(0, noise, (4, height, width, 3))).astype(np.int16)
    table = np.asarray(cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    return table, fields, dict(chance.bit_generator.state)


@dataclass
class Stage:
    """Draws what is on it with fresh noise each time, and numbers and times the frames at ``fps``."""

    fps: float = 15.0
    noise: float = 3.0
    seed: int = 1
    width: int = WIDTH
    height: int = HEIGHT
    now: float = 100.0
    number: int = 0
    dice: list[tuple[float, float, float]] = field(default_factory=list)  # centre x, y, degrees
    hand: float = 0.0  # how far a hand reaches in from the right edge, in pixels
    light: float = 1.0

    def __post_init__(self) -> None:
        self._table, self._fields, state = table_and_noise(self.seed, self.noise, self.width, self.height)
        self._random = np.random.default_rng()
        self._random.bit_generator.state = state

    def picture(self) -> Image:
        """Return the table as a camera would see it now."""
        picture = self._table.copy()
        for x, y, degrees in self.dice:
            corners = cv2.boxPoints(((x, y), (DIE, DIE), degrees)).astype(np.int32)
            cv2.fillConvexPoly(picture, corners, (215, 235, 240), cv2.LINE_AA)
            cv2.putText(
                picture, "AE", (int(x) - 14, int(y) + 7), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 20, 20), 2, cv2.LINE_AA
            )
        if self.hand > 0:
            tip, middle = self.width - int(self.hand), self.height // 2
            cv2.rectangle(picture, (tip + 60, middle - 35), (self.width, middle + 35), (90, 60, 40), -1)
            cv2.ellipse(picture, (tip + 60, middle), (60, 48), 0, 0, 360, (120, 150, 200), -1)
        lit = cv2.convertScaleAbs(picture, alpha=self.light).astype(np.int16)
        shift = int(self._random.integers(self.height))
        lit += np.roll(self._fields[self._random.integers(len(self._fields))], shift, axis=0)
        return np.clip(lit, 0, 255).astype(np.uint8)

    def frame(self) -> Frame:
        """Return the next frame."""
        self.number += 1
        self.now += 1 / self.fps
        return Frame(self.picture(), self.now, "stage", self.number)


def four_dice(shift: float = 0.0) -> list[tuple[float, float, float]]:
    """Return four dice that lie well inside the picture."""
    return [(150 + shift, 120, 10), (260 + shift, 240, 40), (330 + shift, 110, 70), (420 + shift, 250, 25)]

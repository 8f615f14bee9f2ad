"""The light on the table: lamps and windows, the even part, and what a surface sends back of it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.scenes.camera import Points
from calibration.scenes.materials import Colour


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


def random_lighting(rng: np.random.Generator) -> Lighting:
    """Return one or two lamps and some even light; together they light a level surface about fully."""
    level = float(rng.uniform(0.2, 0.75))
    tint = np.array([1.0, 1.0, 1.0]) * np.exp(rng.normal(0, 0.10, 3))
    lights = []
    for _ in range(1 if rng.random() < 0.75 else 2):
        azimuth, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(25, 80))
        direction = (
            float(np.cos(azimuth) * np.cos(height)),
            float(np.sin(azimuth) * np.cos(height)),
            float(np.sin(height)),
        )
        strength = (1 - level) / float(np.sin(height)) * np.exp(rng.normal(0, 0.08, 3))
        lights.append(Light(direction, _colour(strength), float(rng.random())))
    if len(lights) == 2:
        share = float(rng.uniform(0.3, 0.7))
        lights = [
            Light(light.direction, _colour(np.array(light.colour) * part), light.softness)
            for light, part in zip(lights, (share, 1 - share), strict=True)
        ]
    return Lighting(_colour(tint * level), tuple(lights))


def _colour(values: npt.NDArray[np.float64]) -> Colour:
    return (float(values[0]), float(values[1]), float(values[2]))

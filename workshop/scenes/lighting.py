"""The light on the table: lamps and windows, ambient light, and how surfaces reflect it."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from workshop.scenes.camera import Points
from workshop.scenes.materials import Colour


@dataclass(frozen=True)
class Light:
    """A lamp or window: the unit vector towards it, its colour and strength, and how soft its shadows are (0 to 1)."""

    direction: tuple[float, float, float]
    colour: Colour
    softness: float


@dataclass(frozen=True)
class Spot:
    """The light of a torch or a shaded lamp: its centre and reach in the picture (0 to 1), and the light outside it."""

    x: float
    y: float
    reach: float
    floor: float
    edge: float
    """Softness of its border, as a share of its reach."""


@dataclass(frozen=True)
class Lighting:
    """All light on the table: ambient light and lamps, which may light only a part of the table."""

    ambient: Colour
    lights: tuple[Light, ...]
    spot: Spot | None = None
    shade_edge: tuple[float, float, float, float] | None = None
    """A shadow's border across the table: its angle, place (0 to 1), softness (0 to 1), and the light behind it."""
    even: float = 0.55
    """Share of the ambient light on an upright side, 1: as on a level one, because bright tables light from below."""

    def over(self, height: int, width: int) -> npt.NDArray[np.float32] | None:
        """Return the share of the light at each point of a picture (height x width), None if it is full everywhere."""
        if self.spot is None and self.shade_edge is None:
            return None
        ys, xs = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j].astype(np.float32)
        field = np.ones((height, width), np.float32)
        if self.spot is not None:
            far = np.hypot(xs - self.spot.x, (ys - self.spot.y) * height / width) / self.spot.reach
            field = self.spot.floor + (1 - self.spot.floor) / (1 + np.exp((far - 1) / (0.25 * self.spot.edge + 0.02)))
        if self.shade_edge is not None:
            angle, place, soft, rest = self.shade_edge
            along = (xs - 0.5) * np.cos(angle) + (ys - 0.5) * np.sin(angle) - (place - 0.5)
            field = field * (rest + (1 - rest) * np.clip(0.5 + along / (0.01 + 0.3 * soft), 0, 1))
        return np.asarray(field, np.float32)

    def shade(
        self, normals: npt.NDArray[np.float32], view: Points, gloss: float
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return the light on a surface with these world normals (h x w x 3), and its specular reflection.

        ``view`` is the unit vector towards the camera. Both results are h x w x 3, linear.
        """
        flat = normals.reshape(-1, 3)
        light = np.outer(self.even + (1 - self.even) * flat[:, 2], np.array(self.ambient, np.float32))
        towards = np.array([lamp.direction for lamp in self.lights], np.float32).reshape(-1, 3)
        colours = np.array([lamp.colour for lamp in self.lights], np.float32).reshape(-1, 3)
        light += np.maximum(flat @ towards.T, 0) @ colours
        halves = towards + view.astype(np.float32)
        halves /= np.linalg.norm(halves, axis=1, keepdims=True)
        lobes = np.maximum(flat @ halves.T, 0) ** np.float32(8 + 60 * gloss)
        shine = (np.float32(0.25 * gloss) * lobes) @ colours
        return light.reshape(normals.shape), shine.reshape(normals.shape)


def soft_lighting(rng: np.random.Generator) -> Lighting:
    """Return the light of a bright room over a bright table: hardly any shadows, sides nearly as bright as the top."""
    lamp = random_lighting(rng)
    level = float(rng.uniform(0.75, 1.0))
    dim = 1 - level
    lights = tuple(
        replace(one, colour=(dim * one.colour[0], dim * one.colour[1], dim * one.colour[2]), softness=1.0)
        for one in lamp.lights
    )
    strength = level / max(lamp.ambient)
    ambient = (lamp.ambient[0] * strength, lamp.ambient[1] * strength, lamp.ambient[2] * strength)
    return Lighting(ambient, lights, even=float(rng.uniform(0.72, 1.0)))


def candle_lighting(rng: np.random.Generator) -> Lighting:
    """Return the light of a candle beside the dice: warm, low, from one side, with little light elsewhere."""
    azimuth, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(18, 55))
    flat = float(np.cos(height))
    direction = (float(np.cos(azimuth) * flat), float(np.sin(azimuth) * flat), float(np.sin(height)))
    warm = np.array([rng.uniform(0.15, 0.5), rng.uniform(0.5, 0.75), 1.0])
    level = float(rng.uniform(0.03, 0.2))
    lamp = Light(direction, _colour(warm * (1 - level) / direction[2]), float(rng.random() ** 2))
    spot = None
    if rng.random() < 0.5:
        spot = Spot(*(float(v) for v in rng.uniform((0.1, 0.1, 0.3, 0.02, 0.3), (0.9, 0.9, 0.9, 0.3, 1.5))))
    return Lighting(_colour(warm * level), (lamp,), spot)


def half_lighting(rng: np.random.Generator) -> Lighting:
    """Return light that leaves a part of the picture in shadow, with the border near its centre."""
    lit = random_lighting(rng)
    angle, soft = float(rng.uniform(0, 2 * np.pi)), float(rng.random() ** 2)
    return replace(lit, shade_edge=(angle, float(rng.uniform(0.3, 0.7)), soft, float(rng.uniform(0.08, 0.45))))


def random_lighting(rng: np.random.Generator) -> Lighting:
    """Return one or two lamps and some ambient light, which together light a level surface about fully."""
    level = float(rng.uniform(0.2, 0.75) if rng.random() < 0.75 else rng.uniform(0.04, 0.2))
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
        soft = float(rng.random()) if rng.random() < 0.75 else float(rng.uniform(0, 0.2))
        lights.append(Light(direction, _colour(strength), soft))
    if len(lights) == 2:
        share = float(rng.uniform(0.3, 0.7))
        lights = [
            Light(light.direction, _colour(np.array(light.colour) * part), light.softness)
            for light, part in zip(lights, (share, 1 - share), strict=True)
        ]
    spot = shade_edge = None
    if rng.random() < 0.12:
        spot = Spot(*(float(v) for v in rng.uniform((0.2, 0.2, 0.25, 0.03, 0.1), (0.8, 0.8, 0.8, 0.4, 1.5))))
    if rng.random() < 0.15:
        angle = float(rng.uniform(0, 2 * np.pi))
        shade_edge = (angle, float(rng.uniform(0.1, 0.6)), float(rng.random() ** 2), float(rng.uniform(0.15, 0.7)))
    return Lighting(_colour(tint * level), tuple(lights), spot, shade_edge)


def _colour(values: npt.NDArray[np.float64]) -> Colour:
    return (float(values[0]), float(values[1]), float(values[2]))

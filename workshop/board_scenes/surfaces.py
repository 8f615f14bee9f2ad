"""Board surfaces seen from directly above: wood, leather, cloth, paper; linear colours, made from noise."""

from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.materials import Colour, Texture, brightness, hue_colour, linear
from workshop.scenes.noise import POOL_SIZE, window

Surface = Literal["wood", "leather", "cloth", "paper", "paint"]
Mask = npt.NDArray[np.uint8]

_GRAIN: dict[Surface, float] = {"wood": 0.2, "leather": 0.1, "cloth": 0.08, "paper": 0.02, "paint": 0.05}


def draw_surface(
    rng: np.random.Generator, surface: Surface, colour: Colour, height: int, width: int, *, upright: bool = False
) -> Texture:
    """Return a piece of surface, height x width x 3; its grain runs along x, or along y if ``upright``."""
    h, w = (width, height) if upright else (height, width)
    shrink = max(1.0, max(h, w) / POOL_SIZE)
    rows, columns = max(2, round(h / shrink)), max(2, round(w / shrink))
    field = window(rng, "soft", rows, columns, float(rng.uniform(0.6, 2.0)))
    if surface == "wood":
        field = 0.5 * field + window(rng, "grain", rows, columns, float(rng.uniform(0.5, 1.5)))
    elif surface in ("leather", "cloth"):
        field = 0.8 * field + 0.6 * window(rng, "fine", rows, columns)
    grain = np.float32(_GRAIN[surface] * rng.uniform(0.3, 1.5))
    factor = np.maximum(1 + grain * field, 0.1).astype(np.float32)
    if upright:
        factor = np.ascontiguousarray(factor.T)
    factor = np.asarray(cv2.resize(factor, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(factor[:, :, None] * np.array(colour, np.float32), np.float32)


def random_colour(rng: np.random.Generator, surface: Surface) -> Colour:
    """Return a likely colour for a surface."""
    if surface == "wood":
        tone = float(rng.uniform(0.25, 0.9))
        return linear(tone, tone * rng.uniform(0.55, 0.85), tone * rng.uniform(0.3, 0.7))
    if surface == "paper":
        tone = float(rng.uniform(0.75, 0.98))
        return linear(tone, tone * rng.uniform(0.93, 1), tone * rng.uniform(0.8, 1))
    if rng.random() < 0.3:
        return linear(*[float(rng.uniform(0.06, 0.9))] * 3)
    return hue_colour(rng, (0.2, 0.9), (0.12, 0.85))


def unlike(rng: np.random.Generator, surface: Surface, others: tuple[Colour, ...], distance: float = 0.12) -> Colour:
    """Return a colour that differs visibly from these: in brightness, or clearly in hue."""
    for _ in range(30):
        colour = random_colour(rng, surface)
        if all(_apart(colour, other) > distance for other in others):
            return colour
    tone = 0.15 if brightness(others[0]) > 0.5 else 0.85
    return linear(tone, tone, tone)


def _apart(one: Colour, other: Colour) -> float:
    return float(np.linalg.norm(np.sqrt(one) - np.sqrt(other)) / np.sqrt(3))


def lay(texture: Texture, mask: Mask, other: Texture, opacity: float = 1.0) -> None:
    """Draw another surface over a texture where ``mask`` (0 to 255) is set."""
    share = mask.astype(np.float32)[:, :, None] * np.float32(opacity / 255)
    texture += share * (other - texture)


def polygon_mask(points: npt.NDArray[np.float64], height: int, width: int) -> Mask:
    """Return a mask of a polygon's inside, with smooth edges; the polygon is in pixels (n x 2)."""
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask

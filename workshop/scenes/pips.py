"""The pips of ordinary dice: how makers drill and paint them, and where they stand on a face."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.materials import Colour, Marking, Material, Texture, brightness, hue_colour, linear
from workshop.scenes.noise import window


@dataclass(frozen=True)
class PipStyle:
    """How the pips of one die look; sizes and distances are in edges of its face."""

    diameter: float = 0.18
    near: float = 0.25
    """Distance of the outer pips' centres from the edge."""
    columns: float = 0.25
    """The same for the two columns of a six; above ``near`` they stand closer together."""
    ace: float = 1.0
    """Size of the single pip relative to the others."""
    ace_colour: Colour | None = None
    depth: float = 0.0
    """Depth of the drilled hollows, 0 to 1: shade on the side of the light, a highlight on the other."""
    ring: float = 0.0
    """Thickness of the ring around a dot, in diameters of the pip, as bone turners cut it; 0: plain pips."""
    dot: float = 0.0
    """Width of the dot inside a ring, in diameters of the pip; 0: none."""
    beside: float = 0.0
    """Distance of the pips of a 2 from the face's centre, side by side on its centre line; 0: on the diagonal."""


def random_pips(rng: np.random.Generator) -> PipStyle:
    """Return likely pips."""
    near = float(rng.uniform(0.20, 0.30))
    narrow = near + float(rng.uniform(0.02, 0.12)) if rng.random() < 0.6 else near
    ace = float(rng.uniform(1.2, 1.9)) if rng.random() < 0.2 else float(rng.uniform(0.9, 1.1))
    red = linear(float(rng.uniform(0.6, 0.9)), float(rng.uniform(0.05, 0.2)), float(rng.uniform(0.05, 0.2)))
    diameter = float(rng.uniform(0.11, 0.245))
    return PipStyle(
        min(diameter, 1.7 * near - 0.1),
        near,
        min(narrow, 0.5 - 0.56 * diameter),
        ace,
        red if rng.random() < 0.12 else None,
        float(rng.uniform(0.2, 1.0)) if rng.random() < 0.8 else 0.0,
    )


def random_pip_material(rng: np.random.Generator) -> tuple[Material, Marking]:
    """Return the plastic of a bought die and the paint of its pips: mostly white or ivory with dark pips."""
    pick = rng.random()
    tone = float(rng.uniform(0.84, 0.98))
    if pick < 0.5:
        body = linear(tone, tone * rng.uniform(0.97, 1.0), tone * rng.uniform(0.92, 1.01))
    elif pick < 0.7:
        body = linear(tone, tone * rng.uniform(0.90, 0.97), tone * rng.uniform(0.68, 0.88))
    elif pick < 0.8:
        dark = float(rng.uniform(0.05, 0.22))
        body = linear(dark, dark, dark * rng.uniform(0.9, 1.2))
    else:
        body = hue_colour(rng, (0.4, 1.0), (0.25, 0.95))
    light = brightness(body)
    if light > 0.62 or (light > 0.45 and rng.random() < 0.4):
        shade = float(rng.uniform(0.02, 0.22))
        ink = linear(shade, shade, shade * rng.uniform(0.9, 1.4))
        if rng.random() < 0.08:
            ink = hue_colour(rng, (0.8, 1.0), (0.3, 0.6))
    else:
        ink = linear(float(rng.uniform(0.85, 0.98)), float(rng.uniform(0.85, 0.98)), float(rng.uniform(0.8, 0.97)))
    material = Material("resin", body, float(rng.uniform(0.0, 0.03)), float(rng.uniform(0.1, 1.0)), 0.0)
    wear = float(max(0.0, rng.normal(0.0, 0.2)))
    return material, Marking("paint", ink, float(rng.uniform(0.88, 1.0)), 0.0, wear, 0)


def pip_spots(count: int, style: PipStyle) -> tuple[tuple[float, float], ...]:
    """Return the centres of 1 to 9 pips on a unit square; a six has two upright rows."""
    if not 1 <= count <= 9:
        raise ValueError(f"Expected 1 to 9 pips on a face, but {count} were asked for.")
    near, mid, far = style.near, 0.5, 1 - style.near
    if count == 2 and style.beside:
        return ((mid - style.beside, mid), (mid + style.beside, mid))
    left, right = style.columns, 1 - style.columns
    middle = ((mid, mid),) if count % 2 else ()
    rows = ((left, near), (left, far), (right, near), (right, far), (left, mid), (right, mid))
    ring = ((near, near), (far, far), (far, near), (near, far), (near, mid), (far, mid), (mid, near), (mid, far))
    pairs = rows if count in (6, 7) else ring[: count - len(middle)]
    return (*pairs, *middle)


def draw_pips(
    body: Texture,
    count: int,
    style: PipStyle,
    marking: Marking,
    rng: np.random.Generator,
    *,
    light: tuple[float, float],
) -> Texture:
    """Return a bare face (size x size x 3, linear light) with pips.

    ``light``: the direction towards the light in the texture, x right and y down.
    """
    size = body.shape[0]
    diameter = style.diameter * (style.ace if count == 1 else 1.0)
    # enough steps for every maker, few enough to draw each only once
    steps = {name: round(getattr(style, name) * 64) / 64 for name in ("near", "columns", "ring", "dot", "beside")}
    cover = _cover(count, size, max(2, round(diameter * size)), PipStyle(**steps))
    alpha = cover * np.float32(marking.opacity)
    if marking.wear > 0.05:
        field = window(rng, "fine", size, size, max(0.4, size / 160)) + window(rng, "soft", size, size, 0.5)
        alpha = alpha * np.clip(1.9 - min(marking.wear, 0.7) * (field + 1.0), 0.3, 1.0)
    colour = style.ace_colour if count == 1 and style.ace_colour is not None else marking.colour
    ink = np.array(colour, np.float32)
    out = body + alpha[:, :, None] * (ink - body)
    if style.depth > 0:
        _hollow(out, alpha, diameter * size, style.depth, light)
    return np.asarray(out, np.float32)


def _hollow(
    out: Texture, alpha: npt.NDArray[np.float32], diameter: float, depth: float, light: tuple[float, float]
) -> None:
    """Shade the hollows: the wall that faces the light is bright, with a highlight; the other wall is dark."""
    level = float(np.hypot(*light))
    if level < 0.05 or diameter < 4:
        return
    across = np.array(light) / level
    reach = diameter * 0.3
    shift = np.array([[1, 0, across[0] * reach], [0, 1, across[1] * reach]])
    size = (out.shape[1], out.shape[0])
    # shift the pip towards the light: where it no longer covers itself, its wall faces the light
    moved = cv2.warpAffine(alpha, shift, size)
    wall = cv2.GaussianBlur(np.maximum(alpha - moved, 0), (0, 0), max(0.6, diameter * 0.08)) * alpha
    out += (np.float32(0.22 * depth * level) * wall)[:, :, None]
    other = cv2.warpAffine(alpha, shift * np.array([1, 1, -1]), size)
    shade = np.maximum(alpha - other, 0)
    out *= (1 - np.float32(0.5 * depth * level) * shade)[:, :, None]


@lru_cache(maxsize=4096)
def _cover(count: int, size: int, diameter: int, style: PipStyle) -> npt.NDArray[np.float32]:
    mask = np.zeros((size, size), np.uint8)
    for x, y in pip_spots(count, style):
        centre = (round((x * size - 0.5) * 16), round((y * size - 0.5) * 16))
        cv2.circle(mask, centre, diameter * 8, 255, -1, cv2.LINE_AA, 4)
        if style.ring:
            cv2.circle(mask, centre, round(diameter * (8 - 16 * style.ring)), 0, -1, cv2.LINE_AA, 4)
            cv2.circle(mask, centre, round(diameter * 8 * style.dot), 255, -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.5 + diameter * 0.02).astype(np.float32) * np.float32(1 / 255))

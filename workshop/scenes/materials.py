"""What dice are made of and how their marks are applied: colours, grain, ink, paint, engraving, burning, wear."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.noise import window

Colour = tuple[float, float, float]
"""Blue, green, red of light, linear in energy from 0 to 1 (a display's value squared)."""
Texture = npt.NDArray[np.float32]

Substance = Literal["bone", "light wood", "dark wood", "resin", "horn", "stone"]
Technique = Literal["ink", "paint", "engraved", "burnt", "carved"]

SUBSTANCES: tuple[Substance, ...] = ("bone", "light wood", "dark wood", "resin", "horn", "stone")


@dataclass(frozen=True)
class Material:
    """A die's material: its colour, how strong its grain is and how much it shines (0 to 1)."""

    substance: Substance
    colour: Colour
    grain: float
    gloss: float
    angle: float


def linear(red: float, green: float, blue: float) -> Colour:
    """Return the linear light of a display colour given as red, green, blue from 0 to 1."""
    return (max(blue, 0.0) ** 2, max(green, 0.0) ** 2, max(red, 0.0) ** 2)


def brightness(colour: Colour) -> float:
    """Return how bright a colour looks, from 0 to 1."""
    return float(np.sqrt(0.1 * colour[0] + 0.6 * colour[1] + 0.3 * colour[2]))


def _near(rng: np.random.Generator, red: float, green: float, blue: float, spread: float) -> Colour:
    light = 1 + spread * rng.standard_normal()
    r, g, b = (float(np.clip(v * light + spread * 0.3 * rng.standard_normal(), 0.02, 0.97)) for v in (red, green, blue))
    return linear(r, g, b)


def hue_colour(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    """Return a colour of any hue with saturation and value within these bounds."""
    hue = rng.random() * 6
    s, v = rng.uniform(*saturation), rng.uniform(*value)
    r, g, b = (v * (1 - s * np.clip(abs(((hue + k) % 6) - 3) - 1, 0, 1)) for k in (3, 1, 5))
    return linear(float(r), float(g), float(b))


def random_material(rng: np.random.Generator) -> Material:
    """Return a likely material for a die."""
    substance: Substance = SUBSTANCES[int(rng.choice(6, p=[0.24, 0.2, 0.13, 0.27, 0.08, 0.08]))]
    angle = float(rng.uniform(0, 180))
    gloss = float(rng.random() ** 2)
    match substance:
        case "bone":
            return Material(
                substance, _near(rng, 0.90, 0.86, 0.74, 0.07), float(rng.uniform(0.02, 0.10)), gloss * 0.6, angle
            )
        case "light wood":
            return Material(
                substance, _near(rng, 0.80, 0.62, 0.40, 0.12), float(rng.uniform(0.05, 0.22)), gloss * 0.5, angle
            )
        case "dark wood":
            return Material(
                substance, _near(rng, 0.33, 0.21, 0.15, 0.2), float(rng.uniform(0.1, 0.35)), gloss * 0.7, angle
            )
        case "horn":
            return Material(substance, _near(rng, 0.52, 0.38, 0.22, 0.25), float(rng.uniform(0.1, 0.3)), gloss, angle)
        case "stone":
            base = rng.uniform(0.3, 0.85)
            return Material(
                substance, _near(rng, base, base, base * 0.97, 0.08), float(rng.uniform(0.05, 0.25)), gloss * 0.5, angle
            )
        case "resin":
            pick = rng.random()
            if pick < 0.25:
                colour = _near(rng, 0.93, 0.93, 0.92, 0.04)
            elif pick < 0.4:
                colour = _near(rng, 0.10, 0.10, 0.11, 0.3)
            else:
                colour = hue_colour(rng, (0.4, 0.95), (0.25, 0.95))
            return Material(substance, colour, float(rng.uniform(0.0, 0.05)), 0.2 + 0.8 * gloss, angle)


def body_texture(material: Material, rng: np.random.Generator, size: int) -> Texture:
    """Return the bare body's colour over a face, size x size x 3, linear."""
    colour = np.array(material.colour, np.float32)
    match material.substance:
        case "light wood" | "dark wood" | "horn":
            field = window(rng, "grain", size, size, float(rng.uniform(0.5, 1.6)))
            if material.angle > 90:  # across, as on the other sides of a block
                field = field.T
            if material.substance == "horn":
                field = field + window(rng, "soft", size, size, 0.6)
        case "stone":
            field = window(rng, "soft", size, size, 0.5) + window(rng, "speckle", size, size) * rng.uniform(-1.5, 1.5)
        case "bone":
            field = window(rng, "soft", size, size, 0.7)
            if rng.random() < 0.5:
                field = field + 0.8 * window(rng, "grain", size, size, 0.8)
            if rng.random() < 0.3:
                field = field - 0.8 * window(rng, "speckle", size, size)
        case _:
            field = window(rng, "soft", size, size, 0.4)
    factor = np.maximum(1 + material.grain * field, 0.05)
    return np.asarray(factor[:, :, None] * colour, np.float32)


@dataclass(frozen=True)
class Marking:
    """How marks are applied: their colour, depth and wear."""

    technique: Technique
    colour: Colour
    opacity: float
    relief: float
    wear: float
    weight: int
    """Pixels, at a face of 160, by which strokes become bolder (below 0: thinner)."""


def random_marking(rng: np.random.Generator, material: Material) -> Marking:
    """Return a way of marking that is readable on this material: dark on light or light on dark."""
    technique: Technique = ("ink", "paint", "engraved", "burnt", "carved")[
        int(rng.choice(5, p=[0.34, 0.2, 0.3, 0.08, 0.08]))
    ]
    base = brightness(material.colour)
    if technique == "burnt" and base < 0.45:
        technique = "paint"
    if technique == "carved" and base < 0.3:
        technique = "engraved"
    colour = _readable_ink(rng, base) if technique != "burnt" else linear(0.16, 0.09, 0.05)
    if technique == "carved":  # no ink in the cut: the material's own colour, darker in the depth
        depth = float(rng.uniform(0.25, 0.45))
        colour = (material.colour[0] * depth, material.colour[1] * depth, material.colour[2] * depth)
    return Marking(
        technique,
        colour,
        float(rng.uniform(0.82, 1.0)),
        float(rng.uniform(0.25, 0.8)) if technique in ("engraved", "carved") else float(rng.uniform(0.0, 0.08)),
        float(max(0.0, rng.normal(0.0, 0.35))) if technique != "burnt" else 0.0,
        int(rng.integers(-1, 3)),
    )


def _readable_ink(rng: np.random.Generator, base: float) -> Colour:
    for _ in range(40):
        pick = rng.random()
        if pick < 0.35:
            colour = _near(rng, 0.09, 0.08, 0.08, 0.4)
        elif pick < 0.5:
            colour = _near(rng, 0.93, 0.90, 0.83, 0.06)
        elif pick < 0.6:
            colour = _near(rng, 0.80, 0.62, 0.25, 0.1)
        elif pick < 0.75:
            colour = _near(rng, 0.55, 0.08, 0.08, 0.3)
        else:
            colour = hue_colour(rng, (0.4, 1.0), (0.1, 0.9))
        if abs(brightness(colour) - base) > rng.uniform(0.18, 0.45):
            return colour
    return linear(0.05, 0.05, 0.05) if base > 0.45 else linear(0.95, 0.94, 0.9)


def apply_marks(
    body: Texture, mask: npt.NDArray[np.uint8], marking: Marking, rng: np.random.Generator, light: tuple[float, float]
) -> Texture:
    """Return the face with marks where ``mask`` is set (size x size, uint8).

    ``light`` is the direction towards the light in the texture (x right, y down); it lights the edges of an engraving.
    """
    size = mask.shape[0]
    steps = int(abs(marking.weight) * size / 160 + 0.5)
    if steps:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
        changed = cv2.dilate(mask, kernel, iterations=steps) if marking.weight > 0 else cv2.erode(mask, kernel)
        mask = np.asarray(changed, np.uint8)
    cover = mask.astype(np.float32) * np.float32(1 / 255)
    alpha = cover * np.float32(marking.opacity)
    if marking.wear > 0.05:
        field = window(rng, "fine", size, size, max(0.4, size / 160)) + window(rng, "soft", size, size, 0.5)
        alpha *= np.clip(1.9 - min(marking.wear, 0.7) * (field + 1.0), 0.3, 1.0)
    if marking.technique == "burnt":
        halo = cv2.GaussianBlur(cover, (0, 0), size * 0.016)
        body = body * (1 - 0.5 * halo)[:, :, None]
    ink = np.array(marking.colour, np.float32)
    alpha = alpha[:, :, None]
    out: Texture = body + alpha * (ink - body)
    if marking.relief > 0.02:
        soft = cv2.GaussianBlur(cover, (0, 0), max(0.6, size * 0.007))
        slope = light[0] * cv2.Sobel(soft, cv2.CV_32F, 1, 0) + light[1] * cv2.Sobel(soft, cv2.CV_32F, 0, 1)
        # the far wall of a groove faces the light, the near one lies in its own shadow
        out *= np.clip(1 - marking.relief * slope, 0.35, 2.2)[:, :, None]
        out += np.float32(0.05 * marking.relief) * np.maximum(-slope, 0)[:, :, None]
    return np.asarray(out, np.float32)

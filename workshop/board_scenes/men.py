"""Men: prisms that stand on a board, with the drawings on their tops. Lengths are in pitches of the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.fonts import Font, draws, glyph
from workshop.scenes.materials import (
    Colour,
    Material,
    Texture,
    body_texture,
    brightness,
    linear,
    random_material,
)

Points = npt.NDArray[np.float64]

DIGITS: Final = "0123456789"

AMBIGUOUS: Final = frozenset({6, 9, 16, 66, 81, 90, 91, 99, 100, 169, 190, 196, 361})
"""Numbers that may be mistaken for another one upside down, or seem to be; most makers underline them."""

LEAST_GAP: Final = 0.14
"""Least difference in brightness between the two sides' men at tables."""

_ROUND: Final = np.arange(28) * 2 * np.pi / 28
_TEXELS: Final = 72


@dataclass(frozen=True, eq=False)
class Prism:
    """A solid piece: its outline (n x 2, world), from ``low`` to ``high``, its colour and the texture of its top.

    The texture covers the square of half edge ``reach`` around ``middle``, turned by ``turn`` radians.
    """

    ring: Points
    low: float
    high: float
    colour: Colour
    gloss: float
    middle: tuple[float, float]
    reach: float
    turn: float
    top: Texture
    normals: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TablesStyle:
    """How the men of one side of a tables board look."""

    material: Material
    profile: int
    radius: float
    height: float
    seed: int


@dataclass(frozen=True, eq=False)
class NumberStyle:
    """How one side's men of Rithmomachia look: body, ink, font, sizes, and whether ambiguous numbers have a line."""

    material: Material
    ink: Colour
    font: Path
    size: float
    height: float
    letter: float
    underlined: bool
    seed: int


def number_fonts(fonts: Sequence[Font]) -> tuple[Font, ...]:
    """Return the fonts that have digits."""
    return tuple(font for font in fonts if draws(font.path, DIGITS))


def random_tables_styles(rng: np.random.Generator) -> tuple[TablesStyle, TablesStyle]:
    """Return the looks of a set's men, first of the lighter side, then of the darker."""
    profile, radius = int(rng.integers(6)), float(rng.uniform(0.4, 0.495))
    height = float(rng.uniform(0.16, 0.42))
    light, dark = _pair(rng, LEAST_GAP)
    seeds = rng.integers(2**31, size=2)
    return (
        TablesStyle(light, profile, radius, height, int(seeds[0])),
        TablesStyle(dark, profile, radius, height, int(seeds[1])),
    )


def random_number_styles(rng: np.random.Generator, fonts: Sequence[Font]) -> tuple[NumberStyle, NumberStyle]:
    """Return the looks of a set of Rithmomachia men, first of White's, then of Black's."""
    light, dark = _pair(rng, 0.25)
    if rng.random() < 0.5:  # most are plain white and black
        light = Material("resin", _shade(rng, 0.8, 0.98), light.grain * 0.3, light.gloss, 0)
        dark = Material("resin", _shade(rng, 0.04, 0.2), dark.grain * 0.3, dark.gloss, 0)
    font = fonts[int(rng.integers(len(fonts)))].path
    size, height = float(rng.uniform(0.62, 0.9)), float(rng.uniform(0.06, 0.32))
    letter, underlined = float(rng.uniform(0.4, 0.62)), rng.random() < 0.9
    red = rng.random() < 0.25
    styles = []
    for material in (light, dark):
        base = brightness(material.colour)
        if base > 0.45:
            ink = linear(float(rng.uniform(0.4, 0.7)), 0.05, 0.05) if red else _shade(rng, 0.02, max(0.03, base - 0.4))
        else:
            ink = _shade(rng, min(0.97, base + 0.45), 0.99)
        styles.append(NumberStyle(material, ink, font, size, height, letter, underlined, int(rng.integers(2**31))))
    return styles[0], styles[1]


def _shade(rng: np.random.Generator, low: float, high: float) -> Colour:
    tone = float(rng.uniform(low, high))
    red, green, blue = (float(np.clip(tone * f, 0.01, 1)) for f in rng.uniform(0.93, 1.05, 3))
    return linear(red, green, blue)


def _pair(rng: np.random.Generator, distance: float) -> tuple[Material, Material]:
    """Return two materials that differ in brightness, the lighter first."""
    while True:
        one, other = random_material(rng), random_material(rng)
        gap = brightness(one.colour) - brightness(other.colour)
        if abs(gap) > distance:
            return (one, other) if gap > 0 else (other, one)


def tables_man(style: TablesStyle, x: float, y: float, low: float, *, seed: int) -> tuple[Prism, ...]:
    """Return a round man with its centre at x, y, standing at ``low``."""
    rng = np.random.default_rng([style.seed, seed])
    ring = np.column_stack([np.cos(_ROUND), np.sin(_ROUND)]) * style.radius + [x, y]
    top = body_texture(style.material, rng, _TEXELS)
    slope, shade = _turned_profile(style.profile)
    ys, xs = _grid()
    radius = np.maximum(np.hypot(xs, ys), 1e-3)
    normals = np.dstack([slope * xs / radius, -slope * ys / radius, np.ones_like(xs)])
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    return (
        Prism(
            ring,
            low,
            low + style.height,
            style.material.colour,
            style.material.gloss,
            (x, y),
            style.radius,
            float(rng.uniform(0, 2 * np.pi)),
            np.asarray(top * shade[:, :, None], np.float32),
            normals.astype(np.float32),
        ),
    )


def _grid() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    ys, xs = np.mgrid[-1 : 1 : _TEXELS * 1j, -1 : 1 : _TEXELS * 1j]
    return ys, xs


def _turned_profile(profile: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the outward slope of a turned man's top and the shade of its grooves, both size x size."""
    ys, xs = _grid()
    r = np.hypot(xs, ys)
    slope, shade = np.where(r > 0.9, 0.9, 0.0), np.ones_like(r)
    match profile:
        case 1:  # dished
            slope = slope + np.where((r > 0.35) & (r < 0.72), -0.55, 0.0)
            shade = np.where(r < 0.36, 0.93, shade)
        case 2:  # a raised rim
            slope = slope + np.where((r > 0.72) & (r < 0.82), -0.9, 0.0)
        case 3:  # rings
            for at in (0.3, 0.6):
                slope = (
                    slope
                    + np.where((r > at) & (r < at + 0.04), 0.8, 0)
                    - np.where((r > at + 0.04) & (r < at + 0.08), 0.8, 0)
                )
                shade = np.where((r > at) & (r < at + 0.08), 0.7, shade)
        case 4:  # a knob in the middle
            slope = slope + np.where((r > 0.2) & (r < 0.34), 0.8, 0.0) + np.where((r > 0.6) & (r < 0.75), -0.4, 0.0)
        case 5:  # domed
            slope = slope + 0.35 * r
        case _:
            pass
    soft = (cv2.GaussianBlur(slope, (0, 0), 1.2), cv2.GaussianBlur(shade, (0, 0), 0.8))
    return np.asarray(soft[0], np.float64), np.asarray(soft[1], np.float64)


def outline(shape: str, size: float) -> Points:
    """Return the outline of a shape (n x 2), about as wide as ``size``, with its centre at 0, 0."""
    if shape == "circle":
        return np.column_stack([np.cos(_ROUND), np.sin(_ROUND)]) * size / 2
    if shape == "triangle":
        angles = np.pi / 2 + np.arange(3) * 2 * np.pi / 3
        return np.column_stack([np.cos(angles), np.sin(angles)]) * size * 0.6
    half = size * 0.47
    return np.array([[half, half], [-half, half], [-half, -half], [half, -half]])


def numbered_man(
    rng: np.random.Generator, style: NumberStyle, what: tuple[str, int], place: tuple[float, float], turn: float
) -> tuple[Prism, ...]:
    """Return a man of Rithmomachia; a pyramid is a pile of ever smaller plates with its number on the top one."""
    shape, number = what
    if shape != "pyramid":
        return (_plate(rng, style, (shape, str(number)), (*place, turn), (0.0, style.height, style.size)),)
    layers = int(rng.integers(2, 6))
    sizes = np.linspace(style.size * 1.06, style.size * float(rng.uniform(0.6, 0.75)), layers)
    each = max(style.height * 0.7, 0.05)
    shapes = ["square"] * layers
    if layers > 3:
        shapes[-2:] = [str(rng.choice(["triangle", "square", "circle"])), str(rng.choice(["circle", "square"]))]
    else:
        shapes[-1] = str(rng.choice(["circle", "square", "square"]))
    pieces = []
    for k, (form, size) in enumerate(zip(shapes, sizes, strict=True)):
        text = str(number) if k == layers - 1 else ""
        yaw = turn + (float(rng.normal(0, 0.2)) if rng.random() < 0.5 else 0.0) * (k > 0)
        pieces.append(_plate(rng, style, (form, text), (*place, yaw), (k * each, (k + 1) * each, float(size))))
    return tuple(pieces)


def _plate(
    rng: np.random.Generator,
    style: NumberStyle,
    what: tuple[str, str],
    lies: tuple[float, float, float],
    measure: tuple[float, float, float],
) -> Prism:
    shape, text = what
    x, y, turn = lies
    place = (x, y)
    low, high, size = measure
    cos, sin = np.cos(turn), np.sin(turn)
    ring = outline(shape, size) @ np.array([[cos, sin], [-sin, cos]]) + place
    top = body_texture(style.material, rng, _TEXELS)
    reach = size * 0.6
    if text:
        room = {"circle": 0.86, "triangle": 0.66, "square": 0.94}[shape] * size / (2 * reach)
        # digits may stand askew to the man's edges
        askew = 0.0 if rng.random() < 0.7 else float(rng.uniform(-np.pi, np.pi))
        high_share = min(style.letter * size / (2 * reach), room * 0.75)
        underlined = style.underlined and int(text) in AMBIGUOUS
        dy = 0.04 if shape == "triangle" and not askew else 0.0
        mask = numeral(style.font, text, room, high_share, askew, dy=dy, underlined=underlined)
        ink = np.array(style.ink, np.float32)
        top = top + (mask.astype(np.float32) * np.float32(rng.uniform(0.85, 1) / 255))[:, :, None] * (ink - top)
    normals = np.zeros((_TEXELS, _TEXELS, 3), np.float32)
    normals[:, :, 2] = 1
    material = style.material
    return Prism(
        ring, low, high, material.colour, material.gloss, place, reach, turn, np.asarray(top, np.float32), normals
    )


def numeral(
    font: Path, text: str, wide: float, high: float, turn: float, *, dy: float, underlined: bool
) -> npt.NDArray[np.uint8]:
    """Return a number's alpha mask on a square texture, at most ``wide`` and ``high`` as shares of it, turned there."""
    parts = [glyph(font, letter) for letter in text]
    gap = 6
    width = sum(part.shape[1] for part in parts) + gap * (len(parts) - 1)
    tall = max(part.shape[0] for part in parts)
    canvas = np.zeros((tall + (34 if underlined else 0), width), np.uint8)
    x = 0
    for part in parts:
        # all digits stand on the baseline, also old-style ones, which are drawn as they are
        canvas[tall - part.shape[0] : tall, x : x + part.shape[1]] = part
        x += part.shape[1] + gap
    if underlined:
        canvas[tall + 14 : tall + 26] = 255
    scale = min(wide * _TEXELS / canvas.shape[1], high * _TEXELS / tall)
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    middle = np.array([canvas.shape[1] / 2, canvas.shape[0] / 2])
    matrix = np.array([[cos, -sin, 0], [sin, cos, 0]])
    matrix[:, 2] = np.array([_TEXELS / 2, _TEXELS * (0.5 + dy)]) - matrix[:, :2] @ middle
    reduced = canvas
    return np.asarray(cv2.warpAffine(reduced, matrix, (_TEXELS, _TEXELS), flags=cv2.INTER_AREA), np.uint8)

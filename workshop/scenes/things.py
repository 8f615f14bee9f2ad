"""Other objects on a table or over it: coins, sheets, pens, men and boards of games, a tray, a hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from workshop.scenes.camera import Camera, Points
from workshop.scenes.clutter import (
    Spot3,
    draw_board,
    draw_cable,
    draw_chessman,
    draw_key,
    draw_man,
    draw_slab,
    draw_tray,
    lay,
)
from workshop.scenes.fonts import Font
from workshop.scenes.materials import Colour, hue_colour, linear
from workshop.scenes.noise import window
from workshop.scenes.prints import PrintKind, draw_print

ThingKind = Literal[
    "coin", "sheet", "pen", "cup", "fibre", "man", "chessman", "key", "cable", "slab", "board", "tray", PrintKind
]
FLAT: tuple[ThingKind, ...] = ("sheet", "fibre", "board", "tray")
"""Things on which, or within which, dice may lie."""

_SHARES: dict[ThingKind, float] = {
    "coin": 0.2,
    "sheet": 0.14,
    "pen": 0.07,
    "cup": 0.06,
    "fibre": 0.1,
    "man": 0.13,
    "chessman": 0.05,
    "key": 0.05,
    "cable": 0.05,
    "slab": 0.07,
    "board": 0.08,
}
"""How often each kind occurs among random things; a tray is drawn separately."""

Picture = npt.NDArray[np.float32]

_WORDS = (
    *("ordo", "virtutum", "liber", "primus", "de", "ludo", "clericorum", "karitas", "fides", "spes", "iusticia"),
    *("prudencia", "temperancia", "pax", "gaudium", "benignitas", "modestia", "longanimitas", "castitas"),
    *("humilitas", "patientia", "sapientia", "simplicitas", "silentium", "oratio", "lectio"),
)


@dataclass(frozen=True)
class Thing:
    """An object on the table that is not a die: its place (table), size, turn and colour."""

    kind: ThingKind
    x: float
    y: float
    size: float
    angle: float
    colour: Colour
    seed: int
    font: Path | None = None


@dataclass(frozen=True)
class Hand:
    """A hand that reaches in over the border: its fingertips (picture, 0 to 1), direction, skin and sleeve."""

    x: float
    y: float
    angle: float
    size: float
    """Width of a finger as a share of the picture's width."""
    skin: Colour
    sleeve: Colour
    blur: float
    seed: int


def random_thing(rng: np.random.Generator, reach: float, fonts: Sequence[Font]) -> Thing:
    """Return an object about ``reach`` from the centre of the table."""
    kind = tuple(_SHARES)[int(rng.choice(len(_SHARES), p=tuple(_SHARES.values())))]
    around = rng.uniform(0, 2 * np.pi)
    distance = reach * float(rng.uniform(0.75, 1.25))
    metal = [linear(0.75, 0.6, 0.25), linear(0.6, 0.6, 0.62), linear(0.55, 0.33, 0.2)][int(rng.integers(3))]
    colour, size = metal, float(rng.uniform(0.8, 1.8))
    if kind == "sheet":
        tone = float(rng.uniform(0.7, 0.97))
        colour, size = linear(tone, tone * rng.uniform(0.93, 1), tone * rng.uniform(0.75, 1)), float(rng.uniform(5, 11))
        distance = size * 0.55 + reach * float(rng.uniform(0.1, 0.5))
    elif kind == "pen":
        colour, size = linear(*rng.uniform(0.05, 0.8, 3)), float(rng.uniform(5, 9))
    elif kind == "cup":
        colour, size = linear(*rng.uniform(0.1, 0.9, 3)), float(rng.uniform(2.2, 4.5))
        distance = reach + size * 0.3
    elif kind == "fibre":
        colour, size = linear(*[float(rng.uniform(0.1, 0.9))] * 3), float(rng.uniform(0.3, 1.2))
        distance = reach * float(rng.uniform(0, 1.2))
    elif kind in _MEASURES:
        small, large, near, far = _MEASURES[kind]
        colour = metal if kind == "key" else hue_colour(rng, (0.0, 0.8), (0.04, 0.9))
        size = float(rng.uniform(small, large))
        distance = reach * float(rng.uniform(near, far)) + (size * 0.4 if kind == "slab" else 0.0)
    font = fonts[int(rng.integers(len(fonts)))].path if fonts and kind in ("sheet", "man") else None
    return Thing(
        kind,
        float(distance * np.cos(around)),
        float(distance * np.sin(around)),
        size,
        float(rng.uniform(0, 2 * np.pi)),
        colour,
        int(rng.integers(2**31)),
        font,
    )


_MEASURES: dict[ThingKind, tuple[float, float, float, float]] = {
    "man": (0.7, 2.0, 0.1, 1.2),
    "chessman": (0.8, 1.6, 0.4, 1.3),
    "key": (1.5, 3.5, 0.2, 1.2),
    "cable": (6.0, 18.0, 0.6, 1.2),
    "slab": (3.0, 12.0, 0.9, 1.3),
    "board": (8.0, 30.0, 0.0, 0.6),
}
"""Smallest and largest size, then smallest and largest distance, the distance as a share of the picture's reach."""


def random_tray(rng: np.random.Generator, around: Points, reach: float, slope: float) -> Thing:
    """Return a tray around points on the table (n x 2), with walls far enough away to hide none of them.

    ``slope``: the tangent of the camera's tilt.
    """
    angle = float(rng.uniform(0, 2 * np.pi))
    cos, sin = np.cos(angle), np.sin(angle)
    within = around @ np.array([[cos, -sin], [sin, cos]])
    middle, half = np.zeros(2), reach * float(rng.uniform(0.5, 1.0))
    if len(within):
        middle = (within.min(axis=0) + within.max(axis=0)) / 2
        half = max(half, float(np.ptp(within, axis=0).max()) / 2 + 1.2 + slope)
    x, y = np.array([[cos, -sin], [sin, cos]]) @ middle
    colour = hue_colour(rng, (0.0, 0.8), (0.05, 0.8))
    return Thing("tray", float(x), float(y), 2 * half, angle, colour, int(rng.integers(2**31)))


def random_hand(rng: np.random.Generator, *, reach: tuple[float, float] = (0.1, 0.45)) -> Hand:
    """Return a hand that comes in over a border, ``reach`` of the picture's half deep."""
    angle = float(rng.uniform(0, 2 * np.pi))
    depth = 1 - float(rng.uniform(*reach))
    tone = float(rng.uniform(0.3, 0.95))
    skin = linear(tone, tone * rng.uniform(0.68, 0.8), tone * rng.uniform(0.5, 0.68))
    return Hand(
        0.5 + 0.5 * depth * float(np.cos(angle)),
        0.5 + 0.5 * depth * float(np.sin(angle)),
        angle,
        float(rng.uniform(0.05, 0.09)),
        skin,
        linear(*rng.uniform(0.05, 0.8, 3)),
        float(rng.uniform(0.5, 4)),
        int(rng.integers(2**31)),
    )


def draw_thing(thing: Thing, camera: Camera, picture: Picture, light: tuple[float, float]) -> Points | None:
    """Draw a flat thing onto the lit table. Return the outline that casts a shadow (table, n x 2), or None."""
    place = Spot3(thing.x, thing.y, thing.angle, thing.size)
    match thing.kind:
        case "coin" | "cup":
            return _draw_round(thing, camera, picture, light)
        case "sheet":
            return _draw_sheet(thing, camera, picture)
        case "pen":
            _draw_pen(thing, camera, picture)
        case "fibre":
            _draw_fibre(thing, camera, picture)
        case "man":
            draw_man(place, camera, picture, thing.colour, thing.font, seed=thing.seed)
        case "hexes" | "keyboard" | "track" | "change":
            draw_print(thing.kind, place, camera, picture, thing.seed)
        case "tray":
            draw_tray(place, camera, picture, thing.colour, (light[0], -light[1]))
        case _:
            _SHAPES[thing.kind](place, camera, picture, thing.colour, thing.seed)
    return None


_SHAPES: dict[ThingKind, Callable[[Spot3, Camera, Picture, Colour, int], None]] = {
    "chessman": draw_chessman,
    "key": draw_key,
    "cable": draw_cable,
    "slab": draw_slab,
    "board": draw_board,
}


def shadow_outline(thing: Thing) -> Points | None:
    """Return the outline of a thing that is high enough to cast a shadow, on the table (n x 2)."""
    if thing.kind not in ("coin", "cup", "man", "chessman"):
        return None
    angles = np.arange(24) * np.pi / 12
    return np.column_stack([thing.x + thing.size / 2 * np.cos(angles), thing.y + thing.size / 2 * np.sin(angles)])


def _on_table(thing: Thing, camera: Camera, corners: Points) -> Points:
    cos, sin = np.cos(thing.angle), np.sin(thing.angle)
    flat = corners @ np.array([[cos, sin], [-sin, cos]]) + [thing.x, thing.y]
    return camera.project(np.column_stack([flat, np.zeros(len(flat))]))


def _draw_round(thing: Thing, camera: Camera, picture: Picture, light: tuple[float, float]) -> Points | None:
    rng = np.random.default_rng(thing.seed)
    size = 200
    ys, xs = (np.mgrid[0:size, 0:size].astype(np.float32) + 0.5) / size * 2 - 1
    radius = np.sqrt(xs**2 + ys**2)
    cover = np.clip((1 - radius) * size / 4, 0, 1).astype(np.float32)
    if thing.kind == "coin":
        relief = window(rng, "soft", size, size, 2.0) + 0.5 * window(rng, "fine", size, size, 2.0)
        slope = cv2.Sobel(relief, cv2.CV_32F, 1, 0) * light[0] + cv2.Sobel(relief, cv2.CV_32F, 0, 1) * light[1]
        shade = np.clip(0.8 - 0.9 * slope, 0.1, 2.5) * np.where(np.abs(radius - 0.93) < 0.03, 0.6, 1.0)
    else:
        rim = (radius > 0.86).astype(np.float32)
        shade = rim * (1.0 + 0.3 * xs) + (1 - rim) * (0.15 + 0.25 * radius)
    texture = np.asarray(shade[:, :, None] * np.array(thing.colour, np.float32), np.float32)
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * thing.size / 2
    lay(picture, texture, cover, _on_table(thing, camera, corners))
    return shadow_outline(thing)


def _draw_sheet(thing: Thing, camera: Camera, picture: Picture) -> Points | None:
    page = _page(thing.font, thing.seed % 4)
    texture = (page[:, :, None] * np.array(thing.colour, np.float32)).astype(np.float32)
    corners = np.array([[-0.35, 0.5], [0.35, 0.5], [0.35, -0.5], [-0.35, -0.5]]) * thing.size
    quad = _on_table(thing, camera, corners)
    shown = float(np.linalg.norm(quad[0] - quad[3]))
    if shown < texture.shape[0]:
        factor = max(0.2, shown / texture.shape[0])
        texture = np.asarray(cv2.resize(texture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.float32)
    lay(picture, texture, np.ones(texture.shape[:2], np.float32), quad)
    return None


@lru_cache(maxsize=32)
def _page(font: Path | None, number: int) -> npt.NDArray[np.float32]:
    """A printed page, 1 where it is white."""
    rng = np.random.default_rng([7, number])
    sheet = Image.new("L", (700, 1000), 255)
    draw = ImageDraw.Draw(sheet)
    if font is not None:
        size = int(rng.integers(22, 40))
        shape = ImageFont.truetype(str(font), size)
        for y in range(60, 940, int(size * 1.4)):
            line = " ".join(_WORDS[int(i)] for i in rng.integers(0, len(_WORDS), 9))
            draw.text((60, y), line[: int(1150 / size)], font=shape, fill=int(rng.integers(10, 60)))
    return np.asarray(np.asarray(sheet, np.float32) / 255)


def _draw_pen(thing: Thing, camera: Camera, picture: Picture) -> None:
    length = int(thing.size * 40)
    shade = 1 - np.abs(np.linspace(-1, 1, 14, dtype=np.float32)) ** 2 * 0.8
    texture = np.repeat(shade[:, None], length, axis=1)[:, :, None] * np.array(thing.colour, np.float32)
    texture[4:6] += np.float32(0.25)
    texture[:, : length // 14] = np.array([0.3, 0.3, 0.3], np.float32)
    corners = np.array([[-0.5, 0.03], [0.5, 0.03], [0.5, -0.03], [-0.5, -0.03]]) * thing.size
    lay(
        picture,
        np.asarray(texture, np.float32),
        np.ones(texture.shape[:2], np.float32),
        _on_table(thing, camera, corners),
    )


def _draw_fibre(thing: Thing, camera: Camera, picture: Picture) -> None:
    rng = np.random.default_rng(thing.seed)
    steps = np.cumsum(rng.normal(0, 0.5, 12))
    path = np.cumsum(np.column_stack([np.cos(steps), np.sin(steps)]), axis=0) * thing.size / 12
    pixels = np.round(_on_table(thing, camera, path) * 16).astype(np.int32)
    cv2.polylines(picture, [pixels], isClosed=False, color=thing.colour, thickness=1, lineType=cv2.LINE_8, shift=4)


def draw_hand(hand: Hand, width: int, height: int) -> tuple[npt.NDArray[np.float32], Picture]:
    """Return a hand's alpha mask (height x width) and its colours, in full even light."""
    rng = np.random.default_rng(hand.seed)
    reduced = 2 if width > 400 else 1
    w, h = width // reduced, height // reduced
    skin = np.zeros((h, w), np.uint8)
    sleeve = np.zeros((h, w), np.uint8)
    thick = hand.size * w
    back = np.array([np.cos(hand.angle), np.sin(hand.angle)])
    across = np.array([-back[1], back[0]])
    tip = np.array([hand.x * w, hand.y * h])
    palm = tip + back * thick * 4.0
    relief = np.zeros((h, w), np.float32)
    for k in range(4):
        offset = (k - 1.5) * thick * 1.06
        end = tip + across * offset + back * thick * (0.3 * (k - 1.3) ** 2 + rng.uniform(0, 0.4))
        _limb(skin, relief, end, palm + across * offset * 0.85, thick)
    turned = 1 if rng.random() < 0.5 else -1
    thumb = tip + across * thick * 3.0 * turned + back * thick * 2.4
    _limb(skin, relief, thumb, palm + back * thick * 1.5 + across * thick * turned, thick * 1.1)
    _limb(skin, relief, palm + back * thick * 0.4, palm + back * thick * 3, thick * 4.4)
    _limb(sleeve, relief, palm + back * thick * 5.5, palm + back * thick * 40, thick * 5.2)
    relief = np.asarray(cv2.GaussianBlur(relief, (0, 0), max(0.8, thick * 0.08)), np.float32)
    colours = np.where(sleeve[:, :, None] > 0, np.array(hand.sleeve, np.float32), np.array(hand.skin, np.float32))
    colours = np.asarray(colours * (np.float32(0.42) + np.float32(0.62) * relief)[:, :, None], np.float32)
    share = cv2.max(skin, sleeve).astype(np.float32) * np.float32(1 / 255)
    if hand.blur > 0.3:
        share = np.asarray(cv2.GaussianBlur(share, (0, 0), hand.blur / reduced), np.float32)
        colours = np.asarray(cv2.GaussianBlur(colours, (0, 0), hand.blur / reduced), np.float32)
    size = (width, height)
    return (
        np.asarray(cv2.resize(share, size, interpolation=cv2.INTER_LINEAR), np.float32),
        np.asarray(cv2.resize(colours, size, interpolation=cv2.INTER_LINEAR), np.float32),
    )


def _limb(cover: npt.NDArray[np.uint8], relief: Picture, start: Points, end: Points, thick: float) -> None:
    """Add a round limb: its alpha mask, and how far its surface looks up (0 at its sides, 1 in the middle)."""
    mask = np.zeros_like(cover)
    ends = [tuple(int(v) for v in np.clip(np.round(p), -20000, 20000)) for p in (start, end)]
    cv2.line(mask, ends[0], ends[1], 255, max(1, round(thick)), cv2.LINE_AA)
    cv2.max(cover, mask, cover)
    inward = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) * np.float32(2 / max(thick, 1))
    inward = np.clip(inward, 0, 1)
    round_ = np.sqrt(np.maximum(1 - (1 - inward) ** 2, 0))
    np.maximum(relief, round_ * (inward > 0), out=relief)

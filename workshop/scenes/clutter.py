"""Objects that a reader could take for dice: men of boards, chessmen, keys, cables, boards, slabs, a tray."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.camera import Camera, Points
from workshop.scenes.fonts import glyph
from workshop.scenes.materials import Colour
from workshop.scenes.noise import window

Picture = npt.NDArray[np.float32]

_CIRCLE = np.column_stack([np.cos(np.arange(32) * np.pi / 16), np.sin(np.arange(32) * np.pi / 16)])
_BUTTON = np.array([[0, 0], [0.11, 0], [0.11, -0.18], [0, -0.18]])


@dataclass(frozen=True)
class Spot3:
    """Where to draw an object: a point on the table, a turn (radians) and a size in edges of a cube."""

    x: float
    y: float
    angle: float
    size: float

    def pixels(self, camera: Camera, flat: Points, height: float = 0.0) -> Points:
        """Return the pixels of points around this spot, in parts of its size (n x 2), ``height`` above the table."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        turned = flat @ np.array([[cos, sin], [-sin, cos]]) * self.size + [self.x, self.y]
        return camera.project(np.column_stack([turned, np.full(len(turned), height)]))


def draw_man(place: Spot3, camera: Camera, picture: Picture, colour: Colour, font: Path | None, *, seed: int) -> None:
    """Draw a flat man: a draughtsman, or a Rithmomachia man (disc, square, triangle) with its number."""
    rng = np.random.default_rng(seed)
    sides = (32, 32, 4, 3)[int(rng.integers(4))]
    angles = np.arange(sides) * 2 * np.pi / sides
    outline = np.column_stack([np.cos(angles), np.sin(angles)]) * 0.5
    thick = float(rng.uniform(0.1, 0.35))
    low, high = place.pixels(camera, outline), place.pixels(camera, outline, thick)
    _polygon(picture, cv2.convexHull(np.vstack([low, high]).astype(np.float32))[:, 0], _scaled(colour, 0.45))
    _polygon(picture, high, colour)
    ink = _scaled(colour, 0.25) if sum(colour) > 0.5 else (0.8, 0.8, 0.8)
    if sides == 32 and rng.random() < 0.6:
        for radius in (0.8, 0.55):
            ring = place.pixels(camera, outline * radius, thick)
            cv2.polylines(picture, [_fixed(ring)], True, _scaled(colour, 0.6), 1, cv2.LINE_8, 4)  # noqa: FBT003
    elif font is not None:
        number = str(
            int(rng.choice([2, 4, 6, 8, 9, 15, 16, 20, 25, 28, 36, 42, 45, 49, 64, 66, 72, 81, 121, 289, 361]))
        )
        shape = glyph(font, number)
        wide = min(0.5, 0.3 * shape.shape[1] / shape.shape[0])
        tall = wide * shape.shape[0] / shape.shape[1]
        quad = place.pixels(camera, np.array([[-wide, tall], [wide, tall], [wide, -tall], [-wide, -tall]]) * 0.7, thick)
        _stamp(picture, shape, quad, ink)


def draw_chessman(place: Spot3, camera: Camera, picture: Picture, colour: Colour, seed: int) -> None:
    """Draw a turned chessman as a stack of discs."""
    rng = np.random.default_rng(seed)
    tall = float(rng.uniform(1.2, 2.6))
    profile = np.array([0.5, 0.5, 0.42, 0.3, 0.24, 0.2, 0.2, 0.26, 0.3, 0.26, 0.14])
    profile[5:] *= rng.uniform(0.8, 1.5)
    for step in range(40):
        share = step / 39
        radius = float(np.interp(share * 10, np.arange(11), profile))
        ring = place.pixels(camera, _CIRCLE * radius, share * tall * place.size)
        _polygon(picture, ring, _scaled(colour, 0.45 + 0.55 * share + 0.2 * np.sin(step * 1.3)))


def draw_key(place: Spot3, camera: Camera, picture: Picture, colour: Colour, seed: int) -> None:
    """Draw a key: bow, shaft and bit."""
    rng = np.random.default_rng(seed)
    shaft = np.array([[-0.15, 0.04], [0.5, 0.04], [0.5, -0.04], [-0.15, -0.04]])
    _polygon(picture, place.pixels(camera, shaft), colour)
    for at in np.linspace(0.25, 0.48, int(rng.integers(2, 6))):
        tooth = np.array([[at, 0], [at + 0.035, 0], [at + 0.035, -0.1 - 0.06 * rng.random()], [at, -0.12]])
        _polygon(picture, place.pixels(camera, tooth), _scaled(colour, 0.9))
    bow = place.pixels(camera, _CIRCLE * [0.17, 0.14] + [-0.3, 0])
    width = max(1, round(float(np.ptp(bow, axis=0).max()) * 0.2))
    cv2.polylines(picture, [_fixed(bow)], True, _scaled(colour, 1.0), width, cv2.LINE_8, 4)  # noqa: FBT003


def draw_cable(place: Spot3, camera: Camera, picture: Picture, colour: Colour, seed: int) -> None:
    """Draw a cable that winds over the table, with a plug at one end."""
    rng = np.random.default_rng(seed)
    bends = np.cumsum(rng.normal(0, 0.16, 40))
    path = np.cumsum(np.column_stack([np.cos(bends), np.sin(bends)]), axis=0) / 40
    pixels = place.pixels(camera, path - path.mean(axis=0))
    scale = camera.focal / camera.distance
    thick = max(1, round(float(rng.uniform(0.15, 0.4)) * scale))
    cv2.polylines(picture, [_fixed(pixels)], False, _scaled(colour, 0.6), thick, cv2.LINE_8, 4)  # noqa: FBT003
    cv2.polylines(picture, [_fixed(pixels)], False, colour, max(1, thick // 2), cv2.LINE_8, 4)  # noqa: FBT003
    if rng.random() < 0.5:
        cv2.polylines(picture, [_fixed(pixels[:4])], False, _scaled(colour, 0.8), thick * 2, cv2.LINE_8, 4)  # noqa: FBT003


def draw_slab(place: Spot3, camera: Camera, picture: Picture, colour: Colour, seed: int) -> None:
    """Draw a phone, a laptop, a book or a box: a thick plate whose upper side is plain or has parts."""
    rng = np.random.default_rng(seed)
    half = np.array([0.5, float(rng.uniform(0.2, 0.45))])
    thick = float(rng.uniform(0.15, 1.0))
    outline = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    low, high = place.pixels(camera, outline), place.pixels(camera, outline, thick)
    _polygon(picture, cv2.convexHull(np.vstack([low, high]).astype(np.float32))[:, 0], _scaled(colour, 0.4))
    _polygon(picture, high, colour)
    if rng.random() < 0.5:  # a screen
        _polygon(picture, place.pixels(camera, outline * [0.94, 0.88], thick), _scaled(colour, rng.uniform(0.05, 0.5)))
    elif rng.random() < 0.6:  # keys
        for row in np.linspace(-0.6, 0.4, 4):
            for column in np.linspace(-0.85, 0.8, 11):
                button = (_BUTTON + np.array([column, row])) * half
                _polygon(picture, place.pixels(camera, button, thick), _scaled(colour, 0.15))


def draw_board(place: Spot3, camera: Camera, picture: Picture, colour: Colour, seed: int) -> None:
    """Draw a flat board: chequered, ruled, or with the twenty-four points of tables."""
    texture = _board_texture(colour, seed)
    half = 0.5 * np.array([1.0, texture.shape[0] / texture.shape[1]])
    quad = place.pixels(camera, np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half)
    shown = float(np.linalg.norm(quad[0] - quad[1]))
    factor = float(np.clip(shown / texture.shape[1], 0.1, 1.0))
    if factor < 1:
        texture = np.asarray(cv2.resize(texture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.float32)
    lay(picture, texture, np.ones(texture.shape[:2], np.float32), quad)


def _board_texture(colour: Colour, seed: int) -> Picture:
    rng = np.random.default_rng(seed)
    light = np.array(colour, np.float32) * np.float32(rng.uniform(1.2, 2.5)) + np.float32(rng.uniform(0, 0.3))
    dark = np.array(colour, np.float32) * np.float32(rng.uniform(0.1, 0.6))
    kind = int(rng.integers(3))
    texture = np.empty((320, 640 if kind == 2 else 320, 3), np.float32)
    texture[:] = dark if kind == 0 else light
    inner = texture[20:300, 20:-20]
    if kind == 0:
        at = np.arange(280) // 35 % 2
        inner[:] = np.where((at[:, None] ^ at[None])[:, :, None] > 0, light, dark * 2)
    elif kind == 1:
        lines = int(rng.integers(8, 20))
        for k in range(lines + 1):
            place = min(279, k * 280 // lines)
            inner[place] = inner[:, place] = dark
    else:
        step = inner.shape[1] / 13
        for k in range(12):
            left = (k + (k > 5)) * step
            shade = tuple(float(v) for v in (dark if k % 2 else np.sqrt(dark * light)))
            for base, tip in ((0, 118), (279, 161)):
                corners = np.array([[left, base], [left + step, base], [left + step / 2, tip]])
                cv2.fillConvexPoly(texture, np.round(corners + 20).astype(np.int32), shade)
    texture *= (1 + np.float32(0.06) * window(rng, "grain", *texture.shape[:2]))[:, :, None]
    return np.maximum(texture, np.float32(0.005))


def draw_tray(place: Spot3, camera: Camera, picture: Picture, colour: Colour, light: tuple[float, float]) -> None:
    """Draw the walls of a tray around a spot, with the shadow of the wall nearest the light."""
    tall = 1.0
    square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * 0.5
    outer = square * (1 + 0.9 / place.size)
    floor, rim, edge = (
        place.pixels(camera, square),
        place.pixels(camera, square, tall),
        place.pixels(camera, outer, tall),
    )
    dark = np.zeros(picture.shape[:2], np.uint8)
    cos, sin = np.cos(place.angle), np.sin(place.angle)
    towards = np.array([light[0] * cos - light[1] * sin, -light[0] * sin - light[1] * cos])
    _fill_mask(dark, floor)
    bright = np.zeros_like(dark)
    _fill_mask(bright, place.pixels(camera, square - towards * 0.8 / place.size))
    cv2.subtract(dark, bright, dark)
    shade = cv2.GaussianBlur(dark, (0, 0), 2.0).astype(np.float32) * np.float32(0.5 / 255)
    picture *= (1 - shade)[:, :, None]
    for k in range(4):
        j = (k + 1) % 4
        level = 0.55 + 0.35 * float(np.cos(np.arctan2(light[1], light[0]) - k * np.pi / 2 + place.angle))
        _polygon(picture, np.stack([floor[k], floor[j], rim[j], rim[k]]), _scaled(colour, level))
    for k in range(4):
        j = (k + 1) % 4
        _polygon(picture, np.stack([rim[k], rim[j], edge[j], edge[k]]), colour)


def _scaled(colour: Colour, factor: float) -> Colour:
    return (colour[0] * factor, colour[1] * factor, colour[2] * factor)


def _fixed(pixels: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    return np.asarray(np.round(np.clip(pixels, -4000, 8000) * 16), np.int32)


def _polygon(picture: Picture, pixels: npt.NDArray[Any], colour: Colour) -> None:
    cv2.fillPoly(picture, [_fixed(pixels)], colour, cv2.LINE_8, 4)


def _fill_mask(mask: npt.NDArray[np.uint8], pixels: Points) -> None:
    cv2.fillPoly(mask, [_fixed(pixels)], 255, cv2.LINE_8, 4)


def _stamp(picture: Picture, shape: npt.NDArray[np.uint8], quad: Points, ink: Colour) -> None:
    tall = max(3, round(float(np.linalg.norm(quad[0] - quad[3]))))
    if tall < shape.shape[0]:
        wide = max(3, round(float(np.linalg.norm(quad[0] - quad[1]))))
        shape = np.asarray(cv2.resize(shape, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)
    colours = np.empty((*shape.shape, 3), np.float32)
    colours[:] = ink
    lay(picture, colours, shape.astype(np.float32) * np.float32(1 / 255), quad)


def lay(picture: Picture, texture: Picture, cover: npt.NDArray[np.float32], quad: Points) -> None:
    """Draw a texture into the picture at four corners, its upper left first; ``cover`` is its alpha mask."""
    height, width = texture.shape[:2]
    low, high = np.floor(quad.min(axis=0)).astype(int) - 1, np.ceil(quad.max(axis=0)).astype(int) + 2
    x0, y0 = (int(v) for v in np.maximum(low, 0))
    x1, y1 = int(min(high[0], picture.shape[1])), int(min(high[1], picture.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (quad - [x0, y0]).astype(np.float32))
    colours = cv2.warpPerspective(texture, matrix, (x1 - x0, y1 - y0), borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpPerspective(cover, matrix, (x1 - x0, y1 - y0))[:, :, None]
    area = picture[y0:y1, x0:x1]
    area += share * (colours - area)

"""A board as an object: its playing field, frame and bar in world units, and its upper surface as a texture.

Lengths are in pitches: the distance between two points of a tables board, or the edge of a square. The field's centre
is the origin, x runs to its right and y to its top; the playing surface lies at z = 0 and the table below it.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.layout import RITHMOMACHIA, TABLES
from workshop.board_scenes.surfaces import Surface, draw_surface, lay, polygon_mask, random_colour, unlike
from workshop.scenes.materials import Colour, Texture, brightness, linear

Points = npt.NDArray[np.float64]

GRID: Final = "grid"
"""Any other board of squares, such as chess, draughts or Scrabble; the reader does not read men on it."""

_SURFACES: Final[tuple[Surface, ...]] = ("wood", "leather", "cloth", "paper", "paint")


@dataclass(frozen=True)
class Rail:
    """A piece of the frame, or a raised bar: left, bottom, right, top, and its height."""

    left: float
    bottom: float
    right: float
    top: float
    height: float
    bar: bool = False


@dataclass(frozen=True, eq=False)
class Board:
    """A board: ``width`` and ``height`` of its field, the ``border`` around it, the ``bar``'s width (0: none)."""

    kind: str
    columns: int
    rows: int
    width: float
    height: float
    border: float
    bar: float
    rails: tuple[Rail, ...]
    thickness: float
    """Height of the playing surface above the table."""
    texture: Texture
    """The whole board with its border, seen from above, linear colours."""
    frame: Surface
    frame_colour: Colour
    field_colours: tuple[Colour, ...]

    @property
    def pitch(self) -> float:
        """The distance between two columns."""
        return (self.width - self.bar) / self.columns

    @property
    def corners(self) -> Points:
        """The field's corners from the top left clockwise, 4 x 3."""
        x, y = self.width / 2, self.height / 2
        return np.array([[-x, y, 0], [x, y, 0], [x, -y, 0], [-x, -y, 0]])

    def at(self, u: float, v: float) -> tuple[float, float]:
        """Return the world coordinates x, y of a point of the field, given as shares of its width and height."""
        return (u - 0.5) * self.width, (0.5 - v) * self.height


def random_board(rng: np.random.Generator, kind: str, detail: float) -> Board:
    """Return a random board of a kind, drawn with ``detail`` pixels per pitch."""
    return _tables(rng, detail) if kind == TABLES else _grid(rng, kind, detail)


def _tables(rng: np.random.Generator, detail: float) -> Board:
    bar = float(rng.uniform(0.35, 1.35))
    width = 12 + bar
    height = width * float(rng.uniform(0.78, 1.04))
    raised = rng.random() < 0.75
    border = float(rng.uniform(0.35, 1.3))
    surface: Surface = _SURFACES[int(rng.choice(5, p=[0.4, 0.2, 0.15, 0.1, 0.15]))]
    ground = random_colour(rng, surface)
    first = unlike(rng, "paint", (ground,))
    second = unlike(rng, "paint", (ground, first)) if rng.random() < 0.85 else ground
    frame: Surface = "wood" if rng.random() < 0.75 else surface
    frame_colour = random_colour(rng, frame)
    whole_w, whole_h = round((width + 2 * border) * detail), round((height + 2 * border) * detail)
    texture = draw_surface(rng, frame, frame_colour, whole_h, whole_w)
    x0, y0 = round(border * detail), round(border * detail)
    w, h = round(width * detail), round(height * detail)
    field = draw_surface(rng, surface, ground, h, w)
    _draw_points(rng, field, (first, second), bar / width)
    left, right = round((w - bar * detail) / 2), round((w + bar * detail) / 2)
    if rng.random() < 0.85:
        field[:, left:right] = draw_surface(rng, frame, frame_colour, h, right - left, upright=True)
    if rng.random() < 0.6:
        line = tuple(float(v) for v in np.array(frame_colour) * rng.uniform(0.1, 0.6))
        for x in (left, right):
            cv2.line(field, (x, 0), (x, h), line, max(1, round(detail * 0.03)))
    texture[y0 : y0 + h, x0 : x0 + w] = field
    if rng.random() < 0.6:
        dark = tuple(float(v) for v in np.array(frame_colour) * rng.uniform(0.05, 0.5))
        cv2.rectangle(texture, (x0, y0), (x0 + w, y0 + h), dark, max(1, round(detail * rng.uniform(0.03, 0.1))))
    rails: tuple[Rail, ...] = ()
    if raised:
        rails = _frame(width, height, border, float(rng.uniform(0.1, 0.6)))
        if rng.random() < 0.8:
            high = rails[0].height * float(rng.uniform(0.6, 1.0))
            rails = (*rails, Rail(-bar / 2, -height / 2, bar / 2, height / 2, high, bar=True))
    thick = float(rng.uniform(0.05, 0.6))
    return Board(
        TABLES, 12, 2, width, height, border, bar, rails, thick, texture, frame, frame_colour, (ground, first, second)
    )


def _frame(width: float, height: float, border: float, high: float) -> tuple[Rail, ...]:
    x, y, b = width / 2, height / 2, border
    return (
        Rail(-x - b, y, x + b, y + b, high),
        Rail(-x - b, -y - b, x + b, -y, high),
        Rail(-x - b, -y, -x, y, high),
        Rail(x, -y, x + b, y, high),
    )


def _draw_points(rng: np.random.Generator, field: Texture, colours: tuple[Colour, Colour], bar: float) -> None:
    """Draw 24 points in two alternating colours: triangles, ogives, lancets with a round foot, or plain stripes."""
    h, w = field.shape[:2]
    form = rng.choice(4, p=[0.66, 0.14, 0.12, 0.08])
    long_ = float(rng.uniform(0.34, 0.46))
    wide = float(rng.uniform(0.75, 1.0))
    pitch = (1 - bar) / 12
    masks = [np.zeros((h, w), np.uint8), np.zeros((h, w), np.uint8)]
    swapped = int(rng.integers(2))
    for upper in (True, False):
        for column in range(12):
            u = (column + 0.5) * pitch + (bar if column > 5 else 0)
            half = pitch * wide / 2
            steps = np.linspace(0, 1, 9)
            if form == 0:
                out = half * (1 - steps)
            elif form == 1:
                out = half * np.sqrt(np.maximum(1 - steps**2, 0))
            elif form == 2:
                out = half * np.cos(steps * np.pi / 2) ** 0.7
            else:
                out = np.full(9, half * 0.9)
            vs = steps * long_
            points = np.concatenate([np.column_stack([u - out, vs]), np.column_stack([u + out, vs])[::-1]])
            if not upper:
                points[:, 1] = 1 - points[:, 1]
            other = (column + upper + swapped) % 2
            mask = polygon_mask(points * (w, h), h, w)
            np.maximum(masks[other], mask, out=masks[other])
    for mask, colour in zip(masks, colours, strict=True):
        lay(field, mask, draw_surface(rng, "paint", colour, h, w), float(rng.uniform(0.8, 1.0)))


def _grid(rng: np.random.Generator, kind: str, detail: float) -> Board:
    columns, rows = (16, 8) if kind == RITHMOMACHIA else _sizes(rng)
    border = float(rng.uniform(0.0, 0.9)) if rng.random() < 0.9 else 0.0
    surface: Surface = _SURFACES[int(rng.choice(5, p=[0.5, 0.12, 0.13, 0.15, 0.1]))]
    light = random_colour(rng, surface)
    whole_w, whole_h = round((columns + 2 * border) * detail), round((rows + 2 * border) * detail)
    frame_colour = light if rng.random() < 0.6 else random_colour(rng, surface)
    texture = draw_surface(rng, surface, frame_colour, whole_h, whole_w)
    field_w, field_h = round(columns * detail), round(rows * detail)
    field = draw_surface(rng, surface, light, field_h, field_w)
    dark = light
    checkered = rng.random() < 0.7
    if checkered:
        dark = unlike(rng, surface, (light,), 0.07)
        ys, xs = (np.arange(field_h) / detail).astype(int), (np.arange(field_w) / detail).astype(int)
        mask = (((ys[:, None] + xs[None, :] + int(rng.integers(2))) % 2) * 255).astype(np.uint8)
        lay(field, mask, draw_surface(rng, surface, dark, field_h, field_w), float(rng.uniform(0.7, 1.0)))
    if not checkered or rng.random() < 0.5:
        _draw_lines(rng, field, (columns, rows), light)
    x0, y0 = round(border * detail), round(border * detail)
    texture[y0 : y0 + field_h, x0 : x0 + field_w] = field
    if rng.random() < 0.6:
        line = tuple(float(v) for v in np.array(light) * rng.uniform(0.03, 0.6))
        thick = max(1, round(detail * rng.uniform(0.015, 0.07)))
        cv2.rectangle(texture, (x0, y0), (x0 + field_w - 1, y0 + field_h - 1), line, thick)
    rails = _frame(columns, rows, border, float(rng.uniform(0.05, 0.3))) if border > 0.3 and rng.random() < 0.15 else ()
    thick_board = float(rng.uniform(0.0, 0.4)) if surface == "wood" else 0.02
    return Board(
        kind,
        *(columns, rows, float(columns), float(rows), border, 0.0, rails, thick_board, texture, surface, frame_colour),
        (light, dark),
    )


def _sizes(rng: np.random.Generator) -> tuple[int, int]:
    pick = rng.random()
    if pick < 0.4:
        return 8, 8
    if pick < 0.6:
        size = int(rng.choice([10, 12, 15, 19]))
        return size, size
    return (14, 8) if pick < 0.8 else (9, 8)


def _draw_lines(rng: np.random.Generator, field: Texture, sizes: tuple[int, int], light: Colour) -> None:
    columns, rows = sizes
    detail = field.shape[1] / columns
    tone = rng.uniform(0.03, 0.5) if brightness(light) > 0.3 else rng.uniform(2.0, 5.0)
    line = np.minimum(np.array(light) * tone, 1.0) if rng.random() < 0.8 else np.array(linear(0.5, 0.1, 0.1))
    thick = max(1, round(detail * float(rng.uniform(0.012, 0.05))))
    colour = tuple(float(v) for v in line)
    for column in range(columns + 1):
        cv2.line(field, (round(column * detail), 0), (round(column * detail), field.shape[0]), colour, thick)
    for row in range(rows + 1):
        cv2.line(field, (0, round(row * detail)), (field.shape[1], round(row * detail)), colour, thick)

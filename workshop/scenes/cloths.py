"""Busy cloths and floors under the dice, in colours: terrazzo, flowered oilcloth, a rug of nested squares, a page."""

from functools import cache
from typing import Final, Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

ClothKind = Literal["terrazzo", "flowers", "nested", "page"]

CLOTHS: Final[tuple[ClothKind, ...]] = get_args(ClothKind)

TILE: Final = 1024
"""Side of a cloth's tile in texels; it repeats over the table."""

EDGES: Final = 12.0
"""Side of a cloth's tile in edges of a cube."""

Tile = npt.NDArray[np.uint8]


@cache
def cloth_tile(kind: ClothKind, seed: int) -> Tile:
    """Return a cloth's tile, (`TILE`, `TILE`, 3), linear BGR, 255 the brightest."""
    rng = np.random.default_rng([49, CLOTHS.index(kind), seed])
    ground = _colour(rng, 0.35, 0.9)
    tile = np.full((TILE, TILE, 3), ground, np.uint8)
    match kind:
        case "terrazzo":
            _terrazzo(rng, tile)
        case "flowers":
            _flowers(rng, tile)
        case "nested":
            _nested(rng, tile)
        case "page":
            tile[:] = 225
            _page(rng, tile)
    return tile


def _colour(rng: np.random.Generator, low: float, high: float) -> tuple[int, int, int]:
    blue, green, red = (int(255 * part) for part in rng.uniform(low, high) * rng.uniform(0.45, 1.0, 3))
    return blue, green, red


def _wrapped(tile: Tile, outline: npt.NDArray[np.float64], colour: tuple[int, int, int]) -> None:
    """Fill an outline on a tile that repeats."""
    for right in (-TILE, 0, TILE):
        for down in (-TILE, 0, TILE):
            at = np.round((outline + np.array([right, down])) * 16).astype(np.int32)
            cv2.fillPoly(tile, [at], colour, cv2.LINE_AA, shift=4)


def _terrazzo(rng: np.random.Generator, tile: Tile) -> None:
    """Strew chips of stone: broken outlines of three to seven corners, from a tenth of a die to a whole one."""
    chips = [_colour(rng, 0.05, 1.0) for _ in range(5)]
    unit = TILE / EDGES
    for _ in range(int(rng.integers(140, 260))):
        corners = int(rng.integers(3, 8))
        angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
        radii = unit * float(rng.uniform(0.06, 0.5)) * rng.uniform(0.7, 1.2, corners)
        outline = rng.uniform(0, TILE, 2) + np.column_stack([np.cos(angles), np.sin(angles)]) * radii[:, None]
        _wrapped(tile, outline, chips[int(rng.integers(len(chips)))])


def _flowers(rng: np.random.Generator, tile: Tile) -> None:
    """Print flowers of five to eight petals with an eye, and leaves."""
    petals, eye, leaf = _colour(rng, 0.3, 1.0), _colour(rng, 0.5, 1.0), _colour(rng, 0.1, 0.4)
    unit = TILE / EDGES
    around = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    circle = np.column_stack([np.cos(around), np.sin(around)])
    for _ in range(int(rng.integers(40, 70))):
        middle, size = rng.uniform(0, TILE, 2), unit * float(rng.uniform(0.3, 0.75))
        turn, number = float(rng.uniform(0, 2 * np.pi)), int(rng.integers(5, 9))
        for k in range(2):
            axis = np.array([np.cos(turn + 2.3 * k), np.sin(turn + 2.3 * k)])
            _wrapped(tile, middle + axis * size * 1.2 + circle * [size * 0.5, size * 0.25], leaf)
        wave = 1 + 0.35 * np.cos(number * around + turn)
        _wrapped(tile, middle + circle * (size * wave)[:, None], petals)
        _wrapped(tile, middle + circle * size * 0.3, eye)


def _nested(rng: np.random.Generator, tile: Tile) -> None:
    """Weave squares in squares, as wide as a die to twice that."""
    count = int(rng.integers(6, 10))
    step = TILE / count
    rings = [_colour(rng, 0.05, 1.0) for _ in range(4)]
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * step / 2
    for row in range(count):
        for column in range(count):
            middle = (np.array([column, row]) + 0.5) * step
            for k, share in enumerate((0.86, 0.62, 0.38, 0.18)):
                _wrapped(tile, middle + square * share, rings[(k + row + column) % len(rings)])


def _page(rng: np.random.Generator, tile: Tile) -> None:
    """Print lines of letters, capitals among them."""
    letters = "abcdefghiklmnopqrstuvxyzAEIOUDGMNRST1234"
    tall = float(rng.uniform(22, 60))  # texels
    for down in np.arange(tall, TILE, 1.7 * tall):
        line = "".join(letters[int(k)] if k >= 0 else " " for k in rng.integers(-7, len(letters), 80))
        at = (int(rng.integers(0, 40)), int(down))
        cv2.putText(tile, line, at, cv2.FONT_HERSHEY_COMPLEX, tall / 30, (25, 25, 25), max(1, int(tall / 14)), 16)

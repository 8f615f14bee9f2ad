"""Patterns that repeat over a table as seamless tiles: looped carpet, woven cloth, parquet, marble."""

from functools import cache
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.noise import Field, pool

PatternKind = Literal["rug", "weave", "parquet", "marble"]

TILE = 512
"""Side of a pattern's tile at full resolution, in texels."""

VARIANTS = 4
"""Number of tiles of each kind."""

REPEATS: dict[PatternKind, float] = {"rug": 26.0, "weave": 48.0, "parquet": 4.0, "marble": 1.0}
"""Number of loops, threads, planks or boulders along a tile's side."""


@cache
def pattern_tile(kind: PatternKind, variant: int, level: int) -> npt.NDArray[np.uint8]:
    """Return a tile around 128 with the deviation of a full pattern, its side `TILE` halved ``level`` times."""
    if level > 0:
        finer = pattern_tile(kind, variant, level - 1)
        half = finer.shape[0] // 2
        return np.asarray(cv2.resize(finer, (half, half), interpolation=cv2.INTER_AREA), np.uint8)
    rng = np.random.default_rng([20, 12, sum(kind.encode()), variant])
    match kind:
        case "rug":
            field = _rug(rng)
        case "weave":
            field = _weave(rng)
        case "parquet":
            field = _parquet(rng, variant)
        case "marble":
            field = _marble(rng)
    return np.asarray(np.clip(128 + 40 * field, 0, 255), np.uint8)


def _rug(rng: np.random.Generator) -> Field:
    """Draw loops of yarn: bright bumps of uneven height and tone with dark gaps between them."""
    count = int(REPEATS["rug"])
    step = TILE / count
    rows, columns = np.mgrid[0:count, 0:count]
    jitter = float(rng.uniform(0.12, 0.42))
    x = (columns + 0.5 * (rows % 2) + rng.normal(0, jitter, rows.shape)) * step
    y = (rows + rng.normal(0, jitter, rows.shape)) * step
    seeds = np.full((2 * TILE, 2 * TILE), 255, np.uint8)
    for shift_x in (0, TILE):  # twice in each direction, then cut from the middle, so that the tile is seamless
        for shift_y in (0, TILE):
            at_x, at_y = (x + shift_x).astype(int) % (2 * TILE), (y + shift_y).astype(int) % (2 * TILE)
            seeds[at_y, at_x] = 0
    distance, labels = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    half = slice(TILE // 2, TILE // 2 + TILE)
    bumps = 1 - (distance[half, half] / (0.62 * step)) ** 2
    tones = rng.normal(0, 0.35, int(labels.max()) + 1).astype(np.float32)[labels[half, half]]
    slope = cv2.Sobel(np.asarray(bumps, np.float32), cv2.CV_32F, 1, 1, ksize=3)
    return np.asarray(1.3 * np.maximum(bumps, -0.9) - 0.35 + tones + 1.5 * slope + 0.3 * pool("white")[0], np.float32)


def _weave(rng: np.random.Generator) -> Field:
    """Draw threads that run over and under each other."""
    count = int(REPEATS["weave"])
    at = np.arange(TILE) / TILE * count
    over = (np.floor(at)[:, None] + np.floor(at)[None, :]) % 2
    across = np.sin(np.pi * (at % 1))[:, None] * np.ones(TILE)
    field = np.where(over > 0, across, across.T)
    tones = rng.normal(0, 0.3, (2, count)).repeat(TILE // count + 1, axis=1)[:, :TILE]
    return np.asarray(2.2 * field - 1.4 + np.where(over > 0, tones[0][:, None], tones[1][None]), np.float32)


def _parquet(rng: np.random.Generator, variant: int) -> Field:
    """Draw blocks of boards laid crosswise, or herringbone; each board has its own tone and grain."""
    across = int(REPEATS["parquet"])
    block = TILE // across
    boards = (3, 4, 5, 2)[variant]
    field = np.zeros((TILE, TILE), np.float32)
    grain = pool("grain")
    for row in range(across):
        for column in range(across):
            part = np.zeros((block, block), np.float32)
            width = block // boards
            for k in range(boards):
                top = int(rng.integers(0, TILE - block))
                left = int(rng.integers(0, TILE - block))
                end = block if k == boards - 1 else (k + 1) * width
                part[k * width : end] = 0.55 * grain[k % 4][top : top + end - k * width, left : left + block]
                part[k * width : end] += np.float32(0.5 * rng.standard_normal())
                part[k * width] -= 1.6
            part[:, 0] -= 1.6
            placed = part if (row + column) % 2 else part.T
            field[row * block : (row + 1) * block, column * block : (column + 1) * block] = placed
    return field


def _marble(rng: np.random.Generator) -> Field:
    """Draw veins along the level lines of smooth noise."""
    soft = pool("soft")
    base = soft[int(rng.integers(4))]
    bent = base + 0.35 * soft[int(rng.integers(4))][::-1]
    veins = np.exp(-((bent / rng.uniform(0.02, 0.1)) ** 2)) + 0.5 * np.exp(-(((bent - 0.8) / 0.04) ** 2))
    veins *= np.clip(0.5 + soft[int(rng.integers(4))].T, 0, 1)  # the veins fade in and out
    return np.asarray(0.35 * base - float(rng.choice([-0.9, 0.6, 1.0])) * veins, np.float32)

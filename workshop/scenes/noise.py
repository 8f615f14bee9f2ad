"""Random fields that materials and grounds are made of: fractal noise, streaks, speckles."""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.float32]

POOL_SIZE = 512


def fractal(
    rng: np.random.Generator, height: int, width: int, coarse: float, octaves: int = 4, *, stretch: float = 1.0
) -> Field:
    """Return smooth noise with a mean of about 0 and a deviation of about 1.

    ``coarse`` is the size of the largest blotch in pixels; ``stretch`` above 1 draws it out along x.
    """
    total = np.zeros((height, width), np.float32)
    weight, norm, size = 1.0, 0.0, coarse
    for _ in range(octaves):
        rows = max(2, int(height / size) + 2)
        columns = max(2, int(width / (size * stretch)) + 2)
        grid = rng.standard_normal((rows, columns), dtype=np.float32)
        total += weight * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        norm += weight * weight
        weight, size = weight * 0.6, size / 2.3
        if size < 1.5:
            break
    return np.asarray(total / np.float32(np.sqrt(norm)), np.float32)


@cache
def pool(kind: str) -> tuple[Field, ...]:
    """Return large noise tiles, the same in every run; take a random window of one instead of drawing new noise."""
    rng = np.random.default_rng([20, 11, sum(kind.encode())])
    size = POOL_SIZE
    match kind:
        case "soft":
            tiles = [fractal(rng, size, size, coarse, 4) for coarse in (120, 60, 30, 200)]
        case "grain":
            tiles = [_wood(rng, size, coarse) for coarse in (14, 24, 40, 9)]
        case "fine":
            tiles = [fractal(rng, size, size, coarse, 2) for coarse in (3, 5, 8)]
        case "speckle":
            tiles = [_speckle(rng, size, share) for share in (0.004, 0.01, 0.02)]
        case _:
            tiles = [rng.standard_normal((size, size), dtype=np.float32) for _ in range(3)]
    return tuple(tiles)


def window(rng: np.random.Generator, kind: str, height: int, width: int, zoom: float = 1.0) -> Field:
    """Return a random window of a pooled tile, mirrored at random and magnified ``zoom`` times."""
    tiles = pool(kind)
    tile = tiles[int(rng.integers(len(tiles)))]
    need_h, need_w = min(POOL_SIZE, int(height / zoom) + 1), min(POOL_SIZE, int(width / zoom) + 1)
    top = int(rng.integers(POOL_SIZE - need_h + 1))
    left = int(rng.integers(POOL_SIZE - need_w + 1))
    cut = tile[top : top + need_h, left : left + need_w]
    if rng.random() < 0.5:
        cut = cut[:, ::-1]
    if rng.random() < 0.5:
        cut = cut[::-1]
    if cut.shape == (height, width):
        return cut
    return np.asarray(
        cv2.resize(np.ascontiguousarray(cut), (width, height), interpolation=cv2.INTER_LINEAR), np.float32
    )


@cache
def _colour_tile() -> Field:
    rng = np.random.default_rng([20, 11, 3])
    return rng.standard_normal((POOL_SIZE, POOL_SIZE, 3), dtype=np.float32)


def colour_noise(rng: np.random.Generator, height: int, width: int) -> Field:
    """Return noise with a deviation of 1 in each channel (height x width x 3, at most `POOL_SIZE`)."""
    top, left = int(rng.integers(POOL_SIZE - height + 1)), int(rng.integers(POOL_SIZE - width + 1))
    return np.ascontiguousarray(_colour_tile()[top : top + height, left : left + width])


def _wood(rng: np.random.Generator, size: int, coarse: float) -> Field:
    rings = fractal(rng, size, size, coarse, 3, stretch=14.0)
    pores = fractal(rng, size, size, 3.0, 1, stretch=12.0)
    return np.asarray(rings - 0.9 * np.maximum(pores - 1.2, 0.0), np.float32)


def _speckle(rng: np.random.Generator, size: int, share: float) -> Field:
    dots = (rng.random((size, size)) < share).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(dots, (0, 0), 1.2) * 6.0, np.float32)

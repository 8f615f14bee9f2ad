"""Surfaces under the dice, all made from noise: felt, wood, leather, stone, paper, carpet, parquet, patterned cloth."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.camera import Camera
from workshop.scenes.cloths import EDGES, ClothKind, cloth_tile
from workshop.scenes.cloths import TILE as CLOTH_TEXELS
from workshop.scenes.materials import Colour, hue_colour, linear
from workshop.scenes.noise import POOL_SIZE, Field, fractal, pool, window
from workshop.scenes.patterns import REPEATS, TILE, VARIANTS, PatternKind, pattern_tile

GroundKind = Literal[
    "felt", "wood", "leather", "slate", "paper", "carpet", "stone", "laminate", "checked", "striped", PatternKind
]

GROUNDS: tuple[GroundKind, ...] = (
    *("felt", "wood", "leather", "slate", "paper", "carpet", "stone", "laminate", "checked", "striped"),
    *get_args(PatternKind),
)

# strength of large blotches and of fine grain, as a share of the colour
_APPEARANCES: dict[GroundKind, tuple[float, float]] = {
    "felt": (0.05, 0.07),
    "wood": (0.22, 0.04),
    "leather": (0.10, 0.08),
    "slate": (0.14, 0.06),
    "paper": (0.02, 0.02),
    "carpet": (0.10, 0.22),
    "stone": (0.2, 0.12),
    "laminate": (0.02, 0.01),
    "checked": (0.05, 0.06),
    "striped": (0.05, 0.06),
    "rug": (0.08, 0.05),
    "weave": (0.05, 0.05),
    "parquet": (0.05, 0.03),
    "marble": (0.05, 0.02),
}


@dataclass(frozen=True)
class Ground:
    """The table's surface: its kind and colours, strength of blotches and grain, size and turn of its pattern."""

    kind: GroundKind
    colour: Colour
    second: Colour
    blotches: float
    grain: float
    pitch: float
    """Width of a plank, check or stripe, in edges of a cube."""
    angle: float
    seed: int
    sheen: float = 0.0
    """How strongly it mirrors a lamp, 0 to 1."""
    cloth: ClothKind | None = None
    """What is printed on it in colours, if anything; its own colour then only shades that."""


def random_ground(rng: np.random.Generator, kinds: tuple[GroundKind, ...] = GROUNDS) -> Ground:
    """Return a likely table."""
    kind = kinds[int(rng.integers(len(kinds)))]
    colour = _colour(rng, kind)
    shift = rng.uniform(0.35, 0.8) if rng.random() < 0.7 else rng.uniform(1.2, 1.8)
    second: Colour = (min(1.0, colour[0] * shift), min(1.0, colour[1] * shift), min(1.0, colour[2] * shift))
    if kind in ("checked", "striped") and rng.random() < 0.4:
        second = hue_colour(rng, (0.0, 0.9), (0.1, 0.95))
    blotches, grain = _APPEARANCES[kind]
    if kind == "wood" and rng.random() < 0.4:  # a planed and varnished board shows little grain
        blotches *= 0.3
    pitch = float(rng.uniform(0.4, 3.0))
    if kind == "rug":
        pitch = float(rng.uniform(0.08, 0.4))
    elif kind == "weave":
        pitch = float(rng.uniform(0.03, 0.15))
    elif kind == "parquet":
        pitch = float(rng.uniform(3.0, 9.0))
    elif kind == "marble":
        pitch = float(rng.uniform(10.0, 30.0))
    shiny = kind in ("wood", "laminate", "marble", "parquet", "stone", "leather", "paper")
    sheen = float(rng.uniform(0.05, 0.9)) if shiny and rng.random() < 0.35 else 0.0
    return Ground(
        kind,
        colour,
        second,
        blotches * float(rng.uniform(0.4, 1.6)),
        grain * float(rng.uniform(0.4, 1.6)),
        pitch,
        float(rng.uniform(0, 2 * np.pi)),
        int(rng.integers(2**31)),
        sheen,
    )


def _colour(rng: np.random.Generator, kind: GroundKind) -> Colour:
    value, low, high = float(rng.uniform(0.25, 0.75)), (0.92, 0.85), (1.05, 1.1)  # green and blue as parts of red
    if kind in ("wood", "parquet"):
        low, high = (0.6, 0.3), (0.8, 0.6)
        if rng.random() < 0.4:  # birch, beech, oak
            value, low, high = float(rng.uniform(0.6, 0.92)), (0.85, 0.65), (0.95, 0.86)
    elif kind == "leather":
        low, high = (0.5, 0.3), (0.8, 0.7)
    elif kind in ("slate", "stone", "marble"):
        value = value if rng.random() < 0.6 else float(rng.uniform(0.05, 0.95))
    elif kind in ("paper", "laminate"):
        value = float(rng.uniform(0.5, 0.95) if rng.random() < 0.8 else rng.uniform(0.08, 0.5))
        low, high = (0.92, 0.8), (1.02, 1.1)
    elif rng.random() < 0.45:  # undyed, grey, beige, black
        value, low, high = float(rng.uniform(0.08, 0.85)), (0.88, 0.7), (1.0, 1.02)
    else:
        return hue_colour(rng, (0.1, 0.9), (0.12, 0.75))
    green, blue = (value * float(part) for part in rng.uniform(low, high))
    return linear(value, green, blue)


def draw_ground(ground: Ground, camera: Camera) -> npt.NDArray[np.float32]:
    """Return the table in full even light as the camera sees it, height x width x 3, linear."""
    rng = np.random.default_rng(ground.seed)
    size = (camera.width, camera.height)
    scale = camera.focal / camera.distance  # pixels per length at the centre
    half_w, half_h = int(camera.width * 0.62) // 2 * 2, int(camera.height * 0.62) // 2 * 2
    large = _large(ground, rng, half_h, half_w, scale / 2)
    homography = camera.ground()
    turn = np.array(
        [[np.cos(ground.angle), -np.sin(ground.angle), 0], [np.sin(ground.angle), np.cos(ground.angle), 0], [0, 0, 1]]
    )
    at = np.array([[1, 0, camera.target[0]], [0, 1, camera.target[1]], [0, 0, 1.0]])

    def placed(texels: float, height: int, width: int) -> npt.NDArray[np.float64]:
        to_table = np.array([[1 / texels, 0, -width / 2 / texels], [0, 1 / texels, -height / 2 / texels], [0, 0, 1]])
        return np.asarray(homography @ at @ turn @ to_table)

    field = cv2.warpPerspective(
        large, placed(scale / 2, half_h, half_w), size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    fine = fine_tile(int(rng.integers(3)), int(100 * ground.grain * 2))
    grain = cv2.warpPerspective(
        fine, placed(scale * float(rng.uniform(0.8, 1.6)), POOL_SIZE, POOL_SIZE), size, borderMode=cv2.BORDER_REFLECT
    )
    field = cv2.addWeighted(field, 1.0, grain, 1.0, -128)
    if ground.kind in REPEATS:
        tile, place = _repeated(ground, ground.kind, scale, placed)
        strength = (0.35 + (ground.seed >> 8) % 100 / 100) * (0.5 if ground.kind in ("parquet", "weave") else 1.0)
        woven = cv2.warpPerspective(tile, place, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
        field = cv2.addWeighted(field, 1.0, woven, strength, -128 * strength)
    colours = cv2.LUT(cv2.merge([field] * 3), _table(ground.colour))
    if ground.kind in ("checked", "striped"):
        pattern = _pattern(ground, 512)
        texels = 512 / (ground.pitch * 8)
        share = cv2.warpPerspective(
            pattern, placed(texels, 512, 512), size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
        )
        other = cv2.LUT(cv2.merge([field] * 3), _table(ground.second))
        weight = cv2.merge([share.astype(np.float32) * np.float32(1 / 255)] * 3)
        colours += weight * (other - colours)
    if ground.cloth is not None:
        tile = cloth_tile(ground.cloth, ground.seed)
        # made as coarse as the camera sees it, else thin lines flicker
        small = max(1, round(min(1.0, scale * EDGES / CLOTH_TEXELS) * CLOTH_TEXELS))
        tile = np.asarray(cv2.resize(tile, (small, small), interpolation=cv2.INTER_AREA)[::-1], np.uint8)
        to_picture = placed(small / EDGES, small, small)
        printed = cv2.warpPerspective(tile, to_picture, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
        colours = printed.astype(np.float32) / 255 * (0.6 + 0.4 * colours / max(float(colours.mean()), 1e-3))
    return np.asarray(colours, np.float32)


def _repeated(
    ground: Ground, kind: PatternKind, scale: float, placed: Callable[[float, int, int], npt.NDArray[np.float64]]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Return a repeating pattern's tile, about as fine as ``scale`` (pixels per length), and its homography."""
    texels = TILE / (REPEATS[kind] * ground.pitch)
    level = int(np.clip(np.round(np.log2(max(1.0, texels / scale))), 0, 5))
    tile = pattern_tile(kind, ground.seed % VARIANTS, level)
    return tile, placed(texels / 2**level, tile.shape[0], tile.shape[1])


def _large(ground: Ground, rng: np.random.Generator, height: int, width: int, scale: float) -> npt.NDArray[np.uint8]:
    blotch = max(12.0, scale * float(rng.uniform(0.5, 3.0)))
    match ground.kind:
        case "wood":
            field: Field = fractal(
                rng, height, width, max(8.0, scale * float(rng.uniform(0.08, 0.35))), 4, stretch=16.0
            )
            plank = max(16, int(scale * ground.pitch * 2))
            for k, top in enumerate(range(int(rng.integers(plank)) - plank, height, plank)):
                start = max(0, top)
                field[start : top + plank] += np.float32(0.6 * rng.standard_normal())
                field[start : start + 1 + k % 2] -= 2.5
        case "leather":
            field = fractal(rng, height, width, blotch, 3) * 0.6 + _pebbles(rng, height, width, scale)
        case "slate":
            field = fractal(rng, height, width, blotch, 5, stretch=float(rng.uniform(1, 4)))
        case _:
            field = fractal(rng, height, width, blotch, 4)
    contrast = np.float32(100 * ground.blotches)
    return np.asarray(np.clip(field * contrast + np.float32(128), 0, 255), np.uint8)


def _pebbles(rng: np.random.Generator, height: int, width: int, scale: float) -> Field:
    cells = fractal(rng, height, width, max(4.0, scale * 0.12), 1)
    return np.asarray(1.0 - 2.4 * np.exp(-((cells / 0.25) ** 2)), np.float32)


@cache
def fine_tile(number: int, strength: int) -> npt.NDArray[np.uint8]:
    """Return a tile of fine grain around 128."""
    tile = pool("fine")[number % 3] * np.float32(0.7) + pool("white")[number % 3] * np.float32(0.5)
    return np.asarray(np.clip(tile * np.float32(strength / 2) + np.float32(128), 0, 255).astype(np.uint8))


def _table(colour: Colour) -> npt.NDArray[np.float32]:
    """Colours for the 256 values of a field: 128 is the colour itself, 100 steps make up its whole brightness."""
    factor = np.clip(1 + (np.arange(256, dtype=np.float32) - 128) / 100, 0.03, None)
    return np.asarray((factor[:, None] * np.array(colour, np.float32))[:, None, :], np.float32)


def _pattern(ground: Ground, size: int) -> npt.NDArray[np.uint8]:
    at = np.arange(size) // (size // 8) % 2
    mask = at[None, :] ^ at[:, None] if ground.kind == "checked" else np.broadcast_to(at[None, :], (size, size))
    return np.asarray(cv2.GaussianBlur(mask.astype(np.uint8) * 255, (0, 0), 1.0), np.uint8)


def light_field(rng: np.random.Generator, height: int, width: int) -> Field:
    """Return how the lamp's strength varies over the picture (height x width, about 1)."""
    ys, xs = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    slope = rng.normal(0, 0.15, 2).astype(np.float32)
    field = 1 + slope[0] * xs + slope[1] * ys
    if rng.random() < 0.3:  # a lamp or candle nearby
        x, y = rng.uniform(-0.8, 0.8, 2)
        field = field * (0.45 + 0.9 / (1 + ((xs - x) ** 2 + (ys - y) ** 2) * rng.uniform(0.4, 1.6)))
    field = field * (1 - rng.uniform(0, 0.3) * (xs**2 + ys**2) / 2)  # the lens darkens corners
    return np.asarray(np.maximum(field, 0.15), np.float32)


__all__ = ["GROUNDS", "Ground", "GroundKind", "draw_ground", "light_field", "random_ground", "window"]

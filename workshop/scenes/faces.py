"""Draw one face of a die as a flat texture: letters or pips on its material, and the shading of its rounded edges."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.camera import Points
from workshop.scenes.fonts import GLYPH_SIZE, Font, draws, glyph, small_glyph
from workshop.scenes.layouts import LAYOUTS, TRIANGLE, TRIANGLE_LAYOUTS, Place
from workshop.scenes.lighting import Lighting
from workshop.scenes.materials import (
    Marking,
    Material,
    Texture,
    apply_marks,
    body_texture,
    linear,
    random_marking,
    random_material,
)
from workshop.scenes.pips import PipStyle, draw_pips, random_pip_material, random_pips
from workshop.scenes.polygons import flat

TEXTURE_SIZE = 160
"""Default side of a face's texture in pixels."""

TETRAHEDRON_TURN = float(np.arccos(1 / 3))
"""Dihedral angle of a regular tetrahedron, radians."""


@dataclass(frozen=True)
class FaceStyle:
    """How the faces of one die look: everything that a maker decides once for a die."""

    material: Material
    marking: Marking
    font: Font | None
    """None for pips."""
    scale: float
    layouts: tuple[int, ...]
    """The layout for 1 to 6 letters and, at the end, for the triangle."""
    jitter: float
    slant: float
    bevel: float
    """Radius of the rounded edges as a share of the edge's length."""
    pips: PipStyle | None = None
    trimmed: float = 0.0
    """How far from the faces' centres a cube's corners are turned off, in half edges (1 to 1.4); 0: they are not."""
    corner_number: bool = False
    """Whether a small number stands beside the letter, as on the tiles of some word games."""
    dotted: bool = False
    """Whether a dot after a 6 or 9 says which it is, instead of a line below."""
    small: bool = False
    """Whether it has small letters, as bookhands have them; numerals stay the same."""


def random_pip_style(rng: np.random.Generator) -> FaceStyle:
    """Return the look of ordinary dice: mostly strongly rounded plastic, sometimes bone or wood."""
    made = random_style(rng, ())
    if rng.random() < 0.85:
        material, marking = random_pip_material(rng)
        made = replace(made, material=material, marking=marking, bevel=float(rng.uniform(0.05, 0.28)))
    trimmed = float(rng.uniform(1.1, 1.35)) if rng.random() < 0.45 else 0.0
    return replace(made, pips=random_pips(rng), trimmed=trimmed)


def random_numeral_style(rng: np.random.Generator, fonts: Sequence[Font]) -> FaceStyle:
    """Return the look of dice with numerals: mostly bought plastic dice with painted, sunken figures."""
    made = random_style(rng, [font for font in fonts if draws(font.path, TILE_LETTERS)] or fonts)
    if rng.random() < 0.7:
        material, marking = random_pip_material(rng)
        relief = float(rng.uniform(0.1, 0.6)) if rng.random() < 0.7 else 0.0
        marking = replace(marking, technique="engraved", relief=relief, weight=int(rng.integers(-1, 3)))
        made = replace(made, material=material, marking=marking, bevel=float(rng.uniform(0.01, 0.1)))
    return replace(made, dotted=bool(rng.random() < 0.3))


def random_tile_style(rng: np.random.Generator, fonts: Sequence[Font]) -> FaceStyle:
    """Return the look of flat letter tiles: ivory, white, black or wood, each with one large plain letter."""
    made = random_style(rng, ())
    whole = [font for font in fonts if draws(font.path, TILE_LETTERS)] or list(fonts)
    upright = [font for font in whole if font.style in _TILE_FONTS]
    bold = [font for font in upright if "Bold" in font.name]
    chosen = bold if bold and rng.random() < 0.45 else upright if upright and rng.random() < 0.85 else whole
    pick = rng.random()
    if pick < 0.62:
        tone = float(rng.uniform(0.84, 0.99))
        yellow = float(rng.uniform(0.72, 1.0))
        colour = linear(tone, tone * (0.6 + 0.4 * yellow), tone * yellow)
        material = Material("resin", colour, float(rng.uniform(0, 0.03)), float(rng.uniform(0.05, 0.9)), 0.0)
        shade = float(rng.uniform(0.02, 0.2))
        ink = linear(shade, shade, shade * rng.uniform(0.8, 1.5))
    elif pick < 0.72:
        shade = float(rng.uniform(0.04, 0.2))
        material = Material("resin", linear(shade, shade, shade), 0.02, float(rng.uniform(0.1, 0.9)), 0.0)
        ink = linear(*[float(rng.uniform(0.85, 0.98))] * 3)
    else:
        return replace(
            made,
            font=pick_font(rng, chosen),
            scale=float(rng.uniform(0.95, 1.4)),
            corner_number=bool(rng.random() < 0.4),
        )
    relief = float(rng.uniform(0.1, 0.5)) if rng.random() < 0.5 else 0.0
    marking = Marking("engraved", ink, float(rng.uniform(0.92, 1.0)), relief, 0.0, int(rng.integers(-1, 4)))
    return replace(
        made,
        material=material,
        marking=marking,
        font=pick_font(rng, chosen),
        scale=float(rng.uniform(0.95, 1.4)),
        slant=0.0,
        jitter=float(rng.random() ** 2 * 0.4),
        bevel=float(rng.uniform(0.01, 0.1)),
        corner_number=bool(rng.random() < 0.2),
    )


TILE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ0123456789"
"""What a font must have to be used for tiles."""

_TILE_FONTS = frozenset({"sans", "humanist-sans", "geometric-sans", "slab", "roman", "modern"})


def random_style(rng: np.random.Generator, fonts: Sequence[Font], *, like: FaceStyle | None = None) -> FaceStyle:
    """Return the look of a die; with ``like``, of another die of the same set: same font, perhaps another material."""
    material = random_material(rng)
    style = FaceStyle(
        material,
        random_marking(rng, material),
        pick_font(rng, fonts) if fonts else None,
        float(rng.uniform(0.72, 1.12)),
        tuple(int(rng.integers(len(choices))) for choices in (*LAYOUTS.values(), TRIANGLE_LAYOUTS)),
        float(rng.random() ** 2),
        float(rng.normal(0, 0.08)) if rng.random() < 0.25 else 0.0,
        float(rng.uniform(0.015, 0.13)),
    )
    if like is None:
        return style
    if rng.random() < 0.7:
        style = replace(style, material=like.material, marking=like.marking)
    return replace(
        style,
        font=like.font,
        scale=like.scale,
        dotted=like.dotted,
        jitter=like.jitter,
        bevel=float(like.bevel * rng.uniform(0.8, 1.2)),
    )


def pick_font(rng: np.random.Generator, fonts: Sequence[Font]) -> Font:
    """Return a font: pick a style first, so that rare styles appear often enough, then one font of it."""
    groups = _by_style(tuple(fonts))
    names = sorted(groups)
    group = groups[names[int(rng.integers(len(names)))]]
    return group[int(rng.integers(len(group)))]


@lru_cache(maxsize=64)
def _by_style(fonts: tuple[Font, ...]) -> dict[str, tuple[Font, ...]]:
    return {style: tuple(font for font in fonts if font.style == style) for style in {font.style for font in fonts}}


def draw_cube_face(
    text: str,
    style: FaceStyle,
    rng: np.random.Generator,
    *,
    size: int = TEXTURE_SIZE,
    light: tuple[float, float] = (-0.7, -0.7),
    underlined: bool = False,
) -> Texture:
    """Return a cube's face, size x size x 3, linear light, upright.

    ``text`` is letters, a numeral or, where the style has no font, the number of pips.
    """
    body = body_texture(style.material, rng, size)
    if text == "":
        return body
    if style.font is None and text.isdigit():
        return draw_pips(body, int(text), style.pips or PipStyle(), style.marking, rng, light=light)
    if text.isdigit():
        place = Numeral(text, (0.5, 0.5), 0.5 * style.scale, 0.72, underlined=underlined)
        return apply_marks(body, _numeral_mask(place, style, rng, size), style.marking, rng, light)
    layout = LAYOUTS[len(text)][style.layouts[len(text) - 1]]
    mask = _letter_mask(text, layout, style, rng, size)
    if style.corner_number:
        number = str(int(rng.integers(1, 11)))
        cv2.max(mask, _letter_mask(number[:1], ((0.84, 0.83, 0.17),), replace(style, scale=1.0), rng, size), mask)
    return apply_marks(body, mask, style.marking, rng, light)


def draw_tetrahedron_face(
    text: str,
    style: FaceStyle,
    rng: np.random.Generator,
    *,
    size: int = TEXTURE_SIZE,
    light: tuple[float, float] = (-0.7, -0.7),
    underlined: bool = False,
) -> Texture:
    """Return a tetrahedron's side, drawn in `TRIANGLE` of the unit square, upright, size x size x 3, linear light."""
    body = body_texture(style.material, rng, size)
    if text.isdigit():
        place = Numeral(text, (0.5, 0.62), 0.34 * style.scale, 0.4, underlined=underlined)
        return apply_marks(body, _numeral_mask(place, style, rng, size), style.marking, rng, light)
    layout = TRIANGLE_LAYOUTS[style.layouts[6]]
    # larger letters would run over the edges of the triangle
    mask = _letter_mask(text, layout, replace(style, scale=min(style.scale, 1.02)), rng, size)
    # bolder strokes would close these small letters
    marking = replace(style.marking, weight=int(style.marking.weight / 2))
    return apply_marks(body, mask, marking, rng, light)


def draw_polygon_face(
    text: str,
    shape: str,
    style: FaceStyle,
    rng: np.random.Generator,
    *,
    size: int = TEXTURE_SIZE,
    light: tuple[float, float] = (-0.7, -0.7),
    underlined: bool = False,
    upside_down: bool = False,
) -> Texture:
    """Return a many-sided die's face as `polygons.flat` lays it, size x size x 3, linear light; letters one by one."""
    body = body_texture(style.material, rng, size)
    if text == "":
        return body
    face = flat(shape)
    height = face.radius * (1.05 if len(text) == 1 or not text.isdigit() else 0.88) * style.scale
    wide = face.radius * (1.5 if len(text) < 3 else 1.65)
    place = Numeral(text, face.middle, height, wide, underlined=underlined, upside_down=upside_down)
    return apply_marks(body, _numeral_mask(place, style, rng, size), style.marking, rng, light)


@dataclass(frozen=True)
class Numeral:
    """A numeral set as one block; its centre, height and greatest width are in parts of the texture."""

    text: str
    middle: tuple[float, float]
    height: float
    width: float
    underlined: bool = False
    upside_down: bool = False


def _numeral_mask(place: Numeral, style: FaceStyle, rng: np.random.Generator, size: int) -> npt.NDArray[np.uint8]:
    if style.font is None:
        raise ValueError(
            f"Expected a font to draw {place.text!r} with, but the style has none: give random_style some fonts."
        )
    shape = glyph(style.font.path, place.text)
    if place.underlined:
        shape = _distinguished(shape, dotted=style.dotted)
    zoom = min(place.height * size / GLYPH_SIZE, place.width * size / shape.shape[1])
    step = 1 if zoom > 0.6 else 2 if zoom > 0.3 else 4
    if step > 1:
        smaller = (max(2, shape.shape[1] // step), max(2, shape.shape[0] // step))
        zoom *= shape.shape[0] / smaller[1]
        shape = np.asarray(cv2.resize(shape, smaller, interpolation=cv2.INTER_AREA), np.uint8)
    angle = style.jitter * rng.normal(0, 0.07) + (np.pi if place.upside_down else 0.0)
    turn = zoom * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = np.array(place.middle) * size + style.jitter * rng.normal(0, 0.014, 2) * size
    shift = middle - turn @ (np.array([shape.shape[1], shape.shape[0]]) / 2)
    drawn = cv2.warpAffine(shape, np.column_stack([turn, shift]), (size, size), flags=cv2.INTER_LINEAR)
    return np.asarray(drawn, np.uint8)


def _distinguished(shape: npt.NDArray[np.uint8], *, dotted: bool) -> npt.NDArray[np.uint8]:
    """Return a numeral with a line below it or a dot after its foot, so that 6 and 9 differ."""
    height, width = shape.shape
    if dotted:
        grown = np.zeros((height, width + 30), np.uint8)
        cv2.circle(grown, (width + 16, height - 11), 9, 255, -1, cv2.LINE_AA)
        grown[:, :width] = shape
        return grown
    grown = np.zeros((height + 26, width), np.uint8)
    grown[:height] = shape
    grown[height + 12 : height + 24, 2 : width - 2] = 255
    return grown


def _letter_mask(
    text: str, layout: tuple[Place, ...], style: FaceStyle, rng: np.random.Generator, size: int
) -> npt.NDArray[np.uint8]:
    if style.font is None:
        raise ValueError(
            f"Expected a font to draw {text!r} with, but the style has none: give random_style some fonts."
        )
    mask = np.zeros((size, size), np.uint8)
    shapes = [_reduced(style.font, letter, 1, small=style.small) for letter in text]
    # all letters of a face share one size; wide ones become a little narrower before all become smaller
    wanted = [height * size * style.scale / GLYPH_SIZE for _, _, height in layout]
    room = [width * size / shape.shape[1] for shape, width in zip(shapes, _room(layout), strict=True)]
    tallest = max(shape.shape[0] * zoom for shape, zoom in zip(shapes, wanted, strict=True))
    shrink = min(1.0, 0.88 * size / tallest, *(1.18 * free / zoom for free, zoom in zip(room, wanted, strict=True)))
    if style.small:  # descenders of one row must not touch ascenders of the next
        shrink = min(shrink, _between_rows(layout) * size / tallest)
    for letter, (x, y, _), whole, full, free in zip(text, layout, shapes, wanted, room, strict=True):
        zoom = full * shrink
        step = (
            1 if zoom > 0.6 else 2 if zoom > 0.3 else 4
        )  # warping shrinks without smoothing: start from less than twice the size
        shape = _reduced(style.font, letter, step, small=style.small)
        tall, narrow = zoom * whole.shape[0] / shape.shape[0], min(1.0, free / zoom)
        angle = style.jitter * rng.normal(0, 0.07)
        cos, sin = tall * np.cos(angle), tall * np.sin(angle)
        middle = np.array([x, y]) * size + style.jitter * rng.normal(0, 0.014, 2) * size
        turn = np.array([[cos * narrow, -sin + style.slant * tall], [sin * narrow, cos]])
        shift = middle - turn @ (np.array([shape.shape[1], shape.shape[0]]) / 2)
        drawn = cv2.warpAffine(shape, np.column_stack([turn, shift]), (size, size), flags=cv2.INTER_LINEAR)
        cv2.max(mask, drawn, mask)
    return mask


@lru_cache(maxsize=16384)
def _reduced(font: Font, letter: str, step: int, *, small: bool) -> npt.NDArray[np.uint8]:
    full = (small_glyph if small else glyph)(font.path, letter)
    if step == 1:
        return full
    size = (max(2, full.shape[1] // step), max(2, full.shape[0] // step))
    return np.asarray(cv2.resize(full, size, interpolation=cv2.INTER_AREA), np.uint8)


@cache
def _between_rows(layout: tuple[Place, ...]) -> float:
    """Return the distance between the two nearest rows of a layout, 1 where there is only one row."""
    rows = sorted({y for _, y, _ in layout})
    return min([1.0, *(low - high for high, low in pairwise(rows))])


@cache
def _room(layout: tuple[Place, ...]) -> tuple[float, ...]:
    """Return for each letter how wide it may be before it touches its neighbour or the edge."""
    rooms = []
    for i, (x, y, height) in enumerate(layout):
        near = [abs(x - ox) for j, (ox, oy, oh) in enumerate(layout) if j != i and abs(y - oy) < 0.5 * (height + oh)]
        rooms.append(0.92 * min([*near, 2 * x, 2 * (1 - x), 1.3 * height]))
    return tuple(rooms)


def lit(
    texture: Texture,
    normals: npt.NDArray[np.float32],
    frame: npt.NDArray[np.float32],
    lighting: Lighting,
    *,
    view: Points,
    gloss: float,
) -> Texture:
    """Light a texture. ``frame``: the texture's right, down and outward directions in the world, as rows."""
    size = texture.shape[0]
    small = normals[1::3, 1::3]  # light changes slowly over a face: a third of its resolution is enough
    light, shine = lighting.shade(small @ frame, view, gloss)
    full = texture * cv2.resize(light, (size, size), interpolation=cv2.INTER_LINEAR)
    if gloss > 0.05:
        full += cv2.resize(shine, (size, size), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full, np.float32)


@lru_cache(maxsize=256)
def square_normals(size: int, bevel_percent: int) -> npt.NDArray[np.float32]:
    """Return the normals of a face with rounded edges, size x size x 3, as right, down and outward in the texture."""
    at = (np.arange(size, dtype=np.float32) + 0.5) / size
    radius = max(0.01, bevel_percent / 100)
    lean = np.clip(1 - np.minimum(at, 1 - at) / radius, 0, 1) * np.sign(at - 0.5)
    x = np.broadcast_to(lean[None, :], (size, size))
    y = np.broadcast_to(lean[:, None], (size, size))
    normals = np.dstack([x, y, np.ones_like(x)])
    return np.asarray(normals / np.linalg.norm(normals, axis=2, keepdims=True), np.float32)


@lru_cache(maxsize=256)
def triangle_normals(size: int, bevel_percent: int) -> npt.NDArray[np.float32]:
    """Return the normals of a tetrahedron's side with rounded edges, as right, down and outward in the texture."""
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32)
    points = np.dstack([xs + 0.5, ys + 0.5]) / size
    radius = max(0.01, bevel_percent / 100) * 0.7
    half = (np.pi - TETRAHEDRON_TURN) / 2
    normals = np.zeros((size, size, 3), np.float32)
    normals[:, :, 2] = 1
    for i in range(3):
        a, b = TRIANGLE[i], TRIANGLE[(i + 1) % 3]
        along = (b - a) / np.linalg.norm(b - a)
        outward = np.array([along[1], -along[0]])
        distance = -((points - a) @ outward)
        angle = np.clip(1 - distance / radius, 0, 1) * half
        normals[:, :, :2] += np.tan(angle)[:, :, None] * outward
    return np.asarray(normals / np.linalg.norm(normals, axis=2, keepdims=True), np.float32)

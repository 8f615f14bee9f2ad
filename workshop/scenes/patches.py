"""Single straightened faces, drawn fast: what the mark reader sees after a face is cut out and straightened."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.dice import PIP, UNDERLINE, Die, Shape, dice_set
from companion.vision.dice.marks import SINGLE
from workshop.scenes.bodies import Body, Placed, random_body
from workshop.scenes.camera import Camera
from workshop.scenes.faces import (
    FaceStyle,
    draw_cube_face,
    draw_polygon_face,
    lit,
    random_numeral_style,
    random_pip_style,
    random_style,
    random_tile_style,
    square_normals,
)
from workshop.scenes.fonts import Font, draws
from workshop.scenes.layouts import TRIANGLE
from workshop.scenes.lens import expose
from workshop.scenes.lighting import Lighting, random_lighting
from workshop.scenes.materials import hue_colour, random_material
from workshop.scenes.noise import window
from workshop.scenes.paint import Picture, paint
from workshop.scenes.polygons import flat, polygon_cover, polygon_normals

PATCH_SIZE = 64

UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
"""Corners of a square patch, clockwise from the upper left, as shares of its side."""

LETTERS: tuple[str, ...] = tuple(mark for mark in SINGLE if mark.isalpha())
ANY_MARKS: tuple[str, ...] = tuple(mark for mark in SINGLE if mark != UNDERLINE)
"""Marks that may stand together on a face."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A straightened face: ``image`` size x size x 3, BGR, uint8.

    ``rotation`` is the number of the patch's corner at which the letters' first corner lies (upper left; of a triangle
    its top). It counts clockwise from the upper left, on a triangle from the die's apex, which is always on top.
    ``hidden`` is the face below, for a tetrahedron's side. ``detail`` is the letters' height in pixels of the picture.
    ``shape`` is that of the die. Faces that are not squares lie in the patch as `polygons.flat` lays them; their
    ``rotation`` counts corners clockwise from the top. Kites always lie tip up; their ``rotation`` is 0 or 2.
    """

    image: npt.NDArray[np.uint8]
    text: str
    rotation: int
    hidden: str | None = None
    detail: float = 0.0
    marks: tuple[str, ...] = ()
    shape: Shape = "cube"


def cube_texts(set_name: str = "wibold") -> tuple[str, ...]:
    """Return all face texts of a set's cubes."""
    return tuple(face.text for die in dice_set(set_name).dice if die.shape == "cube" for face in die.faces)


def random_marks(rng: np.random.Generator, shape: Shape = "cube") -> tuple[str, ...]:
    """Return marks that may stand on a die's face: pips, a numeral or letters; on a tile one letter."""
    pick = rng.random()
    if shape == "tile":
        return (_letter(rng),)
    if shape == "cube" and pick < 0.22:
        return (PIP,) * int(rng.integers(1, 7))
    if pick < (0.42 if shape == "cube" else 0.75):
        number = str(int(rng.integers(0, 10) if rng.random() < 0.55 else rng.integers(10, 21)))
        underlined = rng.random() < (0.7 if number in ("6", "9") else 0.03)
        return (*number, UNDERLINE) if underlined else tuple(number)
    most = 6 if shape == "cube" else 2
    count = 1 if rng.random() < 0.3 else int(rng.integers(1, most + 1))
    if rng.random() < 0.2:
        return tuple(ANY_MARKS[int(rng.integers(len(ANY_MARKS)))] for _ in range(count))
    return tuple(_letter(rng) for _ in range(count))


def _letter(rng: np.random.Generator) -> str:
    if rng.random() < 0.25:
        return "AEIOU"[int(rng.integers(5))]
    return LETTERS[int(rng.integers(len(LETTERS)))]


def render_face_patch(
    rng: np.random.Generator,
    fonts: Sequence[Font],
    *,
    texts: Sequence[str] | None = None,
    size: int = PATCH_SIZE,
    edge: tuple[float, float] = (36, 350),
    corner_error: float = 0.03,
    style: FaceStyle | None = None,
    marks: Sequence[str] | None = None,
    shape: Shape = "cube",
) -> Patch:
    """Return an upper face as straightening delivers it, turned at random.

    The face bears one of ``texts`` (default: Wibold's 18) or, if they are given, all of ``marks``: pips, the digits of
    a numeral with or without its underline, or letters and other signs (see `random_marks`). ``shape`` is that of the
    die. A tile's and a cube's faces are squares; for a tetrahedron's, see `render_tetrahedron_patches`. ``edge`` has
    the bounds of the face's edge in the picture, in pixels; for faces that are not squares, of their greatest extent.
    ``corner_error`` is the error of the found corners, in edges.
    """
    borne = tuple(marks) if marks is not None else _borne(rng, texts, style)
    shown = picture_face(rng, fonts, borne, shape, edge=edge, style=style, size=size)
    found = shown.corners + rng.normal(0, 1, shown.corners.shape) * corner_error * shown.edge * rng.random()
    square = shape in ("cube", "tile")
    places = UNIT if square else flat(shape).corners
    # the marks' turn decides which is the patch's first corner; kites always lie with their tip on top
    rotation = shown.first if shape == "trapezohedron" else int(rng.integers(len(places)))
    patch = _straighten(shown.image, np.roll(found, rotation, axis=0), places, size)
    return Patch(patch, _text_of(borne), rotation, None, shown.detail, borne, shape)


@dataclass(frozen=True, eq=False)
class Pictured:
    """An upper face in a small picture, not straightened. ``image``: h x w x 3, BGR, uint8.

    ``corners``: n x 2, pixels, clockwise from the marks' upper left, on faces that are not squares from the marks' top.
    ``first`` is the number of that corner counted from the face's tip; 0 except on kites. ``edge`` is the face's edge
    in this picture, in pixels. ``detail`` is the letters' height in pixels of the picture that this one stands for.
    """

    image: npt.NDArray[np.uint8]
    corners: npt.NDArray[np.float64]
    first: int
    edge: float
    detail: float


def picture_face(
    rng: np.random.Generator,
    fonts: Sequence[Font],
    marks: Sequence[str],
    shape: Shape = "cube",
    *,
    edge: tuple[float, float] = (36, 350),
    style: FaceStyle | None = None,
    size: int = PATCH_SIZE,
    bent: float = 0.0,
    lighting: Lighting | None = None,
) -> Pictured:
    """Return a small picture of a face that bears these marks, with its surroundings, under random light.

    ``size`` is that of the patches to cut from it; a larger face is drawn only a little larger than that. ``bent`` is
    how far the marks are stretched and bent, as if cut by hand, as a share of the face. ``lighting`` replaces the
    random light; only with it does the picture show the light's spot and the edge of a shadow.
    """
    borne = tuple(marks)
    drawn_style = style or style_for(rng, fonts, borne, shape)
    wanted = float(np.exp(rng.uniform(np.log(edge[0]), np.log(edge[1]))))
    shown = min(wanted, size * 1.7)  # beyond that the face is larger than the patch, and only fine noise is lost
    square = shape in ("cube", "tile")
    first = int(rng.integers(2)) * 2 if shape == "trapezohedron" else 0
    light = lighting or random_lighting(rng)
    texture_size = 80 if shown < 60 else 112
    key = light.lights[0].direction
    drawn = Drawn(_text_of(borne), drawn_style, texture_size, (key[0], key[1]), underlined=UNDERLINE in borne)
    texture = _face(rng, drawn, shape, upside_down=first == 2)
    if bent:
        texture = _bend(texture, rng, bent)
    bevel = round(drawn_style.bevel * 100)
    normals = square_normals(texture_size, bevel) if square else polygon_normals(shape, texture_size, bevel)
    view = np.array([rng.normal(0, 0.15), rng.normal(0, 0.15), 1.0])
    view /= np.linalg.norm(view)
    shaded = lit(texture, normals, np.eye(3, dtype=np.float32), light, view=view, gloss=drawn_style.material.gloss)
    canvas = int(shown * 1.5) + 6
    quad = _random_quad(rng, shown, canvas, int(rng.integers(4)))
    place = cv2.getPerspectiveTransform(UNIT.astype(np.float32), quad.astype(np.float32))
    true = quad if square else cv2.perspectiveTransform(flat(shape).corners[None], place)[0].astype(np.float64)
    picture = _surroundings(rng, canvas, true, drawn_style)
    _blend(picture, shaded, quad, _rounded(texture_size, bevel) if square else polygon_cover(shape, texture_size))
    over = lighting.over(canvas, canvas) if lighting is not None else None
    if over is not None:
        picture *= over[:, :, None]
    image = expose(picture, rng, blur=_blur_for(rng, shown, size), noise=True)
    tall = 0.3 if square else flat(shape).radius
    return Pictured(image, np.roll(true, -first, axis=0), first, shown, drawn_style.scale * tall * wanted)


def _bend(texture: Picture, rng: np.random.Generator, much: float) -> Picture:
    """Return a texture stretched along the axes and bent smoothly, so that one font stands for many hands."""
    size = texture.shape[0]
    stretch = 1 + 2.5 * much * rng.uniform(-1, 1, 2)
    grid = rng.normal(0, much * size, (2, 4, 4)).astype(np.float32)
    fields = [cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC) for field in grid]
    at = np.arange(size, dtype=np.float32) - (size - 1) / 2
    across = at[None, :] / np.float32(stretch[0]) + fields[0] + np.float32((size - 1) / 2)
    down = at[:, None] / np.float32(stretch[1]) + fields[1] + np.float32((size - 1) / 2)
    return np.asarray(cv2.remap(texture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101), np.float32)


def _borne(rng: np.random.Generator, texts: Sequence[str] | None, style: FaceStyle | None) -> tuple[str, ...]:
    choices = texts if texts is not None else cube_texts()
    text = choices[int(rng.integers(len(choices)))]
    # a number on a die without letters is the count of its pips
    return (PIP,) * int(text) if text.isdigit() and (style is None or style.font is None) else tuple(text)


def _text_of(marks: tuple[str, ...]) -> str:
    return str(len(marks)) if PIP in marks else "".join(mark for mark in marks if mark != UNDERLINE)


def style_for(rng: np.random.Generator, fonts: Sequence[Font], marks: tuple[str, ...], shape: Shape) -> FaceStyle:
    """Return a likely look of a face with these marks, in a font that has them."""
    if PIP in marks:
        return random_pip_style(rng)
    text = _text_of(marks)
    able = [font for font in fonts if draws(font.path, text)] or list(fonts)
    if shape == "tile":
        return random_tile_style(rng, able)
    return random_numeral_style(rng, able) if text.isdigit() else random_style(rng, able)


@dataclass(frozen=True)
class Drawn:
    """The parameters of one face's drawing."""

    text: str
    style: FaceStyle
    size: int
    light: tuple[float, float]
    underlined: bool


def _face(rng: np.random.Generator, drawn: Drawn, shape: Shape, *, upside_down: bool) -> Picture:
    size, light, underlined = drawn.size, drawn.light, drawn.underlined
    if shape in ("cube", "tile"):
        return draw_cube_face(drawn.text, drawn.style, rng, size=size, light=light, underlined=underlined)
    return draw_polygon_face(
        drawn.text,
        shape,
        drawn.style,
        rng,
        size=size,
        light=light,
        underlined=underlined,
        upside_down=upside_down,
    )


def _random_quad(rng: np.random.Generator, shown: float, canvas: int, rotation: int) -> npt.NDArray[np.float64]:
    """Return corners in the small picture, clockwise from the letters' upper left, tilted and in perspective."""
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    square = np.roll(square, -rotation, axis=0)
    # the rotation covers the quarter turns; within a quarter the die lies at any angle
    tilt = np.radians(rng.choice([rng.uniform(0, 10), rng.uniform(0, 45)], p=[0.7, 0.3]))
    axis, yaw = rng.uniform(0, 2 * np.pi), rng.uniform(-np.pi / 4, np.pi / 4)
    squeeze = _turned(axis) @ np.diag([1, np.cos(tilt)]) @ _turned(-axis)
    points = square @ _turned(yaw).T @ squeeze.T
    depth = 1 + rng.uniform(0, 0.12) * (points @ np.array([np.cos(axis), np.sin(axis)]))[:, None]
    return np.asarray(points / depth * shown + (canvas - 1) / 2 + rng.uniform(-1, 1, 2))


def _turned(angle: float) -> npt.NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _surroundings(
    rng: np.random.Generator, canvas: int, quad: npt.NDArray[np.float64], drawn_style: FaceStyle
) -> Picture:
    """Draw the table and the die's own sides around a face."""
    ground = hue_colour(rng, (0.0, 0.7), (0.05, 0.9)) if rng.random() < 0.7 else random_material(rng).colour
    field = window(rng, "fine" if rng.random() < 0.6 else "grain", canvas, canvas)
    if rng.random() < 0.4:
        field = field + window(rng, "soft", canvas, canvas)
    factor = np.maximum(1 + np.float32(rng.uniform(0.02, 0.3)) * field, 0.05) * np.float32(rng.uniform(0.3, 1.1))
    picture = np.asarray(factor[:, :, None] * np.array(ground, np.float32), np.float32)
    lean = rng.normal(0, 0.22, 2) * np.linalg.norm(quad[0] - quad[1])
    if rng.random() < 0.85:
        body = np.array(drawn_style.material.colour) * rng.uniform(0.1, 0.95)
        hull = cv2.convexHull(np.vstack([quad, quad * 0.97 + quad.mean(axis=0) * 0.03 + lean]).astype(np.float32))
        shift = np.round(hull * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, shift, tuple(float(v) for v in body), cv2.LINE_8, 4)
    if rng.random() < 0.2:  # another die touches
        side = rng.integers(len(quad))
        one, two = quad[side], quad[(side + 1) % len(quad)]
        away = (one + two) / 2 - quad.mean(axis=0)
        slide = (two - one) * rng.uniform(-0.8, 0.8)
        other = np.stack([one + slide, two + slide, two + slide + 2 * away, one + slide + 2 * away])
        colour = tuple(float(v * rng.uniform(0.5, 1.0)) for v in drawn_style.material.colour)
        cv2.fillConvexPoly(picture, np.round(other * 16).astype(np.int32), colour, cv2.LINE_8, 4)
    return picture


def _blend(picture: Picture, face: Picture, quad: npt.NDArray[np.float64], cover: npt.NDArray[np.float32]) -> None:
    size = face.shape[0]
    layer = np.dstack([face, cover])
    corners = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32) - 0.5
    scale = np.linalg.norm(quad[0] - quad[1]) / size
    if scale < 0.7:
        reduced = max(8, round(size * max(scale * 1.2, 0.1)))
        layer = cv2.resize(layer, (reduced, reduced), interpolation=cv2.INTER_AREA)
        corners = np.array([[0, 0], [reduced, 0], [reduced, reduced], [0, reduced]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    drawn = cv2.warpPerspective(layer, matrix, (picture.shape[1], picture.shape[0]), flags=cv2.INTER_LINEAR)
    share = drawn[:, :, 3:]
    # outside the face the warp gives zeros, so the colours are premultiplied only at its rim: good enough there
    picture += share * (drawn[:, :, :3] - picture)


@lru_cache(maxsize=256)
def _rounded(size: int, bevel_percent: int) -> npt.NDArray[np.float32]:
    """Return a face's alpha mask with rounded corners."""
    radius = max(1, round(size * bevel_percent / 100 * 0.8))
    mask = np.zeros((size, size), np.float32)
    cv2.rectangle(mask, (radius, 0), (size - 1 - radius, size - 1), 1.0, -1)
    cv2.rectangle(mask, (0, radius), (size - 1, size - 1 - radius), 1.0, -1)
    for x in (radius, size - 1 - radius):
        for y in (radius, size - 1 - radius):
            cv2.circle(mask, (x, y), radius, 1.0, -1)
    return mask


def _blur_for(rng: np.random.Generator, shown: float, size: int) -> float:
    # relative to the patch, not the picture: what matters is what remains of the letters
    soft = abs(rng.normal(0, 0.9)) if rng.random() < 0.8 else rng.uniform(0.5, 2.2)
    return float(0.45 + soft * min(1.0, shown / 70) * max(1.0, shown / size))


def _straighten(
    image: npt.NDArray[np.uint8], corners: npt.NDArray[np.float64], outline: npt.NDArray[np.float64], size: int
) -> npt.NDArray[np.uint8]:
    double = size * 2
    target = outline * double - 0.5
    if len(corners) == 4:
        matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    else:
        known = np.column_stack([corners, np.ones(len(corners))])
        matrix = np.vstack([np.linalg.lstsq(known, target, rcond=None)[0].T, [0, 0, 1]])
    large = cv2.warpPerspective(
        image, matrix, (double, double), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.resize(large, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


def render_tetrahedron_patches(
    rng: np.random.Generator,
    fonts: Sequence[Font],
    *,
    die: Die | None = None,
    size: int = PATCH_SIZE,
    edge: tuple[float, float] = (90, 520),
    tilt: float = 10.0,
    corner_error: float = 0.02,
    style: FaceStyle | None = None,
) -> tuple[Patch, ...]:
    """Return the visible sides of one tetrahedron (one to three), each straightened into `TRIANGLE`, apex on top.

    Seen from above, a side and its letters shrink to a third of their height. ``edge`` bounds the die's edge in pixels;
    ``tilt`` is how far off overhead the camera may be, in degrees.
    """
    lettered = die or dice_set("wibold").die("consonants")
    drawn_style = style or random_style(rng, fonts)
    drawn_style = replace(drawn_style, bevel=drawn_style.bevel * float(rng.uniform(0.3, 1.0)))
    body = random_body(rng, lettered, "wibold", drawn_style, 1.0)
    wanted = float(np.exp(rng.uniform(np.log(edge[0]), np.log(edge[1]))))
    shown = min(wanted, 210.0)
    canvas = int(shown * 1.22) + 6
    camera = _small_camera(rng, canvas, shown, tilt)
    placed = Placed(body, 0.0, 0.0, float(rng.uniform(0, 2 * np.pi)), int(rng.integers(4)))
    lighting = random_lighting(rng)
    painted = paint(placed, camera, lighting)
    assert painted is not None
    ground = hue_colour(rng, (0.0, 0.7), (0.05, 0.9))
    field = window(rng, "fine" if rng.random() < 0.6 else "grain", canvas, canvas)
    factor = np.maximum(1 + np.float32(rng.uniform(0.02, 0.3)) * field, 0.05) * np.float32(rng.uniform(0.3, 1.1))
    picture = np.asarray(factor[:, :, None] * np.array(ground, np.float32), np.float32)
    h, w = painted.cover.shape
    area = picture[painted.top : painted.top + h, painted.left : painted.left + w]
    area += painted.cover[:, :, None] * (painted.colours - area)
    soft = 0.45 + abs(rng.normal(0, 0.6)) * shown / 210
    image = expose(picture, rng, blur=soft, noise=True)
    hidden = lettered.faces[placed.face].text
    out = []
    apex_error = rng.normal(0, 1, 2) * corner_error * shown * rng.random()
    for side, pixels in painted.seen:
        rise = _rise(pixels)
        if rise < 9:
            continue
        found = pixels + rng.normal(0, 1, (3, 2)) * corner_error * shown * rng.random() * 0.7
        found[0] = pixels[0] + apex_error
        patch = straighten_triangle(image, found, size)
        out.append(Patch(patch, side.text, side.rotation, hidden, 0.2 * rise * wanted / shown * body.style.scale))
    return tuple(out)


def render_tetrahedron_patch(rng: np.random.Generator, fonts: Sequence[Font], **options: object) -> Patch:
    """Return one visible side of a tetrahedron; `render_tetrahedron_patches` returns all of a die at the same cost."""
    while True:
        patches = render_tetrahedron_patches(rng, fonts, **options)  # type: ignore[arg-type]
        if patches:
            return patches[int(rng.integers(len(patches)))]


def straighten_triangle(
    image: npt.NDArray[np.uint8], corners: npt.NDArray[np.float64], size: int
) -> npt.NDArray[np.uint8]:
    """Return a triangle (apex, then clockwise, pixels) mapped into `TRIANGLE`, size x size."""
    double = size * 2
    matrix = cv2.getAffineTransform(corners.astype(np.float32), (TRIANGLE * double - 0.5).astype(np.float32))
    large = cv2.warpAffine(image, matrix, (double, double), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(large, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


def _rise(pixels: npt.NDArray[np.float64]) -> float:
    """Return a triangle's height over its base in pixels."""
    base = pixels[2] - pixels[1]
    tip = pixels[0] - pixels[1]
    return float(abs(base[0] * tip[1] - base[1] * tip[0]) / np.linalg.norm(base))


def _small_camera(rng: np.random.Generator, canvas: int, shown: float, tilt: float) -> Camera:
    distance = float(rng.uniform(8, 30))
    return Camera(
        canvas, canvas, shown * distance, distance, float(rng.uniform(0, tilt)), float(rng.uniform(0, 360)), 0.0
    )


__all__ = [
    "Body",
    "Patch",
    "cube_texts",
    "random_marks",
    "render_face_patch",
    "render_tetrahedron_patch",
    "render_tetrahedron_patches",
]

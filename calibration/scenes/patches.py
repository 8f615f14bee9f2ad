"""Single rectified faces, drawn fast: what the mark reader sees after a face was cut out and straightened."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.scenes.bodies import Body, Placed, random_body
from calibration.scenes.camera import Camera
from calibration.scenes.faces import FaceStyle, draw_cube_face, lit, random_style, square_normals
from calibration.scenes.fonts import Font
from calibration.scenes.layouts import TRIANGLE
from calibration.scenes.lens import expose
from calibration.scenes.lighting import random_lighting
from calibration.scenes.materials import hue_colour, random_material
from calibration.scenes.noise import window
from calibration.scenes.paint import Picture, paint
from companion.rules.dice import Die, dice_set

PATCH_SIZE = 64


@dataclass(frozen=True, eq=False)
class Patch:
    """A straightened face: ``image`` size x size x 3, BGR, uint8.

    ``rotation``: the letters' first corner (upper left; of a triangle its top) lies at the patch's corner of this
    number, counted clockwise from the upper left (of a triangle from the die's apex, which is always on top).
    ``hidden`` is the face below for a tetrahedron's side. ``detail``: pixels of the picture per letter's height.
    """

    image: npt.NDArray[np.uint8]
    text: str
    rotation: int
    hidden: str | None = None
    detail: float = 0.0


def cube_texts(set_name: str = "wibold") -> tuple[str, ...]:
    """Return all face texts of a set's cubes."""
    return tuple(face.text for die in dice_set(set_name).dice if die.shape == "cube" for face in die.faces)


def render_face_patch(
    rng: np.random.Generator,
    fonts: Sequence[Font],
    *,
    texts: Sequence[str] | None = None,
    size: int = PATCH_SIZE,
    edge: tuple[float, float] = (36, 350),
    corner_error: float = 0.03,
    style: FaceStyle | None = None,
) -> Patch:
    """Return an upper face as straightening gives it: any of ``texts`` (default: Wibold's 18), turned at random.

    ``edge``: bounds of the face's edge in the picture, pixels; ``corner_error``: error of the found corners, in edges.
    """
    choices = texts if texts is not None else cube_texts()
    text = choices[int(rng.integers(len(choices)))]
    look = style or random_style(rng, fonts)
    wanted = float(np.exp(rng.uniform(np.log(edge[0]), np.log(edge[1]))))
    shown = min(wanted, size * 1.7)  # beyond that, the patch is smaller than the face and only fine noise is lost
    rotation = int(rng.integers(4))
    lighting = random_lighting(rng)
    texture_size = 80 if shown < 60 else 112
    key = lighting.lights[0].direction
    texture = draw_cube_face(text, look, rng, size=texture_size, light=(key[0], key[1]))
    normals = square_normals(texture_size, round(look.bevel * 100))
    view = np.array([rng.normal(0, 0.15), rng.normal(0, 0.15), 1.0])
    view /= np.linalg.norm(view)
    shaded = lit(texture, normals, np.eye(3, dtype=np.float32), lighting, view=view, gloss=look.material.gloss)
    canvas = int(shown * 1.5) + 6
    quad = _random_quad(rng, shown, canvas, rotation)
    picture = _surroundings(rng, canvas, quad, look)
    _blend(picture, shaded, quad, look.bevel)
    image = expose(picture, rng, blur=_blur_for(rng, shown, size), noise=True)
    found = quad + rng.normal(0, 1, (4, 2)) * corner_error * shown * rng.random()
    order = np.roll(found, rotation, axis=0)  # the patch's upper left is the corner that the letters' turn puts there
    return Patch(_straighten(image, order, size), text, rotation, None, look.scale * 0.3 * wanted)


def _random_quad(rng: np.random.Generator, shown: float, canvas: int, rotation: int) -> npt.NDArray[np.float64]:
    """Corners in the small picture: the letters' upper left first, clockwise; tilted and in perspective."""
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    square = np.roll(square, -rotation, axis=0)
    # any quarter is made by the rotation; within it the die lies anyhow
    tilt = np.radians(rng.choice([rng.uniform(0, 10), rng.uniform(0, 45)], p=[0.7, 0.3]))
    axis, yaw = rng.uniform(0, 2 * np.pi), rng.uniform(-np.pi / 4, np.pi / 4)
    squeeze = _turned(axis) @ np.diag([1, np.cos(tilt)]) @ _turned(-axis)
    points = square @ _turned(yaw).T @ squeeze.T
    depth = 1 + rng.uniform(0, 0.12) * (points @ np.array([np.cos(axis), np.sin(axis)]))[:, None]
    return np.asarray(points / depth * shown + (canvas - 1) / 2 + rng.uniform(-1, 1, 2))


def _turned(angle: float) -> npt.NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _surroundings(rng: np.random.Generator, canvas: int, quad: npt.NDArray[np.float64], look: FaceStyle) -> Picture:
    """The table and the die's own sides around a face."""
    ground = hue_colour(rng, (0.0, 0.7), (0.05, 0.9)) if rng.random() < 0.7 else random_material(rng).colour
    field = window(rng, "fine" if rng.random() < 0.6 else "grain", canvas, canvas)
    if rng.random() < 0.4:
        field = field + window(rng, "soft", canvas, canvas)
    factor = np.maximum(1 + np.float32(rng.uniform(0.02, 0.3)) * field, 0.05) * np.float32(rng.uniform(0.3, 1.1))
    picture = np.asarray(factor[:, :, None] * np.array(ground, np.float32), np.float32)
    lean = rng.normal(0, 0.22, 2) * np.linalg.norm(quad[0] - quad[1])
    if rng.random() < 0.85:
        body = np.array(look.material.colour) * rng.uniform(0.1, 0.95)
        hull = cv2.convexHull(np.vstack([quad, quad * 0.97 + quad.mean(axis=0) * 0.03 + lean]).astype(np.float32))
        shift = np.round(hull * 16).astype(np.int32)
        cv2.fillConvexPoly(picture, shift, tuple(float(v) for v in body), cv2.LINE_8, 4)
    if rng.random() < 0.2:  # another die touches
        side = rng.integers(4)
        one, two = quad[side], quad[(side + 1) % 4]
        away = (one + two) / 2 - quad.mean(axis=0)
        slide = (two - one) * rng.uniform(-0.8, 0.8)
        other = np.stack([one + slide, two + slide, two + slide + 2 * away, one + slide + 2 * away])
        colour = tuple(float(v * rng.uniform(0.5, 1.0)) for v in look.material.colour)
        cv2.fillConvexPoly(picture, np.round(other * 16).astype(np.int32), colour, cv2.LINE_8, 4)
    return picture


def _blend(picture: Picture, face: Picture, quad: npt.NDArray[np.float64], bevel: float) -> None:
    size = face.shape[0]
    cover = _rounded(size, round(bevel * 100))
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
    # outside the face the warp gives zeros, so the colours come premultiplied at its rim only: good enough there
    picture += share * (drawn[:, :, :3] - picture)


@lru_cache(maxsize=256)
def _rounded(size: int, bevel_percent: int) -> npt.NDArray[np.float32]:
    """A face's cover with its corners rounded off."""
    radius = max(1, round(size * bevel_percent / 100 * 0.8))
    mask = np.zeros((size, size), np.float32)
    cv2.rectangle(mask, (radius, 0), (size - 1 - radius, size - 1), 1.0, -1)
    cv2.rectangle(mask, (0, radius), (size - 1, size - 1 - radius), 1.0, -1)
    for x in (radius, size - 1 - radius):
        for y in (radius, size - 1 - radius):
            cv2.circle(mask, (x, y), radius, 1.0, -1)
    return mask


def _blur_for(rng: np.random.Generator, shown: float, size: int) -> float:
    # at the size of the patch, not of the picture: what matters is what is left of the letters
    soft = abs(rng.normal(0, 0.9)) if rng.random() < 0.8 else rng.uniform(0.5, 2.2)
    return float(0.45 + soft * min(1.0, shown / 70) * max(1.0, shown / size))


def _straighten(image: npt.NDArray[np.uint8], corners: npt.NDArray[np.float64], size: int) -> npt.NDArray[np.uint8]:
    double = size * 2
    target = np.array([[0, 0], [double, 0], [double, double], [0, double]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
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

    Seen from above a side shrinks to a third of its height, and its letters with it. ``edge`` bounds the die's edge in
    pixels; ``tilt`` is how far off overhead the camera may be, in degrees.
    """
    lettered = die or dice_set("wibold").die("consonants")
    look = style or random_style(rng, fonts)
    look = replace(look, bevel=look.bevel * float(rng.uniform(0.3, 1.0)))
    body = random_body(rng, lettered, "wibold", look, 1.0)
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
    """Return one visible side of a tetrahedron; `render_tetrahedron_patches` gives all of a die at the same price."""
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
    """Height of a triangle over its base in pixels."""
    base = pixels[2] - pixels[1]
    tip = pixels[0] - pixels[1]
    return float(abs(base[0] * tip[1] - base[1] * tip[0]) / np.linalg.norm(base))


def _small_camera(rng: np.random.Generator, canvas: int, shown: float, tilt: float) -> Camera:
    distance = float(rng.uniform(8, 30))
    return Camera(
        canvas, canvas, shown * distance, distance, float(rng.uniform(0, tilt)), float(rng.uniform(0, 360)), 0.0
    )


__all__ = ["Body", "Patch", "cube_texts", "render_face_patch", "render_tetrahedron_patch", "render_tetrahedron_patches"]

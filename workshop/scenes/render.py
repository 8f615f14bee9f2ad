"""Render a scene with its labels: the lit table, the dice from far to near, a hand, then the camera's faults."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from workshop.scenes.bodies import Placed, footprint, outline_axes, vertices
from workshop.scenes.camera import Camera, Points
from workshop.scenes.grounds import draw_ground, light_field
from workshop.scenes.labels import DieLabel, SeenSide, label
from workshop.scenes.lens import motion_kernel
from workshop.scenes.lighting import Light
from workshop.scenes.noise import POOL_SIZE, colour_noise
from workshop.scenes.paint import Painted, Picture, paint
from workshop.scenes.scene import Lens, Scene
from workshop.scenes.things import draw_hand, draw_thing, shadow_outline

__all__ = [
    "CUBE_SIDE",
    "CUBE_TOP",
    "GROUND",
    "HAND",
    "TETRAHEDRON",
    "DieLabel",
    "Rendered",
    "SeenSide",
    "draw_order",
    "expose",
    "fill_hull",
    "render",
]

THING_HEIGHTS = {"coin": 0.08, "man": 0.2, "chessman": 2.0}
"""Heights of things that cast a shadow, in edges of a cube; a cup's shadow is that of its wall."""

GROUND, CUBE_TOP, CUBE_SIDE, TETRAHEDRON, HAND = range(5)
"""Classes in the class map."""


@dataclass(frozen=True, eq=False)
class Rendered:
    """A picture (height x width x 3, BGR, uint8) with its ground truth.

    ``classes`` (`GROUND`, `CUBE_TOP`, ...) and ``instances`` (0 for none, else the die's index in ``labels`` plus 1)
    are height x width, uint8.
    """

    image: npt.NDArray[np.uint8]
    labels: tuple[DieLabel, ...]
    classes: npt.NDArray[np.uint8]
    instances: npt.NDArray[np.uint8]
    jpeg: bytes

    def to_json(self, image: str) -> dict[str, Any]:
        """Return this picture's line of a label file; ``image`` is the picture's name there."""
        return {
            "image": image,
            "width": self.image.shape[1],
            "height": self.image.shape[0],
            "complete": True,
            "objects": [label.to_json() for label in self.labels],
        }


def render(scene: Scene) -> Rendered:
    """Render a scene."""
    camera = scene.camera
    size = (camera.height, camera.width)
    rng = np.random.default_rng(scene.light_seed)
    lamp = light_field(rng, size[0] // 4, size[1] // 4)
    over = scene.lighting.over(*lamp.shape)
    if over is not None:
        lamp = lamp * over
    picture = draw_ground(scene.ground, camera)
    key = scene.lighting.lights[0] if scene.lighting.lights else Light((0.3, 0.3, 0.9), (0, 0, 0), 1.0)
    for thing in scene.things:
        draw_thing(thing, camera, picture, (key.direction[0], -key.direction[1]))
    light = _ground_light(scene, lamp)
    picture *= cv2.resize(light, (size[1], size[0]), interpolation=cv2.INTER_LINEAR)
    if scene.ground.sheen > 0:
        _mirror_lamp(picture, scene)
    classes = np.zeros(size, np.uint8)
    instances = np.zeros(size, np.uint8)
    order = draw_order(scene.dice, camera)
    painted: dict[int, Painted] = {}
    # a tile that shows its back has nothing to read: it gets no label and no number
    read = [number for number, placed in enumerate(scene.dice) if not placed.blank]
    names = {number: place + 1 for place, number in enumerate(read)}
    for number in order:
        placed = scene.dice[number]
        at = camera.project(np.array([[placed.x, placed.y, placed.body.height]]))[0]
        row = int(np.clip(at[1] / 4, 0, lamp.shape[0] - 1))
        column = int(np.clip(at[0] / 4, 0, lamp.shape[1] - 1))
        layer = paint(placed, camera, scene.lighting, gain=float(lamp[row, column]))
        if layer is None:
            continue
        _shadow_on_die(layer, number, scene)
        if placed.spoiled:
            _glare(layer, placed.body.seed)
        painted[number] = layer
        _over(picture, layer, placed, camera)
        _mark(classes, instances, layer, names.get(number, 0), placed)
    if scene.hand is not None:
        cover, colours = draw_hand(scene.hand, size[1], size[0])
        colours *= np.array(scene.lighting.ambient, np.float32) + np.array(key.colour, np.float32) * np.float32(0.6)
        picture += cover[:, :, None] * (colours - picture)
        hidden = cover > 0.5
        classes[hidden] = HAND
        instances[hidden] = 0
    jpeg, image = expose(picture, scene.lens, scene.grain_seed)
    top = classes == CUBE_TOP
    labels = []
    for number in read:
        placed = scene.dice[number]
        mine = instances == names[number]
        labels.append(label(placed, camera, painted.get(number), image=image, mine=mine, top=mine & top))
    return Rendered(image, tuple(labels), classes, instances, jpeg)


def _mirror_lamp(picture: Picture, scene: Scene) -> None:
    """Add the blurred reflection of a lamp or window on a polished table."""
    rng = np.random.default_rng([scene.light_seed, 5])
    height, width = picture.shape[0] // 8, picture.shape[1] // 8
    mask = np.zeros((height, width), np.uint8)
    middle = rng.uniform(0.05, 0.95, 2) * (width, height)
    axes = rng.uniform(0.03, 0.25, 2) * width
    angle = float(rng.uniform(0, 180))
    if rng.random() < 0.5:
        box = cv2.boxPoints((tuple(middle), tuple(2 * axes), angle))
        cv2.fillConvexPoly(mask, np.round(box).astype(np.int32), 255)
    else:
        cv2.ellipse(mask, (tuple(middle), tuple(2 * axes), angle), 255, -1)
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), float(rng.uniform(0.01, 0.08)) * width)
    large = cv2.resize(soft, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    picture += (large * np.float32(scene.ground.sheen * rng.uniform(0.3, 1.2) / 255))[:, :, None]


def draw_order(dice: tuple[Placed, ...], camera: Camera) -> tuple[int, ...]:
    """Return the order in which to draw the dice, from far to near: a die comes after every die that it may hide."""
    eye = camera.position[:2]
    far = [float(np.hypot(die.x - eye[0], die.y - eye[1])) for die in dice]
    waits: list[set[int]] = [set() for _ in dice]
    for i, one in enumerate(dice):
        for j in range(i):
            other = dice[j]
            distance = float(np.hypot(one.x - other.x, one.y - other.y))
            if distance > 2 * (one.body.reach + other.body.reach):
                continue  # too far apart to hide each other
            if _hides(one, other, eye):
                waits[i].add(j)
            if _hides(other, one, eye):
                waits[j].add(i)
    left = list(range(len(dice)))
    out: list[int] = []
    while left:
        free = [i for i in left if not waits[i] & set(left)]
        # a cycle of dice that hide one another has no correct order: draw the farthest first
        pick = max(free or left, key=lambda i: far[i])
        out.append(pick)
        left.remove(pick)
    return tuple(out)


def _hides(one: Placed, other: Placed, eye: Points) -> bool:
    """Whether a line separates the two with the camera on ``one``'s side, so that ``one`` may hide the other."""
    a, b = one.footprint, other.footprint
    axes = outline_axes(a, b)
    pa, pb, pe = a @ axes.T, b @ axes.T, axes @ eye
    a_low, a_high, b_low, b_high = pa.min(axis=0), pa.max(axis=0), pb.min(axis=0), pb.max(axis=0)
    gaps = np.concatenate([b_low - a_high, a_low - b_high])
    # above 0: the camera is on the side of ``one``
    sides = np.concatenate([(b_low + a_high) / 2 - pe, pe - (a_low + b_high) / 2])
    return bool(sides[int(np.argmax(gaps))] > 0)


def _ground_light(scene: Scene, lamp: npt.NDArray[np.float32]) -> Picture:
    """Return the light on the table, with the shadows of everything on it, at a quarter of the picture's size."""
    camera = scene.camera
    height, width = lamp.shape
    scale = camera.focal / camera.distance / 4
    contact = np.zeros((height, width), np.uint8)
    for placed in scene.dice:
        base = camera.project(np.column_stack([footprint(placed), np.zeros(len(footprint(placed)))]))
        fill_hull(contact, base / 4)
    near = cv2.GaussianBlur(contact, (0, 0), max(1.0, 0.22 * scale)).astype(np.float32) * np.float32(0.55 / 255)
    light = np.empty((height, width, 3), np.float32)
    light[:] = np.array(scene.lighting.ambient, np.float32)
    light *= (1 - near)[:, :, None]
    for lamp_ in scene.lighting.lights:
        direction = np.array(lamp_.direction)
        mask = np.zeros((height, width), np.uint8)
        for placed in scene.dice:
            corners = vertices(placed)
            cast = corners[:, :2] - direction[:2] / direction[2] * corners[:, 2:]
            hull = cv2.convexHull(cast.astype(np.float32))[:, 0, :]
            pixels = camera.project(np.column_stack([hull, np.zeros(len(hull))]))
            fill_hull(mask, pixels / 4)
        for thing in scene.things:
            edge = shadow_outline(thing)
            if edge is not None:
                high = THING_HEIGHTS.get(thing.kind, 1.2)
                cast = np.vstack([edge, edge - direction[:2] / direction[2] * high])
                hull = cv2.convexHull(cast.astype(np.float32))[:, 0, :]
                fill_hull(mask, camera.project(np.column_stack([hull, np.zeros(len(hull))])) / 4)
        if scene.hand is not None:
            cover, _ = draw_hand(scene.hand, width, height)
            shift = -direction[:2] / direction[2] * scale * 1.2
            moved = cv2.warpAffine(cover, np.array([[1, 0, shift[0]], [0, 1, -shift[1]]], np.float64), (width, height))
            mask = np.maximum(mask, (moved * 255).astype(np.uint8))
        blur = 0.5 + lamp_.softness**2 * 0.35 * scale
        dark = cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32) * np.float32(1 / 255)
        light += (1 - dark)[:, :, None] * (np.array(lamp_.colour, np.float32) * np.float32(direction[2]))
    return np.asarray(light * lamp[:, :, None], np.float32)


def fill_hull(mask: npt.NDArray[np.uint8], pixels: Points) -> None:
    """Set a mask (uint8) to 255 inside the convex hull of pixels (n x 2), with smooth edges."""
    hull = cv2.convexHull(pixels.astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(np.clip(hull, -4000, 8000) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)


def _shadow_on_die(layer: Painted, number: int, scene: Scene) -> None:
    """Let the other dice cast the first lamp's shadow on this die's sides."""
    if not scene.lighting.lights:
        return
    lamp = scene.lighting.lights[0]
    towards = np.array(lamp.direction)
    me = scene.dice[number]
    reach, long_ = me.body.reach, float(np.hypot(towards[0], towards[1]) / towards[2])
    for (side, _), side_mask in zip(layer.seen, layer.side_masks, strict=True):
        facing = float(towards @ side.normal)
        if facing < 0.05:
            continue
        dark = np.zeros(layer.cover.shape, np.uint8)
        for other in scene.dice:
            if (
                other is me
                or np.hypot(other.x - me.x, other.y - me.y) > reach + other.body.reach + long_ * other.body.height
            ):
                continue
            if side.upper and other.body.height < me.body.height + 0.02:
                continue
            points = other.filled
            above = (points - side.corners[0]) @ side.normal
            if (above > 0.02).sum() < 3:
                continue
            points, above = points[above > 0], above[above > 0]
            cast = points - towards * (above / facing)[:, None]
            fill_hull(dark, scene.camera.project(cast) - [layer.left, layer.top])
        if not dark.any():
            continue
        scale = scene.camera.focal / scene.camera.distance
        soft = cv2.GaussianBlur(dark, (0, 0), 0.6 + lamp.softness**2 * 0.12 * scale)
        ambient = float(np.mean(scene.lighting.ambient)) * 0.8
        share = float(np.mean(lamp.colour)) * facing
        keep = ambient / (ambient + share)
        weight = cv2.bitwise_and(soft, side_mask).astype(np.float32) * np.float32((1 - keep) / 255)
        layer.colours[:] = layer.colours * (1 - weight)[:, :, None]


def _glare(layer: Painted, seed: int) -> None:
    """Cover a die with a reflection that leaves nothing to read."""
    rng = np.random.default_rng([seed, 99])
    height, width = layer.cover.shape
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = width * rng.uniform(0.42, 0.58), height * rng.uniform(0.42, 0.58)
    spread = max(width, height) * 0.38
    veil = np.exp(-((((xs - x) ** 2 + (ys - y) ** 2) / (2 * spread**2)) ** 2)).astype(np.float32)
    layer.colours[:] = layer.colours * (1 - 0.93 * veil)[:, :, None] + (1.35 * veil)[:, :, None]


def _over(picture: Picture, layer: Painted, placed: Placed, camera: Camera) -> None:
    height, width = layer.cover.shape
    if placed.blur != (0.0, 0.0):
        _over_moving(picture, layer, placed, camera)
        return
    area = picture[layer.top : layer.top + height, layer.left : layer.left + width]
    area += layer.cover[:, :, None] * (layer.colours - area)


def _over_moving(picture: Picture, layer: Painted, placed: Placed, camera: Camera) -> None:
    """Smear a die along its motion, colours and alpha mask alike, so that the table shows through."""
    ends = np.array(
        [
            [placed.x, placed.y, 0.5],
            [placed.x + placed.blur[0] * placed.body.edge, placed.y + placed.blur[1] * placed.body.edge, 0.5],
        ]
    )
    way = np.subtract(*camera.project(ends)[::-1])
    length = float(np.linalg.norm(way))
    kernel = motion_kernel(max(1.5, length), float(np.arctan2(way[1], way[0])))
    pad = kernel.shape[0] // 2 + 1
    sheet = np.dstack([layer.colours * layer.cover[:, :, None], layer.cover])
    sheet = cv2.copyMakeBorder(sheet, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    sheet = cv2.filter2D(sheet, -1, kernel, borderType=cv2.BORDER_CONSTANT)
    top, left = layer.top - pad, layer.left - pad
    y0, x0 = max(0, top), max(0, left)
    y1, x1 = min(picture.shape[0], top + sheet.shape[0]), min(picture.shape[1], left + sheet.shape[1])
    part = sheet[y0 - top : y1 - top, x0 - left : x1 - left]
    area = picture[y0:y1, x0:x1]
    area *= 1 - part[:, :, 3:]
    area += part[:, :, :3]


def _mark(
    classes: npt.NDArray[np.uint8], instances: npt.NDArray[np.uint8], layer: Painted, number: int, placed: Placed
) -> None:
    height, width = layer.cover.shape
    window = (slice(layer.top, layer.top + height), slice(layer.left, layer.left + width))
    inside = layer.cover > 0.5
    instances[window][inside] = number
    classes[window][inside] = TETRAHEDRON if placed.body.is_tetrahedron else CUBE_SIDE
    for (side, _), mask in zip(layer.seen, layer.side_masks, strict=True):
        if side.upper:
            classes[window][inside & (mask > 127)] = CUBE_TOP


def expose(picture: Picture, lens: Lens, seed: int) -> tuple[bytes, npt.NDArray[np.uint8]]:
    """Return a whole linear picture as a camera delivers it: the JPEG and its decoded pixels. Changes ``picture``."""
    rng = np.random.default_rng(seed)
    if lens.level is None:  # automatic exposure: bright parts come out bright in any light
        seen = picture[::8, ::8]
        bright, brightest = (float(v) for v in np.percentile(seen, (97, 99.7)))
        bright = max(bright, lens.protect * brightest)
        gain = (0.75 / max(bright, 0.02)) ** 0.8
    else:
        gain = 1 / lens.level
    gain *= lens.exposure * 255 * 255
    factor = np.array(lens.balance, np.float32) * np.float32(gain)
    picture *= factor
    display = cv2.sqrt(np.maximum(picture, 0, out=picture))
    image: npt.NDArray[Any] = cv2.convertScaleAbs(display)
    if lens.softness > 0.3:
        image = cv2.GaussianBlur(image, (0, 0), lens.softness)
    sharp = np.asarray(image, np.uint8)
    _add_grain(sharp, rng, lens.noise)
    ok, data = cv2.imencode(".jpg", sharp, [cv2.IMWRITE_JPEG_QUALITY, lens.quality])
    assert ok
    return data.tobytes(), np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _add_grain(image: npt.NDArray[np.uint8], rng: np.random.Generator, sigma: float) -> None:
    """Add the sensor's noise block by block, from a pooled tile with a random offset."""
    noise = np.roll(colour_noise(rng, POOL_SIZE, POOL_SIZE), tuple(rng.integers(0, POOL_SIZE, 2)), axis=(0, 1))
    grain = np.round(noise * np.float32(sigma)).astype(np.int16)
    for top in range(0, image.shape[0], POOL_SIZE):
        for left in range(0, image.shape[1], POOL_SIZE):
            block = image[top : top + POOL_SIZE, left : left + POOL_SIZE]
            block[:] = cv2.add(block, grain[: block.shape[0], : block.shape[1]], dtype=cv2.CV_8U)

"""Paint one die into a picture: its visible sides with their textures, light and rounded edges."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.dice import UNDERLINE
from workshop.scenes.bodies import Placed, Side, outline, sides
from workshop.scenes.camera import Camera, Points
from workshop.scenes.faces import (
    draw_cube_face,
    draw_polygon_face,
    draw_tetrahedron_face,
    lit,
    square_normals,
    triangle_normals,
)
from workshop.scenes.layouts import TRIANGLE
from workshop.scenes.lighting import Lighting
from workshop.scenes.polygons import flat as flat_face
from workshop.scenes.polygons import polygon_normals

Picture = npt.NDArray[np.float32]

_CIRCLE = np.column_stack([np.cos(np.arange(12) * np.pi / 6), np.sin(np.arange(12) * np.pi / 6)])


@dataclass(frozen=True, eq=False)
class Painted:
    """A die in a picture: its window (left, top), its colours there, its alpha mask, its visible sides."""

    left: int
    top: int
    colours: Picture
    cover: npt.NDArray[np.float32]
    seen: tuple[tuple[Side, Points], ...]
    """Visible sides with their corners in pixels of the whole picture, farthest first."""
    hull: Points
    side_masks: tuple[npt.NDArray[np.uint8], ...]


def silhouette(placed: Placed, camera: Camera) -> Points:
    """Return the die's rounded outline in pixels."""
    points, radii = outline(placed, camera)
    cloud = (points[:, None, :] + _CIRCLE[None] * radii[:, None, None]).reshape(-1, 2)
    return np.asarray(cv2.convexHull(cloud.astype(np.float32))[:, 0, :], np.float64)


def visible_sides(placed: Placed, camera: Camera) -> tuple[Side, ...]:
    """Return the sides that face the camera."""
    eye = camera.position
    return tuple(side for side in sides(placed) if float((eye - side.corners[0]) @ side.normal) > 0)


def paint(placed: Placed, camera: Camera, lighting: Lighting, *, gain: float = 1.0) -> Painted | None:
    """Paint a single die. Return None where it lies outside the picture."""
    hull = silhouette(placed, camera)
    left, top = (int(v) for v in np.maximum(np.floor(hull.min(axis=0)) - 2, 0))
    right = int(min(np.ceil(hull[:, 0].max()) + 3, camera.width))
    bottom = int(min(np.ceil(hull[:, 1].max()) + 3, camera.height))
    if right - left < 4 or bottom - top < 4:
        return None
    size = (right - left, bottom - top)
    corner = np.array([left, top], np.float64)
    cover = _polygon_mask(hull - corner, size).astype(np.float32) * np.float32(1 / 255)
    style = placed.body.style
    colours = np.empty((size[1], size[0], 3), np.float32)
    colours[:] = np.array(style.material.colour, np.float32) * np.float32(0.3)
    seen = []
    masks: list[npt.NDArray[np.uint8]] = []
    for side in visible_sides(placed, camera):
        pixels = camera.project(side.corners)
        if side.text == "":
            _fill_bare(colours, masks, pixels - corner, _bare_light(placed, side, camera, lighting))
            seen.append((side, pixels))
            continue
        flat = (pixels - corner).astype(np.float32)
        if placed.body.places:
            texture, matrix = _lit_polygon(placed, side, camera, lighting)
            matrix = np.array([[1.0, 0, -left], [0, 1, -top], [0, 0, 1]]) @ matrix
        else:
            texture = _lit_texture(placed, side, pixels, camera, lighting)
            quad = _texture_corners(len(pixels), texture.shape[1], texture.shape[0])
            if len(pixels) == 3:
                matrix = np.vstack([np.asarray(cv2.getAffineTransform(quad, flat), np.float64), [0.0, 0, 1]])
            else:
                matrix = np.asarray(cv2.getPerspectiveTransform(quad, flat), np.float64)
        x0, y0 = (int(v) for v in np.maximum(np.floor(flat.min(axis=0)) - 1, 0))
        x1 = int(min(np.ceil(flat[:, 0].max()) + 2, size[0]))
        y1 = int(min(np.ceil(flat[:, 1].max()) + 2, size[1]))
        if x1 <= x0 or y1 <= y0:
            continue
        shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
        drawn = cv2.warpPerspective(
            texture, shift @ matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        mask = _polygon_mask(flat - np.array([x0, y0]), (x1 - x0, y1 - y0))
        share = mask.astype(np.float32)[:, :, None] * np.float32(1 / 255)
        area = colours[y0:y1, x0:x1]
        area += share * (drawn - area)
        seen.append((side, pixels))
        whole = np.zeros((size[1], size[0]), np.uint8)
        whole[y0:y1, x0:x1] = mask
        masks.append(whole)
    return Painted(left, top, colours * np.float32(gain), cover, tuple(seen), hull, tuple(masks))


def _bare_light(placed: Placed, side: Side, camera: Camera, lighting: Lighting) -> npt.NDArray[np.float32]:
    """Return the one colour of a lit side without marks."""
    material = placed.body.style.material
    view = camera.position - side.corners.mean(axis=0)
    normal = side.normal[None, None].astype(np.float32)
    light, shine = lighting.shade(normal, view / np.linalg.norm(view), material.gloss)
    return np.asarray((light * np.array(material.colour, np.float32) + shine)[0, 0], np.float32)


def _fill_bare(
    colours: Picture, masks: list[npt.NDArray[np.uint8]], pixels: Points, colour: npt.NDArray[np.float32]
) -> None:
    mask = _polygon_mask(pixels, (colours.shape[1], colours.shape[0]))
    colours += (mask.astype(np.float32) * np.float32(1 / 255))[:, :, None] * (colour - colours)
    masks.append(mask)


def _lit_texture(placed: Placed, side: Side, pixels: Points, camera: Camera, lighting: Lighting) -> Picture:
    body = placed.body
    style = body.style
    edges = np.linalg.norm(np.roll(pixels, -1, axis=0) - pixels, axis=1)
    size = int(np.clip(edges.max() * (1.05 if len(pixels) == 4 else 0.8), 48, 320))
    size = (size + 15) // 16 * 16
    rng = np.random.default_rng([body.seed, side.face])
    # the texture's right, down and outward directions in the world: light falls on engravings and rounded edges
    # accordingly
    if len(pixels) == 4:
        across, down = side.corners[1] - side.corners[0], side.corners[3] - side.corners[0]
    else:
        across = side.corners[1] - side.corners[2]
        down = (side.corners[1] + side.corners[2]) / 2 - side.corners[0]
    frame = np.stack([across / np.linalg.norm(across), down / np.linalg.norm(down), side.normal]).astype(np.float32)
    key = lighting.lights[0].direction if lighting.lights else (0.5, 0.5, 0.7)
    local = frame @ np.array(key, np.float32)
    light = (float(local[0]), float(local[1]))
    bevel = round(style.bevel * 100)
    if len(pixels) == 4:
        texture = draw_cube_face(side.text, style, rng, size=size, light=light, underlined=UNDERLINE in side.marks)
        normals = square_normals(size, bevel)
        reduced = (int(np.ceil(max(edges[0], edges[2]) * 1.1)), int(np.ceil(max(edges[1], edges[3]) * 1.1)))
    else:
        turn = -2 * np.pi / 3 * side.rotation  # the light as the upright letters see it
        cos, sin = float(np.cos(turn)), float(np.sin(turn))
        texture = draw_tetrahedron_face(
            side.text,
            style,
            rng,
            size=size,
            light=(cos * light[0] - sin * light[1], sin * light[0] + cos * light[1]),
            underlined=UNDERLINE in side.marks,
        )
        if side.rotation:
            texture = _turn_triangle(texture, side.rotation)
        normals = triangle_normals(size, bevel // 2)
        rise = float(np.linalg.norm(pixels[0] - (pixels[1] + pixels[2]) / 2))
        reduced = (int(np.ceil(edges[1] * 1.1)), int(np.ceil(rise * 1.27)))
    view = camera.position - side.corners.mean(axis=0)
    view = view / np.linalg.norm(view)
    shown = lit(texture, normals, frame, lighting, view=view, gloss=style.material.gloss)
    target = (int(np.clip(reduced[0], 2, size)), int(np.clip(reduced[1], 2, size)))
    if target != (size, size):
        shown = np.asarray(cv2.resize(shown, target, interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(shown, np.float32)


def _lit_polygon(placed: Placed, side: Side, camera: Camera, lighting: Lighting) -> tuple[Picture, Points]:
    """Return a lit side of a many-sided die, and the homography (3 x 3) from its texels to pixels."""
    body = placed.body
    style = body.style
    corners = flat_face(body.die.shape).corners
    fitted = np.linalg.lstsq(np.column_stack([corners, np.ones(len(corners))]), side.corners, rcond=None)[0]
    across, down, origin = fitted
    ends = camera.project(np.stack([origin, origin + across, origin + down]))
    wide, high = (float(np.linalg.norm(end - ends[0])) for end in ends[1:])
    size = (int(np.clip(max(wide, high) * 1.05, 32, 320)) + 15) // 16 * 16
    rng = np.random.default_rng([body.seed, side.face])
    unit = float(np.linalg.norm(across))
    frame = np.stack([across / unit, down / unit, side.normal]).astype(np.float32)
    key = lighting.lights[0].direction if lighting.lights else (0.5, 0.5, 0.7)
    local = frame @ np.array(key, np.float32)
    texture = draw_polygon_face(
        side.text,
        body.die.shape,
        style,
        rng,
        size=size,
        light=(float(local[0]), float(local[1])),
        underlined=UNDERLINE in side.marks,
        upside_down=side.rotation == 2,
    )
    normals = polygon_normals(body.die.shape, size, round(style.bevel * 100))
    view = camera.position - side.corners.mean(axis=0)
    view = view / np.linalg.norm(view)
    shown = lit(texture, normals, frame, lighting, view=view, gloss=style.material.gloss)
    target = (int(np.clip(wide * 1.1, 2, size)), int(np.clip(high * 1.1, 2, size)))
    if target != (size, size):
        shown = np.asarray(cv2.resize(shown, target, interpolation=cv2.INTER_AREA), np.float32)
    texels = np.array([[1 / target[0], 0, 0.5 / target[0]], [0, 1 / target[1], 0.5 / target[1]], [0, 0, 1]])
    return shown, camera.plane(origin, across, down) @ texels


def _turn_triangle(texture: Picture, rotation: int) -> Picture:
    """Turn an upright triangle so that its letters' top is at the corner of that number (clockwise)."""
    size = texture.shape[0]
    corners = (TRIANGLE * size - 0.5).astype(np.float32)
    matrix = cv2.getAffineTransform(corners, np.roll(corners, -rotation, axis=0))
    return np.asarray(
        cv2.warpAffine(texture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )


def _texture_corners(count: int, width: int, height: int) -> npt.NDArray[np.float32]:
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) if count == 4 else TRIANGLE
    return np.asarray(unit * np.array([width, height]) - 0.5, np.float32)


def _polygon_mask(points: Points, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(points * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return mask

"""Render a board scene: the lit table, the board, its frame and men from far to near, a hand, the camera's faults."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from workshop.board_scenes.board import Board, Rail
from workshop.board_scenes.men import Prism
from workshop.board_scenes.scene import BoardScene, Marker, Standing
from workshop.board_scenes.surfaces import draw_surface
from workshop.scenes.camera import Camera, Points
from workshop.scenes.grounds import draw_ground, light_field
from workshop.scenes.lighting import Light, Lighting
from workshop.scenes.materials import Texture
from workshop.scenes.render import expose, fill_hull
from workshop.scenes.things import draw_hand

Picture = npt.NDArray[np.float32]

FINE: Final = 2
"""Pieces are painted this many times finer than the picture and then reduced, for smooth edges."""

HIDDEN: Final = 0.4
"""A man is not legible once a hand covers this share of his top."""


@dataclass(frozen=True, eq=False)
class SeenMan:
    """A man as the picture shows him: his site, what he is, the centres of his foot and of his top in pixels.

    ``size`` is the width of his top in pixels, ``legible`` whether a person could make him out.
    """

    standing: Standing
    foot: tuple[float, float]
    top: tuple[float, float]
    size: float
    legible: bool


@dataclass(frozen=True, eq=False)
class RenderedBoard:
    """A picture (height x width x 3, BGR, uint8) with its ground truth; ``corners`` are the field's, 4 x 2, in pixels.

    ``bar``: the bar's four corners in pixels, clockwise from its top left, None without a bar. ``hand``: where a hand
    covers the picture (height x width, bool), None without a hand.
    """

    image: npt.NDArray[np.uint8]
    jpeg: bytes
    scene: BoardScene
    corners: Points
    bar: Points | None
    men: tuple[SeenMan, ...]
    hand: npt.NDArray[np.bool_] | None

    def to_json(self, image: str) -> dict[str, Any]:
        """Return this picture's line of a label file; ``image`` is the picture's name there."""
        sites: dict[str, dict[str, Any]] = {site: men.to_json() for site, men in self.scene.truth.items()}
        for man in self.men:
            if not man.legible or man.standing.upper:
                sites[man.standing.site]["legible"] = False
        board = {
            "kind": "board",
            "board": self.scene.board.kind,
            "corners": np.round(self.corners, 1).tolist(),
            "markers": bool(self.scene.markers),
            "sites": sites,
        }
        height, width = self.image.shape[:2]
        return {"image": image, "width": width, "height": height, "complete": True, "objects": [board]}


def draw_stage(scene: BoardScene) -> Picture:
    """Return table, board and the markers beside it in full even light: the parts that stay the same while men move."""
    picture = draw_ground(scene.ground, scene.camera)
    _draw_slab(picture, scene)
    _draw_markers(picture, scene, [one for one in scene.markers if one.z <= 0])
    return picture


def render_board(scene: BoardScene, stage: Picture | None = None) -> RenderedBoard:
    """Render a scene; ``stage``, if given, is the result of `draw_stage` for this board and camera."""
    camera, board = scene.camera, scene.board
    size = (camera.height, camera.width)
    rng = np.random.default_rng(scene.light_seed)
    lamp = light_field(rng, size[0] // 4, size[1] // 4)
    over = scene.lighting.over(*lamp.shape)
    if over is not None:
        lamp = lamp * over
    picture = draw_stage(scene) if stage is None else stage.copy()
    light = _light(scene, lamp)
    picture *= cv2.resize(light, (size[1], size[0]), interpolation=cv2.INTER_LINEAR)
    _draw_upright(picture, scene, lamp)
    raised = [one for one in scene.markers if one.z > 0]
    _draw_markers(picture, scene, raised, gain=float(np.median(lamp)))
    covered = None
    if scene.hand is not None:
        cover, colours = draw_hand(scene.hand, size[1], size[0])
        key = scene.lighting.lights[0] if scene.lighting.lights else Light((0.3, 0.3, 0.9), (0, 0, 0), 1.0)
        colours *= np.array(scene.lighting.ambient, np.float32) + np.array(key.colour, np.float32) * np.float32(0.6)
        picture += cover[:, :, None] * (colours - picture)
        covered = cover > 0.5
    jpeg, image = expose(picture, scene.lens, scene.grain_seed)
    corners = camera.project(board.corners)
    bar = None
    if board.bar:
        x, y = board.bar / 2, board.height / 2
        bar = camera.project(np.array([[-x, y, 0], [x, y, 0], [x, -y, 0], [-x, -y, 0]]))
    return RenderedBoard(image, jpeg, scene, corners, bar, tuple(_seen(scene, covered)), covered)


def _seen(scene: BoardScene, covered: npt.NDArray[np.bool_] | None) -> list[SeenMan]:
    camera = scene.camera
    out = []
    for man in scene.men:
        piece = man.pieces[-1]
        foot = camera.project(np.array([[man.x, man.y, man.pieces[0].low]]))[0]
        ring = np.column_stack([piece.ring, np.full(len(piece.ring), piece.high)])
        pixels = camera.project(ring)
        top = camera.project(np.array([[*piece.middle, piece.high]]))[0]
        inside = (pixels > 1).all() and (pixels < np.array([camera.width - 2, camera.height - 2])).all()
        legible = bool(inside)
        if covered is not None and inside:
            spots = np.vstack([pixels, (pixels + top) / 2, top[None]]).round().astype(int)
            legible = float(covered[spots[:, 1], spots[:, 0]].mean()) < HIDDEN
        width = float(np.sqrt(max(cv2.contourArea(pixels.astype(np.float32)), 1e-6)))
        out.append(SeenMan(man, (float(foot[0]), float(foot[1])), (float(top[0]), float(top[1])), width, legible))
    return out


def _draw_slab(picture: Picture, scene: BoardScene) -> None:
    """Draw the board's sides and its upper surface, in full even light."""
    board, camera = scene.board, scene.camera
    x, y = board.width / 2 + board.border, board.height / 2 + board.border
    if board.thickness > 0.03:
        low = np.array([[-x, y], [x, y], [x, -y], [-x, -y]])
        low3 = np.column_stack([low, np.full(4, -board.thickness)])
        high3 = np.column_stack([low, np.zeros(4)])
        hull = cv2.convexHull(camera.project(np.vstack([low3, high3])).astype(np.float32))
        mask = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        share = mask.astype(np.float32)[:, :, None] * np.float32(1 / 255)
        picture += share * (np.array(board.frame_colour, np.float32) * np.float32(0.4) - picture)
    _lay_flat(picture, camera, board.texture, (-x, y, 2 * x, 2 * y), 0.0)


def _lay_flat(
    picture: Picture, camera: Camera, texture: Texture, place: tuple[float, float, float, float], z: float
) -> None:
    """Draw a flat texture; ``place`` has its upper left corner x, y, its width and height, ``z`` is its height."""
    x, y, width, height = place
    homography = camera.plane(np.array([x, y, z]), np.array([width, 0, 0]), np.array([0, -height, 0]))
    _warp(picture, texture, homography)


def _warp(picture: Picture, texture: Texture, homography: Points) -> None:
    """Draw a texture; the homography maps its unit square to the picture."""
    h, w = texture.shape[:2]
    corners = homography @ np.array([[0, 1, 1, 0], [0, 0, 1, 1], [1, 1, 1, 1.0]])
    if (corners[2] <= 0).any():
        return
    pixels = (corners[:2] / corners[2]).T
    x0, y0 = (int(v) for v in np.maximum(np.floor(pixels.min(axis=0)) - 1, 0))
    x1 = int(min(np.ceil(pixels[:, 0].max()) + 2, picture.shape[1]))
    y1 = int(min(np.ceil(pixels[:, 1].max()) + 2, picture.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    texels = np.array([[1 / w, 0, 0.5 / w], [0, 1 / h, 0.5 / h], [0, 0, 1]])
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
    drawn = cv2.warpPerspective(
        texture,
        shift @ homography @ texels,
        (x1 - x0, y1 - y0),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round((pixels - [x0, y0]) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    area = picture[y0:y1, x0:x1]
    area += (mask.astype(np.float32) * np.float32(1 / 255))[:, :, None] * (drawn - area)


def _draw_markers(picture: Picture, scene: BoardScene, markers: Sequence[Marker], gain: float = 1.0) -> None:
    for marker in markers:
        texture = np.asarray(marker_texture(marker.number) * np.float32(gain), np.float32)
        half = marker.edge * texture.shape[0] / MARKER_TEXELS / 2
        cos, sin = np.cos(marker.turn), np.sin(marker.turn)
        across, down = np.array([cos, sin, 0]), np.array([sin, -cos, 0])
        origin = np.array([marker.x, marker.y, marker.z]) - half * across - half * down
        _warp(picture, texture, scene.camera.plane(origin, 2 * half * across, 2 * half * down))


MARKER_TEXELS: Final = 96


def marker_texture(number: int) -> Texture:
    """Return a printed marker with its white border, linear colours."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    marker = cv2.aruco.generateImageMarker(dictionary, number, MARKER_TEXELS)
    sheet = cv2.copyMakeBorder(marker, 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=255)
    tone = 0.03 + 0.85 * sheet.astype(np.float32) / 255
    return np.asarray(np.repeat((tone**1.5)[:, :, None], 3, axis=2), np.float32)


def _light(scene: BoardScene, lamp: npt.NDArray[np.float32]) -> Picture:
    """Return the light on the table and board, with all shadows, at a quarter of the picture's size."""
    camera = scene.camera
    height, width = lamp.shape
    scale = camera.focal / camera.distance / 4
    pieces = [piece for man in scene.men for piece in man.pieces] + list(scene.dice)
    rings = [(piece.ring, piece.low, piece.high) for piece in pieces]
    rings += [(_rectangle(rail), 0.0, rail.height) for rail in scene.board.rails]
    contact = np.zeros((height, width), np.uint8)
    for ring, low, _ in rings:
        fill_hull(contact, camera.project(np.column_stack([ring, np.full(len(ring), low)])) / 4)
    near = cv2.GaussianBlur(contact, (0, 0), max(0.7, 0.16 * scale)).astype(np.float32) * np.float32(0.5 / 255)
    light = np.empty((height, width, 3), np.float32)
    light[:] = np.array(scene.lighting.ambient, np.float32)
    light *= (1 - near)[:, :, None]
    for lamp_ in scene.lighting.lights:
        direction = np.array(lamp_.direction)
        mask = np.zeros((height, width), np.uint8)
        for ring, low, high in rings:
            cast = np.vstack([ring - direction[:2] / direction[2] * z for z in (max(low, 0.0), high)])
            hull = cv2.convexHull(cast.astype(np.float32))[:, 0, :]
            fill_hull(mask, camera.project(np.column_stack([hull, np.zeros(len(hull))])) / 4)
        blur = 0.4 + lamp_.softness**2 * 0.15 * scale
        dark = cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32) * np.float32(1 / 255)
        light += (1 - dark)[:, :, None] * (np.array(lamp_.colour, np.float32) * np.float32(direction[2]))
    return np.asarray(light * lamp[:, :, None], np.float32)


def _rectangle(rail: Rail) -> Points:
    return np.array(
        [[rail.right, rail.top], [rail.left, rail.top], [rail.left, rail.bottom], [rail.right, rail.bottom]]
    )


def rail_prism(board: Board, rail: Rail, rng: np.random.Generator) -> Prism:
    """Return a rail as a piece to paint."""
    wide, high = rail.right - rail.left, rail.top - rail.bottom
    reach = max(wide, high) / 2
    size = 256
    upright = high > wide
    top = draw_surface(rng, board.frame, board.frame_colour, size, size, upright=upright)
    normals = np.zeros((size, size, 3), np.float32)
    normals[:, :, 2] = 1
    middle = ((rail.left + rail.right) / 2, (rail.top + rail.bottom) / 2)
    return Prism(_rectangle(rail), 0.0, rail.height, board.frame_colour, 0.2, middle, reach, 0.0, top, normals)


def _draw_upright(picture: Picture, scene: BoardScene, lamp: npt.NDArray[np.float32]) -> None:
    """Paint frame, bar, men and dice from far to near."""
    board, camera = scene.board, scene.camera
    eye = camera.position[:2]
    rng = np.random.default_rng(scene.grain_seed + 1)
    far: list[Prism] = []
    close: list[Prism] = []
    middle: list[Prism] = []
    for rail in board.rails:
        piece = rail_prism(board, rail, rng)
        if rail.bar:
            middle.append(piece)
            continue
        x, y = piece.middle
        # a rail between the camera and the field hides what stands behind it
        beyond = abs(eye[0]) > abs(x) and eye[0] * x > 0 if abs(x) > abs(y) else abs(eye[1]) > abs(y) and eye[1] * y > 0
        (close if beyond else far).append(piece)
    men = sorted(scene.men, key=lambda one: -np.hypot(one.x - eye[0], one.y - eye[1]) + 0.001 * one.pieces[0].low)
    for piece in scene.dice:
        _paint(picture, piece, scene, lamp)
    for piece in far:
        _paint(picture, piece, scene, lamp)
    behind = [one for one in men if one.site != "bar" and one.x * eye[0] < 0 and abs(one.x) > board.bar / 2]
    for one in behind if middle else ():
        _paint_man(picture, one, scene, lamp)
    for piece in middle:
        _paint(picture, piece, scene, lamp)
    for one in men:
        if not middle or one not in behind:
            _paint_man(picture, one, scene, lamp)
    for piece in close:
        _paint(picture, piece, scene, lamp)


def _paint_man(picture: Picture, man: Standing, scene: BoardScene, lamp: npt.NDArray[np.float32]) -> None:
    for piece in man.pieces:
        _paint(picture, piece, scene, lamp)


def _paint(picture: Picture, piece: Prism, scene: BoardScene, lamp: npt.NDArray[np.float32]) -> None:
    """Paint one piece over the picture."""
    camera = scene.camera
    count = len(piece.ring)
    low = camera.project(np.column_stack([piece.ring, np.full(count, piece.low)]))
    high = camera.project(np.column_stack([piece.ring, np.full(count, piece.high)]))
    both = np.vstack([low, high])
    left, top = (int(v) for v in np.maximum(np.floor(both.min(axis=0)) - 1, 0))
    right = int(min(np.ceil(both[:, 0].max()) + 2, camera.width))
    bottom = int(min(np.ceil(both[:, 1].max()) + 2, camera.height))
    if right - left < 2 or bottom - top < 2:
        return
    width, height = right - left, bottom - top
    fine = FINE if max(width, height) < 400 else 1
    corner = np.array([left, top]) - (0.5 / fine - 0.5)
    size = (width * fine, height * fine)

    def places(pixels: Points) -> npt.NDArray[np.int32]:
        return np.round((pixels - corner) * fine * 16 - 8).astype(np.int32)

    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(places(both)), 255, cv2.LINE_AA, 4)
    colours = np.zeros((size[1], size[0], 3), np.float32)
    _paint_sides(colours, piece, scene, places(low), places(high))
    shown = _lit_top(piece, scene)
    cos, sin = np.cos(piece.turn), np.sin(piece.turn)
    across, down = np.array([cos, sin, 0]) * 2 * piece.reach, np.array([sin, -cos, 0]) * 2 * piece.reach
    origin = np.array([*piece.middle, piece.high]) - across / 2 - down / 2
    n = shown.shape[0]
    texels = np.array([[1 / n, 0, 0.5 / n], [0, 1 / n, 0.5 / n], [0, 0, 1]])
    shift = np.array([[fine, 0, -corner[0] * fine - 0.5], [0, fine, -corner[1] * fine - 0.5], [0, 0, 1.0]])
    drawn = cv2.warpPerspective(
        shown,
        shift @ camera.plane(origin, across, down) @ texels,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    upper = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(upper, places(high), 255, cv2.LINE_AA, 4)
    colours += (upper.astype(np.float32) * np.float32(1 / 255))[:, :, None] * (drawn - colours)
    cover = mask.astype(np.float32) * np.float32(1 / 255)
    sheet = np.dstack([colours * cover[:, :, None], cover])
    if fine > 1:
        sheet = cv2.resize(sheet, (width, height), interpolation=cv2.INTER_AREA)
    row = int(np.clip((top + bottom) / 8, 0, lamp.shape[0] - 1))
    column = int(np.clip((left + right) / 8, 0, lamp.shape[1] - 1))
    gain = np.float32(lamp[row, column]) if max(width, height) < 400 else np.float32(np.median(lamp))
    area = picture[top:bottom, left:right]
    area *= 1 - sheet[:, :, 3:]
    area += sheet[:, :, :3] * gain


def _paint_sides(
    colours: Picture, piece: Prism, scene: BoardScene, low: npt.NDArray[np.int32], high: npt.NDArray[np.int32]
) -> None:
    """Paint the upright sides that face the camera, each in its light."""
    ring = piece.ring
    after = np.roll(ring, -1, axis=0)
    edges = after - ring
    normals = np.column_stack([edges[:, 1], -edges[:, 0], np.zeros(len(ring))])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    eye = scene.camera.position
    middles = np.column_stack([(ring + after) / 2, np.full(len(ring), (piece.low + piece.high) / 2)])
    facing = ((eye - middles) * normals).sum(axis=1) > 0
    view = eye - middles.mean(axis=0)
    light, shine = scene.lighting.shade(normals[None].astype(np.float32), view / np.linalg.norm(view), piece.gloss)
    body = light[0] * np.array(piece.colour, np.float32) * np.float32(0.85) + shine[0] * np.float32(0.3)
    for i in np.flatnonzero(facing):
        j = (i + 1) % len(ring)
        quad = np.stack([low[i], low[j], high[j], high[i]])
        cv2.fillConvexPoly(colours, quad, [float(v) for v in body[i]], cv2.LINE_8, 4)


def _lit_top(piece: Prism, scene: BoardScene) -> Picture:
    """Return the top's lit texture."""
    cos, sin = np.cos(piece.turn), np.sin(piece.turn)
    turn = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]], np.float32)
    normals = piece.normals @ turn
    view = scene.camera.position - np.array([*piece.middle, piece.high])
    lighting: Lighting = scene.lighting
    light, shine = lighting.shade(np.ascontiguousarray(normals), view / np.linalg.norm(view), piece.gloss)
    return np.asarray(piece.top * light + shine, np.float32)

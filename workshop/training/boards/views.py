"""What the nets that read boards see of a drawn board, and the maps that they should give for it.

A view is an input before its light changes, 8-bit BGR, with its maps and the weight of each cell. `batches` gives it
another light and makes batches; a machine with a GPU does that there, see `pool`.
"""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.field.find import (
    BARRED,
    CELL_PIXELS,
    COLUMN,
    MAPS,
    NET_LONGER_SIDE,
    POINTED,
    ROW,
    SQUARED,
    net_picture,
)
from companion.vision.boards.field.patch import HIGH, START, WIDE, straightened
from companion.vision.boards.layout import TABLES, layout
from companion.vision.boards.men import (
    ACROSS,
    DARKER,
    DOWN,
    HIDDEN,
    LIGHTER,
    NUMBERED_MAPS,
    SHAPE_NAMES,
    SHAPES,
    TABLES_MAPS,
    Canvas,
    canvas_of,
    straighten,
)
from companion.vision.boards.men import CELL_PIXELS as MEN_STRIDE
from companion.vision.boards.numbers import around, kinds, patch
from companion.vision.dice.geometry import Points, mapped, mapping
from companion.vision.readings import Image
from workshop.board_scenes.store import COARSE, TrueBoard
from workshop.training.disturb import astray

Maps = npt.NDArray[np.float32]
View = tuple[Image, Maps, Maps]
"""A net's input (h x w x 3), the maps that it should give (maps, h / s, w / s), and the weight of each cell."""

_UNIT: Final = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])

SPREAD: Final = 1.1
"""Width of a man's peak on the maps, in cells."""

NEAR: Final = 0.65
"""Share of pictures that show a straightened board, as in the second look."""

FINE: Final = 4
"""Maps are drawn this many times finer than their cells and then reduced."""

COVERED: Final = 0.45
"""A man is not visible if another lies on him nearer than this share of his width."""


def field_view(picture: Image, truth: TrueBoard, rng: np.random.Generator) -> View:
    """Return a picture for the field finder, with its maps and which of their cells count.

    It is a whole picture, or the board straightened by inexact corners: only the straightened one shows columns and
    rows.
    """
    places = truth.corners if truth.bar is None else np.vstack([truth.corners, truth.bar])
    near = rng.random() < NEAR
    if near:
        rough = astray(truth.corners, rng, float(rng.choice([0.1, 0.5, 1.5])))
        seen = straightened(picture, rough)
        places = mapped(mapping(rough, START * [WIDE, HIGH] - 0.5), places)
    else:
        image, places = _moved(picture, places, rng)
        seen, scale = net_picture(image)
        places = (places + 0.5) * scale - 0.5
    maps = np.zeros((MAPS, seen.shape[0] // CELL_PIXELS, seen.shape[1] // CELL_PIXELS), np.float32)
    places = (places + 0.5) / CELL_PIXELS - 0.5
    for name, corners in ((POINTED if truth.kind == TABLES else SQUARED, places[:4]), (BARRED, places[4:])):
        if len(corners):
            maps[name] = _covered(corners, maps.shape[1:])
    counts = np.ones_like(maps)
    counts[COLUMN:] = 0
    if near:
        _turns(truth, places, maps, counts)
    return seen, maps, counts


def _turns(truth: TrueBoard, places: Points, maps: npt.NDArray[np.float32], counts: npt.NDArray[np.float32]) -> None:
    """Draw each cell's phase within its column and row; ``places`` are the corners of field and bar, in cells."""
    if truth.kind == TABLES:
        if truth.bar is None:
            return
        (a, b, c, d), (e, f, g, h) = places[:4], places[4:]
        parts = [(np.array([a, e, h, d]), 6, 0), (np.array([f, b, c, g]), 6, 0)]
    else:
        parts = [(places[:4], truth.columns, truth.rows)]
    rows, columns = maps.shape[1:]
    cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=2).reshape(-1, 2).astype(np.float64)
    for corners, wide, high in parts:
        inside = _covered(corners, (rows, columns)) > 0.5
        u, v = mapped(mapping(corners, _UNIT), cells).reshape(rows, columns, 2).transpose(2, 0, 1)
        for first, number, at in ((COLUMN, wide, u), (ROW, high, v)):
            if number:
                angle = 2 * np.pi * number * at[inside]
                maps[first][inside], maps[first + 1][inside] = (1 + np.cos(angle)) / 2, (1 + np.sin(angle)) / 2
                counts[first : first + 2, inside] = 1


def _covered(corners: Points, size: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Return the share of each cell that lies in a polygon: the net learns borders finer than a cell."""
    mask = np.zeros((size[0] * FINE, size[1] * FINE), np.uint8)
    cv2.fillPoly(mask, [np.round(((corners + 0.5) * FINE - 0.5) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    shares = cv2.resize(mask, (size[1], size[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(shares, np.float32) * np.float32(1 / 255)


def _moved(picture: Image, corners: Points, rng: np.random.Generator) -> tuple[Image, Points]:
    """Return a picture turned, scaled, shifted or mirrored at random, 4 to 3, with its corners there."""
    size = (NET_LONGER_SIDE, NET_LONGER_SIDE * 3 // 4)
    height, width = picture.shape[:2]
    scale = NET_LONGER_SIDE / width * float(np.exp(rng.uniform(np.log(0.6), np.log(1.25))))
    angle = rng.normal(0, 0.15) + (np.pi / 2 * rng.integers(4) if rng.random() < 0.15 else 0)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if rng.random() < 0.5:
        turn[:, 0] *= -1
    middle = corners.mean(axis=0) if rng.random() < 0.8 else np.array([width, height]) / 2
    target = np.array(size) * (0.5 + rng.normal(0, 0.08, 2))
    shift = target - turn @ middle
    shrink = max(1.0, 1 / (scale * 2))
    source = picture
    if shrink > 1.0:
        source = np.asarray(cv2.resize(picture, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA))
    warp = np.hstack([turn * shrink, shift[:, None]])
    moved = cv2.warpAffine(source, warp, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(moved, np.uint8), corners @ turn.T + shift


def men_view(picture: Image, truth: TrueBoard, rng: np.random.Generator) -> View:
    """Return a straightened board with the maps of its men, and each cell's weight; some are mirrored."""
    rough = truth.corners + rng.normal(0, 0.004 * np.linalg.norm(truth.corners[0] - truth.corners[1]), (4, 2))
    canvas = canvas_of(layout(truth.kind))
    flat = straighten(picture, rough, canvas)
    maps, counts = men_maps(truth, rough, canvas)
    if rng.random() < 0.5:  # a mirrored board is another board
        flat, maps, counts = flat[:, ::-1], maps[:, :, ::-1].copy(), counts[:, :, ::-1]
        maps[ACROSS] *= -1
    if rng.random() < 0.5:
        flat, maps, counts = flat[::-1], maps[:, ::-1].copy(), counts[:, ::-1]
        maps[DOWN] *= -1
    return np.ascontiguousarray(flat), np.ascontiguousarray(maps), np.ascontiguousarray(counts)


def men_maps(
    truth: TrueBoard, corners: Points, canvas: Canvas
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the maps that the net should give, and each cell's weight, both (maps, h/4, w/4)."""
    tables = truth.kind == TABLES
    size = (TABLES_MAPS if tables else NUMBERED_MAPS, canvas.height // MEN_STRIDE, canvas.width // MEN_STRIDE)
    maps, counts = np.zeros(size, np.float32), np.zeros(size, np.float32)
    counts[:SHAPES][[LIGHTER, DARKER, HIDDEN]] = 1
    warp = mapping(corners, canvas.places)
    if truth.hand is not None:
        shrink = np.diag([COARSE, COARSE, 1.0])
        shrink[:2, 2] = COARSE / 2 - 0.5
        coarse = np.diag([1 / MEN_STRIDE, 1 / MEN_STRIDE, 1.0])
        coarse[:2, 2] = 0.5 / MEN_STRIDE - 0.5
        maps[HIDDEN] = cv2.warpPerspective(truth.hand.astype(np.float32), coarse @ warp @ shrink, (size[2], size[1]))
    ys, xs = np.mgrid[0 : size[1], 0 : size[2]].astype(np.float32)
    feet = mapped(warp, np.array([man.foot for man in truth.men]).reshape(-1, 2)) if truth.men else np.zeros((0, 2))
    tops = mapped(warp, np.array([man.top for man in truth.men]).reshape(-1, 2)) if truth.men else np.zeros((0, 2))
    wide = 400 / 13 if tables else canvas.field_width / truth.columns
    under = [man for man in truth.men if man.upper]
    for man, foot, top in zip(truth.men, feet, tops, strict=True):
        x, y = (foot + 0.5) / MEN_STRIDE - 0.5
        far = (xs - x) ** 2 + (ys - y) ** 2
        covered = not man.upper and any(
            one.site == man.site and np.hypot(*np.subtract(one.top, man.top)) < COVERED * man.size for one in under
        )
        if not man.legible or covered:
            counts[:2][:, far < (0.6 * wide / MEN_STRIDE) ** 2] = 0
            continue
        heat = maps[LIGHTER if man.colour in ("light", "white") else DARKER]
        np.maximum(heat, np.exp(-far / (2 * SPREAD**2)), out=heat)
        near = far < 3.0
        maps[ACROSS][near], maps[DOWN][near] = (top - foot) / MEN_STRIDE
        counts[[ACROSS, DOWN]] = np.maximum(counts[[ACROSS, DOWN]], near)
        if not tables:
            maps[SHAPES:, near] = 0
            maps[SHAPES + SHAPE_NAMES.index(man.shape)][near] = 1
            counts[SHAPES:, near] = 1
    for man, foot in zip(truth.men, feet, strict=True):  # ignored men come last: neighbours may reach into their cells
        if not man.legible:
            x, y = (foot + 0.5) / MEN_STRIDE - 0.5
            counts[:, (xs - x) ** 2 + (ys - y) ** 2 < (0.35 * wide / MEN_STRIDE) ** 2] = 0
    return maps, counts


def number_views(picture: Image, truth: TrueBoard, rng: np.random.Generator) -> Iterator[tuple[Image, int]]:
    """Yield a patch of each man in any rotation, with the index of the man in `kinds`."""
    places = {kind: place for place, kind in enumerate(kinds())}
    to_image = mapping(_UNIT, truth.corners)
    to_field = mapping(truth.corners, _UNIT)
    square = (1 / truth.columns, 1 / truth.rows)
    for man in truth.men:
        if man.legible:
            foot = mapped(to_field, np.array([man.foot]))[0]
            corners = around(to_image, (float(foot[0]), float(foot[1])), square, np.array(man.top))
            yield _number_view(picture, corners, rng), places[(man.shape, man.number)]


def _number_view(picture: Image, corners: Points, rng: np.random.Generator) -> Image:
    middle = corners.mean(axis=0)
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn * np.exp(rng.normal(0, 0.06))
    edge = np.linalg.norm(corners[0] - corners[1])
    moved = (corners - middle) @ turn.T + middle + rng.normal(0, 0.05, 2) * edge
    seen = patch(picture, moved)
    if rng.random() < 0.25:  # as if the camera were farther away
        small = int(rng.integers(24, 56))
        seen = np.asarray(cv2.resize(seen, (small, small), interpolation=cv2.INTER_AREA), np.uint8)
        seen = np.asarray(cv2.resize(seen, (64, 64), interpolation=cv2.INTER_LINEAR), np.uint8)
    return seen

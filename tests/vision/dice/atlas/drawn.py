"""Throws of a drawn dodecahedron on a printed ground under a camera that looks from the side, with the face that is up.

The faces bear signs that no net knows; the ground has discs and a cable that never move.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.vision.dice.atlas.facets import facets
from companion.vision.dice.atlas.pose import Camera
from companion.vision.readings import Image

SIZE = (240, 200)
CAMERA = Camera((119.5, 99.5), 220.0, float(np.radians(30)), -np.pi / 2)
SHAPE: Final = "dodecahedron"
SIGN = 96


@dataclass(frozen=True)
class Thrown:
    """A picture of a throw (BGR), the die's face that is up, and the die's middle in pixels."""

    image: Image
    face: int
    middle: tuple[float, float]


def ground(seed: int = 5) -> Image:
    """Return the empty place: grain, discs with numbers, and a cable."""
    rng = np.random.default_rng(seed)
    image = np.full((SIZE[1], SIZE[0], 3), (96, 120, 112), np.uint8)
    for number in range(2):
        centre = (int(rng.integers(13, SIZE[0] - 13)), int(rng.integers(13, SIZE[1] - 13)))
        cv2.circle(image, centre, 11, (205, 214, 216), -1, cv2.LINE_AA)
        cv2.putText(image, str(number + 2), (centre[0] - 4, centre[1] + 4), 0, 0.4, (30, 30, 160), 1, cv2.LINE_AA)
    cable = np.array([[0, 27], [60, 10], [113, 40], [239, 15]])
    cv2.polylines(image, [cable], isClosed=False, color=(235, 235, 235), thickness=3, lineType=cv2.LINE_AA)
    return image


def signs(seed: int = 3) -> list[Image]:
    """Return what stands on each face: strokes of no alphabet, bright on dark, `SIGN` square."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(12):
        sign = np.zeros((SIGN, SIGN), np.uint8)
        for _ in range(4):
            ends = rng.integers(SIGN // 4, 3 * SIGN // 4, (2, 2))
            cv2.line(sign, tuple(map(int, ends[0])), tuple(map(int, ends[1])), 255, 7, cv2.LINE_AA)
        found.append(sign)
    return found


def throw(rng: np.random.Generator, marks: list[Image], empty: Image) -> Thrown:
    """Draw a throw: a symmetry of the die by chance, at a place and a rotation by chance."""
    solid = facets(SHAPE)
    symmetry = int(rng.integers(len(solid.faces)))
    x, y = rng.uniform(73, 167), rng.uniform(80, 140)
    yaw = rng.uniform(0, 2 * np.pi)
    turn = CAMERA.sight(x, y) @ CAMERA.upright()
    turn = turn @ np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]]) @ solid.level
    scale = 39.0 * (1 + 0.0027 * (y - 100))
    image = empty.copy()
    body = solid.solid
    shadow = ((body.vertices @ turn.T)[:, :2] * scale * 1.08 + [x + 3, y + 3]).astype(np.int32)
    dark = image.copy()
    cv2.fillConvexPoly(dark, cv2.convexHull(shadow), (52, 66, 62), cv2.LINE_AA)
    image = np.asarray(cv2.addWeighted(image, 0.4, dark, 0.6, 0), np.uint8)
    facing = -(body.normals @ turn.T)[:, 2]
    for place in np.argsort(facing):
        if facing[place] <= 0:
            continue
        corners = ((body.vertices[body.rings[place]] @ turn.T)[:, :2] * scale + [x, y]).astype(np.float32)
        light = 0.55 + 0.45 * float((body.normals[place] @ turn.T) @ np.array([-0.45, -0.45, -0.77]))
        face, steps = int(solid.faces[symmetry, place]), int(solid.turns[symmetry, place])
        angles = -np.pi / 2 + 2 * np.pi * (np.arange(5) - steps) / 5
        flat = (np.column_stack([np.cos(angles), np.sin(angles)]) * SIGN / 2 + SIGN / 2).astype(np.float32)
        warp, _ = cv2.findHomography(flat, corners)
        cut = cv2.warpPerspective(marks[face], warp, SIZE, flags=cv2.INTER_AREA)
        inside = np.zeros(SIZE[::-1], np.uint8)
        cv2.fillConvexPoly(inside, corners.astype(np.int32), 255, cv2.LINE_AA)
        colour = np.array([150, 70, 45]) * light
        ink = (cut[..., None] / 255.0) * (np.array([235, 235, 235]) * (0.4 + 0.6 * light) - colour) + colour
        share = inside[..., None] / 255.0
        image = (image * (1 - share) + ink * share).astype(np.uint8)
    blurred = cv2.GaussianBlur(image, (0, 0), 0.8).astype(np.float32)
    grainy = np.clip(blurred + rng.normal(0, 2, blurred.shape), 0, 255).astype(np.uint8)
    return Thrown(grainy, int(solid.faces[symmetry, 0]), (x, y))

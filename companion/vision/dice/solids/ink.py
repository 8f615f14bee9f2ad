"""Moving poses of a solid to where its marks stand: each mark in the middle of its face.

The edges between the facets of a tumbled die can hardly be seen, its marks can. Five or six of them tell how a solid
leans to a few degrees.
"""

from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import PENTAGON, TRIANGLE, Points, grow, inside
from companion.vision.dice.solids.model import Batch, PinholeView, Poses, Solid, rotations, see
from companion.vision.readings import Image

INK_STEPS: Final = 5

LEAST_FACING: Final = 0.35
"""Marks tell if the cosine of the angle at which the camera sees their face is larger."""

MOST_FACES: Final = 7
"""So many faces at most tell, those that look at the camera most."""

INSIDE_SCALE: Final = 0.8
"""Marks stand inside the face's outline, made so much smaller."""

GRID_PLACES: Final = 20
"""A face is sampled in so many places across and down."""

MARK_FROM: Final = 0.45
MARK_TO: Final = 0.85
"""What differs from a face's colour counts as a mark from the first of these shares of the largest difference on, and
fully from the second on."""

PLAIN_CONTRAST: Final = 25.0
"""Marks that differ by less than this from their face (Lab) count less."""

ASTRAY_LENGTHS: Final = 0.12
"""A mark farther from the middle than this, in lengths of the solid, hardly counts: it may be glare, or an edge."""

STIFF: Final = np.array([0.075, 0.075, 0.075, 0.5, 0.5, 0.7])
"""How strongly rotation (3), place (2) and size resist: rotation and size in the solid's lengths, place in pixels."""

MOST_TURN: Final = 0.15
MOST_GROWTH: Final = 0.1
"""The most that one step turns the solid, in radians, or changes the logarithm of its size."""


def facing(solid: Solid, poses: Poses, view: PinholeView) -> Batch:
    """Return the cosine of the angle at which the camera sees each face, (n, faces); negative from behind."""
    rays = poses.middles(view)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    return np.asarray(-np.einsum("fk,njk,nj->nf", solid.normals, poses.turns, rays))


def centred(image: Image, solid: Solid, poses: Poses, view: PinholeView) -> Poses:
    """Return poses moved so that the marks on their faces stand in their middles."""
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 0.8), cv2.COLOR_BGR2LAB), np.uint8)
    places = {3: TRIANGLE, 5: PENTAGON}[solid.rings.shape[1]]
    rows = np.arange(len(poses))[:, None]
    for _ in range(INK_STEPS):
        seen, facings = see(solid, poses, view), facing(solid, poses, view)
        faces = np.argsort(-facings, axis=1)[:, :MOST_FACES]
        rings = solid.rings[faces]
        off, contrast = _off(lab, seen.pixels[rows[..., None], rings], places)
        scale = np.exp(poses.sizes)[:, None]
        towards = np.maximum(facings[rows, faces], 0.0)
        astray = np.linalg.norm(off, axis=2) / scale / ASTRAY_LENGTHS
        weight = (towards > LEAST_FACING) * towards**1.5 * np.minimum(contrast / PLAIN_CONTRAST, 1.0) / (1 + astray**2)
        right, down, away = np.moveaxis(seen.about[rows[..., None], rings].mean(axis=2), 2, 0) * scale
        none, one = np.zeros_like(right), np.ones_like(right)
        ways = np.stack(
            [
                np.stack([none, away, -down, one, none, right], axis=2),
                np.stack([-away, none, right, none, one, down], axis=2),
            ],
            axis=2,
        )
        ways = (weight[..., None, None] * ways).reshape(len(poses), -1, 6)
        pull = ways.transpose(0, 2, 1) @ (weight[..., None] * off).reshape(len(poses), -1, 1)
        stiff = STIFF * np.where([True, True, True, False, False, True], scale, 1.0)
        resisting = np.eye(6) * (stiff**2)[:, None]
        move = np.linalg.solve(ways.transpose(0, 2, 1) @ ways + resisting, pull)[..., 0]
        poses = Poses(
            rotations(np.clip(move[:, :3], -MOST_TURN, MOST_TURN)) @ poses.turns,
            poses.places + move[:, 3:5],
            poses.sizes + np.clip(move[:, 5], -MOST_GROWTH, MOST_GROWTH),
        )
    return poses


def _off(lab: Image, corners: Batch, places: Points) -> tuple[Batch, Batch]:
    """Return how far the marks of faces are from their middles, in pixels, and how much they differ from them (Lab).

    ``corners``: (n, faces, k, 2).
    """
    shares = _shares(len(places))
    spots = np.einsum("gk,nfkx->nfgx", shares, corners)
    across, down = np.asarray(spots.reshape(-1, len(shares), 2), np.float32).transpose(2, 0, 1)
    pixels = cv2.remap(lab, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    pixels -= np.median(pixels, axis=1, keepdims=True)
    differs = np.sqrt((pixels**2).sum(axis=2)).reshape(spots.shape[:3])
    last = round(0.97 * len(shares))
    most = np.partition(differs, last, axis=2)[..., last]
    mark = np.clip(differs / np.maximum(most, 1e-6)[..., None] - MARK_FROM, 0, MARK_TO - MARK_FROM)
    middle = np.einsum("nfg,nfgx->nfx", mark, spots) / np.maximum(mark.sum(axis=2), 1e-6)[..., None]
    return middle - corners.mean(axis=2), np.asarray(most, np.float64)


@cache
def _shares(corners: int) -> npt.NDArray[np.float64]:
    """Return the weights of a face's corners in each place where a mark may stand, (places, corners)."""
    shape = {3: TRIANGLE, 5: PENTAGON}[corners]
    even = (
        np.stack(np.meshgrid(np.arange(GRID_PLACES), np.arange(GRID_PLACES)), axis=-1).reshape(-1, 2) + 0.5
    ) / GRID_PLACES
    spots = np.array([spot for spot in even if inside(spot, grow(shape, INSIDE_SCALE))]) - shape.mean(axis=0)
    spread = shape - shape.mean(axis=0)
    return np.asarray(1 / corners + spots @ np.linalg.inv(spread.T @ spread) @ spread.T)

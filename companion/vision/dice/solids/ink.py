"""Moving the pose of a solid to where its marks stand: each mark in the middle of its face.

The edges between the facets of a tumbled die can hardly be seen, its marks can. Five or six of them tell how a solid
leans to a few degrees.
"""

from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import PATCH, PENTAGON, TRIANGLE, Points, cut, grow
from companion.vision.dice.solids.model import Batch, Poses, Seen, Solid, View, rotations, see
from companion.vision.readings import Image

STEPS: Final = 5

LEAST_FACING: Final = 0.35
"""Marks tell if the cosine of the angle at which the camera sees their face is larger."""

INSIDE: Final = 0.8
"""Marks stand inside the face's outline, made so much smaller."""

FROM: Final = 0.45
TO: Final = 0.85
"""What differs from a face's colour counts as a mark from the first of these shares of the largest difference on, and
fully from the second on."""

PLAIN: Final = 25.0
"""Marks that differ by less than this from their face (Lab) count less."""

ASTRAY: Final = 0.12
"""A mark farther from the middle than this, in lengths of the solid, hardly counts: it may be glare, or an edge."""

STIFF: Final = np.array([0.075, 0.075, 0.075, 0.5, 0.5, 0.7])
"""How strongly rotation (3), place (2) and size resist: rotation and size in the solid's lengths, place in pixels."""

MOST_TURN: Final = 0.15
MOST_GROWTH: Final = 0.1
"""The most that one step turns the solid, in radians, or changes the logarithm of its size."""

ALONG: Final = np.arange(PATCH)


def facing(solid: Solid, poses: Poses, view: View) -> Batch:
    """Return the cosine of the angle at which the camera sees each face, (n, faces); negative from behind."""
    rays = poses.middles(view)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    return np.asarray(-np.einsum("fk,njk,nj->nf", solid.normals, poses.turns, rays))


def centred(image: Image, solid: Solid, pose: Poses, view: View) -> Poses:
    """Return one pose moved so that the marks on its faces stand in their middles."""
    places = {3: TRIANGLE, 5: PENTAGON}[solid.rings.shape[1]]
    for _ in range(STEPS):
        seen, facings = see(solid, pose, view), facing(solid, pose, view)[0]
        scale = float(np.exp(pose.sizes[0]))
        rows, offs = [], []
        for face in np.flatnonzero(facings > LEAST_FACING):
            off, contrast = _off(image, seen, solid.rings[face], places)
            astray = float(np.linalg.norm(off)) / scale / ASTRAY
            weight = facings[face] ** 1.5 * min(contrast / PLAIN, 1.0) / (1 + astray**2)
            right, down, away = seen.about[0][solid.rings[face]].mean(axis=0)
            turned = np.array([[0.0, away, -down], [-away, 0.0, right]]) * scale
            rows.append(weight * np.column_stack([turned, np.eye(2), np.array([right, down]) * scale]))
            offs.append(weight * off)
        ways = np.vstack(rows)
        stiff = STIFF * np.array([scale, scale, scale, 1.0, 1.0, scale])
        move = np.linalg.solve(ways.T @ ways + np.diag(stiff**2), ways.T @ np.concatenate(offs))
        pose = Poses(
            rotations(np.clip(move[None, :3], -MOST_TURN, MOST_TURN)) @ pose.turns,
            pose.places + move[3:5],
            pose.sizes + np.clip(move[5], -MOST_GROWTH, MOST_GROWTH),
        )
    return pose


def _off(image: Image, seen: Seen, ring: npt.NDArray[np.intp], places: Points) -> tuple[Points, float]:
    """Return how far a face's mark is from its middle, in pixels, and how much it differs from the face (Lab)."""
    corners = seen.pixels[0][ring]
    patch = cv2.cvtColor(cut(image, corners, places), cv2.COLOR_BGR2LAB).astype(np.float32)
    inside = _inside(len(places))
    differs = np.linalg.norm(patch - np.median(patch[inside], axis=0), axis=2)
    differs = cv2.GaussianBlur(differs, (0, 0), 1.2)
    most = float(np.percentile(differs[inside], 97))
    mark = np.where(inside, np.clip(differs / max(most, 1e-6) - FROM, 0, TO - FROM), 0)
    place = np.array([mark.sum(axis=0) @ ALONG, mark.sum(axis=1) @ ALONG]) / max(float(mark.sum()), 1e-6)
    off = (place + 0.5) / PATCH - places.mean(axis=0)
    to_picture = np.linalg.lstsq(np.column_stack([places, np.ones(len(places))]), corners, rcond=None)[0]
    return np.asarray(off @ to_picture[:2]), most


@cache
def _inside(corners: int) -> npt.NDArray[np.bool_]:
    """Return where in a flat patch a mark may stand."""
    places = {3: TRIANGLE, 5: PENTAGON}[corners]
    cover = np.zeros((PATCH, PATCH), np.uint8)
    cv2.fillConvexPoly(cover, np.round(grow(places, INSIDE) * PATCH - 0.5).astype(np.int32), 1)
    return np.asarray(cover > 0)

"""Geometry of the outlines of found dice: duplicates, faces of one die, parts outside the picture, visible sides."""

from collections.abc import Collection, Sequence
from typing import Final

import cv2
import numpy as np

from companion.vision.dice.geometry import Places, Points, area, edge_length
from companion.vision.dice.locate import Found, Tetrahedron, UpperFace
from companion.vision.readings import Image

SAME_DIE_GAP_EDGES: Final = 0.25
"""The largest gap between the corners of two faces of one die, in edges. Rounded edges leave a gap."""

MOST_OVERLAP: Final = 0.1
"""Outlines overlap if more than this share of the smaller lies in the other. Inexact corners of two dice never cause
that much overlap."""

SAME_SIZE: Final = 0.78
"""The least ratio of the edges of two upper faces that touch: the camera is nearly as far from both."""

SAME_PLANE: Final = 0.2
"""The largest stretch between two faces of one plane (see `_unlike`), seen through a lens that is not very wide."""

LEAST_RISE: Final = 0.08
"""A tetrahedron's side is visible if its apex stands more than this many base edges inside its base line."""


def distinct(found: Found) -> Found:
    """Return the dice without duplicates: of upper faces that lie on each other, only the likeliest."""
    faces: list[UpperFace] = []
    places = Places()
    for face in sorted(found.faces, key=lambda one: -one.score):
        if not places.hold(face.corners):
            faces.append(face)
            places.add(face.corners)
    return Found(tuple(faces), found.tetrahedra)


def of_one_die(faces: Sequence[UpperFace], pairs: Collection[tuple[int, int]] = ()) -> list[list[int]]:
    """Return the indices of the faces, grouped by die: seen from the side, a die shows more than its upper face.

    Two found faces belong to one die, or are parts of one face, if they share an edge or overlap, and differ in
    foreshortening or in size. Upper faces of touching dice agree in both. ``pairs``: indices of faces that are known
    to belong to one die.
    """
    shapes = [_spread(face.corners) for face in faces]
    sizes = [size(face) for face in faces]

    def strange(i: int, j: int) -> bool:
        if (i, j) in pairs or (j, i) in pairs:
            return True
        alike = min(sizes[i], sizes[j]) > SAME_SIZE * max(sizes[i], sizes[j])
        if alike and _unlike(shapes[i], shapes[j]) < SAME_PLANE:
            return False
        one, other = faces[i].corners, faces[j].corners
        return share_an_edge(one, other) or overlap(one, other) > MOST_OVERLAP

    groups: list[list[int]] = []
    for i in range(len(faces)):
        joined = [group for group in groups if any(strange(i, j) for j in group)]
        groups = [group for group in groups if group not in joined]
        groups.append([i, *(j for group in joined for j in group)])
    return [sorted(group) for group in groups]


def size(face: UpperFace) -> float:
    """Return the edge of a square of the same area, in pixels."""
    return float(np.sqrt(abs(area(face.corners))))


def share_an_edge(one: Points, other: Points) -> bool:
    """Return whether both ends of an edge of one outline lie close to the ends of an edge of the other."""
    reach = SAME_DIE_GAP_EDGES * min(edge_length(one), edge_length(other))
    distances = np.linalg.norm(one[:, None] - other[None], axis=2)
    # both outlines run clockwise, so they follow a shared edge in opposite directions
    ends = np.maximum(distances, np.roll(np.roll(distances, -1, axis=0), 1, axis=1))
    return bool(ends.min() < reach)


def overlap(one: Points, other: Points) -> float:
    """Return the share of the smaller of two convex outlines that lies in the other."""
    common, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(common) / max(min(abs(area(one)), abs(area(other))), 1e-9)


def covers(one: Points, other: Points) -> float:
    """Return the intersection over union of two convex outlines."""
    common, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(common) / max(abs(area(one)) + abs(area(other)) - float(common), 1e-9)


def _spread(corners: Points) -> Points:
    """Return the second moments of a face's corners, scaled to determinant 1.

    They are the same for every rotation of a regular face in its plane.
    """
    off = corners - corners.mean(axis=0)
    moments = off.T @ off
    scaled: Points = moments / max(float(np.sqrt(np.linalg.det(moments))), 1e-9)
    return scaled


def _unlike(one: Points, other: Points) -> float:
    """Return how differently two faces are foreshortened: the logarithm of the stretch between them, 0 if equal."""
    ratio = float(np.trace(np.linalg.solve(one, other)) / 2)
    return float(np.arccosh(max(1.0, ratio)) / 2)


def share_inside(corners: Points, picture: tuple[int, int]) -> float:
    """Return the share of a convex outline that lies in a picture of this height and width."""
    high, wide = picture
    frame = np.array([[0, 0], [wide - 1, 0], [wide - 1, high - 1], [0, high - 1]], np.float64)
    common, _ = cv2.intersectConvexConvex(corners.astype(np.float32), frame.astype(np.float32))
    return float(common) / max(abs(area(corners)), 1e-9)


def leaves(corners: Points, image: Image) -> bool:
    """Return whether an outline reaches beyond the picture or to its last pixel."""
    height, width = image.shape[:2]
    return bool((corners < 1).any() or (corners[:, 0] > width - 2).any() or (corners[:, 1] > height - 2).any())


def visible_sides(one: Tetrahedron) -> list[tuple[int, Points]]:
    """Return the sides that the camera sees, each with its number around the base (clockwise, 0 to 2).

    Each side consists of the apex and two base corners, clockwise.
    """
    if one.apex is None:
        return []
    sides = []
    for i in range(3):
        side = np.array([one.apex, one.base[i], one.base[(i + 1) % 3]])
        rise = 2 * area(side) / float(np.linalg.norm(side[1] - side[2]))
        if rise > LEAST_RISE * edge_length(one.base):
            sides.append((i, side))
    return sides

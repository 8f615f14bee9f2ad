"""A second search for square upper faces where their plane is known.

Dice that touch look like one thing to the locator: it finds one outline for two of them, a tetrahedron, or nothing. If
the plane is known, so is what each upper face looks like anywhere in the picture. The corner net then looks wherever a
face has room beside the dice that were found, on something marked of their colour, and keeps what lies in the plane.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.vision.dice.corners import Corners
from companion.vision.dice.faces import Vectors
from companion.vision.dice.geometry import SQUARE, Points, area, clockwise, cut_flat, edge_length
from companion.vision.dice.locate import Found, Impression, UpperFace
from companion.vision.dice.memory.body import OTHER_COLOUR_DISTANCE, bodies, colours
from companion.vision.dice.memory.plane import agrees
from companion.vision.dice.outlines import overlap, share_an_edge
from companion.vision.dice.scene import Scene, find_scene
from companion.vision.dice.tetrahedra.pose import strain
from companion.vision.readings import Image, ReadDie

CLEAR_CORNER_EDGES: Final = 0.14
"""A face is found if its corners are off by no more than this, in edges."""

LEAST_CLEAR_FACES: Final = 2
"""So many clear faces of one picture show the plane of all."""

LEAST_DIE_CHANCE: Final = 0.8
"""The least chance that an outline is a face of a die, at which it counts as found, and for a new one."""

MOST_STRAIN: Final = 0.06
"""A tetrahedron with more strain than this may be something else."""

RING_EDGES: Final = 1.2
RING_DIRECTIONS: Final = 12
"""The distance of a touching die's middle, in edges, and the number of directions that are tried."""

GRID_EDGES: Final = 0.5
"""The distance of the middles that are tried within an unclear outline, in edges."""

START_SPACING_EDGES: Final = 0.2
"""Starts are no nearer to each other than this, in edges: the net corrects more than half of it."""

SQUARE_TURNS: Final = 2
"""How many ways a square is turned at each place that is tried."""

CLOSEST_EDGES: Final = 0.8
"""No two upper faces are nearer to each other than this, in edges."""

MOST_STARTS: Final = 192
"""In a picture full of print the corner net begins at no more places than this: those beside the clear dice, and then
those in the likeliest outlines."""

LIKELY_CHANCE: Final = 0.5
MOST_OUTLINES: Final = 16
"""After one pass, only so many outlines with at least this chance to be a die get another."""

SAMPLED: Final = np.linspace(0.2, 0.8, 7)
"""Where the colour of a square is taken along each of its edges, in edges: not at the edges, which are worn."""

ON_SQUARE: Final = 0.14
"""The most that a corner may be off the plane's square, in edges."""

MOST_OVERLAP: Final = 0.12
"""The share of a new face that may lie in another."""

ASIDE_SIZES: Final = (0.72, 1.9)
"""What was set aside may be a die if its edge, in edges of those that were not, lies between these: not much smaller
(`upper.ASKED_SIZE`), and no larger than two faces of a die together."""


def outlined(faces: Sequence[UpperFace]) -> list[UpperFace]:
    """Return what are surely square faces of dice: upper ones, sides, or parts of them."""
    return [
        face
        for face in faces
        if len(face.corners) == len(SQUARE) and face.score > LEAST_DIE_CHANCE and face.error < CLEAR_CORNER_EDGES
    ]


def plane_of(faces: Sequence[UpperFace], picture: tuple[int, int]) -> Scene | None:
    """Return the plane in which the clear square faces of one picture lie; None where too few agree.

    ``picture``: its height and width.
    """
    clear = outlined(faces)
    scene = find_scene([face.corners for face in clear], [face.score * face.on_top for face in clear], picture)
    return scene if scene is not None and scene.faces >= LEAST_CLEAR_FACES else None


def clear_faces(scene: Scene, faces: Sequence[UpperFace]) -> list[UpperFace]:
    """Return the faces that are surely upper faces of cubes, as far as their outlines tell."""
    return [face for face in outlined(faces) if agrees(scene, face.corners)]


def with_missing(image: Image, found: Found, scene: Scene, wanted: int | None, corners: Corners) -> Found:
    """Return the dice with those that were missed, if fewer than ``wanted`` were found clearly; None: any number.

    It searches the unclear outlines and what touches the clear ones and has their colour. A new face takes the place
    of unclear outlines that it overlaps.
    """
    most = np.inf if wanted is None else wanted
    clear, before = clear_faces(scene, found.faces), 0
    while before < len(clear) < most:  # what was found may touch another one that is missing
        found = _searched(image, found, scene, corners, most=most, since=before)
        before, clear = len(clear), clear_faces(scene, found.faces)
    return found


def dropped(image: Image, dice: Sequence[ReadDie]) -> list[ReadDie]:
    """Return what was set aside though it has the size and the colour of the dice, and lies at a distance from them.

    It may be a die that was outlined wrongly. Only square outlines count.
    """
    faces = [(die, np.array(die.polygon)) for die in dice if len(die.polygon) == len(SQUARE)]
    there = [corners for die, corners in faces if die.status != "ignored"]
    if not there:
        return []
    usual, known = float(np.median([_large(one) for one in there])), _bodies(image, there)
    return [
        die
        for die, corners in faces
        if die.status == "ignored"
        and ASIDE_SIZES[0] < _large(corners) / usual < ASIDE_SIZES[1]
        and not any(overlap(corners, one) > MOST_OVERLAP or share_an_edge(corners, one) for one in there)
        and np.median(np.linalg.norm(known - _bodies(image, [corners]), axis=1)) < OTHER_COLOUR_DISTANCE
    ]


def _large(corners: Points) -> float:
    return float(np.sqrt(abs(area(corners))))


def _searched(image: Image, found: Found, scene: Scene, corners: Corners, *, most: float, since: int) -> Found:
    """Return the dice, at most so many, after one search beside the clear ones from number ``since`` on.

    The first search looks into the unclear outlines, too.
    """
    clear = clear_faces(scene, found.faces)
    unclear = [face for face in found.faces if not any(face is one for one in clear)]
    solids = [one for one in found.tetrahedra if len(found.tetrahedra) == 1 and strain(one) < MOST_STRAIN]
    touched, vague = [face.corners for face in clear[since:]], []
    if not since:
        vague = [face.corners for face in unclear]
        vague += [one.outline() for one in found.tetrahedra if not any(one is solid for solid in solids)]
        touched += [one.base for one in found.tetrahedra]
    height, width = image.shape[:2]
    squares = _starts(scene, [face.corners for face in clear], touched, vague)
    squares = [one for one in squares if (one >= 0).all() and (one < [width - 1, height - 1]).all()]
    known = _bodies(image, [one.corners for one in clear])
    starts = [UpperFace(square, 1.0) for square in _coloured(image, squares, known)[:MOST_STARTS]]
    first = [one for one in corners.rounds(image, starts, 1) if one.score > LIKELY_CHANCE and np.isfinite(one.error)]
    first.sort(key=lambda one: one.error)
    likely = [replace(one, corners=scene.square(one.corners)) for one in _separate(first)[:MOST_OUTLINES]]
    again = corners.rounds(image, likely)
    taken = [face.corners for face in clear] + [one.outline() for one in solids]
    new: list[UpperFace] = []
    for face in sorted(again, key=lambda one: one.error):
        if len(new) == most - len(clear):
            break
        if not _is_new(face, scene) or any(overlap(face.corners, one) >= MOST_OVERLAP for one in taken):
            continue
        if np.linalg.norm(known - _bodies(image, [face.corners]), axis=1).min() < OTHER_COLOUR_DISTANCE:
            seen = Impression(face.score, face.score, face.error, face.on_top)
            new.append(UpperFace(clockwise(face.corners), face.score, face.error, on_top=face.on_top, impression=seen))
            taken.append(face.corners)
    if not new:
        return found
    left = [face for face in unclear if not any(_meet(face.corners, one.corners) for one in new)]
    other = [one for one in found.tetrahedra if not any(_meet(one.base, face.corners) for face in new)]
    return Found((*clear, *new, *left), tuple(other) or found.tetrahedra)


def _is_new(face: UpperFace, scene: Scene) -> bool:
    if face.score < LEAST_DIE_CHANCE or face.error > CLEAR_CORNER_EDGES or not agrees(scene, face.corners):
        return False
    off = np.linalg.norm(scene.square(face.corners) - face.corners, axis=1).max()
    return bool(off < ON_SQUARE * edge_length(face.corners))


def _bodies(image: Image, faces: Sequence[Points]) -> Vectors:
    return bodies([cut_flat(image, corners, SQUARE) for corners in faces])


def _coloured(image: Image, squares: Sequence[Points], known: Vectors) -> list[Points]:
    """Return the squares that lie on something marked of the colour of known dice; this costs far less than a net."""
    if not squares:
        return []
    right, down = np.meshgrid(SAMPLED, SAMPLED)
    shares = np.stack([(1 - right) * (1 - down), right * (1 - down), right * down, (1 - right) * down]).reshape(4, -1)
    places = np.rint(np.einsum("nkx,kp->npx", np.array(squares), shares)).astype(np.intp)
    shown = image[places[..., 1], places[..., 0]]
    body = colours(np.median(shown, axis=1))
    away = np.linalg.norm(known[:, None] - body, axis=2).min(axis=0)
    marked = np.linalg.norm(colours(shown).reshape(*shown.shape) - body[:, None], axis=2).max(axis=1)
    likely = (away < OTHER_COLOUR_DISTANCE) & (marked > OTHER_COLOUR_DISTANCE)
    return [square for square, one in zip(squares, likely, strict=True) if one]


def _starts(scene: Scene, clear: Sequence[Points], beside: Sequence[Points], vague: Sequence[Points]) -> list[Points]:
    """Return the squares of the plane from which the corner net looks for a face.

    ``clear``: outlines of faces where no other one can be; ``beside``: outlines of dice that another one may touch;
    ``vague``: outlines that may hold a face, or two.
    """
    edge = scene.size
    ways = np.arange(RING_DIRECTIONS) * 2 * np.pi / RING_DIRECTIONS
    ring = RING_EDGES * edge * np.column_stack([np.cos(ways), np.sin(ways)])
    places = [np.zeros((0, 2)), *(middle + ring for middle in _middles(scene, beside))]
    for outline in vague:
        lies = scene.on_plane(outline)
        middle, reach = (lies.min(axis=0) + lies.max(axis=0)) / 2, np.ptp(lies, axis=0) / 2 + edge / 4
        steps = [one * np.linspace(-1, 1, 1 + 2 * int(np.ceil(one / (GRID_EDGES * edge)))) for one in reach]
        places.append(middle + np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 2))
    free: list[Points] = []
    there = list(_middles(scene, clear))
    for middle in np.concatenate(places):
        far = np.linalg.norm(np.array(there) - middle, axis=1) / edge
        if (far[: len(clear)] > CLOSEST_EDGES).all() and (far[len(clear) :] > START_SPACING_EDGES).all():
            free.append(middle)
            there.append(middle)
    turns = np.arange(SQUARE_TURNS)[:, None] * np.pi / (2 * SQUARE_TURNS) + np.arange(4) * np.pi / 2
    squares = edge / np.sqrt(2) * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    return [scene.seen(middle + square) for middle in free for square in squares]


def _middles(scene: Scene, outlines: Sequence[Points]) -> Points:
    return scene.on_plane(np.array([one.mean(axis=0) for one in outlines]).reshape(-1, 2))


def _separate(faces: Sequence[UpperFace]) -> list[UpperFace]:
    """Return the faces without those that lie nearly as an earlier one does."""
    kept: list[UpperFace] = []
    for face in faces:
        middle = face.corners.mean(axis=0)
        reach = 0.1 * edge_length(face.corners)
        if not any(np.linalg.norm(one.corners.mean(axis=0) - middle) < reach for one in kept):
            kept.append(face)
    return kept


def _meet(one: Points, other: Points) -> bool:
    return overlap(one, other) > MOST_OVERLAP

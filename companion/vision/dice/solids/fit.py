"""Fitting the pose of a solid to a picture: many starts near found outlines, each moved towards the nearby edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from companion.vision.dice.geometry import Points, area
from companion.vision.dice.solids.edges import (
    COARSE,
    CREASE_KIND,
    FINE,
    OUTLINE_KIND,
    EdgeEvidence,
    Lines,
    Patch,
    shrunk,
)
from companion.vision.dice.solids.model import (
    Batch,
    Numbers,
    PinholeView,
    Poses,
    SeenSolids,
    Solid,
    facing,
    rotations,
    see,
)
from companion.vision.readings import Image

COARSE_ACROSS: Final = 46.0
FINE_ACROSS: Final = 74.0
"""The size of a die in its patch during the search, and during the exact fit: pixels from corner to opposite corner."""

SIZES: Final = (0.618, 0.8, 1.0, 1.27, 1.618)
"""The die's possible sizes, relative to its apparent size by a found outline. For example, an icosahedron's triangle
through the far corners of three neighbours is 1.618 times the upper face."""

POSES_TRIED: Final = 420
"""How many poses get a rough score before the search follows the best of them."""

POSES_FOLLOWED: Final = 8
"""How many of these poses the search follows, each with its point-reflected pose, which has the same outline."""

EXACT_FITS: Final = 8
"""How many poses get an exact fit."""

OUTLINES_BEGUN: Final = 3
"""How many outlines give starts of their own, besides the poses scattered near all outlines."""

AS_FOUND: Final = 4
"""How many of the first outline's own starts get an exact fit in any case: as it is, leaning either way, and
point-reflected."""

SEEK_LENGTHS: Final = 1.6
"""The reach of the search for a die, in lengths from corner to opposite corner."""

SAME_POSE_LIMITS: Final = np.array([0.06, 0.1, 0.2])
"""Two poses are nearly the same if they differ by no more than this in place, size and corners: places in lengths from
corner to opposite corner, sizes as logarithms, corners in half of that length."""

TOGETHER: Final = np.array([0.3, 0.22])
"""Poses share one patch if their places and sizes differ by less than this."""

MOST_LEAN_RADIANS: Final = 0.38
"""The largest lean of the upper face against the picture in the scattered poses, in radians."""

COARSE_STEPS: Final = ((6, 2), (6, 2), (4, 2))
FINE_STEPS: Final = ((5, 1), (4, 1), (3, 1), (2, 1), (2, 1), (1, 1))
"""For each step of the fit: the reach of the search on both sides of an edge, and its interval, in pixels."""

PIXELS_PER_OBSERVATION: Final = 6.0
"""How many pixels of an edge count as one independent observation."""

WEIGHTS: Final = np.array([0.15, 0.3, 1.8])
"""The weights of outline, creases and marks: those that pick the right one of the found poses best, chosen on drawings
with the training fonts."""

STIFF: Final = np.array([3.0, 3.0, 3.0, 0.01, 0.01, 5.0])
"""How strongly each unknown resists moving without evidence: rotation (3), place (2), size."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Poses that the picture may show, the likeliest first.

    ``evidence`` (n, 3): log odds against other poses by the outline, the creases and the marks, as if every
    `PIXELS_PER_OBSERVATION` of an edge were an independent observation. ``scores`` (n): their weighted sum, see
    `WEIGHTS`.
    """

    poses: Poses
    evidence: Batch
    scores: Batch


def starts(solid: Solid, outline: Points, view: PinholeView) -> Poses:
    """Return poses in which an outline of the picture is the upper face, or a shape often mistaken for it.

    They take the outline as it is, level or leaning either way; point-reflected; and both with other sizes.
    """
    flat = (solid.vertices[solid.rings[0]] @ solid.upright.T)[:, :2]
    flat = flat - flat.mean(axis=0)
    placed = outline - outline.mean(axis=0)
    fits = [np.linalg.lstsq(np.roll(flat, k, axis=0), placed, rcond=None) for k in range(len(flat))]
    matrix = min(fits, key=lambda fit: float(np.sum(fit[1])))[0].T
    left, stretch, right = np.linalg.svd(matrix)
    if np.linalg.det(left) < 0:
        left, right = left * [1, -1], right * [[1], [-1]]
    level = left @ right
    yaw = float(np.arctan2(level[1, 0], level[0, 0]))
    lean = left[:, 0] * np.arccos(np.clip(stretch[1] / stretch[0], 0.5, 1.0))
    none, half = np.zeros(2), np.pi
    ways = [(0.0, none, 1.0), (0.0, lean, 1.0), (0.0, -lean, 1.0), (half, none, 1.0), (half, none, 0.618)]
    ways += [(half, none, 1.618), (0.0, none, 1.3)]
    turns = facing(solid, np.array([yaw + way[0] for way in ways]), np.array([way[1] for way in ways]))
    scale = stretch[0] * np.array([way[2] for way in ways])
    return _under(solid, turns, outline.mean(axis=0), scale, view)


def _under(solid: Solid, turns: Batch, place: Points, scale: Batch, view: PinholeView) -> Poses:
    """Return the poses whose face 0 has its middle at a place (pixels); ``turns`` are relative to the line of sight."""
    ray = np.append((place - view.middle) / view.focal, 1.0)
    turns = _towards(ray) @ turns
    ground = solid.vertices[solid.rings[0]].mean(axis=0)
    there = ray * (view.focal / scale)[:, None] - ground @ turns.transpose(0, 2, 1)
    return Poses(turns, view.middle + view.focal * there[:, :2] / there[:, 2:], np.log(view.focal / there[:, 2]))


def _towards(ray: Points) -> Points:
    """Return the rotation from the picture's normal to a line of sight."""
    turn = np.cross([0.0, 0.0, 1.0], ray / np.linalg.norm(ray))
    sine = float(np.linalg.norm(turn))
    return np.asarray(rotations((turn / max(sine, 1e-9) * np.arcsin(min(sine, 1.0)))[None])[0])


@cache
def _scattered(number: int) -> Batch:
    """Return evenly scattered numbers from 0 to 1, (number, 6): Halton's sequence, the same on every call."""
    columns = []
    for base in (2, 3, 5, 7, 11, 13):
        digits = np.arange(1, number + 1)
        value, share = np.zeros(number), 1.0
        while digits.any():
            share /= base
            value += share * (digits % base)
            digits = digits // base
        columns.append(value)
    return np.stack(columns, axis=1)


def scattered(solid: Solid, outlines: Sequence[Points]) -> Poses:
    """Return poses with many rotations, sizes and places near found outlines, face 0 up."""
    dice = _scattered(POSES_TRIED)
    which = np.arange(POSES_TRIED) % len(outlines)
    middles = np.array([one.mean(axis=0) for one in outlines])[which]
    scales = np.array([seeming(solid, one) for one in outlines])[which]
    size = (
        scales
        * np.array(SIZES)[(np.arange(POSES_TRIED) // len(outlines)) % len(SIZES)]
        * np.exp(0.2 * (dice[:, 0] - 0.5))
    )
    lean = (
        MOST_LEAN_RADIANS
        * np.sqrt(dice[:, 2])
        * np.stack([np.cos(dice[:, 3] * 2 * np.pi), np.sin(dice[:, 3] * 2 * np.pi)])
    )
    turns = facing(solid, dice[:, 1] * solid.again, lean.T)
    off = (dice[:, 4:6] - 0.5) * (0.66 * solid.across * size)[:, None]
    return Poses(turns, middles + off, np.log(size))


def seeming(solid: Solid, outline: Points) -> float:
    """Return the scale in pixels per length of the solid if an outline is one of its faces, seen without tilt."""
    flat = (solid.vertices[solid.rings[0]] @ solid.upright.T)[:, :2]
    return float(np.sqrt(abs(area(outline)) / abs(area(flat))))


def fit(image: Image, solid: Solid, outlines: Sequence[Points], view: PinholeView) -> Fit:
    """Return the poses that a picture may show near the found outlines (pixels) of one die.

    The first outline is the likeliest face of the die.
    """
    usual = float(np.median([seeming(solid, one) for one in outlines])) * solid.across
    middle = np.mean([one.mean(axis=0) for one in outlines], axis=0)
    small, cut = shrunk(image, middle, SEEK_LENGTHS * usual, min(1.0, max(SIZES) * FINE_ACROSS / usual))
    near = [one * cut.scale + cut.shift for one in outlines]
    found = _fit(small, solid, near, view.zoomed(cut.scale, cut.shift), usual * cut.scale)
    return Fit(found.poses.zoomed(1 / cut.scale, -cut.shift / cut.scale), found.evidence, found.scores)


def _fit(image: Image, solid: Solid, outlines: Sequence[Points], view: PinholeView, across: float) -> Fit:
    patch = Patch.around(np.mean([one.mean(axis=0) for one in outlines], axis=0), COARSE_ACROSS / across)
    far = view.zoomed(patch.scale, patch.shift)
    evidence = EdgeEvidence(image, patch, COARSE)
    many = scattered(solid, outlines).zoomed(patch.scale, patch.shift)
    followed = many.taken(_best(many, _rough(solid, many, far, evidence), POSES_FOLLOWED, solid))
    followed = followed.and_more(_reflected(followed, far))
    for outline in outlines[:OUTLINES_BEGUN]:
        followed = followed.and_more(starts(solid, outline, view).zoomed(patch.scale, patch.shift))
    followed = _drawn(solid, followed, far, evidence, COARSE_STEPS)
    kept = followed.taken(_best(followed, _rough(solid, followed, far, evidence), EXACT_FITS, solid))
    kept = kept.zoomed(1 / patch.scale, -patch.shift / patch.scale)
    # in the coarse patch a faint die's edges are weak evidence: so the first outline also gets an exact fit as it is
    return _exact(image, solid, kept.and_more(starts(solid, outlines[0], view).taken(np.arange(AS_FOUND))), view)


def _rough(solid: Solid, poses: Poses, view: PinholeView, evidence: EdgeEvidence) -> Batch:
    lines = Lines.of(solid, see(solid, poses, view), 3)
    return np.asarray((evidence.at(lines.points, lines.across, lines.kinds).mean(axis=2) * lines.weights).sum(axis=1))


def _reflected(poses: Poses, view: PinholeView) -> Poses:
    """Return poses with nearly the same outline whose upper face is point-reflected, as if the depth were reversed.

    Each of these solids is its own point reflection. So mirroring one in depth equals half a turn about the line of
    sight.
    """
    rays = poses.middles(view)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    halves = 2 * rays[:, :, None] * rays[:, None] - np.eye(3)
    return Poses(halves @ poses.turns, poses.places, poses.sizes)


def _best(poses: Poses, scores: Batch, number: int, solid: Solid) -> Numbers:
    """Return the indices of the best poses, no two of them nearly the same."""
    order = np.argsort(-scores)[: 6 * number]
    return np.asarray(order[distinct(poses.taken(order), solid, number)])


def distinct(poses: Poses, solid: Solid, number: int | None = None) -> Numbers:
    """Return the indices of the first poses, no two of them nearly the same."""
    chosen: list[int] = []
    for row in range(len(poses)):
        if len(chosen) == number:
            break
        across = float(np.exp(poses.sizes[row])) * solid.across
        if all(
            np.linalg.norm(poses.places[row] - poses.places[other]) > SAME_POSE_LIMITS[0] * across
            or abs(poses.sizes[row] - poses.sizes[other]) > SAME_POSE_LIMITS[1]
            or _distance(solid, poses.turns[row], poses.turns[other]) > SAME_POSE_LIMITS[2]
            for other in chosen
        ):
            chosen.append(row)
    return np.array(chosen, np.intp)


def _distance(solid: Solid, one: Points, other: Points) -> float:
    """Return the largest distance between the corners of a solid in two rotations, in units of its radius."""
    a, b = solid.vertices @ one.T, solid.vertices @ other.T
    off = ((a[:, None] - b[None]) ** 2).sum(axis=2).min(axis=1).max()
    return float(np.sqrt(off) / (solid.across / 2))


def _exact(image: Image, solid: Solid, poses: Poses, view: PinholeView) -> Fit:
    """Return exactly fitted poses; each gets its evidence from a patch that it fills."""
    left = np.arange(len(poses))
    done: list[tuple[Poses, Batch]] = []
    while len(left):
        first = left[0]
        near = np.abs(poses.sizes[left] - poses.sizes[first]) < TOGETHER[1]
        distances = np.linalg.norm(poses.places[left] - poses.places[first], axis=1)
        near &= distances < TOGETHER[0] * np.exp(poses.sizes[first]) * solid.across
        rows, left = left[near], left[~near]
        place, size = np.median(poses.places[rows], axis=0), float(np.exp(np.median(poses.sizes[rows])))
        patch = Patch.around(place, FINE_ACROSS / size / solid.across)
        close = view.zoomed(patch.scale, patch.shift)
        evidence = EdgeEvidence(image, patch, FINE)
        moved = _drawn(solid, poses.taken(rows).zoomed(patch.scale, patch.shift), close, evidence, FINE_STEPS)
        weighed = _evidence_of(solid, moved, close, evidence)
        done.append((moved.zoomed(1 / patch.scale, -patch.shift / patch.scale), weighed))
    every = done[0][0]
    for one in done[1:]:
        every = every.and_more(one[0])
    weighed = np.concatenate([one[1] for one in done])
    order = np.argsort(-(weighed @ WEIGHTS))
    return Fit(every.taken(order), weighed[order], (weighed @ WEIGHTS)[order])


def _evidence_of(solid: Solid, poses: Poses, view: PinholeView, evidence: EdgeEvidence) -> Batch:
    """Return the evidence for each pose, (n, 3): from its outline, its creases and the marks on its faces."""
    seen = see(solid, poses, view)
    lines = Lines.of(solid, seen, 8)
    around = lines.points[..., None, :] + lines.across[:, :, None, None] * np.array([-1.0, 0.0, 1.0])[:, None]
    logs = (
        evidence.at(around, lines.across, lines.kinds).max(axis=3).mean(axis=2) * lines.weights / PIXELS_PER_OBSERVATION
    )
    edges = [(logs * (lines.kinds == kind)).sum(axis=1) for kind in (OUTLINE_KIND, CREASE_KIND)]
    corners = seen.pixels[:, solid.rings]
    x, y = corners[..., 0], corners[..., 1]
    areas = np.abs((x * np.roll(y, -1, axis=2) - np.roll(x, -1, axis=2) * y).sum(axis=2)) / 2
    marks = (evidence.of_faces(solid, seen) * areas).sum(axis=1) / areas.max(axis=1)
    return np.stack([*edges, marks], axis=1)


def _drawn(
    solid: Solid, poses: Poses, view: PinholeView, evidence: EdgeEvidence, steps: Sequence[tuple[int, int]]
) -> Poses:
    """Return poses moved towards the edges near them, step by step; see `COARSE_STEPS`."""
    for reach, interval in steps:
        seen = see(solid, poses, view)
        lines = Lines.of(solid, seen, 4)
        pose, edge = np.nonzero(lines.kinds >= 0)
        across = lines.across[pose, edge]
        offsets = np.arange(-(reach // interval), reach // interval + 1) * float(interval)
        around = lines.points[pose, edge][:, :, None] + across[:, None, None] * offsets[:, None]
        logs = evidence.at(around, across, lines.kinds[pose, edge])
        logs = logs - (0.5 * (offsets / (0.6 * reach + 0.5)) ** 2).astype(np.float32)
        best = logs.max(axis=2)
        share = np.exp(logs - best[..., None]) @ np.stack([np.ones(len(offsets)), offsets, offsets**2], axis=1)
        off = share[..., 1] / share[..., 0]
        spread = share[..., 2] / share[..., 0] - off**2
        trust = 1 / (1 + np.exp(0.6 - 2 * best)) / (spread + 0.5)
        weights = np.minimum(lines.lengths[pose, edge] / 8, 1.5)[:, None] * trust
        ways = _ways(solid, seen, lines, view)[pose, edge]
        leant = ways * weights[..., None]
        # the edges of one pose are consecutive
        begins = np.searchsorted(pose, np.arange(len(poses)))
        pull = np.add.reduceat((leant * off[..., None]).sum(axis=1), begins)
        normal = np.add.reduceat(leant.transpose(0, 2, 1) @ ways, begins)
        move = np.linalg.solve(normal + np.diag(STIFF) * (1 + reach), pull[..., None])[..., 0]
        poses = Poses(
            rotations(np.clip(move[:, :3], -0.25, 0.25)) @ poses.turns,
            poses.places + move[:, 3:5],
            poses.sizes + np.clip(move[:, 5], -0.2, 0.2),
        )
    return poses


def _ways(solid: Solid, seen: SeenSolids, lines: Lines, view: PinholeView) -> Batch:
    """Return the Jacobian: how far each point moves across its edge for each unknown, (n, e, s, 6)."""
    depth = seen.depths
    x, y, z = (seen.about[..., k] for k in range(3))
    right, down = ((seen.pixels[..., k] - view.middle[k]) / depth for k in (0, 1))
    lens = view.focal / depth
    size = seen.middles[:, None, 2] / depth
    moves = np.empty((*depth.shape, 2, 6))
    # a small turn w moves a place r about the middle by w x r
    moves[..., 0, 0], moves[..., 1, 0] = -right * y, -lens * z - down * y
    moves[..., 0, 1], moves[..., 1, 1] = lens * z + right * x, down * x
    moves[..., 0, 2], moves[..., 1, 2] = -lens * y, lens * x
    moves[..., 0, 3], moves[..., 1, 3] = size, 0.0
    moves[..., 0, 4], moves[..., 1, 4] = 0.0, size
    middle = seen.middles[:, None]
    # a solid that appears larger is nearer
    moves[..., 0, 5] = -(lens * middle[..., 0] - right * middle[..., 2])
    moves[..., 1, 5] = -(lens * middle[..., 1] - down * middle[..., 2])
    one, other = ((moves[:, solid.edges[:, end]] * lines.across[..., None]).sum(axis=2) for end in (0, 1))
    along = lines.along[:, None]
    return np.asarray(one[:, :, None] * (1 - along) + other[:, :, None] * along)

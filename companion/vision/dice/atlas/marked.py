"""How a die lies, as far as what all its faces have in common shows it: a mark in the middle, and bare edges.

What it looks like depends on the place of the face and on the die's rotation; so it is learnt for each face of the
solid and each of some rotations, from all throws together, beginning with a plain spot in the middle of each face.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.vision.dice.atlas.facets import RINGS, Facets, Floats
from companion.vision.dice.atlas.pose import Camera, LyingThrow, Pose, Vector, Visible, visible

YAW_STEP: Final = 4.0
"""The distance between the rotations that are tried first, in degrees."""

LEAST_STEPS_BETWEEN: Final = 2
"""Two rotations that are followed are more than so many of these steps apart."""

ROTATION_BINS: Final = 24
"""What the faces have in common is learnt for so many rotations of the die."""

NEAR_BINS: Final = 2.0
"""A throw teaches the rotations within about so many bins of its own."""

SPOT_RADIUS: Final = 0.55
"""The radius of the spot that is searched for at first, in radii of the circle inside the face."""

PLAIN_SPOT_WEIGHT: Final = 0.7
"""How many throws the plain spot counts for."""

STEPS: Final = np.array([np.radians(3), 0.035, 0.035, np.radians(3), np.radians(3), 0.02])
"""The first step of the search along each number of a `Pose`."""

LIMITS: Final = np.array([np.radians(9), 0.1, 0.1, np.radians(6), np.radians(6), 0.06])
"""How far each number may move from where the search begins."""

LIMIT_LOSS: Final = 0.03
"""How much a pose loses that has moved to all its limits."""

STEP_TRIES: Final = 3
"""How often a step size is tried along all numbers before it is halved."""

FAINT_OWN: Final = 0.25
"""A face's own marks shorter than this, of 1, is treated as noise."""

MARKING_ROUNDS: Final = 3

Target = Callable[[Pose, Visible], Floats]
"""What the visible faces should look like, (n, samples) of length 1."""


def fit(seen: Visible, target: Floats) -> float:
    """Return how well faces look like a target: the weighted mean of their correlations."""
    return float((seen.samples * target).sum(axis=1) @ seen.facing / seen.facing.sum())


@dataclass(frozen=True, eq=False)
class Common:
    """What all faces share: (faces, `ROTATION_BINS`, samples), each of length 1. ``camera``: how the table is seen."""

    solid: Facets
    camera: Camera
    table: Floats

    @classmethod
    def plain(cls, solid: Facets, camera: Camera, sign: float) -> "Common":
        """Return a spot in the middle of each face, bright with ``sign`` 1, dark with -1."""
        table = np.broadcast_to(sign * spot(solid), (len(solid.points), ROTATION_BINS, len(solid.weights)))
        return cls(solid, camera, np.asarray(table, np.float32))

    def target(self, pose: Pose, seen: Visible) -> Floats:
        """Return what the visible faces have in common with all."""
        return np.asarray(self.table[seen.faces, self._bin(pose)], np.float32)

    def see(self, throw: LyingThrow, pose: Pose) -> Visible:
        """Return the faces that the camera sees in this pose."""
        return visible(self.solid, self.camera, throw, pose)

    def own(self, throw: LyingThrow, pose: Pose) -> Visible:
        """Return what the visible faces do not have in common with all others: their marks."""
        seen = self.see(throw, pose)
        common = self.target(pose, seen)
        rest = seen.samples - (seen.samples * common).sum(axis=1, keepdims=True) * common
        length = np.linalg.norm(rest, axis=1, keepdims=True)
        return Visible(seen.faces, np.asarray(rest / np.maximum(length, FAINT_OWN), np.float32), seen.facing)

    def starts(self, throw: LyingThrow, number: int) -> list[Pose]:
        """Return the likeliest rotations of a die, none near another."""
        period = 360 / self.solid.steps
        yaws = np.arange(0, period, YAW_STEP)
        poses = [Pose(float(np.radians(yaw))) for yaw in yaws]
        fits = np.array([fit(seen := self.see(throw, pose), self.target(pose, seen)) for pose in poses])
        chosen: list[int] = []
        for place in np.argsort(-fits):
            gaps = [min((place - one) % len(yaws), (one - place) % len(yaws)) for one in chosen]
            if all(gap > LEAST_STEPS_BETWEEN for gap in gaps):
                chosen.append(int(place))
            if len(chosen) == number:
                break
        return [poses[place] for place in chosen]

    def refined(self, throw: LyingThrow, pose: Pose, target: Target, sizes: Sequence[float]) -> Pose:
        """Return a pose near this one in which the die looks most like the target. ``sizes``: of the steps."""
        begin = np.concatenate([[pose.yaw], np.zeros(5)])

        def worth(six: Vector) -> float:
            one = Pose.of(six)
            seen = self.see(throw, one)
            return fit(seen, target(one, seen)) - LIMIT_LOSS * float((((six - begin) / LIMITS)[1:] ** 2).sum())

        now = pose.as_vector()
        best = worth(now)
        for size in sizes:
            for _ in range(STEP_TRIES):
                before = best
                for number in range(len(now)):
                    for step in (-size, size):
                        six = now.copy()
                        six[number] += step * STEPS[number]
                        if abs(six[number] - begin[number]) <= LIMITS[number] and (value := worth(six)) > best:
                            best, now = value, six
                if best == before:
                    break
        return Pose.of(now)

    def _bin(self, pose: Pose) -> int:
        return int(_turn(self.solid, pose) * ROTATION_BINS) % ROTATION_BINS


def spot(solid: Facets) -> Floats:
    """Return a spot in the middle of a face, (samples), of length 1."""
    away = np.linalg.norm(solid.points[0] - solid.points[0].mean(axis=0), axis=1)
    rings = np.exp(-((away / (SPOT_RADIUS * away[: len(away) // len(RINGS)].min() / RINGS[0])) ** 2))
    rings = (rings - rings @ solid.weights) * np.sqrt(solid.weights)
    return np.asarray(rings / np.linalg.norm(rings), np.float32)


def _turn(solid: Facets, pose: Pose) -> float:
    """Return the die's rotation in parts of the angle after which its outline is the same."""
    return float(pose.yaw / (2 * np.pi / solid.steps)) % 1.0


def learn_common(
    solid: Facets, camera: Camera, sign: float, throws: Sequence[LyingThrow], sizes: Sequence[float]
) -> tuple[Common, list[Pose], float]:
    """Return what all faces have in common, how each throw lies, and how well the throws then fit, from 0 to 1.

    ``sign``: see `contrast`; ``sizes``: of the steps by which poses are refined.
    """
    common = Common.plain(solid, camera, sign)
    poses = [common.starts(throw, 1)[0] for throw in throws]
    for _ in range(MARKING_ROUNDS):
        poses = [common.refined(throw, pose, common.target, sizes) for throw, pose in zip(throws, poses, strict=True)]
        seen = [common.see(throw, pose) for throw, pose in zip(throws, poses, strict=True)]
        table = np.tile(PLAIN_SPOT_WEIGHT * sign * spot(solid), (len(solid.points), ROTATION_BINS, 1))
        for pose, one in zip(poses, seen, strict=True):
            off = (
                np.arange(ROTATION_BINS) + 0.5 - _turn(solid, pose) * ROTATION_BINS + ROTATION_BINS / 2
            ) % ROTATION_BINS - ROTATION_BINS / 2
            table[one.faces] += np.exp(-((off / NEAR_BINS) ** 2))[:, None] * one.samples[:, None]
        table /= np.maximum(np.linalg.norm(table, axis=2, keepdims=True), 1e-9)
        common = Common(solid, camera, np.asarray(table, np.float32))
    fits = [fit(one, common.target(pose, one)) for pose, one in zip(poses, seen, strict=True)]
    return common, poses, float(np.mean(fits))


def contrast(solid: Facets, camera: Camera, throws: Sequence[LyingThrow]) -> float:
    """Return 1 if the marks are brighter than the die, -1 if they are darker."""

    def best(sign: float) -> float:
        common = Common.plain(solid, camera, sign)
        poses = [(throw, common.starts(throw, 1)[0]) for throw in throws]
        return sum(fit(seen, common.target(pose, seen)) for throw, pose in poses for seen in [common.see(throw, pose)])

    return 1.0 if best(1.0) >= best(-1.0) else -1.0

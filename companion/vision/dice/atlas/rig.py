"""The camera over the place where a die comes to rest: its lens and its tilt, as the throws themselves show them.

The nearer the die, the larger it is in the picture: how its size changes over the picture says in which direction the
table recedes, and for each tilt of the camera, which lens it has. The tilt itself is the one under which all faces of
the die look most alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.vision.dice.atlas.facets import Facets
from companion.vision.dice.atlas.marked import Common, contrast, learn_common
from companion.vision.dice.atlas.place import Spot
from companion.vision.dice.atlas.pose import Camera, LyingThrow, Pose

FOCAL_LENGTH: Final = 1.2
LEAST_FOCAL, MOST_FOCAL = 0.45, 4.0
"""The focal length of a lens in widths of the picture: the usual one, and the bounds of what cameras have."""

TILTS: Final = (0.0, 15.0, 30.0, 45.0)
"""The tilts that are tried first, in degrees."""

FINER_DEGREES: Final = 7.0
"""How far from the best of them two more are then tried, in degrees."""

MOST_TILT: Final = 65.0
"""From lower a camera sees no upper face well."""

MOST_CORRECTIONS: Final = 5
POSE_YIELD: Final = 2.0
"""With a wrong tilt the dice seem to lean, with a wrong size to have grown. Their poses yield to about half of it."""

MOST_GROWTH: Final = 0.25
"""The most by which a die with sharp corners would be larger than this one, as a natural logarithm."""

SURVEYED_THROWS: Final = 24
"""How many throws say which tilt it is."""

PLAIN_SLOPE: Final = 5.0
"""The size changes over the picture if its slope is so many times its standard error."""

MOST_CHANGE: Final = 4.0
"""Nowhere in the picture is a die so many times as large as in the middle, nor as small."""

OUTLIER_DEVIATIONS: Final = 3.0
"""What is so many standard deviations off does not say how the size changes."""


@dataclass(frozen=True, eq=False)
class RigSizes:
    """How large the die is at each place: ``flat``: radius in the middle of the picture and its slope, in pixels."""

    flat: tuple[float, float, float]
    plain: bool
    size: tuple[int, int]

    def times(self, factor: float) -> "RigSizes":
        """Return sizes that are larger by a factor."""
        middle, across, down = self.flat
        return RigSizes((middle * factor, across * factor, down * factor), self.plain, self.size)

    def at(self, x: float, y: float) -> float:
        """Return the radius of the die's outline at a place of the picture."""
        width, height = self.size
        radius = self.flat[0] + self.flat[1] * (x - width / 2) + self.flat[2] * (y - height / 2)
        return float(np.clip(radius, self.flat[0] / MOST_CHANGE, self.flat[0] * MOST_CHANGE))


def sizes(spots: Sequence[Spot], width: int, height: int) -> RigSizes:
    """Return how the size of the die changes over pictures of this size; it stays the same where that is not plain."""
    places = np.array([[1.0, one.x - width / 2, one.y - height / 2] for one in spots])
    radii = np.array([one.radius for one in spots])
    kept = np.ones(len(spots), bool)
    flat, error = np.zeros(3), np.ones(3)
    for _ in range(4):
        flat, *_ = np.linalg.lstsq(places[kept], radii[kept], rcond=None)
        off = radii - places @ flat
        spread = max(1.48 * float(np.median(np.abs(off[kept]))), 0.1)
        kept = np.abs(off) <= OUTLIER_DEVIATIONS * spread
        error = spread * np.sqrt(np.diag(np.linalg.pinv(places[kept].T @ places[kept])))
    plain = bool(np.hypot(*flat[1:]) > PLAIN_SLOPE * np.hypot(*error[1:]))
    if not plain:
        flat = np.array([float(np.median(radii)), 0.0, 0.0])
    return RigSizes((float(flat[0]), float(flat[1]), float(flat[2])), plain, (width, height))


def camera_at(tilt: float, along: RigSizes) -> Camera:
    """Return the camera with this tilt (radians) under which a die's size changes so over the picture."""
    width, height = along.size
    focal, away = FOCAL_LENGTH * width, -np.pi / 2
    if along.plain:
        slope = np.array(along.flat[1:]) / along.flat[0]
        away = float(np.arctan2(-slope[1], -slope[0]))
        focal = float(np.clip(np.tan(tilt) / np.hypot(*slope), LEAST_FOCAL * width, MOST_FOCAL * width))
    return Camera(((width - 1) / 2, (height - 1) / 2), focal, tilt, away)


@dataclass(frozen=True, eq=False)
class Survey:
    """What the throws show of the rig and of the die.

    ``sizes``: how large a die with sharp corners would be, of which this one's outline is seen; ``throws``: in that
    size; ``poses``: how each lies, as far as what all faces have in common shows it.
    """

    common: Common
    sizes: RigSizes
    throws: list[LyingThrow]
    poses: list[Pose]


def surveyed(solid: Facets, throws: Sequence[LyingThrow], along: RigSizes) -> Survey:
    """Return the tilt of the camera and the size of the die at which all faces look most alike.

    Corners and edges of a die are more or less rounded, so its outline alone does not say how far apart its faces are.
    """
    few = [throws[round(k)] for k in np.linspace(0, len(throws) - 1, min(SURVEYED_THROWS, len(throws)))]
    fits: dict[float, float] = {}
    sign = contrast(solid, camera_at(float(np.radians(TILTS[1])), along), few)

    def tried(degrees: float) -> None:
        if 0 <= degrees <= MOST_TILT:
            fits[degrees] = learn_common(solid, camera_at(float(np.radians(degrees)), along), sign, few, (1.0,))[2]

    for degrees in TILTS:
        tried(degrees)
    best = max(fits, key=lambda one: fits[one])
    tried(best - FINER_DEGREES)
    tried(best + FINER_DEGREES)
    tilt, growth = float(np.radians(max(fits, key=lambda one: fits[one]))), 0.0
    for _ in range(MOST_CORRECTIONS):
        camera = camera_at(tilt, along)
        _, poses, _ = learn_common(solid, camera, sign, [_larger(throw, growth) for throw in few], (1.0, 0.5))
        lean = np.mean([pose.lean for pose in poses], axis=0)
        across = np.array([np.cos(camera.away + np.pi / 2), np.sin(camera.away + np.pi / 2)])
        tilt = float(np.clip(tilt - POSE_YIELD * lean @ across, 0, np.radians(MOST_TILT)))
        growth += POSE_YIELD * float(np.mean([pose.growth for pose in poses]))
        growth = float(np.clip(growth, -MOST_GROWTH, MOST_GROWTH))
    larger = [_larger(throw, growth) for throw in throws]
    common, poses, _ = learn_common(solid, camera_at(tilt, along), sign, larger, (1.0, 0.5, 0.25))
    return Survey(common, along.times(float(np.exp(growth))), larger, poses)


def _larger(throw: LyingThrow, growth: float) -> LyingThrow:
    return replace(throw, radius=throw.radius * float(np.exp(growth)))

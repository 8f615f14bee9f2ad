"""What the whole of a die says: all its visible numerals vote for one way in which its solid lies.

One numeral may be misread, and a neighbour of the upper face may look at the camera. But the numbers of a die lie to
each other in a known way (`numbering`), so that those around the upper face bear witness to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.rules.die import Die
from companion.vision.dice.faces import FaceReader
from companion.vision.dice.geometry import PLACES, Points, clockwise, cut_turned
from companion.vision.dice.solids import table
from companion.vision.dice.solids.fit import distinct, fit
from companion.vision.dice.solids.ink import centred, facing
from companion.vision.dice.solids.model import Batch, Poses, View, see, solids
from companion.vision.dice.solids.numbering import lyings
from companion.vision.dice.solids.upper import view_of
from companion.vision.readings import Image

LEAST_FACING: Final = 0.4
MOST_FACES: Final = 7
"""A face votes if the cosine of the angle at which the camera sees it is larger; no more than so many vote."""

HEARD: Final = 0.002
"""The least chance that a vote leaves to a text: a face may be misread however sure the net is."""

EXPLAINED: Final = 6.0
AHEAD: Final = 8.0
"""A way of lying explains what is seen if the votes speak so much for it against none, and so much more than for any
way with another number up (natural logarithms)."""

NEARLY: Final = 2.5
"""Poses whose votes are less than this behind the best may be right, too: they differ in how the die leans."""

SURELY_UP: Final = 2.7
"""The least odds (natural logarithm) that the face nearest to the upright is the upper one."""

FILLED: Final = 0.935
"""The radius of a circle with the area of a die's outline, in radii of its corners, on average over poses."""

TRIED: Final = 4
"""So many poses are centred and hear the votes."""


@dataclass(frozen=True, eq=False)
class Vote:
    """How a die lies, as its numbers say together.

    ``candidates``: texts that may lie up, with their chances, the likeliest first. ``corners``: of the likeliest
    face, clockwise in pixels; ``outline``: of the whole die. ``sure``: it surely lies up.
    """

    candidates: tuple[tuple[str, float], ...]
    corners: Points
    outline: Points
    sure: bool


class Votes:
    """Hears the votes of a die whose numbering is known; its set must have no other die with such faces.

    Raises:
        ValueError: no numbering is known of such a die.
    """

    def __init__(self, die: Die, faces: FaceReader) -> None:
        ways = lyings(die)
        if ways is None:
            raise ValueError(f"Expected a die with a known numbering, but got {die.name}.")
        self._ways, self._faces, self._shape = ways, faces, die.shape
        self._solid = solids()[die.shape]
        own = [i for i, (name, _) in enumerate(faces.texts.upper) if name == die.name]
        self._own = np.array(own)
        self._texts = [faces.texts.upper[i][1] for i in own]

    def near(self, image: Image, outlines: Sequence[Points], before: Batch | None = None) -> Vote | None:
        """Return how the die lies that has a face near these outlines (pixels); None where nothing explains its marks.

        ``before``: the log chances of the table's upright, see `SolidReader.settle`.
        """
        view = view_of(image)
        poses = fit(image, self._solid, outlines, view).poses
        likely = poses.taken(np.zeros(0, np.intp))
        for row in range(TRIED):
            likely = likely.and_more(centred(image, self._solid, poses.taken(np.array([row])), view))
        told = [self._heard(image, likely.taken(np.array([row])), view) for row in distinct(likely, self._solid)]
        best = max(told, key=lambda one: one.votes)
        if best.votes < EXPLAINED or best.ahead < AHEAD:
            return None
        right = [one for one in told if one.votes > best.votes - NEARLY]
        return self._conclude(best, right, view, table.expected() if before is None else before)

    def standing(self, image: Image, outline: Points, before: Batch | None = None) -> Vote | None:
        """Return the same, given the outline of the whole die."""
        flat = (self._solid.vertices[self._solid.rings[0]] @ self._solid.upright.T)[:, :2]
        scale = 2 * np.sqrt(float(cv2.contourArea(outline.astype(np.float32))) / np.pi) / FILLED / self._solid.across
        middle = np.asarray(cv2.minEnclosingCircle(outline.astype(np.float32))[0])
        return self.near(image, [middle + (flat - flat.mean(axis=0)) * scale], before)

    def _heard(self, image: Image, pose: Poses, view: View) -> "_Heard":
        """Return the way of lying for which the faces vote in one pose."""
        facings, pixels = facing(self._solid, pose, view)[0], see(self._solid, pose, view).pixels[0]
        faces = [face for face in np.argsort(-facings)[:MOST_FACES] if facings[face] > LEAST_FACING]
        flat = [cut_turned(image, pixels[self._solid.rings[face]], PLACES[self._shape]) for face in faces]
        marks = self._faces.upper(flat)
        chances = marks.texts[:, self._own] + marks.unreadable[:, None] / len(self._own) + HEARD
        logs = np.log(chances * len(self._own)) * facings[faces][:, None]
        votes = logs[np.arange(len(faces))[:, None], self._ways[:, faces].T].sum(axis=0)
        way = int(votes.argmax())
        up = self._ways[:, int((-self._normals(pose)[:, 2]).argmax())]
        return _Heard(pose, way, float(votes[way]), float(votes[way] - votes[up != up[way]].max()))

    def _conclude(self, best: "_Heard", right: Sequence["_Heard"], view: View, upright: Batch) -> Vote:
        """Return which number lies up, given the poses that may be right and the log chances of the upright."""
        each, odds = [], []
        for one in right:
            lying = table.lying(self._normals(one.pose), upright)
            chances = np.zeros(len(lying))
            chances[self._ways[one.way]] = np.exp(lying - lying.max())
            each.append(chances / chances.sum())
        mean = np.mean(each, axis=0)
        order = np.argsort(-mean)
        odds = [np.log(one[order[0]] / max(1 - one[order[0]], 1e-12)) for one in each]
        face = int(np.flatnonzero(self._ways[best.way] == order[0])[0])
        pixels = see(self._solid, best.pose, view).pixels[0]
        hull = cv2.convexHull(pixels.astype(np.float32))[:, 0]
        return Vote(
            tuple((self._texts[i], float(mean[i])) for i in order),
            clockwise(pixels[self._solid.rings[face]]),
            np.asarray(hull, np.float64),
            min(odds) >= SURELY_UP,
        )

    def _normals(self, pose: Poses) -> Points:
        return np.asarray(self._solid.normals @ pose.turns[0].T)


@dataclass(frozen=True, eq=False)
class _Heard:
    """A pose, the way of lying for which its faces vote, how much they do, and how far any other number is behind."""

    pose: Poses
    way: int
    votes: float
    ahead: float

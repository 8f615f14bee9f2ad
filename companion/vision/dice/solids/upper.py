"""Which face of a solid lies up: its pose fitted to the picture says so, and how surely it is no neighbour."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from companion.rules.dice import Shape
from companion.vision.dice.corners import HARDLY
from companion.vision.dice.geometry import Points, clockwise, edge_length, inside
from companion.vision.dice.locate import Found, UpperFace
from companion.vision.dice.pose import CORNERS
from companion.vision.dice.solids import table as solid_table
from companion.vision.dice.solids.fit import Fit, fit, seeming
from companion.vision.dice.solids.model import Batch, Seen, Solid, View, see, solids
from companion.vision.readings import Image

FOCAL: Final = 1.5
"""A camera whose lens is not known is taken to have this focal length, in longer sides of the picture."""

SAME_FACE_EDGES: Final = 0.25
"""Two outlines are of one face if no corner is farther off than this, in edges."""

SAME_DIE_LENGTHS: Final = 0.6
"""Outlines whose middles are no farther apart than this, in lengths from corner to corner, may be of one die."""

LEAST_ODDS: Final = 2.0
"""Where the upper face is no surer than this (natural logarithm of the odds), it is asked about."""

UNLIKELY: Final = 15.0
"""Poses that are less likely than the best by more than this (natural logarithm) are not looked at further."""

SURE: Final = 0.45
NOTHING: Final = 2.3
"""The right pose may be none of those that were found: the log odds that it is one of them are so many times what its
score is above that of nothing, as chosen on drawings with the fonts for validation."""

VOTE: Final = 2.0
"""What it counts (natural logarithm) that the nets found an outline on one face and on no other: on drawings with the
fonts for validation it was the upper one 276 times of 294."""

KNOWN: Final = 4.0
"""Where a table's upright is known, it is so to within so many degrees."""

MOST_DICE: Final = 12
"""So many dice of a picture are fitted, those whose corners are clearest: a table full of things takes no longer."""

MOST_OUTLINES: Final = 4
"""So many outlines of one die are begun with."""


@dataclass(frozen=True, eq=False)
class Upper:
    """The upper face of a die as its pose shows it.

    ``corners``: clockwise, pixels; ``odds``: natural logarithm of the odds that this face lies up and no other one;
    ``neighbours``: outlines of the other faces that show; ``die``: the chance that the pose is that of a die at all.
    """

    corners: Points
    odds: float
    neighbours: tuple[Points, ...]
    die: float


@dataclass(frozen=True, eq=False)
class Posed:
    """A die whose poses were fitted: the likely ones and how they are seen, ``normals`` (n, f, 3) before the camera."""

    solid: Solid
    found: Fit
    seen: Seen
    normals: Batch
    named: Points
    """The outline that was found and is the upper face as the nets see it."""

    @classmethod
    def of(cls, solid: Solid, found: Fit, view: View, named: Points) -> "Posed":
        """Return the likely ones of fitted poses as the camera sees them."""
        rows = np.flatnonzero(found.scores > found.scores.max() - UNLIKELY)
        poses = found.poses.taken(rows)
        likely = Fit(poses, found.told[rows], found.scores[rows])
        return cls(solid, likely, see(solid, poses, view), solid.normals @ poses.turns.transpose(0, 2, 1), named)

    def upright(self) -> Batch:
        """Return what this die tells of the table's upright, see `solid_table.seen`."""
        chances = np.exp(self.found.scores - self.found.scores.max())[:, None] * self.seen.faces
        sure = self.likely(int(self.found.scores.argmax()))
        return solid_table.seen(self.normals[self.seen.faces], chances[self.seen.faces], sure)

    def fits(self, pose: int) -> float:
        """Return the log odds that a pose is not one of a die that was not found, or of none at all."""
        return SURE * (float(self.found.scores[pose]) - NOTHING)

    def likely(self, pose: int) -> float:
        """Return the chance that a pose is that of a die."""
        return float(1 / (1 + np.exp(-self.fits(pose))))

    @property
    def outline(self) -> Points:
        """Return the outline of the whole die in its likeliest pose, pixels."""
        best = int(self.found.scores.argmax())
        return np.asarray(cv2.convexHull(self.seen.pixels[best].astype(np.float32))[:, 0], np.float64)

    def upper(self, table: Batch) -> Upper:
        """Return the face that lies up. ``table``: log chances of the upright, `solid_table.directions`."""
        logs = self.found.scores[:, None] + solid_table.lying(self.normals, table)
        outlines = self.seen.pixels[:, self.solid.rings]
        logs = np.where(self.seen.faces, logs + VOTE * (_apart(outlines, self.named) < SAME_FACE_EDGES), -np.inf)
        pose, face = np.unravel_index(int(logs.argmax()), logs.shape)
        best = outlines[pose, face]
        same = _apart(outlines, best) < SAME_FACE_EDGES
        chances = np.exp(logs - logs.max())
        odds = np.log(chances[same].sum()) - np.log(max(float(chances[~same].sum()), 1e-12))
        odds = -np.logaddexp(-odds, -self.fits(int(pose)))
        others = tuple(outlines[pose, other] for other in np.flatnonzero(self.seen.faces[pose]) if other != face)
        return Upper(clockwise(best), float(odds), others, self.likely(int(pose)))


def _apart(outlines: Batch, one: Points) -> Batch:
    """Return how far outlines (..., k, 2) are from one, at their worst corner, in its edges; wherever they begin."""
    turns = [np.linalg.norm(outlines - np.roll(one, k, axis=0), axis=-1).max(axis=-1) for k in range(len(one))]
    return np.asarray(np.min(turns, axis=0) / edge_length(one))


class SolidReader:
    """Finds the upper faces of dice with more than six sides. ``shapes``: of the dice that may lie there."""

    def __init__(self, shapes: Collection[Shape]) -> None:
        every = set(shapes)
        known = solids()
        self._solids = {
            number: [known[shape] for shape in sorted(every) if shape in known and CORNERS[shape] == number]
            for number in {CORNERS[shape] for shape in every if shape in known}
        }
        # cubes and tiles have four corners too: then it is not known what a found square is
        plain = {
            CORNERS[shape] for shape in every if shape in CORNERS and shape not in known and shape != "tetrahedron"
        }
        self._solids = {number: of for number, of in self._solids.items() if number not in plain}

    def settle(self, image: Image, rough: Found, found: Found, upright: Points | None = None) -> Found:
        """Return the dice with each found face replaced by the upper one of its die, and how surely it is that.

        ``rough``: as they were located, before their corners were corrected. ``upright``: the table's as the camera
        sees it (x right, y down, z away from it), where that is known; by default the camera looks down on it.
        """
        mine = [face for face in found.faces if len(face.corners) in self._solids]
        if not mine:
            return found
        height, width = image.shape[:2]
        view = View(FOCAL * max(height, width), np.array([(width - 1) / 2, (height - 1) / 2]))
        faces: list[UpperFace] = []
        posed: list[Posed] = []
        others = [face for face in found.faces if len(face.corners) not in self._solids]
        for face in sorted(mine, key=lambda one: (one.score < HARDLY, one.error, -one.score)):
            if any(inside(face.corners.mean(axis=0), die.outline) for die in posed):
                continue
            if face.score < HARDLY or len(posed) == MOST_DICE:
                others.append(replace(face, upper=0.0))
                continue
            faces.append(face)
            posed.append(self._posed(image, face, [*mine, *rough.faces], view))
        before = solid_table.expected() if upright is None else solid_table.expected(upright, KNOWN)
        told = [die.upright() for die in posed] if len(posed) > 1 else [np.zeros(len(before))]
        uppers = [die.upper(solid_table.without(told, k, before)) for k, die in enumerate(posed)]
        # the pose's corners are as exact as the net's, of kites more; how far they may be off is not known
        settled = [
            UpperFace(upper.corners, min(face.score, upper.die), upper=upper.odds)
            for face, upper in zip(faces, uppers, strict=True)
        ]
        return Found((*others, *settled), found.tetrahedra)

    def _posed(self, image: Image, face: UpperFace, near: Sequence[UpperFace], view: View) -> Posed:
        """Return a die's likely poses, given one face that was found and all others that were."""
        every = []
        for solid in self._solids[len(face.corners)]:
            reach = SAME_DIE_LENGTHS * solid.across * seeming(solid, face.corners)
            middle = face.corners.mean(axis=0)
            outlines = [face.corners]
            # those whose corners were corrected first
            for other in sorted(near, key=lambda one: (one.error == 0, one.error)):
                off = float(np.linalg.norm(other.corners.mean(axis=0) - middle))
                if other is not face and len(other.corners) == len(face.corners) and off < reach:
                    outlines.append(other.corners)
            every.append(Posed.of(solid, fit(image, solid, outlines[:MOST_OUTLINES], view), view, face.corners))
        return max(every, key=lambda one: float(one.found.scores.max()))

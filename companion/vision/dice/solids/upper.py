"""Which face of a solid lies up, from its pose fitted to the picture, and how surely it is not a neighbour."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import cv2
import numpy as np

from companion.rules.dice import Shape
from companion.vision.dice.corners import LEAST_DIE_CHANCE
from companion.vision.dice.geometry import Points, clockwise, edge_length, inside
from companion.vision.dice.locate import Found, UpperFace
from companion.vision.dice.pose import CORNERS
from companion.vision.dice.solids import size as solid_size
from companion.vision.dice.solids import table as solid_table
from companion.vision.dice.solids.fit import Fit, fit, seeming
from companion.vision.dice.solids.model import Batch, PinholeView, Poses, SeenSolids, Solid, see, solids
from companion.vision.readings import Image

FOCAL_LENGTH: Final = 1.5
"""The assumed focal length of a camera with an unknown lens, in longer sides of the picture."""

SAME_FACE_EDGES: Final = 0.25
"""Two outlines show the same face if no corner is farther off than this, in edges."""

SAME_DIE_LENGTHS: Final = 0.6
"""Outlines whose middles are closer than this, in lengths from corner to opposite corner, may belong to one die."""

MOST_LOG_LOSS: Final = 15.0
"""The reader drops poses that are less likely than the best by more than this (natural logarithm)."""

SCORE_WEIGHT: Final = 0.45
NO_POSE_LOG_ODDS: Final = 2.3
"""The right pose may be none of the found poses. The log odds of a found pose are `SCORE_WEIGHT` times its score above
`NO_POSE_LOG_ODDS`, as chosen on drawings with the fonts for validation."""

OUTLINE_VOTE: Final = 2.0
"""The evidence (natural logarithm) for the one face on which the nets found an outline. On drawings with the fonts for
validation, that face was the upper one 276 times of 294."""

MOST_LOG_ODDS: Final = 4.0
"""The most that a known upright says for or against a pose, beyond what a camera above the table says (natural
logarithm)."""

MOST_DICE: Final = 12
"""The most dice of a picture that are fitted, those with the clearest corners first. It limits the time for a table
full of other things."""

MOST_OUTLINES: Final = 4
"""The most outlines of one die that the fit starts from."""


@dataclass(frozen=True, eq=False)
class Upper:
    """The upper face of a die, from its pose.

    ``corners``: clockwise, pixels; ``odds``: natural logarithm of the odds that this face lies up and no other;
    ``die``: the chance that the pose is that of a die.
    """

    corners: Points
    odds: float
    die: float


class Lying(NamedTuple):
    """What one die says of its table.

    ``upright``: log likelihood of each of `solid_table.directions`; ``shape``: the die's; ``sizes``: the density of its
    size, see `solid_size.seen`.
    """

    upright: Batch
    shape: Shape
    sizes: Batch


@dataclass(frozen=True, eq=False)
class Posed:
    """A die with fitted poses: the likely poses, how the camera sees them, and ``normals`` (n, f, 3) in its frame."""

    shape: Shape
    solid: Solid
    found: Fit
    seen: SeenSolids
    normals: Batch
    named: Points
    """The found outline that is the upper face according to the nets."""

    @classmethod
    def of(cls, shape: Shape, solid: Solid, found: Fit, view: PinholeView, named: Points) -> "Posed":
        """Return a die with only the likely ones of its fitted poses."""
        rows = np.flatnonzero(found.scores > found.scores.max() - MOST_LOG_LOSS)
        poses = found.poses.taken(rows)
        likely = Fit(poses, found.evidence[rows], found.scores[rows])
        return cls(shape, solid, likely, see(solid, poses, view), solid.normals @ poses.turns.transpose(0, 2, 1), named)

    def says(self) -> Lying:
        """Return what the die says of its table."""
        chances = np.exp(self.found.scores - self.found.scores.max())
        sure = self.likely(int(self.found.scores.argmax()))
        each = (chances[:, None] * self.seen.faces)[self.seen.faces]
        upright = solid_table.seen(self.normals[self.seen.faces], each, sure)
        return Lying(upright, self.shape, solid_size.seen(self.found.poses.sizes, chances, sure))

    def fits(self, pose: int) -> float:
        """Return the log odds that a found pose is right: that the true pose was found, and that there is a die."""
        return SCORE_WEIGHT * (float(self.found.scores[pose]) - NO_POSE_LOG_ODDS)

    def likely(self, pose: int) -> float:
        """Return the chance that a found pose is right, see `fits`."""
        return float(1 / (1 + np.exp(-self.fits(pose))))

    @property
    def outline(self) -> Points:
        """Return the outline of the whole die in its likeliest pose, pixels."""
        best = int(self.found.scores.argmax())
        return np.asarray(cv2.convexHull(self.seen.pixels[best].astype(np.float32))[:, 0], np.float64)

    def upper(self, table: Batch, density: Batch | None = None) -> Upper:
        """Return the face that lies up.

        ``table``: log chances of the upright, one of each `solid_table.directions`; ``density``: of the sizes of such
        dice on this table, None where they are not known. A pose is also right for its size, and because one of its
        faces lies up.
        """
        sizes = self.found.poses.sizes
        size = np.zeros(len(sizes)) if density is None else solid_size.fitting(sizes, density)
        lying = solid_table.lying(self.normals, table)
        logs = self.found.scores[:, None] + size[:, None] + lying
        outlines = self.seen.pixels[:, self.solid.rings]
        logs = np.where(
            self.seen.faces, logs + OUTLINE_VOTE * (_distance(outlines, self.named) < SAME_FACE_EDGES), -np.inf
        )
        pose, face = np.unravel_index(int(logs.argmax()), logs.shape)
        best = outlines[pose, face]
        same = _distance(outlines, best) < SAME_FACE_EDGES
        chances = np.exp(logs - logs.max())
        odds = np.log(chances[same].sum()) - np.log(max(float(chances[~same].sum()), 1e-12))
        fits = self.fits(int(pose)) + float(size[pose])
        if density is not None:
            usual = solid_table.lying(self.normals[pose, face], solid_table.expected())
            fits += float(np.clip(lying[pose, face] - usual, -MOST_LOG_ODDS, MOST_LOG_ODDS))
        odds = -np.logaddexp(-odds, -fits)
        return Upper(clockwise(best), float(odds), self.likely(int(pose)))


def view_of(image: Image) -> PinholeView:
    """Return the view of a camera of which nothing is known."""
    height, width = image.shape[:2]
    return PinholeView(FOCAL_LENGTH * max(height, width), np.array([(width - 1) / 2, (height - 1) / 2]))


def _distance(outlines: Batch, one: Points) -> Batch:
    """Return how far outlines (..., k, 2) are from one outline at the worst corner, in its edges.

    Outlines may begin at any corner.
    """
    turns = [np.linalg.norm(outlines - np.roll(one, k, axis=0), axis=-1).max(axis=-1) for k in range(len(one))]
    return np.asarray(np.min(turns, axis=0) / edge_length(one))


class SolidReader:
    """Finds the upper faces of dice with more than six faces.

    Args:
        shapes: of the dice that may lie on the table.

    Attributes:
        posed: for each die of the last picture its upper face, what the die says of its table, and its likely poses.
    """

    def __init__(self, shapes: Collection[Shape]) -> None:
        every = set(shapes)
        known = solids()
        self._solids = {
            number: [(shape, known[shape]) for shape in sorted(every) if shape in known and CORNERS[shape] == number]
            for number in {CORNERS[shape] for shape in every if shape in known}
        }
        # cubes and tiles have four corners too: then a found outline with four corners is ambiguous
        plain = {
            CORNERS[shape] for shape in every if shape in CORNERS and shape not in known and shape != "tetrahedron"
        }
        self._solids = {number: of for number, of in self._solids.items() if number not in plain}
        self.posed: tuple[tuple[Points, Lying, Poses], ...] = ()

    def settle(
        self,
        image: Image,
        rough: Found,
        found: Found,
        before: Batch | None = None,
        sizes: Mapping[Shape, Batch] | None = None,
    ) -> Found:
        """Return the dice with each found face replaced by the upper face of its die and the odds of that.

        ``rough``: the dice as located, before the correction of their corners. ``before``: the log chances of the
        table's upright, one of each `solid_table.directions`, as far as it is known (see `solid_table.expected`). By
        default the camera looks down on the table. ``sizes``: the density of the dice's sizes by shape, as far as they
        are known (see `solid_size.fitting`).
        """
        self.posed = ()
        mine = [face for face in found.faces if len(face.corners) in self._solids]
        if not mine:
            return found
        view = view_of(image)
        faces: list[UpperFace] = []
        posed: list[Posed] = []
        others = [face for face in found.faces if len(face.corners) not in self._solids]
        for face in sorted(mine, key=lambda one: (one.score < LEAST_DIE_CHANCE, one.error, -one.score)):
            if any(inside(face.corners.mean(axis=0), die.outline) for die in posed):
                continue
            if face.score < LEAST_DIE_CHANCE or len(posed) == MOST_DICE:
                others.append(replace(face, upper=0.0))
                continue
            faces.append(face)
            posed.append(self._posed(image, face, [*mine, *rough.faces], view))
        prior = solid_table.expected() if before is None else before
        statements = [die.says() for die in posed]
        uprights = [one.upright for one in statements]
        uppers = [
            die.upper(solid_table.without(uprights, k, prior), (sizes or {}).get(die.shape))
            for k, die in enumerate(posed)
        ]
        self.posed = tuple(
            (upper.corners, one, die.found.poses) for upper, one, die in zip(uppers, statements, posed, strict=True)
        )
        # the pose's corners are as exact as the net's, and more exact for kites; their error is unknown
        settled = [
            UpperFace(upper.corners, min(face.score, upper.die), upper=upper.odds, impression=face.impression)
            for face, upper in zip(faces, uppers, strict=True)
        ]
        return Found((*others, *settled), found.tetrahedra)

    def _posed(self, image: Image, face: UpperFace, near: Sequence[UpperFace], view: PinholeView) -> Posed:
        """Return a die's likely poses, given one of its found faces and all other found faces."""
        every = []
        for shape, solid in self._solids[len(face.corners)]:
            reach = SAME_DIE_LENGTHS * solid.across * seeming(solid, face.corners)
            middle = face.corners.mean(axis=0)
            outlines = [face.corners]
            # outlines with corrected corners come first: an error of 0 means no correction
            for other in sorted(near, key=lambda one: (one.error == 0, one.error)):
                off = float(np.linalg.norm(other.corners.mean(axis=0) - middle))
                if other is not face and len(other.corners) == len(face.corners) and off < reach:
                    outlines.append(other.corners)
            every.append(Posed.of(shape, solid, fit(image, solid, outlines[:MOST_OUTLINES], view), view, face.corners))
        return max(every, key=lambda one: float(one.found.scores.max()))

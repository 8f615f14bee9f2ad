"""Which face of a solid lies up: its pose fitted to the picture says so, and how surely it is no neighbour."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from companion.rules.dice import Shape
from companion.vision.dice.geometry import Points, clockwise, edge_length, inside
from companion.vision.dice.locate import Found, UpperFace
from companion.vision.dice.pose import CORNERS
from companion.vision.dice.solid_fit import Fit, fit, seeming
from companion.vision.dice.solids import Batch, Solid, View, see, solids
from companion.vision.readings import Image

FOCAL: Final = 1.6
"""A camera whose lens is not known is taken to have this focal length, in longer sides of the picture."""

UPRIGHT: Final = 8.5
"""A camera above a table looks down within about so many degrees (one standard deviation)."""

ASLANT: Final = 0.01
"""So often it looks from anywhere."""

SAME: Final = 0.25
"""Two outlines are of one face if no corner is farther off than this, in edges."""

AROUND: Final = 0.6
"""Outlines whose middles are no farther apart than this, in lengths from corner to corner, may be of one die."""

LEAST_ODDS: Final = 3.0
"""Where the upper face is no surer than this (natural logarithm of the odds), it is asked about."""

MOST: Final = 4
"""So many outlines of one die are begun with."""


@dataclass(frozen=True, eq=False)
class Upper:
    """The upper face of a die as its pose shows it.

    ``corners``: clockwise, pixels; ``odds``: natural logarithm of the odds that this face lies up and no other one;
    ``neighbours``: outlines of the other faces that show; ``outline``: of the whole die; ``fits``: what speaks for
    the pose at all, by outline, creases and marks.
    """

    corners: Points
    odds: float
    neighbours: tuple[Points, ...]
    outline: Points
    fits: Points


def upper_face(solid: Solid, found: Fit, view: View, table: Points | None = None, spread: float = UPRIGHT) -> Upper:
    """Return the face that lies up in the poses that were found.

    ``table``: the table's upright as the camera sees it (x right, y down, z away from it), known to within ``spread``
    degrees; by default the camera looks down on it.
    """
    seen = see(solid, found.poses, view)
    upright = np.array([0.0, 0.0, -1.0]) if table is None else table / np.linalg.norm(table)
    along = (solid.normals @ found.poses.turns.transpose(0, 2, 1)) @ upright
    logs = found.scores[:, None] + lying(along, spread)
    logs = np.where(seen.faces, logs, -np.inf)
    pose, face = np.unravel_index(int(logs.argmax()), logs.shape)
    outlines = seen.pixels[:, solid.rings]
    best = outlines[pose, face]
    same = _apart(outlines, best) < SAME
    chances = np.exp(logs - logs.max())
    odds = np.log(chances[same].sum()) - np.log(max(chances[~same].sum(), 1e-12))
    others = tuple(outlines[pose, other] for other in np.flatnonzero(seen.faces[pose]) if other != face)
    hull = cv2.convexHull(seen.pixels[pose].astype(np.float32))[:, 0].astype(np.float64)
    return Upper(best, float(odds), others, hull, found.told[pose])


def lying(along: Batch, spread: float) -> Batch:
    """Return the log density of faces lying up whose normals have this cosine with the upright."""
    angle = np.degrees(np.arccos(np.clip(along, -1.0, 1.0))) / spread
    narrow = np.exp(-(angle**2) / 2) / (2 * np.pi * np.radians(spread) ** 2)
    return np.asarray(np.log((1 - ASLANT) * narrow + ASLANT / (2 * np.pi)))


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

    def settle(self, image: Image, rough: Found, found: Found) -> Found:
        """Return the dice with each found face replaced by the upper one of its die, and how surely it is that.

        ``rough``: as they were located, before their corners were corrected.
        """
        mine = [face for face in found.faces if len(face.corners) in self._solids]
        if not mine:
            return found
        height, width = image.shape[:2]
        view = View(FOCAL * max(height, width), np.array([(width - 1) / 2, (height - 1) / 2]))
        settled: list[tuple[UpperFace, Upper]] = []
        for face in sorted(mine, key=lambda one: (one.error, -one.score)):
            if any(inside(face.corners.mean(axis=0), upper.outline) for _, upper in settled):
                continue
            settled.append(self._settled(image, face, [*mine, *rough.faces], view))
        others = [face for face in found.faces if len(face.corners) not in self._solids]
        return Found((*others, *(face for face, _ in settled)), found.tetrahedra)

    def _settled(self, image: Image, face: UpperFace, near: Sequence[UpperFace], view: View) -> tuple[UpperFace, Upper]:
        """Return a die's upper face, given one face that was found and all others that were."""
        best: Upper | None = None
        for solid in self._solids[len(face.corners)]:
            reach = AROUND * solid.across * seeming(solid, face.corners)
            middle = face.corners.mean(axis=0)
            outlines = [face.corners]
            for other in sorted(near, key=lambda one: (one.error == 0, one.error)):
                off = float(np.linalg.norm(other.corners.mean(axis=0) - middle))
                if other is not face and len(other.corners) == len(face.corners) and off < reach:
                    outlines.append(other.corners)
            poses = fit(image, solid, outlines[:MOST], view)
            upper = upper_face(solid, poses, view)
            if best is None or upper.odds > best.odds:
                best = upper
        assert best is not None
        # the pose's corners are as exact as the net's, of kites more; how far they may be off is not known
        return replace(face, corners=clockwise(best.corners), error=0.0, upper=best.odds), best

"""What the whole of a die says: all its visible numerals vote for one way in which its solid lies.

One numeral may be misread, and a neighbour of the upper face may look at the camera. But the numbers of a die lie to
each other in a known way (`numbering`), so that those around the upper face bear witness to it.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.rules.die import Die
from companion.vision.dice.faces import FaceReader
from companion.vision.dice.geometry import PLACES, Points, clockwise, cut_turned
from companion.vision.dice.solids import table
from companion.vision.dice.solids.edges import Patch, shrunk
from companion.vision.dice.solids.fit import fit
from companion.vision.dice.solids.ink import centred, facing
from companion.vision.dice.solids.model import Batch, PinholeView, Poses, Solid, see, solids
from companion.vision.dice.solids.numbering import lyings
from companion.vision.dice.solids.upper import view_of
from companion.vision.readings import Image

LEAST_FACING: Final = 0.4
MOST_FACES: Final = 5
"""A face votes if the cosine of the angle at which the camera sees it is larger; no more than so many vote."""

LEAST_VOTE_CHANCE: Final = 0.002
"""The least chance that a vote leaves to a text: a face may be misread however sure the net is."""

EXPLAINED_LOG_ODDS: Final = 6.0
AHEAD_LOG_ODDS: Final = 8.0
"""A way of lying explains what is seen if the votes speak so much for it against none, and so much more than for any
way with another number up (natural logarithms)."""

SURELY_UP: Final = 2.7
"""The least odds (natural logarithm) that the face nearest to the upright is the upper one."""

OUTLINE_RADIUS: Final = 0.935
"""The radius of a circle with the area of a die's outline, in radii of its corners, on average over poses."""

MOST_PIXELS_ACROSS: Final = 150.0
"""No die is examined larger than this from corner to opposite corner, in pixels: the net needs no more."""

POSE_REACH: Final = 0.8
"""How much around a pose's middle is examined, in lengths from corner to opposite corner."""

FIRST_FACES: Final = 3
PROMISING_LOG_ODDS: Final = 3.0
"""So many faces vote first, those that look at the camera most. The others only do where these explain each other by so
much: the numbers of most dice that keep to another numbering do not."""


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

    def near(self, image: Image, poses: Poses, before: Batch | None = None) -> Vote | None:
        """Return how a die lies, given its poses, the likeliest first; None where that one does not explain its marks.

        ``before``: the log chances of the table's upright, see `SolidReader.settle`.
        """
        close = _Close.of(image, self._solid, poses)
        way = self._way(close)
        return None if way is None else self._conclude(close, way, before)

    def standing(self, image: Image, outline: Points, before: Batch | None = None) -> Vote | None:
        """Return the same, given the outline of the whole die."""
        flat = (self._solid.vertices[self._solid.rings[0]] @ self._solid.upright.T)[:, :2]
        scale = (
            2
            * np.sqrt(float(cv2.contourArea(outline.astype(np.float32))) / np.pi)
            / OUTLINE_RADIUS
            / self._solid.across
        )
        middle = np.asarray(cv2.minEnclosingCircle(outline.astype(np.float32))[0])
        begun = [middle + (flat - flat.mean(axis=0)) * scale]
        return self.near(image, fit(image, self._solid, begun, view_of(image)).poses, before)

    def lies_up(self, image: Image, poses: Poses, corners: Points, before: Batch | None = None) -> bool:
        """Return whether a face (pixels) surely lies up in the likeliest pose, with all marks amid their faces."""
        close = _Close.of(image, self._solid, poses)
        seen = see(self._solid, close.pose, close.view)
        middles = close.back(seen.pixels[0][self._solid.rings].mean(axis=1))
        off = np.where(seen.faces[0], np.linalg.norm(middles - corners.mean(axis=0), axis=1), np.inf)
        chances = self._chances(close.pose, before)
        return _odds(float(chances[int(off.argmin())])) >= SURELY_UP

    def _way(self, close: "_Close") -> int | None:
        """Return the way of lying for which the faces vote; None where they agree on none."""
        facings, pixels = (
            facing(self._solid, close.pose, close.view)[0],
            see(self._solid, close.pose, close.view).pixels[0],
        )
        faces = [face for face in np.argsort(-facings)[:MOST_FACES] if facings[face] > LEAST_FACING]
        votes = np.zeros(len(self._ways))
        for some in (faces[:FIRST_FACES], faces[FIRST_FACES:]):
            flat = [cut_turned(close.image, pixels[self._solid.rings[face]], PLACES[self._shape]) for face in some]
            marks = self._faces.upper(flat)
            chances = marks.texts[:, self._own] + marks.unreadable[:, None] / len(self._own) + LEAST_VOTE_CHANCE
            logs = np.log(chances * len(self._own)) * facings[some][:, None]
            votes += logs[np.arange(len(some))[:, None], self._ways[:, some].T].sum(axis=0)
            if votes.max() < PROMISING_LOG_ODDS:
                return None
        way = int(votes.argmax())
        up = self._ways[:, int((-self._normals(close.pose)[:, 2]).argmax())]
        clear = votes[way] >= EXPLAINED_LOG_ODDS and votes[way] - votes[up != up[way]].max() >= AHEAD_LOG_ODDS
        return way if clear else None

    def _conclude(self, close: "_Close", way: int, before: Batch | None) -> Vote:
        """Return which number lies up."""
        chances = self._chances(close.pose, before)
        order = np.argsort(-chances)
        pixels = close.back(see(self._solid, close.pose, close.view).pixels[0])
        return Vote(
            tuple((self._texts[self._ways[way, face]], float(chances[face])) for face in order),
            clockwise(pixels[self._solid.rings[order[0]]]),
            np.asarray(cv2.convexHull(pixels.astype(np.float32))[:, 0], np.float64),
            _odds(float(chances[order[0]])) >= SURELY_UP,
        )

    def _chances(self, pose: Poses, before: Batch | None) -> Batch:
        """Return the chance of each face of the solid that it lies up, (faces)."""
        lying = table.lying(self._normals(pose), table.expected() if before is None else before)
        chances = np.exp(lying - lying.max())
        return np.asarray(chances / chances.sum())

    def _normals(self, pose: Poses) -> Points:
        return np.asarray(self._solid.normals @ pose.turns[0].T)


@dataclass(frozen=True, eq=False)
class _Close:
    """A die seen close, at most `MOST_PIXELS_ACROSS`, where that picture lies, and its pose there amid its marks."""

    image: Image
    piece: Patch
    view: PinholeView
    pose: Poses

    @classmethod
    def of(cls, image: Image, solid: Solid, poses: Poses) -> "_Close":
        across = float(np.exp(poses.sizes[0])) * solid.across
        small, piece = shrunk(image, poses.places[0], POSE_REACH * across, min(1.0, MOST_PIXELS_ACROSS / across))
        view = view_of(image).zoomed(piece.scale, piece.shift)
        begun = poses.taken(np.zeros(1, np.intp)).zoomed(piece.scale, piece.shift)
        return cls(small, piece, view, centred(small, solid, begun, view))

    def back(self, places: Points) -> Points:
        """Return places of this picture in the whole picture."""
        return np.asarray((places - self.piece.shift) / self.piece.scale)


def _odds(chance: float) -> float:
    return float(np.log(chance / max(1 - chance, 1e-12)))

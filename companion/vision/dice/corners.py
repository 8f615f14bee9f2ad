"""Correct corners: a second net looks at a close-up of each die and estimates how far the found corners are off."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.faces import patch_input
from companion.vision.dice.geometry import Points, area, clockwise, cut, edge_length, is_convex, mapped, mapping
from companion.vision.dice.locate import Found, Impression, Tetrahedron, UpperFace
from companion.vision.dice.nets import CORNERS, Net, Nets
from companion.vision.dice.tetrahedra.pose import others, strain, turns_clockwise
from companion.vision.readings import Image

PATCH_EDGE_PIXELS: Final = 64
"""Edge in pixels of the patch that shows the net a die with its surroundings."""

SQUARE, SOLID, TRIANGLE, PENTAGON, CLOSE = range(5)
"""Kinds of patches: an upper face of four corners, a tetrahedron, an upper face of three corners, one of five, and a
close-up of a tetrahedron that fills the patch. Its sides are low, so even a small error of a corner spoils them."""

_TURN5: Final = np.arange(5) * 2 * np.pi / 5
START: Final = (
    np.array([[0.22, 0.22], [0.78, 0.22], [0.78, 0.78], [0.22, 0.78]]),
    np.array([[0.5, 0.154], [0.8, 0.673], [0.2, 0.673], [0.5, 0.5]]),
    np.array([[0.5, 0.2], [0.82, 0.76], [0.18, 0.76]]),
    np.column_stack([0.5 + 0.33 * np.sin(_TURN5), 0.52 - 0.33 * np.cos(_TURN5)]),
    np.array([[0.5, 0.1], [0.9, 0.793], [0.1, 0.793], [0.5, 0.562]]),
)
"""Where the corners of each kind go, in parts of the patch, clockwise. For a tetrahedron: the base, then the first
guess of the apex."""

_ENDS: Final = np.cumsum([0, *(2 * len(places) for places in START)])
OFFSETS: Final = tuple(slice(int(one), int(other)) for one, other in pairwise(_ENDS))
"""For each kind, the slice of the net's outputs that holds its offsets, in parts of the patch."""

CHANCES: Final = int(_ENDS[-1])
"""First of the outputs that say, as logits, whether the patch holds each kind; not for `CLOSE`, known by then."""

ERRORS: Final = CHANCES + CLOSE
"""First of the outputs that give for each kind, as a natural logarithm, the remaining error of the worst corner in
edges: a median, exceeded as often as not."""

UPPER: Final = ERRORS + len(START)
"""First of the outputs that say, as logits, whether the corners belong to an upper face, and not to a side of a die, a
letter or a part of a face; for a face of four corners, of three, of five."""

UPPER_KINDS: Final = (SQUARE, TRIANGLE, PENTAGON)
"""The kinds in the order of these outputs."""

OUTPUTS: Final = UPPER + len(UPPER_KINDS)

NET_PASSES: Final = 2
"""The net looks at each die this often: the second patch is nearly straight. Tetrahedra get one more close-up."""

TRIED_ROTATIONS: Final = 4
"""Try a face with doubtful corners in this many rotations: its place is more certain than its corners."""

DOUBTFUL_CORNER_EDGES: Final = 0.13
"""Corners are doubtful if the net estimates an error of more than this, in edges."""

SPARE_CORRECTED: Final = 40
SPARE_RETRIED: Final = 20
"""In a picture full of print only the likeliest faces are corrected again: so many beyond the possible number of dice
once more, and so many in all turns."""

LEAST_DIE_CHANCE: Final = 0.1
"""Do not try again what has a smaller chance to be a die."""

ODD_STRAIN: Final = 0.08
"""Start again with a tetrahedron if the strain of its corners exceeds this: one of nine exceeds it, and two of three
of these have wrong corners."""

KEPT_TETRAHEDRA: Final = 4
"""Correct this many of the new attempts to the end."""

SURE_SOLID: Final = 0.9
"""Only an attempt with a larger chance to be a tetrahedron than this may replace the one that was found first."""

MOST_CORNER_EDGES: Final = 0.45
"""If the net moves a corner by more than this, in edges, the corners did not belong to a die."""


def regular(corners: Points, turn: float) -> Points:
    """Return the regular polygon of the same place, size and number of corners, rotated by ``turn`` radians."""
    number = len(corners)
    radius = np.sqrt(2 * abs(area(corners)) / (number * np.sin(2 * np.pi / number)))
    steps = np.arange(number) * 2 * np.pi / number
    out = corners - corners.mean(axis=0)
    lies = np.angle(np.exp(1j * (np.arctan2(out[:, 1], out[:, 0]) - steps)).sum())  # the mean of angles on a circle
    angles = steps + lies + turn
    ring: Points = radius * np.column_stack([np.cos(angles), np.sin(angles)]) + corners.mean(axis=0)
    return ring


def turns(corners: Points) -> list[Points]:
    """Return `TRIED_ROTATIONS` regular polygons of the same place, size and number of corners, in even rotations."""
    return [
        regular(corners, turn) for turn in np.arange(TRIED_ROTATIONS) * 2 * np.pi / (len(corners) * TRIED_ROTATIONS)
    ]


def kind_of(corners: int) -> int:
    """Return the kind of patch for an upper face with this many corners."""
    return {3: TRIANGLE, 4: SQUARE, 5: PENTAGON}[corners]


class Corners:
    """Corrects corners. Loads its net on first use. ``most``: how many dice there may be."""

    def __init__(self, nets: Nets | None = None, most: int = 0) -> None:
        self._nets = nets or Nets()
        self._most = most

    def load(self) -> Net:
        """Load the net now, if it is not loaded yet, instead of on first use."""
        return self._nets.load(CORNERS)

    def correct(self, image: Image, found: Found) -> Found:
        """Return the dice with exact corners; their ``score`` becomes the chance that they are such dice."""
        faces, solids = self._faces(image, found.faces), self._solids(image, found.tetrahedra)
        seen = [
            Impression(rough.score, face.score, face.error, face.on_top)
            for rough, face in zip(found.faces, faces, strict=True)
        ]
        return Found(
            tuple(
                replace(face, corners=clockwise(face.corners), impression=one)
                for face, one in zip(faces, seen, strict=True)
            ),
            tuple(solids),
        )

    def _faces(self, image: Image, found: Sequence[UpperFace]) -> list[UpperFace]:
        """Return upper faces with exact corners; try doubtful ones again in several rotations and keep the best."""
        tried = self.rounds(image, found, 1)
        likely = sorted(range(len(tried)), key=lambda i: -tried[i].score)
        again = likely[: self._most + SPARE_CORRECTED]
        for i, one in zip(again, self.rounds(image, [tried[i] for i in again], NET_PASSES - 1), strict=True):
            tried[i] = one
        doubtful = [i for i in likely if tried[i].error > DOUBTFUL_CORNER_EDGES and tried[i].score > LEAST_DIE_CHANCE]
        del doubtful[self._most + SPARE_RETRIED :]
        others = [(i, tried[i]) for i in doubtful]  # the same corners, with more rounds
        others += [(i, replace(found[i], corners=turn)) for i in doubtful for turn in turns(found[i].corners)]
        for (i, _), one in zip(others, self.rounds(image, [face for _, face in others]), strict=True):
            tried[i] = min(tried[i], one, key=lambda face: face.error)
        return tried

    def rounds(self, image: Image, faces: Sequence[UpperFace], number: int = NET_PASSES) -> list[UpperFace]:
        """Return each face with better corners, after the net looked so many times."""
        tried = list(faces)
        for _ in range(number if faces else 0):
            kinds = [kind_of(len(face.corners)) for face in faces]
            patches = [near(image, face.corners, kind) for face, kind in zip(tried, kinds, strict=True)]
            tried = [_moved_face(face, answer) for face, answer in zip(tried, self._ask(patches), strict=True)]
        return tried

    def _solids(self, image: Image, found: Sequence[Tetrahedron]) -> list[Tetrahedron]:
        """Return tetrahedra with exact corners; start again elsewhere if the corners fit no regular tetrahedron.

        The net may miss a dark side beside a bright one, or take its shadow for it: half of the base is then wrong.
        """
        tried = list(found)
        for _ in range(NET_PASSES):
            tried = self._moved(image, tried)
        tried = self._placed(image, tried)
        for i, solid in enumerate(tried):
            if solid.apex is None or strain(solid) < ODD_STRAIN:
                continue
            starts = [start for start in others(solid) if turns_clockwise(start.base)]
            likely = sorted(self._moved(image, starts), key=strain)[:KEPT_TETRAHEDRA]
            again = self._placed(image, self._moved(image, likely))
            tried[i] = min([solid, *(one for one in again if one.score > SURE_SOLID)], key=strain)
        return tried

    def _moved(self, image: Image, solids: Sequence[Tetrahedron]) -> list[Tetrahedron]:
        """Return each tetrahedron with better corners, from patches that show its surroundings."""
        if not solids:
            return []
        answers = self._ask([near(image, solid.base, SOLID) for solid in solids])
        return [_moved_solid(solid, answer) for solid, answer in zip(solids, answers, strict=True)]

    def _placed(self, image: Image, solids: Sequence[Tetrahedron]) -> list[Tetrahedron]:
        """Return each tetrahedron with better corners, from close-ups."""
        if not solids:
            return []
        answers = self._ask([near(image, solid.base, CLOSE) for solid in solids])
        return [_placed_solid(solid, answer) for solid, answer in zip(solids, answers, strict=True)]

    def _ask(self, patches: Sequence[Image]) -> npt.NDArray[np.float64]:
        net = self.load()
        answers = net.run(patch_input(np.stack(patches)))
        return answers.reshape(len(patches), OUTPUTS).astype(np.float64)


def near(image: Image, corners: Points, kind: int) -> Image:
    """Return the net's patch: BGR, `PATCH_EDGE_PIXELS` square, corners (a tetrahedron: of its base) at `START`."""
    return cut(image, corners, START[kind][: len(corners)], PATCH_EDGE_PIXELS)


def back(places: Points, corners: Points, kind: int) -> Points:
    """Convert places of the patch (in parts of it) to pixels of the picture; ``corners`` are those given to `near`.

    The inverse of the mapping in `near` is exact. With five corners, a mapping fitted in the other direction is not.
    """
    cut_by = mapping(corners, START[kind][: len(corners)])
    return mapped(np.asarray(np.linalg.inv(cut_by), np.float64), places)


def _moved_face(face: UpperFace, answer: npt.NDArray[np.float64]) -> UpperFace:
    kind = kind_of(len(face.corners))
    chance = _chance(answer, kind)
    moved = back(START[kind] + answer[OFFSETS[kind]].reshape(-1, 2), face.corners, kind)
    if not is_convex(moved) or _too_far(moved, face.corners):
        return replace(face, score=min(face.score, chance), error=np.inf)
    on_top = float(1 / (1 + np.exp(-answer[UPPER + UPPER_KINDS.index(kind)])))
    return UpperFace(moved, chance, float(np.exp(answer[ERRORS + kind])), on_top=on_top)


def _moved_solid(solid: Tetrahedron, answer: npt.NDArray[np.float64]) -> Tetrahedron:
    chance = _chance(answer, SOLID)
    moved = back(START[SOLID] + answer[OFFSETS[SOLID]].reshape(-1, 2), solid.base, SOLID)
    if _too_far(moved[:3], solid.base):
        return replace(solid, score=min(solid.score, chance))
    return Tetrahedron(moved[:3], moved[3], chance, float(np.exp(answer[ERRORS + SOLID])))


def _placed_solid(solid: Tetrahedron, answer: npt.NDArray[np.float64]) -> Tetrahedron:
    """Return a tetrahedron with its corners from the close-up."""
    moved = back(START[CLOSE] + answer[OFFSETS[CLOSE]].reshape(-1, 2), solid.base, CLOSE)
    if _too_far(moved[:3], solid.base):
        return solid
    return Tetrahedron(moved[:3], moved[3], solid.score, float(np.exp(answer[ERRORS + CLOSE])))


def _chance(answer: npt.NDArray[np.float64], kind: int) -> float:
    return float(1 / (1 + np.exp(-answer[CHANCES + kind])))


def _too_far(moved: Points, corners: Points) -> bool:
    return bool(np.linalg.norm(moved - corners, axis=1).max() > MOST_CORNER_EDGES * edge_length(corners))

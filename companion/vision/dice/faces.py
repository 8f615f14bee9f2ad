"""Read flat pictures of faces: the posterior over a set's texts, with a chance that nobody can read the face."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.dice import DiceSet
from companion.rules.die import UNDERLINE
from companion.vision.dice.geometry import PATCH_PIXELS, TRIANGLE
from companion.vision.dice.marks import SINGLE, Bags, Opinion, Witness
from companion.vision.dice.nets import DESCRIPTORS, FACES, LOGITS, STANDS, Net, Nets, net_input
from companion.vision.readings import Image

Chances = npt.NDArray[np.float64]

Vectors = npt.NDArray[np.float32]
"""Rows that describe faces, one each: two faces are as alike as the cosine of theirs."""

Outline = Literal["square", "side"]
"""An upper face with four corners, or a tetrahedron's side, placed as in `geometry.TRIANGLE`."""

OUTLINES: Final[tuple[Outline, ...]] = ("square", "side")

NET_SLIP_SHARE: Final = 2e-4
"""The share of faces on which the net may be wrong, however sure it is; it limits every posterior."""

DESCRIPTOR_LENGTH: Final = 2048
"""The length of a descriptor."""

PATCH_SPREAD: Final = 5.0
"""The least spread of a channel of a patch that is normalised, of 255."""

SHORTEST_DESCRIPTOR: Final = 1e-6
LEAST_CHANCE: Final = 1e-12
"""Two nets that exclude all that the other one sees say nothing; this keeps their sum from being 0."""

_LETTERS: Final = [1 + i for i, mark in enumerate(SINGLE) if mark != UNDERLINE]
"""The maps of the mark net that show letters and numerals; the first one shows pips."""

CORNERS_OF: Final = {
    "cube": 4,
    "tile": 4,
    "trapezohedron": 4,
    "octahedron": 3,
    "icosahedron": 3,
    "dodecahedron": 5,
}
"""How many corners the upper face of a die has. A tetrahedron shows sides, but no upper face."""


@dataclass(frozen=True)
class Texts:
    """The faces of a set in the order of the posteriors."""

    upper: tuple[tuple[str, str], ...]
    """(die, text) of every face that may lie up."""
    corners: tuple[int, ...]
    """The number of corners of each of these faces."""
    marks: tuple[tuple[str, ...], ...]
    """The marks of each of these faces."""
    side: tuple[str, ...]
    """Texts of the tetrahedron's sides."""
    upper_bags: Bags
    side_bags: Bags

    @classmethod
    def of(cls, dice: DiceSet) -> "Texts":
        """Return the texts of a set, in the order of its dice and faces."""
        # if all dice are alike, one stands for all
        upper = [
            (die, face)
            for die in (dice.dice[:1] if dice.alike else dice.dice)
            if die.shape in CORNERS_OF
            for face in die.faces
        ]
        side = [face for die in dice.dice if die.shape == "tetrahedron" for face in die.faces]
        return cls(
            tuple((die.name, face.text) for die, face in upper),
            tuple(CORNERS_OF[die.shape] for die, _ in upper),
            tuple(face.marks for _, face in upper),
            tuple(face.text for face in side),
            Bags.of([face.marks for _, face in upper]),
            Bags.of([face.marks for face in side]),
        )

    def bags(self, corners: int) -> Bags:
        """Return the marks of the upper faces with this many corners."""
        return self.upper_bags.among([place for place, own in enumerate(self.corners) if own == corners])

    def unknown(self, corners: int) -> frozenset[str]:
        """Return the texts of the upper faces with this many corners whose marks no net knows."""
        strange = zip(self.upper, self.corners, self.upper_bags.unknown, strict=True)
        return frozenset(text for (_, text), own, number in strange if number and own == corners)

    @property
    def unknown_sides(self) -> frozenset[str]:
        """The texts of the tetrahedron's sides whose marks no net knows."""
        return frozenset(text for text, number in zip(self.side, self.side_bags.unknown, strict=True) if number)


@dataclass(frozen=True, eq=False)
class Marks:
    """Posteriors of n faces: each row of ``texts`` (n, texts) sums to 1 minus its entry in ``unreadable`` (n)."""

    texts: Chances
    unreadable: Chances

    def __len__(self) -> int:
        return len(self.unreadable)

    def row(self, number: int) -> "Marks":
        """Return the posterior of one face alone."""
        return Marks(self.texts[number : number + 1], self.unreadable[number : number + 1])

    def averaged(self, other: "Marks") -> "Marks":
        """Return what two nets say together of the same faces: the geometric mean of their posteriors.

        What one of them excludes stays unlikely, however sure the other is.
        """
        texts = np.sqrt(self.texts * other.texts)
        unreadable = np.sqrt(self.unreadable * other.unreadable)
        whole = np.maximum(texts.sum(axis=1) + unreadable, LEAST_CHANCE)
        return Marks(texts / whole[:, None], unreadable / whole)

    def spread(self) -> Chances:
        """Return the posteriors with ``unreadable`` spread evenly over the texts, because it favours none of them."""
        number = self.texts.shape[1]
        honest = self.texts + self.unreadable[:, None] / number
        even: Chances = (1 - NET_SLIP_SHARE) * honest + NET_SLIP_SHARE / number
        return even


@dataclass(frozen=True, eq=False)
class NetView:
    """What the mark net saw of a face in each of its rotations, as float32.

    ``logits``: (rotations, `marks.OUTPUTS`); ``descriptors``: (rotations, `DESCRIPTOR_LENGTH`), each of length 1;
    ``places``: (rotations, 8, 8), how many letters or numerals stand in each cell of the face.
    """

    logits: npt.NDArray[np.float32]
    descriptors: Vectors
    places: npt.NDArray[np.float32]


def patch_input(patches: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the net's input (n, 3, h, w) for BGR patches (n, h, w, 3): each channel standardised within its patch."""
    return np.stack([net_input(patch, PATCH_SPREAD) for patch in patches])


class FaceReader:
    """Reads flat pictures of the faces of one set. Loads its net on first use."""

    def __init__(self, dice: DiceSet, temperature: float, nets: Nets | None = None) -> None:
        self.texts = Texts.of(dice)
        self._bags = {number: self.texts.bags(number) for number in set(self.texts.corners)}
        self.temperature = temperature
        self._nets = nets or Nets()

    def load(self) -> Net:
        """Load the net now, if it is not loaded yet, instead of on first use."""
        return self._nets.load(FACES)

    def upper(self, turned: Sequence[Sequence[Image]]) -> Marks:
        """Return the posteriors of upper faces, each given flat in all its rotations (`geometry.cut_turned`).

        The number of rotations is the number of corners; only texts of faces with as many corners are possible.
        """
        return self.judge(self.opinions(self.views(turned)), [len(patches) for patches in turned])

    def judge(self, opinions: Sequence[Opinion], corners: Sequence[int]) -> Marks:
        """Return the posteriors of upper faces, given the net's opinion and the number of corners of each."""
        texts = np.zeros((len(opinions), len(self.texts.upper)))
        unreadable = np.ones(len(opinions))
        for i, opinion in enumerate(opinions):
            if corners[i] in self._bags:
                fits = np.flatnonzero(np.array(self.texts.corners) == corners[i])
                texts[i, fits], unreadable[i] = opinion.chances(self._bags[corners[i]])
        return Marks(texts, unreadable)

    def witness(self, opinion: Opinion, corners: int) -> Witness:
        """Return how clearly a face with this many corners is one of the set's, before any limit applies.

        Raises:
            ValueError: the set has no face with this many corners.
        """
        return opinion.witness(self._bags[corners])

    def judge_sides(self, opinions: Sequence[Opinion]) -> Marks:
        """Return the posteriors of a tetrahedron's sides, given the net's opinion of each."""
        found = [opinion.chances(self.texts.side_bags) for opinion in opinions]
        texts = np.array([texts for texts, _ in found]).reshape(len(found), len(self.texts.side))
        return Marks(texts, np.array([unreadable for _, unreadable in found]))

    def squares(self, patches: Sequence[Image]) -> Marks:
        """Return the posteriors of flat square faces."""
        return self.upper([rotations(patch, "square") for patch in patches])

    def sides(self, patches: Sequence[Image]) -> Marks:
        """Return the posteriors of flat sides of a tetrahedron; turning them here costs a little sharpness."""
        return self.judge_sides(self.opinions(self.views([rotations(patch, "side") for patch in patches])))

    def opinions(self, views: Sequence[NetView]) -> list[Opinion]:
        """Return the net's opinion of each face, over all its rotations."""
        return [Opinion.of(view.logits, self.temperature) for view in views]

    def describe(self, patches: Sequence[Image]) -> Vectors:
        """Return the descriptors of flat faces as they lie, (n, `DESCRIPTOR_LENGTH`), each of length 1."""
        views = self.views([[patch] for patch in patches])
        return np.array([view.descriptors[0] for view in views], np.float32).reshape(-1, DESCRIPTOR_LENGTH)

    def views(self, turned: Sequence[Sequence[Image]]) -> list[NetView]:
        """Return what the net sees of each face, given flat in all its rotations."""
        if not turned:
            return []
        patches = patch_input(np.stack([patch for patches in turned for patch in patches]))
        logits, seen, stands = self.load().run_for(patches, (LOGITS, DESCRIPTORS, STANDS))
        described = directions(seen)
        places = stands[:, _LETTERS].sum(axis=1)
        ends = np.cumsum([len(patches) for patches in turned])
        return [
            NetView(*(part[end - len(patches) : end] for part in (logits, described, places)))
            for end, patches in zip(ends, turned, strict=True)
        ]


def directions(hidden: Vectors) -> Vectors:
    """Return the faces' descriptors, (n, `DESCRIPTOR_LENGTH`), of length 1, from a mark net's last hidden layer."""
    return lengthened(np.sqrt(hidden))  # the root gives the few strong features less weight


def lengthened(vectors: Vectors) -> Vectors:
    """Return vectors, (n, width), with length 1; one that is shorter than `SHORTEST_DESCRIPTOR` has no direction."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, SHORTEST_DESCRIPTOR), np.float32)


def rotations(patch: Image, outline: Outline) -> list[Image]:
    """Return a flat face in all its rotations, as `geometry.cut_turned` cuts them from a picture."""
    if outline == "square":
        return [np.ascontiguousarray(np.rot90(patch, k)) for k in range(4)]
    return [patch, _turned(patch, 1), _turned(patch, 2)]


def _turned(patch: Image, corner: int) -> Image:
    """Return a triangular patch with that corner at the top."""
    places = (TRIANGLE * PATCH_PIXELS - 0.5).astype(np.float32)
    warp = cv2.getAffineTransform(np.roll(places, -corner, axis=0), places)
    return np.asarray(
        cv2.warpAffine(patch, warp, (PATCH_PIXELS, PATCH_PIXELS), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )

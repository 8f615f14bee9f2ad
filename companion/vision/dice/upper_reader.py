"""Reading the upper faces of cubes, tiles and solids: what the nets and the table's memory say of each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.language.sentence import Sentence
from companion.rules.dice import Shape
from companion.vision.dice.answers import Answers
from companion.vision.dice.asking.second_marks import SecondMarks
from companion.vision.dice.corners import Corners
from companion.vision.dice.faces import FaceReader, Texts, Vectors
from companion.vision.dice.geometry import PLACES, SQUARE, Points, cut_turned, edge_length
from companion.vision.dice.locate import Found, UpperFace
from companion.vision.dice.memory.body import Bodies
from companion.vision.dice.memory.exemplars import LEARNT, NOTHING, Mask, View
from companion.vision.dice.memory.glimpses import UpperGlimpse
from companion.vision.dice.memory.pictured import Seconded, SecondNet
from companion.vision.dice.memory.plane import agrees, trusted
from companion.vision.dice.memory.relief import reliefs
from companion.vision.dice.memory.table import OTHER_DICE, REMEMBERED_POSTERIOR, Recalled, Shown, TableMemory
from companion.vision.dice.missing import outlined, plane_of, with_missing
from companion.vision.dice.scene import Scene
from companion.vision.dice.seen import Cut, Seen
from companion.vision.dice.solids.upper import SolidReader
from companion.vision.dice.spots import count_spots, seconded
from companion.vision.dice.upper import UpperFaces
from companion.vision.readings import Image, ReadDie

EXTRA_PIP_COUNTS: Final = 3
"""How many faces beyond the possible number of dice get a second count of pips, the likeliest first."""

LIKELY_DIE: Final = 0.5
CLEAR_CHANCE: Final = 0.998
"""A face gets a second pass at what the table remembers if it is likelier than `LIKELY_DIE` a face of a die, and its
likeliest marks are less likely than `CLEAR_CHANCE` to the general reader, and with what the table remembers. A second
pass over all faces that are not clear to the general reader alone asked about the same dice of 32 developing hands."""

NEARBY: Final = (
    (0.93, 0.0, 0.0),
    (1.07, 0.0, 0.0),
    (1.0, 0.05, 0.0),
    (1.0, -0.05, 0.0),
    (1.0, 0.0, 0.05),
    (1.0, 0.0, -0.05),
)
"""How a face is cut out again if the table does not know it as it was found: size, and shifts to the right and down in
edges. Corners are never exact."""

LAY_THERE: Final = "It lay there before, and somebody said that it is no die."


def shown_by_corners(texts: Texts) -> dict[int, Shown]:
    """Return what faces of a set may show, for each number of corners that a face has."""
    return {
        number: Shown([texts.upper[i][1] for i in fits], fits, len(texts.upper))
        for number in set(texts.corners)
        for fits in [[i for i, corners in enumerate(texts.corners) if corners == number]]
    }


class UpperReader:
    """Reads the upper faces of a set's cubes, tiles and solids.

    Args:
        shapes: the shape of the dice for each number of corners of a face.
        faces: the first mark net, and ``second`` the second.
        upper: judges what was read.
        solids: how the solids of the picture lie.
        answers: makes the answer for each found thing.
        pips_alone: whether all faces show pips and nothing else, so that these can be counted a second time.
        memory: what the table remembers of its dice.

    Attributes:
        glimpses: the faces that were read last, as the table may remember them.
        drift: what has changed on the table since its dice were learnt; None where nothing did.
        plane: the table's plane, where the last picture agrees with what the table remembers of it.
        shown: what faces may show, for each number of corners.
        squares: whether faces with four corners are squares, or tiles that are nearly so: they show the plane.
    """

    def __init__(
        self,
        shapes: Mapping[int, Shape],
        faces: FaceReader,
        second: SecondMarks,
        upper: UpperFaces,
        solids: SolidReader,
        *,
        answers: Answers,
        pips_alone: bool,
        memory: TableMemory | None,
    ) -> None:
        self._shapes = shapes
        self._faces = faces
        self._second = second
        self._second_net = SecondNet(second.describe)
        self._bodies = Bodies()
        self._upper = upper
        self._solids = solids
        self._answers = answers
        self._pips_alone = pips_alone
        self._memory = memory
        self.shown = shown_by_corners(faces.texts)
        self.squares = len(SQUARE) in shapes and "trapezohedron" not in shapes.values()
        self.glimpses: tuple[UpperGlimpse, ...] = ()
        self.drift: Sentence | None = None
        self.plane: Scene | None = None

    def in_plane(self, found: Found, image: Image, number: int | None, corners: Corners) -> Found:
        """Return the dice with those that show only where the table's plane is known; keep the plane if it holds.

        ``number``: how many cubes lie there, None where that is not known.
        """
        self.plane = None
        if not self.squares:
            return found
        picture = (image.shape[0], image.shape[1])
        scene = None if self._memory is None else self._memory.plane.scene(picture)
        if scene is not None and trusted(scene, [face.corners for face in outlined(found.faces)]):
            self.plane = scene
        else:
            scene = plane_of(found.faces, picture)
        return found if scene is None else with_missing(image, found, scene, number, corners)

    def judge(self, found: Found, image: Image) -> list[ReadDie]:
        """Return the answer for each upper face of a picture."""
        self.glimpses, self.drift = (), None
        worth, answers = self._upper.sort_out(found.faces, image)
        seen = self._seen(worth, image)
        things = [one for one in seen if one.thing]
        answers += [self._answers.ignored(one.face.corners, LAY_THERE) for one in things]
        picture = (image.shape[0], image.shape[1])
        return answers + self._upper.judge([one for one in seen if not one.thing], picture, self.plane)

    def in_plain_sight(self, faces: Sequence[UpperFace], image: Image) -> list[ReadDie]:
        """Return the answers for faces of things that can only be dice: they are asked about at least."""
        self.glimpses = ()
        return self._upper.plain(self._seen(faces, image))

    def _seen(self, faces: Sequence[UpperFace], image: Image) -> list[Seen]:
        """Return the marks and the evidence of each upper face."""
        cuts = [self._cut(image, self._fitted(face.corners)) for face in faces]
        views = self._faces.views(cuts)
        opinions = self._faces.opinions(views)
        sides = [len(face.corners) for face in faces]
        judged = self._faces.judge(opinions, sides)
        seen = []
        for i, (face, opinion) in enumerate(zip(faces, opinions, strict=True)):
            marks, witness = judged.row(i), self._faces.witness(opinion, sides[i])
            pips = self._faces.texts.upper_bags.pips
            spots = (
                count_spots(image, face.corners)
                if self._pips_alone and i < self._upper.most + EXTRA_PIP_COUNTS
                else None
            )
            agrees = None
            if spots is not None:
                agrees = bool(pips[int(marks.texts[0].argmax())] == spots)
                marks = seconded(marks, spots, pips)
            cut = Cut(cuts[i], views[i], opinion.upright)
            unlearnt = self._unlearnt(sides[i])
            strength = self._upper.evidence(face, marks, unlearnt=unlearnt)
            one = Seen(face, marks, strength, witness, cut, agrees, unlearnt=unlearnt)
            seen.append(
                one
                if self._memory is None
                else self._recalled(one, View(views[i].descriptors, cuts[i], face.corners), self._memory, image)
            )
        if self._memory is not None and self._memory.origin is not None:
            squares = [patches[0] for patches in cuts if len(patches) == len(SQUARE)]
            self.drift = OTHER_DICE if self._memory.strange else self._memory.origin.light.drift(squares)
        return seen

    def _unlearnt(self, corners: int) -> bool:
        """Return whether a face with this many corners may be one that neither a net nor the memory knows."""
        unknown = self._faces.texts.unknown(corners)
        return bool(unknown) and (self._memory is None or not self._memory.exemplars.know(corners, unknown))

    def _recalled(self, seen: Seen, view: View, memory: TableMemory, image: Image) -> Seen:
        """Return a face as the general reader and the table's memory together read it, and keep the glimpse."""
        number = len(seen.face.corners)
        shown = self.shown[number]
        among = self._of_its_colour(view, number, memory)
        recalled = memory.recall(number, view.descriptors, seen.marks, shown, among=among)
        if recalled is not None and recalled.likeliest < CLEAR_CHANCE and self._is_unclear(seen, shown):
            recalled = self._recalled_again(seen, view, memory, image, among)
        lying = next((says for corners, says, _ in self._solids.posed if corners is seen.face.corners), None)
        picture = (image.shape[0], image.shape[1]) if self.squares and self._is_cube(number) else None
        general = shown.by_bag(seen.marks)
        self.glimpses += (UpperGlimpse(seen.face.corners, view, shown, general, recalled, lying, picture),)
        if memory.exemplars.lies_there(number, view):
            return replace(seen, thing=True)
        if recalled is None:
            return seen
        memory.compare(recalled.evidence)
        strength = self._upper.evidence(seen.face, recalled.marks, unlearnt=seen.unlearnt)
        seen = replace(seen, evidence=strength, general=seen.marks, strange=memory.strange)
        return replace(seen, marks=recalled.marks, recalled=recalled.log_odds)

    def _recalled_again(
        self, seen: Seen, view: View, memory: TableMemory, image: Image, among: Mask | None
    ) -> Recalled | None:
        """Return a face as both mark nets and the table's memory read it; cut out again if it is still unknown."""
        number = len(seen.face.corners)
        opinion, described = self._second.read(view.patches)
        marks = seen.marks.averaged(self._faces.judge([opinion], [number]))

        def recall(first: Vectors, second: Vectors, patches: Sequence[Image]) -> Recalled | None:
            made = reliefs(patches) if self._is_cube(number) else None
            seconded = Seconded(second, self._second_net, made)
            return memory.recall(number, first, marks, self.shown[number], seconded, among=among)

        recalled = recall(view.descriptors, described, view.patches)
        if recalled is None or recalled.likeliest >= REMEMBERED_POSTERIOR:
            return recalled
        cuts = [self._cut(image, corners) for corners in _nearby(self._fitted(seen.face.corners))]
        first = [view.descriptors, *(view_again.descriptors for view_again in self._faces.views(cuts))]
        patches = [patch for cut in cuts for patch in cut]
        second = [described, self._second.describe(patches)]
        return recall(np.concatenate(first), np.concatenate(second), [*view.patches, *patches])

    def _of_its_colour(self, view: View, number: int, memory: TableMemory) -> Mask | None:
        """Return which exemplars may be of a face's die, by their colour; None where colour tells nothing."""
        if not self._is_cube(number):
            return None
        kept = list(memory.exemplars)
        # faces that somebody taught as these very dice count in any light
        free = [one.source.startswith(LEARNT) or one.bag == NOTHING or one.outline != number for one in kept]
        faces = ~np.array(free, np.bool_)
        among = np.ones(len(kept), np.bool_)
        among[faces] = self._bodies.alike(view.patches[0], [kept[i] for i in np.flatnonzero(faces)])
        return among

    def _is_cube(self, corners: int) -> bool:
        return corners == len(SQUARE) and self._shapes[corners] == "cube"

    def _is_unclear(self, seen: Seen, shown: Shown) -> bool:
        """Return whether a likely die is not clear to the general reader."""
        return seen.face.score > LIKELY_DIE and float(shown.by_bag(seen.marks).max()) < CLEAR_CHANCE

    def _fitted(self, corners: Points) -> Points:
        """Return where a face is cut out: where its plane is known, as the square there, which has fewer numbers."""
        known = self.plane is not None and len(corners) == len(SQUARE) and agrees(self.plane, corners)
        return self.plane.square(corners) if self.plane is not None and known else corners

    def _cut(self, image: Image, corners: Points) -> list[Image]:
        return cut_turned(image, corners, PLACES[self._shapes[len(corners)]])


def _nearby(corners: Points) -> list[Points]:
    """Return outlines near a found one, see `NEARBY`."""
    middle, edge = corners.mean(axis=0), edge_length(corners)
    return [(corners - middle) * size + middle + np.array([right, down]) * edge for size, right, down in NEARBY]

"""The tetrahedron, which lies on the face that counts: its visible sides tell which that is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from companion.vision.dice.answers import Answers
from companion.vision.dice.faces import FaceReader, Marks
from companion.vision.dice.geometry import PATCH, TRIANGLE, area, cut_flat, cut_turned, edge_length, grow, stands_out
from companion.vision.dice.handedness import Handedness, HandednessLearner, decode_hidden
from companion.vision.dice.locate import Tetrahedron
from companion.vision.dice.outlines import leaves, visible_sides
from companion.vision.dice.own_looks import OwnLooks, fuse
from companion.vision.readings import Image, ReadDie

PHANTOM: Final = 0.6
"""What is no likelier a tetrahedron than this, and has nothing to read on it, is none."""

NOTHING: Final = 0.5
"""Of less of its sides than this, in sides, nothing can be read."""

CLEAR: Final = 0.9
"""What is read less surely is looked at again."""

FAINT: Final = 12.0
"""Marks that stand out from a side by fewer steps of 255 are asked about: a person could hardly read them either."""

LOW: Final = 24.0
"""Sides that are lower in the picture, in pixels, are asked about: their letters are four pixels high."""

_WITHIN: Final = np.zeros((PATCH, PATCH), np.uint8)
cv2.fillConvexPoly(_WITHIN, np.round(grow(TRIANGLE, 0.78) * PATCH).astype(np.int32), 1)
"""The part of a flat side that shows nothing of its neighbours."""

AROUND: Final = 4
APEX_REACH: Final = 0.05
"""An unclear tetrahedron is looked at with so many other apexes, so far (in base edges) from the found one."""

SURELY: Final = 0.8
"""Two sides that show the same so surely contradict each other."""


@dataclass(frozen=True, eq=False)
class Sides:
    """A tetrahedron and what is on its visible sides, a row of ``marks`` each; ``likely``: which way up it may be."""

    solid: Tetrahedron
    marks: Marks
    likely: tuple[tuple[int, ...], ...]

    @property
    def shown(self) -> float:
        """Return how much of its sides can be read, 0 to 3."""
        return float((1 - self.marks.unreadable).sum())

    @property
    def evidence(self) -> float:
        """How much speaks for its being the tetrahedron that was thrown."""
        return self.solid.score * self.shown


class TetrahedronReader:
    """Reads the tetrahedron of a set.

    Args:
        name: the die's name in the set; None if none is thrown.
        faces: reads the marks.
        answers: words what is found.
        least: from which chance on it is read, not asked about.
        handedness: what is known of its handedness.
        learns: whether more is learnt of it while dice are read.
        looks: how this very die looks, as learnt from throws.
    """

    def __init__(
        self,
        name: str | None,
        faces: FaceReader,
        answers: Answers,
        *,
        least: float,
        handedness: Handedness | None,
        learns: bool,
        looks: OwnLooks | None,
    ) -> None:
        self._name = name
        self._faces = faces
        self._answers = answers
        self._least = least
        self._hand = HandednessLearner(handedness)
        self._learns = learns
        self._looks = looks

    @property
    def handedness(self) -> Handedness:
        """What has been learnt of its handedness so far."""
        return self._hand.handedness

    def judge(self, tetrahedra: Sequence[Tetrahedron], image: Image) -> list[ReadDie]:
        """Return what each tetrahedron of a picture shows: the text of the face that it lies on."""
        if self._name is None:
            return [self._answers.ignored(one.outline(), "No tetrahedron is thrown here.") for one in tetrahedra]
        judged: list[ReadDie] = []
        whole: list[Sides] = []
        for one in tetrahedra:
            if leaves(one.outline(), image):
                judged.append(self._answers.ignored(one.outline(), "It lies partly outside the picture."))
                continue
            sides = self._sides(one, image)
            if sides.shown < NOTHING and one.score < PHANTOM:
                judged.append(self._answers.ignored(one.outline(), "It does not look like a tetrahedron."))
            else:
                whole.append(sides)
        whole.sort(key=lambda sides: -sides.evidence)
        judged += [self._hidden(sides, image) for sides in whole[:1]]
        reason = "One tetrahedron is expected, and a clearer one was seen."
        return judged + [self._answers.ignored(sides.solid.outline(), reason) for sides in whole[1:]]

    def _sides(self, one: Tetrahedron, image: Image) -> Sides:
        flat = [side for _, side in visible_sides(one)]
        opinions = self._faces.opinions([cut_turned(image, side, TRIANGLE) for side in flat])
        marks = self._faces.judge_sides(opinions)
        if self._looks is not None:
            marks = fuse(self._looks.sides([cut_flat(image, side, TRIANGLE) for side in flat]), marks)
        return Sides(one, marks, tuple(tuple(opinion.likely()) for opinion in opinions))

    def _hidden(self, sides: Sides, image: Image) -> ReadDie:
        one, marks = sides.solid, sides.marks
        texts, hand = self._faces.texts.side, self._hand.handedness
        seen = [i for i, _ in visible_sides(one)]
        candidates = decode_hidden(_rows(marks, seen), texts, hand)
        if seen and (candidates[0][1] < CLEAR or _contradict(marks)):
            marks = self._looks_around(sides, seen, image)
            candidates = decode_hidden(_rows(marks, seen), texts, hand)
        if self._learns:
            self._hand.see(_rows(marks, seen), one.base)
        reason = ""
        flat = [side for _, side in visible_sides(one)]
        if one.apex is None:
            reason = "Its apex was not found, so its sides cannot be told apart."
        elif _contradict(marks):
            reason = "Two of its sides look alike."  # one is misread, and what it shows is not known
        elif _second([2 * abs(area(side)) / edge_length(one.base) for side in flat]) < LOW:
            reason = "Its sides are too small in the picture."
        elif _second([stands_out(cut_flat(image, side, TRIANGLE), _WITHIN) for side in flat]) < FAINT:
            reason = "The marks on its sides hardly stand out."
        elif candidates[0][1] < self._least:
            all_seen = len(seen) == 3  # noqa: PLR2004
            reason = "The marks on its sides are not clear." if all_seen else "Not all of its three sides are seen."
        return self._answers.die(self._name, candidates, one.outline(), reason)

    def _looks_around(self, sides: Sides, seen: Sequence[int], image: Image) -> Marks:
        """Return the sides as seen with apexes all around the found one too: it is the least exact of the corners."""
        one, first = sides.solid, sides.marks
        assert one.apex is not None
        turn = np.arange(AROUND) * 2 * np.pi / AROUND
        ring = one.apex + np.column_stack([np.cos(turn), np.sin(turn)]) * APEX_REACH * edge_length(one.base)
        shifted = [visible_sides(replace(one, apex=apex)) for apex in ring]
        usable = [flat for flat in shifted if [i for i, _ in flat] == list(seen)]
        cut = [
            cut_turned(image, side, TRIANGLE, likely)
            for flat in usable
            for (_, side), likely in zip(flat, sides.likely, strict=True)
        ]
        again = self._faces.judge_sides(self._faces.opinions(cut))
        every = []
        for k in range(len(seen)):
            rows = slice(k, None, len(seen))
            looks = Marks(
                np.vstack([first.texts[k : k + 1], again.texts[rows]]),
                np.concatenate([first.unreadable[k : k + 1], again.unreadable[rows]]),
            )
            every.append(looks.together())
        return Marks(np.vstack([look.texts for look in every]), np.concatenate([look.unreadable for look in every]))


def _rows(marks: Marks, seen: Sequence[int]) -> list[np.ndarray[tuple[int], np.dtype[np.float64]] | None]:
    """Return the sides clockwise around the apex, None for one that is not seen."""
    spread = marks.spread()
    rows: list[np.ndarray[tuple[int], np.dtype[np.float64]] | None] = [None, None, None]
    for number, i in enumerate(seen):
        rows[i] = spread[number]
    return rows


def _second(values: Sequence[float]) -> float:
    """Return the second best value: two sides tell the hidden one if the third can hardly be seen."""
    return sorted(values)[-2:][0] if values else 0.0


def _contradict(marks: Marks) -> bool:
    """Tell whether two sides surely show the same marks, which no two sides do."""
    sure = [int(row.argmax()) for row in marks.texts if row.max() > SURELY]
    return len(set(sure)) < len(sure)

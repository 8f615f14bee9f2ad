"""What the outlines of whole dice add to the faces that were read: dice in plain sight, and likely answers."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from companion.rules.dice import Shape
from companion.vision.dice.answers import Answers
from companion.vision.dice.geometry import inside
from companion.vision.dice.locate import Found
from companion.vision.dice.memory.exemplars import WHOLE_OUTLINE
from companion.vision.dice.memory.glimpses import UpperGlimpse, WholeGlimpse
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.memory.whole_view import proposed, whole_view
from companion.vision.dice.solids.model import Batch, solids
from companion.vision.dice.solids.things import Thing, begun, die_like, large, shows
from companion.vision.dice.solids.upper import SolidReader
from companion.vision.dice.solids.whole import PART, WholeDice
from companion.vision.dice.upper_reader import UpperReader
from companion.vision.readings import Image, ReadDie

FACE_PART: Final = {"icosahedron": 0.18, "dodecahedron": 0.32, "octahedron": 0.35, "trapezohedron": 0.4}
"""The part of a solid's outline that its upper face covers, seen from above; of a cube's it is all."""


class WholeOutlines:
    """Mends the readings of one set's dice by the outlines of whole dice.

    Args:
        shapes: the shape of the dice for each number of corners of a face.
        upper: reads the faces of what lies in plain sight.
        solids: how the solids of the picture lie.
        whole: dice with a known numbering.
        answers: makes the answer for each found thing.
        most: how many dice other than tetrahedra are thrown at the most; ``named``: whether they are just these.
        memory: what the table remembers of its dice.

    Attributes:
        glimpses: what was seen of the dice of the last picture here, as the table may remember it.
    """

    def __init__(
        self,
        shapes: Mapping[int, Shape],
        upper: UpperReader,
        solids: SolidReader,
        whole: WholeDice,
        answers: Answers,
        *,
        most: int,
        named: bool,
        memory: TableMemory | None,
    ) -> None:
        self._shapes = shapes
        self._upper = upper
        self._solids = solids
        self._whole = whole
        self._answers = answers
        self._most = most
        self._named = named
        self._memory = memory
        self.glimpses: tuple[UpperGlimpse | WholeGlimpse, ...] = ()

    def mended(self, dice: list[ReadDie], found: Found, image: Image, upright: Batch | None) -> list[ReadDie]:
        """Return a picture's dice, and what the whole of them adds; ``upright``: see `SolidReader.settle`."""
        self.glimpses = ()
        things = self._things(image, dice)
        return self._as_wholes(image, self._by_the_whole(image, dice, found, things, upright), things)

    def _things(self, image: Image, dice: Sequence[ReadDie]) -> list[Thing]:
        """Return what has the outline of a die, where that may tell more than the faces did."""
        there = any(die.status != "ignored" for die in dice)
        solid = bool(self._shapes) and self._shapes[min(self._shapes)] in solids()
        if not self._most or self._answers.kind == "tile" or (there and not solid):
            return []
        return die_like(image)

    def _by_the_whole(
        self,
        image: Image,
        dice: list[ReadDie],
        found: Found,
        things: Sequence[Thing],
        upright: Batch | None,
    ) -> list[ReadDie]:
        """Return the dice, also by what their other faces say; what lies in plain sight is asked about at least."""
        number = min(self._shapes, default=0)
        if self._whole.known:
            dice = self._whole.mended(image, dice, self._solids.posed, things, upright)
        part = FACE_PART.get(self._shapes.get(number, ""), 1.0)
        left = [thing for thing in things if thing.alone and not any(shows(thing, die, part) for die in dice)]
        # as many things as dice are thrown: where others lie about, none of them need be a die
        fitting = len(left) == self._most if self._named else 0 < len(left) <= self._most
        if not left or not fitting or len(left) < len(things):
            return dice
        faces = []
        for thing in left:
            guess = begun(thing, found.faces, number, part)
            (settled,) = self._solids.settle(image, found, Found((guess,), ()), upright).faces
            # a fitted pose may be that of a mark on the die
            faces.append(settled if large(thing, settled.corners, part) else guess)
        rest = [
            self._answers.ignored(np.array(die.polygon), PART)
            if any(inside(np.mean(die.polygon, axis=0), thing.outline) for thing in left)
            else die
            for die in dice
        ]
        answers = self._upper.in_plain_sight(faces, image)
        self.glimpses += self._upper.glimpses
        return rest + answers

    def _as_wholes(self, image: Image, dice: Sequence[ReadDie], things: Sequence[Thing]) -> list[ReadDie]:
        """Return the dice, the doubtful ones with the face first that the table knows as most like the whole die."""
        answers = list(dice)
        for thing in things if self._memory is not None else ():
            there = [
                i
                for i, die in enumerate(dice)
                if die.status != "ignored" and inside(np.mean(die.polygon, axis=0), thing.outline)
            ]
            number = len(dice[there[0]].polygon) if len(there) == 1 else 0
            if self._memory is None or number not in self._upper.shown:
                continue
            view, texts = whole_view(image, thing.outline), self._upper.shown[number].texts
            self.glimpses += (WholeGlimpse(thing.outline, view, texts),)
            if dice[there[0]].status == "ask":
                alike = self._memory.exemplars.likeness(WHOLE_OUTLINE, view.descriptors)
                answers[there[0]] = proposed(dice[there[0]], alike, texts)
        return answers

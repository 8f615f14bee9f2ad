"""The dice reader: it locates the dice in a picture, cuts faces out flat, reads, decodes and judges one throw."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.language.sentence import Sentence, SentenceText
from companion.rules.dice import PIP, DiceSet, dice_set
from companion.vision.dice.answers import Answers, conclude
from companion.vision.dice.asking import clutter
from companion.vision.dice.asking.certainty import Certainty
from companion.vision.dice.asking.clutter import Find
from companion.vision.dice.asking.rows import RowReader
from companion.vision.dice.asking.second_marks import SecondMarks
from companion.vision.dice.asking.selector import Features, shipped
from companion.vision.dice.corners import Corners
from companion.vision.dice.decode import kinds_of
from companion.vision.dice.faces import CORNERS_OF, FaceReader
from companion.vision.dice.geometry import Points
from companion.vision.dice.locate import Found, Locator
from companion.vision.dice.marks import known as knows
from companion.vision.dice.memory.glimpses import FaceLesson, Glimpse, teach
from companion.vision.dice.memory.handedness import Handedness
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.missing import dropped
from companion.vision.dice.nets import Nets, Settings, settings
from companion.vision.dice.outlines import distinct
from companion.vision.dice.solids.upper import SolidReader
from companion.vision.dice.solids.whole import WholeDice
from companion.vision.dice.tetrahedra.reader import TetrahedronReader
from companion.vision.dice.upper import UpperFaces
from companion.vision.dice.upper_reader import LAY_THERE, UpperReader
from companion.vision.dice.whole_outlines import WholeOutlines
from companion.vision.ground import Ground
from companion.vision.readings import DiceReading, Image, Kind, ReadDie, readable

LEAST_SIDE: Final = 64
"""The least shorter side of a picture, in pixels. Dice in smaller pictures cannot be read."""

ASIDE: Final = "It has the size and the colour of the dice, but no upper face of it is clear."
GROUND: Final = "It lies there in throw after throw."


class DiceSetNotReadError(ValueError):
    """No camera can read these dice."""


class DiceReader:
    """Reads one dice set. Keeps its nets; use one reader for each thread.

    Args:
        dice: the set, or the name of a set that comes with the program.
        expected: the names of the dice on the table. By default the whole set; if all its dice are alike, any number
            of them up to the set's most.
        chosen: the thresholds for asking; by default those chosen for these weights.
        likely: returns whether a find shows that dice lie there; by default as learnt for these weights.
        reads: returns whether an upper face is read without asking; by default as learnt for these weights.
        handedness: what is known about the tetrahedron's handedness.
        learns: whether the reader learns the handedness and the number of dice while it reads. Only right if all
            pictures show the same dice.
        memory: what the table remembers of these dice; `learn` adds to it.
        nets: nets to share with other readers of the same thread; by default its own.

    Attributes:
        glimpses: the finds of the last picture, as the table may remember them.
        ground: what lies still before the camera, and is never a die; None where single pictures are read.

    Raises:
        DiceSetNotReadError: no camera can read the set.
        ThrowError: the set has no such die.
    """

    def __init__(
        self,
        dice: DiceSet | str,
        expected: tuple[str, ...] | None = None,
        *,
        chosen: Settings | None = None,
        likely: Callable[[Find], bool] | None = None,
        reads: Callable[[Features], bool] | None = None,
        handedness: Handedness | None = None,
        learns: bool = True,
        memory: TableMemory | None = None,
        nets: Nets | None = None,
    ) -> None:
        known = dice_set(dice) if isinstance(dice, str) else dice
        if not readable(known):
            raise DiceSetNotReadError(
                f"Expected dice that a camera can read, but {known.name} has a wheel or pointer; tap it in by hand."
            )
        self.set_name = known.name
        names = tuple(die.name for die in known.dice) if expected is None else expected
        shapes = {name: known.die(name).shape for name in names}
        self.expected = () if known.alike and expected is None else names
        self._number = sum(shapes[name] == "cube" for name in self.expected)
        kind: Kind = "tile" if set(shapes.values()) == {"tile"} else "die"
        self._answers = Answers(known.name, kind)
        self._memory = memory
        self._learns = learns
        by_corners = {CORNERS_OF[shape]: shape for shape in shapes.values() if shape in CORNERS_OF}
        chosen, nets = chosen or settings(), nets or Nets()
        number = len(self.expected) or None
        lettered = not any(PIP in face.marks for die in known.dice for face in die.faces)
        self._locator = Locator(by_corners or (4,), lettered=lettered, number=number, nets=nets)
        self._solids = SolidReader(shapes.values())
        self._faces = FaceReader(known, chosen.temperature, nets)
        texts = self._faces.texts
        second = SecondMarks(texts.upper_bags, chosen.temperature, nets)
        rules = shipped()
        reads, short = reads or rules.reads, rules.short
        certainty = Certainty(texts, by_corners, RowReader(texts.marks, nets), second, reads=reads, short=short)
        named = bool(self.expected)
        likely = likely or clutter.shipped().likely
        upper = UpperFaces(
            kinds_of(known, names, texts.upper), texts, self._answers, certainty, likely=likely, named=named
        )
        self._corners = Corners(nets, upper.most)
        self._upper = UpperReader(
            by_corners,
            self._faces,
            second,
            upper,
            self._solids,
            answers=self._answers,
            pips_alone=_pips_alone(known),
            memory=memory,
        )
        self._tetrahedra = TetrahedronReader(
            next((name for name in names if shapes[name] == "tetrahedron"), None),
            self._faces,
            second,
            self._answers,
            least=chosen.tetrahedron_read_above,
            handedness=handedness,
            learns=learns,
            memory=memory,
        )
        self._wholes = WholeOutlines(
            by_corners,
            self._upper,
            self._solids,
            WholeDice([known.die(name) for name in names], self._faces, self._answers, named=named),
            self._answers,
            most=upper.most,
            named=named,
            memory=memory,
        )
        self.glimpses: tuple[Glimpse, ...] = ()
        self.ground: Ground | None = None

    def learn(self, lessons: Sequence[FaceLesson], source: str) -> None:
        """Teach the table's memory what the dice of the last picture show; ``source`` names the throw."""
        if self._memory is not None:
            self._memory.number = sum(one.text is not None for one in lessons) or self._memory.number
            teach(self._memory, self.glimpses, lessons, source)

    def read(self, image: Image) -> DiceReading:
        """Return the reading of a BGR picture."""
        for part in (self._locator, self._corners, self._faces):
            part.load()  # loads only once; keep that out of the measured time of a throw
        begun = time.perf_counter()
        self.glimpses = ()
        if min(image.shape[:2]) < LEAST_SIDE:
            small = Sentence(
                "The picture is {width} x {height} pixels, too small to read dice in.",
                width=image.shape[1],
                height=image.shape[0],
            )
            return DiceReading((), "ignored", SentenceText(small), expected=self.expected)
        cleared = image if self.ground is None else self.ground.cleared(image)
        rough = self._locator.find(cleared)
        located = time.perf_counter()
        upright = None if self._memory is None else self._memory.upright.chances()
        sizes = None if self._memory is None else self._memory.sizes.density()
        rough, still = self._off_ground(rough, image, exact=False)
        found = distinct(self._solids.settle(image, rough, self._corners.correct(cleared, rough), upright, sizes))
        found, more = self._off_ground(found, image)
        alone = found
        number = self._number if self.expected else None
        found = self._upper.in_plane(found, cleared, number, self._corners)
        most: list[Points] = []
        if found is not alone:
            found, most = self._off_ground(found, image)
        cornered = time.perf_counter()
        judged = self._upper.judge(found, image)
        known = {id(face) for face in alone.faces}
        added = [tuple(face.corners.mean(axis=0)) for face in found.faces if id(face) not in known]
        # things of a table without dice may lie in one plane, too: nothing further counts there if they show no die
        if (
            added
            and self._upper.plane is None
            and all(die.status != "read" or tuple(np.mean(die.polygon, axis=0)) in added for die in judged)
        ):
            found, most = alone, []
            judged = self._upper.judge(found, image)
        dice = [self._answers.ignored(corners, GROUND) for corners in (*still, *more, *most)]
        dice += judged
        nothing = all(die.status == "ignored" for die in dice)
        dice += self._tetrahedra.judge(found, image, alone=nothing)
        self.glimpses = (*self._upper.glimpses, *self._tetrahedra.glimpses)
        dice = self._wholes.mended(dice, found, image, upright)
        self.glimpses += self._wholes.glimpses
        reading = self._concluded(image, dice)
        done = time.perf_counter()
        stages = {"locate": located - begun, "corners": cornered - located, "marks": done - cornered}
        return replace(
            reading,
            drift=self._upper.drift,
            milliseconds=(done - begun) * 1000,
            stages={name: 1000 * seconds for name, seconds in stages.items()},
        )

    def _concluded(self, image: Image, dice: Sequence[ReadDie]) -> DiceReading:
        """Return the reading of the throw; where nobody said how many dice there are, one that is short asks."""
        if self.expected or not self._upper.squares:
            return conclude(dice, self.expected)
        aside = dropped(image, [die for die in dice if die.reason not in (GROUND, LAY_THERE)])
        dice = [replace(die, status="ask", reason=ASIDE) if die in aside else die for die in dice]
        memory = self._memory if self._learns else None
        reading = conclude(dice, (), before=None if memory is None else memory.number)
        there = [die for die in dice if die.status != "ignored"]
        if memory is not None and there and all(die.status == "read" for die in there):
            memory.number = len(there)  # whoever changes the number is asked once
        return reading

    def find(self, image: Image) -> Found:
        """Return the dice of a picture with exact corners and without duplicates, without reading them."""
        rough = self._locator.find(image)
        return distinct(self._solids.settle(image, rough, self._corners.correct(image, rough)))

    def _off_ground(self, found: Found, image: Image, *, exact: bool = True) -> tuple[Found, list[Points]]:
        """Return the dice without what lies there in throw after throw, and the outlines of that."""
        if self.ground is None:
            return found, []
        still = {id(one) for one in found.faces if self.ground.shows(image, one.corners, exact=exact)}
        still |= {id(one) for one in found.tetrahedra if self.ground.shows(image, one.outline(), exact=exact)}
        off = Found(
            tuple(one for one in found.faces if id(one) not in still),
            tuple(one for one in found.tetrahedra if id(one) not in still),
        )
        return off, [one.corners for one in found.faces if id(one) in still]


def _pips_alone(dice: DiceSet) -> bool:
    """Return whether all faces of a set show pips and nothing else, on cubes, so that these can be counted again."""
    return all(
        set(face.marks) == {PIP} and knows(face.marks) and die.shape == "cube"
        for die in dice.dice
        for face in die.faces
    )

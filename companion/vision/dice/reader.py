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
from companion.vision.dice.faces import CORNERS_OF, FaceReader, Vectors
from companion.vision.dice.geometry import PLACES, SQUARE, Points, cut_turned, edge_length, inside
from companion.vision.dice.locate import Found, Locator, UpperFace
from companion.vision.dice.marks import known as knows
from companion.vision.dice.memory.body import Bodies
from companion.vision.dice.memory.exemplars import LEARNT, NOTHING, WHOLE_OUTLINE, Mask, View
from companion.vision.dice.memory.glimpses import FaceLesson, Glimpse, UpperGlimpse, WholeGlimpse, teach
from companion.vision.dice.memory.handedness import Handedness
from companion.vision.dice.memory.plane import agrees, trusted
from companion.vision.dice.memory.relief import reliefs
from companion.vision.dice.memory.second_net import Seconded, SecondNet
from companion.vision.dice.memory.table import OTHER_DICE, REMEMBERED_POSTERIOR, Recalled, Shown, TableMemory
from companion.vision.dice.memory.whole_view import looked_at, proposed
from companion.vision.dice.missing import dropped, outlined, plane_of, with_missing
from companion.vision.dice.nets import Nets, Settings, settings
from companion.vision.dice.outlines import distinct
from companion.vision.dice.scene import Scene
from companion.vision.dice.seen import Cut, Seen
from companion.vision.dice.solids.model import Batch, solids
from companion.vision.dice.solids.things import Thing, begun, die_like, large, shows
from companion.vision.dice.solids.upper import SolidReader
from companion.vision.dice.solids.whole import PART, WholeDice
from companion.vision.dice.spots import count_spots, seconded
from companion.vision.dice.tetrahedra.reader import TetrahedronReader
from companion.vision.dice.upper import UpperFaces
from companion.vision.ground import Ground
from companion.vision.readings import DiceReading, Image, Kind, ReadDie, readable

LEAST_SIDE: Final = 64
"""The least shorter side of a picture, in pixels. Dice in smaller pictures cannot be read."""

EXTRA_PIP_COUNTS: Final = 3
"""How many faces beyond the possible number of dice get a second count of pips, the likeliest first."""

LIKELY_DIE: Final = 0.5
CLEAR_CHANCE: Final = 0.998
"""A face gets a second pass at what the table remembers if it is likelier than `LIKELY_DIE` a face of a die, and its
likeliest marks are less likely than `CLEAR_CHANCE` to the general reader, and with what the table remembers. A second
pass over
all faces that are not clear to the general reader alone asked about the same dice of 32 developing hands."""

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

FACE_PART: Final = {"icosahedron": 0.18, "dodecahedron": 0.32, "octahedron": 0.35, "trapezohedron": 0.4}
"""The part of a solid's outline that its upper face covers, seen from above; of a cube's it is all."""

LAY_THERE: Final = "It lay there before, and somebody said that it is no die."
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
        self._shapes = {CORNERS_OF[shape]: shape for shape in shapes.values() if shape in CORNERS_OF}
        # where faces with four corners are squares, or tiles that are nearly so, a picture shows their plane
        self._squares = len(SQUARE) in self._shapes and "trapezohedron" not in shapes.values()
        self._number = sum(shapes[name] == "cube" for name in self.expected)
        self._kind: Kind = "tile" if set(shapes.values()) == {"tile"} else "die"
        self._answers = Answers(known.name, self._kind)
        self._pips = any(PIP in face.marks for die in known.dice for face in die.faces)
        self._pips_alone = all(
            set(face.marks) == {PIP} and knows(face.marks) and die.shape == "cube"
            for die in known.dice
            for face in die.faces
        )
        self._chosen = chosen or settings()
        number = len(self.expected) or None
        nets = nets or Nets()
        self._locator = Locator(self._shapes or (4,), lettered=not self._pips, number=number, nets=nets)
        self._solids = SolidReader(shapes.values())
        self._faces = FaceReader(known, self._chosen.temperature, nets)
        self._second = SecondMarks(self._faces.texts.upper_bags, self._chosen.temperature, nets)
        self._second_net = SecondNet(self._second.describe)
        self._bodies = Bodies()
        self._upper = UpperFaces(
            kinds_of(known, names, self._faces.texts.upper),
            self._faces.texts,
            self._answers,
            Certainty(
                self._faces.texts,
                self._shapes,
                RowReader(self._faces.texts.marks, nets),
                self._second,
                reads=reads or shipped().reads,
                short=shipped().short,
            ),
            likely=likely or clutter.shipped().likely,
            named=bool(self.expected),
        )
        self._corners = Corners(nets, self._upper.most)
        self._solid = TetrahedronReader(
            next((name for name in names if shapes[name] == "tetrahedron"), None),
            self._faces,
            self._second,
            self._answers,
            least=self._chosen.tetrahedron_read_above,
            handedness=handedness,
            learns=learns,
            memory=memory,
        )
        self._whole = WholeDice(
            [known.die(name) for name in names], self._faces, self._answers, named=bool(self.expected)
        )
        self._memory = memory
        self._learns = learns
        texts = self._faces.texts
        self._shown = {
            number: Shown([texts.upper[i][1] for i in fits], fits, len(texts.upper))
            for number in set(texts.corners)
            for fits in [[i for i, corners in enumerate(texts.corners) if corners == number]]
        }
        self.glimpses: tuple[Glimpse, ...] = ()
        self.ground: Ground | None = None
        self._drift: Sentence | None = None
        self._scene: Scene | None = None

    def learn(self, lessons: Sequence[FaceLesson], source: str) -> None:
        """Teach the table's memory what the dice of the last picture show; ``source`` names the throw."""
        if self._memory is not None:
            self._memory.number = sum(one.text is not None for one in lessons) or self._memory.number
            teach(self._memory, self.glimpses, lessons, source)

    @property
    def handedness(self) -> Handedness:
        """What the reader knows about the tetrahedron's handedness so far."""
        return self._solid.handedness

    def read(self, image: Image) -> DiceReading:
        """Return the reading of a BGR picture."""
        for part in (self._locator, self._corners, self._faces):
            part.load()  # loads only once; keep that out of the measured time of a throw
        begun = time.perf_counter()
        self._drift = None
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
        found, most = self._off_ground(self._in_plane(found, cleared), image)
        cornered = time.perf_counter()
        judged = self._judge_faces(found.faces, image)
        known = {id(face) for face in alone.faces}
        added = [tuple(face.corners.mean(axis=0)) for face in found.faces if id(face) not in known]
        # things of a table without dice may lie in one plane, too: nothing further counts there if they show no die
        if (
            added
            and self._scene is None
            and all(die.status != "read" or tuple(np.mean(die.polygon, axis=0)) in added for die in judged)
        ):
            found, most, self.glimpses = alone, [], ()
            judged = self._judge_faces(found.faces, image)
        dice = [self._answers.ignored(corners, GROUND) for corners in (*still, *more, *most)]
        dice += judged
        nothing = all(die.status == "ignored" for die in dice)
        dice += self._solid.judge(found.tetrahedra, image, alone=nothing)
        self.glimpses += tuple(self._solid.glimpses)
        things = self._things(image, dice)
        dice = self._as_wholes(image, self._by_the_whole(image, dice, found, things, upright), things)
        reading = self._concluded(image, dice)
        done = time.perf_counter()
        stages = {"locate": located - begun, "corners": cornered - located, "marks": done - cornered}
        return replace(
            reading,
            drift=self._drift,
            milliseconds=(done - begun) * 1000,
            stages={name: 1000 * seconds for name, seconds in stages.items()},
        )

    def _concluded(self, image: Image, dice: Sequence[ReadDie]) -> DiceReading:
        """Return the reading of the throw; where nobody said how many dice there are, one that is short asks."""
        if self.expected or not self._squares:
            return conclude(dice, self.expected)
        aside = dropped(image, [die for die in dice if die.reason not in (GROUND, LAY_THERE)])
        dice = [replace(die, status="ask", reason=ASIDE) if die in aside else die for die in dice]
        memory = self._memory if self._learns else None
        reading = conclude(dice, (), before=None if memory is None else memory.number)
        there = [die for die in dice if die.status != "ignored"]
        if memory is not None and there and all(die.status == "read" for die in there):
            memory.number = len(there)  # whoever changes the number is asked once
        return reading

    def _things(self, image: Image, dice: Sequence[ReadDie]) -> list[Thing]:
        """Return what has the outline of a die, where that may tell more than the faces did."""
        there = any(die.status != "ignored" for die in dice)
        solid = bool(self._shapes) and self._shapes[min(self._shapes)] in solids()
        if not self._upper.most or self._kind == "tile" or (there and not solid):
            return []
        return die_like(image)

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
            if self._memory is None or number not in self._shown:
                continue
            view, texts = looked_at(image, thing.outline), self._shown[number].texts
            self.glimpses += (WholeGlimpse(thing.outline, view, texts),)
            if dice[there[0]].status == "ask":
                alike = self._memory.exemplars.likeness(WHOLE_OUTLINE, view.descriptors)
                answers[there[0]] = proposed(dice[there[0]], alike, texts)
        return answers

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
        fitting = len(left) == self._upper.most if self.expected else 0 < len(left) <= self._upper.most
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
        return rest + self._upper.plain(self._seen(faces, image))

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

    def _in_plane(self, found: Found, image: Image) -> Found:
        """Return the dice with those that show only where the table's plane is known; keep the plane if it holds."""
        self._scene = None
        if not self._squares:
            return found
        picture = (image.shape[0], image.shape[1])
        scene = None if self._memory is None else self._memory.plane.scene(picture)
        if scene is not None and trusted(scene, [face.corners for face in outlined(found.faces)]):
            self._scene = scene
        else:
            scene = plane_of(found.faces, picture)
        if scene is None:
            return found
        return with_missing(image, found, scene, self._number if self.expected else None, self._corners)

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
            self._drift = OTHER_DICE if self._memory.strange else self._memory.origin.light.drift(squares)
        return seen

    def _unlearnt(self, corners: int) -> bool:
        """Return whether a face with this many corners may be one that neither a net nor the memory knows."""
        unknown = self._faces.texts.unknown(corners)
        return bool(unknown) and (self._memory is None or not self._memory.exemplars.know(corners, unknown))

    def _recalled(self, seen: Seen, view: View, memory: TableMemory, image: Image) -> Seen:
        """Return a face as the general reader and the table's memory together read it, and keep the glimpse."""
        number = len(seen.face.corners)
        shown = self._shown[number]
        among = self._of_its_colour(view, number, memory)
        recalled = memory.recall(number, view.descriptors, seen.marks, shown, among=among)
        if recalled is not None and recalled.likeliest < CLEAR_CHANCE and self._is_unclear(seen, shown):
            recalled = self._recalled_again(seen, view, memory, image, among)
        lying = next((says for corners, says, _ in self._solids.posed if corners is seen.face.corners), None)
        picture = (image.shape[0], image.shape[1]) if self._squares and self._is_cube(number) else None
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
            return memory.recall(number, first, marks, self._shown[number], seconded, among=among)

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
        known = self._scene is not None and len(corners) == len(SQUARE) and agrees(self._scene, corners)
        return self._scene.square(corners) if self._scene is not None and known else corners

    def _cut(self, image: Image, corners: Points) -> list[Image]:
        return cut_turned(image, corners, PLACES[self._shapes[len(corners)]])

    def _judge_faces(self, faces: Sequence[UpperFace], image: Image) -> list[ReadDie]:
        picture = (image.shape[0], image.shape[1])
        worth, answers = self._upper.sort_out(faces, image)
        seen = self._seen(worth, image)
        things = [one for one in seen if one.thing]
        answers += [self._answers.ignored(one.face.corners, LAY_THERE) for one in things]
        return answers + self._upper.judge([one for one in seen if not one.thing], picture, self._scene)


def _nearby(corners: Points) -> list[Points]:
    """Return outlines near a found one, see `NEARBY`."""
    middle, edge = corners.mean(axis=0), edge_length(corners)
    return [(corners - middle) * size + middle + np.array([right, down]) * edge for size, right, down in NEARBY]

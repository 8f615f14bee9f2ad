"""A picture in, the dice of one throw out: located, cut out flat, read, decoded together, and judged."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.rules.dice import PIP, DiceSet, dice_set
from companion.rules.sentence import SaidText, Sentence
from companion.vision.dice.answers import Answers, conclude
from companion.vision.dice.corners import Corners
from companion.vision.dice.decode import Decoded, corner_fit, decode, hand_out, kinds_of
from companion.vision.dice.faces import CORNERS_OF, FaceReader, Marks
from companion.vision.dice.geometry import PLACES, SQUARE, Points, cut_flat, cut_turned, edge_length, grow
from companion.vision.dice.handedness import Handedness
from companion.vision.dice.locate import Found, Locator, UpperFace
from companion.vision.dice.nets import Nets, Settings, settings
from companion.vision.dice.outlines import distinct, leaves, of_one_die, size
from companion.vision.dice.own_looks import OwnLooks, fuse
from companion.vision.dice.solid_upper import LEAST_ODDS, SolidReader
from companion.vision.dice.spots import count_spots, seconded
from companion.vision.dice.tetrahedra import TetrahedronReader
from companion.vision.readings import DiceReading, Image, Kind, ReadDie, readable

LEAST_SIDE: Final = 64
"""Smaller pictures hold no dice that could be read, in pixels of the shorter side."""

LEAST_EDGE: Final = 15.0
"""Marks of dice with shorter edges (pixels of the picture) are asked about, whatever the net says."""

PHANTOM: Final = 0.6
"""What is no likelier a die than this, and has nothing to read on it, is no die."""

BLANK: Final = 0.5
"""A face that is less likely to be read than this shows nothing."""

SPARE: Final = 12
"""So many more faces than there can be dice are looked at, the likeliest first."""

CLEAR: Final = 0.9
"""What is read less surely is looked at again, cut out in several ways."""

AGAIN: Final = 3
"""That is done for so many more faces than there can be dice, the likeliest first: the others are hardly dice."""

LOOK_TURN: Final = 0.07
"""Those ways: turned by so much (radians), and a little wider."""

CERTAIN: Final = 0.8
"""What is so surely a die, and readable, is large enough for a die."""

RIVAL: Final = 0.5
"""Of two faces of one die the surer one counts; if there is so much to the other, it is asked which is the upper."""

BLURRED: Final = 0.08
"""A face whose corners may be off by more than this, in edges, is asked about: what stands on it may be cut wrongly.
Of 98 in 100 the corner net says less."""

TINY: Final = 0.5
SMALL: Final = 0.72
"""Faces smaller than so much of the largest are ignored, or asked about: they may be parts of a face."""

NOT_UPPER: Final = "It may be another face of a die than the upper one, or a part of one."


class DiceSetNotReadError(ValueError):
    """No camera can read these dice."""


@dataclass(frozen=True, eq=False)
class Seen:
    """An upper face and what is on it. ``marks`` holds one row."""

    face: UpperFace
    marks: Marks

    @property
    def evidence(self) -> float:
        """How much speaks for its being one of the dice: it looks like one and shows one of their faces."""
        return self.face.score * float(self.marks.texts.max())


class DiceReader:
    """Reads one set of dice. Keeps its nets; use one for each thread.

    Args:
        dice: the set, or the name of one that comes with the program.
        expected: the names of the dice on the table; by default the whole set, and of dice that are all alike any
            number up to the set's most.
        chosen: when to ask; by default as chosen for these weights.
        handedness: what is known of the tetrahedron's handedness.
        learns: whether more is learnt of it while dice are read: only where all pictures show the same dice.
        looks: how these very dice look, as learnt from throws; they are read by that first.
        nets: shared with other readers of the same thread; by default its own.

    Raises:
        DiceSetNotReadError: no camera can read the set.
        ThrowError: the set has no such die.
        UnknownMarkError: a face bears a mark that the reader was not taught.
    """

    def __init__(
        self,
        dice: DiceSet | str,
        expected: tuple[str, ...] | None = None,
        *,
        chosen: Settings | None = None,
        handedness: Handedness | None = None,
        learns: bool = True,
        looks: OwnLooks | None = None,
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
        self._kind: Kind = "tile" if set(shapes.values()) == {"tile"} else "die"
        self._answers = Answers(known.name, self._kind)
        self._pips = any(PIP in face.marks for die in known.dice for face in die.faces)
        self._pips_alone = all(
            set(face.marks) == {PIP} and die.shape == "cube" for die in known.dice for face in die.faces
        )
        self._chosen = chosen or settings()
        number = len(self.expected) or None
        nets = nets or Nets()
        self._locator = Locator(self._shapes or (4,), lettered=not self._pips, number=number, nets=nets)
        self._corners = Corners(nets)
        self._solids = SolidReader(shapes.values())
        self._faces = FaceReader(known, self._chosen.temperature, nets)
        self._kinds = kinds_of(known, names, self._faces.texts.upper)
        self._most = sum(kind.most for kind in self._kinds)
        self._solid = TetrahedronReader(
            next((name for name in names if shapes[name] == "tetrahedron"), None),
            self._faces,
            self._answers,
            least=self._chosen.tetrahedron_read_above,
            handedness=handedness,
            learns=learns,
            looks=looks,
        )
        self._looks = looks
        self._drift: Sentence | None = None

    @property
    def handedness(self) -> Handedness:
        """What has been learnt of the tetrahedron's handedness so far."""
        return self._solid.handedness

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows."""
        for part in (self._locator, self._corners, self._faces):
            part.load()  # once, and not a part of a throw's time
        begun = time.perf_counter()
        self._drift = None
        if min(image.shape[:2]) < LEAST_SIDE:
            small = Sentence(
                "The picture is {width} x {height} pixels, too small to read dice in.",
                width=image.shape[1],
                height=image.shape[0],
            )
            return DiceReading((), "ignored", SaidText(small), expected=self.expected)
        rough = self._locator.find(image)
        located = time.perf_counter()
        found = distinct(self._solids.settle(image, rough, self._corners.correct(image, rough)))
        cornered = time.perf_counter()
        dice = self._judge_faces(found.faces, image) + self._solid.judge(found.tetrahedra, image)
        reading = conclude(dice, self.expected)
        done = time.perf_counter()
        stages = {"locate": located - begun, "corners": cornered - located, "marks": done - cornered}
        return replace(
            reading,
            drift=self._drift,
            milliseconds=(done - begun) * 1000,
            stages={name: 1000 * seconds for name, seconds in stages.items()},
        )

    def find(self, image: Image) -> Found:
        """Return the dice of a picture with exact corners, each once, read or not."""
        rough = self._locator.find(image)
        return distinct(self._solids.settle(image, rough, self._corners.correct(image, rough)))

    def _marks(self, faces: Sequence[UpperFace], image: Image) -> list[Marks]:
        """Return what stands on each upper face, the likeliest first; unclear ones are cut out anew in several ways."""
        sides = [len(face.corners) for face in faces]
        opinions = self._faces.opinions([self._cut(image, face.corners) for face in faces])
        first = self._faces.judge(opinions, sides)
        looks = [first.row(i) for i in range(len(faces))]
        likely = looks[: self._most + AGAIN]
        unclear = [i for i, look in enumerate(likely) if look.texts.max(initial=0.0) < CLEAR]
        nearly = [(i, corners) for i in unclear for corners in _nearly(faces[i].corners)]
        cut = [self._cut(image, corners, opinions[i].likely()) for i, corners in nearly]
        again = self._faces.judge(self._faces.opinions(cut), [sides[i] for i, _ in nearly])
        for i in unclear:
            rows = [row for row, (number, _) in enumerate(nearly) if number == i]
            every = Marks(
                np.vstack([looks[i].texts, again.texts[rows]]),
                np.concatenate([looks[i].unreadable, again.unreadable[rows]]),
            )
            looks[i] = every.together()
        if self._pips_alone:
            pips = self._faces.texts.upper_bags.pips
            for i, face in enumerate(faces[: len(likely)]):
                if (spots := count_spots(image, face.corners)) is not None:
                    looks[i] = seconded(looks[i], spots, pips)
        if self._looks is None:
            return looks
        learnt = [i for i, face in enumerate(faces) if len(face.corners) == len(SQUARE)]  # no others can be learnt
        patches = [cut_flat(image, faces[i].corners, SQUARE) for i in learnt]
        self._drift = self._looks.drift(patches)
        own = self._looks.faces(patches)
        for row, i in enumerate(learnt):
            looks[i] = fuse(own.row(row), looks[i])
        return looks

    def _cut(self, image: Image, corners: Points, turns: Sequence[int] | None = None) -> list[Image]:
        return cut_turned(image, corners, PLACES[self._shapes[len(corners)]], turns)

    def _judge_faces(self, faces: Sequence[UpperFace], image: Image) -> list[ReadDie]:
        judged: list[ReadDie] = []
        if not self._kinds:
            return [self._answers.ignored(face.corners, "Only a tetrahedron is thrown here.") for face in faces]
        kept: list[Seen] = []
        inside = [face for face in faces if not leaves(face.corners, image)]
        judged += [
            self._answers.ignored(face.corners, "It lies partly outside the picture.")
            for face in faces
            if leaves(face.corners, image)
        ]
        # a table full of things takes no longer than one with a few more than the dice
        inside.sort(key=lambda face: -face.score)
        inside, rest = inside[: self._most + SPARE], inside[self._most + SPARE :]
        judged += [self._answers.ignored(face.corners, "Many things look more like a die than this.") for face in rest]
        for face, marks in zip(inside, self._marks(inside, image), strict=True):
            if marks.unreadable[0] > BLANK and face.score < PHANTOM:
                judged.append(self._answers.ignored(face.corners, "It does not look like the upper face of a die."))
            else:
                kept.append(Seen(face, marks))
        kept, doubted, left = self._one_a_die(kept)
        judged += left
        kept.sort(key=lambda seen: -seen.evidence)
        while len(kept) > self._most and kept[-1].evidence < CERTAIN:
            judged.append(self._answers.ignored(kept.pop().face.corners, "It shows no marks of these dice."))
        if not kept:
            return judged
        reason = f"{len(kept)} dice are seen, but {self._most} are expected." if len(kept) > self._most else ""
        chances = np.vstack([seen.marks.spread() for seen in kept])
        fit = corner_fit([len(seen.face.corners) for seen in kept], self._kinds) if len(self._kinds) > 1 else None
        decoded = decode(chances, self._faces.texts.upper, self._kinds, fit=fit)
        names = hand_out(decoded) if self.expected else [None] * len(decoded)
        return judged + [
            self._face(seen, one, name, reason or (NOT_UPPER if seen in doubted else ""))
            for seen, one, name in zip(kept, decoded, names, strict=True)
        ]

    def _one_a_die(self, seen: list[Seen]) -> tuple[list[Seen], list[Seen], list[ReadDie]]:
        """Return the faces that may be upper ones, those of them that are doubtful, and the others as ignored."""
        # a part of a face with pips is a face with fewer pips; dice of one throw are of one size
        sure = [size(one.face) for one in seen if one.evidence > CERTAIN]
        largest = max(sure, default=0.0) if self._pips or self._kind == "tile" else 0.0
        left = [
            self._answers.ignored(one.face.corners, "It is much smaller than the other dice.")
            for one in seen
            if size(one.face) < TINY * largest
        ]
        seen = [one for one in seen if size(one.face) >= TINY * largest]
        unsure = [one for one in seen if size(one.face) < SMALL * largest]
        # a flat tile shows hardly any side, and tiles are often laid edge to edge
        alone = self._kind == "tile"
        together = [[i] for i in range(len(seen))] if alone else of_one_die([one.face for one in seen])
        groups = [sorted((seen[i] for i in group), key=lambda one: -one.evidence) for group in together]
        kept = [group[0] for group in groups]
        doubted = [one for one in kept if one in unsure]
        doubted += [group[0] for group in groups if len(group) > 1 and group[1].evidence > RIVAL]
        others = [one for group in groups for one in group[1:]]
        left += [self._answers.ignored(one.face.corners, "It is another face of a die that is seen.") for one in others]
        return kept, doubted, left

    def _face(self, seen: Seen, decoded: Decoded, name: str | None, reason: str) -> ReadDie:
        letters = decoded.letters()
        if not reason and edge_length(seen.face.corners) < LEAST_EDGE:
            reason = "Its marks are too small in the picture."
        if not reason and seen.marks.unreadable[0] > BLANK:
            reason = "Its marks cannot be read."
        if not reason and seen.face.error > BLURRED:
            reason = "Its edges are not clear."
        if not reason and seen.face.upper < LEAST_ODDS:
            reason = NOT_UPPER
        square = PLACES[self._shapes[len(seen.face.corners)]] is SQUARE
        least = self._chosen.face_read_above if square else self._chosen.polygon_read_above
        if not reason and (letters[0][1] < least or letters[0][0] != decoded.text):
            reason = "Its marks are not clear."
        return self._answers.die(name, letters, seen.face.corners, reason)


def _nearly(corners: Points) -> list[Points]:
    """Return a face's corners a little wider, and turned both ways."""
    centre = corners.mean(axis=0)
    turns = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in (-LOOK_TURN, LOOK_TURN)]
    return [grow(corners, 1.07), *((corners - centre) @ turn.T + centre for turn in turns)]

"""A picture in, the dice of one throw out: located, cut out flat, read, decoded together, and judged."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.rules.dice import PIP, DiceSet, dice_set
from companion.rules.sentence import Sentence
from companion.vision.dice.corners import Corners
from companion.vision.dice.decode import Decoded, corner_fit, decode, hand_out, kinds_of
from companion.vision.dice.faces import CORNERS_OF, FaceReader, Marks
from companion.vision.dice.geometry import PLACES, SQUARE, TRIANGLE, Points, cut_flat, cut_turned, edge_length, grow
from companion.vision.dice.handedness import Handedness, HandednessLearner, decode_hidden
from companion.vision.dice.locate import Found, Locator, Tetrahedron, UpperFace
from companion.vision.dice.nets import Settings, settings
from companion.vision.dice.outlines import distinct, leaves, of_one_die, size, visible_sides
from companion.vision.dice.own_looks import OwnLooks, fuse
from companion.vision.readings import DiceReading, Image, Kind, ReadDie, Status, readable

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

AROUND: Final = 4
APEX_REACH: Final = 0.05
"""An unclear tetrahedron is looked at with so many other apexes, so far (in base edges) from the found one."""

SURELY: Final = 0.8
"""Two sides that show the same so surely contradict each other."""

CERTAIN: Final = 0.8
"""What is so surely a die, and readable, is large enough for a die."""

RIVAL: Final = 0.5
"""Of two faces of one die the surer one counts; if there is so much to the other, it is asked which is the upper."""

TINY: Final = 0.5
SMALL: Final = 0.72
"""Faces smaller than so much of the largest are ignored, or asked about: they may be parts of a face."""

NOT_UPPER: Final = "It may be another face of a die than the upper one, or a part of one."

LEAST_CHANCE: Final = 0.0005
"""Rarer candidates are not listed."""


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
        self._tetrahedron = next((name for name in names if shapes[name] == "tetrahedron"), None)
        self._shapes = {CORNERS_OF[shape]: shape for shape in shapes.values() if shape in CORNERS_OF}
        self._kind: Kind = "tile" if set(shapes.values()) == {"tile"} else "die"
        self._pips = any(PIP in face.marks for die in known.dice for face in die.faces)
        self._chosen = chosen or settings()
        number = len(self.expected) or None
        self._locator = Locator(self._shapes or (4,), lettered=not self._pips, number=number)
        self._corners = Corners()
        self._faces = FaceReader(known, self._chosen.temperature)
        self._kinds = kinds_of(known, names, self._faces.texts.upper)
        self._most = sum(kind.most for kind in self._kinds)
        self._hand = HandednessLearner(handedness)
        self._learns = learns
        self._looks = looks
        self._drift: Sentence | None = None

    @property
    def handedness(self) -> Handedness:
        """What has been learnt of the tetrahedron's handedness so far."""
        return self._hand.handedness

    def read(self, image: Image) -> DiceReading:
        """Return what a BGR picture shows."""
        for part in (self._locator, self._corners, self._faces):
            part.load()  # once, and not a part of a throw's time
        begun = time.perf_counter()
        self._drift = None
        if min(image.shape[:2]) < LEAST_SIDE:
            reason = f"The picture is {image.shape[1]} x {image.shape[0]} pixels, too small to read dice in."
            return DiceReading((), "ignored", reason, expected=self.expected)
        rough = self._locator.find(image)
        located = time.perf_counter()
        found = distinct(self._corners.correct(image, rough))
        cornered = time.perf_counter()
        dice = self._judge_faces(found.faces, image) + self._judge_tetrahedra(found.tetrahedra, image)
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
        return distinct(self._corners.correct(image, self._locator.find(image)))

    def _marks(self, faces: Sequence[UpperFace], image: Image) -> list[Marks]:
        """Return what stands on each upper face, the likeliest first; unclear ones are cut out anew in several ways."""
        first = self._faces.upper([self._cut(image, face.corners) for face in faces])
        looks = [first.row(i) for i in range(len(faces))]
        likely = looks[: self._most + AGAIN]
        unclear = [i for i, look in enumerate(likely) if look.texts.max(initial=0.0) < CLEAR]
        nearly = [(i, corners) for i in unclear for corners in _nearly(faces[i].corners)]
        again = self._faces.upper([self._cut(image, corners) for _, corners in nearly])
        for i in unclear:
            rows = [row for row, (number, _) in enumerate(nearly) if number == i]
            every = Marks(
                np.vstack([looks[i].texts, again.texts[rows]]),
                np.concatenate([looks[i].unreadable, again.unreadable[rows]]),
            )
            looks[i] = every.together()
        if self._looks is None:
            return looks
        learnt = [i for i, face in enumerate(faces) if len(face.corners) == len(SQUARE)]  # no others can be learnt
        patches = [cut_flat(image, faces[i].corners, SQUARE) for i in learnt]
        self._drift = self._looks.drift(patches)
        own = self._looks.faces(patches)
        for row, i in enumerate(learnt):
            looks[i] = fuse(own.row(row), looks[i])
        return looks

    def _cut(self, image: Image, corners: Points) -> list[Image]:
        return cut_turned(image, corners, PLACES[self._shapes[len(corners)]])

    def _judge_faces(self, faces: Sequence[UpperFace], image: Image) -> list[ReadDie]:
        judged: list[ReadDie] = []
        if not self._kinds:
            return [self._ignored(face.corners, "Only a tetrahedron is thrown here.") for face in faces]
        kept: list[Seen] = []
        inside = [face for face in faces if not leaves(face.corners, image)]
        judged += [
            self._ignored(face.corners, "It lies partly outside the picture.")
            for face in faces
            if leaves(face.corners, image)
        ]
        # a table full of things takes no longer than one with a few more than the dice
        inside.sort(key=lambda face: -face.score)
        inside, rest = inside[: self._most + SPARE], inside[self._most + SPARE :]
        judged += [self._ignored(face.corners, "Many things look more like a die than this.") for face in rest]
        for face, marks in zip(inside, self._marks(inside, image), strict=True):
            if marks.unreadable[0] > BLANK and face.score < PHANTOM:
                judged.append(self._ignored(face.corners, "It does not look like the upper face of a die."))
            else:
                kept.append(Seen(face, marks))
        kept, doubted, left = self._one_a_die(kept)
        judged += left
        kept.sort(key=lambda seen: -seen.evidence)
        while len(kept) > self._most and kept[-1].evidence < CERTAIN:
            judged.append(self._ignored(kept.pop().face.corners, "It shows no marks of these dice."))
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
            self._ignored(one.face.corners, "It is much smaller than the other dice.")
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
        left += [self._ignored(one.face.corners, "It is another face of a die that is seen.") for one in others]
        return kept, doubted, left

    def _face(self, seen: Seen, decoded: Decoded, name: str | None, reason: str) -> ReadDie:
        letters = decoded.letters()
        if not reason and edge_length(seen.face.corners) < LEAST_EDGE:
            reason = "Its marks are too small in the picture."
        if not reason and seen.marks.unreadable[0] > BLANK:
            reason = "Its marks cannot be read."
        square = PLACES[self._shapes[len(seen.face.corners)]] is SQUARE
        least = self._chosen.face_read_above if square else self._chosen.polygon_read_above
        if not reason and (letters[0][1] < least or letters[0][0] != decoded.text):
            reason = "Its marks are not clear."
        return self._die(name, letters, seen.face.corners, reason)

    def _judge_tetrahedra(self, tetrahedra: Sequence[Tetrahedron], image: Image) -> list[ReadDie]:
        if self._tetrahedron is None:
            return [self._ignored(one.outline(), "No tetrahedron is thrown here.") for one in tetrahedra]
        judged: list[ReadDie] = []
        whole: list[tuple[float, int, Marks]] = []
        for i, one in enumerate(tetrahedra):
            if leaves(one.outline(), image):
                judged.append(self._ignored(one.outline(), "It lies partly outside the picture."))
                continue
            marks = self._side_marks(one, image)
            shown = float((1 - marks.unreadable).sum())
            if shown < 1 - BLANK and one.score < PHANTOM:
                judged.append(self._ignored(one.outline(), "It does not look like a tetrahedron."))
                continue
            whole.append((one.score * shown, i, marks))
        whole.sort(key=lambda entry: -entry[0])
        for number, (_, i, marks) in enumerate(whole):
            if number == 0:
                judged.append(self._hidden(tetrahedra[i], marks, image))
            else:
                reason = "One tetrahedron is expected, and a clearer one was seen."
                judged.append(self._ignored(tetrahedra[i].outline(), reason))
        return judged

    def _side_marks(self, one: Tetrahedron, image: Image) -> Marks:
        sides = [side for _, side in visible_sides(one)]
        general = self._faces.sides_turned([cut_turned(image, side, TRIANGLE) for side in sides])
        if self._looks is None:
            return general
        return fuse(self._looks.sides([cut_flat(image, side, TRIANGLE) for side in sides]), general)

    def _hidden(self, one: Tetrahedron, marks: Marks, image: Image) -> ReadDie:
        texts, hand = self._faces.texts.side, self._hand.handedness
        seen = [i for i, _ in visible_sides(one)]
        candidates = decode_hidden(_rows(marks, seen), texts, hand)
        if seen and (candidates[0][1] < CLEAR or _contradict(marks)):
            marks = self._looks_around(one, marks, seen, image)
            candidates = decode_hidden(_rows(marks, seen), texts, hand)
        if self._learns:
            self._hand.see(_rows(marks, seen), one.base)
        reason = ""
        if one.apex is None:
            reason = "Its apex was not found, so its sides cannot be told apart."
        elif _contradict(marks):
            reason = "Two of its sides look alike."  # one is misread, and what it shows is not known
        elif candidates[0][1] < self._chosen.tetrahedron_read_above:
            all_seen = len(seen) == 3  # noqa: PLR2004
            reason = "The marks on its sides are not clear." if all_seen else "Not all of its three sides are seen."
        return self._die(self._tetrahedron, candidates, one.outline(), reason)

    def _looks_around(self, one: Tetrahedron, first: Marks, seen: Sequence[int], image: Image) -> Marks:
        """Return the sides as seen with apexes all around the found one too: it is the least exact of the corners."""
        assert one.apex is not None
        turn = np.arange(AROUND) * 2 * np.pi / AROUND
        ring = one.apex + np.column_stack([np.cos(turn), np.sin(turn)]) * APEX_REACH * edge_length(one.base)
        shifted = [visible_sides(replace(one, apex=apex)) for apex in ring]
        usable = [sides for sides in shifted if [i for i, _ in sides] == list(seen)]
        cut = [cut_turned(image, side, TRIANGLE) for sides in usable for _, side in sides]
        again = self._faces.sides_turned(cut)
        every = []
        for k in range(len(seen)):
            rows = slice(k, None, len(seen))
            looks = Marks(
                np.vstack([first.texts[k : k + 1], again.texts[rows]]),
                np.concatenate([first.unreadable[k : k + 1], again.unreadable[rows]]),
            )
            every.append(looks.together())
        return Marks(np.vstack([look.texts for look in every]), np.concatenate([look.unreadable for look in every]))

    def _die(self, die: str | None, candidates: Sequence[tuple[str, float]], corners: Points, reason: str) -> ReadDie:
        likely = tuple(pair for pair in candidates if pair[1] >= LEAST_CHANCE) or tuple(candidates[:1])
        status: Status = "ask" if reason else "read"
        return ReadDie(
            self.set_name, die, likely[0][0], status, likely[0][1], likely, _plain(corners), reason, self._kind
        )

    def _ignored(self, corners: Points, reason: str) -> ReadDie:
        return ReadDie(self.set_name, None, None, "ignored", 0.0, (), _plain(corners), reason, self._kind)


def conclude(dice: Sequence[ReadDie], expected: tuple[str, ...], frames: int = 1) -> DiceReading:
    """Return the reading of a whole throw: `read` only if each expected die was; if none is named, all there are."""
    there = [die for die in dice if die.status != "ignored"]
    asked = next((die.reason for die in there if die.reason), "")
    if not there:
        return DiceReading(tuple(dice), "ignored", "No dice are seen.", frames=frames, expected=expected)
    if expected and len(there) != len(expected):
        reason = f"{len(there)} dice are seen, but {len(expected)} are expected."
        return DiceReading(tuple(dice), "ask", reason, frames=frames, expected=expected)
    read = sorted(die.die or "" for die in there if die.status == "read")
    if asked or (expected and read != sorted(expected)):
        reason = asked or "Two dice cannot be told apart."
        return DiceReading(tuple(dice), "ask", reason, frames=frames, expected=expected)
    return DiceReading(tuple(dice), "read", frames=frames, expected=expected)


def _plain(corners: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in corners)


def _rows(marks: Marks, seen: Sequence[int]) -> list[np.ndarray[tuple[int], np.dtype[np.float64]] | None]:
    """Return the sides clockwise around the apex, None for one that is not seen."""
    spread = marks.spread()
    rows: list[np.ndarray[tuple[int], np.dtype[np.float64]] | None] = [None, None, None]
    for number, i in enumerate(seen):
        rows[i] = spread[number]
    return rows


def _contradict(marks: Marks) -> bool:
    """Tell whether two sides surely show the same marks, which no two sides do."""
    sure = [int(row.argmax()) for row in marks.texts if row.max() > SURELY]
    return len(set(sure)) < len(sure)


def _nearly(corners: Points) -> list[Points]:
    """Return a face's corners a little wider, and turned both ways."""
    centre = corners.mean(axis=0)
    turns = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in (-LOOK_TURN, LOOK_TURN)]
    return [grow(corners, 1.07), *((corners - centre) @ turn.T + centre for turn in turns)]

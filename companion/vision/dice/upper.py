"""Which found faces are the upper faces of the throw's dice, what they show, and which the program asks about."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.rules.dice import Shape
from companion.vision.dice.answers import Answers
from companion.vision.dice.clutter import Find
from companion.vision.dice.decode import Decoded, Kind, corner_fit, decode, hand_out
from companion.vision.dice.faces import Chances, Look, Marks, Texts
from companion.vision.dice.geometry import SQUARE, Points, edge_length
from companion.vision.dice.locate import UpperFace
from companion.vision.dice.marks import Witness
from companion.vision.dice.memory.table import REMEMBERED
from companion.vision.dice.nets import Settings
from companion.vision.dice.outlines import covers, of_one_die, share_inside, size
from companion.vision.dice.pose import foreshortening
from companion.vision.dice.rows import RowReader
from companion.vision.dice.scene import REGULAR, SHAPE, SIZE, Scene, find_scene
from companion.vision.dice.selector import Features
from companion.vision.dice.solids.upper import LEAST_ODDS
from companion.vision.readings import Image, ReadDie

LEAST_EDGE: Final = 15.0
"""The program asks about dice with shorter edges (pixels of the picture), whatever the net says."""

PHANTOM: Final = 0.6
"""A blank face whose chance of being a die is below this is no die."""

BLANK: Final = 0.5
"""A face is blank if the chance that it cannot be read is above this."""

SPARE: Final = 12
"""How many faces beyond the possible number of dice the reader examines, the likeliest first."""

CROWD: Final = 2
"""Among more faces than this many times the possible number of dice, nobody knows which are the dice: these are men
with numbers, or letters. Of 536 validation pictures with named dice none showed so many."""

SURE_DIE_CHANCE: Final = 0.8
"""A face with more evidence than this (see `Seen`) is surely a die, is readable, and has the size of a die."""

RIVAL: Final = 0.5
"""Of two faces of one die, the surer one counts. If the other has more evidence than this, the program asks which one
is the upper face."""

BLURRED: Final = 0.14
"""Corners that may be off by more than this, in edges, are weak evidence of how their face lies."""

UNCLEAR: Final = 0.25
"""The program asks about a face whose corners may be off by more than this, in edges: its marks may be cut wrongly."""

INSIDE: Final = 0.92
"""The least share of a face inside the picture for the reader to read it."""

IGNORED_SIZE: Final = 0.5
ASKED_SIZE: Final = 0.72
"""Faces may be parts of faces if they are smaller than these shares of the size expected at their place. Below
`IGNORED_SIZE` the reader ignores them, below `ASKED_SIZE` the program asks about them."""

ASLANT: Final = 0.22
"""Where two or more faces lie in one plane, a face whose shape is farther off than this is no upper face: see
`scene.Scene.off`."""

AGREE: Final = 2
"""The least number of faces in one plane that show how the dice lie."""

LEAST_INSIDE_SHARE: Final = 0.5
"""A face with less than this share inside the picture gives no information."""

OUTSIDE: Final = "It lies partly outside the picture."

SEES_SIDES: Final = 20.0
"""From this tilt on, in degrees, a camera sees enough of the sides to mistake them for upper faces."""

HARDLY: Final = 0.2
"""A face with no more evidence than this says nothing about the other faces."""

SAME_PLACE_OVERLAP: Final = 0.55
"""A face lies where a side is if their intersection over union is above this."""

LETTERS: Final = "letters"
PIPS: Final = "pips"
SURE_PIPS: Final = 0.95
"""The least posterior for reading pips. The reader misreads hardly any drawn pips, so a score learns little about such
errors, and the posterior must be high, too. On a photograph, a worn 6 was read as a 5 with 0.90."""

SLANTED: Final = 14.0
SLANTED_ODDS: Final = 4.5
"""Beyond this tilt, in degrees, a face of a solid must be the upper one with odds of at least this (natural logarithm;
elsewhere `LEAST_ODDS`): a camera that looks from the side sees neighbours of the upper face there. On drawings with
hands that choose, cameras up to 45 degrees off, 19 of 33 neighbours taken for the upper face lay below this, and 2 to
5 % of the dice read rightly from nearly above."""

UNEVEN: Final = frozenset({"trapezohedron", "tile"})
"""Shapes whose faces are not regular."""

STRONG: Final[dict[Shape, tuple[float, float]]] = {
    "octahedron": (3.0, LEAST_ODDS),
    "trapezohedron": (3.0, LEAST_ODDS),
    "dodecahedron": (3.0, LEAST_ODDS),
    "icosahedron": (5.0, 6.0),
}
"""What exemplars must say for a face of a solid (log likelihood ratio), and the least odds that it is the upper one. On
drawn sittings of developing hands, a neighbour was read for the upper face of twenty-sided dice 7 times of 28 where
odds of 2 were enough, and never of 13 with these."""

CONFIRMED: Final = 0.8
"""The least posterior for reading a face that the general reader reads, if the table remembers faces."""

PLAIN: Final = 2.0
"""A face that is off its plane by less than this many usual errors is clearly one of the dice."""

NO_DICE: Final = "Nothing in the picture looks enough like a die."

NOT_UPPER: Final = "It may be another face of a die than the upper one, or a part of one."


@dataclass(frozen=True, eq=False)
class Cut:
    """A face cut out flat in all its rotations, and what the mark net saw there.

    ``upright``: for each rotation, the log chance that it is the upright one.
    """

    patches: Sequence[Image]
    look: Look
    upright: Chances


@dataclass(frozen=True, eq=False)
class Seen:
    """A found face, its marks (``marks`` holds one row), and the evidence for it.

    ``evidence``: the evidence that it is one of the dice, 0 to 1: it looks like a die and shows one of the set's faces.
    ``witness``: the odds of its marks; None where an owner's own looks read it. ``cut``: the flat face, for a second
    look; None where there is none. ``seconded``: whether a second count of
    its pips agrees; None where there is no second count. ``flat``: whether it lies like the other faces. ``beneath``:
    whether it lies where the cube of another face has a side. ``either``: whether it and another face may each be a
    side beneath the other. ``rival``: the evidence of the next best face of the same die. ``general``: the marks as
    the general reader alone sees them, and ``recalled``: what the table's exemplars say of each text, as a log
    likelihood ratio; both None where the table remembers nothing.
    """

    face: UpperFace
    marks: Marks
    evidence: float
    witness: Witness | None = None
    cut: "Cut | None" = None
    seconded: bool | None = None
    flat: bool = True
    beneath: bool = False
    either: bool = False
    rival: float = 0.0
    general: Marks | None = None
    recalled: Chances | None = None


class UpperFaces:
    """Judges the upper faces of one throw of a set's dice.

    Args:
        kinds: the dice that may lie on the table.
        texts: the set's faces in the order of the posteriors.
        shapes: the shape of the die for each number of corners of a face.
        answers: makes the answer for each found thing.
        rows: takes a second look at doubtful faces.
        chosen: the thresholds for asking.
        likely: returns whether a find shows that dice lie there.
        reads: returns whether a face is read without asking, where no owner's own looks read it: once before the
            second look, and if it says no, once after it.
        named: whether it is known which dice lie on the table.
    """

    def __init__(
        self,
        kinds: tuple[Kind, ...],
        texts: Texts,
        shapes: dict[int, Shape],
        answers: Answers,
        rows: RowReader,
        *,
        chosen: Settings,
        likely: Callable[[Find], bool],
        reads: Callable[[Features], bool],
        named: bool,
    ) -> None:
        self._kinds = kinds
        self._texts = texts
        self._shapes = shapes
        self._answers = answers
        self._rows = rows
        self._chosen = chosen
        self._likely = likely
        self._reads = reads
        self._named = named
        self.most = sum(kind.most for kind in kinds)
        self._pips = bool((texts.upper_bags.pips > 0).any())
        self._tiles = answers.kind == "tile"
        # tiles may be longer than wide, and kites are: their outline does not show how they lie
        self._regular = {number for number, shape in shapes.items() if shape not in UNEVEN and number in REGULAR}

    def sort_out(self, faces: Sequence[UpperFace], picture: tuple[int, int]) -> tuple[list[UpperFace], list[ReadDie]]:
        """Return the faces worth reading, the likeliest first, and the answers for the others.

        ``picture``: its height and width.
        """
        if not self._kinds:
            return [], [self._answers.ignored(face.corners, "Only a tetrahedron is thrown here.") for face in faces]
        whole, said = [], []
        for face in faces:
            # where the number of dice is unknown, nothing would reveal a die that is left out
            likely = (
                not self._named and face.score > PHANTOM and share_inside(face.corners, picture) > LEAST_INSIDE_SHARE
            )
            if likely or share_inside(face.corners, picture) >= INSIDE:
                whole.append(face)
            else:
                said.append(self._answers.ignored(face.corners, OUTSIDE))
        # limits the time for a table full of other things
        whole.sort(key=lambda face: -face.score)
        kept, rest = whole[: self.most + SPARE], whole[self.most + SPARE :]
        return kept, said + [
            self._answers.ignored(face.corners, "Many things look more like a die than this.") for face in rest
        ]

    def evidence(self, face: UpperFace, marks: Marks) -> float:
        """Return the evidence that a face is one of the dice: its score times the chance of its likeliest marks."""
        return face.score * self._fits(marks)

    def judge(self, seen: Sequence[Seen], picture: tuple[int, int]) -> list[ReadDie]:
        """Return the answer for each face: read, asked about, or ignored."""
        judged: list[ReadDie] = []
        kept: list[Seen] = []
        for one in seen:
            if one.marks.unreadable[0] > BLANK and one.face.score < PHANTOM:
                judged.append(self._answers.ignored(one.face.corners, "It does not look like the upper face of a die."))
            else:
                kept.append(one)
        shows = [self._shows_dice(one) for one in kept]
        scene = self.scene(kept, picture)
        kept = [replace(one, flat=self._is_flat(one, scene)) for one in kept]
        left = [one for one in kept if not one.flat and one.evidence < RIVAL]
        judged += [
            self._answers.ignored(one.face.corners, "It does not look like the upper face of a die.") for one in left
        ]
        kept, doubted, parts = self._one_a_die([one for one in kept if one not in left], scene)
        doubted += self._apart(kept, scene)
        judged += parts
        kept.sort(key=lambda one: (-one.flat, -one.evidence))
        while len(kept) > self.most and not kept[-1].flat:
            judged.append(self._answers.ignored(kept.pop().face.corners, "It is another face of a die that is seen."))
        while len(kept) > self.most and kept[-1].evidence < SURE_DIE_CHANCE:
            judged.append(self._answers.ignored(kept.pop().face.corners, "It shows no marks of these dice."))
        if not kept:
            return judged
        many = ""
        extra: list[Seen] = []
        if len(kept) > self.most:
            many = f"{len(kept)} dice are seen, but {self.most} are expected."
            crowded = len(kept) > CROWD * self.most
            extra = kept if crowded else [one for one in kept if not self._is_plain(one, scene)] or kept
        decoded = self.decode(kept)
        names = hand_out(decoded) if self._named else [None] * len(decoded)
        cut = [one for one in kept if share_inside(one.face.corners, picture) < INSIDE]
        answers = [
            self._face(
                one,
                what,
                name,
                OUTSIDE if one in cut else many if one in extra else NOT_UPPER if one in doubted else "",
                scene,
            )
            for one, what, name in zip(kept, decoded, names, strict=True)
        ]
        if not any(shows) and all(die.status == "ask" for die in answers):
            answers = [self._answers.ignored(one.face.corners, NO_DICE) for one in kept]
        return judged + answers

    def scene(self, seen: Sequence[Seen], picture: tuple[int, int]) -> Scene | None:
        """Return the plane on which the upper faces lie; None if there is no regular face."""
        regular = [one for one in seen if len(one.face.corners) in self._regular]
        trust = [one.evidence * np.exp(-((one.face.error / BLURRED) ** 2)) for one in regular]
        return find_scene([one.face.corners for one in regular], trust, picture)

    def decode(self, kept: Sequence[Seen]) -> list[Decoded]:
        """Return what each face shows, given which dice can lie on the table together."""
        chances = np.vstack([one.marks.spread() for one in kept])
        fit = corner_fit([len(one.face.corners) for one in kept], self._kinds) if len(self._kinds) > 1 else None
        return decode(chances, self._texts.upper, self._kinds, fit=fit)

    def features(self, one: Seen, decoded: Decoded, scene: Scene | None) -> Features:
        """Return the features that show whether a face is read correctly."""
        corners = one.face.corners
        regular = len(corners) in self._regular
        shape, large = scene.off(corners) if scene and regular else (0.0, 0.0)
        return Features(
            odds=one.witness.odds if one.witness else 0.0,
            beside=one.witness.beside if one.witness else 0.0,
            readable=one.witness.readable if one.witness else 0.0,
            chance=self._general_chance(one, decoded),
            seconded=one.seconded,
            die=one.face.score,
            upper=one.face.upper,
            on_top=one.face.on_top,
            error=one.face.error,
            edge=edge_length(corners),
            tilt=self.tilt(corners, scene),
            marks=len(decoded.text),
            family=self._family(decoded.text, len(corners)),
            off_shape=shape,
            off_size=large,
            alike=scene.faces if scene else 0,
            rival=one.rival,
        )

    def tilt(self, corners: Points, scene: Scene | None) -> float:
        """Return the angle in degrees between a face's upright and the line of sight.

        It comes from the scene; without a scene, or for a face that is not regular, from the face alone.
        """
        if scene is not None and len(corners) in self._regular:
            return scene.tilt(corners.mean(axis=0))
        return foreshortening(corners, self._shapes[len(corners)]).tilt

    def _least_odds(self, corners: Points, scene: Scene | None) -> float:
        """Return the least odds that a face of a solid is the upper one."""
        return SLANTED_ODDS if self.tilt(corners, scene) > SLANTED else LEAST_ODDS

    def _fits(self, marks: Marks) -> float:
        """Return the chance of a face's likeliest marks; it does not matter which dice bear them."""
        bags = np.bincount(self._texts.upper_bags.alike, weights=marks.texts[0])
        return float(bags.max(initial=0.0))

    def _shows_dice(self, one: Seen) -> bool:
        """Return whether a find shows that dice lie there. A face that the owner or the table taught always does."""
        fits = self._fits(one.marks)
        if one.witness is None or one.face.impression is None or (one.recalled is not None and fits >= REMEMBERED):
            return True
        family = self._kin(len(one.face.corners))
        return self._likely(Find(family, one.face.corners, one.face.impression, one.witness, fits))

    def _is_flat(self, one: Seen, scene: Scene | None) -> bool:
        """Return whether a face lies like the others; True where that is unknown."""
        if scene is None or scene.faces < AGREE or len(one.face.corners) not in self._regular:
            return True
        return scene.off(one.face.corners)[0] <= ASLANT

    def _is_plain(self, one: Seen, scene: Scene | None) -> bool:
        """Return whether a face is so clearly one of the dice that, among too many faces, another one is the extra."""
        if scene is None or scene.faces < AGREE or len(one.face.corners) not in self._regular:
            return False
        shape, large = scene.off(one.face.corners)
        lies = shape < PLAIN * SHAPE and abs(large) < PLAIN * SIZE
        return lies and one.evidence > SURE_DIE_CHANCE and one.face.error < BLURRED

    def _apart(self, seen: Sequence[Seen], scene: Scene | None) -> list[Seen]:
        """Return the likely faces if there are several and no two lie alike: any of them may be a side."""
        likely = [one for one in seen if len(one.face.corners) in self._regular and one.evidence > RIVAL]
        if scene is None or scene.faces >= AGREE or len(likely) < AGREE:
            return []
        return likely if any(scene.off(one.face.corners)[0] > ASLANT for one in likely) else []

    def _one_a_die(self, seen: list[Seen], scene: Scene | None) -> tuple[list[Seen], list[Seen], list[ReadDie]]:
        """Return the possible upper faces, the doubtful ones among them, and the others as ignored."""
        # a part of a face with pips looks like a face with fewer pips; but dice of one throw have one size
        large = dict(zip(map(id, seen), self._sizes(seen, scene), strict=True))
        left = [
            self._answers.ignored(one.face.corners, "It is much smaller than the other dice.")
            for one in seen
            if large[id(one)] < IGNORED_SIZE
        ]
        seen = [one for one in seen if large[id(one)] >= IGNORED_SIZE]
        # a flat tile shows hardly any side, and tiles often lie edge to edge
        pairs = self._beneath(seen, scene)
        together = [[i] for i in range(len(seen))]
        if not self._tiles:
            together = of_one_die([one.face for one in seen], pairs)
        either = {i for i, j in pairs if (j, i) in pairs}
        beneath = {i for i, _ in pairs} - either
        seen = [replace(one, beneath=i in beneath, either=i in either) for i, one in enumerate(seen)]
        large = {id(one): share for one, share in zip(seen, self._sizes(seen, scene), strict=True)}
        groups = [
            sorted((seen[i] for i in group), key=lambda one: (one.beneath, -one.flat, -one.evidence))
            for group in together
        ]
        kept = [replace(group[0], rival=_rival(group)) for group in groups]
        doubted = [
            one
            for one, group in zip(kept, groups, strict=True)
            if large[id(group[0])] < ASKED_SIZE or one.rival > RIVAL or not one.flat or one.either
        ]
        others = [one for group in groups for one in group[1:]]
        left += [self._answers.ignored(one.face.corners, "It is another face of a die that is seen.") for one in others]
        return kept, doubted, left

    def _beneath(self, seen: Sequence[Seen], scene: Scene | None) -> list[tuple[int, int]]:
        """Return pairs of indices: a face that lies where a cube's side is, and the upper face of that cube.

        At a tilt of 45 degrees, a side may look exactly like an upper face, but it lies where a side of a cube is.
        Where the direction of the plane's slant is unknown, either face may be the side, so both orders may appear.
        """
        if scene is None or scene.faces < AGREE or len(SQUARE) not in self._regular:
            return []
        slants = [scene] if scene.certain and scene.faces > AGREE + 1 else [scene, scene.mirrored()]
        likely = [i for i, one in enumerate(seen) if one.evidence > HARDLY and len(one.face.corners) == len(SQUARE)]
        return [
            (i, j)
            for slant in slants
            for i in likely
            for j in likely
            if i != j and _is_beneath(seen[i].face.corners, seen[j].face.corners, slant)
        ]

    def _sizes(self, seen: Sequence[Seen], scene: Scene | None) -> list[float]:
        """Return the size of each face relative to that of the others at its place; 1 where size says nothing."""
        if scene is not None and scene.faces >= AGREE:
            return [
                float(np.exp(scene.off(one.face.corners)[1])) if len(one.face.corners) in self._regular else 1.0
                for one in seen
            ]
        if not self._pips and not self._tiles:  # the reader does not take two letters of a face for a whole face
            return [1.0] * len(seen)
        sure = [size(one.face) for one in seen if one.evidence > SURE_DIE_CHANCE]
        return [size(one.face) / float(np.median(sure)) if sure else 1.0 for one in seen]

    def _face(self, seen: Seen, decoded: Decoded, name: str | None, reason: str, scene: Scene | None) -> ReadDie:
        letters = decoded.letters()
        corners = seen.face.corners
        if not reason and edge_length(corners) < LEAST_EDGE:
            reason = "Its marks are too small in the picture."
        if not reason and seen.marks.unreadable[0] > BLANK:
            reason = "Its marks cannot be read."
        if not reason and seen.face.error > UNCLEAR:
            reason = "Its edges are not clear."
        if not reason and seen.face.upper < self._least_odds(corners, scene):
            reason = NOT_UPPER
        if not reason and not self._sure(seen, decoded, scene):
            reason = "Its marks are not clear."
        remembered = seen.recalled is not None and not (reason or self._sure_alone(seen, decoded, scene))
        return self._answers.die(name, letters, corners, reason, remembered=remembered)

    def _sure(self, seen: Seen, decoded: Decoded, scene: Scene | None) -> bool:
        """Return whether a face is read without asking."""
        text, chance = decoded.letters()[0]
        if text != decoded.text:
            return False
        if seen.witness is None:  # by an owner's own looks
            return chance >= self._chosen.own_read_above
        if seen.recalled is None:
            return self._sure_alone(seen, decoded, scene)
        if chance >= REMEMBERED and self._recognised(seen, text):
            return True
        return chance >= CONFIRMED and self._sure_alone(seen, decoded, scene)

    def _recognised(self, seen: Seen, text: str) -> bool:
        """Return whether the table's exemplars know a face as this text, and it is surely the upper one of its die.

        A neighbour of the upper face is a face that the table knows, too.
        """
        shape = self._shapes[len(seen.face.corners)]
        said, upper = STRONG.get(shape, (0.0, LEAST_ODDS))
        return seen.recalled is not None and seen.recalled[self._place(text)] > said and seen.face.upper >= upper

    def _sure_alone(self, seen: Seen, decoded: Decoded, scene: Scene | None) -> bool:
        """Return whether the general reader alone reads a face as what was decoded."""
        features = self.features(seen, decoded, scene)
        if features.family == PIPS:
            return features.chance >= SURE_PIPS and self._reads(features)
        return self._reads(features) or self._reads_again(seen, decoded, features)

    def _reads_again(self, seen: Seen, decoded: Decoded, features: Features) -> bool:
        """Return whether a face is read at a second look."""
        if seen.cut is None:
            return False
        number = len(seen.face.corners)
        among = [i for i, corners in enumerate(self._texts.corners) if corners == number]
        cut, shown = seen.cut, self._place(decoded.text)
        witness = self._rows.witness(cut.patches, cut.look.places, cut.upright, shown, among)
        return self._reads(replace(features, rows=witness))

    def _general_chance(self, seen: Seen, decoded: Decoded) -> float:
        """Return the chance of the decoded answer; where the table remembers faces, without what it remembers."""
        text, chance = decoded.letters()[0]
        if seen.general is None:
            return chance
        same = self._texts.upper_bags.alike == self._texts.upper_bags.alike[self._place(text)]
        return float(seen.general.spread()[0][same].sum())

    def _place(self, text: str) -> int:
        """Return the index of the first of the set's faces with this text."""
        return next(i for i, (_, shown) in enumerate(self._texts.upper) if shown == text)

    def _family(self, text: str, corners: int) -> str:
        """Return the family of faces (see `Features`) to which a face belongs."""
        if self._texts.upper_bags.pips[self._place(text)]:
            return PIPS
        return LETTERS if self._shapes[corners] == "cube" else self._shapes[corners]

    def _kin(self, corners: int) -> str:
        """Return the family to which faces with this many corners belong, whatever they show."""
        cubes = PIPS if self._pips else LETTERS
        return cubes if self._shapes[corners] == "cube" else self._shapes[corners]


def _rival(group: Sequence[Seen]) -> float:
    """Return the evidence of the second best of a die's faces (best first); a face that lies otherwise is a side."""
    others = [one for one in group[1:] if not one.beneath and (one.flat or not group[0].flat)]
    return max((one.evidence for one in others), default=0.0)


def _is_beneath(side: Points, above: Points, scene: Scene) -> bool:
    """Return whether a face lies where the camera sees a side of the cube under another face."""
    if scene.tilt(above.mean(axis=0)) < SEES_SIDES:
        return False
    return any(covers(side, one) > SAME_PLACE_OVERLAP for one in scene.sides(above))

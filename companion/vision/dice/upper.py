"""Which found faces are the upper faces of the throw's dice, what they show, and which the program asks about."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.vision.dice.answers import NOT_UPPER, Answers
from companion.vision.dice.asking.certainty import BLANK_CHANCE, Certainty
from companion.vision.dice.asking.clutter import Find
from companion.vision.dice.decode import Decoded, Kind, corner_fit, decode, hand_out
from companion.vision.dice.faces import Marks, Texts
from companion.vision.dice.geometry import SQUARE, Points
from companion.vision.dice.locate import UpperFace
from companion.vision.dice.memory.table import REMEMBERED_POSTERIOR
from companion.vision.dice.outlines import covers, of_one_die, share_inside, size
from companion.vision.dice.repeated import times_seen
from companion.vision.dice.scene import SHAPE_ERROR, SIZE_ERROR, Scene, find_scene
from companion.vision.dice.seen import Seen
from companion.vision.readings import Image, ReadDie

PHANTOM_CHANCE: Final = 0.6
"""A blank face whose chance of being a die is below this is no die."""

SPARE_FACES: Final = 12
"""How many faces beyond the possible number of dice the reader examines, the likeliest first."""

PATTERN_SHARE: Final = 0.4
"""The ground repeats a pattern if more than this share of many faces look like more others than there are dice: of the
finds on drawn rugs 0.6 to 0.7 do, of those on printed pages, terrazzo and flowers at most 0.22."""

CROWD_FACTOR: Final = 2
"""Among more faces than this many times the possible number of dice, nobody knows which are the dice: these are men
with numbers, or letters. Of 536 validation pictures with named dice none showed so many."""

SURE_DIE_CHANCE: Final = 0.8
"""A face with more evidence than this (see `Seen`) is surely a die, is readable, and has the size of a die."""

RIVAL_EVIDENCE: Final = 0.5
"""Of two faces of one die, the surer one counts. If the other has more evidence than this, the program asks which one
is the upper face."""

BLURRED_EDGES: Final = 0.14
"""Corners that may be off by more than this, in edges, are weak evidence of how their face lies."""

LEAST_INSIDE: Final = 0.92
"""The least share of a face inside the picture for the reader to read it."""

IGNORED_SIZE: Final = 0.5
ASKED_SIZE: Final = 0.72
"""Faces may be parts of faces if they are smaller than these shares of the size expected at their place. Below
`IGNORED_SIZE` the reader ignores them, below `ASKED_SIZE` the program asks about them."""

MOST_SHAPE_ERROR: Final = 0.22
"""Where two or more faces lie in one plane, a face whose shape is farther off than this is no upper face: see
`scene.Scene.off`."""

LEAST_AGREEING: Final = 2
"""The least number of faces in one plane that show how the dice lie."""

LEAST_INSIDE_SHARE: Final = 0.5
"""A face with less than this share inside the picture gives no information."""

OUTSIDE: Final = "It lies partly outside the picture."

SEES_SIDES: Final = 20.0
"""From this tilt on, in degrees, a camera sees enough of the sides to mistake them for upper faces."""

LEAST_EVIDENCE: Final = 0.2
"""A face with no more evidence than this says nothing about the other faces."""

SAME_PLACE_OVERLAP: Final = 0.55
"""A face lies where a side is if their intersection over union is above this."""

PLAIN_ERRORS: Final = 2.0
"""A face that is off its plane by less than this many usual errors is clearly one of the dice."""

SAME_SIZE: Final = 0.12
"""A single pip is a die's where a die beside it has its size within this, as a logarithm."""

SINGLE: Final = "It shows a single spot among things that are no dice, and not the size of a die."

NO_DICE: Final = "Nothing in the picture looks enough like a die."


class UpperFaces:
    """Judges the upper faces of one throw of a set's dice.

    Args:
        kinds: the dice that may lie on the table.
        texts: the set's faces in the order of the posteriors.
        answers: makes the answer for each found thing.
        certainty: judges whether a face is read.
        likely: returns whether a find shows that dice lie there.
        named: whether it is known which dice lie on the table.
    """

    def __init__(
        self,
        kinds: tuple[Kind, ...],
        texts: Texts,
        answers: Answers,
        certainty: Certainty,
        *,
        likely: Callable[[Find], bool],
        named: bool,
    ) -> None:
        self._kinds = kinds
        self._texts = texts
        self._answers = answers
        self._certainty = certainty
        self._likely = likely
        self._named = named
        self.most = sum(kind.most for kind in kinds)
        self._pips = bool((texts.upper_bags.pips > 0).any())
        self._tiles = answers.kind == "tile"

    def sort_out(self, faces: Sequence[UpperFace], image: Image) -> tuple[list[UpperFace], list[ReadDie]]:
        """Return the faces worth reading, the likeliest first, and the answers for the others."""
        picture = (image.shape[0], image.shape[1])
        if not self._kinds:
            return [], [self._answers.ignored(face.corners, "Only a tetrahedron is thrown here.") for face in faces]
        whole, answers = [], []
        for face in faces:
            # where the number of dice is unknown, nothing would reveal a die that is left out
            likely = (
                not self._named
                and face.score > PHANTOM_CHANCE
                and share_inside(face.corners, picture) > LEAST_INSIDE_SHARE
            )
            if likely or share_inside(face.corners, picture) >= LEAST_INSIDE:
                whole.append(face)
            else:
                answers.append(self._answers.ignored(face.corners, OUTSIDE))
        whole.sort(key=lambda face: -face.score)
        # limits the time for a table full of other things
        if len(whole) > self.most + SPARE_FACES:
            repeated = times_seen(image, [face.corners for face in whole]) > self.most
            if repeated.mean() > PATTERN_SHARE:
                worth = np.array([_outlined(face) for face in whole]) - repeated
                whole = [whole[i] for i in np.argsort(-worth, kind="stable")]
        kept, rest = whole[: self.most + SPARE_FACES], whole[self.most + SPARE_FACES :]
        return kept, answers + [
            self._answers.ignored(face.corners, "Many things look more like a die than this.") for face in rest
        ]

    def evidence(self, face: UpperFace, marks: Marks, *, unlearnt: bool = False) -> float:
        """Return the evidence that a face is one of the dice: its score times the chance of its likeliest marks."""
        return face.score * self._fits(marks, unlearnt=unlearnt)

    def judge(self, seen: Sequence[Seen], picture: tuple[int, int], plane: Scene | None = None) -> list[ReadDie]:
        """Return the answer for each face: read, asked about, or ignored.

        ``plane``: the plane of the upper faces, where the table knows it.
        """
        judged: list[ReadDie] = []
        kept: list[Seen] = []
        for one in seen:
            if one.marks.unreadable[0] > BLANK_CHANCE and one.face.score < PHANTOM_CHANCE:
                judged.append(self._answers.ignored(one.face.corners, "It does not look like the upper face of a die."))
            else:
                kept.append(one)
        shows = [self._shows_dice(one) for one in kept]
        scene = plane or self.scene(kept, picture)
        kept = [replace(one, flat=self._is_flat(one, scene)) for one in kept]
        left = [one for one in kept if not one.flat and one.evidence < RIVAL_EVIDENCE]
        judged += [
            self._answers.ignored(one.face.corners, "It does not look like the upper face of a die.") for one in left
        ]
        kept, doubted, parts = self._one_a_die([one for one in kept if one not in left], scene)
        doubted += self._separate(kept, scene)
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
            crowded = len(kept) > CROWD_FACTOR * self.most
            extra = kept if crowded else [one for one in kept if not self._is_plain(one, scene)] or kept
        decoded = self.decode(kept)
        names = hand_out(decoded) if self._named else [None] * len(decoded)
        cut = [one for one in kept if share_inside(one.face.corners, picture) < LEAST_INSIDE]
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
        answers = self._with_witnesses(answers, kept, decoded, scene)
        if not any(shows) and all(die.status == "ask" for die in answers):
            answers = [self._answers.ignored(one.face.corners, NO_DICE) for one in kept]
        return judged + answers

    def _with_witnesses(
        self, answers: Sequence[ReadDie], kept: Sequence[Seen], decoded: Sequence[Decoded], scene: Scene | None
    ) -> list[ReadDie]:
        """Return the answers, with questions about single pips for which nothing else speaks.

        A round mark on a disc, a key or a printed square looks like a 1. Where such things are, others of them are
        found that show nothing of the set; a die has the size of the dice beside it that show more.
        """
        if not self._pips:
            return list(answers)
        strange = sum(
            one.evidence < SURE_DIE_CHANCE and die.status == "ask" and die.reason != OUTSIDE
            for one, die in zip(kept, answers, strict=True)
        )
        bags = zip(self._texts.upper, self._texts.upper_bags.pips, strict=True)
        number = {text: int(pips) for (_, text), pips in bags}
        sizes = [float(np.log(large)) for large in self._sizes(kept, scene)]
        read = [(i, number[decoded[i].text]) for i, die in enumerate(answers) if die.status == "read"]
        dice = [sizes[i] for i, pips in read if pips > 1]
        alone = [i for i, pips in read if pips == 1 and not any(abs(sizes[i] - one) < SAME_SIZE for one in dice)]
        changed = list(answers)
        if len(alone) <= strange:
            for i in alone:
                changed[i] = replace(changed[i], status="ask", reason=SINGLE, short=None, remembered=False)
        return changed

    def plain(self, seen: Sequence[Seen]) -> list[ReadDie]:
        """Return a question about each face of what lies in plain sight, though no net is sure that it is a die."""
        decoded = self.decode(seen)
        names = hand_out(decoded) if self._named else [None] * len(decoded)
        return [
            self._answers.die(name, what.letters(), one.face.corners, NOT_UPPER)
            for one, what, name in zip(seen, decoded, names, strict=True)
        ]

    def scene(self, seen: Sequence[Seen], picture: tuple[int, int]) -> Scene | None:
        """Return the plane on which the upper faces lie; None if there is no regular face."""
        regular = [one for one in seen if len(one.face.corners) in self._certainty.regular]
        trust = [one.evidence * np.exp(-((one.face.error / BLURRED_EDGES) ** 2)) for one in regular]
        return find_scene([one.face.corners for one in regular], trust, picture)

    def decode(self, kept: Sequence[Seen]) -> list[Decoded]:
        """Return what each face shows, given which dice can lie on the table together."""
        chances = np.vstack([one.marks.spread() for one in kept])
        fit = corner_fit([len(one.face.corners) for one in kept], self._kinds) if len(self._kinds) > 1 else None
        return decode(chances, self._texts.upper, self._kinds, fit=fit)

    def _fits(self, marks: Marks, *, unlearnt: bool) -> float:
        """Return the chance of a face's likeliest marks; it does not matter which dice bear them."""
        return self._texts.upper_bags.likeliest(marks.texts[0], unlearnt=unlearnt)

    def _shows_dice(self, one: Seen) -> bool:
        """Return whether a find shows that dice lie there. A face that the table knows always does."""
        fits = self._fits(one.marks, unlearnt=one.unlearnt)
        if one.face.impression is None or (one.recalled is not None and fits >= REMEMBERED_POSTERIOR):
            return True
        if self._texts.unknown(len(one.face.corners)):  # the family's marks tell nothing of such a die
            return one.face.score > PHANTOM_CHANCE
        family = self._certainty.family(len(one.face.corners))
        return self._likely(Find(family, one.face.corners, one.face.impression, one.witness, fits, one.face.upper))

    def _is_flat(self, one: Seen, scene: Scene | None) -> bool:
        """Return whether a face lies like the others; True where that is unknown."""
        if scene is None or scene.faces < LEAST_AGREEING or len(one.face.corners) not in self._certainty.regular:
            return True
        return scene.off(one.face.corners)[0] <= MOST_SHAPE_ERROR

    def _is_plain(self, one: Seen, scene: Scene | None) -> bool:
        """Return whether a face is so clearly one of the dice that, among too many faces, another one is the extra."""
        if scene is None or scene.faces < LEAST_AGREEING or len(one.face.corners) not in self._certainty.regular:
            return False
        shape, large = scene.off(one.face.corners)
        lies = shape < PLAIN_ERRORS * SHAPE_ERROR and abs(large) < PLAIN_ERRORS * SIZE_ERROR
        return lies and one.evidence > SURE_DIE_CHANCE and one.face.error < BLURRED_EDGES

    def _separate(self, seen: Sequence[Seen], scene: Scene | None) -> list[Seen]:
        """Return the likely faces if there are several and no two lie alike: any of them may be a side."""
        likely = [
            one for one in seen if len(one.face.corners) in self._certainty.regular and one.evidence > RIVAL_EVIDENCE
        ]
        if scene is None or scene.faces >= LEAST_AGREEING or len(likely) < LEAST_AGREEING:
            return []
        return likely if any(scene.off(one.face.corners)[0] > MOST_SHAPE_ERROR for one in likely) else []

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
            if large[id(group[0])] < ASKED_SIZE or one.rival > RIVAL_EVIDENCE or not one.flat or one.either
        ]
        others = [one for group in groups for one in group[1:]]
        left += [self._answers.ignored(one.face.corners, "It is another face of a die that is seen.") for one in others]
        return kept, doubted, left

    def _beneath(self, seen: Sequence[Seen], scene: Scene | None) -> list[tuple[int, int]]:
        """Return pairs of indices: a face that lies where a cube's side is, and the upper face of that cube.

        At a tilt of 45 degrees, a side may look exactly like an upper face, but it lies where a side of a cube is.
        Where the direction of the plane's slant is unknown, either face may be the side, so both orders may appear.
        """
        if scene is None or scene.faces < LEAST_AGREEING or len(SQUARE) not in self._certainty.regular:
            return []
        slants = [scene] if scene.certain and scene.faces > LEAST_AGREEING + 1 else [scene, scene.mirrored()]
        likely = [
            i for i, one in enumerate(seen) if one.evidence > LEAST_EVIDENCE and len(one.face.corners) == len(SQUARE)
        ]
        return [
            (i, j)
            for slant in slants
            for i in likely
            for j in likely
            if i != j and _is_beneath(seen[i].face.corners, seen[j].face.corners, slant)
        ]

    def _sizes(self, seen: Sequence[Seen], scene: Scene | None) -> list[float]:
        """Return the size of each face relative to that of the others at its place; 1 where size says nothing."""
        if scene is not None and scene.faces >= LEAST_AGREEING:
            return [
                float(np.exp(scene.off(one.face.corners)[1]))
                if len(one.face.corners) in self._certainty.regular
                else 1.0
                for one in seen
            ]
        if not self._pips and not self._tiles:  # the reader does not take two letters of a face for a whole face
            return [1.0] * len(seen)
        sure = [size(one.face) for one in seen if one.evidence > SURE_DIE_CHANCE]
        return [size(one.face) / float(np.median(sure)) if sure else 1.0 for one in seen]

    def _face(self, seen: Seen, decoded: Decoded, name: str | None, reason: str, scene: Scene | None) -> ReadDie:
        doubt, remembered, short = (reason, False, None) if reason else self._certainty.judge(seen, decoded, scene)
        corners = seen.face.corners
        return self._answers.die(name, decoded.letters(), corners, doubt, remembered=remembered, short=short)


def _outlined(face: UpperFace) -> float:
    """Return how clearly the nets outline an upper face, 0 to 1."""
    return float(face.score * face.on_top * np.exp(-((face.error / BLURRED_EDGES) ** 2)))


def _rival(group: Sequence[Seen]) -> float:
    """Return the evidence of the second best of a die's faces (best first); a face that lies otherwise is a side."""
    others = [one for one in group[1:] if not one.beneath and (one.flat or not group[0].flat)]
    return max((one.evidence for one in others), default=0.0)


def _is_beneath(side: Points, above: Points, scene: Scene) -> bool:
    """Return whether a face lies where the camera sees a side of the cube under another face."""
    if scene.tilt(above.mean(axis=0)) < SEES_SIDES:
        return False
    return any(covers(side, one) > SAME_PLACE_OVERLAP for one in scene.sides(above))

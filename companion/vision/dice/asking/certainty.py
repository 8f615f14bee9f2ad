"""Whether a found face is read without asking, and if not, why."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from companion.rules.dice import Shape
from companion.vision.dice.answers import NOT_CLEAR, NOT_UPPER, SPOILT
from companion.vision.dice.asking.rows import RowReader
from companion.vision.dice.asking.second_marks import SecondMarks
from companion.vision.dice.asking.selector import TURNED, Features, SecondPass
from companion.vision.dice.decode import Decoded
from companion.vision.dice.faces import Marks, Texts
from companion.vision.dice.geometry import Points, edge_length
from companion.vision.dice.memory.table import REMEMBERED_POSTERIOR
from companion.vision.dice.pose import foreshortening
from companion.vision.dice.scene import REGULAR, Scene
from companion.vision.dice.seen import Seen

LEAST_ODDS: Final = 2.0
"""The program asks about an upper face whose odds (natural logarithm) are below this."""

LEAST_EDGE: Final = 15.0
"""The program asks about dice with shorter edges (pixels of the picture), whatever the net says."""

BLANK_CHANCE: Final = 0.5
"""A face is blank if the chance that it cannot be read is above this."""

UNCLEAR_EDGES: Final = 0.25
"""The program asks about a face whose corners may be off by more than this, in edges: its marks may be cut wrongly."""

LETTERS: Final = "letters"
PIPS: Final = "pips"
SURE_PIPS: Final = 0.95
"""The least posterior for reading pips. The reader misreads hardly any drawn pips, so a score learns little about such
errors, and the posterior must be high, too. On a photograph, a worn 6 was read as a 5 with 0.90."""

PIPS_BESIDE: Final = 1.0
"""By how much (natural logarithm) marks that no face of the set has may be likelier where no second count of pips
agrees. On a photograph, a 6 whose last row lay beyond the found face was read as a 5 with 2.3. Of 501 faces read
rightly (developing half of the photographs; drawings with hands that choose) none has more than 0.4."""

SLANTED_DEGREES: Final = 14.0
SLANTED_ODDS: Final = 4.5
"""Beyond this tilt, in degrees, a face of a solid must be the upper one with odds of at least this (natural logarithm;
elsewhere `LEAST_ODDS`): a camera that looks from the side sees neighbours of the upper face there. On drawings with
hands that choose, cameras up to 45 degrees off, 19 of 33 neighbours taken for the upper face lay below this, and 2 to
5 % of the dice read rightly from nearly above."""

KNOWN_ODDS: Final = 3.5
"""The same, where the table knows the die, and with it the upright and the size, which make most odds larger. Of 789
throws of 18 developing dice with ten and twenty faces, each after fifteen others, a neighbour was taken for the upper
face 4 times, once with odds of 3.4, else with less than 0. Of the others, 727 have larger odds than this."""

UNEVEN: Final = frozenset({"trapezohedron", "tile"})
"""Shapes whose faces are not regular."""

STRONG: Final[dict[Shape, tuple[float, float]]] = {
    "octahedron": (3.0, LEAST_ODDS),
    "trapezohedron": (1.0, LEAST_ODDS),
    "dodecahedron": (3.0, LEAST_ODDS),
    "icosahedron": (2.0, 6.0),
}
"""What exemplars must say for a face of a solid (log likelihood ratio), and the least odds that it is the upper one. On
drawn sittings of developing hands, a neighbour was read for the upper face of twenty-sided dice 7 times of 28 where
odds of 2 were enough. In 450 throws of six developing dice with twenty faces, each after sixty others, the exemplars
say this much of 36 of the 79 faces that the general reader does not read (they say 5.0 of 18), and none is wrong. None
of 38 kites was wrong with these."""

AGREED_POSTERIOR: Final = 0.97
LEAST_UNSPOKEN: Final = 0.5
"""The least posterior for reading a cube's face for which no exemplar speaks, and the least that the general reader
alone must give it."""

LEAST_SPOKEN: Final = 0.93
SPEAKING_EVIDENCE: Final = 3.0
"""The least posterior for reading a cube's face for which exemplars plainly speak, and what these must say (log
likelihood ratio). Of the 158 faces of 32 developing hands that were asked about without these two rules, they read 27,
all rightly; of 15 more with posteriors from 0.95 on, two would be wrong. From 0.85 on they also read two thin L of one
owner's Ludix dice as I, and of 1,800 more cubes of ten developing hands four, one of them wrongly."""

BY_APPEARANCE: Final = 0.9
"""The least posterior for reading a cube's face whose marks no net knows, where the table knows a view of each such
face: then exemplars alone speak, and they never say much. Of 1,436 faces of three developing owners with 18 signs each,
40 were asked about although their likeliest text had from 0.9 to 0.95, and all were that. Nor was one of the 25 from
0.8 on another, but one of the 20 from 0.7 on."""

LEAST_POSTERIOR: Final = 0.75
"""The least posterior at which the general reader alone reads a face, whatever else speaks for it. Of 1,498 drawn cubes
in hands that are in no list of the workshop 21 had less, and 2 of these were read wrongly (AEIOU as EIOU at 0.57)."""

CONFIRMED_POSTERIOR: Final = 0.8
"""The least posterior for reading a face that the general reader reads, if the table remembers faces."""


class Certainty:
    """Judges whether the faces of a set's dice are read.

    Args:
        texts: the set's faces in the order of the posteriors.
        shapes: the shape of the die for each number of corners of a face.
        rows: takes a second pass at doubtful faces.
        second: takes a second pass at them, too.
        reads: returns whether a face is read without asking: once before the second pass, and if it says no, once
            after it.
        short: returns by how much a face misses what it is read at, as log odds; negative where it is read.

    Attributes:
        regular: the numbers of corners of faces whose outline shows how they lie: neither tiles nor kites, which may be
            longer than wide.
    """

    def __init__(
        self,
        texts: Texts,
        shapes: dict[int, Shape],
        rows: RowReader,
        second: SecondMarks,
        *,
        reads: Callable[[Features], bool],
        short: Callable[[Features], float | None] = lambda _: None,
    ) -> None:
        self._texts = texts
        self._shapes = shapes
        self._rows = rows
        self._second = second
        self._reads = reads
        self._short = short
        self._pips = bool((texts.upper_bags.pips > 0).any())
        self.regular = {number for number, shape in shapes.items() if shape not in UNEVEN and number in REGULAR}

    def judge(self, seen: Seen, decoded: Decoded, scene: Scene | None) -> tuple[str, bool, float | None]:
        """Return why the program asks about a face, whether only the table remembers it, and what it falls short of.

        The reason is empty where the face is read. The last is `ReadDie.short`.
        """
        reason = self._spoilt(seen, scene)
        if reason:
            return reason, False, None
        text, chance = decoded.letters()[0]
        alone = remembered = False
        short: float | None = None
        if text == decoded.text:
            known = not (seen.unlearnt or self._texts.upper_bags.unknown[self._place(text)])
            # unless the table speaks plainly against it
            if known and (seen.recalled is None or chance >= CONFIRMED_POSTERIOR):
                alone, short = self._sure_alone(seen, decoded, scene)
            remembered = not alone and self._recognised(seen, text, chance)
        return "" if alone or remembered else NOT_CLEAR, remembered, short

    def _spoilt(self, seen: Seen, scene: Scene | None) -> str:
        """Return why a face cannot be read, whatever its marks look like; empty if nothing stands against it."""
        corners = seen.face.corners
        against = (
            (edge_length(corners) < LEAST_EDGE, SPOILT[0]),
            (seen.marks.unreadable[0] > BLANK_CHANCE, SPOILT[1]),
            (seen.face.error > UNCLEAR_EDGES, SPOILT[2]),
            (seen.face.upper < self._least_odds(corners, scene, known=seen.recalled is not None), NOT_UPPER),
        )
        return next((reason for holds, reason in against if holds), "")

    def features(self, one: Seen, decoded: Decoded, scene: Scene | None) -> Features:
        """Return the features that show whether a face is read correctly."""
        corners = one.face.corners
        regular = len(corners) in self.regular
        shape, large = scene.off(corners) if scene and regular else (0.0, 0.0)
        return Features(
            odds=one.witness.odds,
            beside=one.witness.beside,
            readable=one.witness.readable,
            chance=self._general_chance(one, decoded),
            seconded=one.seconded,
            die=one.face.score,
            upper=one.face.upper,
            on_top=one.face.on_top,
            error=one.face.error,
            edge=edge_length(corners),
            tilt=self.tilt(corners, scene),
            marks=len(decoded.text),
            family=self._family_of(decoded.text, len(corners)),
            off_shape=shape,
            off_size=large,
            alike=scene.faces if scene else 0,
            rival=one.rival,
            turned=decoded.text in TURNED,
        )

    def tilt(self, corners: Points, scene: Scene | None) -> float:
        """Return the angle in degrees between a face's upright and the line of sight.

        It comes from the scene; without a scene, or for a face that is not regular, from the face alone.
        """
        if scene is not None and len(corners) in self.regular:
            return scene.tilt(corners.mean(axis=0))
        return foreshortening(corners, self._shapes[len(corners)]).tilt

    def family(self, corners: int) -> str:
        """Return the family to which faces with this many corners belong, whatever they show."""
        cubes = PIPS if self._pips else LETTERS
        return cubes if self._shapes[corners] == "cube" else self._shapes[corners]

    def _least_odds(self, corners: Points, scene: Scene | None, *, known: bool) -> float:
        """Return the least odds that a face of a solid is the upper one."""
        if self.tilt(corners, scene) > SLANTED_DEGREES:
            return SLANTED_ODDS
        return KNOWN_ODDS if known else LEAST_ODDS

    def _recognised(self, seen: Seen, text: str, chance: float) -> bool:
        """Return whether the table knows a face as this text, and it is surely the upper one of its die.

        A neighbour of the upper face is a face that the table knows, too. ``chance``: the posterior of the text.
        """
        if seen.recalled is None or seen.general is None or seen.strange:
            return False
        shape, evidence = self._shapes[len(seen.face.corners)], seen.recalled[self._place(text)]
        least, upper = STRONG.get(shape, (0.0, LEAST_ODDS))
        if seen.face.upper < upper:
            return False
        unknown = shape == "cube" and not seen.unlearnt and self._texts.upper_bags.unknown[self._place(text)] > 0
        if evidence > least and chance >= (BY_APPEARANCE if unknown else REMEMBERED_POSTERIOR):
            return True
        if shape != "cube":
            return False
        spoken = evidence >= SPEAKING_EVIDENCE and chance >= LEAST_SPOKEN
        return spoken or (chance >= AGREED_POSTERIOR and self._by_marks(seen.general, text) >= LEAST_UNSPOKEN)

    def _sure_alone(self, seen: Seen, decoded: Decoded, scene: Scene | None) -> tuple[bool, float | None]:
        """Return whether the general reader alone reads a face as what was decoded, and what it falls short of."""
        features = self.features(seen, decoded, scene)
        if features.family == PIPS:
            counted = features.seconded or features.beside < PIPS_BESIDE
            return counted and features.chance >= SURE_PIPS and self._reads(features), None
        if features.chance < LEAST_POSTERIOR:
            return False, None
        if self._reads(features):
            return True, self._short(features)
        again = self._again(seen, decoded, features)
        return (False, None) if again is None else (self._reads(again), self._short(again))

    def _again(self, seen: Seen, decoded: Decoded, features: Features) -> Features | None:
        """Return the features of a face with a second pass; None where it cannot be taken."""
        if seen.cut is None:
            return None
        number = len(seen.face.corners)
        among = [i for i, corners in enumerate(self._texts.corners) if corners == number]
        cut, shown = seen.cut, self._place(decoded.text)
        again = SecondPass(
            self._rows.witness(cut.patches, cut.view.places, cut.upright, shown, among),
            self._second.witness(cut.patches, shown, among),
        )
        return replace(features, again=again)

    def _general_chance(self, seen: Seen, decoded: Decoded) -> float:
        """Return the chance of the decoded answer; where the table remembers faces, without what it remembers."""
        text, chance = decoded.letters()[0]
        if seen.general is None:
            return chance
        return self._by_marks(seen.general, text)

    def _by_marks(self, marks: Marks, text: str) -> float:
        """Return the chance in the first row of ``marks`` of all faces that bear the marks of a text."""
        same = self._texts.upper_bags.alike == self._texts.upper_bags.alike[self._place(text)]
        return float(marks.spread()[0][same].sum())

    def _place(self, text: str) -> int:
        """Return the index of the first of the set's faces with this text."""
        return next(i for i, (_, shown) in enumerate(self._texts.upper) if shown == text)

    def _family_of(self, text: str, corners: int) -> str:
        """Return the family of faces (see `Features`) to which a face belongs."""
        if self._texts.upper_bags.pips[self._place(text)]:
            return PIPS
        return LETTERS if self._shapes[corners] == "cube" else self._shapes[corners]

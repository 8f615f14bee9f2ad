"""The table's memory: exemplars of its dice, and how far they are trusted beside the general reader."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.language.sentence import Sentence
from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import Chances, Marks, Vectors
from companion.vision.dice.memory.balance import MOST_SURPRISE, Balance, FaceEvidence, evidence
from companion.vision.dice.memory.exemplars import Exemplars, Mask, View
from companion.vision.dice.memory.light import Light
from companion.vision.dice.memory.pictured import Seconded
from companion.vision.dice.memory.plane import Plane
from companion.vision.dice.memory.scores import Scores
from companion.vision.dice.solids.size import Sizes
from companion.vision.dice.solids.table import Upright

if TYPE_CHECKING:
    from companion.vision.dice.solids.upper import Lying

REMEMBERED_POSTERIOR: Final = 0.95
"""The least posterior for reading a die that only the table's exemplars make certain. In recorded readings
of developing hands, none of 227 upper faces that were read so was wrong."""

SIDE_TRUSTS: Final = (0.0, 0.15, 0.35, 0.65, 1.0)
"""How far the exemplars of a tetrahedron's sides may be trusted."""

SIDE_PRIOR: Final = np.array([-2.0, -1.0, -0.3, 0.0, -0.3])
"""How likely each trust is before a table has shown it, as log likelihood."""

STRANGE_LIKENESS: Final = 0.7
"""Dice of which the nearest exemplars are usually less alike (Fisher transformed) are others than those that a profile
was learnt of: with six drawn owners, their own were always above, in other light, too, those of 12 others in 97 of 100
faces below."""

RECENT_FACES: Final = 24
ENOUGH_FACES: Final = 9
"""How many faces count for that at most, and at least."""

OTHER_DICE: Final = Sentence(
    "The profile was learnt of other dice: what it alone would read is asked about. Take another, or learn these."
)


class Shown:
    """The texts that a face of one outline may show, and their columns in the posteriors.

    Faces with the same marks in any order are one bag: the mark net cannot distinguish them.
    """

    def __init__(self, texts: Sequence[str], columns: Sequence[int] | None = None, width: int | None = None) -> None:
        self.columns = np.arange(len(texts)) if columns is None else np.array(columns, np.intp)
        self.width = len(texts) if width is None else width
        self.texts = texts
        self.bags = tuple(sorted({bag_of(text) for text in texts}))
        self.places = np.array([self.bags.index(bag_of(text)) for text in texts], np.intp)
        self.sizes = np.bincount(self.places, minlength=len(self.bags))

    def by_bag(self, marks: Marks) -> Chances:
        """Return the chance of each of ``bags`` in the first row of ``marks``."""
        chances = marks.texts[0, self.columns]
        return np.bincount(self.places, weights=chances, minlength=len(self.bags)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Recalled:
    """A face as the general reader and the table's memory together read it.

    ``marks``: one row; ``log_odds``: for each text what the exemplars say for it, a log likelihood ratio; ``shown``,
    ``evidence``: what it may show, and what both say of that.
    """

    marks: Marks
    log_odds: Chances
    shown: Shown
    evidence: FaceEvidence

    @property
    def likeliest(self) -> float:
        """The posterior of the likeliest marks."""
        return float(self.shown.by_bag(self.marks).max())


class SideTrust:
    """How far the exemplars of a tetrahedron's sides are trusted at one table: the sides are small and dark.

    ``scores``: the log likelihood of what persons said, for each of `SIDE_TRUSTS`.
    """

    def __init__(self, scores: Scores | None = None) -> None:
        self.scores = Scores(np.zeros(len(SIDE_TRUSTS))) if scores is None else scores
        if self.scores.whole.shape != (len(SIDE_TRUSTS),):
            raise ValueError(f"Expected {len(SIDE_TRUSTS)} scores, but got {self.scores.whole.shape}.")

    @property
    def best(self) -> int:
        """The index in `SIDE_TRUSTS` that has served best."""
        return int((self.scores.whole + SIDE_PRIOR).argmax())

    def learn(self, posteriors: Chances, truth: int, source: str) -> None:
        """Note the face that counts in a throw: ``posteriors`` (trusts, texts), as each trust read the die."""
        self.scores.add(np.log(np.maximum(posteriors[:, truth], np.exp(MOST_SURPRISE))), source)


@dataclass(frozen=True)
class Origin:
    """The throws from which ``companion learn`` made a memory: its name, the set, when (ISO 8601), in which light."""

    name: str
    set_name: str
    made: str
    light: Light


class TableMemory:
    """What a table remembers. Not for two threads at once.

    ``origin``: what it started from, if it did not start empty. ``number``: how many dice were thrown last, None where
    that is unknown.
    """

    def __init__(
        self,
        exemplars: Exemplars | None = None,
        balance: Balance | None = None,
        sides: SideTrust | None = None,
        upright: Upright | None = None,
        plane: Plane | None = None,
        *,
        sizes: Sizes | None = None,
        origin: Origin | None = None,
    ) -> None:
        self.exemplars = Exemplars() if exemplars is None else exemplars
        self.balance = Balance() if balance is None else balance
        self.sides = SideTrust() if sides is None else sides
        self.upright = Upright() if upright is None else upright
        self.plane = Plane() if plane is None else plane
        self.sizes = Sizes() if sizes is None else sizes
        self.origin = origin
        self.number: int | None = None
        self._alike: deque[float] = deque(maxlen=RECENT_FACES)

    @property
    def strange(self) -> bool:
        """Whether other dice lie here than those that it started from."""
        return len(self._alike) >= ENOUGH_FACES and float(np.median(self._alike)) < STRANGE_LIKENESS

    def compare(self, face: FaceEvidence) -> None:
        """Note how alike a face of the dice that lie here is to what it started from."""
        if self.origin is not None and face.number[:-1].any():
            self._alike.append(float(face.alike[:-1].max()))

    def copy(self) -> "TableMemory":
        """Return a memory that another thread may write while this one goes on learning."""
        return TableMemory(
            Exemplars(self.exemplars, self.exemplars.alike),
            Balance(self.balance.scores.copy()),
            SideTrust(self.sides.scores.copy()),
            Upright(self.upright.evidence),
            self.plane.copy(),
            sizes=self.sizes.copy(),
            origin=self.origin,
        )

    def clear(self) -> None:
        """Forget everything."""
        self.exemplars, self.balance, self.sides = Exemplars(), Balance(), SideTrust()
        self.upright, self.plane, self.sizes = Upright(), Plane(), Sizes()
        self.origin = self.number = None

    def forget(self, source: str) -> bool:
        """Forget what one throw taught, also of how far to trust whom; return whether there was anything.

        What its dice said of the upright and of their sizes stays: that does not depend on their faces.
        """
        before = len(self.exemplars)
        self.exemplars.forget(source)
        taken = [kept.scores.take_back(source) for kept in (self.balance, self.sides)]
        return len(self.exemplars) != before or any(taken)

    def see(self, lying: "Lying") -> None:
        """Note how a die of the table lies."""
        self.upright.learn(lying.upright)
        self.sizes.learn(lying.shape, lying.sizes)

    def recall(
        self,
        outline: int,
        descriptors: Vectors,
        general: Marks,
        shown: Shown,
        seconded: Seconded | None = None,
        *,
        among: Mask | None = None,
    ) -> Recalled | None:
        """Return a face as both read it; None where the table remembers no face of this outline.

        ``general``: the general reader's marks, one row; ``shown``: the texts of its columns; ``seconded``: the face as
        the second mark net sees it, where it was asked, too; ``among``: which exemplars count, by default all.
        """
        known = self.exemplars.likeness(outline, descriptors, seconded, among)
        if not known:
            return None
        seen = evidence(shown.by_bag(general), float(general.unreadable[0]), known, shown.bags)
        posterior, weights = self.balance.weigh(seen)
        texts, every = np.zeros((1, shown.width)), np.zeros(shown.width)
        texts[0, shown.columns] = (posterior / np.append(shown.sizes, 1))[shown.places]
        every[shown.columns] = weights[shown.places]
        return Recalled(Marks(texts, posterior[-1:]), every, shown, seen)

    def learn(self, outline: int, bag: str, view: View, source: str, *, named: bool, recalled: Recalled | None) -> None:
        """Keep a face as an exemplar (see `Exemplars.learn`); ``recalled``: how it was read before its text was known.

        Only what a person says shows how far to trust whom: the general reader agrees with its own readings.
        """
        if named and recalled is not None and bag in recalled.shown.bags:
            self.balance.learn(recalled.evidence, recalled.shown.bags.index(bag), source)
        self.exemplars.learn(outline, bag, view, source, named=named)

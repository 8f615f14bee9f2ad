"""The table's memory: exemplars of its dice, and how far they are trusted beside the general reader."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import Chances, Marks
from companion.vision.dice.memory.balance import Balance, Evidence, evidence
from companion.vision.dice.memory.exemplars import Exemplars, Vectors, View


class Shown:
    """The texts that a face of one outline may show, and their columns in the posteriors.

    Faces with the same marks in any order are one bag: the mark net cannot tell them apart.
    """

    def __init__(self, texts: Sequence[str], columns: Sequence[int] | None = None, width: int | None = None) -> None:
        self.columns = np.arange(len(texts)) if columns is None else np.array(columns, np.intp)
        self.width = len(texts) if width is None else width
        self.bags = tuple(sorted({bag_of(text) for text in texts}))
        self.places = np.array([self.bags.index(bag_of(text)) for text in texts], np.intp)
        self.sizes = np.bincount(self.places, minlength=len(self.bags))


@dataclass(frozen=True, eq=False)
class Recalled:
    """A face as the general reader and the table's memory together read it.

    ``marks``: one row; ``said``: for each text what the exemplars say for it, a log likelihood ratio; ``shown``,
    ``evidence``: what it may show, and what both say of that.
    """

    marks: Marks
    said: Chances
    shown: Shown
    evidence: Evidence


class TableMemory:
    """What a table remembers. Not for two threads at once."""

    def __init__(self, exemplars: Exemplars | None = None, balance: Balance | None = None) -> None:
        self.exemplars = Exemplars() if exemplars is None else exemplars
        self.balance = Balance() if balance is None else balance

    def recall(self, outline: int, descriptors: Vectors, general: Marks, shown: Shown) -> Recalled | None:
        """Return a face as both read it; None where the table remembers no face of this outline.

        ``general``: the general reader's marks, one row; ``shown``: the texts of its columns.
        """
        known = self.exemplars.likeness(outline, descriptors)
        if not known:
            return None
        chances = general.texts[0, shown.columns]
        by_bag = np.bincount(shown.places, weights=chances, minlength=len(shown.bags)).astype(np.float64)
        seen = evidence(by_bag, float(general.unreadable[0]), known, shown.bags)
        posterior, said = self.balance.weigh(seen)
        texts, every = np.zeros((1, shown.width)), np.zeros(shown.width)
        texts[0, shown.columns] = (posterior / np.append(shown.sizes, 1))[shown.places]
        every[shown.columns] = said[shown.places]
        return Recalled(Marks(texts, posterior[-1:]), every, shown, seen)

    def learn(self, outline: int, bag: str, view: View, source: str, *, said: bool, recalled: Recalled | None) -> None:
        """Keep a face as an exemplar (see `Exemplars.learn`); ``recalled``: how it was read before its text was known.

        Only what a person says shows how far to trust whom: the general reader agrees with its own readings.
        """
        if said and recalled is not None and bag in recalled.shown.bags:
            self.balance.learn(recalled.evidence, recalled.shown.bags.index(bag))
        self.exemplars.learn(outline, bag, view, source, said=said)

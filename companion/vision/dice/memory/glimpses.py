"""Glimpses: what a reading saw of each die, kept until its text is known, and then taught to the table's memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import Chances
from companion.vision.dice.geometry import Points, inside
from companion.vision.dice.memory.exemplars import NOTHING, SIDE_OUTLINE, WHOLE_OUTLINE, View
from companion.vision.dice.memory.handedness import Handedness, ways_around
from companion.vision.dice.memory.table import Recalled, Shown, TableMemory

if TYPE_CHECKING:
    from companion.vision.dice.solids.upper import Lying

SURE_POSTERIOR: Final = 0.5
"""What was read without the memory is learnt if the general reader takes the face by itself rather for this than for
anything else. Where only the throw as a whole makes a text likely, the face teaches nothing: one that was read wrongly
would be taken for known at every later throw. With 0.9, faces that the reader reads but is never so sure of are asked
about again and again: on 30 drawn sittings of developing hands it asked about 40 of 2,668 cubes from throw 31 on
instead of 23, and read 7 of 5,325 cubes wrongly instead of 5."""

SURE_SOLID: Final = 0.9
"""The same for dice with more than six faces: one 7 that looks like a 1 was learnt with 0.62."""

SURE_PLACES: Final = 0.97
"""A tetrahedron's sides are learnt if it is this likely which of them shows which text."""


@dataclass(frozen=True)
class FaceLesson:
    """What lies at a place of a picture. ``text``: None for no die; ``named``: a person named it, else it was read."""

    place: tuple[float, float]
    text: str | None
    named: bool


class Glimpse(Protocol):
    """A find, as the table may remember it."""

    @property
    def polygon(self) -> Points:
        """Its outline in pixels of the picture."""

    def teach(self, memory: TableMemory, text: str | None, source: str, *, named: bool) -> None:
        """Keep it as an exemplar of the face that counts; ``text`` None: it is no die."""

    def small(self) -> "Glimpse":
        """Return it with small views, for a text that becomes known much later."""


@dataclass(frozen=True, eq=False)
class UpperGlimpse:
    """An upper face.

    ``shown``: what it may show; ``general``: the general reader's chance of each bag of that; ``recalled``: how the
    table's memory read it.
    ``lying``: what its die says of the table, see `solids.upper.SolidReader.posed`; None for other dice.
    ``picture``: the height and width of the picture where the face shows how the cubes lie; None for other dice.
    """

    polygon: Points
    view: View
    shown: Shown
    general: Chances
    recalled: Recalled | None
    lying: "Lying | None" = None
    picture: tuple[int, int] | None = None

    def teach(self, memory: TableMemory, text: str | None, source: str, *, named: bool) -> None:
        """Keep the face, if faces with this outline may show the text."""
        bag = NOTHING if text is None else bag_of(text)
        if text is not None and bag not in self.shown.bags:
            return
        sure = SURE_POSTERIOR if self.lying is None else SURE_SOLID
        if named or text is None or self.general[self.shown.bags.index(bag)] >= sure:
            memory.learn(len(self.polygon), bag, self.view, source, named=named, recalled=self.recalled)
        if text is not None and self.lying is not None:
            memory.see(self.lying)
        if text is not None and self.picture is not None:
            memory.plane.learn(self.polygon, self.picture)

    def small(self) -> "UpperGlimpse":
        """Return it with a small view."""
        return replace(self, view=self.view.small())


@dataclass(frozen=True, eq=False)
class SidesGlimpse:
    """A tetrahedron: its visible sides, each with its number around the apex, and the chances of their texts.

    ``texts``: the four texts; ``chances``: for each of the three places around the apex, clockwise, the chances of the
    texts, (4,), None where no side is seen. ``posteriors``: how each of `SIDE_TRUSTS` read the die, (trusts, 4).
    ``answered``: takes which of the texts a person said that it hides; None where its hand is not learnt.
    """

    polygon: Points
    views: dict[int, View]
    texts: tuple[str, ...]
    chances: tuple[Chances | None, ...]
    handedness: Handedness
    posteriors: Chances | None = None
    answered: Callable[[int], None] | None = None

    def teach(self, memory: TableMemory, text: str | None, source: str, *, named: bool) -> None:
        """Keep each side whose text is clear now that the hidden face is known."""
        if text is None or text not in self.texts:
            return
        hidden = self.texts.index(text)
        if named and self.answered is not None:
            self.answered(hidden)
        if named and self.posteriors is not None:
            memory.sides.learn(self.posteriors, hidden, source)
        ways = {
            order: value for order, value in ways_around(self.chances, self.handedness).items() if order[0] == hidden
        }
        whole = sum(ways.values())
        for place, view in self.views.items():
            shares = np.zeros(len(self.texts))
            for order, value in ways.items():
                shares[order[place + 1]] += value / whole if whole > 0 else 0.0
            if shares.max() >= SURE_PLACES:
                bag = bag_of(self.texts[int(shares.argmax())])
                memory.learn(SIDE_OUTLINE, bag, view, source, named=named, recalled=None)

    def small(self) -> "SidesGlimpse":
        """Return it with small views."""
        return replace(self, views={place: view.small() for place, view in self.views.items()})


@dataclass(frozen=True, eq=False)
class WholeGlimpse:
    """A die as a whole, by its outline; ``texts``: what it may show."""

    polygon: Points
    view: View
    texts: Sequence[str]

    def teach(self, memory: TableMemory, text: str | None, source: str, *, named: bool) -> None:
        """Keep its view if a person names it."""
        if named and text is not None and text in self.texts:
            memory.learn(WHOLE_OUTLINE, bag_of(text), self.view, source, named=named, recalled=None)

    def small(self) -> "WholeGlimpse":
        """Return it with a small view."""
        return replace(self, view=self.view.small())


def teach(memory: TableMemory, glimpses: Sequence[Glimpse], lessons: Sequence[FaceLesson], source: str) -> None:
    """Keep what is known of a picture's finds; a find without a lesson stays unknown.

    Where finds lie over each other, only the one whose middle is nearest to the place is meant: the other may be a part
    of the face, which shows fewer marks.
    """
    wholes = [one for one in glimpses if isinstance(one, WholeGlimpse)]
    for finds in ([one for one in glimpses if not isinstance(one, WholeGlimpse)], wholes):
        taught: set[int] = set()
        for one in lessons:
            place = np.array(one.place)
            there = [i for i, glimpse in enumerate(finds) if inside(place, glimpse.polygon)]
            if not there:
                continue
            meant = min(there, key=lambda i: float(np.linalg.norm(finds[i].polygon.mean(axis=0) - place)))
            if meant not in taught:
                taught.add(meant)
                finds[meant].teach(memory, one.text, source, named=one.named)

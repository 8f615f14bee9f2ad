"""Exemplars: faces of one owner's dice whose text is known, and how like them a new face is.

A face is its descriptor: the mark net's last hidden layer. Two descriptors are as alike as their cosine. No distance is
learnt: the net already separates letters in hands that it cannot read. A new face is compared without what all faces
of its owner have in common.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.vision.dice.decode import bag_of
from companion.vision.dice.faces import DESCRIPTOR_LENGTH, SHORTEST_DESCRIPTOR, Vectors
from companion.vision.dice.geometry import PATCH_PIXELS, Points, edge_length
from companion.vision.dice.memory.pictured import Seconded
from companion.vision.images import as_jpeg
from companion.vision.readings import Image

Mask = npt.NDArray[np.bool_]

SIDE_OUTLINE: Final = 0
"""The outline of a tetrahedron's side; the outline of an upper face is its number of corners."""

WHOLE_OUTLINE: Final = -1
"""The outline of a die as a whole, see `whole_view`: its descriptor is none of the mark net's."""

LEARNT: Final = "teaching/learn-"
"""With this the name of a throw begins from which ``companion learn`` learnt."""

NOTHING: Final = ""
"""The bag of a find that is no upper face of a die: a side, a part of a face, a thing on the table."""

MOST_EACH: Final = 12
"""How many exemplars of one face are kept. The oldest ones go first; those that a person named stay longer."""

MOST_EXEMPLARS: Final = 400
"""How many exemplars are kept in all: 1.6 MB on the disk."""

JPEG_QUALITY: Final = 92
"""JPEG quality of an exemplar's picture: it shows the owner what was learnt, and describes the face to newer nets."""

REPEATED_LIKENESS: Final = 0.985
"""A face this much like a known exemplar with the same text is the same die, not thrown again: it teaches nothing."""

USUAL_LIKENESS: Final = 0.71
"""A face is about as often as not the same as an exemplar that is this much like it."""

DOUBTED_MARGIN: Final = 0.25
"""An exemplar is doubted if it is more like one with another text than like its own kind, by this much (Fisher)."""

LEAST_TEXTS: Final = 4
FEW_TEXTS: Final = 3.0
"""What all faces have in common shows only once so many different texts are known. Some of it may still be theirs: the
common part counts as if there were so many empty texts more."""

SAME_PLACE: Final = 0.3
"""A thing lies where it lay if its middle is off by less than this, in edges of its outline."""

SAME_THING: Final = 0.8
"""A find at the place of a thing is that thing if it looks this much like it."""

EQUAL_WITHIN: Final = 1e-6
"""Two likenesses that differ by less are the same."""


@dataclass(frozen=True, eq=False)
class Exemplar:
    """A face whose text is known.

    ``outline``: see `SIDE_OUTLINE` and `WHOLE_OUTLINE`; ``bag``: its marks, sorted, or `NOTHING`; ``descriptor``:
    (`DESCRIPTOR_LENGTH`,), of length 1; ``source``: names the throw; ``named``: whether a person named it, or else the
    general reader was sure; ``picture``: JPEG of the flat face; ``place``: of `NOTHING`, where its middle lay in the
    picture, pixels.
    """

    outline: int
    bag: str
    descriptor: npt.NDArray[np.float16]
    source: str
    named: bool
    picture: bytes = b""
    place: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class View:
    """A face in all its rotations: ``descriptors``, (rotations, `DESCRIPTOR_LENGTH`), and the flat pictures, if kept.

    ``corners``: its outline in the picture, (n, 2), pixels; None where nothing is known of it. ``pictures``: the flat
    pictures as JPEG, where the view is a `small` one.
    """

    descriptors: Vectors
    patches: Sequence[Image] = ()
    corners: Points | None = None
    pictures: Sequence[bytes] = ()

    def picture(self, turn: int) -> bytes:
        """Return the JPEG of the flat face in this rotation; empty if none was kept."""
        if self.pictures:
            return self.pictures[turn]
        return as_jpeg(self.patches[turn], PATCH_PIXELS, JPEG_QUALITY) if self.patches else b""

    def small(self) -> "View":
        """Return the view in half of the memory; it teaches the same."""
        return replace(self, patches=(), pictures=[self.picture(turn) for turn in range(len(self.patches))])


class Likeness(NamedTuple):
    """How alike a face is to the exemplars of one bag.

    ``nets``: to the nearest, as the mark nets see it; ``number``: of exemplars; ``relief``: to the nearest by its
    relief, None if reliefs were not compared.
    """

    nets: float = -1.0
    number: int = 0
    relief: float | None = None

    def beside(self, nets: float, relief: float | None) -> "Likeness":
        """Return the likeness with one more exemplar."""
        if self.relief is not None and relief is not None:
            relief = max(self.relief, relief)
        return Likeness(max(self.nets, nets), self.number + 1, relief)


class Exemplars:
    """The exemplars of one set of dice at one table. Not for two threads at once.

    Args:
        kept: the exemplars, the oldest first.
        alike: how alike they are, as the property of this name; by default each only as its picture lies.

    Raises:
        ValueError: there are likenesses of more or fewer exemplars, or one is no number.
    """

    def __init__(self, kept: Iterable[Exemplar] = (), alike: Vectors | None = None) -> None:
        self._kept: list[Exemplar] = list(kept)
        self._vectors = np.array([one.descriptor for one in self._kept], np.float32).reshape(-1, DESCRIPTOR_LENGTH)
        self._alike = self._vectors @ self._vectors.T if alike is None else np.asarray(alike, np.float32)
        # NaN compares as nothing, so the search for doubted exemplars would not end
        if self._alike.shape != (len(self._kept),) * 2 or not np.isfinite(self._alike).all():
            raise ValueError(
                f"Expected the likenesses of {len(self._kept)} exemplars as finite numbers, but got an array of "
                f"{self._alike.shape}."
            )
        self._known: dict[int, _Outline] = {}
        self._contradicting: Mask | None = None

    @property
    def alike(self) -> Vectors:
        """How alike each two exemplars are in the rotation where they are most so: (n, n)."""
        return self._alike.copy()

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Exemplar]:
        return iter(self._kept)

    def learn(self, outline: int, bag: str, view: View, source: str, *, named: bool) -> None:
        """Keep a face as an exemplar of these marks.

        Older ones make room, or the new one goes itself if persons named all the others. A die that lies as it lay in
        an earlier throw teaches nothing new.
        """
        alike = view.descriptors @ self._vectors.T
        mine = np.array([one.outline == outline and one.bag == bag for one in self._kept], np.bool_)
        turn = 0
        if mine.any():
            turn = int(alike[:, mine].max(axis=1).argmax())
            if alike[:, mine].max() > REPEATED_LIKENESS and not named:
                return
        row = alike.max(axis=0)
        place = None
        if bag == NOTHING and view.corners is not None:
            x, y = view.corners.mean(axis=0)
            place = (float(x), float(y))
        one = Exemplar(
            outline, bag, view.descriptors[turn].astype(np.float16), source, named, view.picture(turn), place
        )
        self._alike = np.block([[self._alike, row[:, None]], [row[None], np.ones((1, 1), np.float32)]])
        self._vectors = np.vstack([self._vectors, one.descriptor.astype(np.float32)[None]])
        self._kept = [*self._kept, one]
        self._changed()
        if mine.sum() >= MOST_EACH:
            self._keep(_all_but_one(self._kept, np.append(mine, True)))
        elif len(self._kept) > MOST_EXEMPLARS:
            self._keep(_all_but_one(self._kept, np.ones(len(self._kept), np.bool_)))

    def forget(self, source: str) -> None:
        """Drop what was learnt from one throw."""
        self._keep(np.array([one.source != source for one in self._kept], np.bool_))

    def likeness(
        self, outline: int, descriptors: Vectors, seconded: Seconded | None = None, among: Mask | None = None
    ) -> dict[str, Likeness]:
        """Return for each known bag of this outline how alike the face is to its nearest exemplar.

        ``descriptors``: of the face in all its rotations; ``seconded``: the face at a second pass: the second mark net
        then counts as much. ``among``: which exemplars count, (n,), by default all. Doubted exemplars do not count.
        What all faces of one owner have in common, their colour and their hand, tells none from another: it is taken
        away first.
        """
        known = self._of(outline)
        if not known.kept:
            return {}
        first = (descriptors, known.vectors)
        relieved: Vectors | None = None
        if seconded is None:
            nearest = known.nearest(first)
        else:
            nearest = known.nearest(first, (seconded.descriptors, seconded.net.vectors(known.kept, DESCRIPTOR_LENGTH)))
            if seconded.reliefs is not None:
                relieved = known.nearest((seconded.reliefs, seconded.net.reliefs(known.kept)))
        doubted = self._doubted()
        found: dict[str, Likeness] = {}
        for place, (i, one) in enumerate(zip(known.places, known.kept, strict=True)):
            if not doubted[i] and (among is None or among[i]):
                relief = None if relieved is None else float(relieved[place])
                found[one.bag] = found.get(one.bag, Likeness()).beside(float(nearest[place]), relief)
        return found

    def know(self, outline: int, texts: Iterable[str]) -> bool:
        """Return whether there is an exemplar of this outline, and not a doubted one, for each of these texts."""
        kept = zip(self._kept, self._doubted(), strict=True)
        return {bag_of(text) for text in texts} <= {
            one.bag for one, doubted in kept if one.outline == outline and not doubted
        }

    def lies_there(self, outline: int, view: View) -> bool:
        """Return whether a find is a thing that lies where somebody said that it is no die, and looks as it did."""
        if view.corners is None:
            return False
        middle, reach = view.corners.mean(axis=0), SAME_PLACE * edge_length(view.corners)
        return any(
            one.outline == outline
            and one.place is not None
            and float(np.linalg.norm(middle - one.place)) < reach
            and float((view.descriptors @ self._vectors[i]).max()) > SAME_THING
            for i, one in enumerate(self._kept)
        )

    def contradictions(self) -> list[tuple[Exemplar, list[Exemplar]]]:
        """Return each doubted exemplar with those of another text that it looks like, the likest first."""
        pairs = []
        for i in np.flatnonzero(self._doubted()):
            mine = self._kept[i]
            near = [
                (float(self._alike[i, j]), j)
                for j, one in enumerate(self._kept)
                if one.outline == mine.outline and one.bag != mine.bag and self._alike[i, j] > USUAL_LIKENESS
            ]
            pairs.append((mine, [self._kept[j] for _, j in sorted(near, reverse=True)]))
        return pairs

    def _of(self, outline: int) -> "_Outline":
        """Return the exemplars of one outline."""
        if outline not in self._known:
            places = [i for i, one in enumerate(self._kept) if one.outline == outline]
            self._known[outline] = _Outline(places, [self._kept[i] for i in places], self._vectors[places])
        return self._known[outline]

    def _doubted(self) -> Mask:
        """Return which exemplars contradict the others: (n,)."""
        if self._contradicting is None:
            self._contradicting = _contradicting(self._kept, self._alike)
        return self._contradicting

    def _changed(self) -> None:
        """Forget what was worked out from other exemplars than these."""
        self._known, self._contradicting = {}, None

    def _keep(self, wanted: Mask) -> None:
        self._kept = [one for one, stays in zip(self._kept, wanted, strict=True) if stays]
        self._vectors, self._alike = self._vectors[wanted], self._alike[wanted][:, wanted]
        self._changed()


class _Outline:
    """The exemplars of one outline.

    Args:
        places: their places among all exemplars.
        kept: these exemplars.
        vectors: their descriptors, (n, `DESCRIPTOR_LENGTH`).
    """

    def __init__(self, places: Sequence[int], kept: Sequence[Exemplar], vectors: Vectors) -> None:
        self.places = places
        self.kept = kept
        self.vectors = vectors
        number = Counter(one.bag for one in kept if one.bag != NOTHING)
        # what all faces have in common is a sum of the exemplars, in which each text counts as much as any other
        common = [1 / number[one.bag] / (len(number) + FEW_TEXTS) if one.bag in number else 0.0 for one in kept]
        self._common = np.array(common if len(number) >= LEAST_TEXTS else np.zeros(len(kept)), np.float32)

    def nearest(self, *parts: tuple[Vectors, Vectors]) -> Vectors:
        """Return how alike a face is to each exemplar in its best rotation, without what all faces have in common.

        ``parts``: the face, (rotations, width), and the exemplars, (n, width), by each net that saw them: their
        descriptors count as one, joined end to end.
        """
        products: Vectors = np.zeros((len(parts[0][0]), len(self.kept)), np.float32)
        squares: Vectors = np.zeros(len(self.kept), np.float32)
        face: Vectors = np.zeros(len(parts[0][0]), np.float32)
        for seen, vectors in parts:
            common = self._common @ vectors
            own = seen - common
            products += own @ vectors.T - (own @ common)[:, None]
            squares += np.einsum("ij,ij->i", vectors, vectors) - 2 * (vectors @ common) + common @ common
            face += np.einsum("ij,ij->i", own, own)
        lengths = np.sqrt(np.maximum(face, SHORTEST_DESCRIPTOR**2))[:, None] * np.sqrt(
            np.maximum(squares, SHORTEST_DESCRIPTOR**2)
        )
        return np.asarray((products / lengths).max(axis=0), np.float32)


def _all_but_one(kept: Sequence[Exemplar], among: Mask) -> Mask:
    """Return which exemplars stay: the oldest of those that may go goes; one that a person named, after the others."""
    places = [int(i) for i in np.flatnonzero(among)]
    gone = next((i for i in places if not kept[i].named), places[0])
    stays: Mask = np.arange(len(kept)) != gone
    return stays


def _contradicting(kept: Sequence[Exemplar], cosines: Vectors) -> Mask:
    """Return which exemplars contradict the others, so that their text is probably wrong.

    The worst one is set aside first, because it also makes those look wrong that it contradicts. Where two contradict
    each other and nothing else is known, both are set aside until a third one decides.
    """
    doubted = np.zeros(len(kept), np.bool_)
    if not kept:
        return doubted
    alike = np.arctanh(np.clip(cosines, 0.0, 0.995))
    np.fill_diagonal(alike, 0.0)
    outline = np.array([one.outline for one in kept])
    bags = np.unique([one.bag for one in kept], return_inverse=True)[1]
    # dice that differ in their upper mark alone are much alike as a whole, and contradict nothing
    same_outline = (outline[:, None] == outline[None]) & (outline != WHOLE_OUTLINE)
    same = same_outline & (bags[:, None] == bags[None])
    rival = same_outline & ~same
    usual = float(np.arctanh(USUAL_LIKENESS))
    while True:
        there = ~doubted
        own = np.maximum(np.where(same & there[None], alike, 0.0).max(axis=1), usual)
        other = np.where(rival & there[None], alike, 0.0).max(axis=1)
        excess = np.where(there, other - own, -np.inf)
        if excess.max() <= DOUBTED_MARGIN:
            return doubted
        doubted |= excess >= excess.max() - EQUAL_WITHIN

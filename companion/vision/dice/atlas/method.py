"""The two methods to count a die that no net has to know: by its whole surface, or by its upper face."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final, Protocol

import numpy as np

from companion.rules.dice import DiceSet
from companion.rules.die import Die
from companion.vision.dice.atlas.facets import SHAPES
from companion.vision.dice.atlas.place import NoSpotError, Place
from companion.vision.dice.atlas.throws import BEGINS, SolidThrows, cuts_of
from companion.vision.dice.faces import FaceReader
from companion.vision.dice.groups.course import Course, Row
from companion.vision.dice.groups.crops import Cropper, NoCropError
from companion.vision.dice.groups.named import Verdict
from companion.vision.dice.nets import settings
from companion.vision.readings import Image

NotCut = NoCropError | NoSpotError
"""Why a throw cannot be cut out; ``seen`` says whether anything lies there."""


GUESSED: Final = 0.3
"""A person is offered what the general reader says if it is so likely, on average over the views."""


MOSTLY: Final = 0.75
"""The share of the first throws in which one thing moves, and in which the general reader finds it."""


class Sorted(Protocol):
    """The throws of one die in rows that a person names once; further throws are then counted one by one."""

    rows: list[Row]
    verdicts: list[Verdict]
    separation: dict[str, dict[str, int]]

    def picture(self, one: Any, /) -> Image:
        """Return a throw as a person sees it."""

    def name(self, names: Mapping[int, str]) -> None:
        """Take the names of rows, by their places."""

    def read(self, one: Any, /) -> Verdict:
        """Return what a further throw shows."""

    def likes(self, cuts: Sequence[Any], numbers: Sequence[int]) -> list[tuple[int, ...]]:
        """Return doubtful throws in rows of likes."""


class Method(Protocol):
    """Cuts the throws of one die out of pictures, and sorts them."""

    def cuts(self, images: Iterator[Image]) -> Iterator[tuple[Image, Any]]:
        """Yield each picture with what was cut out of it, or with a `NotCut`."""

    def sort(self, cuts: Sequence[Any]) -> Sorted:
        """Return the throws in rows."""


class ByUpperFace:
    """Compares the upper faces that the general reader finds."""

    def __init__(self, dice: DiceSet, die: Die) -> None:
        self._cropper = Cropper(dice, die.name)
        self._faces = len(die.faces)

    def cuts(self, images: Iterator[Image]) -> Iterator[tuple[Image, Any]]:
        """Yield each picture with its crop, or with why there is none."""
        for image in images:
            try:
                yield image, self._cropper.crop(image)
            except NoCropError as why:
                yield image, why

    def sort(self, cuts: Sequence[Any]) -> Sorted:
        """Return the throws in rows."""
        return Course(cuts, self._faces)


class ByWhatMoves:
    """Compares upper faces where the general reader finds the thing that moves, else the whole surface of a solid.

    Under a camera that looks from the side, the general reader takes a turntable, a cable or a print for the die.
    """

    def __init__(self, dice: DiceSet, die: Die) -> None:
        self._dice, self._die = dice, die
        self._by_upper_face: ByUpperFace | None = None

    def cuts(self, images: Iterator[Image]) -> Iterator[tuple[Image, Any]]:
        """Yield each picture with its cut, or with why there is none; the first `BEGINS` come together."""
        first = list(islice(images, BEGINS))
        place = self._missed(first)
        every = chain(first, images)
        if place is not None:
            yield from cuts_of(every, place)
        else:
            self._by_upper_face = ByUpperFace(self._dice, self._die)
            yield from self._by_upper_face.cuts(every)

    def sort(self, cuts: Sequence[Any]) -> Sorted:
        """Return the throws in rows."""
        if self._by_upper_face is not None:
            return self._by_upper_face.sort(cuts)
        return SolidThrows(cuts, self._die, self._guess)

    def _missed(self, first: Sequence[Image]) -> Place | None:
        """Return the empty place if one thing moves in nearly all pictures, and the general reader mostly misses it."""
        if len(first) < BEGINS:
            return None
        try:
            place = Place(first)
        except NoSpotError:
            return None
        reader = Cropper(self._dice, self._die.name)
        found = moved = 0
        for image in first:
            try:
                spot = place.spot(image)
            except NoSpotError:
                continue
            moved += 1
            dice = [np.mean(die.polygon, axis=0) for die in reader.read(image).dice if die.status != "ignored"]
            found += len(dice) == 1 and float(np.hypot(*(dice[0] - [spot.x, spot.y]))) < spot.radius
        return place if moved >= MOSTLY * len(first) and found < MOSTLY * moved else None

    def _guess(self, views: Sequence[Sequence[Image]]) -> str | None:
        """Return what the general reader takes a face for that is seen in several views; None if it is not sure."""
        reader = FaceReader(self._dice, settings().temperature)
        chances = reader.upper(views).texts.mean(axis=0)
        best = int(chances.argmax())
        return reader.texts.upper[best][1] if chances[best] >= GUESSED else None


def method_for(dice: DiceSet, die: Die) -> Method:
    """Return how this die is counted."""
    return ByWhatMoves(dice, die) if die.shape in SHAPES else ByUpperFace(dice, die)

"""The two ways to count a die that no net has to know, by one interface: by its whole surface, or by its upper face."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final, Protocol

import numpy as np

from companion.rules.dice import DiceSet
from companion.rules.die import Die
from companion.vision.dice.atlas.facets import SHAPES
from companion.vision.dice.atlas.place import NoSpotError, Place
from companion.vision.dice.atlas.throws import BEGINS, DieCutter, SolidThrows
from companion.vision.dice.faces import FaceReader
from companion.vision.dice.groups.course import Course, Row
from companion.vision.dice.groups.crops import Cropper, NoCropError
from companion.vision.dice.groups.named import Verdict
from companion.vision.dice.marks import UnknownMarkError
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

    def picture(self, number: int) -> Image:
        """Return the picture of a throw that a person sees."""

    def name(self, names: Mapping[int, str]) -> None:
        """Take the names of rows, by their places."""

    def read(self, one: Any, /) -> Verdict:
        """Return what a further throw shows."""

    def likes(self, cuts: Sequence[Any], numbers: Sequence[int]) -> list[tuple[int, ...]]:
        """Return doubtful throws in rows of likes."""


class Way(Protocol):
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


class ByWholeSurface:
    """Compares the whole visible surface: many faces of a solid of `SHAPES` are seen at once."""

    def __init__(self, dice: DiceSet, die: Die) -> None:
        self._dice, self._die = dice, die

    def cuts(self, images: Iterator[Image]) -> Iterator[tuple[Image, Any]]:
        """Yield each picture with its cut, or with why there is none."""
        return DieCutter().cuts(images)

    def sort(self, cuts: Sequence[Any]) -> Sorted:
        """Return the throws in rows."""
        return SolidThrows(cuts, self._die, self._guess)

    def _guess(self, views: Sequence[Sequence[Image]]) -> str | None:
        """Return what the general reader takes a face for that is seen in several views; None if it is not sure."""
        try:
            reader = FaceReader(self._dice, settings().temperature)
        except UnknownMarkError:
            return None
        if not views:
            return None
        chances = reader.upper(views).texts.mean(axis=0)
        best = int(chances.argmax())
        return reader.texts.upper[best][1] if chances[best] >= GUESSED else None


class ByWhatMoves:
    """Compares upper faces where the general reader finds the thing that moves, else the whole surface.

    Under a camera that looks from the side, the general reader takes a turntable, a cable or a print for the die.
    """

    def __init__(self, dice: DiceSet, die: Die) -> None:
        self._dice, self._die = dice, die
        self._chosen: Way = ByUpperFace(dice, die)

    def cuts(self, images: Iterator[Image]) -> Iterator[tuple[Image, Any]]:
        """Yield each picture with its cut, or with why there is none; the first `BEGINS` come together."""
        first = list(islice(images, BEGINS))
        if len(first) == BEGINS and self._misses(first):
            self._chosen = ByWholeSurface(self._dice, self._die)
        yield from self._chosen.cuts(chain(first, images))

    def sort(self, cuts: Sequence[Any]) -> Sorted:
        """Return the throws in rows."""
        return self._chosen.sort(cuts)

    def _misses(self, first: Sequence[Image]) -> bool:
        """Whether one thing moves in nearly all pictures, and the general reader mostly does not find it."""
        learnt, cropper = Place(first), Cropper(self._dice, self._die.name)
        found = moved = 0
        for image in first:
            try:
                spot = learnt.spot(image)
            except NoSpotError:
                continue
            moved += 1
            dice = [np.mean(die.polygon, axis=0) for die in cropper.read(image).dice if die.status != "ignored"]
            found += len(dice) == 1 and float(np.hypot(*(dice[0] - [spot.x, spot.y]))) < spot.radius
        return moved >= MOSTLY * len(first) and found < MOSTLY * moved


def way_of(dice: DiceSet, die: Die) -> Way:
    """Return how this die is counted."""
    return ByWhatMoves(dice, die) if die.shape in SHAPES else ByUpperFace(dice, die)

"""The two methods to count a die that no net has to know: by its whole surface, or by its upper face."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np

from companion.language.sentence import Sentence
from companion.rules.dice import DiceSet
from companion.rules.die import Die
from companion.vision.dice.atlas.facets import SHAPES
from companion.vision.dice.atlas.place import EmptyPlace, NoSpotError
from companion.vision.dice.atlas.throws import FIRST_PICTURES, Cutter, DieCut, SolidThrows
from companion.vision.dice.faces import FaceReader
from companion.vision.dice.geometry import Points
from companion.vision.dice.groups.course import GroupingCourse, ThrowRow
from companion.vision.dice.groups.crops import Crop, Cropper, NoCropError
from companion.vision.dice.groups.named import Verdict
from companion.vision.dice.nets import settings
from companion.vision.readings import Image

NotCut = NoCropError | NoSpotError
"""Why a throw cannot be cut out; ``seen`` says whether anything lies there."""


LEAST_GUESS_CHANCE: Final = 0.3
"""A person is offered what the general reader says if it is so likely, on average over the views."""


MOST_THROWS_SHARE: Final = 0.75
"""The share of the first throws in which one thing moves, and in which the general reader finds it."""


class Sorted(Protocol):
    """The throws of one die in rows that a person names once; further throws are then counted one by one."""

    rows: list[ThrowRow]
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
    """Cuts the throws of one die out of pictures."""

    def see(self, image: Image) -> list[tuple[Image, Any]]:
        """Take the picture of a throw; return each picture that is settled by now, with its cut or with a `NotCut`."""

    def rest(self) -> list[tuple[Image, Any]]:
        """Return the pictures that are not settled yet, after the last throw."""


class ByUpperFace:
    """Compares the upper faces that the general reader finds."""

    def __init__(self, cropper: Cropper) -> None:
        self._cropper = cropper

    def see(self, image: Image) -> list[tuple[Image, Crop | NoCropError]]:
        """Return the picture with its crop, or with why there is none."""
        try:
            return [(image, self._cropper.crop(image))]
        except NoCropError as why:
            return [(image, why)]

    def rest(self) -> list[tuple[Image, Any]]:
        """Return nothing: every picture is settled at once."""
        return []


class ByWhatMoves:
    """Compares upper faces where the general reader finds the thing that moves, else the whole surface of a solid.

    Under a camera that looks from the side, the general reader takes a turntable, a cable or a print for the die.

    Args:
        cropper: cuts out the upper faces of the die, whose shape is one of `facets.SHAPES`.
        surface: whether its whole surface is compared, where earlier throws have settled that.
    """

    def __init__(self, cropper: Cropper, *, surface: bool | None = None) -> None:
        self._cropper, self._surface = cropper, surface
        self._waiting: list[Image] = []
        self._found: list[list[Points]] = []  # the outlines that the general reader finds in each of them
        self._cutter: Cutter | None = None
        self._by_upper_face = ByUpperFace(self._cropper) if surface is False else None

    @property
    def waiting(self) -> int:
        """How many pictures wait until the method is chosen and the empty place is known."""
        return len(self._waiting)

    @property
    def by_surface(self) -> bool | None:
        """Whether the whole surface is compared; None while that is not settled."""
        return True if self._cutter is not None else None if self._by_upper_face is None else False

    def see(self, image: Image) -> list[tuple[Image, Any]]:
        """Take the picture of a throw; the first `FIRST_PICTURES` are settled together."""
        if self._cutter is not None:
            return [(image, self._cutter.cut(image))]
        if self._by_upper_face is not None:
            return self._by_upper_face.see(image)
        self._waiting.append(image)
        if not self._surface:  # read one by one: so many at once would keep a person waiting
            dice = self._cropper.read(image).dice
            self._found.append([np.array(die.polygon) for die in dice if die.status != "ignored"])
        return [] if len(self._waiting) < FIRST_PICTURES else self._settle()

    def rest(self) -> list[tuple[Image, Any]]:
        """Settle the pictures that wait, which are too few for the empty place, by their upper faces."""
        self._by_upper_face = self._by_upper_face or ByUpperFace(self._cropper)
        waiting, self._waiting = self._waiting, []
        return [one for image in waiting for one in self._by_upper_face.see(image)]

    def _settle(self) -> list[tuple[Image, Any]]:
        place = self._missed()
        if place is None:
            if self._surface:  # the camera was moved in between, or a hand was in the way
                gone = NoSpotError(Sentence("The empty place is not known yet: throw on without moving the camera."))
                return [(self._waiting.pop(0), gone)]
            return self.rest()
        self._cutter = Cutter(place)
        waiting, self._waiting = self._waiting, []
        return [(image, self._cutter.cut(image)) for image in waiting]

    def _missed(self) -> EmptyPlace | None:
        """Return the empty place if one thing moves in nearly all pictures, and the general reader mostly misses it."""
        try:
            place = EmptyPlace(self._waiting)
        except NoSpotError:
            return None
        if self._surface:
            return place
        found = moved = empty = 0
        for image, outlines in zip(self._waiting, self._found, strict=True):
            try:
                spot = place.spot(image)
            except NoSpotError as why:
                empty += not why.seen
                continue
            moved += 1
            middles = [outline.mean(axis=0) - [spot.x, spot.y] for outline in outlines]
            found += len(middles) == 1 and float(np.hypot(*middles[0])) < spot.radius
        there = max(
            FIRST_PICTURES - empty, FIRST_PICTURES // 2
        )  # a camera sees the empty table between two throws, too
        return place if moved >= MOST_THROWS_SHARE * there and found < MOST_THROWS_SHARE * moved else None


def sorted_throws(cuts: Sequence[Any], dice: DiceSet, die: Die, faces: int) -> Sorted:
    """Return the throws of a die in rows, by what was cut out of their pictures.

    ``faces``: how many different faces the die has.

    Raises:
        TooFewThrowsError: there are too few of them.
    """
    if cuts and isinstance(cuts[0], DieCut):
        return SolidThrows(cuts, die, lambda views: _guess(dice, views))
    return GroupingCourse(cuts, faces)


def _guess(dice: DiceSet, views: Sequence[Sequence[Image]]) -> str | None:
    """Return what the general reader takes a face for that is seen in several views; None if it is not sure."""
    reader = FaceReader(dice, settings().temperature)
    chances = reader.upper(views).texts.mean(axis=0)
    best = int(chances.argmax())
    return reader.texts.upper[best][1] if chances[best] >= LEAST_GUESS_CHANCE else None


def cuts_of(method: Method, images: Iterable[Image]) -> Iterator[tuple[Image, Any]]:
    """Yield each picture of a throw with its cut, or with a `NotCut`."""
    for image in images:
        yield from method.see(image)
    yield from method.rest()


def method_for(dice: DiceSet, die: Die, *, surface: bool | None = None) -> Method:
    """Return how this die is counted. ``surface``: as for `ByWhatMoves`."""
    cropper = Cropper(dice, die.name)
    return ByWhatMoves(cropper, surface=surface) if die.shape in SHAPES else ByUpperFace(cropper)

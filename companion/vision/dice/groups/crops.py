"""The upper face of the one die in a picture, cut out straight with the faces around it, and what the net saw of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from companion.rules.dice import DiceSet
from companion.vision.dice.faces import Vectors
from companion.vision.dice.geometry import Points, clockwise, mapping
from companion.vision.dice.memory.glimpses import UpperGlimpse
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.nets import Nets
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import DiceReading, Image, ReadDie

CROP_PIXELS: Final = 160
"""Height and width of a crop in pixels."""

CROP_REACH: Final = 1.6
"""How far a crop reaches from the middle of the face, in distances from the middle to a corner: the faces around the
upper one are seen too, and tell which face lies up where its own marks are hardly legible."""


@dataclass(frozen=True, eq=False)
class Crop:
    """One throw of the die.

    ``picture``: `CROP_PIXELS` x `CROP_PIXELS` BGR, the face in the middle; ``descriptors``: of the face in all its
    rotations, (corners, `DESCRIBED`); ``guess``: what the general reader takes it for, likeliest first; ``outline``:
    the corners of the face in the whole picture, (corners, 2), in pixels; empty for a throw that was kept without them.
    """

    picture: Image
    descriptors: Vectors
    guess: tuple[tuple[str, float], ...]
    outline: Points = field(default_factory=lambda: np.zeros((0, 2)))


class NoCropError(ValueError):
    """There is not exactly one die in a picture whose upper face can be cut out; the text is one sentence.

    ``seen``: dice are seen all the same.
    """

    def __init__(self, sentence: str, *, seen: bool) -> None:
        super().__init__(sentence)
        self.seen = seen


class Cropper:
    """Cuts the upper face of one die out of each picture. It learns where the table's upright points; for one thread.

    Args:
        dice: the set of the one die. Its shape matters; its marks only lead to the guesses.
        die: the name of the die in the set; by default any of them.
    """

    def __init__(self, dice: DiceSet, die: str | None = None, *, nets: Nets | None = None) -> None:
        self._memory = TableMemory()
        self._reader = DiceReader(
            dice,
            None if die is None or dice.alike else (die,),
            # a die with marks of its own need not look like one of the set
            likely=lambda _: True,
            memory=self._memory,
            nets=nets,
        )

    def read(self, image: Image) -> DiceReading:
        """Return what the general reader takes the dice in a BGR picture for; `cut` then cuts them out of it."""
        return self._reader.read(image)

    def cut(self, image: Image, die: ReadDie) -> Crop | None:
        """Return the crop of a die of the last reading; None if only its sides are seen."""
        glimpse = _glimpse(die, [one for one in self._reader.glimpses if isinstance(one, UpperGlimpse)])
        if glimpse is None:
            return None
        if glimpse.lying is not None:
            self._memory.see(glimpse.lying)
        return Crop(straight(image, glimpse.polygon), glimpse.view.descriptors, die.candidates, glimpse.polygon)

    def crop(self, image: Image) -> Crop:
        """Return the crop of the one die in a BGR picture.

        Raises:
            NoCropError: there is no die, there are several, or its upper face is not seen.
        """
        dice = [die for die in self.read(image).dice if die.status != "ignored"]
        if len(dice) != 1:
            raise NoCropError(f"Expected one die in the picture, but found {len(dice) or 'none'}.", seen=bool(dice))
        crop = self.cut(image, dice[0])
        if crop is None:
            raise NoCropError("Expected a die whose upper face is seen, but it shows only sides.", seen=True)
        return crop


def _glimpse(die: ReadDie, glimpses: Sequence[UpperGlimpse]) -> UpperGlimpse | None:
    middle = np.array(die.polygon).mean(axis=0)
    return min(
        (one for one in glimpses if len(one.polygon) == len(die.polygon)),
        key=lambda one: float(np.linalg.norm(one.polygon.mean(axis=0) - middle)),
        default=None,
    )


def straight(image: Image, corners: Points) -> Image:
    """Return a face as seen from straight above, with what lies around it, `CROP_PIXELS` x `CROP_PIXELS` BGR."""
    warp = straightening(corners)
    cut = cv2.warpPerspective(
        image, warp, (CROP_PIXELS, CROP_PIXELS), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def straightening(corners: Points) -> Points:
    """Return the mapping (3, 3) from the picture to the crop of a face with these corners.

    A kite and a square keep their shape: only their size, their place and their rotation change.
    """
    number = len(corners)
    source = clockwise(corners)
    if number == 4:  # noqa: PLR2004 (a square, or a kite, which is not regular)
        middle = source.mean(axis=0)
        away = float(np.linalg.norm(source - middle, axis=1).mean())
        goal = (source - middle) / (away * CROP_REACH)
    else:
        angles = 2 * np.pi * np.arange(number) / number - np.pi / 2
        goal = np.column_stack([np.cos(angles), np.sin(angles)]) / CROP_REACH
    return np.asarray(mapping(source, (goal / 2 + 0.5) * CROP_PIXELS - 0.5))

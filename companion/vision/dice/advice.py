"""Advise where to put the camera: the nets find the dice of one picture, measured figures say whether they suffice."""

from dataclasses import replace

from companion.rules.dice import DiceSet
from companion.vision.dice.corners import Corners
from companion.vision.dice.legibility import Legibility, judge
from companion.vision.dice.locate import Locator
from companion.vision.dice.reader import DiceReader
from companion.vision.mirrored import MIRRORED, only_turned_back
from companion.vision.readings import Image, readable


def advise(image: Image, dice: DiceSet, *, handed: bool = False) -> Legibility:
    """Find the dice in a BGR picture and return their legibility with advice.

    ``handed``: the tetrahedron's handedness is known, so two of its sides are enough.

    Raises:
        WeightsError: the nets' files cannot be read.
    """
    found = Corners().correct(image, Locator().find(image))
    tetrahedra = [(one.base, one.apex) for one in found.tetrahedra]
    told = judge(dice, [face.corners for face in found.faces], tetrahedra, handed=handed)
    read = DiceReader(dice).read if told.dice and readable(dice) else None
    if read is None or not only_turned_back(image, read(image), read):
        return told
    return replace(told, advice=(MIRRORED, *(told.advice if not told.good else ())), good=False)

"""Advise where to put the camera: the nets find the dice of one picture, measured figures say whether they suffice."""

from companion.rules.dice import DiceSet
from companion.vision.dice.corners import Corners
from companion.vision.dice.legibility import Legibility, judge
from companion.vision.dice.locate import Locator
from companion.vision.readings import Image


def advise(image: Image, dice: DiceSet, *, handed: bool = False) -> Legibility:
    """Find the dice in a BGR picture and return their legibility with advice.

    ``handed``: the tetrahedron's handedness is known, so two of its sides are enough.

    Raises:
        WeightsError: the nets' files cannot be read.
    """
    found = Corners().correct(image, Locator().find(image))
    tetrahedra = [(one.base, one.apex) for one in found.tetrahedra]
    return judge(dice, [face.corners for face in found.faces], tetrahedra, handed=handed)

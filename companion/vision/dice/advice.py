"""Whether the dice of one picture can be read from where the camera stands: the nets find them, figures judge."""

from companion.rules.dice import DiceSet
from companion.vision.dice.corners import Corners
from companion.vision.dice.legibility import Legibility, judge
from companion.vision.dice.locate import Locator
from companion.vision.readings import Image


def advise(image: Image, dice: DiceSet, *, handed: bool = False) -> Legibility:
    """Find the dice in a BGR picture and return how well they can be read, with advice.

    ``handed``: the tetrahedron's handedness is known, so that two of its sides are enough.

    Raises:
        WeightsError: the nets cannot be read.
    """
    found = Corners().correct(image, Locator().find(image))
    tetrahedra = [(one.base, one.apex) for one in found.tetrahedra]
    return judge(dice, [face.corners for face in found.faces], tetrahedra, handed=handed)

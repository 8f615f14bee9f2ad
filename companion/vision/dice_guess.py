"""Which set the dice in a picture are of, guessed by reading them as each: for a person who may choose another."""

from collections.abc import Iterable

from companion.rules.dice import dice_set
from companion.vision.dice.nets import Nets
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import Image


def guess_dice(image: Image, names: Iterable[str]) -> str | None:
    """Return the set, of these ``names``, as which most dice of a BGR picture are read for certain.

    Of sets as which equally many are read, the one that leaves fewer in doubt, then the first. None if no die is read
    as any of them: a doubtful die shows marks that several sets have.

    Raises:
        WeightsError: the nets' files cannot be read.
    """
    nets, best, most = Nets(), None, (0, 0)
    for name in names:
        dice = DiceReader(dice_set(name), nets=nets).read(image).dice
        read = sum(die.status == "read" for die in dice)
        found = (read, -sum(die.status == "ask" for die in dice))
        if read and (best is None or found > most):
            best, most = name, found
    return best

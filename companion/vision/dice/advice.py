"""Advise where to put the camera: the nets find the dice of one picture, measured figures say whether they suffice."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.language.sentence import Sentence
from companion.rules.dice import DiceSet
from companion.vision.dice.corners import Corners
from companion.vision.dice.geometry import Points, edge_length
from companion.vision.dice.legibility import SLANT, Legibility, judge
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
    if readable(dice) and all(die.shape in SLANT for die in dice.dice):
        legibility = judge(dice, _seen(image, DiceReader(dice)), [])  # only their reader tells which of the faces is up
        if not legibility.dice and (things := _seen(image, DiceReader(dice, likely=lambda _: True))):
            return replace(legibility, advice=(_doubtful(things),))
    else:
        found = Corners().correct(image, Locator().find(image))
        tetrahedra = [(one.base, one.apex) for one in found.tetrahedra]
        legibility = judge(dice, [face.corners for face in found.faces], tetrahedra, handed=handed)
    read = DiceReader(dice).read if legibility.dice and readable(dice) else None
    if read is None or not only_turned_back(image, read(image), read):
        return legibility
    return replace(legibility, advice=(MIRRORED, *(legibility.advice if not legibility.good else ())), good=False)


def _seen(image: Image, reader: DiceReader) -> list[Points]:
    return [np.array(die.polygon) for die in reader.read(image).dice if die.status != "ignored"]


def _doubtful(things: Sequence[Points]) -> Sentence:
    return Sentence(
        "Something that may be a die is seen, with an edge of {have} pixels, but no upper face of this set: look from "
        "straight above, on even ground and in even light.",
        have=round(min(map(edge_length, things))),
    )

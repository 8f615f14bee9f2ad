"""Problems met in games of virtues: how many faces of the tetrahedron win with the cubes that lie."""

import random
from collections.abc import Iterator
from typing import Final

from companion.rules.dice import Throw, all_throws, dice_set
from companion.rules.game import Position
from companion.rules.ludus_regularis.rulings import CUBES
from workshop.problems.found import Found

NO_FACE: Final = 0.3
"""The share of those throws of Ludus Regularis that no face can win which make a problem; most cannot be won."""


def find(position: Position, chance: random.Random) -> Iterator[Found]:
    """Yield a problem of Ludus Regularis: how many faces of the tetrahedron win with the cubes that lie."""
    dice = dice_set("wibold")
    cubes = chance.choice(all_throws("wibold", CUBES))
    (last,) = (die for die in dice.dice if die.name not in CUBES)
    faces = [face.text for face in last.faces]
    throws = [Throw.of("wibold", {**dict(cubes.shown), last.name: face}) for face in faces]
    wins = sum(position.account(throw).details["result"] == "acquired" for throw in throws)
    if not wins and chance.random() > NO_FACE:
        return
    yield Found(
        "odds", position, ((str(wins),),), 1 / (len(faces) + 1), shows=cubes.shown, chances=(wins / len(faces),)
    )

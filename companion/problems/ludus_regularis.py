"""Problems of Ludus Regularis: how many faces of the tetrahedron win with the cubes that lie."""

import random
from collections.abc import Iterator
from typing import Final

from companion.language.sentence import Listing, Sentence
from companion.lessons.study import Studied
from companion.problems.found import Found
from companion.problems.problem import Problem
from companion.rules.dice import Throw, all_throws, dice_set
from companion.rules.game import Position
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.ludus_regularis.rulings import CUBES

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


def idea(problem: Problem) -> Sentence:
    """Return which virtue the cubes point to, and whether it is free."""
    virtue, taken = _virtue(problem)
    if taken:
        return Sentence("The cubes lie: the lot of {virtue}. Somebody has this virtue already.", virtue=virtue)
    return Sentence("The cubes lie: the lot of {virtue}. This virtue is free.", virtue=virtue)


def why(problem: Problem, studied: Studied) -> Sentence:
    """Return which faces win, or what stands in the way."""
    del studied
    virtue, taken = _virtue(problem)
    if taken:
        return Sentence("A virtue stays with its owner: nobody can acquire {virtue} now.", virtue=virtue)
    account = problem.asked.account
    throws = _throws(problem)
    faces = [throw.shown[-1][1] for throw in throws if account(throw).details["result"] == "acquired"]
    if faces:
        return Sentence("All its vowels lie, and {faces} have one of its consonants.", faces=Listing(faces))
    return Sentence("A vowel of its name is missing on the cubes, so no face acquires {virtue}.", virtue=virtue)


def _virtue(problem: Problem) -> tuple[Sentence, bool]:
    position = problem.asked
    assert isinstance(position, LudusPosition), "a game of virtues"
    virtue = position.effect(_throws(problem)[0]).meant[0]
    return virtue.called, bool(position.holder(virtue))


def _throws(problem: Problem) -> list[Throw]:
    """Return the throws that the cubes and each face of the tetrahedron make."""
    dice = dice_set("wibold")
    (last,) = (die for die in dice.dice if die.name not in problem.shows)
    return [Throw.of(dice.name, {**problem.shows, last.name: face.text}) for face in last.faces]

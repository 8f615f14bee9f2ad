"""Problems of Ludus Regularis: how many faces of the tetrahedron win with the cubes that lie."""

from companion.language.sentence import Listing, Sentence
from companion.lessons.study import Studied
from companion.problems.problem import Problem
from companion.rules.dice import Throw, dice_set
from companion.rules.ludus_regularis.position import LudusPosition


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

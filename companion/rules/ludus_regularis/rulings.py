"""How to judge a throw: the virtue of its lot, whether letters and consonant suffice, and how often they do."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal

from companion.rules.dice import Throw, all_throws, dice_set
from companion.rules.ludus_regularis.virtues import Virtue, by_lot, lacking, lot_of, of_sum, virtues
from companion.rules.options import OptionValue

Result = Literal["acquired", "held", "letters", "consonant", "recast", "missed"]
"""What a throw results in; ``missed`` is a second cast without the missing letter."""

CUBES = ("1", "2", "3")
CONSONANTS = "consonants"
POINTER = "pointer"


@dataclass(frozen=True)
class RuleSet:
    """The chosen interpretation of the two open letter rules, see ``options.toml``."""

    initial_too: bool = False
    replaced: bool = False

    @classmethod
    def of(cls, options: Mapping[str, OptionValue]) -> "RuleSet":
        """Return the interpretation that the options of a game choose; the sum game has no such options."""
        return cls(options.get("iustitia") == "vowel", options.get("second_cast") == "replaced")


@dataclass(frozen=True)
class ThrowFit:
    """How one throw fits the virtue that its lot points to; ``missing`` are the vowels that the cubes lack."""

    virtue: Virtue
    missing: str
    face: str

    @property
    def fits(self) -> bool:
        """Whether the hidden face holds one of the virtue's consonants."""
        return self.face in self.virtue.winning_faces

    @property
    def wins(self) -> bool:
        """Whether the throw acquires the virtue if it is free."""
        return self.fits and not self.missing

    @property
    def recast(self) -> bool:
        """Whether one cube may be thrown again for it, if it is free."""
        return self.virtue.second_cast and self.fits and bool(self.missing)


@dataclass(frozen=True)
class Effect:
    """What a throw does in a position: the virtues that it points to and those of them that it wins.

    ``judged`` is None in games without letters.
    """

    result: Result
    meant: tuple[Virtue, ...]
    won: tuple[Virtue, ...]
    judged: ThrowFit | None


@cache
def judge(throw: Throw, rule_set: RuleSet) -> ThrowFit:
    """Judge a throw of three cubes and the tetrahedron (P&O, Game Play, conditions 1 to 3)."""
    faces = {die.name: face for die, face in throw}
    virtue = by_lot()[lot_of(faces[name].value for name in CUBES)]
    letters = "".join(faces[name].text for name in CUBES)
    asked = virtue.vowels(initial_too=rule_set.initial_too)
    return ThrowFit(virtue, lacking(asked, letters), faces[CONSONANTS].text)


@cache
def judge_second(first: Throw, second: Throw, rule_set: RuleSet) -> ThrowFit:
    """Judge the second cast of one cube after a first throw that allowed it; virtue and consonant stay the same."""
    virtue = judge(first, rule_set).virtue
    kept = "".join(
        face
        for name, face in first.shown
        if name in CUBES and not (rule_set.replaced and second.face(name) is not None)
    )
    asked = virtue.vowels(initial_too=rule_set.initial_too)
    return ThrowFit(virtue, lacking(asked, kept + str(second)), first.face(CONSONANTS) or "")


def total_of(throw: Throw) -> int:
    """Return the sum that three cubes show, by letters or by pips."""
    return sum(face.value for _, face in throw)


def pointed_at(throw: Throw) -> Virtue:
    """Return the virtue at which the pointer of Colvener's wheel stopped."""
    return by_lot()[throw.face(POINTER) or ""]


def winning_second_faces(first: Throw, rule_set: RuleSet) -> dict[str, tuple[str, ...]]:
    """Return, for each cube, the faces that would win on its second cast."""
    dice = dice_set(first.set_name)
    return {
        name: tuple(
            face.text
            for face in dice.die(name).faces
            if judge_second(first, Throw(first.set_name, ((name, face.text),)), rule_set).wins
        )
        for name in CUBES
    }


def whole_throws() -> tuple[Throw, ...]:
    """Return the 864 throws of the whole game; the last die varies fastest."""
    return all_throws("wibold", tuple(die.name for die in dice_set("wibold").dice))


@cache
def weights(rule_set: RuleSet) -> tuple[int, ...]:
    """Return how many of the 864 throws acquire each virtue if the best cube is cast again (P&O, Table 3)."""
    found = [Fraction(0)] * len(virtues())
    for throw in whole_throws():
        judged = judge(throw, rule_set)
        if judged.wins:
            found[judged.virtue.index] += 1
        elif judged.recast:
            faces = winning_second_faces(throw, rule_set)
            sides = {name: len(dice_set(throw.set_name).die(name).faces) for name in CUBES}
            found[judged.virtue.index] += max(Fraction(len(faces[name]), sides[name]) for name in CUBES)
    assert all(weight.denominator == 1 for weight in found), "the exact odds rest on whole weights"
    return tuple(int(weight) for weight in found)


@cache
def sum_weights() -> dict[int, int]:
    """Return in how many of the 216 ways three cubes show each sum (P&O, Table 4)."""
    values = [[face.value for face in dice_set("wibold").die(name).faces] for name in CUBES]
    counted = {total: 0 for total in range(3, 19) if of_sum(total)}
    for shown in product(*values):
        counted[sum(shown)] += 1
    return counted

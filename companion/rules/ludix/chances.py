"""The chance that a throw makes no numeral, and the mean value of a throw, counted over all throws of the dice."""

from fractions import Fraction
from functools import cache

from companion.rules.dice import all_throws
from companion.rules.ludix.numerals import DICE, dice, formed_by, shown_by


@cache
def chance_of_null() -> Fraction:
    """Return the chance that a throw makes no numeral."""
    throws = all_throws(DICE, dice())
    return Fraction(sum(not formed_by(shown_by(throw)) for throw in throws), len(throws))


@cache
def mean_of_best() -> Fraction:
    """Return the mean value of a throw's highest numeral; a throw without a numeral counts as 0."""
    throws = all_throws(DICE, dice())
    best = (formed[0].value for throw in throws if (formed := formed_by(shown_by(throw))))
    return Fraction(sum(best), len(throws))

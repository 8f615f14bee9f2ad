"""Every set of dice that can be left in a turn, numbered, with its properties in small tables."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from companion.rules.tables.courses.duty import without

Dice = tuple[int, ...]
"""Pips in rising order."""

MOST_PIP_KINDS = 3
"""The most different pips that one throw shows."""

HIGHEST_PIPS = 6
DIGIT_BITS = 3
COUNT_AT = HIGHEST_PIPS * DIGIT_BITS


def weight(die: int) -> int:
    """Return what using a die adds to the worth of a play.

    The worth of a play is a number that is greater the more dice it uses and, among plays that use equally many, the
    higher these are: the count of dice, above six digits that count the sixes, the fives and so on. Of two sets of
    equal size, take the highest number that they do not share equally: the set with more of it is also the higher one
    when both are sorted from the highest die down.
    """
    return (1 << COUNT_AT) + (1 << DIGIT_BITS * (die - 1))


WEIGHTS = np.array([0, *(weight(die) for die in range(1, 7))], np.int32)


@dataclass(frozen=True)
class Pools:
    """Tables over all pools; pool 0 is empty.

    ``dice``: the pips of each pool, rising. ``value`` (`MOST_PIP_KINDS`, pools): the different pips, rising, then 0.
    ``less`` (`MOST_PIP_KINDS`, pools): the pool without one die of that kind. ``turned`` (`MOST_PIP_KINDS`, pools): the
    pool to play after a die of that kind is turned to six; 0 everywhere for a pool without such a turn. ``size``: how
    many dice. ``worth``: `weight` of all of them together. ``again``: whether the player who plays these dice throws
    once more. ``thrown``: the pool of each throw; the place is the dice in the order thrown as digits 0 to 5 (the first
    die highest). ``rolled``: dice in a throw.
    """

    dice: tuple[Dice, ...]
    value: npt.NDArray[np.uint32]
    less: npt.NDArray[np.int16]
    turned: npt.NDArray[np.int16]
    size: npt.NDArray[np.int8]
    worth: npt.NDArray[np.int32]
    again: npt.NDArray[np.bool_]
    thrown: npt.NDArray[np.int16]
    rolled: int


def pools(rolled: int, lies: Mapping[Dice, Dice], turns: Collection[Dice], again: Collection[Dice]) -> Pools:
    """Return the tables for throws of ``rolled`` dice.

    ``lies`` gives for each throw (its dice rising) the dice to play. In throws among ``turns`` the player first turns a
    die to six. Throws among ``again``, as they are after that, give another throw.
    """
    reached: set[Dice] = {()}
    for dice in lies.values():
        _reach(dice, reached)
    listed = [*sorted(reached, key=lambda dice: (len(dice), dice)), *sorted(turns)]
    number = {dice: place for place, dice in enumerate(listed[: len(reached)])}
    turning = {dice: place for place, dice in enumerate(listed) if place >= len(reached)}
    shape = (MOST_PIP_KINDS, len(listed))
    value, less, turned = np.zeros(shape, np.uint32), np.zeros(shape, np.int16), np.zeros(shape, np.int16)
    for place, dice in enumerate(listed):
        for kind, die in enumerate(sorted(set(dice))):
            value[kind, place] = die
            rest = without(dice, die)
            if place < len(reached):
                less[kind, place] = number[rest]
            else:
                turned[kind, place] = number[lies[(*rest, HIGHEST_PIPS)]]
    twice = np.zeros(len(listed), bool)
    twice[[number[lies[throw]] for throw in again]] = True
    throws = [tuple(sorted(throw)) for throw in product(range(1, HIGHEST_PIPS + 1), repeat=rolled)]
    return Pools(
        tuple(listed),
        value,
        less,
        turned,
        np.array([len(dice) for dice in listed], np.int8),
        np.array([sum(map(weight, dice)) for dice in listed], np.int32),
        twice,
        np.array([turning[throw] if throw in turning else number[lies[throw]] for throw in throws], np.int16),
        rolled,
    )


def _reach(dice: Dice, reached: set[Dice]) -> None:
    if dice not in reached:
        reached.add(dice)
        for die in set(dice):
            _reach(without(dice, die), reached)

"""The duty of a turn: play as many dice as possible, and among ways to play equally many, the higher dice.

What a side can still play depends on its own men, the dice and the points that the other side holds. These points do
not change during a turn. So all positions of a turn share one analysis, which is discarded with them.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import repeat

from companion.rules.tables.choices import Step
from companion.rules.tables.courses.course import DICE, Course

Dice = tuple[int, ...]
"""Numbers of dice in ascending order."""

MOST_KEPT = 4096
"""The most results of each kind that an analysis keeps; the widest positions' whole turns exceed it and start again."""


@lru_cache(maxsize=4096)
def without(dice: Dice, die: int) -> Dice:
    """Return the dice that are left after one of them is played."""
    index = dice.index(die)
    return dice[:index] + dice[index + 1 :]


@lru_cache(maxsize=4096)
def distinct(dice: Dice) -> Dice:
    """Return each number of the dice once; omits what no die shows, as a position set up by hand may have it."""
    return tuple(sorted({*dice} & {*DICE}))


class Duty:
    """The analysis of one side's turn; ``shut`` are the points that the other side holds."""

    __slots__ = ("_best", "_origins", "_whole", "course", "shut")

    def __init__(self, course: Course, foe: int) -> None:
        self.course = course
        self.shut = course.shut(foe)
        self._origins: dict[tuple[int, int], int] = {}
        self._whole: dict[tuple[int, Dice], bool] = {}
        self._best: dict[tuple[int, Dice], tuple[int, Dice]] = {}

    def origins(self, men: int, die: int) -> int:
        """Return the bits from which a man may go with a die, regardless of the duty."""
        key = (men, die)
        found = self._origins.get(key)
        if found is None:
            if len(self._origins) >= MOST_KEPT:
                self._origins.clear()
            found = self._origins[key] = self.course.origins(men, self.shut, die)
        return found

    def movable(self, men: int, dice: Dice) -> bool:
        """Whether any of the dice can be played."""
        return any(map(self.origins, repeat(men), distinct(dice)))

    def whole(self, men: int, dice: Dice) -> bool:
        """Whether all of the dice can be played; dice that a side no longer needs count as played."""
        if len(dice) == 1:
            return self.origins(men, dice[0]) != 0 or self.course.done(men)
        if not dice or self.course.done(men):
            return True
        key = (men, dice)
        found = self._whole.get(key)
        if found is None:
            if len(self._whole) >= MOST_KEPT:
                self._whole.clear()
            found = self._whole[key] = self._plays_whole(men, dice)
        return found

    def _plays_whole(self, men: int, dice: Dice) -> bool:
        for die in reversed(distinct(dice)):
            rest = without(dice, die)
            for after in self._afters(men, die):
                if self.whole(after, rest):
                    return True
        return False

    def best(self, men: int, dice: Dice) -> tuple[int, Dice]:
        """Return how many dice can be played at most, and the highest such dice, in descending order."""
        key = (men, dice)
        found = self._best.get(key)
        if found is None:
            found = (len(dice), dice[::-1]) if self.course.done(men) else (0, ())
            for die in distinct(dice):
                rest = without(dice, die)
                for after in self._afters(men, die):
                    found = max(found, self._with(die, self.best(after, rest)))
                    if found[0] == len(dice):
                        break
            if len(self._best) >= MOST_KEPT:
                self._best.clear()
            self._best[key] = found
        return found

    def meets(self, men: int, dice: Dice, bit: int, die: int) -> bool:
        """Whether the duty can still be met after a possible step."""
        rest = without(dice, die)
        after = self.course.moved(men, bit, die)
        if self.whole(after, rest):
            return True
        if self.whole(men, dice):
            return False
        return self._with(die, self.best(after, rest)) == self.best(men, dice)

    def legal(self, men: int, dice: Dice, start: int = 0) -> list[Step]:
        """Return the steps that the duty allows, by origin, then by die; none from an origin before ``start``."""
        course, found, masks, every, free = self.course, [], [], 0, True
        count = len(dice)
        for die in distinct(dice):
            mask = self.origins(men, die)
            masks.append((die, mask))
            every |= mask
            free = free and (count == 1 or course.robust(men, mask, die, count))
        if start:
            every &= -start
        while every:
            bit = every & -every
            every ^= bit
            for die, mask in masks:
                if mask & bit and (free or self.meets(men, dice, bit, die)):
                    found.append(course.steps[bit][die])
        return course.in_order(found)

    @staticmethod
    def _with(die: int, best: tuple[int, Dice]) -> tuple[int, Dice]:
        count, dice = best
        return count + 1, tuple(sorted((*dice, die), reverse=True))

    def _afters(self, men: int, die: int) -> Iterator[int]:
        mask = self.origins(men, die)
        while mask:
            bit = mask & -mask
            mask ^= bit
            yield self.course.moved(men, bit, die)

"""Doblet: each side takes down its own pairs, one man beside the other, then bears them off; sides never meet."""

from collections.abc import Iterator, Mapping
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.board import OFF
from companion.rules.errors import PositionFormatError
from companion.rules.tables.choices import Step
from companion.rules.tables.courses.course import DICE, OFF_PLACE, TABLE_POINTS, Course, bit_at
from companion.rules.tables.points import POINTS

DOWN = "down"
_DOWN_PLACE = OFF_PLACE + 2
"""The first of six places, one for each point of the course: 1 once its pair is taken down."""

_DOWN = tuple(bit_at(_DOWN_PLACE + index) for index in range(TABLE_POINTS))
_ALL_DOWN = sum(_DOWN)


class DobletCourse(Course):
    """A side's six points, the one that takes a six first; the origin of taking a pair down is the bit of its mark."""

    counts_pips = False

    def _steps(self) -> dict[tuple[int, int], Step]:
        found = {}
        for index, point in enumerate(self.track):
            needed = TABLE_POINTS - index
            found[_DOWN[index], needed] = Step(point, point, needed)
            for die in DICE:
                if die >= needed:
                    found[bit_at(index + 1), die] = Step(point, OFF, die)
        return found

    def shut(self, foe: int) -> int:
        """Return no point: the sides never meet."""
        del foe
        return self.beyond

    def origins(self, men: int, shut: int, die: int) -> int:
        """Return the mark of the pair that a die takes down; once all are down, the point from which it bears off."""
        if men & _ALL_DOWN != _ALL_DOWN:
            return _DOWN[TABLE_POINTS - die] & ~men
        return super().origins(men, shut, die)

    def moved(self, men: int, bit: int, die: int) -> int:
        """Return the men after a pair was taken down or a man was borne off."""
        return men + bit if bit in _DOWN else super().moved(men, bit, die)

    def landed(self, bit: int, die: int) -> int:
        """Return no point of the course: nobody is ever hit."""
        del bit, die
        return 0

    @property
    def further_keys(self) -> tuple[str, ...]:
        """The keys of what `further` returns."""
        return (DOWN,)

    def stacked(self, men: int) -> frozenset[str]:
        """Return the points whose pairs are not taken down."""
        return frozenset(point for point, mark in zip(self.track, _DOWN, strict=True) if not men & mark)

    def further(self, men: int) -> dict[str, Any]:
        """Return the points whose pairs are taken down."""
        down = {point for point, mark in zip(self.track, _DOWN, strict=True) if men & mark}
        return {DOWN: [point for point in POINTS if point in down]}

    def pack_further(self, given: Mapping[str, Any]) -> int:
        """Return what `further` returned, packed.

        Raises:
            PositionFormatError: the data has another form.
        """
        down = given.get(DOWN, [])
        if not isinstance(down, list) or not all(isinstance(point, str) and point in self.track for point in down):
            raise PositionFormatError(f'Expected "{DOWN}" to be a list of points of {self.track}, but it is {down!r}.')
        return sum(_DOWN[self.track.index(point)] for point in set(down))

    def further_faults(self, men: int) -> Iterator[Sentence]:
        """Say where a pair is neither whole nor taken down, or men were borne off too early."""
        down = men & _ALL_DOWN
        for point, mark in zip(self.track, _DOWN, strict=True):
            count = self.at(men, self.places[point])
            if not men & mark and count != 2:  # noqa: PLR2004 - a pair
                yield Sentence("the pair on {point} is not taken down but has {count} men.", point=point, count=count)
            if count > 2:  # noqa: PLR2004 - a pair
                yield Sentence("{count} men stand on {point}, which has a pair.", point=point, count=count)
        if self.in_hand(men):
            yield Sentence("men are in hand, but nobody is hit in this game.")
        if self.off(men) and down != _ALL_DOWN:
            yield Sentence("men are borne off before all pairs are taken down.")

    def forbids(self, men: int, bit: int, step: Step) -> Sentence | None:  # noqa: PLR0911 - one for each rule
        """Say why a pair cannot be taken down or a man cannot be borne off."""
        if step.origin not in self.places:
            return None
        needed = TABLE_POINTS + 1 - self.places[step.origin]
        if step.to == step.origin:
            if men & _DOWN[TABLE_POINTS - needed]:
                return Sentence("The pair on {point} has already been taken down.", point=step.origin)
            if not bit:
                return Sentence("The pair on {point} needs a {needed}.", point=step.origin, needed=needed)
            return None
        if step.to != OFF:
            return Sentence("In this game men are taken down and borne off, but not moved on.")
        if men & _ALL_DOWN != _ALL_DOWN:
            return Sentence("Men may be borne off only when every pair of the side has been taken down.")
        return None

    def occupied(self, men: int, bit: int) -> bool:
        """Whether a man is where a step begins; a mark stands for the pair on its point."""
        return super().occupied(men, bit_at(_DOWN.index(bit) + 1) if bit in _DOWN else bit)

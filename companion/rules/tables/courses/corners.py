"""Seis, dos y as: a hit man enters in the table diagonally opposite to the table where he was taken."""

from collections.abc import Iterator, Mapping
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.board import HAND
from companion.rules.errors import PositionFormatError
from companion.rules.tables.choices import Step
from companion.rules.tables.courses.course import (
    COUNT_BITS,
    DICE,
    HAND_BIT,
    LARGEST_COUNT,
    OFF_PLACE,
    TABLE_POINTS,
    Course,
    bit_at,
)
from companion.rules.tables.points import TABLES

HIT_IN = "hit_in"
_TAKEN_PLACE = OFF_PLACE + 2
"""The first of four places that count the men in hand by the table in which they were taken."""

_TAKEN_BITS = tuple(bit_at(_TAKEN_PLACE + table) for table in range(len(TABLES)))


def _entry(table: int) -> int:
    """Return the place just before the diagonally opposite table."""
    return (table + 2) % len(TABLES) * TABLE_POINTS


class CornersCourse(Course):
    """The course of a side whose hit men enter by the table where they were taken; it runs from a to z."""

    def _taken(self) -> dict[int, int]:
        return {
            bit_at(place): HAND_BIT + _TAKEN_BITS[(place - 1) // TABLE_POINTS] - bit_at(place)
            for place in self.places.values()
        }

    def _steps(self) -> dict[tuple[int, int], Step]:
        found = {key: step for key, step in super()._steps().items() if step.origin != HAND}
        for table, bit in enumerate(_TAKEN_BITS):
            for die in DICE:
                found[bit, die] = Step(HAND, self.track[_entry(table) + die - 1], die)
        return found

    def origins(self, men: int, shut: int, die: int) -> int:
        """Return the bits from which a man may go; the bits of men in hand say where they were taken."""
        found = super().origins(men & ~LARGEST_COUNT, shut, die)
        if not men & LARGEST_COUNT:
            return found
        open_tables = sum(bit for bit in _TAKEN_BITS if men & bit * LARGEST_COUNT and not shut & self.landed(bit, die))
        return open_tables if self.forced else (found & ~self._last_points(die)) | open_tables

    def _last_points(self, die: int) -> int:
        """Return the points from which a die could only bear off, which no side may do with a man in hand."""
        return sum(bit_at(place) for place in range(self.length + 1 - die, self.length + 1))

    def landed(self, bit: int, die: int) -> int:
        """Return the bit on which a man lands."""
        if bit in _TAKEN_BITS:
            return bit_at(_entry(_TAKEN_BITS.index(bit)) + die)
        return bit << COUNT_BITS * die

    def in_order(self, steps: list[Step]) -> list[Step]:
        """Return the steps of men in hand first."""
        return sorted(steps, key=lambda step: step.origin != HAND)

    def moved(self, men: int, bit: int, die: int) -> int:
        """Return the men after one of them goes from a bit with a die."""
        if bit in _TAKEN_BITS:
            return men - HAND_BIT - bit + self.landed(bit, die)
        return super().moved(men, bit, die)

    def pips(self, men: int) -> int:
        """Return how many pips the side still needs; counts each man in hand from the table where he will enter."""
        on_board = super().pips(men & ~LARGEST_COUNT)
        end = self.length + 1 if self.movement.bears else self.length - TABLE_POINTS + 1
        waiting = ((end - _entry(table)) * self.at(men, _TAKEN_PLACE + table) for table in range(len(TABLES)))
        return on_board + sum(max(0, pips) for pips in waiting)

    @property
    def further_keys(self) -> tuple[str, ...]:
        """The keys of what `further` returns."""
        return (HIT_IN,)

    def further(self, men: int) -> dict[str, Any]:
        """Return how many men in hand were taken in each table."""
        counts = {table: self.at(men, _TAKEN_PLACE + index) for index, table in enumerate(TABLES)}
        return {HIT_IN: {table: count for table, count in counts.items() if count}}

    def pack_further(self, given: Mapping[str, Any]) -> int:
        """Return what `further` returned, packed.

        Raises:
            PositionFormatError: the data has another form.
        """
        by_table = given.get(HIT_IN, {})
        if not isinstance(by_table, dict) or not all(
            table in TABLES and isinstance(count, int) and 0 <= count <= LARGEST_COUNT
            for table, count in by_table.items()
        ):
            raise PositionFormatError(f'Expected "{HIT_IN}" like {{"af": 1}}, but it is {by_table!r}.')
        return sum(count * _TAKEN_BITS[TABLES.index(table)] for table, count in by_table.items())

    def further_faults(self, men: int) -> Iterator[Sentence]:
        """Say if the number of men in hand differs from the number taken in the tables."""
        taken = sum(self.further(men)[HIT_IN].values())
        if taken != self.in_hand(men):
            yield Sentence(
                "{hand} men are in hand, but {taken} are given as hit in some table.",
                hand=self.in_hand(men),
                taken=taken,
            )

    def forbids(self, men: int, bit: int, step: Step) -> Sentence | None:
        """Say why a man in hand cannot enter in a table: none was taken in the opposite table, or the die is wrong."""
        if step.origin != HAND or step.to not in self.places or not men & LARGEST_COUNT:
            return None
        table, needed = divmod(self.places[step.to] - 1, TABLE_POINTS)
        opposite = TABLES[(table + 2) % len(TABLES)]
        if not men & _TAKEN_BITS[TABLES.index(opposite)] * LARGEST_COUNT:
            return Sentence(
                "No man in hand was taken in {opposite}, so none enters in {table}.",
                opposite=opposite,
                table=TABLES[table],
            )
        if not bit:
            return Sentence("A man enters on {to} with a {needed}.", to=step.to, needed=needed + 1)
        return None

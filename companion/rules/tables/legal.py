"""Which choices are legal in a tables position."""

from collections.abc import Iterator
from itertools import chain

from companion.rules.game import Choice, Choices
from companion.rules.tables.choices import Leave, Step, TurnDie
from companion.rules.tables.state import TablesState


class TablesChoices(Choices):
    """The legal choices of a position: by origin, the hand first and then along the way, then by die, lowest first.

    The choice to leave dice comes last.
    """

    __slots__ = ("_position",)

    def __init__(self, position: TablesState) -> None:
        self._position = position

    def __iter__(self) -> Iterator[Choice]:
        return each(self._position)

    def __contains__(self, choice: object) -> bool:
        return allows(self._position, choice)

    def __len__(self) -> int:
        kept = self._position.__dict__
        if kept["_legal"] is None:
            kept["_legal"] = tuple(each(self._position))
        return len(kept["_legal"])


def each(position: TablesState) -> Iterator[Choice]:
    """Yield the legal choices one by one; finds each only when the caller asks for it."""
    known: tuple[Choice, ...] | None = position.__dict__["_legal"]
    if known is not None:
        return iter(known)
    dice = position.dice
    if not dice or position.over:
        return iter(())
    if position.aside.turning:
        return (TurnDie(number) for number in sorted(set(dice)))
    found = map(position.course.steps.__getitem__, position.duty.legal(position.own, dice))
    return chain(found, (Leave(),)) if position.may_leave else found


def allows(position: TablesState, choice: object) -> bool:
    """Whether a choice is legal here."""
    if not position.dice or position.over:
        return False
    if isinstance(choice, Step) and not position.aside.turning:
        key = position.course.by_step.get(choice)
        return key is not None and _may(position, *key)
    if isinstance(choice, Leave):
        return position.may_leave
    return isinstance(choice, TurnDie) and position.aside.turning and choice.die in position.dice


def _may(position: TablesState, bit: int, die: int) -> bool:
    dice = position.dice
    if die not in dice:
        return False
    duty, own = position.duty, position.own
    return duty.origins(own, die) & bit != 0 and (len(dice) == 1 or duty.meets(own, dice, bit, die))

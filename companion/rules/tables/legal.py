"""Which choices are legal in a tables position."""

from collections.abc import Iterable

from companion.rules.game import Choice
from companion.rules.tables.choices import Leave, TurnDie
from companion.rules.tables.state import TablesState


def each(position: TablesState) -> Iterable[Choice]:
    """Return the legal choices: by origin, the hand first and then along the way, then by die, lowest first.

    The choice to leave dice comes last.
    """
    dice = position.dice
    if not dice or position.over:
        return ()
    if position.aside.turning:
        return map(TurnDie, sorted(set(dice)))
    found = position.duty.legal(position.own, dice)
    return (*found, Leave()) if position.may_leave else found

"""Problems met in games of Ludix: whether to stop or to throw again, with points at stake."""

from collections.abc import Iterator
from typing import Final

from companion.players.player import Budget
from companion.players.thinking import weigh
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.rules.ludix import LudixPosition
from workshop.problems.found import Found, tries

LEAST_LEAD: Final = 0.06
"""By how much likelier the best choice must win than the next best; the chances are exact."""


def find(before: Position, throw: Throw) -> Iterator[Found]:
    """Yield the problem of a throw of Ludix with points at stake, by the exact chances."""
    assert isinstance(before, LudixPosition), "a game of numerals"
    position = before.after(throw)
    if position.awaits.kind != "choice" or not position.formed or max(position.points) >= position.goal:
        return
    weighed = weigh(position, Budget())
    if len(weighed) > 1 and weighed[0].chance - weighed[1].chance >= LEAST_LEAD:
        found = tries(position, weighed, [weighed[0]])
        chances = (weighed[0].chance, weighed[1].chance)
        yield Found("risk", before, ((str(weighed[0].choices[0]),),), found, before.text(throw), chances)

"""Which moves make a capture possible: most make none, and the changed lines show which.

After a move, a man can be taken by number as before, but for those who see the square that was left or the one that was
reached. So only these are judged again. A siege can also change by relief elsewhere; then the answer is "perhaps".
"""

from functools import cached_property

from companion.rules.rithmomachia import siege
from companion.rules.rithmomachia.captures import by_number, in_line, surrounded
from companion.rules.rithmomachia.choices import SIEGE
from companion.rules.rithmomachia.men import Men
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.squares import enemy


class Takings:
    """What the player to move can take after each of his moves."""

    def __init__(self, position: RithmoPosition) -> None:
        self._rules, self._men, self._player = position.rules, position.men, position.turn
        self._by_mover = position.rules.by_mover
        self._sieges = SIEGE in position.rules.captures

    @cached_property
    def _numbered(self) -> frozenset[int]:
        """The squares of the men who can be taken by number as they stand, whichever side moved."""
        if self._by_mover:
            return frozenset()
        targets = (square for square, man in enumerate(self._men) if man is not None and man.owner != self._player)
        return frozenset(square for square in targets if self._has_number(self._men, square, None))

    @cached_property
    def _besieged(self) -> frozenset[int]:
        """The squares of the men who can be taken by siege as they stand, whichever side moved."""
        if self._by_mover or not self._sieges:
            return frozenset()
        return frozenset(surrounded(self._rules, self._men, self._player, range(self._rules.board.count), None))

    @property
    def waiting(self) -> bool:
        """Whether something can be taken as the men stand, so that it can be taken after nearly every move."""
        return bool(self._numbered or self._besieged)

    def fresh(self, start: int, end: int) -> bool:
        """Whether a move makes a capture possible that was not possible before, changes of relief elsewhere aside."""
        if not self._rules.regular(start, end):
            return False
        men = siege.carried(self._men, start, end)
        mover = end if self._by_mover else None
        seeing = {square for square, _, _ in in_line(self._rules, men, end, enemy(self._player))}
        near: set[int] = set(self._rules.crosses(end)) if self._sieges else set()
        if not self._by_mover:
            seeing |= {square for square, _, _ in in_line(self._rules, self._men, start, enemy(self._player))}
            near |= set(self._rules.crosses(start)) if self._sieges else set()
        if any(square not in self._numbered and self._has_number(men, square, mover) for square in seeing):
            return True
        return any(square not in self._besieged for square in surrounded(self._rules, men, self._player, near, mover))

    def perhaps(self, start: int, end: int) -> bool:
        """Whether anything may be taken after a move; if not, nothing can."""
        return self.waiting or bool(self._sieges and self._rules["relief"]) or self.fresh(start, end)

    def _has_number(self, men: Men, target: int, mover: int | None) -> bool:
        return next(by_number(self._rules, men, self._player, target, mover), None) is not None

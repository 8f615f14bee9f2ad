"""Whole turns of Rithmomachia: a move with everything that it takes, a capture instead of a move, a delivery."""

from collections.abc import Callable, Iterator
from functools import cached_property

from companion.players.rithmomachia.evaluation import helpful_returns
from companion.rules.game import Choice
from companion.rules.rithmomachia import legal, siege, transitions
from companion.rules.rithmomachia.captures import by_number, in_line, surrounded
from companion.rules.rithmomachia.choices import SIEGE, Claim, Done, Move
from companion.rules.rithmomachia.men import Men
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.rithmomachia.squares import enemy


class Takings:
    """What the player to move can take after each of his moves: most make no capture possible.

    After a move, a man can be taken by number as before, but for those who see the square that was left or the one
    that was reached. So only these are judged again. A siege can also change by relief elsewhere; then the answer is
    "perhaps".
    """

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


Turn = tuple[tuple[Choice, ...], RithmoPosition]
"""The choices of a turn, and the position after it."""


def nothing() -> None:
    """Go on."""


def turns(position: RithmoPosition, before_each: Callable[[], None] = nothing) -> Iterator[Turn]:
    """Yield every turn worth a thought, those that take something by a claim first.

    What can be taken is taken. Men in hand are brought back only where a harmony of four needs them, or where nothing
    else is possible. ``before_each`` is called before each move is tried, and may raise an error to stop.
    """
    if position.phase == "claims":
        yield taken(position)
        return
    quiet: list[Turn] = []
    yield from _taking_at_once(position)
    takings, numbered = Takings(position), position.rules.board.numbered
    for move in legal.moves(position):
        before_each()
        moved = transitions.applied(position, move)
        if moved.turn != position.turn:
            quiet.append(((move,), moved))
        elif takings.perhaps(numbered[move.start], numbered[move.end]) and moved.claims:
            rest, after = taken(moved)
            yield (move, *rest), after
        else:
            quiet.append(
                ((move, Done()), transitions.applied(moved, Done())) if moved.outcome is None else ((move,), moved)
            )
    yield from quiet
    returns = helpful_returns(position) if quiet else legal.returns(position)
    yield from (((back,), transitions.applied(position, back)) for back in returns)


def taking_turns(position: RithmoPosition, before_each: Callable[[], None] = nothing) -> Iterator[Turn]:
    """Yield the turns that take something; ``before_each`` as in `turns`.

    What can be taken whatever is moved, is taken once: of the moves that make no other capture possible, only the first
    is yielded.
    """
    at_once = list(_taking_at_once(position))
    yield from at_once
    takings, numbered = Takings(position), position.rules.board.numbered
    waiting = takings.waiting and not at_once
    for move in legal.moves(position):
        before_each()
        if not waiting and not takings.fresh(numbered[move.start], numbered[move.end]):
            continue
        if transitions.carried_out(position, move).claims:
            waiting = False
            yield _by_moving(position, move)


def _taking_at_once(position: RithmoPosition) -> Iterator[Turn]:
    """Yield the turns that take or deliver something without a move before."""
    if position.claims:
        yield taken(position)
    for delivery in position.deliveries:
        yield (delivery,), transitions.applied(position, delivery)


def _by_moving(position: RithmoPosition, move: Move) -> Turn:
    moved = transitions.applied(position, move)
    if moved.turn != position.turn:
        return (move,), moved
    rest, after = taken(moved)
    return (move, *rest), after


def taken(position: RithmoPosition) -> Turn:
    """Return the rest of a turn in which everything is taken that can be taken, the highest numbers first."""
    found: list[Choice] = []
    while position.outcome is None and (claims := position.claims):
        claim = max(claims, key=lambda one: (_number(position, one), one.kind, str(one)))
        position = transitions.applied(position, claim)
        found.append(claim)
    if position.outcome is None:
        position = transitions.applied(position, Done())
        found.append(Done())
    return tuple(found), position


def _number(position: RithmoPosition, claim: Claim) -> int:
    man = position.men[position.rules.board.numbered[claim.target.site]]
    assert man is not None, "a man is taken"
    return claim.target.part or man.number

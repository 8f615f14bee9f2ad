"""Whole turns of Rithmomachia: a move with everything that it takes, a capture instead of a move, a delivery."""

from collections.abc import Callable, Iterator

from companion.players.rithmomachia.evaluation import helpful_returns
from companion.players.rithmomachia.takings import Takings
from companion.rules.game import Choice
from companion.rules.rithmomachia import legal, transitions
from companion.rules.rithmomachia.choices import Claim, Done, Move
from companion.rules.rithmomachia.position import RithmoPosition

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

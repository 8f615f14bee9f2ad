"""The board that the page draws: its men, the last move, what lies beside it, and what may be claimed by pointing."""

from typing import Any

from companion.referee.board import Candidate
from companion.referee.match import Match
from companion.referee.readable import board_to_read
from companion.referee.replay import Turn
from companion.rules.dice import Throw
from companion.rules.ludus_regularis.position import LudusPosition
from companion.rules.rithmomachia.choices import CAPTURES, DELIVERY
from companion.rules.rithmomachia.notation import seen
from companion.rules.rithmomachia.position import RithmoPosition
from companion.rules.tables.free.board import FreePosition
from companion.rules.tables.position import TablesPosition

Json = dict[str, Any]


def board_drawn(match: Match) -> Json | None:
    """Return the board that the page draws with its men and the last move; None for games that it draws otherwise.

    ``held`` are the men that each player has taken and holds, ``claims`` the kinds of capture that may be claimed now,
    ``sides`` the side of each player, ``free`` the side to play where any man may go anywhere; each where it is so.
    """
    game, position = match.game, match.position
    if isinstance(position, LudusPosition) or not (board_to_read(game) or isinstance(position, FreePosition)):
        return None
    last = tuple(turn.move for turn in last_moves(match) if turn.move is not None)
    drawn: Json = {
        "name": game.board.name,
        "men": dict(position.occupancy()),
        "last": [arrow.to_json() for arrow in Candidate(last, position, 0.0).arrows],
    }
    if isinstance(position, RithmoPosition):
        drawn["held"] = {str(number): [seen(man) for man in position.held(number)] for number in (1, 2)}
        drawn["claims"] = _claimable(position)
    elif isinstance(position, TablesPosition):
        drawn["sides"] = {str(number): position.rules.sides[number] for number in range(1, position.players + 1)}
    elif isinstance(position, FreePosition):
        drawn["free"] = position.side
    return drawn


def _claimable(position: RithmoPosition) -> list[str]:
    """Return the kinds of capture that a player may name now, whether or not one of them is there."""
    if position.outcome is not None:
        return []
    kinds = [kind for kind in CAPTURES if kind in position.law.captures]
    if position.phase == "claims":
        return kinds
    before = kinds if position.law["before"] == "instead" else []
    return [*before, DELIVERY] if position.law["innocent_delivery"] and position.last is not None else before


def last_moves(match: Match) -> tuple[Turn, ...]:
    """Return the turns that are the choices made last by one player, in their order."""
    moves: list[Turn] = []
    by: int | None = None
    for turn in reversed(match.history):
        if turn.standing != "stands" or turn.kind != "choice" or turn.move is None:
            if moves and turn.standing == "stands":
                break
            continue
        if by not in (None, turn.player):
            break
        by = turn.player
        if not isinstance(turn.move, Throw):
            moves.append(turn)
    return tuple(reversed(moves))

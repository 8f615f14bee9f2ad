"""The board that the page draws: its men, the last move, what lies beside it, and what may be claimed by pointing."""

from companion.desk.page.shapes.match import BoardShape
from companion.referee.board import Candidate
from companion.referee.match import Match
from companion.referee.replay import Turn
from companion.rules.dice import Throw


def board_drawn(match: Match) -> BoardShape | None:
    """Return the board that the page draws with its men and the last move; None for games that it draws otherwise.

    Beside the men stands what the position has noted of them, as `Position.board_notes` says.
    """
    game, position = match.game, match.position
    if not game.board.sites or game.board.holds_tokens:
        return None
    last = tuple(turn.move for turn in last_moves(match) if turn.move is not None)
    return {
        "name": game.board.name,
        "men": dict(position.occupancy()),
        "last": [arrow.to_json() for arrow in Candidate(last, position, 0.0).arrows],
        **position.board_notes(),
    }


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

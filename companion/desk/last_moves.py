"""The last play of a match, for its page and its lights."""

from companion.referee.match import Match
from companion.referee.replay import Turn
from companion.rules.dice import Throw


def last_moves(match: Match) -> tuple[Turn, ...]:
    """Return the turns of the last choices in a row by one player, in their order."""
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

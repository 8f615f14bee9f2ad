"""The board as the page draws it: men, last move, what lies beside it, and what players may claim by pointing."""

from companion.desk.last_moves import last_moves
from companion.desk.shapes.match import BoardShape
from companion.referee.board.results import Candidate
from companion.referee.match import Match


def board_drawn(match: Match) -> BoardShape | None:
    """Return the board for the page, with men and last move; None for games that the page draws otherwise.

    The position's notes on the men come with it, as `Position.board_notes` describes.
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

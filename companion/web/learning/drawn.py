"""A position as a page that teaches draws it: its board with the last men's ways, its dice, and what can be chosen."""

from collections.abc import Sequence
from typing import Any

from companion.lessons.study import Act
from companion.referee.board import Candidate
from companion.rules.dice import Throw
from companion.rules.game import Position


def board_json(position: Position, acts: Sequence[Act] = (), *, claims: bool) -> dict[str, Any] | None:
    """Return the board as the table's page has it, with the ways of the last men; None where no men stand on one.

    ``claims``: whether captures may be named now.
    """
    board = position.game.board
    if not board.sites or board.holds_tokens:
        return None
    moves = tuple(act.move for act in acts if not isinstance(act.move, Throw))
    notes = dict(position.board_notes())
    if not claims:
        notes["claims"] = []
    last = [arrow.to_json() for arrow in Candidate(moves, position, 0.0).arrows]
    return {"name": board.name, "men": dict(position.occupancy()), "last": last, **notes}


def dice_json(acts: Sequence[Act]) -> dict[str, Any] | None:
    """Return the last throw; its dice stay on the table until the next."""
    throws = [act.move for act in acts if isinstance(act.move, Throw)]
    return {"set": throws[-1].set_name, "faces": dict(throws[-1].shown)} if throws else None


def choices_json(position: Position) -> list[dict[str, Any]]:
    """Return the choices that a page may list, none while a throw is awaited."""
    chosen = position.listed_choices() if position.awaits.kind == "choice" else ()
    return [{"text": position.text(choice), "choice": choice.to_json()} for choice in chosen]

"""A position as a page that teaches draws it: its board with the last men's ways, its dice, and what can be chosen."""

from collections.abc import Sequence
from typing import Any

from flask import Response, jsonify

from companion.lessons.course import Step
from companion.lessons.study import Act, Studied
from companion.referee.board.results import Candidate
from companion.rules.dice import Throw
from companion.rules.game import Position
from companion.web.languages import here


def fresh(answer: Any) -> Response:
    """Return an answer that no browser keeps."""
    response = jsonify(answer)
    response.headers["Cache-Control"] = "no-store"
    return response


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


def study_json(step: Step, studied: Studied) -> dict[str, Any]:
    """Return what a line leads to in a step, as the page of a lesson or problem shows it."""
    position = studied.position
    going_on = studied.verdict in ("open", "refused")
    waits = position.awaits
    chooses = going_on and waits.kind == "choice" and not studied.taps
    thrown = sum(isinstance(act.move, Throw) for act in studied.acts)
    board = board_json(position, studied.acts, claims=chooses)
    sentence = None if board is not None and studied.verdict == "open" else studied.sentence  # the board shows it
    return {
        "verdict": studied.verdict,
        "sentence": None if sentence is None else here().translate(sentence.to_json()),
        "board": board,
        "dice": dice_json(studied.acts),
        "throws": going_on and waits.kind == "throw" and thrown < len(step.throws),
        "choices": choices_json(position) if chooses else [],
        "taps": [
            {"site": site, "name": "" if step.meant else here().translated(position.game.called(site))}
            for site in studied.taps
        ]
        if going_on or studied.verdict == "wrong"
        else [],
        "arrows": [{"from": start, "to": end} for start, end in step.arrows] if not studied.acts else [],
        "reply": {
            "board": board_json(studied.replied, studied.reply, claims=False),
            "dice": dice_json(studied.reply),
        }
        if studied.reply
        else None,
        "player": step.goal.player,
    }

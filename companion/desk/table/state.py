"""How table and match agree, in one of six words and a sentence."""

from companion.desk.finding import BoardFinding
from companion.desk.shapes.common import State
from companion.desk.sight import BoardSight, Sight
from companion.language.sentence import Sentence
from companion.ledger.codec import sentence_from_json
from companion.referee.match import Match
from companion.rules.dice import dice_set


def state_of(
    match: Match | None, sight: Sight, mismatch: Sentence | None, board: BoardFinding | None = None
) -> tuple[State, Sentence]:
    """Return the state of table and match. ``mismatch``: what is wrong with the dice; ``board``: how the men stand.

    If cameras watch both dice and men, what needs a person comes first.
    """
    if match is not None and match.question is not None:
        return "PROPOSED", Sentence("Alea cannot read the dice for certain. What do they show?")
    if match is not None and match.misfit is not None:
        return "MISMATCH", Sentence("Event {event} no longer fits the match: correct or void it.", event=match.misfit)
    dice = _of_dice(match, sight, mismatch)
    if match is not None and match.board.question is not None and match.started.men_by != "camera":
        return "PROPOSED", sentence_from_json(match.board.question.asked.sentence)
    if match is None or match.started.men_by != "camera":
        return dice
    if match.over or match.paused:
        return "SYNCED", _still(match)
    men = _of_men(sight.board, match, board)
    return min((dice, men), key=lambda found: URGENT.index(found[0]))


URGENT: tuple[State, ...] = ("PROPOSED", "MISMATCH", "BLIND", "SETTLING", "SYNCED", "MANUAL")
"""Which of two states to report: one that waits for a person goes before one that passes by itself."""


def _of_dice(match: Match | None, sight: Sight, mismatch: Sentence | None) -> tuple[State, Sentence]:
    if match is not None and match.started.dice_by != "camera":
        return "MANUAL", _without_camera(match)
    if sight.source is None:
        return "MANUAL", _still(None) if match is None else sight.sentence
    return _with_camera(match, sight, mismatch)


def _of_men(sight: BoardSight | None, match: Match, finding: BoardFinding | None) -> tuple[State, Sentence]:
    question = match.board.question
    if question is not None:
        return "PROPOSED", sentence_from_json(question.asked.sentence)
    if sight is None:
        return "BLIND", Sentence("No camera sees the board: tap in what is played, or start with --board-camera.")
    if sight.status != "LIVE" or sight.trouble is not None:
        return "BLIND", sight.sentence if sight.status != "LIVE" or sight.trouble is None else sight.trouble
    if sight.seen is None or finding is None or sight.hand or sight.phase != "still":
        return "SETTLING", _unsettled(sight)
    return _STATES[finding.kind], finding.sentence


def _unsettled(sight: BoardSight) -> Sentence:
    if sight.hand:
        return Sentence("A hand is over the board.")
    if sight.phase != "still":
        return Sentence("The men are being moved.")
    return Sentence("The camera is looking at the board.")


_STATES: dict[str, State] = {
    "agrees": "SYNCED",
    "go on": "SETTLING",
    "asked": "PROPOSED",
    "mismatch": "MISMATCH",
    "blind": "BLIND",
}


def _with_camera(match: Match | None, sight: Sight, mismatch: Sentence | None) -> tuple[State, Sentence]:
    if sight.status != "LIVE" or sight.trouble is not None:
        return "BLIND", sight.sentence if sight.status != "LIVE" or sight.trouble is None else sight.trouble
    if sight.hand:
        return "SETTLING", Sentence("A hand is over the table.")
    if sight.phase != "still":
        return "SETTLING", Sentence("The dice are rolling.")
    return ("SYNCED", _still(match)) if mismatch is None else ("MISMATCH", mismatch)


def _without_camera(match: Match) -> Sentence:
    program = match.started.dice_by == "program"
    sets = match.dice_sets
    if not sets:
        return Sentence("The moves of this match are tapped in.")
    if dice_set(sets[0]).dice[0].shape == "wheel":
        return Sentence("The program spins the pointer of this match.") if program else _POINTER_TAPPED
    return Sentence("The program throws the dice of this match.") if program else _DICE_TAPPED


_DICE_TAPPED = Sentence("The dice of this match are tapped in.")
_POINTER_TAPPED = Sentence("You spin the pointer by hand and tap in where it stops.")


def _still(match: Match | None) -> Sentence:
    if match is None:
        return Sentence("No match is open.")
    if match.over:
        return Sentence("The match is over.")
    if match.paused:
        return Sentence("The match is paused.")
    return Sentence("Table and match agree.")

"""How it stands between table and match, in one of six words and a sentence."""

from typing import Literal

from companion.live.sight import Sight
from companion.referee.match import Match
from companion.rules.sentence import Sentence

State = Literal["SYNCED", "SETTLING", "PROPOSED", "MISMATCH", "BLIND", "MANUAL"]


def state_of(match: Match | None, sight: Sight, mismatch: Sentence | None) -> tuple[State, Sentence]:
    """Say how it stands. ``mismatch`` is what is wrong with the dice that lie there, or None."""
    if match is not None and match.question is not None:
        return "PROPOSED", Sentence("The dice cannot be read for certain: please say what they show.")
    if match is not None and match.misfit is not None:
        return "MISMATCH", Sentence("Event {event} no longer fits the match: correct or void it.", event=match.misfit)
    if sight.source is None:
        return "MANUAL", sight.sentence
    if match is not None and match.started.dice_by != "camera":
        return "MANUAL", _without_camera(match)
    return _with_camera(match, sight, mismatch)


def _with_camera(match: Match | None, sight: Sight, mismatch: Sentence | None) -> tuple[State, Sentence]:
    if sight.status != "LIVE" or sight.trouble is not None:
        return "BLIND", sight.sentence if sight.status != "LIVE" or sight.trouble is None else sight.trouble
    if sight.hand:
        return "SETTLING", Sentence("A hand is over the table.")
    if sight.phase != "still":
        return "SETTLING", Sentence("The dice are rolling.")
    return ("SYNCED", _still(match)) if mismatch is None else ("MISMATCH", mismatch)


def _without_camera(match: Match) -> Sentence:
    if match.started.dice_by == "program":
        return Sentence("The program throws the dice of this match.")
    return Sentence("The dice of this match are tapped in.")


def _still(match: Match | None) -> Sentence:
    if match is None:
        return Sentence("No match is open.")
    if match.over:
        return Sentence("The match is over.")
    if match.paused:
        return Sentence("The match is paused.")
    return Sentence("Table and match agree.")

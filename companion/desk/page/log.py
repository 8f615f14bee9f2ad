"""One event of a match as a log shows it: its kind, a sentence, and what became of it."""

from collections.abc import Mapping
from typing import Final

from companion.desk.shapes.match import LogLineShape, ThrownFaces
from companion.language.sentence import Listing, Sentence, player
from companion.ledger.codec import sentence_from_json
from companion.players.strengths import STRENGTHS, Strength
from companion.referee.events import (
    BoardAsked,
    BoardSeated,
    Committed,
    Corrected,
    Finished,
    MatchShared,
    MatchStarted,
    Paused,
    Proposed,
    Rejected,
    Reseated,
    Resumed,
)
from companion.referee.journal import Entry
from companion.referee.replay import Turn
from companion.rules.dice import Throw


def log_line(entry: Entry, turn: Turn | None, names: Mapping[int, str], about: Turn | None = None) -> LogLineShape:
    """Return one event as a log shows it; ``turn``: the commit as it counts; ``about``: the turn that it corrects."""
    number, who, kind, move, corrected = None, None, str(entry.event.kind), "", False
    if turn is not None:
        text = turn.account.sentence if turn.account is not None else turn.why or Sentence("It does not count.")
        number = None if turn.kind == "choice" else turn.number
        who, kind, move, corrected = turn.player, turn.kind, turn.text, turn.corrected
    else:
        kind, text = _described(entry, about)
    return {
        "event": entry.number,
        "at": entry.at,
        "actor": entry.actor,
        "number": number,
        "player": who,
        "text": text.named(names).to_json(),
        "move": move,
        "kind": kind,
        "corrected": corrected,
        "standing": turn.standing if turn is not None else None,
    }


def thrown(turn: Turn | None) -> ThrownFaces:
    """Return what a correction of a turn changes: the faces of a throw by die, of the dice of a set."""
    move = turn.move if turn is not None else None
    if not isinstance(move, Throw):
        return {"set": None, "faces": None}
    return {"set": move.set_name, "faces": dict(move.shown)}


def _described(entry: Entry, about: Turn | None) -> tuple[str, Sentence]:
    event = entry.event
    if isinstance(event, Corrected):
        return "correction", _correction(event, about)
    if isinstance(event, Proposed | BoardAsked):
        return "question", sentence_from_json(event.sentence)
    if isinstance(event, Rejected | Reseated | MatchShared):
        return event.kind, _changed(event)
    if isinstance(event, Committed):
        return "throw", Sentence("The throw of {player} waits for a correction before it.", player=player(event.player))
    if isinstance(event, Finished) and event.by == "time":
        return "finish", Sentence("The agreed time ran out.")
    return _PLAIN[type(event)]


def _changed(event: Rejected | Reseated | MatchShared) -> Sentence:
    if isinstance(event, Rejected):
        return _put_aside(event)
    return _reseated(event) if isinstance(event, Reseated) else _shared(event)


def _put_aside(event: Rejected) -> Sentence:
    if not event.reason:
        return Sentence("A question was dismissed.")
    return Sentence("A question was dismissed: {reason}", reason=event.reason)


_DICE_BY: Final = {
    "program": Sentence("From now on the program throws."),
    "tapped": Sentence("From now on the players enter the faces of their dice."),
    "camera": Sentence("From now on the camera reads the dice."),
}
_MEN_BY: Final = {
    "tapped": Sentence("From now on the players tap in the moves."),
    "camera": Sentence("From now on the camera follows the men."),
}


def _reseated(event: Reseated) -> Sentence:
    """Say what changes: how the dice come, how the men are moved, or who sits there, as they are called then."""
    if event.dice_by:
        return _DICE_BY[event.dice_by]
    if event.men_by:
        return _MEN_BY[event.men_by]
    names = dict(enumerate(event.players, start=1))
    played = dict(zip(event.programs, event.strengths, strict=False))
    seats = (_seat(number, STRENGTHS.get(played.get(number, ""))) for number in names)
    return Sentence("At the table now: {seats}.", seats=Listing(seats)).named(names)


def _shared(event: MatchShared) -> Sentence:
    if not event.remote:
        return Sentence("From now on this table plays alone.")
    return Sentence("At another table from now on: {seats}.", seats=Listing(map(player, event.remote)))


def _seat(number: int, strength: Strength | None) -> Sentence:
    if strength is None:
        return player(number)
    return Sentence("{player} ({strength})", player=player(number), strength=strength.called)


def _correction(event: Corrected, about: Turn | None) -> Sentence:
    """Say what a correction did, to which throw or move, and why."""
    what, reason = _called(event.event, about), event.reason
    if event.way == "takeback":
        if not reason:
            return Sentence("{what} was taken back.", what=what)
        return Sentence("{what} was taken back: {reason}", what=what, reason=reason)
    if event.move is None:
        return Sentence("{what} was left out: {reason}", what=what, reason=reason)
    if about is not None and about.kind == "choice" and about.standing == "stands":  # its text is the new one
        whose = player(about.player)
        return Sentence(
            "A move of {player} was changed to {move}: {reason}", player=whose, move=about.text, reason=reason
        )
    if about is None or about.standing != "stands":
        return Sentence("{what} was changed: {reason}", what=what, reason=reason)
    return Sentence("{what} was changed to {move}: {reason}", what=what, move=about.text, reason=reason)


def _called(event: int, about: Turn | None) -> Sentence:
    if about is None:
        return Sentence("Event {event}", event=event)
    if about.kind == "choice":
        return Sentence("The move {move} of {player}", move=about.text, player=player(about.player))
    return Sentence("Throw {number} of {player}", number=about.number, player=player(about.player))


_PLAIN: dict[type, tuple[str, Sentence]] = {
    MatchStarted: ("started", Sentence("The match began.")),
    Paused: ("pause", Sentence("The match was paused.")),
    BoardSeated: ("board", Sentence("The position of the board was recognised.")),
    Resumed: ("resume", Sentence("The match continued.")),
    Finished: ("finish", Sentence("The match was ended by agreement.")),
}

"""What a page shows of match and camera, as plain JSON values: the page renders nothing that is not in here."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.desk.page.board import board_drawn
from companion.desk.page.family_page import PARTS, page_of
from companion.desk.sight import BoardSight, Sight
from companion.desk.table.dice_rests import asked_json
from companion.desk.table.program_turn import plays_now
from companion.desk.watched import Watched, watched
from companion.language.sentence import Sentence, player
from companion.referee.events import (
    BoardAsked,
    BoardObserved,
    BoardSeated,
    Committed,
    Corrected,
    Finished,
    MatchStarted,
    Observed,
    Paused,
    Proposed,
    Rejected,
    Resumed,
    sentence_from_json,
)
from companion.referee.journal import Entry
from companion.referee.match import Match
from companion.referee.replay import Turn
from companion.referee.seen import look_of
from companion.rules.dice import Throw, ThrowError
from companion.vision.source_names import PUSHED

Json = dict[str, Any]
LOG_LINES = 200


class MatchPage:
    """The part of a snapshot that changes only with the match; kept until it does."""

    def __init__(self, has_picture: Callable[[str], bool], watched: Callable[[Match], Watched] = watched) -> None:
        """``has_picture`` tells whether there is a picture of this name: after a restart those of before are gone.

        ``watched``: what the table's cameras watch of a match.
        """
        self._has_picture = has_picture
        self._watched = watched
        self._match: Match | None = None
        self._data: Json = {}
        self._lines: dict[int, tuple[object, Json]] = {}

    def of(self, match: Match | None) -> Json:
        """Return the match's part of a snapshot."""
        if match is not self._match or not self._data:
            self._match = match
            self._data = _nothing() if match is None else self._build(match)
        return self._data

    def _build(self, match: Match) -> Json:
        names = names_of(match)
        special = page_of(match.game)
        acquired, obtainable = special.progress(match)
        return {
            "match": {
                "id": match.id,
                "name": match.started.name,
                "game": match.started.game,
                "title": match.game.title,
                "options": dict(match.position.options),
                "paused": match.paused,
                "dice_by": match.started.dice_by,
                "watched": self._watched(match).anything,
                "dice_sets": list(match.start.awaits.dice_sets),
                "players": players_part(match, names),
                "throws": match.play.throws,
                "acquired": acquired,
                "of": obtainable,
                "rules_changed": _said(match.rules_changed, names),
            },
            "awaits": awaits_part(match, names),
            "throw": self._pictured(_last_throw(match, names)),
            "ask": self._asked(match),
            "choices": _choices(match),
            "take_back": _take_back(match),
            "undo": _undo(match),
            "drawn": special.drawn(match),
            "board": board_drawn(match),
            **special.parts(match),
            "log": self._log(match, names),
            "outcome": outcome_part(match, names),
        }

    def _pictured(self, data: Json | None) -> Json | None:
        if data is None or (data["crop"] is not None and self._has_picture(data["crop"])):
            return data
        return {**data, "crop": None}

    def _asked(self, match: Match) -> Json | None:
        if match.question is None:
            return None
        data = asked_json(match.question)
        return {**data, "dice": [self._pictured(die) for die in data["dice"]]}

    def _log(self, match: Match, names: Mapping[int, str]) -> list[Json]:
        turns = {turn.event: turn for turn in match.history}
        lines: list[Json] = []
        for entry in reversed(match.entries):
            if len(lines) == LOG_LINES:
                break
            if isinstance(entry.event, Observed | Proposed | BoardObserved | BoardAsked):
                continue
            what: object = turns.get(entry.number, entry)
            kept = self._lines.get(entry.number)
            if kept is None or kept[0] is not what:
                about = turns.get(entry.event.event) if isinstance(entry.event, Corrected) else None
                line = log_line(entry, turns.get(entry.number), names, about)
                kept = self._lines[entry.number] = (what, line)
            lines.append(kept[1])
        if len(self._lines) > 2 * LOG_LINES:
            shown = {line["event"] for line in lines}
            self._lines = {event: kept for event, kept in self._lines.items() if event in shown}
        return lines[::-1]


def camera_part(sight: Sight, *, watches: bool = True) -> Json:
    """Return the camera's part of a snapshot; a camera that sees says how light or focus have drifted.

    ``watches``: whether it watches the open match; else it is only said how the camera itself is.
    """
    part = _dice_camera(sight) if sight.source is not None or sight.board is None else _board_camera(sight.board)
    unseen = {} if watches else {"hand": False, "phase": None, "picture": None, "warning": None}
    return part | unseen | {"telephone": part["source"] == PUSHED["phone"]}


def _dice_camera(sight: Sight) -> Json:
    drift = sight.rest.reading.drift if sight.rest is not None and sight.status == "LIVE" else None
    return {
        "source": sight.source,
        "status": sight.status,
        "sentence": (drift or sight.sentence).to_json(),
        "warning": None if drift is None else drift.to_json(),
        "hand": sight.hand,
        "phase": sight.phase,
        "picture": sight.picture,
    }


def _board_camera(board: BoardSight) -> Json:
    """Return the same of a camera that sees the board alone."""
    return {
        "source": board.source,
        "status": board.status,
        "sentence": (board.warning or board.sentence).to_json(),
        "warning": None if board.warning is None else board.warning.to_json(),
        "hand": board.hand,
        "phase": board.phase,
        "picture": board.picture,
    }


def said_to(match: Match | None, sentence: Sentence) -> Sentence:
    """Return a sentence with the players of the open match called by name."""
    return sentence if match is None else sentence.named(names_of(match))


def reading_part(match: Match | None, sight: Sight) -> Json | None:
    """Return what the camera sees now and has not been committed, with what it points to."""
    if sight.rest is None or sight.status != "LIVE" or sight.phase != "still":
        return None
    reading = sight.rest.reading
    shown = {die.die: die.face for die in reading.dice if die.status == "read" and die.die and die.face}
    prospects = None
    if match is not None and not match.over and not match.paused and reading.dice:
        try:
            prospects = page_of(match.game).prospects(match, Throw.of(reading.dice[0].set_name, shown))
        except ThrowError:
            prospects = None
    return {
        "dice": [die.to_json() for die in reading.dice],
        "status": reading.status,
        "reason": reading.reason,
        "prospects": prospects,
    }


def _nothing() -> Json:
    said = Sentence("Begin a new match, or resume one.")
    return {
        "match": None,
        "awaits": {"kind": "over", "player": 0, "by_program": False, "sentence": said.to_json()}
        | {"dice_sets": [], "dice": []},
        "throw": None,
        "ask": None,
        "choices": [],
        "take_back": None,
        "undo": None,
        "drawn": None,
        "board": None,
        **PARTS,
        "log": [],
        "outcome": None,
    }


def names_of(match: Match) -> dict[int, str]:
    """Return the players' names by their numbers."""
    return dict(enumerate(match.started.players, start=1))


def _said(sentence: Sentence | None, names: Mapping[int, str]) -> Json | None:
    return None if sentence is None else sentence.named(names).to_json()


def awaits_part(match: Match, names: Mapping[int, str]) -> Json:
    """Return what the match waits for."""
    waits = match.position.awaits
    over = match.over
    return {
        "kind": "over" if over else waits.kind,
        "player": waits.player,
        "by_program": plays_now(match),
        "sentence": _said(Sentence("The match is over.") if over else waits.sentence, names),
        "dice_sets": list(waits.dice_sets),
        "dice": list(waits.dice),
    }


def _choices(match: Match) -> list[Json]:
    """Return what may be chosen now; while a throw is awaited nothing is, but for calls that have their own button."""
    if match.over or match.position.awaits.kind != "choice" or plays_now(match):
        return []
    position = match.position
    return [{"text": position.text(choice), "choice": choice.to_json()} for choice in position.listed_choices()]


def _take_back(match: Match) -> Json | None:
    last = match.last_choice
    if last is None or match.finished is not None or match.paused or match.misfit is not None:
        return None
    if last.player in match.started.programs:
        return None
    return {"event": last.event, "player": last.player, "text": last.text}


def _undo(match: Match) -> Json | None:
    """Return what was played last and may be undone; ``anyone``: without a correction, which is the owner's."""
    last = match.last
    if last is None or match.finished is not None or match.paused or match.misfit is not None or match.question:
        return None
    choice = match.last_choice
    return {
        "event": last.event,
        "number": last.number,
        "player": last.player,
        "kind": last.kind,
        "text": last.text,
        "anyone": choice is not None and choice.event == last.event,
    }


def _last_throw(match: Match, names: Mapping[int, str]) -> Json | None:
    turn = next((t for t in reversed(match.history) if t.standing == "stands" and isinstance(t.move, Throw)), None)
    if turn is None or turn.account is None:
        return None
    shown = match.last_throw
    dice = _dice_behind(match, turn)
    return {
        "event": turn.event,
        "number": turn.number,
        "player": turn.player,
        "kind": turn.kind,
        "set": None if shown is None else shown.set_name,
        "faces": dict(shown.shown) if shown is not None else {},
        "sentence": _said(turn.account.sentence, names),
        "details": dict(turn.account.details),
        "by": turn.by,
        "dice": dice,
        "crop": f"crop-{turn.event}" if dice else None,
        "corrected": turn.corrected,
    }


def _dice_behind(match: Match, turn: Turn) -> list[Json]:
    """Return the dice as they were seen for this throw: by the look that led to it, or in the question it answers."""
    commit = match.commit_of(turn.event)
    if commit is None:
        return []
    if commit.proposed >= turn.event:
        return []
    if commit.proposed:
        asked = match.entries[commit.proposed - 1].event
        return list(asked.dice) if isinstance(asked, Proposed) else []
    look = look_of(match.entries[turn.event - 1], match.entries)
    return list(look.event.dice) if look is not None and isinstance(look.event, Observed) else []


def outcome_part(match: Match, names: Mapping[int, str]) -> Json | None:
    """Return how the match ended, None while it goes on."""
    outcome = match.outcome
    if outcome is None:
        return None
    return {
        "winners": list(outcome.winners),
        "tie": outcome.tie,
        "why": _said(outcome.why, names),
        "teacher": list(outcome.details.get("teacher", [])),
        "pupils": list(outcome.details.get("pupils", [])),
    }


def players_part(match: Match, names: Mapping[int, str]) -> list[Json]:
    """Return the players with their scores."""
    special, scores = page_of(match.game), match.position.scores()
    return [
        {
            "number": number,
            "name": name,
            "score": scores[number],
            "colour": number,
            "program": number in match.started.programs,
        }
        | special.of_player(match, number)
        for number, name in names.items()
    ]


def log_line(entry: Entry, turn: Turn | None, names: Mapping[int, str], about: Turn | None = None) -> Json:
    """Return one event as a log shows it; ``turn``: the commit as it counts, ``about``: the one that was corrected."""
    number, who, kind, move, corrected = None, None, str(entry.event.kind), "", False
    if turn is not None:
        text = turn.account.sentence if turn.account is not None else turn.why or Sentence("It does not count.")
        number = None if turn.kind == "choice" else turn.number
        who, kind, move, corrected = turn.player, turn.kind, turn.text, turn.corrected
    else:
        kind, text = _told(entry, about)
    return {
        "event": entry.number,
        "at": entry.at,
        "actor": entry.actor,
        "number": number,
        "player": who,
        "text": _said(text, names),
        "move": move,
        "kind": kind,
        "corrected": corrected,
        "standing": turn.standing if turn is not None else None,
    }


def _told(entry: Entry, about: Turn | None) -> tuple[str, Sentence]:
    event = entry.event
    if isinstance(event, Corrected):
        return "correction", _correction(event, about)
    if isinstance(event, Proposed | BoardAsked):
        return "question", sentence_from_json(event.sentence)
    if isinstance(event, Rejected):
        return "rejected", _put_aside(event)
    if isinstance(event, Committed):
        return "throw", Sentence("The throw of {player} waits for a correction before it.", player=player(event.player))
    if isinstance(event, Finished) and event.by == "time":
        return "finish", Sentence("The agreed time was up.")
    return _PLAIN[type(event)]


def _put_aside(event: Rejected) -> Sentence:
    if not event.reason:
        return Sentence("A question was put aside.")
    return Sentence("A question was put aside: {reason}", reason=event.reason)


def _correction(event: Corrected, about: Turn | None) -> Sentence:
    """Say what a correction did: to which throw or move, what, and why."""
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
    BoardSeated: ("board", Sentence("It was seen how the board lies.")),
    Resumed: ("resume", Sentence("The match went on.")),
    Finished: ("finish", Sentence("The match was ended by agreement.")),
}

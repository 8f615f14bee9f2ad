"""What a page shows of a match, as plain JSON values. The page renders nothing else."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.desk.page.board import board_drawn
from companion.desk.page.family_page import PARTS, page_of
from companion.desk.page.log import log_line, thrown
from companion.desk.page.names import named_json, names_of
from companion.desk.shapes.match import (
    AskShape,
    AwaitsShape,
    ChoiceShape,
    MatchLineShape,
    MatchPartShape,
    OutcomeShape,
    PlayerShape,
    ThrowShape,
    UndoShape,
)
from companion.desk.table.dice_judge import asked_json
from companion.desk.table.program_turn import plays_now
from companion.desk.watched import Watched, watched
from companion.language.sentence import Sentence, SentenceJson
from companion.referee.events import (
    DEMO,
    BoardAsked,
    BoardObserved,
    Corrected,
    JointDice,
    Observed,
    Proposed,
)
from companion.referee.match import Match
from companion.referee.replay import Turn
from companion.referee.seen import observation_of
from companion.referee.shared_log import made_by, throws_unseen, waits_for_remote
from companion.rules.dice import Throw

LOG_LINES = 200


class MatchPage:
    """The part of a snapshot that changes only with the match; kept until the match changes."""

    def __init__(self, has_picture: Callable[[str], bool], watched: Callable[[Match], Watched] = watched) -> None:
        """``has_picture`` tells whether a picture of this name exists: a restart loses the earlier ones.

        ``watched``: what the table's cameras watch of a match.
        """
        self._has_picture = has_picture
        self._watched = watched
        self._match: Match | None = None
        self._data: MatchPartShape | None = None
        self._names: dict[int, str] = {}
        self._lines: dict[int, tuple[object, MatchLineShape]] = {}

    def of(self, match: Match | None) -> MatchPartShape:
        """Return the match's part of a snapshot."""
        if match is not self._match or self._data is None:
            self._match = match
            self._data = _nothing() if match is None else self._build(match)
        return self._data

    def _build(self, match: Match) -> MatchPartShape:
        names = names_of(match)
        if names != self._names:
            self._names, self._lines = names, {}  # the kept lines call the players by their old names
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
                "men_by": match.started.men_by,
                "demo": match.started.sample == DEMO,
                "watched": self._watched(match).anything,
                "dice_sets": list(match.dice_sets),
                "players": players_part(match, names),
                "throws": match.play.throws,
                "acquired": acquired,
                "of": obtainable,
                "goal": match.position.goal,
                "rules_changed": named_json(match.rules_changed, names),
            },
            "awaits": awaits_part(match, names),
            "news": _news(match, names),
            "throw": self._last_throw(match, names),
            "ask": self._asked(match),
            "choices": _choices(match),
            "undo": _undo(match),
            "drawn": special.drawn(match),
            "board": board_drawn(match),
            **special.parts(match),
            "log": self._log(match, names),
            "outcome": outcome_part(match, names),
        }

    def _kept(self, crop: str | None) -> str | None:
        """Return the name of a picture that exists, else None."""
        return crop if crop is not None and self._has_picture(crop) else None

    def _last_throw(self, match: Match, names: Mapping[int, str]) -> ThrowShape | None:
        throw = _last_throw(match, names)
        return None if throw is None else {**throw, "crop": self._kept(throw["crop"])}

    def _asked(self, match: Match) -> AskShape | None:
        if match.question is None:
            return None
        asked = asked_json(match.question)
        return {**asked, "dice": [{**die, "crop": self._kept(die["crop"])} for die in asked["dice"]]}

    def _log(self, match: Match, names: Mapping[int, str]) -> list[MatchLineShape]:
        turns = {turn.event: turn for turn in match.history}
        lines: list[MatchLineShape] = []
        for entry in reversed(match.entries):
            if len(lines) == LOG_LINES:
                break
            if isinstance(entry.event, Observed | Proposed | BoardObserved | BoardAsked | JointDice):
                continue
            what: object = turns.get(entry.number, entry)
            kept = self._lines.get(entry.number)
            if kept is None or kept[0] is not what:
                about = turns.get(entry.event.event) if isinstance(entry.event, Corrected) else None
                turn = turns.get(entry.number)
                line: MatchLineShape = {**log_line(entry, turn, names, about), **thrown(turn)}
                kept = self._lines[entry.number] = (what, line)
            lines.append(kept[1])
        if len(self._lines) > 2 * LOG_LINES:
            shown = {line["event"] for line in lines}
            self._lines = {event: kept for event, kept in self._lines.items() if event in shown}
        return lines[::-1]


def _nothing() -> MatchPartShape:
    sentence = Sentence("Begin a new match, or resume one.")
    return {
        "match": None,
        "awaits": {
            "kind": "over",
            "player": 0,
            "by_program": False,
            "remote": False,
            "sentence": sentence.to_json(),
            "dice_sets": [],
            "dice": [],
        },
        "news": None,
        "throw": None,
        "ask": None,
        "choices": [],
        "undo": None,
        "drawn": None,
        "board": None,
        **PARTS,
        "log": [],
        "outcome": None,
    }


UNSEEN: Final = Sentence(
    "Throw your dice too, unseen by the other table, and tap what they show: both throws count together."
)


def awaits_part(match: Match, names: Mapping[int, str]) -> AwaitsShape:
    """Return what the match waits for."""
    waits = match.position.awaits
    over, unseen = match.over, throws_unseen(match)
    sentence = Sentence("The match is over.") if over else UNSEEN if unseen else waits.sentence
    away = waits_for_remote(match) and not unseen
    return {
        "kind": "over" if over else waits.kind,
        "player": waits.player,
        "by_program": plays_now(match) or away,
        "remote": away,
        "sentence": sentence.named(names).to_json(),
        "dice_sets": list(waits.dice_sets),
        "dice": list(waits.dice),
    }


def _choices(match: Match) -> list[ChoiceShape]:
    """Return the choices possible now: none while a throw is awaited; the calls open then have their own buttons."""
    if match.over or match.position.awaits.kind != "choice" or plays_now(match) or waits_for_remote(match):
        return []
    position = match.position
    return [{"text": position.text(choice), "choice": choice.to_json()} for choice in position.listed_choices()]


def _undo(match: Match) -> UndoShape | None:
    """Return what a person may undo now.

    Throws of the program are not among it: nobody can have entered them wrongly, and nobody shall throw twice.
    """
    if match.over or match.paused or match.misfit is not None or match.question or waits_for_remote(match):
        return None
    answered, last = match.answered, match.last
    turn = answered[0] if answered else last
    others = (*match.started.programs, *(() if match.shared is None else match.shared.remote))
    if turn is None or turn.by == "program" or turn.player in others:
        return None
    own = [one for one in answered if one.player == turn.player and one.kind == "choice"] or [turn]
    return {
        "event": turn.event,
        "number": turn.number,
        "player": turn.player,
        "kind": turn.kind,
        "text": ", ".join(one.text for one in own),
        "anyone": turn.kind == "choice",
        "answered": bool(answered),
        "seen": turn.by == "camera",
    }


def _news(match: Match, names: Mapping[int, str]) -> SentenceJson | None:
    """Return what the last throw or choice changed, in few words."""
    accounts = (turn.account for turn in reversed(match.history) if turn.standing == "stands")
    news = next((account for account in accounts if account is not None and not account.silent), None)
    return None if news is None else news.headline.named(names).to_json()


def _last_throw(match: Match, names: Mapping[int, str]) -> ThrowShape | None:
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
        "sentence": turn.account.sentence.named(names).to_json(),
        "details": dict(turn.account.details),
        "by": made_by(match, turn.by),
        "dice": dice,
        "crop": f"crop-{turn.event}" if dice else None,
        "corrected": turn.corrected,
    }


def _dice_behind(match: Match, turn: Turn) -> list[Mapping[str, Any]]:
    """Return the dice as seen for this throw: by the observation that led to it, or in the question that it answers."""
    commit = match.commit_of(turn.event)
    if commit is None:
        return []
    if commit.proposed >= turn.event:
        return []
    if commit.proposed:
        asked = match.entries[commit.proposed - 1].event
        return list(asked.dice) if isinstance(asked, Proposed) else []
    observed = observation_of(match.entries[turn.event - 1], match.entries)
    return list(observed.event.dice) if observed is not None and isinstance(observed.event, Observed) else []


def outcome_part(match: Match, names: Mapping[int, str]) -> OutcomeShape | None:
    """Return how the match ended, None while it goes on."""
    outcome = match.outcome
    if outcome is None:
        return None
    return {
        "winners": list(outcome.winners),
        "tie": outcome.tie,
        "why": outcome.why.named(names).to_json(),
        "teacher": list(outcome.details.get("teacher", [])),
        "pupils": list(outcome.details.get("pupils", [])),
    }


def players_part(match: Match, names: Mapping[int, str]) -> list[PlayerShape]:
    """Return the players with their scores."""
    special, scores = page_of(match.game), match.position.scores()
    return [
        {
            "number": number,
            "name": name,
            "score": scores[number],
            "colour": number,
            "program": number in match.started.programs,
            "strength": match.started.programs_strengths.get(number, ""),
            **special.of_player(match, number),
        }
        for number, name in names.items()
    ]

"""A match in review: every event with the board after it, and the evidence about a disputed one."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from companion.desk.page.board import board_drawn
from companion.desk.page.board_camera import seen_board
from companion.desk.page.family_page import page_of
from companion.desk.page.log import log_line, thrown
from companion.desk.page.match import awaits_part, outcome_part, players_part
from companion.desk.page.names import names_of
from companion.desk.page.worksheet import Worksheet, worksheet
from companion.language.sentence import Sentence, why_of
from companion.referee.board.kept import KeptReadingError, reading_kept
from companion.referee.board.results import Candidate
from companion.referee.chronicle import Chronicle, Moment
from companion.referee.events import BoardAsked, BoardObserved, Committed, Corrected, Observed, Proposed
from companion.referee.journal import Entry
from companion.referee.line import line_of
from companion.referee.replay import Turn
from companion.referee.shared_log import made_by
from companion.rules.dice import Throw, ThrowError
from companion.rules.errors import GameError
from companion.rules.game import Position

Json = dict[str, Any]

MOST_LINES: Final = 200
"""Most lines of a match in one answer."""

HINT_SECONDS: Final = 3.0
"""The longest that a page waits for a hint: then it gets what was found until then."""

ANALYSIS_SECONDS: Final = 1.0
"""About how long one request analyses a match: a page shows how far it is, and may stop."""

LONGEST_CLAIM: Final = 120
"""Characters of a move that somebody claims was played."""


def hint_part(position: Position) -> Json:
    """Return the best turn now with its reasons, and what others lose; it takes up to `HINT_SECONDS`."""
    from companion.players.hints import hint_of  # noqa: PLC0415  (players load slowly)
    from companion.players.thinking import thorough  # noqa: PLC0415  (likewise)

    hint = hint_of(position, replace(thorough(), seconds=HINT_SECONDS))
    steps: list[Json] = []
    for choice in hint.choices:
        arrows = [arrow.to_json() for arrow in Candidate((choice,), position, 0.0).arrows]
        steps.append({"choice": choice.to_json(), "text": position.text(choice), "arrows": arrows})
        position = position.applied(choice)
    return {"sentences": [sentence.to_json() for sentence in hint.sentences], "steps": steps}


class MatchReview:
    """One match as pages review it. Returns plain JSON values and changes nothing."""

    def __init__(self, chronicle: Chronicle, has_picture: Callable[[str], bool]) -> None:
        """``has_picture`` tells whether the picture with this SHA-256 exists."""
        self._chronicle = chronicle
        self._has_picture = has_picture
        self._names = names_of(chronicle.whole)
        self._now = {turn.event: turn for turn in chronicle.whole.history}
        self._corrected: dict[int, list[Entry]] = {}
        for entry in chronicle.whole.entries:
            if isinstance(entry.event, Corrected):
                for event in {entry.event.event, *entry.event.drops}:
                    self._corrected.setdefault(event, []).append(entry)

    @property
    def count(self) -> int:
        """The number of moments; they are numbered from 1."""
        return len(self._chronicle.moments)

    @property
    def stands(self) -> str:
        """What names the match as it stands, and no other: the hash of its last event."""
        return self._chronicle.whole.entries[-1].hash

    def head(self) -> Json:
        """Return what the match is."""
        from companion.players.analysis import can_be_analysed  # noqa: PLC0415  (players load slowly)

        match = self._chronicle.whole
        return {
            "id": match.id,
            "name": match.started.name,
            "game": match.started.game,
            "title": match.game.title,
            "analysed": can_be_analysed(match.start),
            "as_file": match.game.as_file(match.start, (), {1: "", 2: ""}) is not None,
            "men": bool(match.game.board.sites) and not match.game.board.holds_tokens,
            "players": players_part(match, self._names),
            "dice_sets": list(match.dice_sets),
            "count": self.count,
            "began": match.entries[0].at,
            "last": match.entries[-1].at,
            "over": match.over,
            "paused": match.paused,
            "sample": bool(match.started.sample),
            "outcome": outcome_part(match, self._names),
        }

    def as_file(self) -> str | None:
        """Return the match as a file that other programs of its game read, None where there is no such file.

        Raises:
            BrokenLineError: its moves do not follow one another.
        """
        match = self._chronicle.whole
        moves = [turn.move for turn in line_of(match) if turn.move is not None]
        return match.game.as_file(match.start, moves, self._names)

    def turns(self) -> Sequence[Turn]:
        """Return every throw and choice that counts, in order.

        Raises:
            BrokenLineError: they do not follow one another.
        """
        return line_of(self._chronicle.whole)

    def worksheet(self) -> Worksheet:
        """Return what the dice of the match showed beside the odds, with tasks for a class."""
        return worksheet(self._chronicle.whole)

    def hint(self) -> Json:
        """Return the best turn now, as `hint_part` does."""
        return hint_part(self._chronicle.whole.position)

    def analysed(self, first: int) -> Json:
        """Analyse the match from move ``first`` on, for about `ANALYSIS_SECONDS`: moves, and where to go on, if any.

        Raises:
            BrokenLineError: its moves do not follow one another.
            AnalysisError: its game has no chances to speak of, or not two sides.
        """
        from companion.players.analysis import analysed_moves, following  # noqa: PLC0415  (players load slowly)

        turns = line_of(self._chronicle.whole)
        moves = [turn.move for turn in turns if turn.move is not None]
        found: list[Json] = []
        start, end = turns[0].at, time.monotonic() + ANALYSIS_SECONDS
        after = None
        for one in analysed_moves(start, moves, first=first):
            line = {**one.to_json(), "why": [reason.to_json() for reason in one.why]}
            found.append({**line, "moment": self._chronicle.number_of(turns[one.number].event)})
            if time.monotonic() >= end:
                after = following(one, start, moves)
                break
        return {"moves": found, "count": len(moves), "next": after}

    def lines(self, first: int, count: int) -> list[Json]:
        """Return up to ``count`` events from number ``first`` on, without their boards; at most `MOST_LINES`."""
        start = max(1, first)
        shown = self._chronicle.moments[start - 1 : start - 1 + max(0, min(count, MOST_LINES))]
        return [self._line(number, moment) for number, moment in enumerate(shown, start=start)]

    def moment(self, number: int) -> Json | None:
        """Return one event and the board after it, as a page draws it; None where no moment has this number."""
        if not 1 <= number <= self.count:
            return None
        moment = self._chronicle.moments[number - 1]
        match = moment.match
        special = page_of(match.game)
        acquired, obtainable = special.progress(match)
        return {
            **self._line(number, moment),
            "count": self.count,
            "state": {
                "match": {
                    "id": match.id,
                    "game": match.started.game,
                    "title": match.game.title,
                    "players": players_part(match, self._names),
                    "throws": match.play.throws,
                    "acquired": acquired,
                    "of": obtainable,
                    "paused": match.paused,
                    "dice_sets": list(match.dice_sets),
                },
                "awaits": awaits_part(match, self._names),
                "throw": _thrown(moment),
                "board": board_drawn(match),
                "drawn": special.drawn(match),
                "virtues": special.parts(match)["virtues"],
                "outcome": outcome_part(match, self._names),
            },
        }

    def evidence(self, event: int) -> Json | None:
        """Return the evidence about a disputed event: what was seen, what was asked, what followed.

        None where there is no such event, or only one that a person would not know of.
        """
        moment = self._chronicle.at(event)
        if moment is None:
            return None
        number = self._chronicle.number_of(event) or 1
        seen, before = self._chronicle.evidence_of(event)
        made = moment.entry.event
        asked = made.proposed if isinstance(made, Committed) else 0
        return {
            **self._line(number, moment),
            "by": made_by(self._chronicle.whole, made.by) if isinstance(made, Committed) else None,
            **thrown(self._now.get(event)),
            "correctable": isinstance(made, Committed),
            "asked": self._asked(asked) or self._asked(event),
            "seen": None if seen is None else self._seen(seen, moment),
            "pictures": [self._picture("before", before), self._picture("after", seen)] if seen is not None else [],
        }

    def claim(self, event: int, text: str) -> Json | None:
        """Judge by the rules a throw or choice, typed as a player would, in place of the committed one.

        None where the event is no commit. If ``allowed``, the result has ``faces`` or ``choice``, as a correction takes
        them.
        """
        moment = self._chronicle.at(event)
        if moment is None or moment.turn is None or not isinstance(moment.entry.event, Committed):
            return None
        before = moment.turn.before
        if before is None:
            sentence = Sentence("It does not fit there, so nothing else can be judged in its place.")
            return {"allowed": False, "sentence": sentence.to_json()}
        try:
            move = before.parse(text.strip()[:LONGEST_CLAIM])
            why = before.why_not(move)
        except (GameError, ThrowError) as error:
            return {"allowed": False, "sentence": why_of(error).named(self._names).to_json()}
        if why is not None:
            return {"allowed": False, "sentence": why.named(self._names).to_json()}
        sentence = before.account(move).sentence.named(self._names)
        answer: Json = {"allowed": True, "sentence": sentence.to_json(), "text": before.text(move)}
        if isinstance(move, Throw):
            return {**answer, "set": move.set_name, "faces": dict(move.shown)}
        return {**answer, "choice": move.to_json()}

    def _line(self, number: int, moment: Moment) -> Json:
        """Return an event as it was then, with what became of it ``since``."""
        entry = moment.entry
        made = entry.event
        about = self._now.get(made.event) if isinstance(made, Corrected) else None
        line = log_line(entry, moment.turn, self._names, about)
        now = self._now.get(entry.number)
        return {
            **line,
            "moment": number,
            "of": self._chronicle.number_of(made.event) if isinstance(made, Corrected) else None,
            "since": {
                "standing": None if now is None else now.standing,
                "move": None if now is None else now.text,
                "corrections": [
                    {
                        "event": one.number,
                        "at": one.at,
                        "actor": one.actor,
                        "way": one.event.way,
                        "reason": one.event.reason,
                    }
                    for one in self._corrected.get(entry.number, ())
                    if isinstance(one.event, Corrected)
                ],
            },
        }

    def _asked(self, event: int) -> Json | None:
        """Return the question with this event number and its possible answers, None where that event is no question."""
        entries = self._chronicle.whole.entries
        made = entries[event - 1].event if 0 < event <= len(entries) else None
        if not isinstance(made, Proposed | BoardAsked):
            return None
        answers = [
            str(candidate.get("text", "")) for candidate in (made.candidates if isinstance(made, BoardAsked) else ())
        ]
        return {"event": event, "sentence": dict(made.sentence), "answers": [text for text in answers if text]}

    def _seen(self, seen: Entry, moment: Moment) -> Json:
        shown = seen.event
        kept: Json = {"at": seen.at, "dice": [], "board": None, "unsure": []}
        if isinstance(shown, Observed):
            return {**kept, "dice": list(shown.dice), "status": shown.status, "reason": shown.reason}
        assert isinstance(shown, BoardObserved), "evidence is what a camera saw"
        seating = moment.match.board.seating
        try:
            reading = reading_kept(shown.seen)
        except KeptReadingError:
            return kept
        if seating is None:
            return kept
        drawn = {"name": moment.match.game.board.name, "men": seen_board(reading, seating)}
        unsure = [
            {"site": seating.site(name), "hidden": site.status == "hidden", "confidence": site.confidence}
            for name, site in reading.sites.items()
            if site.status != "read"
        ]
        return {**kept, "board": drawn, "seating": seating.to_json(), "unsure": unsure}

    def _picture(self, when: str, shown: Entry | None) -> Json:
        """Return an observation's picture by its name, which is None where the picture does not exist."""
        digest = shown.event.picture if shown is not None and isinstance(shown.event, Observed | BoardObserved) else ""
        return {
            "when": when,
            "name": digest if digest and self._has_picture(digest) else None,
            "at": None if shown is None else shown.at,
        }


def _thrown(moment: Moment) -> Json | None:
    """Return the dice on the table after this event."""
    thrown = moment.match.last_throw
    if thrown is None:
        return None
    turn = moment.turn
    details: Mapping[str, Any] = {}
    if turn is not None and isinstance(turn.move, Throw) and turn.account is not None:
        details = turn.account.details
    return {"set": thrown.set_name, "faces": dict(thrown.shown), "details": dict(details)}

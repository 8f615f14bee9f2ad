"""Whether a foreign event can be played here: what it refers to exists, and what it asks can be answered."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.language.sentence import Sentence, why_of
from companion.referee.events import (
    BoardAsked,
    BoardObserved,
    Committed,
    Corrected,
    MatchStarted,
    Proposed,
    Rejected,
    Reseated,
)
from companion.referee.journal import Entry
from companion.referee.match import Match
from companion.referee.seen import naming_its_observation, observation_of
from companion.rules.dice import Throw, ThrowError, dice_set, dice_sets
from companion.rules.errors import GameError


def why_unplayable(match: Match, entry: Entry) -> Sentence | None:
    """Say why an event cannot come next in this match, or None where it can.

    The program itself writes no such event. This function checks that a throw is a throw and a choice a choice of the
    game. Whether it fits, the replay of the match says.
    """
    why: Sentence | None = None
    match entry.event:
        case MatchStarted():
            why = Sentence("A match begins once, with its first event.")
        case Proposed() as asked:
            why = _player(match, asked.player) or _asked_dice(match, asked)
        case BoardAsked() as asked:
            why = _player(match, asked.player) or _asked_board(match, entry, asked)
        case Committed() as made:
            why = _player(match, made.player) or _moved(match, made.move, made.awaited)
            if why is None and made.proposed:
                why = _answered(match, made.proposed)
        case Rejected(proposed=question):
            why = _answered(match, question)
        case Corrected() as corrected:
            why = _corrected(match, corrected)
        case Reseated() as changed:
            why = _reseated(match, changed)
        case _:
            pass  # an observation, a pause and an end refer to nothing
    return why


def _answered(match: Match, number: int) -> Sentence | None:
    known = 0 < number <= len(match.entries)
    if known and isinstance(match.entries[number - 1].event, Proposed | BoardAsked):
        return None
    return Sentence("It answers event {event}, which is not a question.", event=number)


def _player(match: Match, number: int) -> Sentence | None:
    if 0 <= number <= len(match.started.players):
        return None
    return Sentence("It is about player {number}, whom the match does not have.", number=number)


def _reseated(match: Match, changed: Reseated) -> Sentence | None:
    seats, names = len(match.started.players), changed.players
    if names and (len(names) != seats or not all(names) or len(set(names)) != seats):
        return Sentence("Every player needs a name of their own.")
    return next(filter(None, (_player(match, number) for number in changed.programs)), None)


def _corrected(match: Match, corrected: Corrected) -> Sentence | None:
    for number in (corrected.event, *corrected.drops):
        if match.commit_of(number) is None:
            return Sentence("Event {event} is not a throw that could be corrected.", event=number)
    commit = match.commit_of(corrected.event)
    if commit is None or corrected.move is None:
        return None
    return _moved(match, corrected.move, commit.awaited)


def _moved(match: Match, data: Mapping[str, Any], awaited: str) -> Sentence | None:
    """Say why data is no throw of dice that there are, and no choice of the game, whatever rules it was played by."""
    try:
        move = match.start.move_from_json(data)
    except (GameError, ThrowError) as why:
        return why_of(why)
    if awaited not in (("throw", "recast") if isinstance(move, Throw) else ("choice",)):
        return Sentence("It holds a throw or a choice, but not what its field {field} says.", field="awaited")
    if isinstance(move, Throw) and move.to_json() != data:
        return Sentence("It holds more than a throw: {got}.", got=f"{data!r:.80}")
    return None


def _asked_dice(match: Match, asked: Proposed) -> Sentence | None:
    """Say why nobody could answer a question about dice: its dice are not of the match."""
    known = set(match.dice_sets) | set(match.position.awaits.dice_sets)
    for name in {str(die["set"]) for die in asked.dice}:
        if name not in known or name not in dice_sets():
            return Sentence("It asks about {set} dice, which this match does not use.", set=name)
    names = {die.name for name in known if name in dice_sets() for die in dice_set(name).dice}
    named = [*asked.suggestion, *(die["die"] for die in asked.dice if die.get("die")), *_lying(asked.arrangement)]
    for die in named:
        if die not in names:
            return Sentence("It asks about a die {die}, which this match does not have.", die=str(die))
    return None


def _lying(arrangement: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(die["die"]) for die in arrangement if die["die"]]


def _asked_board(match: Match, entry: Entry, asked: BoardAsked) -> Sentence | None:
    """Say why nobody can answer a question about the board: no observation precedes it, or none can be played."""
    observed = observation_of(naming_its_observation(entry, match.entries), match.entries)
    if observed is None or not isinstance(observed.event, BoardObserved):
        return Sentence("It asks about the board, but no reading of the board comes just before it.")
    if asked.about == "men":
        return None
    wanted = "seating" if asked.about == "seating" else "moves"
    for candidate in asked.candidates:
        if wanted not in candidate:
            return Sentence("One of its answers does not say what it means.")
        if wanted == "moves" and match.misfit is None and match.rules_changed is None:
            why = _unplayed(match, candidate["moves"])
            if why is not None:
                return why
    return None if asked.candidates else Sentence("It asks, but offers no answer.")


def _unplayed(match: Match, moves: Sequence[Mapping[str, Any]]) -> Sentence | None:
    position = match.position
    for data in moves:
        try:
            position = position.after(position.move_from_json(data))
        except (GameError, ThrowError) as why:
            return why_of(why)
    return None

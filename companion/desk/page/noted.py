"""Make a course of a match with notes, which asks what one would play."""

from collections.abc import Mapping, Sequence
from typing import Final

from companion.language.sentence import Sentence
from companion.lessons.course import THROW, Course, Goal, Step, turn_over
from companion.referee.replay import Turn
from companion.rules.dice import Throw
from companion.rules.errors import GameError

MOST_WORDS: Final = 35
"""As many words as a step of any course has."""

MOST_STEPS: Final = 20


def course_of(name: str, turns: Sequence[Turn], notes: Sequence[tuple[int, str]]) -> Course:
    """Return a course with a step for each note on the turn that holds an event, in the order of the notes.

    ``turns``: of a match, each beginning where the one before ended. ``name``: of the course.

    Raises:
        GameError: a note does not belong to a turn of men on a board, or has too many words; or there are too many.
    """
    if not 0 < len(notes) <= MOST_STEPS:
        raise GameError(Sentence("Expected 1 to {most} notes, but got {count}.", most=MOST_STEPS, count=len(notes)))
    steps = tuple(step_of_turn(turns, event, note) for event, note in notes)
    start = turns[0].at
    options: Mapping[str, object] = start.options
    return Course(name, Sentence("{name}", name=name), max(1, len(steps) // 2), steps, start.game.slug, options)


def step_of_turn(turns: Sequence[Turn], event: int, note: str) -> Step:
    """Return the step of one note.

    Raises:
        GameError: as for `course_of`.
    """
    if not note.strip() or len(note.split()) > MOST_WORDS:
        raise GameError(Sentence("Expected a note of 1 to {most} words.", most=MOST_WORDS))
    played = _whole(turns, event)
    start = played[0].at
    after = played[-1].at.after(played[-1].move) if played and played[-1].move is not None else start
    if not start.game.board.sites or start.game.board.holds_tokens or start.occupancy() == after.occupancy():
        raise GameError(Sentence("Event {event} moved no man, so there is no step to make of it.", event=event))
    player = played[-1].player
    there = after.occupancy()
    throws = tuple(turn.text for turn in played if isinstance(turn.move, Throw))
    line = tuple(THROW if isinstance(turn.move, Throw) else turn.text for turn in played)
    return Step(
        Sentence("What would you play here?"),
        start.awaits.sentence,
        start,
        throws,
        (),
        Goal(
            player, {site: there.get(site, {}) for site in (*there, *start.occupancy())}, ended=turn_over(after, player)
        ),
        (line,),
        (),
        Sentence("{note}", note=note.strip()),
        Sentence("In this match something else was played."),
        (),
    )


def _whole(turns: Sequence[Turn], event: int) -> Sequence[Turn]:
    """Return the turn that holds an event: its throw and all choices of the same player after it."""
    at = next((place for place, turn in enumerate(turns) if turn.event == event), None)
    if at is None:
        raise GameError(Sentence("Event {event} is neither a throw nor a move.", event=event))
    first = at
    while first and not isinstance(turns[first].move, Throw) and turns[first - 1].player == turns[at].player:
        first -= 1
    last = first
    while (
        last + 1 < len(turns)
        and turns[last + 1].player == turns[at].player
        and not isinstance(turns[last + 1].move, Throw)
    ):
        last += 1
    return turns[first : last + 1]

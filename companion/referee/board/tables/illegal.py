"""Which rule of a tables game forbids what was done: one man's way would explain what is seen, but is refused."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from companion.language.sentence import Sentence, player
from companion.referee.board.evidence import Evidence
from companion.referee.board.following import refused
from companion.referee.board.tables.search import search
from companion.referee.board.words import moved
from companion.rules.board import HAND, OFF
from companion.rules.game import Position
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Step, TurnDie


def why_not(position: TablesPosition, evidence: Evidence) -> Sentence | None:
    """Name the rule that forbids what is seen, if one man's way explains it; else None."""
    changed = moved(evidence, sorted(evidence.contradictions(evidence.agreed)))
    owners = {owner for _, owner in changed}
    if position.side not in owners and len(owners) == 1 and not position.over:
        return Sentence("It is the turn of {player}.", player=player(position.turn))
    left = [site for (site, owner), count in changed.items() if count < 0 and owner == position.side]
    come = [site for (site, owner), count in changed.items() if count > 0 and owner == position.side]
    if len(left) <= 1 and len(come) <= 1 and (left or come):
        start, end = (left or [HAND])[0], (come or [OFF])[0]
        if sentence := _one_man(position, start, end):
            return sentence
    near = search(position, evidence, slack=1).near
    for place in sorted(near, key=lambda near: -near.played):
        if (place.start or place.end) and (sentence := _one_man(place.position, place.start or HAND, place.end or OFF)):
            return sentence
    return None


def _one_man(position: TablesPosition, start: str, end: str) -> Sentence | None:
    """Say why one man cannot go from one place to another, with one die or with several in a row."""
    course = position.course
    places = {HAND: 0, **course.places, OFF: course.length + 1}
    if position.aside.turning:
        return next(
            (
                sentence
                for number in sorted(set(position.dice))
                if (sentence := _one_man(position.after(TurnDie(number)), start, end)) is not None
            ),
            None,
        )
    if start not in places or end not in places or not position.dice:
        return refused(position, Step(start, end, position.dice[0] if position.dice else 1))
    if end == OFF and course.bears and position.own & course.outside:
        return Sentence("Men may be borne off only when all men of the side are in the last table.")
    points = places[end] - places[start]
    if (end == OFF and points <= max(position.dice)) or points in position.dice or points <= 0:
        die = next((die for die in position.dice if die >= points), position.dice[-1])
        return refused(position, Step(start, end, die if points > 0 else 1))
    refusals = [
        sentence
        for dice in _sums(position.dice, points)
        if (sentence := _one_after_the_other(position, start, dice)) is not None
    ]
    if refusals:
        return refusals[0]
    return Sentence(
        "From {start} to {end} is {points} points, which the dice {dice} do not allow.",
        start=start,
        end=end,
        points=points,
        dice=", ".join(map(str, position.dice)),
    )


def _sums(dice: Sequence[int], points: int) -> Iterator[tuple[int, ...]]:
    for count in range(2, len(dice) + 1):
        yield from dict.fromkeys(some for some in permutations(dice, count) if sum(some) == points)


def _one_after_the_other(position: TablesPosition, start: str, dice: Sequence[int]) -> Sentence | None:
    """Say which of one man's steps is the first to be refused; None if none is."""
    here: Position = position
    track = position.course.track
    at = -1 if start == HAND else track.index(start)
    for die in dice:
        origin = HAND if at < 0 else track[at]
        at += die
        step = Step(origin, track[at] if at < len(track) else OFF, die)
        if (sentence := here.why_not(step)) is not None:
            return sentence
        here = here.after(step)
    return None

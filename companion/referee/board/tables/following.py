"""How to follow men of a tables game: a turn is played die by die, and no camera can see some of it."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from companion.language.sentence import Sentence, player
from companion.referee.board.evidence import Evidence
from companion.referee.board.following import Following, refused
from companion.referee.board.move_search import FoundMoves, Search
from companion.referee.board.standing import Stand, expected_board
from companion.referee.board.tables import search
from companion.referee.board.words import moved
from companion.rules.board import HAND, OFF
from companion.rules.dice import Throw
from companion.rules.game import Choice, Position
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Step, TurnDie


class _TablesFollowing(Following[TablesPosition]):
    def search(self, position: TablesPosition, evidence: Evidence, then: Sequence[Throw]) -> Search:
        """Return what fits of this turn; only if nothing fits, of the turns and dice after it."""
        searched = search.search(position, evidence)
        if not searched.found and not searched.full and (then or position.rules.to_opponent):
            searched = search.search(position, evidence, then, beyond=True)
        return Search([FoundMoves(way.moves, way.position, way.whole) for way in searched.found], searched.full)

    def unseen_remainder(self, position: TablesPosition) -> Sequence[Choice] | None:
        """Return the rest of a turn if no camera can see it: for example dice turned that nobody can use."""
        return search.unseen(position) if position.dice else None

    def overtaken(self, position: TablesPosition, evidence: Evidence) -> Search:
        """Return the whole turns after which men of the other side went on by as many dice as a turn has."""
        if not position.dice:
            return Search()
        dice = len(position.rules.thrown) + 1
        searched = search.search(position, evidence, unknown=dice)
        if searched.full:
            return Search(full=True)
        other = 3 - position.side
        likely = [way for way in searched.found if way.whole and _went_on(way.position, evidence, other, dice)]
        return Search([FoundMoves(way.moves, way.position) for way in likely])

    def why_not(self, position: TablesPosition, evidence: Evidence) -> Sentence | None:
        """Name the rule that forbids what is seen, if one man's way explains it; else None."""
        return why_not(position, evidence)


FOLLOWING = _TablesFollowing()


def _went_on(position: TablesPosition, evidence: Evidence, side: int, dice: int) -> bool:
    """Whether men of the other side who have gone forward since can explain everything left after a turn."""
    after = expected_board(position)
    wrong = evidence.contradictions(after)
    if not wrong or position.over or position.rules.sides[position.turn] != side:
        return False
    course = position.rules.courses[side - 1]
    pips = 0
    for site in wrong:
        was, seen = after.get(site), evidence.seen(site)
        now = seen.count if seen is not None and evidence.seating.owners.get(seen.colour) == side else 0
        stood = was.count if isinstance(was, Stand) and was.owner == side else 0
        if now == stood or site not in course.places:
            return False
        pips += (now - stood) * course.places[site]
    return 0 < pips <= 6 * dice


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
    near = search.search(position, evidence, slack=1).near
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

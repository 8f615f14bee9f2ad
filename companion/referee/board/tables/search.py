"""Which turns of a tables game lead to what is seen: followed die by die, and given up once they cannot.

A turn may have thousands of plays. But a step takes one man from one point and brings him to one. So the search follows
a way only while the men still missing or too many on the points seen are no more than the dice left to play.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from companion.referee.board.evidence import LEAST_POSSIBLE_CHANCE, Evidence
from companion.referee.board.standing import MOST_COUNTED, Stand
from companion.rules.dice import Throw
from companion.rules.game import Choice
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Step
from companion.rules.tables.points import POINTS
from companion.rules.tables.rulings import Men

MOST_MEN_ON_POINT = 15
MOST_FOLLOWED: Final = 6000
"""Most ways that one search follows; where it needs more, too little of the board is visible."""

MOST_FOUND: Final = 400


@dataclass(frozen=True)
class FoundTurn:
    """A position in a turn that fits what is seen: the moves to it, and whether the turn is over there."""

    moves: tuple[Throw | Choice, ...]
    position: TablesPosition
    whole: bool


@dataclass(frozen=True)
class Near:
    """A position in a turn from which one man's way explains the rest: from ``start`` to ``end``, "" if unseen."""

    position: TablesPosition
    start: str
    end: str
    played: int


@dataclass
class TurnSearch:
    """The results so far. ``full``: the search gave up because too many ways fit."""

    found: list[FoundTurn] = field(default_factory=list)
    near: list[Near] = field(default_factory=list)
    full: bool = False


class Astray(NamedTuple):
    """How far one side's men are from what is seen: at least so many must come and go; so many points do not fit."""

    come: int
    gone: int
    points: int


class Points:
    """How many men of each side can stand on each point according to the reading."""

    def __init__(self, evidence: Evidence) -> None:
        self.tables: dict[int, dict[str, tuple[Astray, ...]]] = {1: {}, 2: {}}
        for point in POINTS:
            fits = {side: _counts(evidence, point, side) for side in (1, 2)}
            empty = evidence.chance(point, None) >= LEAST_POSSIBLE_CHANCE
            for side in (1, 2):
                none = (0,) if empty or fits[3 - side] else ()
                self.tables[side][point] = _table((*none, *fits[side]) or (0,))

    def astray(self, counts: Sequence[tuple[str, int]], side: int) -> Astray:
        """Return how far the men of a side are from what is seen, over all points."""
        tables = self.tables[side]
        come = gone = points = 0
        for point, count in counts:
            up, down, wrong = tables[point][count]
            come += up
            gone += down
            points += wrong
        return Astray(come, gone, points)


def _counts(evidence: Evidence, point: str, side: int) -> tuple[int, ...]:
    """Return the numbers of men of a side that can stand on a point, if any can."""
    if side not in evidence.owners(point):
        return ()
    return tuple(
        count
        for count in range(1, MOST_MEN_ON_POINT + 1)
        if evidence.chance(point, Stand(side, count)) >= LEAST_POSSIBLE_CHANCE
    )


@lru_cache(maxsize=4096)
def _table(allowed: tuple[int, ...]) -> tuple[Astray, ...]:
    """Return for each number of men on a point how far it is from the allowed numbers."""
    return tuple(
        Astray(
            min(max(0, known - count) for known in allowed),
            min(max(0, count - known) for known in allowed),
            int(count not in allowed),
        )
        for count in range(MOST_MEN_ON_POINT + 1)
    )


def shown(position: TablesPosition, men: Men, side: int) -> list[tuple[str, int]]:
    """Return how many men of a side are visible on each point of its way; one for a pair that is not taken down."""
    course, packed = position.rules.courses[side - 1], men[side - 1]
    counts = [(point, packed >> 4 * place & MOST_MEN_ON_POINT) for point, place in course.places.items()]
    if stacked := course.stacked(packed):
        counts = [(point, min(1, count) if point in stacked else count) for point, count in counts]
    return counts


def search(
    position: TablesPosition,
    evidence: Evidence,
    then: Sequence[Throw] = (),
    *,
    beyond: bool = False,
    slack: int = 0,
    unknown: int = 0,
) -> TurnSearch:
    """Return every position of the turn, and of later turns with known throws, that fits what is seen.

    ``beyond``: also follow dice that go to the other side, and the throws ``then``. ``slack``: the number of men that
    may be astray; the search notes what comes near. ``unknown``: the number of unknown dice that the other side may
    have played since: its men may stand anywhere, and it may have hit as many.
    """
    walk = _TurnWalk(Points(evidence), slack, unknown, beyond or bool(then))
    walk.turns(position, tuple(then))
    return walk.search


@dataclass
class _TurnWalk:
    points: Points
    slack: int
    unknown: int
    beyond: bool
    search: TurnSearch = field(default_factory=TurnSearch)
    followed: int = 0
    seen: set[tuple[TablesPosition, int]] = field(default_factory=set)

    def turns(self, position: TablesPosition, then: tuple[Throw, ...]) -> None:
        """Follow this turn and those after it."""
        moves: tuple[Throw | Choice, ...] = ()
        while not position.dice and not position.over and then and position.why_not(then[0]) is None:
            moves, position, then = (*moves, then[0]), position.after(then[0]), then[1:]
        self._search(position, moves, whole=not position.dice, mover=position.side)
        if position.dice and not position.over:
            self.follow(position, moves, then)

    def follow(self, position: TablesPosition, moves: tuple[Throw | Choice, ...], then: tuple[Throw, ...]) -> None:
        """Follow every step from here."""
        later = sum(len(throw.shown) + 1 for throw in then) + self.unknown
        if self.beyond and position.rules.to_opponent:
            later += len(position.dice)
        side, course, left = position.side, position.course, len(position.dice) - 1
        for choice in position.legal():
            if self.followed >= MOST_FOLLOWED or len(self.search.found) >= MOST_FOUND:
                self.search.full = True
                return
            if isinstance(choice, Step):
                men = position.rules.step(position.men, side, *course.by_step[choice])
                if not self._possible(position, men, side, left, later):
                    continue
            after = position.after(choice)
            key = (after, len(then))
            if key in self.seen:
                continue
            self.seen.add(key)
            self.followed += 1
            way = (*moves, choice)
            if after.turn == position.turn and after.dice and not after.over:
                if isinstance(choice, Step):
                    self._search(after, way, whole=False, mover=side)
                self.follow(after, way, then)
                continue
            self._search(after, way, whole=True, mover=side)
            if self.beyond:
                self._next(after, way, then)

    def _next(self, position: TablesPosition, moves: tuple[Throw | Choice, ...], then: tuple[Throw, ...]) -> None:
        """Go on with the next turn if its dice are known."""
        if position.over:
            return
        while then and not position.dice and not position.over and position.why_not(then[0]) is None:
            moves, position, then = (*moves, then[0]), position.after(then[0]), then[1:]
        if position.dice and not position.over:
            self.follow(position, moves, then)

    def _possible(self, position: TablesPosition, men: Men, side: int, left: int, later: int) -> bool:
        """Whether the men can still come to what is seen with the dice left and later ones of the other side."""
        own = self.points.astray(shown(position, men, side), side)
        most = left + later + self.slack
        if own.come > most or own.gone > most or own.points > 2 * most:
            return False
        if later:
            return True
        other = self.points.astray(shown(position, men, 3 - side), 3 - side)
        return other.come <= self.slack and max(other.gone, other.points) <= left + self.slack

    def _search(self, position: TablesPosition, moves: tuple[Throw | Choice, ...], *, whole: bool, mover: int) -> None:
        """Note a position that fits, or one from which one man's way would."""
        standing = shown(position, position.men, mover)
        own = self.points.astray(standing, mover)
        other = self.points.astray(shown(position, position.men, 3 - mover), 3 - mover)
        if own.points == 0 and (self.unknown or other.points == 0):
            if moves:
                self.search.found.append(FoundTurn(moves, position, whole))
        elif self.slack and not whole and own.come <= 1 and own.gone <= 1 and own.points <= 2 and other.points <= 1:  # noqa: PLR2004 - from and to
            tables = self.points.tables[mover]
            start = next((point for point, count in standing if tables[point][count].gone), "")
            end = next((point for point, count in standing if tables[point][count].come), "")
            played = sum(isinstance(move, Step) for move in moves)
            self.search.near.append(Near(position, start, end, played))


def unseen(position: TablesPosition) -> tuple[Choice, ...] | None:
    """Return the remaining moves of a turn if they lead to only one position and no camera can see them; else None.

    The camera sees no man who goes from pile to pile or off a pile, and no die that is turned.
    """
    ends: dict[TablesPosition, tuple[Choice, ...]] = {}
    before = _separate_men(position)
    begun: list[tuple[TablesPosition, tuple[Choice, ...]]] = [(position, ())]
    while begun:
        here, way = begun.pop()
        for choice in here.legal():
            after = here.after(choice)
            if _separate_men(after) != before or len(ends) > 1:
                return None
            if after.turn == position.turn and after.dice and not after.over:
                begun.append((after, (*way, choice)))
            else:
                ends.setdefault(after, (*way, choice))
    return next(iter(ends.values())) if len(ends) == 1 else None


def _separate_men(position: TablesPosition) -> list[list[tuple[str, int]]]:
    """Return what is visible of both sides' men on the points: no more than lie separate."""
    return [
        [(point, min(count, MOST_COUNTED)) for point, count in shown(position, position.men, side) if count]
        for side in (1, 2)
    ]

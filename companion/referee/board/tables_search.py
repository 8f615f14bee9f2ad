"""Which turns of a tables game lead to what is seen: followed die by die, and given up as soon as they cannot.

A turn may have thousands of plays. But a step takes one man from one point and brings him to one, so a way is followed
only while the men that are still missing or too many on the points seen are no more than the dice still to be played.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.referee.board.evidence import POSSIBLE, Evidence
from companion.referee.board.standing import DOWN, Stand
from companion.rules.dice import Throw
from companion.rules.game import Choice
from companion.rules.tables import TablesPosition
from companion.rules.tables.choices import Step
from companion.rules.tables.points import POINTS
from companion.rules.tables.rulings import Men

MOST = 15
MOST_FOLLOWED: Final = 6000
"""Ways followed in one search; where more would be needed, too little of the board is seen."""

MOST_FOUND: Final = 400


@dataclass(frozen=True)
class Found:
    """A place in a turn that fits what is seen: the moves to it, and whether the turn is over there."""

    moves: tuple[Throw | Choice, ...]
    position: TablesPosition
    whole: bool


@dataclass(frozen=True)
class Near:
    """A place in a turn from which one man's way would explain the rest: from ``start`` to ``end``, "" if unseen."""

    position: TablesPosition
    start: str
    end: str
    played: int


@dataclass
class Search:
    """What was found so far. ``full``: the search was given up, for too many ways would do."""

    found: list[Found] = field(default_factory=list)
    near: list[Near] = field(default_factory=list)
    full: bool = False


class Points:
    """How many men of each side can stand on each point by what is seen: tables of what is missing and too many."""

    def __init__(self, evidence: Evidence) -> None:
        self.missing: dict[int, dict[str, tuple[int, ...]]] = {}
        self.surplus: dict[int, dict[str, tuple[int, ...]]] = {}
        empty = {point: evidence.chance(point, None) >= POSSIBLE for point in POINTS}
        fits = {
            side: {
                point: [count for count in range(1, MOST + 1) if evidence.chance(point, Stand(side, count)) >= POSSIBLE]
                for point in POINTS
            }
            for side in (1, 2)
        }
        for side in (1, 2):
            self.missing[side], self.surplus[side] = {}, {}
            for point in POINTS:
                none = empty[point] or bool(fits[3 - side][point])
                allowed = [*([0] if none else []), *fits[side][point]] or [0]
                self.missing[side][point] = tuple(_up(count, allowed) for count in range(MOST + 1))
                self.surplus[side][point] = tuple(_down(count, allowed) for count in range(MOST + 1))

    def astray(self, counts: Sequence[tuple[str, int]], side: int) -> tuple[int, int]:
        """Return how many men of a side are missing and how many are too many, over all points."""
        missing, surplus = self.missing[side], self.surplus[side]
        return (
            sum(missing[point][count] for point, count in counts),
            sum(surplus[point][count] for point, count in counts),
        )


def _up(count: int, allowed: Sequence[int]) -> int:
    """Return how many men must come for the nearest number allowed, 0 if it is as near to go down."""
    nearest = min(allowed, key=lambda known: (abs(known - count), known))
    return max(0, nearest - count)


def _down(count: int, allowed: Sequence[int]) -> int:
    nearest = min(allowed, key=lambda known: (abs(known - count), known))
    return max(0, count - nearest)


def shown(position: TablesPosition, men: Men, side: int) -> list[tuple[str, int]]:
    """Return how many men of a side can be seen on each point of its way; of a pair that is not taken down one."""
    course, packed = position.rules.courses[side - 1], men[side - 1]
    counts = [(point, packed >> 4 * place & MOST) for point, place in course.places.items()]
    if DOWN in course.further_keys:
        down = course.further(packed)[DOWN]
        counts = [(point, count if point in down else min(1, count)) for point, count in counts]
    return counts


def search(
    position: TablesPosition, evidence: Evidence, then: Sequence[Throw] = (), slack: int = 0, unknown: int = 0
) -> Search:
    """Return every place of the turn, and of the turns after it whose throws are known, that fits what is seen.

    ``slack``: so many men may be astray; then nothing is found but what is `Near`. ``unknown``: dice that the other
    side may have played since, nobody knows which: its men may stand anywhere, and it may have hit as many.
    """
    walk = _Walk(Points(evidence), slack, unknown)
    walk.turns(position, tuple(then))
    return walk.search


@dataclass
class _Walk:
    points: Points
    slack: int
    unknown: int
    search: Search = field(default_factory=Search)
    followed: int = 0
    seen: set[tuple[TablesPosition, int]] = field(default_factory=set)

    def turns(self, position: TablesPosition, then: tuple[Throw, ...]) -> None:
        """Follow this turn and those after it."""
        moves: tuple[Throw | Choice, ...] = ()
        while not position.dice and not position.over and then and position.why_not(then[0]) is None:
            moves, position, then = (*moves, then[0]), position.after(then[0]), then[1:]
        self._look(position, moves, whole=True, mover=position.side)
        if position.dice and not position.over:
            self.follow(position, moves, then)

    def follow(self, position: TablesPosition, moves: tuple[Throw | Choice, ...], then: tuple[Throw, ...]) -> None:
        """Follow every step from here."""
        later = sum(len(throw.shown) + 1 for throw in then) + self.unknown
        if position.rules.to_opponent:
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
                    self._look(after, way, whole=False, mover=side)
                self.follow(after, way, then)
                continue
            self._look(after, way, whole=True, mover=side)
            self._next(after, way, then)

    def _next(self, position: TablesPosition, moves: tuple[Throw | Choice, ...], then: tuple[Throw, ...]) -> None:
        """Go on with the turn after this one where its dice are known."""
        if position.over:
            return
        while then and not position.dice and not position.over and position.why_not(then[0]) is None:
            moves, position, then = (*moves, then[0]), position.after(then[0]), then[1:]
        if position.dice and not position.over:
            self.follow(position, moves, then)

    def _possible(self, position: TablesPosition, men: Men, side: int, left: int, later: int) -> bool:
        """Whether the men can still come to what is seen with so many dice left, and later ones of the other side."""
        missing, surplus = self.points.astray(shown(position, men, side), side)
        if missing > left + later + self.slack or surplus > left + later + self.slack:
            return False
        if later:
            return True
        come, gone = self.points.astray(shown(position, men, 3 - side), 3 - side)
        return come <= self.slack and gone <= left + self.slack

    def _look(self, position: TablesPosition, moves: tuple[Throw | Choice, ...], *, whole: bool, mover: int) -> None:
        """Note a place that fits, or one from which one man's way would."""
        missing, surplus = self.points.astray(shown(position, position.men, mover), mover)
        other = (0, 0) if self.unknown else self.points.astray(shown(position, position.men, 3 - mover), 3 - mover)
        if missing == surplus == 0 and other == (0, 0):
            if moves:
                self.search.found.append(Found(moves, position, whole))
        elif self.slack and missing <= 1 and surplus <= 1 and other[0] == 0 and other[1] <= 1:
            own = shown(position, position.men, mover)
            start = next((point for point, count in own if self.points.surplus[mover][point][count]), "")
            end = next((point for point, count in own if self.points.missing[mover][point][count]), "")
            played = sum(isinstance(move, Step) for move in moves)
            self.search.near.append(Near(position, start, end, played))

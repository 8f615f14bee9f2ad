"""One side's course round the board, and the arithmetic of its steps on men packed into one whole number.

A side's men are a number with four bits for each place, so a step is one addition, and all origins of a die are one
mask. Place 0 is the hand; 1 to 24 are the points in the order in which this side travels them; 25 counts the men borne
off; 26 counts how many of the men in hand were hit (only in games that begin with men in hand). A *bit* is the lowest
of a place's four bits. Of the other side, only the points that it holds matter to a step: they are ``shut``, in this
side's own order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.language.sentence import Sentence
from companion.rules.board import HAND, OFF
from companion.rules.errors import PositionFormatError
from companion.rules.tables.choices import Step
from companion.rules.tables.points import POINTS

COUNT_BITS = 4
HIT = "hit"
LARGEST_COUNT = 15
OFF_PLACE = 25
HIT_PLACE = 26
TABLE_POINTS = 6
DICE = range(1, 7)

HAND_BIT = 1
OFF_BIT = 1 << COUNT_BITS * OFF_PLACE
HIT_BIT = 1 << COUNT_BITS * HIT_PLACE
ALL_BITS = sum(1 << COUNT_BITS * place for place in range(OFF_PLACE))
"""The hand and every point."""


def bit_at(place: int) -> int:
    """Return the bit of a place."""
    return 1 << COUNT_BITS * place


@dataclass(frozen=True)
class MovementRules:
    """A variant's own rules on how men enter, move, stand and leave.

    ``counts_hits``: the game begins with men in hand, so it counts hit men separately. ``forced``: which men must enter
    before any other man moves: "hit" for hit men, "hand" for every man in hand, "none" for no man. ``pairing``: false
    if no second man may stand on a point in the first half of the course. ``start_shut``: the point on which no man
    enters again. ``entry_only``: men on the board stand still. ``still_home``: men in the last table move only by
    bearing off. ``most``: how many men of a side a point takes. ``goal``: "bear" if a side bears off its men, "home" if
    it wins with all men in the last table, "places" if points count in the end.
    """

    counts_hits: bool
    forced: str = "hit"
    pairing: bool = True
    start_shut: str = ""
    entry_only: bool = False
    still_home: bool = False
    most: int = LARGEST_COUNT
    goal: str = "bear"

    @property
    def bears(self) -> bool:
        """Whether a side bears off its men."""
        return self.goal == "bear"


class Course:
    """The points that one side travels, in order, with bit masks; ``men`` is the side's number of men.

    ``counts_pips``: whether the pips still to go tell how far a side is.
    """

    counts_pips = True

    def __init__(self, track: str, men: int, movement: MovementRules) -> None:
        self.track = track
        self.men = men
        self.movement = movement
        self.bears = movement.bears
        self.length = len(track)
        self.places = {point: place for place, point in enumerate(track, 1)}
        self.on_track = sum(bit_at(place) for place in self.places.values())
        self.home = sum(bit_at(place) for place in range(self.length - TABLE_POINTS + 1, self.length + 1))
        self.outside = LARGEST_COUNT * ((ALL_BITS & (self.on_track | HAND_BIT)) & ~self.home)
        self.beyond = sum(bit_at(self.length + past) for past in DICE)
        self.last = bit_at(self.length)
        self.single = 0 if movement.pairing else sum(bit_at(place) for place in range(1, self.length // 2 + 1))
        self.paired = self.on_track if movement.most == 2 else 0  # noqa: PLR2004 - the only limit that any source sets
        self.forced = {
            "none": 0,
            "hit": LARGEST_COUNT * (HIT_BIT if movement.counts_hits else HAND_BIT),
            "hand": LARGEST_COUNT,
        }[movement.forced]
        self.entry_shut = bit_at(self.places[movement.start_shut]) if movement.start_shut else 0
        movable = HAND_BIT if movement.entry_only else HAND_BIT | self.on_track
        self.movable = movable & ~self.home if movement.still_home else movable
        self.off_places = LARGEST_COUNT * OFF_BIT
        self.finish = men * OFF_BIT
        self.facing: dict[int, int] = {}
        self.facing_of: dict[tuple[int, int], int] = {}
        self.across: dict[int, int] = {}
        self.same_track = False
        self.taken = self._taken()
        self.steps: dict[int, dict[int, Step]] = {}
        self.by_step: dict[Step, tuple[int, int]] = {}
        for (bit, die), step in self._steps().items():
            self.steps.setdefault(bit, {})[die] = step
            self.by_step[step] = bit, die
        self.dice_of: dict[str, list[int]] = {}
        for step in sorted(self.by_step, key=lambda step: step.die):
            self.dice_of.setdefault(str(step), []).append(step.die)

    def _taken(self) -> dict[int, int]:
        """Return, for each point, the number that a hit there adds to the packed men."""
        counted = HIT_BIT if self.movement.counts_hits else 0
        return {bit_at(place): HAND_BIT + counted - bit_at(place) for place in self.places.values()}

    def _steps(self) -> dict[tuple[int, int], Step]:
        """Return every possible step by origin bit and die."""
        found = {}
        for place in range(self.length + 1):
            origin = self.track[place - 1] if place else HAND
            for die in DICE:
                to = self.track[place + die - 1] if place + die <= self.length else OFF
                if place or to != OFF:
                    found[bit_at(place), die] = Step(origin, to, die)
        return found

    def meet(self, other: "Course") -> None:
        """Note where the other side's points lie on this course."""
        shared = [point for point in self.track if point in other.places]
        self.facing = {bit_at(self.places[point]): bit_at(other.places[point]) for point in shared}
        self.across = {bit_at(place): 0 for place in other.places.values()}
        self.across.update({theirs: ours for ours, theirs in self.facing.items()})
        self.facing_of = {key: self.facing.get(self.landed(*key), 0) for key in self.by_step.values()}
        self.same_track = self.track == other.track

    def shut(self, foe: int) -> int:
        """Return the points of this course that the other side holds, and the bits past its end (no points)."""
        held = (foe >> 1 | foe >> 2 | foe >> 3) & ALL_BITS & ~HAND_BIT
        if self.same_track:
            return held | self.beyond
        found = self.beyond
        across = self.across
        while held:
            bit = held & -held
            found |= across[bit]
            held ^= bit
        return found

    def origins(self, men: int, shut: int, die: int) -> int:
        """Return the bits from which a man may go with a die, regardless of the turn's duty."""
        pairs = men | men >> 1
        stands = (pairs | pairs >> 2) & ALL_BITS
        if self.single:
            shut |= stands & self.single
        if self.paired:
            shut |= (men >> 1 | men >> 2 | men >> 3) & self.paired
        if men & self.forced:
            return 0 if ((shut | self.entry_shut) >> COUNT_BITS * die) & 1 else HAND_BIT
        found = stands & self.movable & ~(shut >> COUNT_BITS * die)
        if self.entry_shut and (self.entry_shut >> COUNT_BITS * die) & 1:
            found &= ~HAND_BIT
        if self.bears and not men & self.outside:
            exact = bit_at(self.length + 1 - die)
            if stands & exact:
                found |= exact
            else:
                hindmost = stands & -stands
                if hindmost > exact:
                    found |= hindmost
        return found

    def landed(self, bit: int, die: int) -> int:
        """Return the bit on which a man from a bit lands with a die; past the last point it is not on the course."""
        return bit << COUNT_BITS * die

    def in_order(self, steps: list[Step]) -> list[Step]:
        """Return steps that come along the course in the order of the listed choices: the hand, then the points."""
        return steps

    def moved(self, men: int, bit: int, die: int) -> int:
        """Return the men after one of them goes from a bit with a die."""
        landed = bit << COUNT_BITS * die
        if bit == HAND_BIT and men >= HIT_BIT:
            men -= HIT_BIT
        return men - bit + (landed if landed <= self.last else OFF_BIT)

    def robust(self, men: int, origins: int, die: int, dice: int) -> bool:
        """Whether a die can surely be played at any time of a turn with this number of dice, from its origins now.

        Each other die takes at most one man from his origin. Where no second man may stand, it closes at most one
        point. So enough men or enough origins prove it without a search of the ways to play.
        """
        if men & self.forced:
            return False
        if self.single or self.paired:
            if origins.bit_count() >= 2 * dice - 1:
                return True
            limited = self.paired or self.single
            origins &= ~(limited >> COUNT_BITS * die)
        return origins.bit_count() >= dice or self.count(men, origins) >= dice

    @staticmethod
    def count(men: int, mask: int) -> int:
        """Return how many men stand on the bits of a mask; the sum of four-bit digits is a remainder modulo 15."""
        chosen = men & mask * LARGEST_COUNT
        return chosen % LARGEST_COUNT or (LARGEST_COUNT if chosen else 0)

    def occupied(self, men: int, bit: int) -> bool:
        """Whether a man is where a step begins."""
        return men & bit * LARGEST_COUNT != 0

    def at(self, men: int, place: int) -> int:
        """Return how many men there are at a place."""
        return men >> COUNT_BITS * place & LARGEST_COUNT

    def done(self, men: int) -> bool:
        """Whether a side has brought all its men to their goal."""
        if self.bears:
            return men & self.off_places == self.finish
        return self.movement.goal == "home" and not men & self.outside

    def pack(self, standing: Mapping[str, int], hand: int, off: int) -> int:
        """Return men as one number, from the numbers of men on each point, in hand and borne off."""
        return sum(count * bit_at(self.places[point]) for point, count in standing.items()) + hand + off * OFF_BIT

    @property
    def further_keys(self) -> tuple[str, ...]:
        """The keys of what `further` returns."""
        return (HIT,) if self.movement.counts_hits else ()

    def stacked(self, men: int) -> frozenset[str]:
        """Return the points on which men lie on each other, so that a camera above sees only one."""
        del men
        return frozenset()

    def further(self, men: int) -> dict[str, Any]:
        """Return what to record of the men besides their places: how many in hand were hit."""
        return {HIT: self.hit(men)} if self.movement.counts_hits else {}

    def pack_further(self, given: Mapping[str, Any]) -> int:
        """Return what `further` returned, packed; add it to what `pack` returns.

        Raises:
            PositionFormatError: the data has another form.
        """
        if not self.movement.counts_hits:
            return 0
        hit = given.get(HIT, 0)
        if isinstance(hit, bool) or not isinstance(hit, int) or not 0 <= hit <= LARGEST_COUNT:
            raise PositionFormatError(f'Expected "hit" to be 0 to {LARGEST_COUNT} men, but it is {hit!r}.')
        return hit * HIT_BIT

    def further_faults(self, men: int) -> Iterator[Sentence]:
        """Yield a sentence for each fault in what `further` returns."""
        if self.hit(men) > self.in_hand(men):
            yield Sentence(
                "{hit} men are given as hit, but only {hand} are in hand.", hit=self.hit(men), hand=self.in_hand(men)
            )

    def forbids(self, men: int, bit: int, step: Step) -> Sentence | None:
        """Say which rule of this variant alone forbids a step; None if a common rule forbids it, or no rule.

        ``bit`` is where the step begins, 0 for an impossible step.
        """
        del men, bit, step
        return None

    def unpack(self, men: int) -> dict[str, int]:
        """Return how many men stand on each occupied point, in the order of the alphabet."""
        found = {point: self.at(men, place) for point, place in self.places.items()}
        return {point: found[point] for point in POINTS if found.get(point)}

    def in_hand(self, men: int) -> int:
        """Return how many men are in hand."""
        return men & LARGEST_COUNT

    def hit(self, men: int) -> int:
        """Return how many of the men in hand were hit."""
        return self.at(men, HIT_PLACE) if self.movement.counts_hits else men & LARGEST_COUNT

    def off(self, men: int) -> int:
        """Return how many men are borne off."""
        return self.at(men, OFF_PLACE)

    def pips(self, men: int) -> int:
        """Return the pips that a side still needs to bear off every man, or to bring all home if none is borne off."""
        end = self.length + 1 if self.movement.bears else self.length - TABLE_POINTS + 1
        return sum(max(0, end - place) * self.at(men, place) for place in range(self.length + 1))

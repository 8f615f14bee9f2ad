"""The best play of Ludix between two once more, by plain recursion: slow, for small targets, with nothing shared.

It takes every numeral that a throw forms into account, not the highest alone. A state is (seat, own, other): the points
of the player in that seat (0 begins the round) who is about to throw, and of the other.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product

from tests.rules.ludix.test_numerals import FACES, found_naively

WAYS = Counter(tuple(sorted(value for _, value in found_naively("".join(f)))) for f in product(FACES, repeat=4))
THROWS = [(ways / 1296, values) for values, ways in WAYS.items() if values]
FAILS = WAYS[()] / 1296

State = tuple[int, int, int]
Decide = Callable[[int, int, int, int], bool]
"""Whether the player in a seat, with own and the other's points, throws again at a stake."""


def turn(stopped: Callable[[int], float], failed: float, most: int, again: Callable[[int], bool] | None) -> float:
    """Return what a turn is worth: stopped at a stake, or failed. Without ``again`` it is played as well as can be."""

    @cache
    def on(stake: int) -> float:
        return FAILS * failed + sum(chance * after(values, stake) for chance, values in THROWS)

    def after(values: tuple[int, ...], stake: int) -> float:
        if again is None:
            return max(at(stake + value) for value in values)
        return at(stake + values[-1])

    @cache
    def at(stake: int) -> float:
        if stake > most:
            return stopped(stake)
        if again is None:
            return max(stopped(stake), on(stake))
        return on(stake) if again(stake) else stopped(stake)

    return on(0)


@cache
def caught_up(lead: int) -> float:
    """Return the chance to win a last turn that still lacks this many points to be level, throwing again."""

    def now(lacking: int) -> float:
        if lacking < 0:
            return 1
        return max(caught_up(lacking), 0.5 if lacking == 0 else 0)

    return sum(chance * max(now(lead - value) for value in values) for chance, values in THROWS)


def meeting(function: Callable[[float], float]) -> float:
    """Return where a function that rises less than its argument gives it back, by the secant method."""
    one, other = 0.0, 0.5
    gap, other_gap = function(one) - one, function(other) - other
    while abs(other_gap) > 1e-14 and other_gap != gap:
        one, other = other, other - other_gap * (other - one) / (other_gap - gap)
        gap, other_gap = other_gap, function(other) - other
    return other


class Plain:
    """A match to a target that is ended by the round; ``decide`` is how each seat plays, None for as well as can be."""

    def __init__(self, target: int, decide: tuple[Decide | None, Decide | None] = (None, None)) -> None:
        self.target = target
        self.decide = decide
        self.most = 2 * target + 300
        self.known: dict[State, float] = {}
        self.levels: dict[int, float] = {}

    def last_turn(self, lead: int) -> float:
        """Return what a last turn is worth to the second player, this many points behind one who has the target."""
        if self.decide[1] is None:
            return caught_up(lead)

        def stopped(stake: int) -> float:
            return (1 + (stake > lead) - (stake < lead)) / 2

        return turn(stopped, 0, self.most, self.how(1, self.target - lead, self.target))

    def how(self, seat: int, own: int, other: int) -> Callable[[int], bool] | None:
        decide = self.decide[seat]
        return None if decide is None else lambda stake: decide(seat, own, other, stake)

    def stopped(self, seat: int, own: int, other: int) -> float:
        """Return the chance to win of a player who has stopped with these points, the other one below the target."""
        if own < self.target:
            return 1 - self.value((1 - seat, other, own))
        if seat == 1:
            return 1
        lead = own - other
        if lead not in self.levels:
            self.levels[lead] = 1 - self.last_turn(lead)
        return self.levels[lead]

    def turn(self, state: State, failed: float) -> float:
        """Return what a turn is worth if a failed one leaves this chance."""
        seat, own, other = state
        return turn(lambda stake: self.stopped(seat, own + stake, other), failed, self.most, self.how(*state))

    def value(self, state: State) -> float:
        """Return the chance to win of the player who is about to throw."""
        if state not in self.known:
            seat, own, other = state
            others = 1 - seat, other, own
            value = meeting(lambda value: self.turn(state, 1 - self.turn(others, 1 - value)))
            self.known |= {state: value, others: self.turn(others, 1 - value)}
        return self.known[state]

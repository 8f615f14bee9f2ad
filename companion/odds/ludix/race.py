"""The match of two players as a race, solved exactly: each player's chance to win if both play as well as possible.

A state between turns is the points of both players and whether the first or the second player of the round throws next.
Points never fall, so the states with a higher sum of points are solved first. They are solved `STEP` sums at a time,
because no numeral is worth less. Within a state only one thing is circular: after two failed turns it comes again. For
given plans of both players, that is two linear equations in two unknowns. Plans and equations are improved in turn
(policy iteration) until nothing changes. A shared win counts one half.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from companion.odds.ludix.throws import chances
from companion.odds.ludix.turns import FAILS, STEP, WIDTH, Decision, Floats, Places, Truths, rows_for, sweep
from companion.rules.errors import GameError

FIRST, SECOND = 0, 1
"""The seats: who begins each round, and who ends it."""

CHANCE_TOLERANCE = 1e-13
"""A state is solved when its equations and its plans together change no chance by more than this."""

MOST_TARGET = 500
"""The number of states grows with the square of the target: 300 takes 3 to 4 s, this three times as long."""

MOST_ITERATIONS = 50
"""Policy iteration needs two to four rounds; if it reaches this many, the program has a fault."""

NEARLY_SURE = 0.99
"""No state leaves a higher chance to win after a failed turn; this limits the stakes to examine."""

ROWS_AT_ONCE = 1000
"""States computed together: their rows fit the cache of a small computer."""

REPLIES: Mapping[str, tuple[bool, bool]] = {"round": (True, False), "at-once": (False, False)}
"""For each ending: whether the other player has a last turn when the first, or the second, reaches the target.

With these two a higher stake is never worth less than a lower one, so the highest numeral is always best. With the
ending ``others`` that does not hold: there it can be better to stay just below the target.
"""

LastTurn = Callable[[Places], Floats]
"""Returns the value of a player's last turn, given how far behind the player is."""


class PolicyError(GameError):
    """The best play is not solved for this match."""


@cache
def caught_up() -> Floats:
    """Return the chance to gain more than n points in one turn that throws until it gains them, for n from 0 on.

    It never rises; the list ends where it is too low to matter in any solved match.
    """
    odds_of = [1.0] * WIDTH
    while odds_of[-1] > FAILS * (1 - NEARLY_SURE):
        odds_of.append(sum(chance * odds_of[-value] for value, chance in chances().items()))
    return np.array(odds_of[WIDTH:])


def best_last_turn(behind: Places) -> Floats:
    """Return the value of a last turn for a good player who is ``behind`` points behind (ahead, if negative).

    The player throws until he is ahead. A tie is not worth stopping for: the next throw wins more often than not.
    """
    odds_of = caught_up()
    found: Floats = np.where(behind < 0, 1.0, odds_of[np.clip(behind, 0, len(odds_of) - 1)])
    return found


@dataclass(frozen=True)
class RaceTurn:
    """One player's turn in one state: the chance to win before the first throw, and by stake whether to throw again.

    ``again`` (bool) and ``chance`` (float64, the chance to win at that stake) run over the stakes from 0 on; at higher
    stakes than these the player stops.
    """

    start: float
    again: Truths
    chance: Floats


class Race:
    """A solved match of two players.

    ``ended[seat]`` (float64, other player's points x own points) is the chance to win of the player in that seat who
    has just ended a turn with these own points. Then the other player throws, or the match is over.
    """

    def __init__(self, target: int, ending: str, known: tuple[Floats, Floats] | None = None) -> None:
        """Solve the match; ``known``: `ended` below the target, if it was solved before.

        Raises:
            PolicyError: it is not solved for this target or ending.
        """
        if not 1 <= target <= MOST_TARGET:
            raise PolicyError(f"The best play is known for targets from 1 to {MOST_TARGET}, but {target} came.")
        if ending not in REPLIES:
            raise PolicyError(f"The best play is known for the endings {', '.join(REPLIES)}, but {ending!r} came.")
        self.target = target
        self.ending = ending
        self.replies = REPLIES[ending]
        self.ended = self.table(FIRST, best_last_turn), self.table(SECOND, best_last_turn)
        if known is not None:
            for seat in (FIRST, SECOND):
                self.ended[seat][:, :target] = known[seat]
            return
        for first, second in self.states():
            self._solve(first, second)

    def table(self, seat: int, last_turn: LastTurn) -> Floats:
        """Return a table like `ended`, filled only where the player has reached the target and the other has not."""
        table = np.zeros((self.target, self.target + len(caught_up()) + STEP + WIDTH))
        other, own = np.ogrid[: self.target, self.target : table.shape[1]]
        table[:, self.target :] = 1 - last_turn(own - other) if self.replies[seat] else 1
        return table

    def states(self) -> Iterator[tuple[Places, Places]]:
        """Yield the first and the second player's points, many independent states at a time, highest sums first."""
        sums = np.add.outer(np.arange(self.target), np.arange(self.target))
        for least in range(int(sums.max()) // STEP * STEP, -1, -STEP):
            first, second = np.nonzero((sums >= least) & (sums < least + STEP))
            for start in range(0, len(first), ROWS_AT_ONCE):
                yield first[start : start + ROWS_AT_ONCE], second[start : start + ROWS_AT_ONCE]

    def top(self, seat: int, own: Places, other: Places, failed: Floats) -> Places:
        """Return for each state the highest stake at which throwing again can be better than stopping.

        Beyond the target it cannot, once the chance to be caught up is at most the chance to fail and then lose.
        """
        top = np.full(len(own), self.target - 1)
        if self.replies[seat]:
            bearable = FAILS * (1 - failed) - CHANCE_TOLERANCE
            top = np.maximum(top, other + np.searchsorted(-caught_up(), -bearable))
        highest: Places = np.minimum(top, self.target + len(caught_up()) - 1) - own
        return highest

    def stopped(self, tables: list[Floats], own: Places, other: Places, stakes: int) -> Floats:
        """Return the value of stopping by each of the tables (tables x stakes x states), for the stakes from 0 on."""
        width = tables[0].shape[1]
        places = np.minimum(own + np.arange(stakes)[:, None], width - 1)
        places += other * width
        stopped = np.empty((len(tables), *places.shape))
        for layer, table in zip(stopped, tables, strict=True):
            table.take(places, out=layer, mode="clip")  # clip: only that mode writes without a second copy
        return stopped

    def _solve(self, first: Places, second: Places) -> None:
        seats = ((first, second), (second, first))
        failed = [self._guess(seat, own, other) for seat, (own, other) in enumerate(seats)]
        open_ = np.arange(len(first))
        for _ in range(MOST_ITERATIONS):
            plans = [
                self._plan(seat, own[open_], other[open_], failed[seat][open_])
                for seat, (own, other) in enumerate(seats)
            ]
            found = after_failing(*plans)
            moved = np.maximum(*(np.abs(found[seat] - failed[seat][open_]) for seat in (FIRST, SECOND)))
            for seat in (FIRST, SECOND):
                failed[seat][open_] = found[seat]
            open_ = open_[moved > CHANCE_TOLERANCE]
            if not len(open_):
                break
        assert not len(open_), "policy iteration comes to an end"
        assert max(values.max() for values in failed) < NEARLY_SURE, "the stakes were looked at high enough"
        for seat, (own, other) in enumerate(seats):
            self.ended[seat][other, own] = failed[seat]

    def _guess(self, seat: int, own: Places, other: Places) -> Floats:
        """Guess the chance after a failed turn from the states already solved: a good guess saves rounds."""
        table = self.ended[seat]
        more, others = (np.minimum(points + STEP, self.target - 1) for points in (own, other))
        inside = (own + STEP < self.target) & (other + STEP < self.target)
        return np.where(inside, table[other, more] + table[others, own] - table[others, more], 0.4)

    def _plan(self, seat: int, own: Places, other: Places, failed: Floats) -> tuple[Floats, Floats]:
        """Return a and b of the best plans for the turn if a failed one leaves this chance."""
        top = self.top(seat, own, other, failed)
        order = np.argsort(-top, kind="stable")
        stopped = self.stopped([self.ended[seat]], own[order], other[order], rows_for(int(top.max())))
        won, fails = sweep(stopped, top[order], better(failed[order]))
        back = np.argsort(order)
        return won[0][back], fails[back]

    def chance(self, seat: int, own: int, other: int) -> float:
        """Return the chance to win of the player in this seat who throws next, below the target."""
        return 1 - float(self.ended[1 - seat][own, other])

    def turn(self, seat: int, own: int, other: int) -> RaceTurn:
        """Return the best plan for one turn of the player in this seat, below the target."""
        failed = float(self.ended[seat][other, own])
        chance = self.ended[seat][other, own:].copy()
        again = np.zeros(len(chance), bool)
        values, weights = np.array(list(chances())), np.array(list(chances().values()))
        top = self.top(seat, np.array([own]), np.array([other]), np.array([failed]))[0]
        for stake in range(int(top), -1, -1):
            on = float(weights @ chance[stake + values]) + FAILS * failed
            if stake == 0 or on > chance[stake]:
                again[stake], chance[stake] = True, on
        return RaceTurn(float(chance[0]), again, chance)


def better(failed: Floats) -> Decision:
    """Return the decision to throw again wherever that beats stopping, if a failed turn leaves this chance."""

    def decide(_: int, here: Floats, on: Floats, fails: Floats) -> Truths:
        value = fails * failed[: fails.shape[1]]
        value += on
        again: Truths = value > here
        return again

    return decide


def after_failing(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Return each player's chance to win just after failing, first and second, from a and b of both plans."""
    (won, fails), (others_won, others_fail) = first, second
    of_first = (1 - others_won - others_fail * (1 - won)) / (1 - fails * others_fail)
    return of_first, 1 - won - fails * of_first


@lru_cache(maxsize=4)
def race(target: int, ending: str) -> Race:
    """Return the solved match to this target; solving takes some seconds, and happens once.

    Raises:
        PolicyError: it is not solved for this target or ending.
    """
    return Race(target, ending)

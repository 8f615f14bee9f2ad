"""Random Swiss tournaments with players who leave and come back: each round must be as good as its rules allow.

Every round is judged by an integer program (SciPy's HiGHS), which knows nothing of the pairing's own code; rounds of
few players also by trying every pairing. Both count what the rules name, in this order: players without an opponent
again, pairings again, players beyond two more first or second throws, and differences of points squared.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any, Final

import numpy as np
from scipy.optimize import LinearConstraint, milp

from companion.hall.tournament import swiss
from companion.hall.tournament.records import Entrant, Pairing, Tournament, final_results
from companion.hall.tournament.round_robin import rounds_for

NOBODY: Final = 0
ALLOWED: Final = 2  # more first than second throws, or the other way
TRIED: Final = 10  # most players, with nobody, of whom every pairing is tried: 945 pairings
EXACT: Final = {"mip_rel_gap": 0.0}
Cost = tuple[int, int, int, int]


class History:
    """What a tournament has seen so far, counted from its pairings alone."""

    def __init__(self, tournament: Tournament) -> None:
        self.points: Counter[int] = Counter()
        self.firsts: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self.met: Counter[frozenset[int]] = Counter()
        for one in tournament.pairings:
            if one.second is None:
                self.byes[one.first] += 1
                self.points[one.first] += 2
                continue
            self.met[frozenset((one.first, one.second))] += 1
            self.firsts.update({one.first: 1, one.second: -1})
            assert one.games is not None
            mine, theirs = one.games
            self.points[one.first] += 1 + (mine > theirs) - (mine < theirs)
            self.points[one.second] += 1 + (theirs > mine) - (theirs < mine)

    def cost(self, one: int, other: int) -> Cost:
        """Return what stands against two players, or one and nobody, in the order of the rules."""
        if NOBODY in (one, other):
            player = one + other
            return self.byes[player], 0, 0, self.points[player] ** 2
        less, more = sorted((self.firsts[one], self.firsts[other]))
        beyond = max(abs(less + 1), abs(more - 1)) > ALLOWED
        return 0, self.met[frozenset((one, other))], int(beyond), (self.points[one] - self.points[other]) ** 2


def total(costs: Sequence[Cost]) -> Cost:
    """Return the sum of costs, each kind for itself."""
    again, repeated, beyond, differences = (sum(kind) for kind in zip(*costs, strict=True))
    return again, repeated, beyond, differences


def solved(history: History, seats: Sequence[int], drawn: Cost) -> Cost:
    """Return the least possible cost, by an integer program for each kind in its order; a sum that is found is kept.

    Of what the round that was ``drawn`` has nothing, none is the least: then pairs that cost some are left out.
    """
    pairs = list(combinations(range(len(seats)), 2))
    costs = np.array([history.cost(seats[one], seats[other]) for one, other in pairs], np.float64)
    seated = np.zeros((len(seats), len(pairs)))
    for column, pair in enumerate(pairs):
        seated[list(pair), column] = 1
    kept = np.ones(len(pairs), bool)
    sums: list[LinearConstraint] = []
    least = []
    for kind, of_drawn in zip(costs.T, drawn, strict=True):
        if of_drawn == 0:
            kept &= kind == 0
            least.append(0)
            continue
        rules = [LinearConstraint(seated, 1, 1), *sums]
        found = milp(kind, constraints=rules, integrality=np.ones(len(pairs)), bounds=(0, kept), options=EXACT)
        assert found.success, found.message
        least.append(round(found.fun))
        sums.append(LinearConstraint(kind[None], -np.inf, least[-1] + 0.5))
    again, repeated, beyond, least_cost = least
    return again, repeated, beyond, least_cost


def tried(history: History, seats: Sequence[int]) -> Cost:
    """Return the least possible cost, by trying every pairing."""
    return min(total([history.cost(*pair) for pair in pairing]) for pairing in pairings(seats))


def pairings(seats: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield every way to pair an even number of seats."""
    if not seats:
        yield []
        return
    first, *others = seats
    for place, other in enumerate(others):
        for rest in pairings(others[:place] + others[place + 1 :]):
            yield [(first, other), *rest]


def begun(number: int, seed: int) -> tuple[Tournament, Random]:
    """Return a tournament of so many players and rounds as chance wants, and the chance for what follows."""
    chance = Random(seed * 1_000_003 + number)
    count = chance.randint(4, 40)
    rounds = chance.randint(3, min(11, rounds_for(count)))
    people = tuple(Entrant(one, f"Player {one}") for one in range(1, count + 1))
    return Tournament(1, "Cup", "swiss", "", rounds, 1, (), people), chance


def played(number: int, seed: int, figures: Counter[str]) -> None:
    """Play one tournament by chance and count what its rounds show."""
    now, chance = begun(number, seed)
    for _ in range(now.rounds):
        now = moved(now, chance)
        history = History(now)
        began = time.perf_counter()
        drawn = swiss.draw(now)
        figures["slowest_ms"] = max(figures["slowest_ms"], round(1000 * (time.perf_counter() - began)))
        judged(now, history, drawn, figures)
        now = replace(now, pairings=(*now.pairings, *(ended(one, chance) for one in drawn)))
    firsts = History(now).firsts
    figures["most_firsts_apart"] = max(figures["most_firsts_apart"], *(abs(one) for one in firsts.values()))


def moved(now: Tournament, chance: Random) -> Tournament:
    """Let somebody leave in one round of six, and come back in one of ten."""
    here = [one for one in now.entrants if not one.gone]
    away = [one for one in now.entrants if one.gone]
    turns = set()
    if len(here) > 2 and chance.random() < 1 / 6:
        turns.add(chance.choice(here).number)
    if away and chance.random() < 1 / 10:
        turns.add(chance.choice(away).number)
    return replace(now, entrants=tuple(replace(one, gone=one.gone ^ (one.number in turns)) for one in now.entrants))


def ended(one: Pairing, chance: Random) -> Pairing:
    return one if one.bye else replace(one, games=chance.choice(final_results(1)))


def judged(now: Tournament, history: History, drawn: Sequence[Pairing], figures: Counter[str]) -> None:
    """Count whether a round is complete and as good as possible, and where the rules could not be kept."""
    here = [one.number for one in now.entrants if not one.gone]
    seats = [*here, *([NOBODY] if len(here) % 2 else [])]
    pairs = [(one.first, NOBODY if one.second is None else one.second) for one in drawn]
    cost = total([history.cost(*pair) for pair in pairs])
    figures["rounds"] += 1
    figures["rounds_with_a_bye"] += len(here) % 2
    figures["incomplete"] += sorted(seat for pair in pairs for seat in pair) != sorted(seats)
    for name, amount in zip(("second_bye", "repeated", "beyond"), cost, strict=False):
        figures[f"rounds_that_must_have_{name}"] += amount > 0
    figures["worse_than_solved"] += cost != solved(history, seats, cost)
    if len(seats) <= TRIED:
        figures["rounds_tried"] += 1
        figures["worse_than_tried"] += cost != tried(history, seats)
    for one in drawn:
        if one.second is not None:
            difference = history.firsts[one.first] - history.firsts[one.second]
            figures["first_had_been_first_more_often"] += difference > 0


def main() -> int:
    """Print the figures; fail if a round could have been better."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1000, help="tournaments of 4 to 40 players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    figures: Counter[str] = Counter()
    for number in range(given.n):
        played(number, given.seed, figures)
    report: dict[str, Any] = {"n": given.n, "seed": given.seed, "load": [round(load, 1), round(os.getloadavg()[0], 1)]}
    print(json.dumps(report | figures))
    wrong = ("incomplete", "worse_than_solved", "worse_than_tried", "first_had_been_first_more_often")
    return int(any(figures[name] for name in wrong))


if __name__ == "__main__":
    sys.exit(main())

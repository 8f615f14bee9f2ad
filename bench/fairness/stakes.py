"""How soon the bet finds dice with a known defect, beside published bets and one that knows the kind of the defect.

The semi-oracle knows the kind and the size of the defect and not which face: nobody can know more before throwing. All
bets get the same throws. Each die draws again which of its faces are off.
"""

import argparse
import itertools
import json
import math
import os
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from companion.fairness.brick import brick_of
from companion.fairness.mixture import Counts, Mixture, mixture_of, tilted
from companion.fairness.outcomes import Floats, Outcomes, outcomes_of
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.rules.dice import dice_set

STEP: Final = 1.01
"""The bets are looked at after so many times as many throws as at the look before."""

MOST: Final = 2.6
"""A die is thrown at most so many times as often as a chi-square test of a fixed number of throws needs."""


@dataclass(frozen=True, eq=False)
class Defect:
    """A kind of defect: each of the ``truths`` (m x k) is as likely.

    ``fixed``: throws that a chi-square test needs for a power of 80 %. ``chose``: whether it had a part in choosing the
    stakes.
    """

    die: Outcomes
    truths: Floats
    fixed: int
    chose: bool


def outcomes(name: str) -> Outcomes:
    """Return the outcomes of a die of a set."""
    return outcomes_of(dice_set(name).dice[0])


def groups(die: Outcomes, kind: str) -> list[tuple[int, ...]]:
    """Return the groups of outcomes of a kind."""
    return [contrast.outcomes for contrast in die.contrasts if contrast.kind == kind]


def off(die: Outcomes, places: Iterable[Sequence[int]], points: float) -> Floats:
    """Return the chances with each of a group's outcomes off by so many points of a hundred, for each group (m x k)."""
    rows = []
    for group in places:
        chances = die.fair.copy()
        chances[list(group)] += points / 100
        others = np.delete(np.arange(len(chances)), list(group))
        chances[others] -= len(group) * points / 100 / len(others)
        rows.append(chances)
    return np.array(rows)


def brick() -> Floats:
    """Return the chances of a cube with one edge 2 % longer, for each of the three edges (3 x 6)."""
    return np.array([brick_of(edges).chances for edges in ((1.02, 1.0, 1.0), (1.0, 1.02, 1.0), (1.0, 1.0, 1.02))])


def defects() -> dict[str, Defect]:
    """Return the defects by their names."""
    d6, d8, d12, d20 = (outcomes(name) for name in ("pips", "d8", "d12", "d20"))
    slope = np.array([tilted(d6.fair, d6.pips, sign * 0.082) for sign in (1, -1)])
    threes = list(itertools.combinations(range(20), 3))

    def face(die: Outcomes, points: float, fixed: int, *, chose: bool) -> Defect:
        return Defect(die, off(die, groups(die, "face"), points), fixed, chose)

    def axis(die: Outcomes, points: float, fixed: int, *, chose: bool) -> Defect:
        return Defect(die, off(die, groups(die, "axis"), points), fixed, chose)

    return {
        "d6, one face +2": face(d6, 2, 4_455, chose=True),
        "d6, one face +5": face(d6, 5, 713, chose=True),
        "d6, two opposite faces +2 each": axis(d6, 2, 1_782, chose=True),
        "d6, an edge 2 % longer": Defect(d6, brick(), 8_146, chose=True),
        "d6, drilled pips, 2 points": Defect(d6, slope, 1_909, chose=True),
        "d6, heavy corner, three faces +2": Defect(d6, off(d6, groups(d6, "corner"), 2), 891, chose=True),
        "d20, one face +2": face(d20, 2, 2_441, chose=True),
        "d20, two opposite faces +1 each": axis(d20, 1, 4_625, chose=True),
        "d20, any three faces +1 each": Defect(d20, off(d20, threes, 1), 2_913, chose=True),
        "d20, two caps of five +1 each": Defect(d20, off(d20, groups(d20, "caps"), 1), 514, chose=True),
        "d6, one face +0.5": face(d6, 0.5, 71_000, chose=True),
        "d6, one face +0.3": face(d6, 0.3, 198_000, chose=True),
        "d6, two opposite faces +0.5 each": axis(d6, 0.5, 28_500, chose=True),
        "d20, one face +0.5": face(d20, 0.5, 39_000, chose=True),
        "d6, one face +3": face(d6, 3, 1_980, chose=False),
        "d6, two opposite faces -1 each": axis(d6, -1, 7_127, chose=False),
        "d8, one face +3": face(d8, 3, 1_740, chose=False),
        "d12, two opposite faces +2 each": axis(d12, 2, 1_090, chose=False),
        "d20, five faces that meet +1 each": Defect(d20, off(d20, groups(d20, "cap"), 1), 1_370, chose=False),
        "d20, one face +1": face(d20, 1, 9_760, chose=False),
    }


def published(die: Outcomes) -> dict[str, Mixture]:
    """Return bets that others have published: over Dirichlet distributions, and the universal portfolio."""

    def spread(*concentrations: float) -> Mixture:
        kinds = len(die.fair)
        parts = np.full(len(concentrations), 1 / len(concentrations))
        return Mixture(die.fair, np.zeros((0, kinds)), np.zeros(0), concentrations, parts)

    return {
        "Dirichlet 100, 300, 1000": spread(100.0, 300.0, 1000.0),
        "Dirichlet 100": spread(100.0),
        "universal portfolio": spread(len(die.fair) / 2),
    }


def semi_oracle(defect: Defect) -> Mixture:
    """Return the bet that knows all but which faces are off."""
    logs = np.log(defect.truths / defect.die.fair)
    return Mixture(defect.die.fair, logs, np.full(len(logs), 1 / len(logs)), (), np.zeros(0))


def first_calls(defect: Defect, bets: dict[str, Mixture], n: int, seed: list[int]) -> dict[str, Floats]:
    """Return by bet after how many throws each of n dice is called biased (n), infinite if never."""
    rng = np.random.default_rng(seed)
    truths = defect.truths[rng.integers(len(defect.truths), size=n)]
    counts: Counts = np.zeros(truths.shape, np.int64)
    first = {name: np.full(n, np.inf) for name in bets}
    made, moment = 0, 10
    while made < MOST * defect.fixed:
        counts += rng.multinomial(moment - made, truths)
        made, moment = moment, max(moment + 1, int(moment * STEP))
        for name, bet in bets.items():
            going = np.flatnonzero(np.isinf(first[name]))
            if len(going):
                won = bet.log_value(counts[going]) >= -math.log(SIGNIFICANCE_LEVEL)
                first[name][going[won]] = made
    return first


def measured(defect: Defect, n: int, seed: list[int]) -> dict[str, Any]:
    """Return the median and the 80 % number of throws of each bet, over what the chi-square test needs."""
    bets = {
        "stakes 2": mixture_of(defect.die, 2),
        "stakes 1": mixture_of(defect.die, 1),
        **published(defect.die),
        "semi-oracle": semi_oracle(defect),
    }
    first = first_calls(defect, bets, n, seed)
    found = {
        name: [round(float(np.quantile(one, part, method="higher")) / defect.fixed, 3) for part in (0.5, 0.8)]
        for name, one in first.items()
    }
    best = min(found[name][0] for name in published(defect.die))
    return {
        "n": n,
        "chose": defect.chose,
        **found,
        "over the semi-oracle": round(found["stakes 2"][0] / found["semi-oracle"][0], 2),
        "over the best published": round(found["stakes 2"][0] / best, 2),
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=400, help="dice of each kind")
    parser.add_argument("--seed", type=int, default=20261124)
    parser.add_argument("--held-out", action="store_true", help="only defects that had no part in choosing the stakes")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {"seed": given.seed}
    for number, (name, defect) in enumerate(defects().items()):
        if given.held_out and defect.chose:
            continue
        report[name] = measured(defect, given.n, [given.seed, number])
        print(name, json.dumps(report[name]), file=sys.stderr, flush=True)
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

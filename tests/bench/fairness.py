"""How well the fairness laboratory judges: false alarms, coverage and power, by simulated dice looked at each throw."""

import argparse
import json
import os
import time
from typing import Any

import numpy as np

from companion.fairness.confidence import intervals
from companion.fairness.mixture import Mixture, mixture_of
from companion.fairness.outcomes import Floats, Outcomes, outcomes_of
from companion.odds.intervals import share
from companion.rules.dice import dice_set

LEVEL = 0.05
DICE = {"d4": "d4", "d6": "pips", "ludix": "ludix", "d20": "d20"}
FIXED = {"face": {0.01: 17_817, 0.02: 4_455, 0.05: 713}, "axis": {0.01: 7_127, 0.02: 1_782, 0.05: 286}}
"""Throws that a chi-square test, its number fixed beforehand, needs for a power of 80 % on a cube."""
BATCH = 500


def outcomes(name: str) -> Outcomes:
    """Return the outcomes of one of the dice that are judged."""
    return outcomes_of(dice_set(DICE[name]).dice[0])


def alarms(die: Outcomes, chances: Floats, runs: int, throws: int, seed: int) -> tuple[Floats, int]:
    """Return after how many throws each die is first called biased (infinite where never), and how many intervals fail.

    An interval fails if it misses the true chance at any look; it is looked at after each throw up to 100 and then at
    every hundredth part more.
    """
    rng = np.random.default_rng(seed)
    mixture = mixture_of(die)
    looks = set(np.unique(np.round(np.geomspace(1, throws, 400))).astype(int).tolist())
    called, missed = [], 0
    for begun in range(0, runs, BATCH):
        size = min(BATCH, runs - begun)
        shown = rng.choice(len(chances), size=(throws, size), p=chances)
        called.append(_first_calls(mixture, shown))
        counts = np.zeros((size, len(chances)), np.int64)
        fails = np.zeros(size, bool)
        for number, row in enumerate(shown, 1):
            counts[np.arange(size), row] += 1
            if number in looks:
                fails |= ~intervals(counts, die, LEVEL).hold(chances)
        missed += int(fails.sum())
    return np.concatenate(called), missed


def _first_calls(mixture: Mixture, shown: Any) -> Floats:
    throws, size = shown.shape
    first = np.full(size, np.inf)
    alive = np.arange(size)
    counts = np.zeros((size, len(mixture.fair)), np.int64)
    for number in range(throws):
        counts[np.arange(len(alive)), shown[number, alive]] += 1
        hit = mixture.log_value(counts) >= -np.log(LEVEL)
        if hit.any():
            first[alive[hit]] = number + 1
            alive, counts = alive[~hit], counts[~hit]
            if not len(alive):
                break
    return first


def biased(kind: str, points: float) -> Floats:
    """Return the chances of a cube of which one face, or each of two opposite ones, is more frequent."""
    places = [0] if kind == "face" else [0, 5]
    chances = np.full(6, (1 - len(places) * (1 / 6 + points)) / (6 - len(places)))
    chances[places] = 1 / 6 + points
    return chances


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=10_000, help="fair dice of each kind")
    parser.add_argument("--throws", type=int, default=5_000)
    parser.add_argument("--power", type=int, default=1_000, help="biased dice of each kind")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {"n": given.n, "throws": given.throws, "seed": given.seed, "level": LEVEL}
    for name in DICE if given.n else ():
        die = outcomes(name)
        first, missed = alarms(die, die.fair, given.n, given.throws, given.seed)
        wrong = share(int(np.isfinite(first).sum()), given.n)
        failed = share(missed, given.n)
        report[name] = {"false_alarms": wrong.to_json(), "intervals_that_failed": failed.to_json()}
    cube = mixture_of(outcomes("d6"))
    for kind, wanted in FIXED.items():
        for points, fixed in wanted.items() if given.power else ():
            chances = biased(kind, points)
            rng = np.random.default_rng([given.seed, int(points * 1000)])
            throws = fixed * 6
            first = np.concatenate(
                [
                    _first_calls(cube, rng.choice(6, size=(throws, 250), p=chances).astype(np.int8))
                    for _ in range(-(-given.power // 250))
                ]
            )
            middle, high = (float(np.quantile(first, part)) for part in (0.5, 0.8))
            report[f"{kind} +{points:.0%}"] = {
                "n": len(first),
                "median": middle,
                "of fixed": round(middle / fixed, 3),
                "80th percentile": high,
                "80th of fixed": round(high / fixed, 3),
            }
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

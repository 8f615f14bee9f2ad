"""How well the fairness laboratory judges simulated dice, at each throw: false alarms, coverage and power."""

import argparse
import json
import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from bench.fairness.running_evidence import first_calls, watched
from companion.fairness.mixture import Mixture
from companion.fairness.outcomes import Floats, Outcomes, outcomes_of
from companion.fairness.stakes import CURRENT_STAKES
from companion.fairness.verdict import SIGNIFICANCE_LEVEL, Against
from companion.odds.intervals import share
from companion.rules.dice import dice_set

DICE = {
    "d4": "d4",
    "d6": "pips",
    "d8": "d8",
    "d10": "d10",
    "d12": "d12",
    "d20": "d20",
    "d24": "d24",
    "d30": "d30",
    "ludix": "ludix",
    "wibold": "wibold",
}
"""The judged dice by their names, with the set whose first die each of them is."""

FIXED = {
    "d6": {
        "face": {0.01: 17_817, 0.02: 4_455, 0.05: 713, -0.01: 17_817, -0.02: 4_455, -0.05: 713},
        "axis": {0.01: 7_127, 0.02: 1_782, 0.05: 286, -0.01: 7_127, -0.02: 1_782, -0.05: 286},
    },
    "d4": {"face": {0.02: 5_111, 0.05: 818}},
    "d20": {"face": {0.02: 2_441, 0.05: 391}, "axis": {0.02: 1_157, 0.05: 185}},
}
"""Throws that a chi-square test of a fixed number of throws needs for a power of 80 %, by die, kind and bias."""

MOST = 8
"""A biased die is thrown at most this many times as often as the test of a fixed number needs."""


def outcomes(name: str) -> Outcomes:
    """Return the outcomes of one of the judged dice."""
    return outcomes_of(dice_set(DICE[name]).dice[0])


def biased(die: Outcomes, kind: str, points: float) -> Floats:
    """Return the probabilities of a die with one face, or each of two opposite ones, more or less frequent."""
    places = list(next(contrast.outcomes for contrast in die.contrasts if contrast.kind == kind))
    chances = (1 - (die.fair[places] + points).sum()) * die.fair / (1 - die.fair[places].sum())
    chances[places] = die.fair[places] + points
    return np.asarray(chances)


def falsely(
    name: str, chances: Floats, n: int, throws: int, seed: int, *, stakes: int = CURRENT_STAKES
) -> dict[str, Any]:
    """Return how often dice with these probabilities are ever called biased, and how often an interval ever fails.

    ``stakes``: the number of the stakes of the bet.
    """
    begun = time.process_time()
    several = any(contrast.kind != "face" for contrast in outcomes(name).contrasts)
    seen = watched(outcomes(name), chances, n, throws, [seed, len(name)], stakes=stakes)
    return {
        "n": n,
        "ever_called_biased": share(seen.called, n).to_json(),
        "an_outcomes_interval_ever_failed": share(seen.faces, n).to_json(),
        "a_contrasts_interval_ever_failed": share(seen.contrasts, n).to_json() if several else None,
        "seconds": round(time.process_time() - begun, 1),
    }


def spread_only(die: Outcomes) -> Mixture:
    """Return a mixture over concentrations alone, as others measured it: the rival to beat."""
    concentrations = (100.0, 300.0, 1000.0)
    return Mixture(die.fair, np.zeros((0, len(die.fair))), np.zeros(0), concentrations, np.full(3, 1 / 3))


def power(
    die: Outcomes, chances: Floats, fixed: int, n: int, seed: Sequence[int], *, rival: bool = False
) -> dict[str, Any]:
    """Return after how many throws such a die is called biased, also relative to the test of a fixed number."""
    first = first_calls(die, chances, n, fixed * MOST, seed, mixture=spread_only(die) if rival else None)
    middle, high = (float(np.quantile(first, part, method="higher")) for part in (0.5, 0.8))
    return {
        "n": n,
        "fixed": fixed,
        "median": middle,
        "of fixed": round(middle / fixed, 3),
        "80th percentile": high,
        "80th of fixed": round(high / fixed, 3),
    }


def pace(name: str, throws: int, times: int) -> dict[str, Any]:
    """Return the milliseconds of processor time for one more throw and its judgement, after this many throws."""
    die = outcomes(name)
    shown = np.random.default_rng(1).choice(len(die.fair), p=die.fair, size=throws + times)
    against = Against(die)
    courses = against.courses()
    courses.take(shown[:throws])
    took = []
    for place in shown[throws:].tolist():
        begun = time.process_time()
        courses.take(np.array([place]))
        against.concluded(courses)
        took.append((time.process_time() - begun) * 1000)
    return {"throws": throws, "n": times, "median_ms": round(float(np.median(took)), 2), "most_ms": round(max(took), 2)}


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=10_000, help="fair dice of each kind")
    parser.add_argument("--throws", type=int, default=5_000)
    parser.add_argument("--power", type=int, default=1_000, help="biased dice of each kind")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--only", nargs="*", choices=[*DICE], default=[*DICE], help="these dice")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {"throws": given.throws, "seed": given.seed, "level": SIGNIFICANCE_LEVEL}
    for name in given.only if given.n else ():
        die = outcomes(name)
        report[name] = falsely(name, die.fair, given.n, given.throws, given.seed)
        loaded = biased(die, "face", 0.5 * float(die.fair[0]))
        report[f"{name}, loaded"] = falsely(name, loaded, max(1, given.n // 5), given.throws, given.seed)
    for name in [name for name in given.only if name in FIXED and given.power]:
        kinds = FIXED[name]
        for kind, wanted in kinds.items():
            for points, fixed in wanted.items():
                die = outcomes(name)
                seed = (given.seed, fixed, round(1000 + points * 1000))
                chances = biased(die, kind, points)
                found = power(die, chances, fixed, given.power, seed)
                found["concentrations only"] = power(die, chances, fixed, given.power, seed, rival=True)
                report[f"{name} {kind} {points:+.0%}"] = found
    report["pace"] = {name: pace(name, 10_000, 300) for name in ("d6", "d20")}
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

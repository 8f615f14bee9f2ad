"""How near the semi-oracle any mixture of bets can come: ``python -m bench.fairness.stakes_limit -n 1000``.

For each die of `bench.fairness.stakes`, the mixture here bets on exactly the defects that are measured there, the right
kinds in the right sizes, and on nothing else, which no honest bet can: it would find no other defect. Its parts are
chosen, on the very throws that measure it, so that the worst of its ratios to the semi-oracles is as small as possible.
So no mixture of those bets does better than what is printed, but for chance.
"""

import argparse
import json
import math
import os
from collections import defaultdict
from typing import Any, Final

import numpy as np

from bench.fairness.stakes import STEP, Defect, defects, semi_oracle
from companion.fairness.mixture import Mixture
from companion.fairness.outcomes import Floats
from companion.fairness.verdict import SIGNIFICANCE_LEVEL

LONGEST: Final = 2.2
"""Throws are made to so many times the semi-oracle's median."""

ROUNDS: Final = 100
"""Rounds in which the parts of the worst defects grow."""


def moments_to(last: int) -> list[int]:
    """Return the numbers of throws at which the bets are looked at."""
    found = [10]
    while found[-1] < last:
        found.append(max(found[-1] + 1, int(found[-1] * STEP)))
    return found


def logs_of(defect: Defect, bets: list[Mixture], moments: list[int], n: int, rng: np.random.Generator) -> Floats:
    """Return the log of what each bet has won of each of n dice at each look (looks x n x bets)."""
    truths = defect.truths[rng.integers(len(defect.truths), size=n)]
    counts, made = np.zeros(truths.shape, np.int64), 0
    rows = []
    for moment in moments:
        counts += rng.multinomial(moment - made, truths)
        made = moment
        rows.append(np.stack([bet.log_value(counts) for bet in bets], axis=1))
    return np.array(rows)


def median_of(logs: Floats, moments: list[int]) -> float:
    """Return after how many throws half of the dice are called (looks x n), infinite if fewer are."""
    won = logs >= -math.log(SIGNIFICANCE_LEVEL)
    first = np.where(won.any(axis=0), np.array(moments, float)[won.argmax(axis=0)], np.inf)
    return float(np.quantile(first, 0.5, method="higher"))


def mixed(logs: Floats, parts: Floats) -> Floats:
    """Return the log of what a mixture of the bets has won (looks x n); faster than a sum of logs of two at a time."""
    most = logs.max(axis=2)
    found: Floats = np.log(np.exp(logs - most[:, :, None]) @ parts) + most
    return found


def measured(named: dict[str, Defect], n: int, seed: int) -> dict[str, Any]:
    """Return the smallest worst ratio of one die, and the ratios and parts of its defects then."""
    bets = [semi_oracle(defect) for defect in named.values()]
    courses, owns = [], []
    for number, defect in enumerate(named.values()):
        rng = np.random.default_rng([seed, number])
        far = moments_to(4 * defect.fixed)
        own = median_of(logs_of(defect, [bets[number]], far, n, rng)[:, :, 0], far)
        moments = moments_to(int(LONGEST * own))
        logs = logs_of(defect, bets, moments, n, np.random.default_rng([seed, 1, number]))
        courses.append((moments, logs))
        owns.append(median_of(logs[:, :, number], moments))
    parts = np.full(len(bets), 1 / len(bets))
    best: tuple[float, Floats, Floats] | None = None
    for turn in range(ROUNDS):
        ratios = np.array(
            [median_of(mixed(logs, parts), moments) / own for (moments, logs), own in zip(courses, owns, strict=True)]
        )
        if best is None or ratios.max() < best[0]:
            best = (float(ratios.max()), ratios, parts)
        held = np.where(np.isfinite(ratios), ratios, LONGEST)
        grown = parts * np.exp((held - held.mean()) * 4.0 / (1 + turn / 10))
        parts = grown / grown.sum()
    assert best is not None, "there is a round"
    worst, ratios, parts = best
    kinds = {
        name: {"ratio": round(float(ratio), 2), "part": round(float(part), 3)}
        for name, ratio, part in zip(named, ratios, parts, strict=True)
    }
    return {"worst": round(worst, 3), "defects": kinds}


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1000, help="dice of each kind")
    parser.add_argument("--seed", type=int, default=20261126)
    given = parser.parse_args()
    dice: dict[str, dict[str, Defect]] = defaultdict(dict)
    for name, defect in defects().items():
        dice[name.partition(",")[0]][name] = defect
    report: dict[str, Any] = {"n": given.n, "seed": given.seed}
    for die, named in dice.items():
        if len(named) > 1:
            report[die] = measured(named, given.n, given.seed)
    print(json.dumps(report | {"load": round(os.getloadavg()[0], 2)}, indent=2))


if __name__ == "__main__":
    main()

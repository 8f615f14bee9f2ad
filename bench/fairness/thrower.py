"""How often the questions about the thrower find something in independent throws that are all alike."""

import argparse
import json
import os
import time
from typing import Any

import numpy as np

from companion.fairness.dependence import QUESTION_LEVEL, SEEDS, asked
from companion.odds.intervals import share

DICE = {
    "fair d6": np.full(6, 1 / 6),
    "loaded d6": np.array([0.1, 0.1, 0.15, 0.15, 0.2, 0.3]),
    "fair d20": np.full(20, 1 / 20),
}
SESSIONS = 4


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1_000, help="dice of each kind")
    parser.add_argument("--throws", type=int, default=1_600)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {"n": given.n, "throws": given.throws, "seed": given.seed, "level_each": QUESTION_LEVEL}
    for number, (name, chances) in enumerate(DICE.items()):
        rng = np.random.default_rng([given.seed, number])
        kinds = len(chances)
        found = dict.fromkeys(SEEDS, 0)
        for _ in range(given.n):
            shown = rng.choice(kinds, p=chances, size=given.throws)
            sessions = [str(place * SESSIONS // given.throws) for place in range(given.throws)]
            hands = rng.choice(["left", "right"], size=given.throws).tolist()
            groups = {"session": sessions, "hand": hands}
            for finding in asked(shown, kinds, groups, at_end=True).values():
                if finding is not None and finding.found:
                    found[finding.question] += 1
        report[name] = {question: share(times, given.n).to_json() for question, times in found.items()}
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

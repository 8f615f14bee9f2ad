"""Whether a reader's errors are mistaken for the die's bias, and whether a bias is still found through them.

In each run the reader is measured again on this many faces of each outcome; judgement follows every fifth reading.
"""

import argparse
import json
import math
import os
import time
from typing import Any

import numpy as np

from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import Floats, outcomes_of
from companion.fairness.planning import off_by
from companion.fairness.reader_errors import ReaderErrors, corrected_bet
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.odds.intervals import share
from companion.rules.dice import dice_set

CUBE = outcomes_of(dice_set("pips").dice[0])
MIXTURE = mixture_of(CUBE)
KINDS = len(CUBE.labels)
LABELLED = (300, 1000)
EVERY = 5


def confusing(rate: float) -> Floats:
    """Return the probabilities (k x (k + 1)) of a reader that mistakes the last face for the first at this rate."""
    true = np.hstack([np.eye(KINDS), np.zeros((KINDS, 1))])
    true[-1, -2], true[-1, 0] = 1 - rate, rate
    return np.asarray(true)


def dropping(rate: float) -> Floats:
    """Return those of a reader that fails to read the last face at this rate."""
    true = np.hstack([np.eye(KINDS), np.zeros((KINDS, 1))])
    true[-1, -2], true[-1, -1] = 1 - rate, rate
    return np.asarray(true)


READERS = {
    "never errs": confusing(0.0),
    "1 % of sixes read as ones": confusing(0.01),
    "2 % of sixes read as ones": confusing(0.02),
    "5 % of sixes read as ones": confusing(0.05),
    "5 % of sixes not read": dropping(0.05),
}


def called(chances: Floats, true: Floats, labelled: int, throws: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return after how many throws one die is called biased, without and with the correction; infinite if never."""
    seen = np.array([rng.multinomial(labelled, row) for row in true])
    bet = corrected_bet(MIXTURE, ReaderErrors(seen), SIGNIFICANCE_LEVEL)
    faces = rng.choice(KINDS, p=chances, size=throws)
    read = (rng.random(throws)[:, None] > np.cumsum(true, axis=1)[faces, :-1]).sum(axis=1)
    shown = read[read < KINDS]
    number = (np.flatnonzero(read < KINDS) + 1)[EVERY - 1 :: EVERY]
    moments = (shown[:, None] == np.arange(KINDS)).cumsum(axis=0)[EVERY - 1 :: EVERY]
    raw, corrected = MIXTURE.log_value(moments) >= -math.log(SIGNIFICANCE_LEVEL), bet.log_value(moments) >= bet.needed
    first = [float(number[over.argmax()]) if over.any() else math.inf for over in (raw, corrected)]
    return first[0], first[1]


def measured(
    chances: Floats, true: Floats, labelled: int, n: int, *, seed: list[int], moments: tuple[int, ...]
) -> dict[str, Any]:
    """Return the shares of n dice called biased within these numbers of throws, without and with the correction."""
    rng = np.random.default_rng(seed)
    found = np.array([called(chances, true, labelled, max(moments), rng) for _ in range(n)])
    return {
        f"within {moment}": {
            "uncorrected": share(int((found[:, 0] <= moment).sum()), n).to_json(),
            "corrected": share(int((found[:, 1] <= moment).sum()), n).to_json(),
        }
        for moment in moments
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1_000, help="dice of each kind")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {
        "n": given.n,
        "seed": given.seed,
        "level": SIGNIFICANCE_LEVEL,
        "fair": {},
        "one face +5 points": {},
    }
    for labelled in LABELLED:
        for number, (name, true) in enumerate(READERS.items()):
            seed = [given.seed, labelled, number]
            found = measured(CUBE.fair, true, labelled, given.n, seed=seed, moments=(2_500, 5_000))
            report["fair"][f"{name}, {labelled} labels a face"] = found
        # the heavy face matters: the one that is confused with another, that other, or an unrelated one
        for place in (0, 2, KINDS - 1):
            chances = off_by(CUBE, CUBE.contrasts[place], 0.05)
            seed = [given.seed, labelled, 100 + place]
            true = READERS["2 % of sixes read as ones"]
            found = measured(chances, true, labelled, given.n, seed=seed, moments=(2_500,))
            name = f"{CUBE.labels[place]} heavy, 2 % of sixes read as ones, {labelled} labels a face"
            report["one face +5 points"][name] = found
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

"""Whether intervals hold the share of all throws, where a reader takes faces for others or does not read them.

In each run the reader is measured again. The truth is looked for at the given numbers of throws.
"""

import argparse
import json
import os
import time
from typing import Any

import numpy as np

from companion.fairness.outcomes import Floats, outcomes_of
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.reader_intervals import die_intervals
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.odds.intervals import share
from companion.rules.dice import dice_set

CUBE = outcomes_of(dice_set("pips").dice[0])
KINDS = len(CUBE.labels)
LABELLED = (300, 1000)
MOMENTS = (2_000, 10_000, 50_000)


def reader(as_one: float = 0.0, unread: float = 0.0) -> Floats:
    """Return the chances (k x (k + 1)) of a reader that errs on the last face only."""
    true = np.hstack([np.eye(KINDS), np.zeros((KINDS, 1))])
    true[-1, [KINDS - 1, 0, KINDS]] = 1 - as_one - unread, as_one, unread
    return np.asarray(true)


def loaded(sixes: float) -> Floats:
    """Return the chances of a die with so many sixes."""
    return np.array([*[(1 - sixes) / 5] * 5, sixes])


CASES = {
    "fair, sixes unread 50 %": (CUBE.fair, reader(unread=0.5)),
    "fair, sixes unread 20 %": (CUBE.fair, reader(unread=0.2)),
    "50 % sixes, read as ones 10 %": (loaded(0.5), reader(as_one=0.1)),
    "25 % sixes, unread 20 %": (loaded(0.25), reader(unread=0.2)),
    "25 % sixes, read as ones 5 %, unread 10 %": (loaded(0.25), reader(0.05, 0.1)),
    "fair, never errs": (CUBE.fair, reader()),
}


def missed(chances: Floats, true: Floats, labelled: int, n: int, *, known: bool, seed: list[int]) -> dict[str, Any]:
    """Return how often an interval missed, at each look and at any; ``known``: whether unread throws were counted."""
    rng = np.random.default_rng(seed)
    several = [contrast for contrast in CUBE.contrasts if contrast.kind != "face"]
    truth = [CUBE.share(one) if chances is CUBE.fair else float(chances[list(one.outcomes)].sum()) for one in several]
    faces, groups = np.zeros((n, len(MOMENTS)), bool), np.zeros((n, len(MOMENTS)), bool)
    width = np.zeros(len(MOMENTS))
    for run in range(n):
        measured = ReaderErrors(np.array([rng.multinomial(labelled, row) for row in true]))
        steps = np.diff((0, *MOMENTS))
        counts = np.cumsum([rng.multinomial(step, chances @ true) for step in steps], axis=0)
        for moment, fell in enumerate(counts):
            unread = int(fell[KINDS]) if known else 0
            ends, held = die_intervals(fell[:KINDS], CUBE, several, SIGNIFICANCE_LEVEL, reader=measured, unread=unread)
            faces[run, moment] = not ends.hold(chances)
            groups[run, moment] = any(not low <= one <= high for one, (low, high) in zip(truth, held, strict=True))
            width[moment] += float((ends.high - ends.low).max()) / n
    return {
        "n": n,
        **{f"at {moment}": share(int(faces[:, place].sum()), n).to_json() for place, moment in enumerate(MOMENTS)},
        "at any": share(int(faces.any(axis=1).sum()), n).to_json(),
        "a group's at any": share(int(groups.any(axis=1).sum()), n).to_json(),
        "widest, points": [round(100 * one, 1) for one in width],
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1_000, help="dice of each kind")
    parser.add_argument("--seed", type=int, default=20261124)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {"seed": given.seed, "level": SIGNIFICANCE_LEVEL, "looks": MOMENTS}
    for number, (name, (chances, true)) in enumerate(CASES.items()):
        for labelled in LABELLED:
            for known in (True, False):
                seed = [given.seed, number, labelled, int(known)]
                counted = "unread counted" if known else "unread unknown"
                report[f"{name}; {labelled} labels a face; {counted}"] = missed(
                    chances, true, labelled, given.n, known=known, seed=seed
                )
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

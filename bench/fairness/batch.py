"""How many of the dice called biased in a batch are fair, if the batch is stopped at the worst moment."""

import argparse
import json
import math
import os
import time
from dataclasses import asdict
from typing import Any

import numpy as np

from companion.fairness.batches.batch import FALSE_AMONG_CALLED, UNLIKE_LEVEL, closed_e_bh, unlike
from companion.fairness.batches.batch_plan import LOG_E_TO_GO_ON, batch_plan
from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import outcomes_of
from companion.fairness.planning import off_by
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.odds.intervals import mean, share
from companion.rules.dice import dice_set

CUBE = outcomes_of(dice_set("pips").dice[0])
STEP, MOMENTS = 50, 40
BIAS = 0.05


def discoveries(fair: int, loaded: int, n: int, seed: int) -> dict[str, Any]:
    """Return the share of fair dice among those called biased, for batches that stop as soon as a fair die is called.

    No other moment to stop is worse; a batch without such a call continues to its end. ``found``: share of the loaded
    dice found after all throws. ``alone``: share of the fair dice ever called biased if each is judged alone.
    """
    mixture, rng = mixture_of(CUBE), np.random.default_rng([seed, fair, loaded])
    heavy = off_by(CUBE, CUBE.contrasts[0], BIAS)
    chances = np.vstack([np.tile(CUBE.fair, (fair, 1)), np.tile(heavy, (loaded, 1))])
    parts, found, alone = [], 0, 0
    for _ in range(n):
        counts = rng.multinomial(STEP, chances, size=(MOMENTS, fair + loaded)).cumsum(axis=0)
        values = mixture.log_value(counts)
        called = np.stack([closed_e_bh(one, FALSE_AMONG_CALLED) for one in values])
        wrong = np.flatnonzero(called[:, :fair].any(axis=1))
        at = int(wrong[0]) if len(wrong) else MOMENTS - 1
        parts.append(float(called[at, :fair].sum() / max(1, called[at].sum())))
        found += int(called[-1, fair:].sum())
        alone += int((values[:, :fair].max(axis=0) >= -math.log(SIGNIFICANCE_LEVEL)).sum())
    return {
        "fair": fair,
        "loaded": loaded,
        "batches": n,
        "fair among called, stopped at worst": mean(parts).to_json(),
        "loaded found": share(found, n * loaded).to_json() if loaded else None,
        "fair ever called if judged alone": share(alone, n * fair).to_json(),
    }


def alike(dice: int, bias: float, n: int, seed: int) -> dict[str, Any]:
    """Return how often the laboratory ever says that dice with the same bias differ."""
    rng = np.random.default_rng([seed, dice, round(bias * 1000)])
    chances = off_by(CUBE, CUBE.contrasts[0], bias) if bias else CUBE.fair
    ever = 0
    for _ in range(n):
        counts = rng.multinomial(STEP, chances, size=(MOMENTS, dice)).cumsum(axis=0)
        ever += any(unlike(list(throws), CUBE)[0] >= -math.log(UNLIKE_LEVEL) for throws in counts)
    return {"dice": dice, "bias": bias, "sets": n, "ever said to differ": share(ever, n).to_json()}


def unalike(fair: int, loaded: int, n: int, seed: int, *, same: bool) -> dict[str, Any]:
    """Return how often it is said of sets with some loaded dice that they differ, after 1,000 throws of each die.

    ``same``: all have the same heavy face; else each has any.
    """
    rng = np.random.default_rng([seed, fair, loaded, same])
    faces = [contrast for contrast in CUBE.contrasts if contrast.kind == "face"]
    heavy = np.array([off_by(CUBE, face, BIAS) for face in faces])
    found = 0
    for _ in range(n):
        which = np.zeros(loaded, np.int64) if same else rng.integers(len(faces), size=loaded)
        chances = np.vstack([np.tile(CUBE.fair, (fair, 1)), heavy[which]])
        found += unlike(list(rng.multinomial(1_000, chances)), CUBE)[0] >= -math.log(UNLIKE_LEVEL)
    return {"fair": fair, "loaded": loaded, "same face": same, "sets": n, "said to differ": share(found, n).to_json()}


def in_two_rounds(dice: int, loaded: int, n: int, seed: int) -> dict[str, Any]:
    """Return what a plan in two rounds finds, of which dice called are fair, and how many throws it takes in all."""
    rng, mixture = np.random.default_rng([seed, dice, loaded, 2]), mixture_of(CUBE)
    plan = batch_plan(CUBE, CUBE.contrasts[0], BIAS, dice, loaded)
    assert plan.rounds is not None
    assert plan.any_time is not None
    heavy = off_by(CUBE, CUBE.contrasts[0], BIAS)
    chances = np.vstack([np.tile(heavy, (loaded, 1)), np.tile(CUBE.fair, (dice - loaded, 1))])
    found, parts, throws = 0, [], []
    for _ in range(n):
        counts = rng.multinomial(plan.rounds.first, chances)
        on = mixture.log_value(counts) >= LOG_E_TO_GO_ON
        counts += rng.multinomial(plan.rounds.second - plan.rounds.first, chances) * on[:, None]
        called = closed_e_bh(mixture.log_value(counts), FALSE_AMONG_CALLED)
        found += int(called[:loaded].sum())
        parts.append(float(called[loaded:].sum() / max(1, called.sum())))
        throws.append(float(counts.sum()))
    return {
        "dice": dice,
        "loaded": loaded,
        "batches": n,
        "plan": asdict(plan),
        "loaded found": share(found, n * loaded).to_json(),
        "fair among called": mean(parts).to_json(),
        "throws in all": mean(throws).to_json(),
        "throws in all without a second round": plan.any_time * dice,
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=1_000, help="batches of each kind")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {
        "seed": given.seed,
        "level": FALSE_AMONG_CALLED,
        "throws": STEP * MOMENTS,
        "look_at": STEP,
    }
    report["discoveries"] = [discoveries(*kind, given.n, given.seed) for kind in ((40, 0), (16, 4), (10, 10))]
    report["alike"] = [alike(6, bias, given.n // 2, given.seed) for bias in (0.0, 0.05)]
    report["unalike"] = [unalike(15, 5, max(1, given.n // 2), given.seed, same=same) for same in (True, False)]
    report["in two rounds"] = [in_two_rounds(*kind, given.n, given.seed) for kind in ((10, 1), (30, 3), (100, 2))]
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

"""How often the cause of a bias is found where it is not the die, against a chi-square test at 1 % at the end.

Throws come from two stations of which one favours the six, from a die that changes, from a thrower who repeats an
earlier throw, or from several dice in turn; and from loaded dice that are thrown honestly, whose verdict must stay.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import stats

from companion.fairness.account import CountedThrow, DieAccount, counts_of
from companion.fairness.outcomes import outcomes_of
from companion.odds.intervals import share
from companion.rules.dice import dice_set

CHI_SQUARE_LEVEL: Final = 0.01
DIE: Final = dice_set("pips").dice[0]
OUTCOMES: Final = outcomes_of(DIE)
Rng = np.random.Generator
Thrown = tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.int64]], list[str]]


@dataclass(frozen=True)
class Row:
    """One kind of series: how it is ``thrown`` (places, groups for the chi-square, sessions), and what should be found.

    ``questions``: those of which one names the cause; none for an honest die.
    """

    thrown: Callable[[Rng], Thrown]
    questions: tuple[str, ...]


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="series of each row")
    parser.add_argument("--seed", type=int, default=20261129)
    parser.add_argument("--row", action="append", choices=sorted(ROWS), help="only this row")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {"n": given.n, "seed": given.seed}
    for name in given.row or ROWS:
        report[name] = _measured(ROWS[name], given.n, np.random.default_rng([given.seed, sorted(ROWS).index(name)]))
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


def _measured(row: Row, n: int, rng: Rng) -> dict[str, Any]:
    found = dict.fromkeys(("cause", "any", "chi_square", "biased_alone", "biased", "biased_without_a_word"), 0)
    for _ in range(n):
        shown, groups, sessions = row.thrown(rng)
        throws = tuple(
            CountedThrow(number, int(place), "file", session=session)
            for number, (place, session) in enumerate(zip(shown, sessions, strict=True), 1)
        )
        account = DieAccount("die", "pips", DIE, OUTCOMES, counts_of(throws, OUTCOMES), throws)
        findings = [one for one in account.asked_of_the_thrower().values() if one is not None]
        yes = {one.question for one in findings if one.found}
        judged = account.judged_after(findings)
        biased = judged.said == "biased"
        found["cause"] += bool(yes & set(row.questions))
        found["any"] += bool(yes)
        found["biased_alone"] += account.judged_alone().said == "biased"
        found["biased"] += biased
        found["biased_without_a_word"] += biased and not yes and not judged.doubts
        if len(np.unique(groups)) > 1:
            table = np.zeros((2, len(OUTCOMES.labels)), np.int64)
            np.add.at(table, (groups, shown), 1)
            found["chi_square"] += stats.chi2_contingency(table).pvalue <= CHI_SQUARE_LEVEL
    return {what: share(times, n).to_json() for what, times in found.items()}


def _sixes(chance: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([(1 - chance) / 5] * 5 + [chance])


def _stations(many: int, sixes: float) -> Row:
    def thrown(rng: Rng) -> Thrown:
        at = np.arange(2 * many) % 2
        shown = np.where(at == 0, rng.integers(6, size=2 * many), rng.choice(6, p=_sixes(sixes), size=2 * many))
        return shown, at, [f"station {one}" for one in at]

    return Row(thrown, ("session",))


def _change(after: int, many: int, sixes: float) -> Row:
    def thrown(rng: Rng) -> Thrown:
        shown = np.concatenate([rng.integers(6, size=after), rng.choice(6, p=_sixes(sixes), size=many - after)])
        return shown, np.arange(many) * 2 // many, [""] * many

    return Row(thrown, ("drift",))


def _repeats(before: int, part: float, many: int) -> Row:
    def thrown(rng: Rng) -> Thrown:
        shown = rng.integers(6, size=many)
        for place in np.flatnonzero(rng.random(many) < part):
            if place >= before:
                shown[place] = shown[place - before]
        return shown, np.zeros(many, np.int64), [""] * many

    return Row(thrown, ("lag",))


def _in_turn(dice: int, many: int, sixes: float) -> Row:
    def thrown(rng: Rng) -> Thrown:
        first = (np.arange(many) % dice == 0).astype(np.int64)
        shown = np.where(first, rng.choice(6, p=_sixes(sixes), size=many), rng.integers(6, size=many))
        return shown, first, [""] * many

    return Row(thrown, ("cycle",))


def _honest(many: int, sixes: float) -> Row:
    def thrown(rng: Rng) -> Thrown:
        sessions = [f"session {place * 4 // many}" for place in range(many)]
        return rng.choice(6, p=_sixes(sixes), size=many), np.zeros(many, np.int64), sessions

    return Row(thrown, ())


ROWS: Final = {
    "stations, 1,500 each, 25.0 %": _stations(1500, 0.25),
    "stations, 800 each, 25.0 %": _stations(800, 0.25),
    "stations, 1,500 each, 21.7 %": _stations(1500, 0.217),
    "stations, 3,100 each, 25.0 %": _stations(3100, 0.25),
    "change at 1,600 of 3,100": _change(1600, 3100, 0.25),
    "change at 1,600 of 3,200": _change(1600, 3200, 0.25),
    "repeats the throw 5 before": _repeats(5, 0.3, 2000),
    "repeats the throw 6 before": _repeats(6, 0.3, 2000),
    "repeats the throw 8 before": _repeats(8, 0.3, 2000),
    "two dice in turn, one 12 points off": _in_turn(2, 2000, 1 / 6 + 0.12),
    "one of five dice in turn 12 points off": _in_turn(5, 2000, 1 / 6 + 0.12),
    "honest, fair": _honest(2000, 1 / 6),
    "honest, 5 points off": _honest(1200, 1 / 6 + 0.05),
}
"""The rows of an independent check of the laboratory, and honest dice beside them."""


if __name__ == "__main__":
    main()

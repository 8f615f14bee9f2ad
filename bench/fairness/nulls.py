"""Fair dice that look biased for another cause, a thrower or a reader: how often the die alone is blamed."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.fairness.dependence import asked
from companion.fairness.mixture import Counts
from companion.fairness.outcomes import Floats, Outcomes, outcomes_of
from companion.fairness.planning import off_by
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.serial_dependence import UNREAD_PLACE
from companion.fairness.verdict import judge
from companion.odds.intervals import share
from companion.rules.dice import dice_set

Throw = Callable[[np.random.Generator, int], Counts]


@dataclass(frozen=True, eq=False)
class Null:
    """A fair die of a set, and what is wrong all the same.

    ``rates``: if the reader was measured, how it reads (k x (k + 1)), as far as the measurement could see; each face
    was shown ``labels`` times.
    """

    dice: str
    thrown: Throw
    rates: Floats | None = None
    labels: int = 300

    def reader(self, rng: np.random.Generator) -> ReaderErrors | None:
        """Return the reader as it was measured, again each time."""
        return (
            None
            if self.rates is None
            else ReaderErrors(np.array([rng.multinomial(self.labels, row) for row in self.rates]))
        )


def outcomes(name: str) -> Outcomes:
    """Return the outcomes of a die of a set."""
    return outcomes_of(dice_set(name).dice[0])


def repeats(kinds: int, before: int, part: float) -> Throw:
    """Return throws of which this part shows again what lay so many throws before."""

    def thrown(rng: np.random.Generator, many: int) -> Counts:
        shown = rng.integers(kinds, size=many)
        again = rng.random(many) < part
        for place in range(before, many):
            if again[place]:
                shown[place] = shown[place - before]
        return np.asarray(shown, np.int64)

    return thrown


def next_in_turn(part: float) -> Throw:
    """Return throws of a cube of which this part shows the face after that of the throw before."""

    def thrown(rng: np.random.Generator, many: int) -> Counts:
        shown = rng.integers(6, size=many)
        turns = rng.random(many) < part
        for place in range(1, many):
            if turns[place]:
                shown[place] = (shown[place - 1] + 1) % 6
        return np.asarray(shown, np.int64)

    return thrown


def dependence(rng: np.random.Generator, many: int) -> Counts:
    """Throw a cube whose sixes come and go by 5 points, every 500 throws."""
    chances = np.full((many, 6), 1 / 6)
    wave = 0.05 * np.sin(2 * np.pi * np.arange(many) / 500)
    chances[:, 5] += wave
    chances[:, :5] -= wave[:, None] / 5
    return np.asarray((rng.random(many)[:, None] > chances.cumsum(axis=1)).sum(axis=1), np.int64)


def missing(kinds: int, part: float) -> Throw:
    """Return throws of which this part of the last face is not read."""

    def thrown(rng: np.random.Generator, many: int) -> Counts:
        shown = rng.integers(kinds, size=many)
        shown[(shown == kinds - 1) & (rng.random(many) < part)] = UNREAD_PLACE
        return np.asarray(shown, np.int64)

    return thrown


def rates(kinds: int, unread: float = 0.0, as_one: float = 0.0) -> Floats:
    """Return the rates (k x (k + 1)) of a reader that errs on the last face only."""
    found = np.hstack([np.eye(kinds), np.zeros((kinds, 1))])
    found[-1, [kinds - 1, 0, kinds]] = 1 - as_one - unread, as_one, unread
    return np.asarray(found)


def confused(from_part: float, to_part: float, *, both: bool = False) -> Throw:
    """Return throws of a cube of which a part of the sixes is read as ones; it grows evenly from one to the other.

    ``both``: ones are read as sixes as often.
    """

    def thrown(rng: np.random.Generator, many: int) -> Counts:
        shown = rng.integers(6, size=many)
        wrong = rng.random(many) < np.linspace(from_part, to_part, many)
        sixes, ones = wrong & (shown == 5), wrong & (shown == 0)
        shown[sixes] = 0
        if both:
            shown[ones] = 5
        return np.asarray(shown, np.int64)

    return thrown


def well(name: str, points: float) -> Throw:
    """Return independent throws of a die whose first face is off by so many points of a hundred."""
    die = outcomes(name)
    chances = off_by(die, die.contrasts[0], points / 100) if points else die.fair

    def thrown(rng: np.random.Generator, many: int) -> Counts:
        return np.asarray(rng.choice(len(chances), p=chances, size=many), np.int64)

    return thrown


NULLS: dict[str, Null] = {
    **{f"d6, lies where it lay, {part:.0%}": Null("pips", repeats(6, 1, part)) for part in (0.1, 0.2, 0.3, 0.5)},
    **{f"d20, lies where it lay, {part:.0%}": Null("d20", repeats(20, 1, part)) for part in (0.2, 0.4)},
    **{f"d6, as the throw before last, {part:.0%}": Null("pips", repeats(6, 2, part)) for part in (0.1, 0.2, 0.3)},
    "d6, as four throws before, 30%": Null("pips", repeats(6, 4, 0.3)),
    "d20, as the throw before last, 30%": Null("d20", repeats(20, 2, 0.3)),
    "d6, next face in turn, 40%": Null("pips", next_in_turn(0.4)),
    "d6, a habit of period 500": Null("pips", dependence),
    **{f"d6, a face not read, {part:.0%}": Null("pips", missing(6, part)) for part in (0.05, 0.1, 0.2)},
    "d20, a face not read, 20%": Null("d20", missing(20, 0.2)),
    "d6, fair and thrown well": Null("pips", well("pips", 0)),
    "d20, fair and thrown well": Null("d20", well("d20", 0)),
    "d6, the faces in turn": Null("pips", next_in_turn(1.0)),
    **{
        f"d6, a face not read, {part:.0%}, measured": Null("pips", missing(6, part), rates(6, part))
        for part in (0.05, 0.1, 0.2)
    },
    "d20, a face not read, 20%, measured": Null("d20", missing(20, 0.2), rates(20, 0.2)),
    "d6, sixes ever more often as ones, to 10%": Null("pips", confused(0, 0.1)),
    "d6, sixes ever more often as ones, to 10%, measured before it": Null("pips", confused(0, 0.1), rates(6)),
    "d6, sixes ever more often as ones, to 10%, measured before it, 1,000 labels": Null(
        "pips", confused(0, 0.1), rates(6), 1_000
    ),
    **{f"d6, sixes as ones, {part:.0%}": Null("pips", confused(part, part)) for part in (0.05, 0.1)},
    "d6, sixes as ones, 10%, measured": Null("pips", confused(0.1, 0.1), rates(6, as_one=0.1)),
    "d6, sixes as ones, 10%, measured as never": Null("pips", confused(0.1, 0.1), rates(6)),
    "d6, sixes as ones, 10%, measured as never, 1,000 labels": Null("pips", confused(0.1, 0.1), rates(6), 1_000),
    "d6, ones and sixes confused, 10%": Null("pips", confused(0.1, 0.1, both=True)),
}

LOADED: dict[str, tuple[str, float, int]] = {
    "d6, one face +2": ("pips", 2, 6_000),
    "d6, one face +5": ("pips", 5, 950),
    "d6, one face +15": ("pips", 15, 110),
    "d20, one face +2": ("d20", 2, 2_600),
    "d20, one face +5": ("d20", 5, 500),
}
"""Loaded dice, by points of a hundred, and about as many throws as find them in four of five cases."""


def blamed(null: Null, n: int, throws: int, seed: list[int]) -> dict[str, Any]:
    """Return how often a die is called biased, and how often no word is said on thrower or reader.

    ``raw``: the bet won, whatever else was found. ``at the end``, ``at the call``: called biased and nothing else said
    after all throws, and at the throw at which it was called.
    """
    die, rng = outcomes(null.dice), np.random.default_rng(seed)
    kinds, raw, end, call = len(die.labels), 0, 0, 0
    for _ in range(n):
        shown, reader = null.thrown(rng, throws), null.reader(rng)
        judged = judge(shown, die, reader=reader)
        raw += judged.raw.reached is not None
        end += judged.said == "biased" and not _hangs(shown, kinds)
        if judged.evidence.called is not None:
            read = np.flatnonzero(shown != UNREAD_PLACE)
            part = shown[: read[judged.evidence.called - 1] + 1]
            call += judge(part, die, reader=reader).said == "biased" and not _hangs(part, kinds)
    return {
        "n": n,
        "the bet won": share(raw, n).to_json(),
        "silent at the end": share(end, n).to_json(),
        "silent at the call": share(call, n).to_json(),
    }


def _hangs(shown: Counts, kinds: int) -> bool:
    return any(one is not None and one.found for one in asked(shown, kinds, {}, at_end=True).values())


def kept(name: str, points: float, n: int, throws: int, seed: list[int]) -> dict[str, Any]:
    """Return how often a loaded die that is thrown well is called biased, by the bet alone and after all questions."""
    die, rng = outcomes(name), np.random.default_rng(seed)
    thrown, raw, biased = well(name, points), 0, 0
    for _ in range(n):
        shown = thrown(rng, throws)
        judged = judge(shown, die)
        raw += judged.raw.reached is not None
        biased += judged.said == "biased" and not _hangs(shown, len(die.labels))
    return {"n": n, "throws": throws, "the bet": share(raw, n).to_json(), "said": share(biased, n).to_json()}


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=400, help="dice of each kind")
    parser.add_argument("--throws", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=20261124)
    parser.add_argument("--only", default="", help="kinds whose names contain this")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {"throws": given.throws, "seed": given.seed, "nulls": {}, "loaded": {}}
    for number, (kind, null) in enumerate(NULLS.items()):
        if given.only in kind:
            report["nulls"][kind] = blamed(null, given.n, given.throws, [given.seed, number])
            print(kind, report["nulls"][kind], file=sys.stderr, flush=True)
    for number, (kind, (name, points, throws)) in enumerate(LOADED.items()):
        if given.only in kind:
            report["loaded"][kind] = kept(name, points, given.n, throws, [given.seed, 100 + number])
            print(kind, report["loaded"][kind], file=sys.stderr, flush=True)
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

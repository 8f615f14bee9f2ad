"""How well tokens on the printed boards are read: newly drawn pictures with hands and sleeves, every site judged.

A circle is hidden if a hand covers more than half of it, and must then not be called empty. A partly covered circle may
be asked about. For all other circles, the measurement counts whether what lies there was read.
"""

import argparse
import json
import os
from collections import Counter
from typing import Any

import numpy as np

from bench.scoring.intervals import rate
from companion.vision.boards.tokens.reader import TokenReader
from tests.vision.boards.printed import Shown, TokenScene, shown
from tests.vision.boards.token_rooms import random_scene

HALF = 0.5
TOUCHED = 0.03
"""Largest covered share of a circle with which its content must still be read."""

BOARDS = ("rim", "pairs", "wheel")


def measured(board: str, number: int, seed: int) -> dict[str, Any]:
    """Draw boards and read each from one picture."""
    reader = TokenReader(board)
    counts: Counter[str] = Counter()
    sure: list[float] = []
    times: list[float] = []
    before = os.getloadavg()[0]
    for k in range(number):
        scene = random_scene(np.random.default_rng([seed, k]), board)
        picture = shown(scene)
        reading = reader.read(picture.image)
        times.append(reading.milliseconds)
        counts[f"boards {reading.status}"] += 1
        if reading.status != "read":
            _unread(counts, scene, picture)
            continue
        exact = True
        for site, read in reading.sites.items():
            what = _judged(counts, scene, picture.covered[site], site, read)
            exact = exact and what
            if read.status == "read" and picture.covered[site] <= TOUCHED:
                sure.append(read.confidence)
        counts["exact"] += exact
    load = [round(before, 2), round(os.getloadavg()[0], 2)]
    return _report(counts, number, sure, times) | {"load": load}


def _unread(counts: Counter[str], scene: TokenScene, picture: Shown) -> None:
    for site, covered in picture.covered.items():
        if covered <= TOUCHED:
            counts["occupied" if site in scene.tokens else "empty"] += 1


def _judged(counts: Counter[str], scene: TokenScene, covered: float, site: str, read: Any) -> bool:
    """Count the result for a site; return whether it was read rightly, or need not be."""
    true = scene.tokens[site].colour if site in scene.tokens else None
    seen = None if read.standing is None else read.standing.colour
    if covered > HALF:
        counts["hidden"] += 1
        counts["hidden called empty"] += read.status == "read" and seen is None
        counts["hidden called a token"] += read.status == "read" and seen is not None
        return True
    wrong = read.status == "read" and seen != true
    if covered > TOUCHED:
        counts["touched"] += 1
        counts["touched silent"] += wrong
        return True
    kind = "empty" if true is None else "occupied"
    right = read.status == "read" and seen == true
    counts[kind] += 1
    counts[f"{kind} right"] += right
    counts["silent"] += wrong
    if read.status == "ask":
        counts["asked"] += 1
        counts["asked, the first guess right"] += seen == true
    return right


def _report(counts: Counter[str], number: int, sure: list[float], times: list[float]) -> dict[str, Any]:
    every = counts["occupied"] + counts["empty"]
    ordered = sorted(times)
    return {
        "boards": number,
        "found": rate(counts["boards read"], number),
        "exact": rate(counts["exact"], number),
        "occupied": rate(counts["occupied right"], counts["occupied"]),
        "empty": rate(counts["empty right"], counts["empty"]),
        "silent": rate(counts["silent"], every),
        "asked": rate(counts["asked"], every),
        "asked_first_guess": rate(counts["asked, the first guess right"], counts["asked"]),
        "hidden": {
            "count": counts["hidden"],
            "called_empty": counts["hidden called empty"],
            "called_a_token": counts["hidden called a token"],
            "touched": counts["touched"],
            "touched_silent": counts["touched silent"],
        },
        "confidence_read": round(float(np.mean(sure)), 4) if sure else None,
        "ms": {"median": ordered[len(ordered) // 2], "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]},
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=60, help="boards of each kind")
    parser.add_argument("--seed", type=int, default=20261204)
    parser.add_argument("--boards", nargs="+", choices=BOARDS, default=BOARDS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures: dict[str, Any] = {"n": given.n, "seed": given.seed}
    for board in given.boards:
        figures[board] = measured(board, given.n, given.seed)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()

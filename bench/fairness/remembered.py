"""A d20 under the laboratory's camera, read by a table that remembers: questions, silent errors and verdict.

``python -m bench.fairness.remembered -n 500 --seed 1``: each die has numerals, material, camera and light of its own,
drawn with held-out fonts; every third die is loaded. The labels answer each question. The first throws are learnt; the
``-n`` throws after them are counted, and judged once as the companion has them and once by the labels.
"""

import argparse
import json
import os
from typing import Any, Final

import cv2
import numpy as np

from bench.fairness.grouping import EVERY, Throws, throws_of
from bench.scoring.intervals import rate
from bench.scoring.outcomes import Label
from bench.scoring.sitting import answers
from companion.fairness.verdict import judge
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.images import decode_image
from workshop.scenes.fonts import find_fonts

LEARNT: Final = 60


def measured(thrown: Throws) -> dict[str, Any]:
    """Return the figures of one die. ``asked``: throws with a question; ``silent``: throws counted as another face."""
    reader = DiceReader(thrown.dice.name, memory=TableMemory())
    truth, lessons = [], []
    asked = silent = 0
    for number, (shown, face) in enumerate(thrown.drawn):
        label: Label = shown.to_json(f"{number}")
        reading = reader.read(decode_image(shown.jpeg))
        reader.learn(answers(label, reading), f"{number}")
        if number < LEARNT:
            continue
        read = [die.face for die in reading.dice if die.status == "read"]
        sure = len(read) == len(reading.dice) == 1
        truth.append(face)
        lessons.append(str(read[0]) if sure else face)
        asked += not sure
        silent += sure and lessons[-1] != face
    labels = thrown.outcomes.labels
    plain, true = (
        judge(np.array([labels.index(face) for face in faces]), thrown.outcomes).said for faces in (lessons, truth)
    )
    return {
        "loaded": thrown.loaded,
        "throws": len(truth),
        "asked": asked,
        "silent": silent,
        "said": plain,
        "said_of_labels": true,
    }


def main() -> None:
    """Measure and print one JSON object, with a line for each die while it runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=500, help="throws of each die after the first 60")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dice", type=int, default=6)
    parser.add_argument("--kind", choices=["d20", "d12", "d10"], default="d20")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = find_fonts("held-out")
    load = os.getloadavg()[0]
    dice = []
    for number in range(given.dice):
        place = [2035, given.seed, number]
        loaded = number % EVERY == EVERY - 1
        dice.append(measured(throws_of(given.kind, place, given.n + LEARNT, fonts, loaded=loaded)))
        if not given.json:
            print(json.dumps(dice[-1]), flush=True)
    throws = sum(one["throws"] for one in dice)
    report = {
        "n": given.n,
        "seed": given.seed,
        "kind": given.kind,
        "asked": rate(sum(one["asked"] for one in dice), throws),
        "silent": rate(sum(one["silent"] for one in dice), throws),
        "verdicts_the_same": sum(one["said"] == one["said_of_labels"] for one in dice),
        "load": [round(load, 2), round(os.getloadavg()[0], 2)],
        "dice": dice,
    }
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

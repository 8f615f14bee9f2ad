"""A folder of one rig, in the order of its throws: named once, then counted, by the method that ``--group`` chooses.

``python -m bench.fairness.rig ../shared/photos/d20-rig --die d20``: the labels in ``labels.jsonl`` answer for the
person, who names each row of the first throws by what most of the shown ones bear. ``--pictures FILE`` draws the
throws that count for another face than their label, to be judged by eye: labels err, too.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from bench.scoring.intervals import rate
from companion.rules.dice import dice_set
from companion.vision.dice.atlas.method import NotCut, cuts_of, method_for, sorted_throws
from companion.vision.images import load_image


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--die", default="d20", help="the dice set; its only die is meant")
    parser.add_argument("--learn", type=int, default=120, help="throws from which the rows are made")
    parser.add_argument("--pictures", type=Path, help="where the disagreements are drawn")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    arguments = parser.parse_args()
    listed = [json.loads(line) for line in (arguments.folder / "labels.jsonl").read_text().splitlines()]
    labels = [one["objects"][0]["face"] for one in listed]
    dice = dice_set(arguments.die)
    method = method_for(dice, dice.dice[0])
    began = time.process_time()
    cuts = list(cuts_of(method, (load_image(arguments.folder / one["image"]) for one in listed)))
    cut = time.process_time() - began
    learnt = [number for number in range(arguments.learn) if not isinstance(cuts[number][1], NotCut)]
    began = time.process_time()
    die = dice.dice[0]
    course = sorted_throws([cuts[number][1] for number in learnt], dice, die, len(die.faces))
    names = {}
    for place, row in enumerate(course.rows):
        if not row.mixed:
            names[place] = Counter(labels[learnt[number]] for number in row.shown).most_common(1)[0][0]
    course.name(names)
    sorting = time.process_time() - began
    began = time.process_time()
    verdicts = {
        number: course.read(one)
        for number, (_, one) in enumerate(cuts)
        if number >= arguments.learn and not isinstance(one, NotCut)
    }
    reading = time.process_time() - began
    later = len(listed) - arguments.learn
    counted = [number for number, verdict in verdicts.items() if verdict.sure]
    differ = [number for number in counted if verdicts[number].name != labels[number]]
    first = [place for place, verdict in enumerate(course.verdicts) if verdict.sure]
    print(
        json.dumps(
            {
                "throws": len(listed),
                "not_cut": {listed[n]["image"]: str(one) for n, (_, one) in enumerate(cuts) if isinstance(one, NotCut)},
                "learn": arguments.learn,
                "rows": len(course.rows),
                "names": len(set(names.values())),
                "taps": len(names),
                "guesses": {names[place]: course.rows[place].guess for place in names},
                "first_counted": len(first),
                "first_differ": sum(course.verdicts[k].name != labels[learnt[k]] for k in first),
                "later": later,
                "later_counted": rate(len(counted), later),
                "later_differ": rate(len(differ), len(counted)) if counted else None,
                "differ": {
                    listed[n]["image"]: [verdicts[n].name, labels[n], round(verdicts[n].margin, 2)] for n in differ
                },
                "cut_ms": round(1000 * cut / len(listed), 1),
                "sort_s": round(sorting, 1),
                "read_ms": round(1000 * reading / max(1, len(verdicts)), 1),
            },
            indent=1,
            ensure_ascii=False,
        )
    )
    if arguments.pictures and differ:
        tiles = []
        for number in differ:
            one = cv2.resize(cuts[number][1].picture, (200, 200), interpolation=cv2.INTER_CUBIC)
            words = f"{number}: {verdicts[number].name}, label {labels[number]}"
            cv2.putText(one, words, (4, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 255, 255), 1)
            tiles.append(one)
        tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 6)
        rows = [np.hstack(tiles[k : k + 6]) for k in range(0, len(tiles), 6)]
        cv2.imwrite(str(arguments.pictures), np.vstack(rows))


if __name__ == "__main__":
    main()

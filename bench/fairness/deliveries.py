"""Whether each throw is one rest, where pictures come again, late or not at all: what a laboratory counts.

Four drawn dice are thrown before a camera of 5 to 60 pictures a second. A throw is ``exact`` if it led to one still
interval, and the dice lay still in its picture.
"""

import argparse
import json
import os
import time
from collections import Counter
from typing import Any, Final

from companion.odds.intervals import share
from companion.vision.stillness import Stillness
from tests.vision.deliveries import Delivery, delivered

RATES: Final = (5, 10, 15, 30, 60)
SLOW: Final = 4
"""Pictures a second of a slow camera whose pictures come again."""


def deliveries() -> dict[str, Delivery]:
    """Return the ways in which pictures come, by what they are called."""
    found: dict[str, Delivery] = {}
    for fps in RATES:
        found |= {
            f"{fps} a second, {SLOW} of them new": Delivery(fps=fps, real=SLOW),
            f"{fps} a second, a fifth dropped": Delivery(fps=fps, real=fps, dropped=0.2),
            f"{fps} a second, 0.3 to 0.6 s late": Delivery(fps=fps, real=fps, late=0.3),
            f"{fps} a second, half of them new, a tenth dropped, 0.2 to 0.4 s late": Delivery(
                fps=fps, real=max(SLOW, fps / 2), dropped=0.1, late=0.2
            ),
        }
    return found


def counted(how: Delivery, throws: int, seed: int) -> dict[str, Any]:
    """Return how many throws were one rest, none, or several, and how many rests were of dice that still rolled."""
    stillness, before, rolling = Stillness(), 0, 0
    rests: Counter[int] = Counter()
    for seen in delivered(how, throws, seed):
        state = stillness.feed(seen.frame)
        if state.phase == "still" and state.interval != before:
            before = state.interval
            rests[seen.throw] += 1
            rolling += not seen.at_rest
    times = Counter(rests[throw] for throw in range(throws))
    return {
        "throws": throws,
        "exact": times[1] - rolling,
        "not seen": times[0],
        "seen twice": sum(count for many, count in times.items() if many > 1),
        "while they rolled": rolling,
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=100, help="throws of each way of delivery")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    begun, load = time.perf_counter(), os.getloadavg()[0]
    report: dict[str, Any] = {"seed": given.seed}
    for number, (name, how) in enumerate(deliveries().items()):
        report[name] = counted(how, given.n, given.seed + number)
        if not given.json:
            print(name, report[name], flush=True)
    report["exact"] = share(sum(report[name]["exact"] for name in deliveries()), given.n * len(deliveries())).to_json()
    report |= {"seconds": round(time.perf_counter() - begun), "load": [round(load, 2), round(os.getloadavg()[0], 2)]}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

"""Tables and the desk of a hall without a broker killed at random moments: journals and book must agree.

At each moment one table or the desk is killed, or both, and started again. Afterwards the book has what the journals
have, event by event, in their order.
"""

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from bench.table.hall_kills import LONGEST_LIFE, Kennel, kept, play, publish, settled
from tests.hall.direct_hall import DirectHall, place_of
from tests.hall.listening import hashes

DESK: Final = "desk"


def serve(folder: Path, port: int) -> None:
    """Be the desk until killed."""
    DirectHall(folder, port)
    threading.Event().wait()


def kill(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Kill so often, let everything settle, and compare."""
    chance, kennel = Random(given.seed), Kennel()
    hall = DirectHall(folder / "hall")
    joined = [hall.join(f"t{number}") for number in range(given.tables)]
    tables = {one.table: replace(place_of(one), invitations=False) for one in joined}
    hall.stop()
    kennel.start(DESK, serve, hall.folder, hall.port)
    for name, place in tables.items():
        kennel.start(name, play, folder / f"{name}.db", place, given.every)
    kills: Counter[str] = Counter()
    for _ in range(given.n):
        time.sleep(LONGEST_LIFE * chance.random())
        name = chance.choice([*tables])
        for victim in chance.choice([[DESK], [name], [name, DESK], [DESK, name]]):
            kennel.kill(victim)
            kills["desk" if victim == DESK else "tables"] += 1
            if victim == DESK:
                kennel.start(DESK, serve, hall.folder, hall.port)
            else:
                kennel.start(name, play, folder / f"{name}.db", tables[name], given.every)
    kennel.kill(*tables)
    for name, place in tables.items():
        kennel.start(name, publish, folder / f"{name}.db", place)
    journals = {name: hashes(folder / f"{name}.db") for name in tables}
    differ, seconds = settled(lambda: [name for name, known in journals.items() if kept(hall.book, name) != known])
    kennel.kill()
    return {
        "n": given.n,
        "kills": dict(kills),
        "seed": given.seed,
        "tables": len(tables),
        "events": sum(map(len, journals.values())),
        "seconds_until_equal": seconds,
        "differ": differ,
    }


def main() -> int:
    """Print the figures; fail if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=300, help="moments, each of which kills a table, the desk or both")
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--every", type=float, default=0.05, help="seconds between two events of a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        figures = kill(Path(folder), given)
    print(json.dumps(figures | {"load": [round(load, 1), round(os.getloadavg()[0], 1)]}))
    return bool(figures["differ"])


if __name__ == "__main__":
    sys.exit(main())

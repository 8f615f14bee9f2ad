"""The same games on one core, on two, and on clusters of one, two and four workers, one of which dies in the middle.

``python -m bench.games.cluster -n 100000``: seconds of each, and whether all gave the same games.
"""

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from companion.odds.many import SimulatedGame, vectorised
from companion.parallel.cluster import Cluster
from companion.parallel.cores import Cores
from companion.parallel.parts import Workers
from tests.odds.dask_cluster import DaskCluster, dask_cluster

CORES: Final = (1, 2)
WORKERS: Final = (1, 2, 4)
MANY: Final = 4  # of so many workers one dies
SLUG: Final = "tables/zeno"
LONGEST_START: Final = 600.0  # seconds: the machine may be busy


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=100_000, help="games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, nargs="*", default=CORES, help="how many, in each run on this machine")
    parser.add_argument("--workers", type=int, nargs="*", default=WORKERS, help="how many, in each run on a cluster")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    before = os.getloadavg()[0]
    runs: dict[str, Any] = {}
    for cores in given.cores:
        with Cores(cores) as here:
            runs[f"{cores} cores"] = played(given.seed, given.n, here)
    for workers in given.workers:
        with tempfile.TemporaryDirectory() as folder, dask_cluster(Path(folder), workers) as running:
            dies = workers >= MANY
            name = f"{workers} workers" + (", one dies" if dies else "")
            runs[name] = on_cluster(running, workers, given.seed, given.n, dies=dies)
            print(name, runs[name], file=sys.stderr, flush=True)
    digests = {run["games"] for run in runs.values()}
    report = {"n": given.n, "seed": given.seed, "load": [before, os.getloadavg()[0]], "same": len(digests) == 1}
    print(json.dumps(report | {"runs": runs}))


def on_cluster(running: DaskCluster, workers: int, seed: int, count: int, *, dies: bool) -> dict[str, Any]:
    """Play on a cluster whose workers have all come; where one dies, it does so when a third of the games is done."""
    with Cluster(running.address, LONGEST_START) as cluster:
        while cluster.workers() < workers:
            time.sleep(0.1)
        done = 0

        def progress(games: int) -> None:
            nonlocal done
            if done < count / 3 <= done + games and dies:
                threading.Thread(target=running.stop, args=(1,)).start()
            done += games

        return played(seed, count, cluster, progress)


def played(
    seed: int, count: int, workers: Workers, progress: Callable[[int], object] = lambda _: None
) -> dict[str, Any]:
    """Return the seconds that the games took, and the digest of them all."""
    games, why_not = vectorised(SimulatedGame(SLUG, seed, 2, {}), count, workers, progress)
    if games is None:
        raise SystemExit(why_not)
    digest = sha256(repr([(one.throws, one.choices, one.winners) for one in games.records]).encode())
    return {"seconds": round(games.seconds, 1), "games": digest.hexdigest()}


if __name__ == "__main__":
    main()

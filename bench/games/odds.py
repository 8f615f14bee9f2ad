"""How long the exact odds and 10,000 whole games take, and how much memory they use, each in a process of its own."""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

COMPANION = str(Path(sys.executable).parent / "companion")


def timed(*arguments: str) -> tuple[dict[str, Any], float]:
    """Run a command with --json; return its output and its time in seconds, including Python's start."""
    started = time.perf_counter()
    done = subprocess.run([COMPANION, *arguments, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout), time.perf_counter() - started


def main() -> None:
    """Print times in seconds and the largest resident memory of any of the processes in MB."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    figures: dict[str, Any] = {"n": given.n, "seed": given.seed}
    for slug in ("ludus-regularis", "ludus-regularis/sum"):
        odds, seconds = timed("odds", slug)
        figures[f"odds {slug}"] = {"seconds": round(seconds, 2)} | {
            key: odds[key] for key in ("mean", "deviation") if key in odds
        }
        _, seconds = timed("simulate", slug, "-n", str(given.n), "--seed", str(given.seed))
        figures[f"simulate {slug}"] = {"seconds": round(seconds, 2)}
    figures["max_rss_mb"] = round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()

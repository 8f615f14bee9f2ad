"""How long ``companion --help`` takes, as a whole process."""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path


def main() -> None:
    """Start it 20 times and print the median and the slowest time."""
    companion = Path(sys.executable).parent / "companion"
    times = []
    for _ in range(20):
        started = time.perf_counter()
        subprocess.run([companion, "--help"], check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    print(json.dumps({"n": 20, "median_s": round(statistics.median(times), 3), "max_s": round(max(times), 3)}))


if __name__ == "__main__":
    main()

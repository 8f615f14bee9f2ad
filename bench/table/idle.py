"""The cost of watching an idle table: 1280x720 at 15 frames per second, percent of one core, and memory."""

import argparse
import json
import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.table.latency import Stage
from bench.table.reading import reader
from companion.live.seeing import Seeing
from companion.live.table import LiveTable


def memory_mb() -> int:
    """Return the resident memory of this process in MB (Linux)."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found
    return round(int(found[1]) / 1024)


def main() -> int:
    """Watch a table whose picture has a sensor's noise and print the cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    name, make, combine = reader()
    chance = np.random.default_rng(1)
    ground = np.full((720, 1280, 3), (60, 90, 40), np.int16)
    pictures = [np.clip(ground + chance.normal(0, 3, ground.shape), 0, 255).astype(np.uint8) for _ in range(8)]
    stage = Stage()
    with tempfile.TemporaryDirectory() as folder:
        table = LiveTable(Path(folder) / "match.db", Seeing(stage, reader=make), combine=combine)
        table.start()
        game = {"game": "ludus-regularis", "players": ["Anna", "Ben"], "dice_by": "camera"}
        table.command("new_match", game, "bench")
        shown = 0
        began, used = 0.0, 0.0
        until = time.monotonic() + 3
        while time.monotonic() < until or not began:
            if time.monotonic() >= until:
                began, used, until = time.monotonic(), time.process_time(), time.monotonic() + given.seconds
            stage.show(pictures[shown % len(pictures)])
            shown += 1
            time.sleep(1 / 15)
        used, took = time.process_time() - used, time.monotonic() - began
        snapshots = table.snapshot().version
        table.stop()
    figures = {
        "size": "1280x720",
        "frames_a_second": 15,
        "seconds": round(took, 1),
        "reader": name,
        "percent_of_a_core": round(100 * used / took, 1),
        "rss_mb": memory_mb(),
        "snapshots": snapshots,
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())

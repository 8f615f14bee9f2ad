"""Four open pages and a fifth: how soon the fifth gets answers, and the memory of the running server."""

import argparse
import json
import re
import statistics
import threading
import time
import urllib.request
from pathlib import Path

from bench.page.served import served


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process in MB (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


def listen(address: str, stop: threading.Event) -> None:
    """Keep one live stream open, as a page does."""
    with urllib.request.urlopen(f"{address}/api/events", timeout=30) as stream:
        while not stop.is_set() and stream.readline():
            pass


def main() -> None:
    """Serve the sample table, open four streams, request page and state again and again, and measure the memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with served("--sample", "ludus-regularis") as (address, pid):
        stop = threading.Event()
        for _ in range(4):
            threading.Thread(target=listen, args=(address, stop), daemon=True).start()
        time.sleep(2)
        times, memory, until = [], [], time.monotonic() + given.seconds
        while time.monotonic() < until:
            for path in ("/", "/api/state"):
                started = time.perf_counter()
                with urllib.request.urlopen(address + path, timeout=10) as answer:
                    answer.read()
                times.append(time.perf_counter() - started)
            memory.append(memory_mb(pid))
            time.sleep(0.5)
        stop.set()
    times.sort()
    print(
        json.dumps(
            {
                "open_streams": 4,
                "n": len(times),
                "median_s": round(statistics.median(times), 4),
                "p95_s": round(times[int(len(times) * 0.95)], 4),
                "max_s": round(times[-1], 4),
                "server_rss_mb": {"median": round(statistics.median(memory)), "max": round(max(memory))},
            }
        )
    )


if __name__ == "__main__":
    main()

"""How long people wait after a command: for ``--help``, the page's first answer, the demonstration's first throw.

Each wait is measured by the clock, which other work lengthens, and in processor time of the process. ``--slower 4``
measures on a machine at a quarter of this one's speed: the program is stopped for three quarters of the time. ``--of``
names another checkout, to compare with. The program's bytecode is made before, as pip makes it for what it installs:
otherwise a checkout that cannot keep it is compiled at each start.
"""

import argparse
import compileall
import contextlib
import json
import os
import resource
import signal
import statistics
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bench.page.served import COMPANION, served

PERIOD: Final = 0.04
"""Seconds in which a slowed program runs once and is stopped once."""

BARS: Final = {"answer": {1: 0.9, 4: 3.0}, "throw": {1: 3.0, 4: 8.0}}
"""Seconds by the clock on a quiet machine, by how much the program is slowed."""

ROOT: Final = Path(__file__).resolve().parents[2]
PROGRAM: Final = ("companion", "calibration", "firmware_bridge")

TICKS: Final = os.sysconf("SC_CLK_TCK")


def used(process: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextlib.contextmanager
def slowed(process: int, slower: float, ended: threading.Event) -> Iterator[None]:
    """Let a process run only one part of ``slower`` of the time until the block ends."""

    def stop_and_go() -> None:
        while not ended.wait(PERIOD / slower):
            os.kill(process, signal.SIGSTOP)
            ended.wait(PERIOD - PERIOD / slower)
            os.kill(process, signal.SIGCONT)

    thread = threading.Thread(target=stop_and_go)
    if slower > 1:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if slower > 1:
            thread.join()


def demonstration(of: Path | None, slower: float) -> dict[str, float]:
    """Start the demonstration once; return the seconds until its first answer and its first throw."""
    began, ended = time.monotonic(), threading.Event()
    with contextlib.ExitStack() as held:

        def begun(process: int) -> None:
            held.enter_context(slowed(process, slower, ended))

        address, process = held.enter_context(served("--demo", "ludus-regularis", of=of, begun=begun))
        urllib.request.urlopen(address, timeout=60).read()
        answered, work = time.monotonic() - began, used(process)
        asked = thrown = False
        while not thrown:
            time.sleep(0.05)
            with urllib.request.urlopen(f"{address}/api/state", timeout=60) as answer:
                state = json.load(answer)
            asked = asked or state["ask"] is not None
            thrown = any(line["kind"] == "throw" for line in state["log"])
        ended.set()
        return {
            "answer_s": answered,
            "answer_work_s": work,
            "throw_s": time.monotonic() - began,
            "throw_work_s": used(process),
            "asked": asked,
        }


def help_once() -> dict[str, float]:
    """Ask for the help once."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([COMPANION, "--help"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"help_s": time.monotonic() - began, "help_work_s": work}


def summed(rows: list[dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return the median, the least and the most of each figure."""
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return {
        name: {"median": round(statistics.median(all_), 3), "least": round(min(all_), 3), "most": round(max(all_), 3)}
        for name, all_ in columns.items()
    }


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="starts of each kind")
    parser.add_argument("--slower", type=float, nargs="*", default=[1.0, 4.0], help="how much the program is slowed")
    parser.add_argument("--of", type=Path, help="the checkout whose program it is, by default the installed one")
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    given = parser.parse_args()
    for room in PROGRAM:
        compileall.compile_dir((given.of or ROOT) / room, quiet=1)
    help_ = summed([help_once() for _ in range(given.n)])
    figures: dict[str, Any] = {"n": given.n, **help_, "load": os.getloadavg()[0]}
    for slower in given.slower:
        rows = [demonstration(given.of, slower) for _ in range(given.n)]
        asked = sum(row.pop("asked") for row in rows)
        found = summed(rows)
        met = {name: found[f"{name}_s"]["median"] <= bars.get(slower, 0) for name, bars in BARS.items()}
        figures[f"slowed_{slower:g}"] = {**found, "asked": asked, "bars_met": met, "load": os.getloadavg()[0]}
    print(json.dumps(figures))


if __name__ == "__main__":
    main()

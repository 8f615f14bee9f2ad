"""The walks of docs/architecture.md, counted by a hook: which functions of which modules a thread passes through.

A correction goes through a table without a camera, and is asked for while nothing else happens there. A throw and a
man's move are those of the sample tables, whose cameras deliver drawn frames; what is counted there begins with the
table and ends when the journal holds the first of them, so it has all that a still table does as well, but of each
function only whether it was passed through.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

from companion.live.features import TableFeatures
from companion.live.seeing import Seeing
from companion.live.table import LiveTable
from companion.referee.events import Committed
from companion.referee.journal import Journal

ROOT: Final = Path(__file__).resolve().parents[2]
ROOMS: Final = tuple(f"{ROOT / room}/" for room in ("companion", "calibration", "firmware_bridge"))
PATIENCE: Final = 300.0
"""Seconds until a sample table must have played what is waited for."""


class Passed:
    """The functions that threads passed through while it is open, with the number of their calls."""

    def __init__(self) -> None:
        self.open = False
        self._calls: dict[str, dict[tuple[str, str], int]] = defaultdict(lambda: defaultdict(int))

    def hook(self, frame: FrameType, event: str, _: Any) -> None:
        """Count the call of a function of the project; what Python calls at every call and return."""
        code = frame.f_code
        ours = code.co_filename.startswith(ROOMS) and code.co_name != "<module>"
        if self.open and event == "call" and ours:
            name = str(Path(code.co_filename).relative_to(ROOT))
            self._calls[threading.current_thread().name][name, code.co_qualname] += 1

    def figures(self) -> dict[str, Any]:
        """Return the functions, modules and calls of each thread and of all together."""
        every = {place for calls in self._calls.values() for place in calls}
        threads = {
            name: {
                "functions": len(calls),
                "modules": len({module for module, _ in calls}),
                "calls": sum(calls.values()),
            }
            for name, calls in sorted(self._calls.items())
        }
        return {
            "functions": len(every),
            "modules": len({module for module, _ in every}),
            "threads": len(threads),
            "by_thread": threads,
        }


def counted(walk: Callable[[Path, Passed], None]) -> dict[str, Any]:
    """Return what a walk passes through; every thread that it starts is watched."""
    passed = Passed()
    threading.setprofile(passed.hook)
    sys.setprofile(passed.hook)
    try:
        with tempfile.TemporaryDirectory() as folder:
            walk(Path(folder) / "match.db", passed)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return passed.figures()


def roll(journal: Path, passed: Passed) -> None:
    """Let the program throw."""
    table = LiveTable(journal)
    table.start()
    try:
        begun = table.command("new_match", {"game": "ludus-regularis", "players": ["Anna", "Berno"]}, "owner")
        assert begun.ok, begun.sentence
        passed.open = True
        rolled = table.command("roll", {}, "owner")
        passed.open = False
        assert rolled.ok, rolled.sentence
    finally:
        table.stop()


def correction(journal: Path, passed: Passed) -> None:
    """Correct a throw as it was previewed."""
    table = LiveTable(journal)
    table.start()
    try:
        begun = table.command("new_match", {"game": "ludus-regularis", "players": ["Anna", "Berno"]}, "owner")
        assert begun.ok, begun.sentence
        rolled = table.command("roll", {}, "owner")
        assert rolled.ok, rolled.sentence
        with Journal(journal, writable=False) as kept:
            event = next(one.number for one in kept.events(begun.data["match"]) if isinstance(one.event, Committed))
        asked = {"event": event, "reason": "misread"}
        shown = table.command("preview_correction", asked, "owner")
        assert shown.ok, shown.sentence
        passed.open = True
        done = table.command("correct", {**asked, "token": shown.data["token"]}, "owner")
        passed.open = False
        assert done.ok, done.sentence
    finally:
        table.stop()


def seen(sample: str, awaited: str) -> Callable[[Path, Passed], None]:
    """Return the walk of what a sample table's camera sees first of this kind: a throw or a choice."""

    def walk(journal: Path, passed: Passed) -> None:
        table = LiveTable(journal, Seeing(), TableFeatures(sample=sample, sample_pace=4.0))
        passed.open = True
        table.start()
        try:
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and not committed(journal, awaited):
                time.sleep(0.1)
            passed.open = False
            assert committed(journal, awaited), f"the sample {sample} commits a {awaited}"
        finally:
            table.stop()

    return walk


def committed(journal: Path, awaited: str) -> bool:
    """Return whether the newest match of a journal has a throw or a choice that a camera saw."""
    with Journal(journal, writable=False) as kept:
        return any(
            isinstance(one.event, Committed) and one.event.by == "camera" and one.event.awaited == awaited
            for number in list(kept.latest())[:1]
            for one in kept.events(number)
        )


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="as it prints anyway")
    parser.parse_args()
    walks = {
        "throw": seen("ludus-regularis", "throw"),
        "roll": roll,
        "correction": correction,
        "man": seen("zeno", "choice"),
    }
    print(json.dumps({name: counted(walk) for name, walk in walks.items()}))


if __name__ == "__main__":
    main()

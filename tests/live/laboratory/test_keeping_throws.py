"""No throw that was acknowledged is lost, and none is counted that was not: at a kill, and on a full disk."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from companion.fairness.series.fold import Series
from companion.fairness.series.ledger import SeriesLedger


def run(path: Path, *more: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-m", "tests.live.laboratory.typing_on", str(path), *more]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path, rng = tmp_path / "throws.db", random.Random(4)
    acknowledged: list[Any] = []
    for turn in range(2):
        running = run(path, str(turn))
        assert running.stdout is not None
        acknowledged.append(json.loads(running.stdout.readline()))  # it has begun
        time.sleep(rng.uniform(0, 0.4))
        running.kill()
        acknowledged += [json.loads(line) for line in running.stdout.read().splitlines()]
        running.wait()
        running.stdout.close()
        with SeriesLedger(path, writable=False) as ledger:
            entries = ledger.events(1)
            assert ledger.broken() == ()
        done = [entry.event for entry in entries[1:]]
        # at most the one command whose answer the kill cut off is there beyond those that were acknowledged
        assert len(done) - len(acknowledged) in {0, 1}
        for (name, data), event in zip(acknowledged, done, strict=False):
            kept = {"throw": "thrown", "correct": "corrected"}[name]
            assert (event.kind, getattr(event, "outcome", "")) == (kept, data["face"])
        acknowledged += [
            ["throw" if event.kind == "thrown" else "correct", {"face": getattr(event, "outcome", "")}]
            for event in done[len(acknowledged) :]
        ]
        assert len(Series(entries).throws) == sum(name == "throw" for name, _ in acknowledged)
    assert len(acknowledged) > 2


def test_a_full_disk_is_said_and_nothing_is_counted_before_it_has_room(tmp_path: Path) -> None:
    running = run(tmp_path / "throws.db", "1", "full")
    data = json.loads(running.communicate(timeout=300)[0])
    assert data["throws"] == 20
    assert "could not be written" in data["refused"]
    assert (data["sign"], "could not be written" in data["sentence"]) == ("blind", True)
    assert data["healthy"] is not None
    assert data["again"]
    assert data["counts"] == [20, 1, 0, 0, 0, 0]

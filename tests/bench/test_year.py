"""The simulated year of a kiosk, small: twelve days with the end of summer time and one of each planted fault."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_kiosk_opens_closes_and_counts_by_its_clock_whatever_happens_to_it() -> None:
    command = [sys.executable, "-m", "bench.page.year", "--days", "12", "--first", "2026-10-20"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    figures = json.loads(done.stdout)
    assert figures["wrong"] == []
    assert done.returncode == figures["lost"] == figures["broken_matches"] == 0
    planted = {"full disks": 1, "clocks set": 4, "starts in 1970": 1, "starts": 3}
    assert {name: figures[name] for name in planted} == planted
    assert figures["visits"] > 10
    assert figures["warnings"] > 0
    assert figures["log_files"] > 1, figures

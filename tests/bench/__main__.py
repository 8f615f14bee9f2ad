"""Run every measurement and write the figures, with n, seed and machine load, as one JSON file."""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

# name -> module of this folder and its arguments at full size
MEASUREMENTS: dict[str, list[str]] = {
    "start": ["start"],
    "odds": ["odds", "-n", "10000", "--seed", "1"],
    "playouts": ["playouts", "-n", "1000", "--seed", "1"],
    "tables_play": ["tables_play", "-n", "10000", "--times", "300", "--seed", "1"],
    "tables_naive": ["tables_naive", "-n", "500", "--seed", "1"],
    "tables_simulation": ["tables_simulation", "-n", "10000", "--seed", "1"],
    "rithmomachia_play": ["rithmomachia_play", "-n", "1000", "--seed", "1"],
    "moves": ["moves", "-n", "50", "--plies", "60", "--seed", "1"],
    "ludix": ["ludix", "-n", "3000", "--seed", "1"],
    "reader": ["reader", "-n", "100", "--seed", "20261129"],
    "reader_baseline": ["reader_baseline"],
    "photos": ["photos"],
    "transforms": ["transforms", "-n", "100", "--seed", "20261122"],
    "sizes": ["sizes", "-n", "60", "--seed", "20261123"],
    "no_dice": ["no_dice", "-n", "200", "--seed", "20261124"],
    "pairs": ["pairs", "-n", "100", "--seed", "20261130"],
    "letter_size": ["letter_size", "-n", "300", "--seed", "20261122"],
    "looks": ["looks", "-n", "200"],
    "set_learning": ["set_learning", "--owners", "1", "2", "3"],
    "boards": ["boards", "-n", "60", "--seed", "20261210"],
    "tokens": ["tokens", "-n", "60", "--seed", "20261204"],
    "filmed": ["filmed", "-n", "50", "--plies", "2", "--seed", "10"],
    "latency": ["latency"],
    "idle": ["idle"],
    "watching": ["watching"],
    "pages": ["pages"],
    "chromium_camera": ["chromium_camera"],
    "page_load": ["page_load"],
    "corrections": ["corrections", "-n", "1500", "--seed", "1"],
    "many_matches": ["many_matches", "-n", "500", "--seed", "1"],
    "hostile": ["hostile"],
    "fairness": ["fairness"],
    "fairness_frames": ["fairness_frames", "-n", "500", "--seed", "1"],
    "laboratory_page": ["laboratory_page", "-n", "10000"],
    "fairness_batch": ["fairness_batch"],
    "fairness_reader": ["fairness_reader"],
    "fairness_thrower": ["fairness_thrower"],
    "first_page": ["first_page", "-n", "20"],
    "kills": ["kills", "-n", "200", "--seed", "1"],
    "damaged_log": ["damaged_log", "-n", "25", "--seed", "1"],
    "kiosk": ["kiosk", "--camera", "50", "--kills", "20", "--hangs", "2", "--seed", "1"],
    "leds": ["leds", "-n", "200", "--seed", "1"],
    "lights": ["lights", "-n", "500", "--seed", "1"],
    "slipped": ["slipped", "-n", "60", "--seed", "77"],
    "knock": ["knock", "-n", "60", "--seed", "20261125"],
    "damaged_frames": ["damaged_frames", "-n", "1000", "--seed", "1"],
    "fairness_report": ["fairness_report"],
    "sample_watched": ["sample_watched", "--seconds", "300"],
    "firmware": ["firmware", "-n", "100", "--faults", "60", "--rubbish", "1000000"],
}

# run only if named
ON_REQUEST: dict[str, list[str]] = {
    "photoreal": ["photoreal"],  # what python -m calibration.photoreal training-data/photoreal has traced
    "photos_final": ["photos", "--final"],  # the part of the photographs that is looked at once, at the end
}


def measure(arguments: list[str]) -> dict[str, Any]:
    """Run one measurement in a process of its own; return its figures with the load before and after."""
    before, started = os.getloadavg()[0], time.monotonic()
    module, *rest = arguments
    done = subprocess.run(
        [sys.executable, "-m", f"tests.bench.{module}", *rest, "--json"],
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    figures: dict[str, Any] = {"exit": done.returncode}
    try:
        figures["figures"] = json.loads(done.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        figures["error"] = (done.stderr or done.stdout)[-800:]
    figures["load"] = [round(before, 2), round(os.getloadavg()[0], 2)]
    figures["seconds"] = round(time.monotonic() - started, 1)
    return figures


def main() -> int:
    """Measure all or the named ones."""
    every = MEASUREMENTS | ON_REQUEST
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(every)}; all but {', '.join(ON_REQUEST)} by default")
    parser.add_argument("--out", type=Path, default=Path("bench.json"))
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(every))
    if unknown:
        parser.error(f"expected names of {', '.join(every)}, but got {', '.join(unknown)}")
    report: dict[str, Any] = {
        "machine": {
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "system": platform.machine(),
        },
    }
    for name in given.names or MEASUREMENTS:
        print(f"{name} ...", end=" ", flush=True)
        report[name] = measure(every[name])
        print(json.dumps(report[name].get("figures", report[name])), flush=True)
        given.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    failed = [name for name in report if report[name].get("exit")]
    if failed:
        print(f"These measurements did not finish: {', '.join(failed)}.", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())

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

# name -> module and its arguments for the full run
MEASUREMENTS: dict[str, list[str]] = {
    "start": ["page.start"],
    "odds": ["games.odds", "-n", "10000", "--seed", "1"],
    "playouts": ["games.playouts", "-n", "1000", "--seed", "1"],
    "tables_play": ["games.tables_play", "-n", "10000", "--times", "300", "--seed", "1"],
    "tables_naive": ["games.tables_naive", "-n", "500", "--seed", "1"],
    "cluster": ["games.cluster", "-n", "100000", "--seed", "1"],
    "tables_simulation": ["games.tables_simulation", "-n", "10000", "--seed", "1"],
    "rithmomachia_play": ["games.rithmomachia_play", "-n", "1000", "--seed", "1"],
    "moves": ["boards.moves", "-n", "50", "--plies", "60", "--seed", "1"],
    "ludix": ["games.ludix", "-n", "3000", "--seed", "1"],
    "problems": ["games.problems", "-n", "1000", "--seed", "1"],
    "positions": ["page.positions", "-n", "2000", "--seed", "2911"],
    "reader": ["reader.drawn", "-n", "100", "--seed", "20261129"],
    "reader_baseline": ["reader.reader_baseline"],
    "photos": ["reader.photos"],
    "transforms": ["reader.transforms", "-n", "100", "--seed", "20261122"],
    "sizes": ["reader.sizes", "-n", "60", "--seed", "20261130"],
    "no_dice": ["reader.no_dice", "-n", "200", "--seed", "20261130"],
    "still_things": ["reader.still_things", "-n", "25", "--seed", "77"],
    "pairs": ["reader.pairs", "-n", "100", "--seed", "20261130"],
    "letter_size": ["reader.letter_size", "-n", "300", "--seed", "20261122"],
    "looks": ["reader.frame_errors", "-n", "200"],
    "two_lamps": ["reader.two_lamps", "-n", "150", "--seed", "20261201"],
    "lamp_time": ["table.lamp_time", "-n", "25"],
    "set_learning": ["reader.set_learning", "--owners", "1", "3", "5"],
    "table_memory": ["reader.table_memory", "-n", "60", "--seed", "20261125"],
    "table_memory_disturbed": [
        *("reader.table_memory", "-n", "60", "--seed", "20261126", "--owners", "8"),
        *("--change", "lamp", "camera", "stranger", "slips"),
    ],
    "memory_cost": ["reader.memory_cost", "-n", "60", "--seed", "20261461"],
    "boards": ["boards.drawn", "-n", "60", "--seed", "20261210"],
    "tokens": ["boards.tokens", "-n", "60", "--seed", "20261204"],
    "followed": ["boards.followed", "-n", "60", "--seed", "2026120500"],
    "disturbed": ["boards.disturbed", "-n", "30", "--seed", "20261124"],
    "latency": ["table.latency"],
    "walks": ["table.walks"],
    "corrections": ["table.corrections", "-n", "1500", "--seed", "1"],
    "idle": ["table.idle"],
    "watching": ["table.watching"],
    "pages": ["page.pages"],
    "crowd": ["page.crowd"],
    "chromium_camera": ["page.chromium_camera"],
    "drawn_match": ["page.drawn_match", "--plies", "30", "--seed", "2026251801"],
    "class_of_sixty": ["page.class_of_sixty", "--seed", "1"],
    "page_load": ["page.page_load"],
    "motion": ["page.motion", "-n", "20"],
    "newcomer": ["page.newcomer"],
    "teaching": ["page.teaching"],
    "many_matches": ["table.many_matches", "-n", "500", "--seed", "1"],
    "hostile": ["page.hostile"],
    "stranger": ["page.stranger", "--requests", "20000"],
    "fairness": ["fairness.false_alarms"],
    "fairness_frames": ["fairness.frames", "-n", "500", "--seed", "1"],
    "fairness_deliveries": ["fairness.deliveries", "-n", "25"],
    "fairness_remembered": ["fairness.remembered", "-n", "500", "--seed", "20261431", "--dice", "2"],
    "fairness_grouping": ["fairness.grouping", "-n", "250", "--seed", "1"],
    "laboratory_page": ["fairness.laboratory_page", "-n", "10000"],
    "fairness_batch": ["fairness.batch"],
    "fairness_reader": ["fairness.reader"],
    "fairness_thrower": ["fairness.thrower"],
    "fairness_nulls": ["fairness.nulls"],
    "fairness_stakes": ["fairness.stakes"],
    "fairness_reader_shares": ["fairness.reader_shares"],
    "first_page": ["page.first_page", "-n", "20"],
    "kills": ["table.kills", "-n", "200", "--seed", "1"],
    "two_tables": ["table.two_tables", "-n", "200", "--https", "20", "--seed", "1"],
    "damaged_log": ["table.damaged_log", "-n", "25", "--seed", "1"],
    "flipped_bits": ["table.flipped_bits", "-n", "100", "--seed", "1"],
    "posting_kills": ["table.posting_kills", "-n", "300", "--seed", "1"],
    "hall": ["table.hall", "--tables", "100", "--seconds", "90", "--kills", "5", "-n", "300", "--seed", "1"],
    "hall_kills": ["table.hall_kills", "-n", "300", "--seed", "1"],
    "hall_kills_servers": ["table.hall_kills", "-n", "50", "--broker", "--database", "--seed", "1"],
    "direct_kills": ["table.direct_kills", "-n", "300", "--seed", "1"],
    "first_evening": ["table.first_evening"],
    "swiss": ["table.swiss", "-n", "1000", "--seed", "1"],
    "kiosk": ["page.kiosk", "--camera", "50", "--kills", "20", "--hangs", "2", "--seed", "1"],
    "year": ["page.year", "--seed", "1"],
    "leds": ["table.leds", "-n", "200", "--seed", "1"],
    "lights": ["table.lights", "-n", "500", "--seed", "1"],
    "slipped": ["boards.slipped", "-n", "60", "--seed", "77"],
    "knock": ["boards.knock", "-n", "60", "--seed", "20261125"],
    "damaged_frames": ["table.damaged_frames", "-n", "1000", "--seed", "1"],
    "fairness_report": ["fairness.report"],
    "sample_watched": ["page.sample_watched", "--seconds", "300"],
    "firmware": ["table.firmware", "-n", "100", "--faults", "60", "--rubbish", "1000000"],
}

# run only when named
ON_REQUEST: dict[str, list[str]] = {
    "players": ["games.players", "-n", "200", "--seed", "2026"],  # takes hours
    "long_run": ["table.long_run", "--lives", "2"],  # 45 minutes; three hours by itself, without --lives
    "slow": ["computers.slow", "-n", "31"],  # as root, because it limits the program by control groups
    # as root; makes another system in that folder, which takes a quarter of an hour the first time
    "arm64": ["computers.arm64", "--folder", "/var/tmp/alea-arm64"],
    "first_page_pairs": ["page.first_page_pairs", "--against", "../before"],  # another checkout, as a worktree
    # reads what python -m workshop.photoreal training-data/photoreal has traced
    "photoreal": ["boards.photoreal"],
    "photos_final": ["reader.photos", "--final"],  # the part of the photographs that is used only once, at the end
}


def measure(arguments: list[str]) -> dict[str, Any]:
    """Run one measurement in a process of its own; return its figures with the load before and after."""
    before, started = os.getloadavg()[0], time.monotonic()
    module, *rest = arguments
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{module}", *rest, "--json"],
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
    """Run all measurements, or the named ones."""
    every = MEASUREMENTS | ON_REQUEST
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
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

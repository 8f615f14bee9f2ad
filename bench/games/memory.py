"""What a player adds to a program: memory, time to import, time of its first turn: ``python -m bench.games.memory``.

For each game a fresh process plays some turns by chance, by the rules alone; then the master thinks about some turns.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from companion.odds.playouts import random_move
from companion.rules.game import Position
from companion.rules.registry import game

SLUGS: Final = (
    "ludix",
    "tables/zeno",
    "tables/todas-tablas",
    "tables/pareia-de-entrada",
    "rithmomachia/durnil-guardia",
    "rithmomachia/mebben",
    "rithmomachia/italian",
)
MEGABYTE: Final = 1024  # in the kB in which Linux counts
BY_CHANCE: Final = 60
TURNS: Final = 10
PLAYERS: Final = "companion.players"


def peak() -> float:
    """Return the most memory that this process has held so far, in MB, as Linux counts it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / MEGABYTE


def measured(slug: str, seed: int) -> dict[str, Any]:
    """Return what a player adds to this process, which must be a fresh one: a peak never falls."""
    chance = random.Random(seed)
    position: Position = game(slug).start(2)
    for _ in range(BY_CHANCE):
        if position.outcome is None:
            position = position.after(random_move(position, chance))
    before, imported = peak(), any(name.startswith(PLAYERS) for name in sys.modules)
    began = time.process_time()
    from companion.players.strengths import STRENGTHS  # noqa: PLC0415 -- its import is measured
    from companion.players.thinking import think  # noqa: PLC0415

    imports = time.process_time() - began
    position = game(slug).start(2)
    spent: list[float] = []
    while len(spent) < TURNS and position.outcome is None:
        if position.awaits.kind != "choice":
            position = position.after(random_move(position, chance))
            continue
        began = time.process_time()
        turn = think(position, STRENGTHS["master"], chance).choices
        spent.append(time.process_time() - began)
        for choice in turn:
            position = position.after(choice)
    return {
        "without_mb": round(before),
        "player_mb": round(peak() - before),
        "imported_before": imported,
        "import_ms": round(1000 * imports),
        "first_turn_ms": round(1000 * spent[0]),
        "slowest_turn_ms": round(1000 * max(spent)),
    }


def main() -> None:
    """Print the figures of each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", default=SLUGS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--here", action="store_true", help="measure one game in this process, as the command does")
    given = parser.parse_args()
    if given.here:
        print(json.dumps(measured(given.slugs[0], given.seed)))
        return
    for slug in given.slugs:
        command = [sys.executable, "-m", __spec__.name, slug, "--seed", str(given.seed), "--here"]
        finished = subprocess.run(command, check=True, capture_output=True, text=True)
        print(
            json.dumps({"game": slug, **json.loads(finished.stdout), "load": round(os.getloadavg()[0], 1)}), flush=True
        )


if __name__ == "__main__":
    main()

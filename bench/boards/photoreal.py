"""How well path-traced pictures are read: those that ``python -m workshop.photoreal`` wrote to a folder."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from bench.boards import drawn as board_pictures
from bench.reader import pictures
from bench.scoring import rate
from workshop.photoreal.__main__ import BOARDS, KINDS

SETS = {kind: dice for kind, (dice, _, _) in KINDS.items()}
"""The kinds of pictures of dice, each in a folder of its name, and their dice."""


def measure(folder: Path) -> dict[str, Any]:
    """Read and score every kind of a folder."""
    kinds = {name: pictures.bench_vision(folder / name, dice) for name, dice in SETS.items()}
    dice = sum(one["dice"]["dice"] for one in kinds.values())
    wrongly = [one["throws_read"]["short_or_wrong"] for one in kinds.values()]
    return {
        "n": sum(one["images"]["exact"]["of"] for one in kinds.values()),
        "load": pictures.load(),
        "kinds": kinds,
        "boards": {kind: board_pictures.scored(folder / kind, kind) for kind in BOARDS if (folder / kind).is_dir()},
        "silent_of_all": rate(sum(one["dice"]["silent"]["count"] for one in kinds.values()), dice),
        "read_wrongly": rate(sum(one["count"] for one in wrongly), sum(one["of"] for one in wrongly)),
    }


def main() -> int:
    """Print the rates of each kind, and the silent errors of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("training-data/photoreal"))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    missing = [name for name in SETS if not (given.folder / name / "labels.jsonl").is_file()]
    if missing:
        print(json.dumps({"not_measured": f"{', '.join(missing)} not in {given.folder}; trace them first"}))
        return 0
    print(json.dumps(measure(given.folder), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A board whose calibrated place slipped by about a column: corrected, asked about, or followed at the wrong place.

The reader gets drawn boards with validation fonts, their corners slipped along the columns. It also gets the labelled
sample pictures of boards beside the project, if present, with their true corners and with slipped ones.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.reader.pictures import labels_of
from companion.vision.boards.field.frame import LEAST_AGREEMENT
from companion.vision.boards.layout import layout
from companion.vision.boards.reader import BoardReader
from companion.vision.dice.geometry import Points, mapped, mapping
from companion.vision.images import load_image
from companion.vision.readings import Image
from workshop.board_scenes.__main__ import drawn

SHARED = Path(__file__).resolve().parents[3] / "shared"
SLIPS = (0.0, -0.8, 0.8, -1.0, 1.0, -1.2, 1.2, -2.0, 2.0)
"""Columns by which the corners slip; 0: they are true."""

NEAR = 0.3
"""Largest error of a right place, in columns."""

UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def boards(number: int, seed: int) -> Iterator[tuple[str, str, Image, Points]]:
    """Yield each board's origin, kind, picture and true corners."""
    for kind, share in (("tables", 0.6), ("rithmomachia", 0.4)):
        for one in drawn(kind, round(number * share), seed, check=True):
            yield "drawn", kind, one.image, np.asarray(one.corners, np.float64)
        folder = SHARED / "eval" / kind
        for label in labels_of(folder) if folder.is_dir() else ():
            (board,) = (part for part in label["objects"] if part["kind"] == "board")
            yield "samples", kind, load_image(folder / label["image"]), np.array(board["corners"], np.float64)


def main() -> int:
    """Print the results for true and for slipped places."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=60, help="how many boards are drawn")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    readers = {kind: BoardReader(layout(kind)) for kind in ("tables", "rithmomachia")}
    for source, kind, image, true in boards(asked.n, asked.seed):
        known = readers[kind].layout
        column = 1 / (known.columns + known.is_tables)
        for slip in SLIPS:
            given = mapped(mapping(UNIT, true), UNIT + [slip * column, 0.0])
            field = readers[kind].known(image, given)
            off = float(np.abs((mapped(mapping(true, UNIT), field.corners) - UNIT)[:, 0]).max()) / column
            became = "asked" if field.harmony < LEAST_AGREEMENT else "right" if off < NEAR else "wrong"
            row = counts.setdefault(f"{source} {kind} {'true' if not slip else 'slipped'}", Counter())
            row[became] += 1
            row["n"] += 1
    figures: dict[str, Any] = {"seed": asked.seed, **{name: dict(row) for name, row in counts.items()}}
    if asked.json:
        print(json.dumps(figures))
    else:
        for name, row in counts.items():
            print(f"{name}: {row['n']} places, right {row['right']}, asked {row['asked']}, wrong {row['wrong']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How well boards are read: newly drawn ones with and without markers, sample renderings, boards on photographs."""

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.reader import pictures
from companion.vision.boards.field.find import SQUARED, FieldFinder
from companion.vision.boards.field.frame import FrameCorrector
from companion.vision.boards.layout import RITHMOMACHIA, TABLES
from companion.vision.images import load_image
from workshop.board_scenes.render import render_board
from workshop.board_scenes.scene import random_board_scene
from workshop.scenes.fonts import find_fonts

SIZES = {TABLES: (1280, 960), RITHMOMACHIA: (1600, 1200)}
SHARED = Path(__file__).resolve().parents[3] / "shared"


def drawn(kind: str, number: int, seed: int, *, markers: bool) -> dict[str, Any]:
    """Draw boards with held-out fonts and score how they are read."""
    fonts = find_fonts("held-out")
    with tempfile.TemporaryDirectory() as temporary:
        folder, labels = Path(temporary), []
        for k in range(number):
            rng = np.random.default_rng([seed, k, markers])
            board = render_board(random_board_scene(rng, kind, fonts, size=SIZES[kind], markers=markers))
            name = f"{k:04}.jpg"
            (folder / name).write_bytes(board.jpeg)
            labels.append(board.to_json(name))
        pictures.write_labels(folder, labels)
        return scored(folder, kind)


def scored(folder: Path, kind: str) -> dict[str, Any]:
    """Read a folder's boards as a user would, and score them."""
    before = os.getloadavg()[0]
    return pictures.bench_boards(folder, kind) | {"load": [round(before, 2), round(os.getloadavg()[0], 2)]}


def photographs(folder: Path, out: Path | None) -> dict[str, Any]:
    """Return the photographs on which a board of squares is found; a person judges the outlines drawn into ``out``."""
    finder = FieldFinder()
    corrector = FrameCorrector(finder, None)
    found: dict[str, Any] = {}
    for path in sorted(folder.glob("boards-*/*.jpg")):
        image = load_image(path)
        rough = finder.find(image, SQUARED)
        field = None if rough is None else corrector.correct(image, rough.corners)
        name = f"{path.parent.name}/{path.name}"
        found[name] = None
        if field is None:
            continue
        found[name] = {"chance": round(field.chance, 3), "error": round(field.error, 4)}
        if out is not None:
            cv2.polylines(
                image, [np.round(field.corners).astype(np.int32)], isClosed=True, color=(0, 0, 255), thickness=8
            )
            scale = 700 / max(image.shape[:2])
            small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            cv2.imwrite(str(out / name.replace("/", "-").replace(".jpg", ".png")), small)
    return found


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=60, help="drawn boards of each kind, with and without markers")
    parser.add_argument("--seed", type=int, default=20261125)
    parser.add_argument("--outlines", type=Path, help="a folder for the photographs with the boards that were found")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    report: dict[str, Any] = {"n": given.n, "seed": given.seed, "fonts": "held-out"}
    for kind in (TABLES, RITHMOMACHIA):
        for markers in (True, False):
            key = f"{kind}, {'with' if markers else 'without'} markers"
            report[key] = drawn(kind, given.n, given.seed, markers=markers)
        if (SHARED / "eval" / kind).is_dir():
            report[f"{kind}, sample renderings"] = scored(SHARED / "eval" / kind, kind)
    if (SHARED / "photos").is_dir():
        if given.outlines:
            given.outlines.mkdir(parents=True, exist_ok=True)
        report["photographs"] = photographs(SHARED / "photos", given.outlines)
    print(json.dumps(report))


if __name__ == "__main__":
    main()

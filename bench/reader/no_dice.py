"""What the reader reports on pictures without a die: drawn tables with things on them, real boards, bare surfaces."""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.reader import pictures
from bench.reader.photos import PHOTOS, scenes
from bench.scoring import rate
from companion.rules.dice import dice_set, dice_sets
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.readings import Image, readable

BARE_TOP = 0.16
"""The top share of the first half's phone photographs that holds no die in any of them."""

WINDOW, GAP = 224, 10
"""Edge of the bare windows cut from photographs of tiles, and their least distance from any tile, in pixels."""


def drawn(n: int, seed: int) -> Iterator[tuple[str, Image]]:
    """Yield drawn tables with things but no dice."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = [pictures.Job(Path(folder), "usual", seed, number, dice=False) for number in range(n)]
        for label in pictures.draw_all(jobs):
            yield "drawn tables", load_image(Path(folder) / label["image"])


def boards() -> Iterator[tuple[str, Image]]:
    """Yield photographs and renderings of boards: whole, and each quarter (with half of its neighbours) on its own."""
    shared = PHOTOS.parent
    for name, folder in (
        ("chessboards", PHOTOS / "boards-chess"),
        ("Scrabble boards", PHOTOS / "boards-scrabble"),
        ("rendered tables boards", shared / "eval" / "tables"),
        ("rendered Rithmomachia", shared / "eval" / "rithmomachia"),
    ):
        for path in sorted((*folder.glob("*.jpg"), *folder.glob("*.png"))):
            whole = load_image(path)
            yield name, whole
            height, width = whole.shape[0] * 3 // 5, whole.shape[1] * 3 // 5
            for top, left in product((0, whole.shape[0] - height), (0, whole.shape[1] - width)):
                yield f"{name}, parts", np.ascontiguousarray(whole[top : top + height, left : left + width])


def bare_grounds() -> Iterator[tuple[str, Image]]:
    """Yield parts without a die from the photographs that may choose things: strips of tables, windows beside tiles."""
    for scene in scenes("dev", "pips-phone"):
        for name in scene["images"]:
            whole = load_image(PHOTOS / "pips-phone" / name)
            yield "strips of real grounds", np.ascontiguousarray(whole[: round(BARE_TOP * whole.shape[0])])
    wanted = {name for scene in scenes("dev", "letter-tiles") for name in scene["images"]}
    for label in pictures.labels_of(PHOTOS / "letter-tiles"):
        if label["image"] not in wanted:
            continue
        whole = load_image(PHOTOS / "letter-tiles" / label["image"])
        taken = np.zeros(whole.shape[:2], np.uint8)
        for tile in label["objects"]:
            cv2.fillPoly(taken, [np.round(tile["polygon"]).astype(np.int32)], 1)
        taken = np.asarray(cv2.dilate(taken, np.ones((2 * GAP + 1, 2 * GAP + 1), np.uint8)), np.uint8)
        steps = range(0, min(taken.shape) - WINDOW + 1, WINDOW // 2)
        for top, left in product(steps, steps):
            if not taken[top : top + WINDOW, left : left + WINDOW].any():
                window = whole[top : top + WINDOW, left : left + WINDOW]
                yield "windows of real grounds", np.ascontiguousarray(window)


def main() -> int:
    """Print for each dice set the number of frames with a reading or a question, and the number of such false dice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="drawn frames; the photographs are always read")
    parser.add_argument("--seed", type=int, default=20261124)
    parser.add_argument("--sheet", type=Path, help="a folder for the frames in which a die was read")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    frames = list(drawn(given.n, given.seed))
    if PHOTOS.is_dir():
        frames += [*boards(), *bare_grounds()]
    report: dict[str, Any] = {"n": len(frames), "seed": given.seed, "load": pictures.load(), "sets": {}}
    report["frames"] = dict(Counter(source for source, _ in frames))
    for name in dice_sets():
        if not readable(dice_set(name)):
            continue
        reader = DiceReader(name)
        frames_with: Counter[str] = Counter()
        dice: Counter[str] = Counter()
        where: dict[str, Counter[str]] = {"read": Counter(), "ask": Counter()}
        for number, (source, image) in enumerate(frames):
            statuses = Counter(die.status for die in reader.read(image).dice)
            for status in ("read", "ask"):
                frames_with[status] += statuses[status] > 0
                dice[status] += statuses[status]
                where[status][source] += statuses[status]
            if statuses["read"] and given.sheet:
                given.sheet.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(given.sheet / f"{name}_{number:04d}.jpg"), image)
        report["sets"][name] = {
            "frames_with_a_die_read": rate(frames_with["read"], len(frames)),
            "frames_with_a_question": rate(frames_with["ask"], len(frames)),
            "dice_read": dice["read"],
            "dice_asked": dice["ask"],
            "read_by_source": dict(+where["read"]),
            "asked_by_source": dict(+where["ask"]),
        }
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How well the sites of newly drawn boards are read, those apart that a hand covers.

``python -m bench.boards.uncovered tables -n 120 --seed 1``: so many boards with markers and so many without, drawn with
held-out fonts. `bench.boards.drawn` counts a site under a hand as not read, although nobody could read it.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import cv2
import numpy as np

from bench.boards.drawn import SIZES
from bench.scoring import rate
from companion.vision.boards.layout import BAR, USUAL_BAR, layout
from companion.vision.boards.lessons.witness import as_before
from companion.vision.boards.readers import reader_of
from companion.vision.boards.sites import extent
from companion.vision.images import decode_image
from workshop.board_scenes.render import RenderedBoard, render_board
from workshop.board_scenes.scene import random_board_scene
from workshop.scenes.fonts import find_fonts

COVERED: Final = 0.1
"""A site counts as covered once a hand covers more than this share of it."""

ACROSS, DOWN = 5, 7
"""How many places of a site are looked at, to tell how much of it a hand covers."""


def boards(kind: str, number: int, seed: int) -> Iterator[RenderedBoard]:
    """Yield boards, as `bench.boards.drawn` draws them."""
    fonts = find_fonts("held-out")
    for markers in (True, False):
        for k in range(number):
            rng = np.random.default_rng([seed, k, markers])
            yield render_board(random_board_scene(rng, kind, fonts, size=SIZES[kind], markers=markers))


def covered(board: RenderedBoard, kind: str, site: str) -> bool:
    """Return whether a hand covers a site."""
    if board.hand is None:
        return False
    left, top, right, bottom = extent(layout(kind), site, USUAL_BAR)
    places = np.stack(np.meshgrid(np.linspace(left, right, ACROSS), np.linspace(top, bottom, DOWN)), axis=-1)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    way = cv2.getPerspectiveTransform(square, board.corners.astype(np.float32))
    x, y = np.rint(cv2.perspectiveTransform(places.reshape(-1, 1, 2), way)[:, 0]).astype(int).T
    height, width = board.hand.shape
    return bool(board.hand[y.clip(0, height - 1), x.clip(0, width - 1)].mean() > COVERED)


def counted(board: RenderedBoard, kind: str) -> Counter[str]:
    """Read a board as the first picture of a match, and count what became of its sites."""
    reading = reader_of(kind).read(decode_image(board.jpeg))
    found: Counter[str] = Counter()
    wholly = True
    for site in layout(kind).sites:
        if site == BAR:
            continue
        stands, seen = board.scene.truth.get(site), reading.sites.get(site)
        what = ("empty" if stands is None else "occupied") + (", covered" if covered(board, kind, site) else "")
        read = reading.status == "read" and seen is not None and seen.status == "read"
        right = read and seen is not None and as_before(seen.standing, stands)
        wholly = wholly and (right or what.endswith("covered"))
        found += Counter({what: 1, f"{what}: right": int(right), "silent": int(read and not right)})
    return found + Counter({"boards": 1, "boards wholly right": int(wholly), "hands": int(board.hand is not None)})


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=list(SIZES))
    parser.add_argument("-n", type=int, default=60, help="boards with markers, and as many without")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    before, total = os.getloadavg()[0], Counter[str]()
    for board in boards(given.kind, given.n, given.seed):
        total += counted(board, given.kind)
    report: dict[str, Any] = {"kind": given.kind, "n": 2 * given.n, "seed": given.seed}
    for what in ("occupied", "empty"):
        report[what] = rate(total[f"{what}: right"], total[what])
        report[f"{what}, covered"] = total[f"{what}, covered"]
    report["wholly right"] = rate(total["boards wholly right"], total["boards"])
    report["boards with a hand"] = total["hands"]
    report["silent"] = rate(total["silent"], total["occupied"] + total["empty"])
    print(json.dumps(report | {"load": [round(before, 2), round(os.getloadavg()[0], 2)]}))


if __name__ == "__main__":
    main()

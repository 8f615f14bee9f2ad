"""Boards of Rithmomachia that lie askew on patterned grounds: how often their place is certain, and right.

Each board stands as a match begins, turned by 20 to 40 degrees; nothing is known of it before.
"""

import argparse
import json
from collections import Counter
from dataclasses import replace
from typing import Final

import numpy as np

from bench.boards.unlike import UnlikeFilm
from bench.scoring import rate
from companion.rules.registry import game
from companion.vision.boards.layout import RITHMOMACHIA, layout
from companion.vision.boards.reader import BoardReader
from tests.referee.board.simulated import seating_of, seen
from workshop.board_scenes.filming import BoardFilm
from workshop.board_scenes.scene import fitted
from workshop.scenes.fonts import find_fonts
from workshop.scenes.grounds import random_ground

NEAR: Final = 0.02
"""The largest error of a corner of a right place, as a fraction of the field's width: a third of a square."""


def turned(film: BoardFilm, seed: int) -> None:
    """Turn the camera over a film's board, and lay a patterned ground under it."""
    rng = np.random.default_rng([seed, 77])
    scene = film.scene
    roll = float(rng.uniform(20, 40)) * (1 if rng.random() < 0.5 else -1)
    camera = fitted(rng, replace(scene.camera, roll=scene.camera.roll * 0.2 + roll), scene.board)
    ground = random_ground(rng, ("rug", "checked", "striped", "weave", "parquet"))
    film.scene = replace(scene, camera=camera, ground=ground)


def main() -> None:
    """Print how many places were certain and right, doubted, or certain and wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=40, help="how many boards are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unlike", action="store_true", help="looks that no net learnt from")
    given = parser.parse_args()
    start = game("rithmomachia/durnil-guardia").start(2)
    men = {site: one for site, (one, _) in seen(start, seating_of(start.game)).items() if one is not None}
    counts: Counter[str] = Counter()
    for seed in range(given.seed, given.seed + given.n):
        film = (UnlikeFilm if given.unlike else BoardFilm)(RITHMOMACHIA, seed, find_fonts("held-out"), size=(1200, 900))
        turned(film, seed)
        shown = film.picture(men, 0)
        reading = BoardReader(layout(RITHMOMACHIA)).read(shown.image)
        true = np.asarray(shown.corners)
        wide = float(np.linalg.norm(true[1] - true[0]))
        if reading.status != "read":
            counts["doubted"] += 1
            continue
        off = [float(np.linalg.norm(np.roll(true, way, axis=0) - reading.corners, axis=1).max()) for way in (0, 2)]
        counts["right" if min(off) < NEAR * wide else "wrong"] += 1
    print(json.dumps({"n": given.n, "seed": given.seed, **counts, "right_share": rate(counts["right"], given.n)}))


if __name__ == "__main__":
    main()

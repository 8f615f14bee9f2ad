"""``python -m workshop.board_scenes FOLDER NAME KIND NUMBER SEED``: draw boards for training.

Kinds: tables, rithmomachia, grid, and hard-tables, see `hard`.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.vision.boards.layout import TABLES
from workshop.board_scenes.hard import hard_tables_scene
from workshop.board_scenes.render import RenderedBoard, render_board
from workshop.board_scenes.scene import random_board_scene
from workshop.board_scenes.store import write_boards
from workshop.hands import split_fonts

HARD = f"hard-{TABLES}"
SIZES = {"tables": (1280, 960), "rithmomachia": (1600, 1200), "grid": (960, 720), HARD: (1280, 960)}
"""Size of the pictures of each kind of board."""


def drawn(kind: str, number: int, seed: int, *, check: bool) -> Iterator[RenderedBoard]:
    """Draw boards one by one, with the validation fonts if they check the training."""
    fonts = split_fonts(1)[1 if check else 0]
    for k in range(number):
        rng = np.random.default_rng([seed, k])
        size = SIZES[kind]
        scene = (
            hard_tables_scene(rng, fonts, size=size)
            if kind == HARD
            else random_board_scene(rng, kind, fonts, size=size)
        )
        yield render_board(scene)


if __name__ == "__main__":
    cv2.setNumThreads(1)
    folder, name, kind, number, seed = sys.argv[1:]
    write_boards(drawn(kind, int(number), int(seed), check=name.startswith("check")), Path(folder), name)

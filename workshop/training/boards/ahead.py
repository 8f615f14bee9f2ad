"""Draw boards and cut what the nets see out of them ahead of the training, so that the training only changes the light.

Each net's views go into files of their own, which a `pool.Pool` takes up. Without this, cutting views out takes
longer than a GPU needs to learn from them.
"""

from itertools import count
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.boards.layout import RITHMOMACHIA, TABLES
from companion.vision.boards.nets import FIELDS, NUMBERED_MEN, NUMBERS, TABLES_MEN
from companion.vision.images import decode_image
from companion.vision.readings import Image
from workshop.board_scenes.__main__ import drawn
from workshop.board_scenes.store import TrueBoard, truth_of
from workshop.training.boards.views import field_view, men_view, number_views

AT_ONCE: Final = 12
"""Number of boards whose views share a file."""

FIELD_VIEWS, MEN_VIEWS, NUMBER_VIEWS = 4, 3, 2
"""Views of each board that a net sees: whole or straightened, by other corners, in another rotation."""

SHARES: Final = {TABLES: 0.34, f"hard-{TABLES}": 0.2, RITHMOMACHIA: 0.34, "grid": 0.12}
"""Share of each kind among the boards."""

MEN: Final = {TABLES: TABLES_MEN, RITHMOMACHIA: NUMBERED_MEN}
"""The net that sees the men of a kind of board."""

Rows = dict[str, list[tuple[npt.NDArray[Any], ...]]]


def views_of(picture: Image, truth: TrueBoard, rng: np.random.Generator) -> Rows:
    """Return all views of a board, for each net that learns from boards of its kind."""
    rows: Rows = {FIELDS: [_packed(*field_view(picture, truth, rng)) for _ in range(FIELD_VIEWS)]}
    if truth.kind in MEN:
        rows[MEN[truth.kind]] = [_packed(*men_view(picture, truth, rng)) for _ in range(MEN_VIEWS)]
    if truth.kind == RITHMOMACHIA:
        rows[NUMBERS] = [
            (seen, np.array(kind, np.int64))
            for _ in range(NUMBER_VIEWS)
            for seen, kind in number_views(picture, truth, rng)
        ]
    return rows


def _packed(
    seen: Image, maps: npt.NDArray[np.float32], counts: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[Any], ...]:
    return seen, maps.astype(np.float16), counts > 0


def write_views(folder: Path, name: str, rows: Rows) -> None:
    """Write views into ``folder``, a file ``NET-NAME.npz`` for each net; a file under this name is always complete."""
    folder.mkdir(parents=True, exist_ok=True)
    for net, views in rows.items():
        unfinished = folder / f"{net}-{name}.new"
        with unfinished.open("wb") as file:
            np.savez(file, *(np.stack(column) for column in zip(*views, strict=True)))
        unfinished.rename(unfinished.with_suffix(".npz"))


def write_ahead(folder: Path, seed: int) -> None:
    """Draw boards of all kinds without end and write their views into ``folder``; ``seed`` is part of the names."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    for turn in count():
        kind = str(rng.choice(list(SHARES), p=list(SHARES.values())))
        rows: Rows = {}
        for board in drawn(kind, AT_ONCE, 1000 * seed + turn, check=False):
            for net, views in views_of(decode_image(board.jpeg), truth_of(board), rng).items():
                rows.setdefault(net, []).extend(views)
        write_views(folder, f"{seed}-{turn}", rows)

"""Teach all four nets at once on a machine with a GPU and many cores, for a limited time.

``python -m workshop.training.boards.away DATA WEIGHTS MINUTES [--drawers N] [--device cpu]``

Some processes draw boards and cut out what the nets see; one process for each net learns from what is there so far. The
nets begin with the program's weights, or with the states in DATA (``NET.onnx.pt``). Weights and states are written at
the end, the states also every two minutes. If one process fails, all end.
"""

import argparse
import logging
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
import torch

from companion.vision.boards import nets
from companion.vision.boards.layout import RITHMOMACHIA, TABLES
from companion.vision.boards.numbers import LEAST_SPREAD as NUMBERS_SPREAD
from companion.vision.dice.nets import LEAST_SPREAD
from workshop.board_scenes.__main__ import drawn
from workshop.board_scenes.store import write_boards
from workshop.training.boards.__main__ import run
from workshop.training.boards.ahead import write_ahead
from workshop.training.boards.pool import Pool
from workshop.training.loop import Batch
from workshop.training.schedule import Recipe

CHECK_SEED: Final = 910_001
CHECKS: Final = (TABLES, RITHMOMACHIA, "grid")

WRITING: Final = 20.0
"""Seconds kept for the last measurement and for writing."""


class Plan(NamedTuple):
    """How a net is taught: the size of its batches, the highest rate, the room for its views in GB, and its light."""

    batch: int
    rate: float
    room: float
    colours: bool = True
    least_spread: float = LEAST_SPREAD


PLANS: Final = {
    nets.FIELDS: Plan(64, 1.5e-3, 14.0),
    nets.TABLES_MEN: Plan(48, 1.5e-3, 14.0, colours=False),
    nets.NUMBERED_MEN: Plan(48, 1.5e-3, 10.0, colours=False),
    nets.NUMBERS: Plan(512, 1.5e-3, 2.0, least_spread=NUMBERS_SPREAD),
}


def draw_check(data: Path, kind: str, number: int) -> None:
    """Draw the boards that check the training, with the validation fonts; always the same ones."""
    cv2.setNumThreads(1)
    write_boards(drawn(kind, number, CHECK_SEED, check=True), data, f"check-{kind}")


@dataclass(frozen=True)
class Round:
    """What all nets share: where the views and the weights are, when the round ends (seconds since 1970), on what.

    ``share``: of the boards that check, of each plan's batch and of its room, for a machine with less memory.
    """

    data: Path
    weights: Path
    ends: float
    drawers: int
    device: str
    share: float = 1.0


def teach(name: str, shared: Round) -> None:
    """Teach one net from the views that are drawn, until the round ends."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    torch.backends.cudnn.benchmark = True
    plan, share, device = PLANS[name], shared.share, shared.device
    size = max(2, round(plan.batch * share))
    pool = Pool(shared.data / "ahead", name, round(plan.room * share * 1e9), device)

    def source(rng: np.random.Generator) -> Iterator[Batch]:
        seed = int(rng.integers(2**31))
        return pool.batches(size, seed, colours=plan.colours, least_spread=plan.least_spread)

    next(source(np.random.default_rng(1)))  # the time begins when there is something to learn from
    recipe = Recipe(
        *(10_000_000, size, plan.rate),
        seed=int(shared.ends) % 100_000,
        device=device,
        half=device == "cuda",
        minutes=max(0.05, (shared.ends - time.time() - WRITING) / 60),
    )
    checked = 512 if name == nets.NUMBERS else 128
    begin = Path(nets.__file__).parent / "weights"
    run(name, shared.data, shared.weights, recipe, checked=checked, begin=begin, source=source)


def away(shared: Round) -> bool:
    """Draw and teach; return whether every net was taught to the end."""
    ahead = shared.data / "ahead"
    spawn = multiprocessing.get_context("spawn")
    boards = max(4, round(60 * shared.share))
    checks = [spawn.Process(target=draw_check, args=(shared.data, kind, boards)) for kind in CHECKS]
    first = int(shared.ends) % 1_000_000
    drawing = [spawn.Process(target=write_ahead, args=(ahead, first + k), daemon=True) for k in range(shared.drawers)]
    for one in (*checks, *drawing):
        one.start()
    good = _ended(checks, drawing)
    taught = [spawn.Process(target=teach, args=(name, shared)) for name in PLANS]
    for one in taught if good else ():
        one.start()
    good = good and _ended(taught, drawing)
    for one in (*checks, *drawing, *(taught if good else ())):
        one.kill()
    return good


def _ended(awaited: Sequence[BaseProcess], others: Sequence[BaseProcess]) -> bool:
    """Wait until all awaited processes have ended; return whether no process has failed, and stop all if one has."""
    while any(one.is_alive() for one in awaited):
        if any(one.exitcode not in (None, 0) for one in (*awaited, *others)):
            for one in (*awaited, *others):
                one.kill()
            return False
        time.sleep(0.5)
    return all(one.exitcode == 0 for one in awaited)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python -m workshop.training.boards.away")
    asked.add_argument("data", type=Path)
    asked.add_argument("weights", type=Path)
    asked.add_argument("minutes", type=float)
    asked.add_argument("--drawers", type=int, default=8)
    asked.add_argument("--device", default="cuda")
    asked.add_argument("--share", type=float, default=1.0, help="of the boards that check, the batches and the room")
    given = asked.parse_args()
    until = time.time() + 60 * given.minutes
    sys.exit(not away(Round(given.data, given.weights, until, given.drawers, given.device, given.share)))

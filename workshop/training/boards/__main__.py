"""Train one net that reads boards.

``python -m workshop.training.boards NET DATA WEIGHTS STEPS [BATCH [RATE]] [--begin FOLDER]``

An interrupted training resumes from the state in DATA. Without a state the net starts from the weights in the folder
of ``--begin``, or from scratch.
"""

import argparse
import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from companion.vision.boards import nets
from companion.vision.boards.field.find import MAPS
from companion.vision.boards.men import NUMBERED_MAPS, TABLES_MAPS
from companion.vision.boards.numbers import MAN_PATCH_PIXELS, kinds
from workshop.board_scenes.store import Boards
from workshop.training.boards import batches as material
from workshop.training.boards.losses import field_loss, men_loss, number_loss, numbers_right
from workshop.training.boards.nets import MenNet, NumberNet
from workshop.training.loop import Batch, MakeBatches, answers, train
from workshop.training.nets import LocatorNet, write_onnx
from workshop.training.schedule import Recipe

Maker = Callable[[Boards, np.random.Generator], Iterator[material.Sample]]
Loss = Callable[[Tensor, tuple[Tensor, ...]], Tensor]
Measure = Callable[[Tensor, tuple[Tensor, ...]], dict[str, float]]


def _nothing(_: Tensor, __: tuple[Tensor, ...]) -> dict[str, float]:
    return {}


_EVERY = ("tables", "rithmomachia", "grid")
NETS: dict[str, tuple[Callable[[], nn.Module], Maker, Loss, Measure, tuple[str, ...], tuple[int, ...]]] = {
    nets.FIELDS: (lambda: LocatorNet(MAPS), material.field_samples, field_loss, _nothing, _EVERY, (1, 3, 256, 320)),
    nets.TABLES_MEN: (
        lambda: MenNet(TABLES_MAPS),
        *(material.men_samples, men_loss, _nothing, ("tables",), (1, 3, 416, 448)),
    ),
    nets.NUMBERED_MEN: (
        lambda: MenNet(NUMBERED_MAPS),
        *(material.men_samples, men_loss, _nothing, ("rithmomachia",), (1, 3, 288, 512)),
    ),
    nets.NUMBERS: (
        lambda: NumberNet(len(kinds())),
        *(
            material.number_samples,
            number_loss,
            numbers_right,
            ("rithmomachia",),
            (2, 3, MAN_PATCH_PIXELS, MAN_PATCH_PIXELS),
        ),
    ),
}
"""For each net: its maker, its samples, its loss, its other measures, the boards it learns from, its input's shape."""

SPATIAL = (nets.FIELDS, nets.TABLES_MEN, nets.NUMBERED_MEN)


def run(
    name: str,
    data: Path,
    weights: Path,
    recipe: Recipe,
    *,
    checked: int = 256,
    begin: Path | None = None,
    source: MakeBatches | None = None,
) -> dict[str, float]:
    """Train one net on the boards in ``data`` and write it to ``weights``; training resumes from the saved state.

    ``begin``: the folder of the weights that a training without a state starts from, None: it starts from scratch.
    ``source``: makes the batches if they do not come from the boards in ``data``; these then only check.
    """
    make_net, maker, loss, measured, boards, shape = NETS[name]

    def make(rng: np.random.Generator) -> Iterator[Batch]:
        def load() -> Iterator[material.Sample]:
            names = [
                f"{kind}-{part}" for kind in boards for part in range(1, 9) if (data / f"{kind}-{part}.jsonl").exists()
            ]
            return maker(Boards(data, names), rng)

        with closing(material.batches(load, recipe.batch)) as taught:
            yield from taught

    check = Boards(data, [f"check-{kind}" for kind in boards])
    with closing(material.batches(lambda: maker(check, np.random.default_rng(5)), checked)) as checks:
        shown, *wanted = next(checks)

    def measure(trained: nn.Module) -> dict[str, float]:
        given = answers(trained, shown, 16)
        return {"check_loss": loss(given, tuple(wanted)).item(), **measured(given, tuple(wanted))}

    net = make_net()
    started = None if begin is None else begin / name
    report = train(name, net, source or make, loss, recipe, state=data / f"{name}.pt", begin=started, check=measure)
    axes = {0: "n", 2: "h", 3: "w"} if name in SPATIAL else {0: "n"}
    plain = net.to("cpu", memory_format=torch.contiguous_format)
    write_onnx(plain, weights / name, torch.zeros(*shape), ("shown", "answers"), axes)
    return report


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    asked = argparse.ArgumentParser(prog="python -m workshop.training.boards")
    asked.add_argument("net", choices=[name.removesuffix(".onnx") for name in NETS])
    asked.add_argument("data", type=Path)
    asked.add_argument("weights", type=Path)
    asked.add_argument("steps", type=int)
    asked.add_argument("batch", type=int, nargs="?", default=16)
    asked.add_argument("rate", type=float, nargs="?", default=2e-3)
    asked.add_argument("--begin", type=Path, help="folder of the weights to start from")
    given = asked.parse_args()
    plan, measured_on = Recipe(given.steps, given.batch, given.rate), 512 if given.batch > 32 else 96
    run(f"{given.net}.onnx", given.data, given.weights, plan, checked=measured_on, begin=given.begin)

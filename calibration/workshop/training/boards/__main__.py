"""Train one net that reads boards.

``python -m calibration.workshop.training.boards NET DATA WEIGHTS STEPS [BATCH [RATE]]``
"""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from calibration.workshop.board_scenes.store import Boards
from calibration.workshop.training.boards import batches as material
from calibration.workshop.training.boards.losses import field_loss, men_loss, number_loss, numbers_right
from calibration.workshop.training.boards.nets import MenNet, NumberNet
from calibration.workshop.training.loop import Batch, train
from calibration.workshop.training.nets import LocatorNet, write_onnx
from calibration.workshop.training.schedule import Recipe
from companion.vision.boards import nets
from companion.vision.boards.field.find import MAPS
from companion.vision.boards.men import NUMBERED_MAPS, TABLES_MAPS
from companion.vision.boards.numbers import PATCH, kinds

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
        *(material.number_samples, number_loss, numbers_right, ("rithmomachia",), (2, 3, PATCH, PATCH)),
    ),
}
"""For each net: its maker, its samples, its loss, its other measures, the boards it learns from, its input's shape."""

SPATIAL = (nets.FIELDS, nets.TABLES_MEN, nets.NUMBERED_MEN)


def run(name: str, data: Path, weights: Path, recipe: Recipe, checked: int = 256) -> dict[str, float]:
    """Train one net on the boards in ``data`` and write it to ``weights``; training resumes from the saved state."""
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
        answers = torch.cat([trained(shown[i : i + 16]) for i in range(0, len(shown), 16)])
        return {"check_loss": loss(answers, tuple(wanted)).item(), **measured(answers, tuple(wanted))}

    net = make_net()
    report = train(name, net, make, loss, recipe, state=data / f"{name}.pt", begin=None, check=measure)
    axes = {0: "n", 2: "h", 3: "w"} if name in SPATIAL else {0: "n"}
    plain = net.to(memory_format=torch.contiguous_format)
    write_onnx(plain, weights / name, torch.zeros(*shape), ("shown", "answers"), axes)
    return report


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    wanted_net, folder, target, steps, *more = sys.argv[1:]
    batch = int(more[0]) if more else 16
    rate = float(more[1]) if len(more) > 1 else 2e-3
    run(f"{wanted_net}.onnx", Path(folder), Path(target), Recipe(int(steps), batch, rate), 512 if batch > 32 else 96)

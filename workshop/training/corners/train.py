"""Train the corner net: where a face's corners are, how far off they may still be, and whether the face is on top."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from companion.vision.dice.corners import (
    CHANCES,
    CLOSE,
    ERRORS,
    OFFSETS,
    OUTPUTS,
    PATCH_EDGE_PIXELS,
    SOLID,
    START,
    UPPER,
    UPPER_KINDS,
)
from companion.vision.dice.geometry import edge_length
from workshop.training.corners.samples import Answer, Array, batches
from workshop.training.further import OtherNetError, take_weights
from workshop.training.loop import AT_ONCE, Batch, answers, beats, train
from workshop.training.nets import CornerNet, write_onnx
from workshop.training.schedule import Recipe
from workshop.training.store import Scenes

OFFSET_WEIGHT: Final = 20.0
CHANCE_WEIGHT: Final = 0.3
UPPER_WEIGHT: Final = 0.3
"""Weights in the loss: of the corners, of dice against other things, of upper faces against sides and parts."""

ERROR_WEIGHT: Final = 0.15
"""Weight in the loss of the net's estimate of its own corners' error."""

LEAST_ERROR: Final = 0.005
"""Smaller errors, in edges, count as this one."""

NAMES: Final = ("square", "solid", "triangle", "pentagon", "close")
"""Name of each kind in the report."""

CHECKED: Final = 2048
"""Number of samples that measure the net, always the same ones."""


def train_corners(
    load: Callable[[], Scenes], check: Scenes, recipe: Recipe, target: Path, *, state: Path, begin: Path | None = None
) -> dict[str, float]:
    """Train, and return losses and the remaining errors on the validation scenes, in edges.

    The net is written to ``target`` as ONNX if it is better than the weights there: ``kept`` is then 1. ``load`` is
    called for the scenes again and again, because more may have been drawn. ``state``, ``begin``: see `loop.train`. If
    ``target`` has weights, many faces start with the corners that they give.
    """
    torch.set_num_threads(recipe.threads)  # before the processes fork, because they run a net, too
    net = CornerNet(OUTPUTS)
    shown, wanted, known = next(_batches(lambda: check, CHECKED, np.random.default_rng(6)))

    def measure(trained: nn.Module) -> dict[str, float]:
        given = answers(trained, shown)
        report = {"check_loss": corner_loss(given, (wanted, known)).item()}
        return report | _errors(given, wanted, known) | _tops(given, wanted, known)

    before = _as_it_was(target, shown[:AT_ONCE])

    def make(rng: np.random.Generator) -> Iterator[Batch]:
        return _batches(load, recipe.batch, rng, before)

    report = train("corners", net, make, corner_loss, recipe, state=state, begin=begin, check=measure)
    kept = beats(report, CornerNet(OUTPUTS), target, shown[:AT_ONCE], measure)
    if kept:
        sample = torch.zeros(2, 3, PATCH_EDGE_PIXELS, PATCH_EDGE_PIXELS)
        net.to("cpu", memory_format=torch.contiguous_format)
        write_onnx(net, target, sample, ("patches", "offsets"), {0: "n"})
    return report | {"kept": float(kept)}


def corner_loss(answers: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return the loss of the corners, plus the cross-entropies of being a die and of being its upper face."""
    wanted, known = given
    off = nn.functional.smooth_l1_loss(answers[:, :CHANCES], wanted[:, :CHANCES], beta=0.01, reduction="none")
    loss = OFFSET_WEIGHT * _weighed(off, known[:, :CHANCES])
    for first, end, weight in ((CHANCES, ERRORS, CHANCE_WEIGHT), (UPPER, OUTPUTS, UPPER_WEIGHT)):
        asked = slice(first, end)
        surprise = nn.functional.binary_cross_entropy_with_logits(answers[:, asked], wanted[:, asked], reduction="none")
        loss = loss + weight * _weighed(surprise, known[:, asked])
    return loss + ERROR_WEIGHT * _misjudged(answers, wanted, known)


def _weighed(values: Tensor, weights: Tensor) -> Tensor:
    return torch.as_tensor((values * weights).sum() / weights.sum().clamp(min=1))


def _misjudged(answers: Tensor, wanted: Tensor, known: Tensor) -> Tensor:
    """Return how far the net misjudges its own corners' errors; this does not move the corners."""
    total = answers.new_zeros(())
    for kind, (worst, rows) in enumerate(_worst(answers.detach(), wanted, known)):
        if rows.any():
            total = total + (answers[rows, ERRORS + kind] - _log(worst)).abs().sum()
    return total / len(answers)


def _log(worst: Tensor) -> Tensor:
    """Return the target output for these errors. The least absolute difference to it gives the median."""
    return torch.log(worst.clamp(min=LEAST_ERROR))


def _worst(answers: Tensor, wanted: Tensor, known: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield for each kind the largest error among a die's corners, in edges, and which rows are of that kind."""
    for kind, (places, start) in enumerate(zip(OFFSETS, START, strict=True)):
        rows = known[:, places.start] > 0
        edge = edge_length(start[:3] if kind in (SOLID, CLOSE) else start)
        off = (answers - wanted)[rows][:, places].reshape(int(rows.sum()), len(start), 2).norm(dim=2) / edge
        yield off.max(1).values, rows


def _errors(answers: Tensor, wanted: Tensor, known: Tensor) -> dict[str, float]:
    """Return the largest error among a die's corners, in edges of its base: median and 90th percentile, by kind.

    Also return the median factor by which it exceeds the stated error: 1 where the net's stated errors are to scale.
    """
    report = {}
    for kind, (worst, rows) in enumerate(_worst(answers, wanted, known)):
        if rows.any():
            name = NAMES[kind]
            report[f"{name}_median"] = worst.median().item()
            report[f"{name}_90"] = worst.quantile(0.9).item()
            report[f"{name}_scale"] = torch.exp((_log(worst) - answers[rows, ERRORS + kind]).median()).item()
    return report


def _tops(answers: Tensor, wanted: Tensor, known: Tensor) -> dict[str, float]:
    """Return for each kind the share of pairs of an upper face and a side or part that are in the right order."""
    report = {}
    for place, kind in enumerate(UPPER_KINDS, UPPER):
        rows = known[:, place] > 0
        upper, others = (answers[rows & (wanted[:, place] == one), place] for one in (1, 0))
        if len(upper) and len(others):
            higher = (upper[:, None] > others).float() + 0.5 * (upper[:, None] == others).float()
            report[f"{NAMES[kind]}_upper"] = higher.mean().item()
    return report


def _batches(
    load: Callable[[], Scenes], size: int, rng: np.random.Generator, before: Answer | None = None
) -> Iterator[Batch]:
    for one in batches(load, size, rng, before):
        yield tuple(torch.from_numpy(part) for part in one)


def _as_it_was(weights: Path, usual: Tensor) -> Answer | None:
    """Return the answers of the net with these weights; None if there are none, or if they are of another net."""
    if not weights.is_file():
        return None
    net = CornerNet(OUTPUTS)
    try:
        take_weights(net, weights, usual)
    except OtherNetError:
        return None
    net.eval()

    def answer(inputs: Array) -> Array:
        with torch.no_grad():
            given: Array = net(torch.from_numpy(inputs)).numpy()
        return given

    return answer

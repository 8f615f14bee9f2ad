"""Training of the corner net: where a face's corners are, how far off that may still be, and whether it is on top."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from calibration.workshop.training.corners.samples import Answer, Array, batches
from calibration.workshop.training.further import OtherNetError, take_weights
from calibration.workshop.training.loop import AT_ONCE, Batch, answers, beats, train
from calibration.workshop.training.nets import CornerNet, write_onnx
from calibration.workshop.training.schedule import Recipe
from calibration.workshop.training.store import Scenes
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

OFFSET_WEIGHT: Final = 20.0
CHANCE_WEIGHT: Final = 0.3
UPPER_WEIGHT: Final = 0.3
"""The shares in the loss of the corners, of telling dice from other things, and upper faces from sides and parts."""

ERROR_WEIGHT: Final = 0.15
"""The share in the loss of knowing how far off its own corners are."""

LEAST_ERROR: Final = 0.005
"""Smaller errors, in edges, are not told apart."""

NAMES: Final = ("square", "solid", "triangle", "pentagon", "close")
"""What each kind is called in the report."""

CHECKED: Final = 2048
"""By so many samples the net is measured, always the same."""


def train_corners(
    load: Callable[[], Scenes], check: Scenes, recipe: Recipe, target: Path, *, state: Path, begin: Path | None = None
) -> dict[str, float]:
    """Train, and return losses and the errors that are left on the validation scenes, in edges.

    The net is written to ``target`` as ONNX if it is better than what lies there: ``kept`` is then 1. ``load`` is asked
    for the scenes again and again: more may have been drawn. ``state``, ``begin``: see `loop.train`. Many faces are
    shown with the corners that the weights of ``target`` leave, if there are any.
    """
    torch.set_num_threads(recipe.threads)  # before processes are forked: they ask a net, too
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
    """Return how far the corners are off, with the surprise at whether it is a die, and its upper face, at all."""
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
    """Return by how much the net misjudges how far off its own corners are; that does not move the corners."""
    total = answers.new_zeros(())
    for kind, (worst, rows) in enumerate(_worst(answers.detach(), wanted, known)):
        if rows.any():
            total = total + (answers[rows, ERRORS + kind] - _log(worst)).abs().sum()
    return total / len(answers)


def _log(worst: Tensor) -> Tensor:
    """Return what the net is to say of such errors. The least absolute difference to it is that of the median."""
    return torch.log(worst.clamp(min=LEAST_ERROR))


def _worst(answers: Tensor, wanted: Tensor, known: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """Return for each kind the largest error among a die's corners, in edges, and which rows are of that kind."""
    for kind, (places, start) in enumerate(zip(OFFSETS, START, strict=True)):
        rows = known[:, places.start] > 0
        edge = edge_length(start[:3] if kind in (SOLID, CLOSE) else start)
        off = (answers - wanted)[rows][:, places].reshape(int(rows.sum()), len(start), 2).norm(dim=2) / edge
        yield off.max(1).values, rows


def _errors(answers: Tensor, wanted: Tensor, known: Tensor) -> dict[str, float]:
    """Return the largest error among a die's corners, in edges of its base: median and 90 of 100, by kind.

    Also by what factor it is larger than the net says, in the median: 1 where the net's own errors are to scale.
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
    """Return how well each kind's upper faces are told from sides and parts: the share of pairs that stand right."""
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
    """Return how the net of these weights answers; None where there are none, or those of another net."""
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

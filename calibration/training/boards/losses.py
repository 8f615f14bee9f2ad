"""How far the nets that read boards are from the truth."""

import torch
from torch import Tensor, nn

from companion.vision.boards.frame import BARWIDTH, ERROR, MARGIN, OFFSETS, POINTED_BOARD, SQUARED_BOARD
from companion.vision.boards.men import ACROSS, DARKER, DOWN, HIDDEN, LIGHTER, SHAPES

PEAK_WEIGHT = 25.0
"""Cells of a peak count so much more than ground: there are few."""

LEAST_ERROR = 0.0005
"""Smaller errors of a corner, in parts of the field's width, are not told apart."""


def field_loss(logits: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return how far the field's map is off, by cell and by overlap."""
    maps = given[0]
    plain = nn.functional.binary_cross_entropy_with_logits(logits, maps)
    chance = torch.sigmoid(logits)
    overlap = 1 - (2 * (chance * maps).sum((1, 2, 3)) + 20) / ((chance + maps).sum((1, 2, 3)) + 20)
    return plain * 4 + 0.4 * overlap.mean()


def frame_loss(answers: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return how far the corners and the bar are off, with the surprise at which board it is."""
    wanted, known = given
    places = [*range(OFFSETS.start, OFFSETS.stop), BARWIDTH]
    off = nn.functional.smooth_l1_loss(answers[:, places], wanted[:, places], beta=0.004, reduction="none")
    off = (off * known[:, places]).sum() / known[:, places].sum().clamp(min=1)
    kinds = [POINTED_BOARD, SQUARED_BOARD]
    surprise = nn.functional.binary_cross_entropy_with_logits(answers[:, kinds], wanted[:, kinds])
    worst, rows = _worst(answers.detach(), wanted, known)
    misjudged = (answers[rows, ERROR] - torch.log(worst + LEAST_ERROR)).abs().sum() / len(answers)
    return 40 * off + 0.3 * surprise + 0.05 * misjudged


def _worst(answers: Tensor, wanted: Tensor, known: Tensor) -> tuple[Tensor, Tensor]:
    """Return the largest error among a field's corners, in parts of its width, and which rows are fields."""
    rows = known[:, OFFSETS.start] > 0
    off = (answers - wanted)[rows][:, OFFSETS].reshape(-1, 4, 2).norm(dim=2) / (1 - 2 * MARGIN)
    return off.max(1).values, rows


def frame_errors(answers: Tensor, given: tuple[Tensor, ...]) -> dict[str, float]:
    """Return the largest error among a field's corners: median and 90 of 100."""
    worst, _ = _worst(answers, *given)
    return {"corner_median": worst.median().item(), "corner_90": worst.quantile(0.9).item()}


def men_loss(answers: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return how far the maps of men are off: feet and hands by cell, tops and shapes where men stand."""
    maps, counts = given
    seen = [LIGHTER, DARKER, HIDDEN]
    plain = nn.functional.binary_cross_entropy_with_logits(answers[:, seen], maps[:, seen], reduction="none")
    weight = counts[:, seen].clone()
    weight[:, :2] *= 1 + PEAK_WEIGHT * maps[:, :2]
    weight[:, 2] *= 0.3
    heat = (plain * weight).mean()
    moved = [ACROSS, DOWN]
    off = nn.functional.smooth_l1_loss(answers[:, moved], maps[:, moved], reduction="none") * counts[:, moved]
    loss = 3 * heat + 0.3 * off.sum() / counts[:, moved].sum().clamp(min=1)
    if answers.shape[1] > SHAPES:
        here = counts[:, SHAPES] > 0
        shapes = answers[:, SHAPES:].permute(0, 2, 3, 1)[here]
        truth = maps[:, SHAPES:].permute(0, 2, 3, 1)[here].argmax(1)
        loss = loss + 0.1 * nn.functional.cross_entropy(shapes, truth)
    return loss


def number_loss(answers: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return the surprise at what the men are."""
    return nn.functional.cross_entropy(answers, given[0], label_smoothing=0.0)


def numbers_right(answers: Tensor, given: tuple[Tensor, ...]) -> dict[str, float]:
    """Return the share of men that are read right."""
    return {"right": (answers.argmax(1) == given[0]).float().mean().item()}

"""Losses of the nets that read boards."""

import torch
from torch import Tensor, nn

from companion.vision.boards.field.find import COLUMN
from companion.vision.boards.men import ACROSS, DARKER, DOWN, HIDDEN, LIGHTER, SHAPES

PEAK_WEIGHT = 25.0
"""Additional weight of cells on a peak: there are few of them."""


def field_loss(logits: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return the loss of the field's maps, by cell and by overlap, and that of columns and rows where they count.

    A cell of columns and rows is taught a probability, so a net that does not know how columns run answers one half.
    """
    maps, counts = given
    fields, truth = logits[:, :COLUMN], maps[:, :COLUMN]
    plain = nn.functional.binary_cross_entropy_with_logits(fields, truth)
    chance = torch.sigmoid(fields)
    overlap = 1 - (2 * (chance * truth).sum((1, 2, 3)) + 20) / ((chance + truth).sum((1, 2, 3)) + 20)
    surprise = nn.functional.binary_cross_entropy_with_logits(logits[:, COLUMN:], maps[:, COLUMN:], reduction="none")
    least = nn.functional.binary_cross_entropy(maps[:, COLUMN:], maps[:, COLUMN:], reduction="none")
    turns = ((surprise - least) * counts[:, COLUMN:]).sum() / counts[:, COLUMN:].sum().clamp(min=1)
    return plain * 4 + 0.4 * overlap.mean() + turns


def men_loss(answers: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return the loss of the men's maps: feet and hands by cell, tops and shapes where men stand."""
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
    """Return the cross-entropy of what the men are."""
    return nn.functional.cross_entropy(answers, given[0], label_smoothing=0.0)


def numbers_right(answers: Tensor, given: tuple[Tensor, ...]) -> dict[str, float]:
    """Return the share of men read right."""
    return {"right": (answers.argmax(1) == given[0]).float().mean().item()}

"""Training of the corner net: dice of the scenes, cut out by corners that are wrong in a known way."""

import logging
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from calibration.training.locator import recolour
from calibration.training.nets import CornerNet, write_onnx
from calibration.training.store import LabelledScenes, Outlines
from companion.vision.dice.corners import (
    NEAR_SQUARE,
    NEAR_TRIANGLE,
    OUTPUTS,
    near_square,
    near_triangle,
)
from companion.vision.dice.faces import patch_input
from companion.vision.dice.geometry import PATCH, Points, clockwise, edge_length, inside
from companion.vision.readings import Image

log = logging.getLogger(__name__)

CHANCE_WEIGHT = 0.02
"""The share in the loss of telling dice from other things."""

Sample = tuple[Image, npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""A patch, the outputs that it should give, and which of them count."""


@dataclass(frozen=True)
class Recipe:
    """How long and how fast to train."""

    minutes: float = 8.0
    batch: int = 64
    rate: float = 2e-3
    threads: int = 2
    seed: int = 13


def train_corners(scenes: LabelledScenes, recipe: Recipe, target: Path, *, state: Path) -> dict[str, float]:
    """Train, write the net to ``target`` as ONNX, and return the loss and the median error in edges on validation dice.

    ``state``: where the net is kept for a further round; if it is there already, training goes on from it.
    """
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    rng = np.random.default_rng(recipe.seed)
    numbers = np.arange(len(scenes.outlines))
    validation, training = numbers[: len(numbers) // 20], numbers[len(numbers) // 20 :]
    check = _batch(scenes, validation, np.random.default_rng(6), 512)
    net = CornerNet(OUTPUTS).to(memory_format=torch.channels_last)
    if state.is_file():
        net.load_state_dict(torch.load(state, weights_only=True))
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=1e-2)
    begun, step, running, report = time.monotonic(), 0, 0.0, {}
    while (spent := (time.monotonic() - begun) / (60 * recipe.minutes)) < 1:
        rate = recipe.rate * min(1.0, (step + 1) / 100) * max(0.01, 0.5 * (1 + np.cos(np.pi * spent)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        net.train()
        patches, wanted, counts = _batch(scenes, training, rng, recipe.batch)
        optimiser.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):
            answers = net(patches)
        loss = _loss(answers.float(), wanted, counts)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        running += 0.02 * (loss.item() - running) if step > 1 else loss.item()
        if step % 200 == 0:
            report = {"patches": float(step * recipe.batch), "loss": running, **_measure(net, check)}
            log.info("corners: step %d, %s, %.0f %%", step, {k: round(v, 4) for k, v in report.items()}, 100 * spent)
    torch.save(net.state_dict(), state)
    axes = {0: "n"}
    sample = torch.zeros(2, 3, PATCH, PATCH)
    write_onnx(net.to(memory_format=torch.contiguous_format), target, sample, ("patches", "offsets"), axes)
    return report


def _batch(
    scenes: LabelledScenes, chosen: npt.NDArray[np.int64], rng: np.random.Generator, size: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    samples: list[Sample] = []
    while len(samples) < size:
        number = int(rng.choice(chosen))
        samples += _samples(scenes.pictures[number], scenes.outlines[number], rng)
    patches = patch_input(np.stack([patch for patch, _, _ in samples[:size]]))
    wanted = torch.from_numpy(np.stack([outputs for _, outputs, _ in samples[:size]]))
    counts = torch.from_numpy(np.stack([mask for _, _, mask in samples[:size]]))
    return torch.from_numpy(patches).to(memory_format=torch.channels_last), wanted, counts


def _samples(picture: Image, dice: Outlines, rng: np.random.Generator) -> list[Sample]:
    """Return each die of a picture once, cut out by wrong corners, and at times a thing that is none."""
    samples = []
    for face in dice.cubes:
        true = np.roll(clockwise(face), int(rng.integers(4)), axis=0)
        rough = _wrong(true, rng)
        warp = cv2.getPerspectiveTransform(rough.astype(np.float32), NEAR_SQUARE.astype(np.float32))
        offsets = _mapped(np.asarray(warp, np.float64), true) - NEAR_SQUARE
        samples.append(_sample(near_square(picture, rough), offsets, 0, rng))
    for base, apex in dice.tetrahedra * 2:  # one to three cubes, and its apex must be exact
        true = np.roll(clockwise(base), int(rng.integers(3)), axis=0)
        rough = _wrong(true, rng)
        flat = cv2.getAffineTransform(rough.astype(np.float32), NEAR_TRIANGLE.astype(np.float32))
        start = np.vstack([NEAR_TRIANGLE, NEAR_TRIANGLE.mean(axis=0)])
        offsets = _mapped(np.vstack([flat, [0.0, 0.0, 1.0]]), np.vstack([true, apex])) - start
        samples.append(_sample(near_triangle(picture, rough), offsets, 1, rng))
    if rng.random() < 0.6:
        samples += _none(picture, dice, rng)
    return samples


def _sample(patch: Image, offsets: Points, kind: int, rng: np.random.Generator) -> Sample:
    wanted, counts = np.zeros(OUTPUTS, np.float32), np.zeros(OUTPUTS, np.float32)
    wanted[8 * kind : 8 * kind + 8] = np.clip(offsets, -0.6, 0.6).ravel()
    counts[8 * kind : 8 * kind + 8] = 1
    wanted[16 + kind] = 1
    counts[16 + kind] = 1
    return recolour(patch, rng), wanted, counts


def _none(picture: Image, dice: Outlines, rng: np.random.Generator) -> list[Sample]:
    """Return a place that is no upper face (perhaps a tetrahedron or a cube's side) and none that is a tetrahedron."""
    edge = float(np.exp(rng.uniform(np.log(20), np.log(110))))
    angle = rng.uniform(0, 2 * np.pi)
    known = [face.mean(axis=0) for face in dice.cubes] + [base.mean(axis=0) for base, _ in dice.tetrahedra]
    place = rng.random(2) * picture.shape[1::-1]
    if known and rng.random() < 0.5:
        place = known[int(rng.integers(len(known)))] + rng.normal(0, 1.0, 2) * edge
    samples = []
    shapes = [[*dice.cubes], [base for base, _ in dice.tetrahedra]]
    for kind, corners in enumerate((4, 3)):
        turn = angle + np.arange(corners) * 2 * np.pi / corners
        rough = np.column_stack([np.cos(turn), np.sin(turn)]) * edge * 0.65 + place
        near = [np.linalg.norm(shape.mean(axis=0) - place) < 0.4 * edge_length(shape) for shape in shapes[kind]]
        if any(near) or any(inside(place, shape) for shape in shapes[kind]):
            continue
        cut_out = near_square(picture, rough) if kind == 0 else near_triangle(picture, rough)
        wanted, counts = np.zeros(OUTPUTS, np.float32), np.zeros(OUTPUTS, np.float32)
        counts[16 + kind] = 1
        samples.append((recolour(cut_out, rng), wanted, counts))
    return samples


def _wrong(corners: Points, rng: np.random.Generator) -> Points:
    """Return corners as the locator finds them: often nearly right, at times far off."""
    much = float(rng.choice([0.25, 0.8, 1.5], p=[0.45, 0.4, 0.15]))
    centre = corners.mean(axis=0)
    edge = edge_length(corners)
    angle = float(np.clip(rng.normal(0, 0.14 * much), -0.5, 0.5))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn * np.exp(rng.normal(0, 0.09 * much)) + rng.normal(0, 0.05 * much, (2, 2))
    moved: Points = (corners - centre) @ turn.T + centre + rng.normal(0, 0.07 * much * edge, 2)
    return moved + rng.normal(0, 0.05 * much * edge, corners.shape)


def _mapped(warp: npt.NDArray[np.float64], places: Points) -> Points:
    moved = np.column_stack([places, np.ones(len(places))]) @ warp.T
    return np.asarray(moved[:, :2] / moved[:, 2:])


def _loss(answers: torch.Tensor, wanted: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    offsets = nn.functional.smooth_l1_loss(answers[:, :16], wanted[:, :16], beta=0.02, reduction="none")
    chances = nn.functional.binary_cross_entropy_with_logits(answers[:, 16:], wanted[:, 16:], reduction="none")
    known = counts[:, :16]
    return (offsets * known).sum() / known.sum() + CHANCE_WEIGHT * (chances * counts[:, 16:]).sum() / len(answers)


def _measure(net: nn.Module, check: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> dict[str, float]:
    net.eval()
    with torch.no_grad():
        answers = net(check[0])
    error = ((answers - check[1])[:, :16].reshape(-1, 8, 2).norm(dim=2)).numpy()
    known = check[2][:, :16:2].numpy() > 0
    right = ((answers[:, 16:] > 0).float() == check[1][:, 16:]).numpy()[check[2][:, 16:].numpy() > 0]
    worst = np.where(known, error, 0).max(axis=1)[known.any(axis=1)]
    return {
        "corner_error": float(np.median(worst) / 0.56),
        "corner_error_90": float(np.percentile(worst, 90) / 0.56),
        "told_apart": float(right.mean()),
    }

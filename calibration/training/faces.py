"""Training of the face net: flat faces with texts, under changing light, half hidden, out of focus."""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from calibration.training.locator import recolour
from calibration.training.nets import FaceNet, write_onnx
from calibration.training.store import LabelledPatches
from companion.vision.dice.faces import FOUR, Texts, patch_input
from companion.vision.dice.geometry import PATCH
from companion.vision.readings import Image

log = logging.getLogger(__name__)

LABEL_SMOOTHING = 0.002

SPOILT = 0.08
"""The share of faces that are spoilt beyond reading, to teach what "not to be read" looks like."""


@dataclass(frozen=True)
class Recipe:
    """How long and how fast to train."""

    minutes: float = 16.0
    batch: int = 96
    rate: float = 2e-3
    threads: int = 2
    seed: int = 12


def train_faces(
    training: LabelledPatches, validation: LabelledPatches, texts: Texts, recipe: Recipe, target: Path, *, state: Path
) -> dict[str, float]:
    """Train, write the net to ``target`` as ONNX, and return losses and the shares of validation texts read right.

    ``state``: where the net is kept for a further round; if it is there already, training goes on from it.
    """
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    rng = np.random.default_rng(recipe.seed)
    net = FaceNet(texts.classes).to(memory_format=torch.channels_last)
    if state.is_file():
        net.load_state_dict(torch.load(state, weights_only=True))
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=2e-2)
    stream = _batches(training, texts, recipe.batch, rng)
    begun, step, running, report = time.monotonic(), 0, 0.0, {}
    while (spent := (time.monotonic() - begun) / (60 * recipe.minutes)) < 1:
        rate = recipe.rate * min(1.0, (step + 1) / 200) * max(0.01, 0.5 * (1 + np.cos(np.pi * spent)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        net.train()
        patches, classes = next(stream)
        optimiser.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast on processors that have it, and no worse
            logits = net(patches)
        loss = nn.functional.cross_entropy(logits.float(), classes, label_smoothing=LABEL_SMOOTHING)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        running += 0.01 * (loss.item() - running) if step > 1 else loss.item()
        if step % 200 == 0:
            report = {"patches": float(step * recipe.batch), "loss": running, **measure(net, validation, texts)}
            log.info("faces: step %d, %s, %.0f %%", step, {k: round(v, 4) for k, v in report.items()}, 100 * spent)
    report = {"patches": float(step * recipe.batch), "loss": running, **measure(net, validation, texts)}
    torch.save(net.state_dict(), state)
    write_onnx(
        net.to(memory_format=torch.contiguous_format),
        target,
        torch.zeros(2, 3, PATCH, PATCH),
        ("patches", "logits"),
        {0: "n"},
    )
    return report


def measure(net: nn.Module, validation: LabelledPatches, texts: Texts) -> dict[str, float]:
    """Return the shares of cube texts, side texts and rejects that the net gets right, rotation aside."""
    net.eval()
    found = []
    with torch.no_grad():
        for start in range(0, len(validation.patches), 256):
            batch = patch_input(np.asarray(validation.patches[start : start + 256]))
            found.append(net(torch.from_numpy(batch)).argmax(1).numpy())
    truth, read = _text_of(validation.classes, texts), _text_of(np.concatenate(found), texts)
    right = truth == read
    cubes, sides = truth < len(texts.cube), truth >= len(texts.cube)
    reject = truth == len(texts.cube) + len(texts.side)
    sides &= ~reject
    return {
        "cube_right": float(right[cubes].mean()),
        "side_right": float(right[sides].mean()),
        "reject_right": float(right[reject].mean()) if reject.any() else 1.0,
    }


def _text_of(classes: npt.NDArray[np.int64], texts: Texts) -> npt.NDArray[np.int64]:
    turns = FOUR * len(texts.cube)
    side = len(texts.cube) + (classes - turns) // 3
    return np.where(classes < turns, classes // FOUR, side)


def _batches(
    data: LabelledPatches, texts: Texts, size: int, rng: np.random.Generator
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Give endless random batches, each face turned and recoloured at random."""
    turns = FOUR * len(texts.cube)
    while True:
        order = rng.permutation(len(data.patches))
        for start in range(0, len(order) - size, size):
            chosen = np.sort(order[start : start + size])
            patches = np.array(data.patches[chosen])
            classes = data.classes[chosen].copy()
            for i, kind in enumerate(classes):
                patch = patches[i]
                if rng.random() < SPOILT:
                    other = patches[int(rng.integers(len(patches)))]
                    patches[i] = _disturb(_spoil(patch, other, rng), rng)
                    classes[i] = texts.classes - 1
                    continue
                if kind < turns:
                    quarter = int(rng.integers(FOUR))
                    patch = np.rot90(patch, -quarter)  # clockwise
                    classes[i] = kind - kind % FOUR + (kind % FOUR + quarter) % FOUR
                patches[i] = _disturb(np.ascontiguousarray(patch), rng)
            batch = torch.from_numpy(patch_input(patches)).to(memory_format=torch.channels_last)
            yield batch, torch.from_numpy(classes)


def _disturb(patch: Image, rng: np.random.Generator) -> Image:
    """Shift, stretch and shear, as corners are wrongly found; blur; shade; recolour."""
    if rng.random() < 0.8:
        much = float(rng.choice([0.5, 1.0, 1.8]))
        warp = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]) + np.hstack(
            [rng.normal(0, 0.045 * much, (2, 2)), rng.normal(0, 0.035 * much * PATCH, (2, 1))]
        )
        warp[:, 2] += (np.eye(2) - warp[:, :2]) @ [PATCH / 2, PATCH / 2]
        patch = cv2.warpAffine(patch, warp, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)
    if rng.random() < 0.3:  # few pixels: letters of a far die
        small = int(rng.integers(18, 48))
        other = small if rng.random() < 0.5 else PATCH
        size = (small, other) if rng.random() < 0.5 else (other, small)
        patch = cv2.resize(patch, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        patch = cv2.resize(patch, (PATCH, PATCH), interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    if rng.random() < 0.15:
        length = int(rng.integers(2, 6))
        kernel = np.zeros((7, 7), np.float32)
        angle = rng.random() * np.pi
        tip = (round(3 + length * np.cos(angle) / 2), round(3 + length * np.sin(angle) / 2))
        tail = (round(3 - length * np.cos(angle) / 2), round(3 - length * np.sin(angle) / 2))
        cv2.line(kernel, tail, tip, (1.0,), 1)
        patch = cv2.filter2D(patch, -1, kernel / kernel.sum()).astype(np.uint8)
    if rng.random() < 0.3:  # a shadow's edge across the face
        corners = rng.random((3, 2)) * 2 * PATCH - PATCH / 2
        shade = np.ones((PATCH, PATCH), np.float32)
        cv2.fillConvexPoly(shade, corners.astype(np.int32), (float(rng.uniform(0.35, 0.9)),))
        soft = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.5, 6)))
        patch = np.asarray(patch * soft[..., None], np.uint8)
    return recolour(patch, rng)


def _spoil(patch: Image, other: Image, rng: np.random.Generator) -> Image:
    """Return a patch that must not be read: badly cut, largely covered, or a piece of one."""
    match int(rng.integers(3)):
        case 0:  # cut half a face too far to one side
            shift = rng.choice([-1, 1], 2) * rng.uniform(0.0, 0.7, 2) * PATCH
            shift[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(0.4, 0.7) * PATCH
            angle = rng.uniform(0, np.pi / 2)
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            middle = np.array([PATCH / 2, PATCH / 2])
            warp = np.hstack([turn, (middle - turn @ middle + shift)[:, None]])
            spoilt = cv2.warpAffine(patch, warp, (PATCH, PATCH), dst=other.copy(), borderMode=cv2.BORDER_TRANSPARENT)
        case 1:  # a hand or another thing over much of it
            spoilt = patch.copy()
            edge = rng.uniform(0.35, 0.65) * PATCH
            angle = rng.uniform(0, 2 * np.pi)
            y, x = np.mgrid[0:PATCH, 0:PATCH] - (PATCH - 1) / 2
            bend = rng.uniform(0, 5) * np.sin((x * np.sin(angle) - y * np.cos(angle)) * rng.uniform(0.02, 0.2))
            covered = x * np.cos(angle) + y * np.sin(angle) + bend > edge - PATCH / 2
            colour = rng.integers(0, 256, 3)
            shade = np.clip(colour + rng.normal(0, 4, (PATCH, PATCH, 1)), 0, 255)
            spoilt[covered] = shade[covered]
        case _:  # a corner of it, much too near
            zoom = rng.uniform(2.2, 5.0)
            corner = rng.uniform(0, 1 - 1 / zoom, 2) * PATCH
            warp = np.array([[zoom, 0, -zoom * corner[0]], [0, zoom, -zoom * corner[1]]])
            spoilt = cv2.warpAffine(patch, warp, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(spoilt, np.uint8)

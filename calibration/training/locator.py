"""Training of the locator: scenes turned, scaled and recoloured at random, and maps drawn from their labels."""

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

from calibration.training.maps import draw_maps
from calibration.training.nets import LocatorNet, write_onnx
from calibration.training.store import LabelledScenes, Outlines
from companion.vision.dice.geometry import Points, edge_length
from companion.vision.dice.locate import APEX, BASE, CORE, CORNER, FACE, TETRAHEDRON, net_input
from companion.vision.readings import Image

log = logging.getLogger(__name__)

WINDOW = 256
"""Edge of the square windows that the net is trained on."""

LEAST_EDGE, MOST_EDGE = 18.0, 130.0
"""Dice are shown to the net with edges between these, in pixels of its picture."""

PEAK_WEIGHT = 30.0
"""Cells of a peak count so much more than ground: there are few."""


@dataclass(frozen=True)
class Recipe:
    """How long and how fast to train."""

    minutes: float = 14.0
    batch: int = 12
    rate: float = 2e-3
    threads: int = 2
    seed: int = 11


def windows(
    scenes: LabelledScenes, chosen: npt.NDArray[np.int64], rng: np.random.Generator
) -> Iterator[tuple[Image, Outlines]]:
    """Give endless random windows of the chosen scenes with the outlines in them."""
    while True:
        for number in rng.permutation(chosen):
            picture, dice = scenes.pictures[number], scenes.outlines[number]
            yield _window(picture, dice, rng)


def _window(picture: Image, dice: Outlines, rng: np.random.Generator) -> tuple[Image, Outlines]:
    edge = float(np.median([edge_length(face) for face in dice.cubes])) if dice.cubes else 60.0
    scale = float(np.exp(rng.uniform(np.log(LEAST_EDGE), np.log(MOST_EDGE)))) / edge
    scale = max(scale, 0.55 * WINDOW / min(picture.shape[:2]))
    centres = [face.mean(axis=0) for face in dice.cubes] + [base.mean(axis=0) for base, _ in dice.tetrahedra]
    if centres and rng.random() < 0.85:
        centre = centres[int(rng.integers(len(centres)))] + rng.normal(0, 0.25 * WINDOW / scale, 2)
    else:
        centre = rng.random(2) * [picture.shape[1], picture.shape[0]]
    half = np.minimum(0.5 * WINDOW / scale, np.array(picture.shape[1::-1]) / 2)
    centre = np.clip(centre, half, np.array(picture.shape[1::-1]) - half)
    angle = int(rng.integers(4)) * np.pi / 2 + rng.normal(0, 0.15)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if rng.random() < 0.5:
        turn[:, 0] *= -1  # the locator need not know letters, so a mirrored scene is one more scene
    shift = np.array([WINDOW / 2, WINDOW / 2]) - turn @ centre
    shrink = 1.0
    if scale < 0.6:
        shrink = 0.5
        picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
    warp = np.hstack([turn / shrink, shift[:, None]])
    window = np.asarray(cv2.warpAffine(picture, warp, (WINDOW, WINDOW), flags=cv2.INTER_LINEAR), np.uint8)
    whole = np.ones(picture.shape[:2], np.uint8)
    covered = cv2.warpAffine(whole, warp, (WINDOW, WINDOW), flags=cv2.INTER_NEAREST)
    window[covered == 0] = window[covered > 0].mean(axis=0)  # nothing is labelled beyond the picture

    def moved(corners: Points) -> Points:
        places: Points = corners @ turn.T + shift
        return places

    outlines = Outlines(
        tuple(moved(face) for face in dice.cubes),
        tuple((moved(base), moved(apex[None])[0]) for base, apex in dice.tetrahedra),
    )
    return recolour(window, rng), outlines


def recolour(picture: Image, rng: np.random.Generator) -> Image:
    """Return the picture in another light: gains, gamma, swapped channels, blur, noise, at times negative."""
    pixels = picture.astype(np.float32) / 255
    if rng.random() < 0.15:
        pixels = pixels[..., rng.permutation(3)]
    if rng.random() < 0.04:
        pixels = 1 - pixels
    if rng.random() < 0.1:
        pixels = np.repeat(pixels.mean(axis=2, keepdims=True), 3, axis=2)
    pixels = np.clip(pixels, 0, 1) ** np.float32(np.exp(rng.normal(0, 0.25)))
    pixels = pixels * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * np.float32(np.exp(rng.normal(0, 0.2)))
    if rng.random() < 0.25:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), float(rng.uniform(0.4, 1.5))), np.float32)
    if rng.random() < 0.5:
        pixels = pixels + rng.standard_normal(pixels.shape, np.float32) * np.float32(rng.uniform(0, 0.05))
    return np.asarray(np.clip(pixels * 255, 0, 255), np.uint8)


def train_locator(scenes: LabelledScenes, recipe: Recipe, target: Path, state: Path) -> dict[str, float]:
    """Train, write the net to ``target`` as ONNX, and return the losses on training and validation windows.

    ``state``: where the net is kept for a further round; if it is there already, training goes on from it.
    """
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    rng = np.random.default_rng(recipe.seed)
    numbers = np.arange(len(scenes.pictures))
    validation, training = numbers[: len(numbers) // 20], numbers[len(numbers) // 20 :]
    stream = windows(scenes, training, rng)
    check = _batch(windows(scenes, validation, np.random.default_rng(5)), 96)
    net = LocatorNet().to(memory_format=torch.channels_last)
    if state.is_file():
        net.load_state_dict(torch.load(state, weights_only=True))
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=1e-2)
    begun, step, running, report = time.monotonic(), 0, 0.0, {}
    while (spent := (time.monotonic() - begun) / (60 * recipe.minutes)) < 1:
        rate = recipe.rate * min(1.0, (step + 1) / 100) * max(0.02, 0.5 * (1 + np.cos(np.pi * spent)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        net.train()
        pictures, maps = _batch(stream, recipe.batch)
        optimiser.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast on processors that have it, and no worse
            logits = net(pictures)
        loss = _loss(logits.float(), maps)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        step += 1
        running += 0.02 * (loss.item() - running) if step > 1 else loss.item()
        if step % 100 == 0:
            net.eval()
            with torch.no_grad():
                held = float(
                    np.mean([_loss(net(check[0][i : i + 16]), check[1][i : i + 16]).item() for i in range(0, 96, 16)])
                )
            report = {"windows": float(step * recipe.batch), "loss": running, "validation_loss": held}
            log.info("locator: step %d, loss %.4f, validation %.4f, %.0f %%", step, running, held, 100 * spent)
    torch.save(net.state_dict(), state)
    write_onnx(
        net.to(memory_format=torch.contiguous_format),
        target,
        torch.zeros(1, 3, 256, 320),
        ("picture", "maps"),
        {0: "n", 2: "h", 3: "w"},
    )
    return report


def _batch(stream: Iterator[tuple[Image, Outlines]], size: int) -> tuple[torch.Tensor, torch.Tensor]:
    drawn = [next(stream) for _ in range(size)]
    pictures = np.stack([net_input(picture) for picture, _ in drawn])
    maps = np.stack([draw_maps(dice, WINDOW) for _, dice in drawn])
    return torch.from_numpy(pictures).to(memory_format=torch.channels_last), torch.from_numpy(maps)


def _loss(logits: torch.Tensor, maps: torch.Tensor) -> torch.Tensor:
    regions, peaks = [CORE, FACE, TETRAHEDRON], [CORNER, BASE, APEX]
    plain = nn.functional.binary_cross_entropy_with_logits(logits, maps, reduction="none")
    heat = (plain[:, peaks] * (1 + PEAK_WEIGHT * maps[:, peaks])).mean()
    chance, truth = torch.sigmoid(logits[:, regions]), maps[:, regions]
    overlap = 1 - (2 * (chance * truth).sum((2, 3)) + 20) / ((chance + truth).sum((2, 3)) + 20)
    return plain[:, regions].mean() * 4 + heat + 0.4 * overlap.mean()

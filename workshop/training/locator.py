"""Train the locator: scenes turned, scaled and recoloured at random, and maps drawn from their ground truth."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from companion.vision.dice.geometry import Points, edge_length
from companion.vision.dice.locate import APEX, BASE, CORE, CORNER, FACE, TETRAHEDRON, Maps
from companion.vision.dice.nets import net_input
from companion.vision.readings import Image
from workshop.training.disturb import recolour
from workshop.training.loop import Batch, beats, train
from workshop.training.maps import draw_maps
from workshop.training.nets import LocatorNet, write_onnx
from workshop.training.schedule import Recipe
from workshop.training.store import Scenes

WINDOW: Final = 256
"""Edge of the square windows for training."""

LEAST_EDGE, MOST_EDGE = 14.0, 160.0
"""The net sees dice with edges between these, in pixels of its picture."""

LEAST_TILE: Final = 26.0
"""Least edge of flat tiles: a net that looks for tiny tiles takes every bright letter for one."""

PEAK_WEIGHT: Final = 30.0
"""Additional weight of cells on a peak: there are few of them."""

SEEN: Final = 0.3
"""Faces with a smaller visible share are not to be found."""


def train_locator(
    load: Callable[[], Scenes], check: Scenes, recipe: Recipe, target: Path, *, state: Path, begin: Path | None = None
) -> dict[str, float]:
    """Train, and return the losses.

    The net is written to ``target`` as ONNX if it is better than the weights there: ``kept`` is then 1. ``load`` is
    called for the scenes again and again, because more may have been drawn. ``state``, ``begin``: see `loop.train`.
    """
    net = LocatorNet()
    shown, wanted = next(_batches(lambda: check, 96, np.random.default_rng(5)))

    def measure(trained: nn.Module) -> dict[str, float]:
        device = next(trained.parameters()).device
        parts = ((shown[i : i + 16].to(device), wanted[i : i + 16].to(device)) for i in range(0, len(shown), 16))
        return {"check_loss": float(np.mean([map_loss(trained(one), (maps,)).item() for one, maps in parts]))}

    def make(rng: np.random.Generator) -> Iterator[Batch]:
        return _batches(load, recipe.batch, rng)

    report = train("locator", net, make, map_loss, recipe, state=state, begin=begin, check=measure)
    kept = beats(report, LocatorNet(), target, shown[:16], measure)
    if kept:
        sample = torch.zeros(1, 3, 256, 320)
        net.to("cpu", memory_format=torch.contiguous_format)
        write_onnx(net, target, sample, ("picture", "maps"), {0: "n", 2: "h", 3: "w"})
    return report | {"kept": float(kept)}


def map_loss(logits: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return the loss of the maps: regions by cell and by overlap, peaks by cell."""
    maps = given[0]
    regions, peaks = [CORE, FACE, TETRAHEDRON], [CORNER, BASE, APEX]
    plain = nn.functional.binary_cross_entropy_with_logits(logits, maps, reduction="none")
    heat = (plain[:, peaks] * (1 + PEAK_WEIGHT * maps[:, peaks])).mean()
    chance, truth = torch.sigmoid(logits[:, regions]), maps[:, regions]
    overlap = 1 - (2 * (chance * truth).sum((2, 3)) + 20) / ((chance + truth).sum((2, 3)) + 20)
    return plain[:, regions].mean() * 4 + heat + 0.4 * overlap.mean()


def _batches(load: Callable[[], Scenes], size: int, rng: np.random.Generator) -> Iterator[Batch]:
    pool: list[tuple[Image, Maps]] = []
    while True:
        scenes = load()
        for number in rng.permutation(len(scenes)):
            pool.append(_window(scenes, int(number), rng))
            if len(pool) == size:
                pictures = np.stack([net_input(picture) for picture, _ in pool])
                yield torch.from_numpy(pictures), torch.from_numpy(np.stack([maps for _, maps in pool]))
                pool = []


def _window(scenes: Scenes, number: int, rng: np.random.Generator) -> tuple[Image, Maps]:
    """Return a random window of a scene and its maps."""
    picture, truth = scenes.picture(number), scenes.truths[number]
    faces = [face.corners for face in truth.faces if face.seen > SEEN]
    solids = [(base, apex) for base, apex, _ in truth.tetrahedra]
    edge = float(np.median([edge_length(one) for one in (*faces, *(base for base, _ in solids))] or [60.0]))
    least = LEAST_TILE if any(face.shape == "tile" for face in truth.faces) else LEAST_EDGE
    scale = float(np.exp(rng.uniform(np.log(least), np.log(MOST_EDGE)))) / edge
    scale = float(np.clip(scale, 0.4 * WINDOW / min(picture.shape[:2]), 2.2))
    centres = [one.mean(axis=0) for one in (*faces, *(base for base, _ in solids))]
    if centres and rng.random() < 0.85:
        centre = centres[int(rng.integers(len(centres)))] + rng.normal(0, 0.25 * WINDOW / scale, 2)
    else:
        centre = rng.random(2) * picture.shape[1::-1]
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
        picture = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    warp = np.hstack([turn / shrink, shift[:, None]])
    window = np.asarray(cv2.warpAffine(picture, warp, (WINDOW, WINDOW), flags=cv2.INTER_LINEAR), np.uint8)
    whole = np.ones(picture.shape[:2], np.uint8)
    covered = cv2.warpAffine(whole, warp, (WINDOW, WINDOW), flags=cv2.INTER_NEAREST)
    window[covered == 0] = window[covered > 0].mean(axis=0)  # there are no labels beyond the picture

    def moved(corners: Points) -> Points:
        places: Points = corners @ turn.T + shift
        return places

    maps = draw_maps(
        [moved(face) for face in faces], [(moved(base), moved(apex[None])[0]) for base, apex in solids], WINDOW
    )
    return recolour(window, rng), maps

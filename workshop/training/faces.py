"""Train the mark net: faces cut out of drawn scenes, in any rotation, under changing light, half hidden."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from companion.vision.dice.faces import patch_input
from companion.vision.dice.geometry import (
    PATCH_PIXELS,
    PLACES,
    SQUARE,
    TRIANGLE,
    Points,
    area,
    cut_flat,
    edge_length,
    inside,
)
from companion.vision.dice.marks import MOST_COUNTED, MOST_PIPS, READABLE_OUTPUT, SINGLE, UPRIGHT_OUTPUT, counts
from companion.vision.dice.nets import DESCRIPTORS, LOGITS, STANDS
from companion.vision.readings import Image
from workshop.training.disturb import astray, recolour, worsen
from workshop.training.loop import AT_ONCE, Batch, answers, beats, train
from workshop.training.nets import Described, MarkNet, write_onnx
from workshop.training.schedule import Recipe
from workshop.training.store import Flat, Scenes

WANTED: Final = 4 + len(SINGLE)
"""Values wanted for a patch: upright or not, readable or not, whether the counts are known, pips, single marks."""

UPRIGHT_SHARE: Final = 0.65
"""Share of readable patches that are shown upright; only these teach the marks."""

LOW_RISE: Final = 7.0
"""The net does not see faces that are lower in the picture, in pixels."""

WHOLE_PICTURE: Final = 240
"""Smaller pictures hold a single face and nothing around it; pixels of the shorter side."""

ILLEGIBLE: Final = 0.15
"""Share of the faces illegible to a person that is shown: they teach doubt and little else."""

SPOILT: Final = 0.06
"""Share of faces that are spoilt beyond reading, to teach what "not to be read" looks like."""

SURE: Final = 0.97
"""In reports, the net counts as sure of a face's marks from this probability on."""

MANY: Final = 5
"""Faces with this many letters or more count as faces with many letters."""

Sample = tuple[Image, npt.NDArray[np.int64]]


def train_faces(
    load: Callable[[], Scenes], check: Scenes, recipe: Recipe, target: Path, *, state: Path, begin: Path | None = None
) -> dict[str, float]:
    """Train, and return losses and the shares of the validation faces read right.

    The net is written to ``target`` as ONNX if it is better than the weights there: ``kept`` is then 1. ``load`` is
    called for the scenes again and again, because more may have been drawn. ``state``, ``begin``: see `loop.train`.
    """
    net = MarkNet()
    shown, wanted = _all_upright(check)

    def measure(trained: nn.Module) -> dict[str, float]:
        given = answers(trained, shown)
        return {"check_loss": mark_loss(given, (wanted,)).item(), **_right(given, wanted)}

    def make(rng: np.random.Generator) -> Iterator[Batch]:
        return _batches(load, recipe.batch, rng)

    report = train("faces", net, make, mark_loss, recipe, state=state, begin=begin, check=measure)
    kept = beats(report, MarkNet(), target, shown[:AT_ONCE], measure)
    if kept:
        sample = torch.zeros(2, 3, PATCH_PIXELS, PATCH_PIXELS)
        net.to("cpu", memory_format=torch.contiguous_format)
        write_onnx(Described(net), target, sample, ("patches", LOGITS, DESCRIPTORS, STANDS), {0: "n"})
    return report | {"kept": float(kept)}


def mark_loss(answers: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return the cross-entropy of the faces: rotation, readability, and the counts where they are known."""
    wanted = given[0]
    upright, readable, known = wanted[:, 0], wanted[:, 1], wanted[:, 2].bool()
    loss = nn.functional.binary_cross_entropy_with_logits(answers[:, READABLE_OUTPUT], readable.float())
    turned = readable.bool()
    if turned.any():
        loss = loss + nn.functional.binary_cross_entropy_with_logits(
            answers[turned, UPRIGHT_OUTPUT], upright[turned].float()
        )
    if known.any():
        rest = answers[known][:, 2:]
        loss = loss + nn.functional.cross_entropy(rest[:, : MOST_PIPS + 1], wanted[known, 3])
        singles = rest[:, MOST_PIPS + 1 :].reshape(-1, MOST_COUNTED + 1)
        # summed over the marks of a face, as the reader sums them
        loss = loss + nn.functional.cross_entropy(singles, wanted[known, 4:].reshape(-1)) * len(SINGLE)
    return loss


def _right(answers: Tensor, wanted: Tensor) -> dict[str, float]:
    """Return the share of faces read right, in all and for those with few and with many letters, and of sure errors."""
    rest = answers[:, 2:]
    pips = rest[:, : MOST_PIPS + 1].log_softmax(1).max(1)
    singles = rest[:, MOST_PIPS + 1 :].reshape(len(rest), len(SINGLE), MOST_COUNTED + 1).log_softmax(2).max(2)
    right = (pips.indices == wanted[:, 3]) & (singles.indices == wanted[:, 4:]).all(1)
    sure = pips.values + singles.values.sum(1) > np.log(SURE)
    letters = wanted[:, 4:].sum(1)
    groups = {"bags": wanted[:, 0] >= 0, "pips": wanted[:, 3] > 0, "few": (letters > 0) & (letters < MANY)}
    groups["many"] = letters >= MANY
    shares = {f"{name}_right": float(right[rows].float().mean()) for name, rows in groups.items() if rows.any()}
    return shares | {"sure": float(sure.float().mean()), "sure_errors": float((sure & ~right).float().mean())}


def _all_upright(scenes: Scenes) -> tuple[Tensor, Tensor]:
    """Return every legible face of the scenes upright and straight, and the values wanted for it."""
    patches, wanted = [], []
    for number in range(len(scenes)):
        picture, truth = scenes.picture(number), scenes.truths[number]
        for flat, places in _flats(truth.faces, [sides for _, _, sides in truth.tetrahedra]):
            if flat.legible and flat.seen > 0.9 and _rise(flat.corners) > LOW_RISE:
                patches.append(cut_flat(picture, flat.corners, places))
                wanted.append(_wanted(flat, upright=True))
    return torch.from_numpy(patch_input(np.stack(patches))), torch.from_numpy(np.stack(wanted))


def _batches(load: Callable[[], Scenes], size: int, rng: np.random.Generator) -> Iterator[Batch]:
    pool: list[Sample] = []
    while True:
        scenes = load()
        for number in rng.permutation(len(scenes)):
            pool += _samples(scenes, int(number), rng)
            while len(pool) >= 4 * size:  # faces of one scene should not be in one batch
                chosen = set(rng.choice(len(pool), size, replace=False).tolist())
                taken = [pool[i] for i in chosen]
                pool = [one for i, one in enumerate(pool) if i not in chosen]
                patches = torch.from_numpy(patch_input(np.stack([patch for patch, _ in taken])))
                yield patches, torch.from_numpy(np.stack([wanted for _, wanted in taken]))


def _samples(scenes: Scenes, number: int, rng: np.random.Generator) -> list[Sample]:
    picture, truth = scenes.picture(number), scenes.truths[number]
    samples: list[Sample] = []
    flats = _flats(truth.faces, [sides for _, _, sides in truth.tetrahedra])
    # of pictures with very many faces, only some are used
    for i in rng.permutation(len(flats))[:14]:
        flat, places = flats[i]
        if _rise(flat.corners) < LOW_RISE:
            continue
        much = float(rng.choice([0.4, 1.0, 1.6], p=[0.4, 0.4, 0.2])) * (0.7 if len(flat.corners) == 3 else 1.0)
        corners = astray(flat.corners, rng, much)
        if flat.seen < 0.5:
            samples.append((_shown(cut_flat(picture, corners, places), rng), _nothing()))
        elif flat.seen > 0.85 and (flat.legible or rng.random() < ILLEGIBLE):
            upright = rng.random() < UPRIGHT_SHARE
            turn = 0 if upright else int(rng.integers(1, len(corners)))
            patch = cut_flat(picture, np.roll(corners, -turn, axis=0), places)
            if rng.random() < SPOILT:
                samples.append((_shown(_spoil(patch, rng), rng), _nothing()))
            else:
                samples.append((_shown(worsen(patch, rng), rng), _wanted(flat, upright=upright)))
    if min(picture.shape[:2]) >= WHOLE_PICTURE and rng.random() < 0.35:
        samples += _elsewhere(picture, [flat.corners for flat, _ in flats], rng)
    return samples


def _flats(faces: tuple[Flat, ...], sides: list[tuple[Flat, ...]]) -> list[tuple[Flat, Points]]:
    """Return all faces, each with the points to which its corners move."""
    return [(face, PLACES[face.shape]) for face in (*faces, *(side for three in sides for side in three))]


def _shown(patch: Image, rng: np.random.Generator) -> Image:
    return recolour(patch, rng)


def _wanted(flat: Flat, *, upright: bool) -> npt.NDArray[np.int64]:
    return np.concatenate([[int(upright), 1, int(upright)], counts(flat.marks)])


def _nothing() -> npt.NDArray[np.int64]:
    return np.zeros(WANTED, np.int64)


def _rise(corners: Points) -> float:
    """Return a face's height in the picture, in pixels, across its longest edge."""
    longest = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).max()
    return float(abs(area(corners)) / max(longest, 1.0)) * (2 if len(corners) == 3 else 1)


def _elsewhere(picture: Image, faces: list[Points], rng: np.random.Generator) -> list[Sample]:
    """Return a place of the picture where no face lies."""
    edge = float(rng.choice([edge_length(face) for face in faces])) if faces else float(rng.uniform(25, 110))
    sides = int(rng.choice([3, 4, 4]))
    ring = rng.uniform(0, 2 * np.pi) - np.arange(sides)[::-1] * 2 * np.pi / sides
    middle = rng.random(2) * picture.shape[1::-1]
    if any(inside(middle, face) or np.linalg.norm(face.mean(axis=0) - middle) < 0.7 * edge for face in faces):
        return []
    corners = np.column_stack([np.cos(ring), np.sin(ring)]) * edge / (2 * np.sin(np.pi / sides)) + middle
    return [(_shown(cut_flat(picture, corners, TRIANGLE if sides == 3 else SQUARE), rng), _nothing())]


def _spoil(patch: Image, rng: np.random.Generator) -> Image:
    """Return a patch that must not be read: cut out half a face off, largely covered, or only a part of a face."""
    side = patch.shape[0]
    match int(rng.integers(3)):
        case 0:
            shift = rng.choice([-1, 1], 2) * rng.uniform(0.0, 0.7, 2) * side
            shift[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(0.45, 0.7) * side
            warp = np.hstack([np.eye(2), shift[:, None]])
            spoilt = cv2.warpAffine(patch, warp, (side, side), borderMode=cv2.BORDER_REFLECT)
        case 1:
            spoilt = patch.copy()
            edge, angle = rng.uniform(0.35, 0.65) * side, rng.uniform(0, 2 * np.pi)
            y, x = np.mgrid[0:side, 0:side] - (side - 1) / 2
            bend = rng.uniform(0, 5) * np.sin((x * np.sin(angle) - y * np.cos(angle)) * rng.uniform(0.02, 0.2))
            covered = x * np.cos(angle) + y * np.sin(angle) + bend > edge - side / 2
            shade = np.clip(rng.integers(0, 256, 3) + rng.normal(0, 4, (side, side, 1)), 0, 255)
            spoilt[covered] = shade[covered]
        case _:
            zoom = rng.uniform(2.4, 5.0)
            corner = rng.uniform(0, 1 - 1 / zoom, 2) * side
            warp = np.array([[zoom, 0, -zoom * corner[0]], [0, zoom, -zoom * corner[1]]])
            spoilt = cv2.warpAffine(patch, warp, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(spoilt, np.uint8)

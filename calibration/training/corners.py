"""Training of the corner net: dice of the scenes, cut out by corners that are wrong in a known way."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from calibration.training.disturb import astray, recolour
from calibration.training.loop import AT_ONCE, Batch, answers, beats, train
from calibration.training.nets import CornerNet, write_onnx
from calibration.training.schedule import Recipe
from calibration.training.store import Scenes
from companion.vision.dice.corners import (
    CHANCES,
    CLOSE,
    ERRORS,
    NEAR,
    OFFSETS,
    OUTPUTS,
    SOLID,
    SQUARE,
    START,
    kind_of,
    near,
    regular,
)
from companion.vision.dice.faces import patch_input
from companion.vision.dice.geometry import Points, clockwise, edge_length, inside, mapped, mapping
from companion.vision.readings import Image

CHANCE_WEIGHT = 0.3
"""The share in the loss of telling dice from other things."""

SEEN = 0.4
"""Faces of which less is seen are not shown."""

MOST_FACES = 4
"""So many upper faces of a picture are shown: some pictures hold forty."""

SOLID_TIMES = 2
"""So often each tetrahedron is shown from afar and from near, cut out anew: its apex is the hardest to find."""

LOCATED = 2.7
"""The locator leaves corners so many times as far off as this net does; often nearly right, at times far off."""

NEARLY = 0.5
"""What is looked at from near was corrected before, and is off by such a part of what the locator leaves."""

APEX_WEIGHT = 2.0
"""The apex's error counts so many times."""

ERROR_WEIGHT = 0.05
"""The share in the loss of knowing how far off its own corners are."""

LEAST_ERROR = 0.01
"""Smaller errors, in edges, are not told apart."""

FAR = ((0.2, 0.4), (0.7, 0.35), (1.4, 0.17), (2.2, 0.08))
"""How far off the corners are shown, in what the locator leaves, and how often."""

ANY_TURN = 0.12
"""So often an upper face is shown in any turn, as where the locator found its place but not its corners."""

NAMES = ("square", "solid", "triangle", "pentagon", "close")
"""What each kind is called in the report."""

Sample = tuple[Image, npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""A patch, the outputs that it should give, and which of them count."""


def train_corners(
    load: Callable[[], Scenes], check: Scenes, recipe: Recipe, target: Path, *, state: Path, begin: Path | None = None
) -> dict[str, float]:
    """Train, and return the loss and the corners' errors on validation dice.

    The net is written to ``target`` as ONNX if it is better than what lies there: ``kept`` is then 1. ``load`` is asked
    for the scenes again and again: more may have been drawn. ``state``, ``begin``: see `loop.train`.
    """
    net = CornerNet(OUTPUTS)
    shown, wanted, known = next(_batches(lambda: check, 1536, np.random.default_rng(6)))

    def measure(trained: nn.Module) -> dict[str, float]:
        given = answers(trained, shown)
        return {"check_loss": corner_loss(given, (wanted, known)).item(), **_errors(given, wanted, known)}

    def make(rng: np.random.Generator) -> Iterator[Batch]:
        return _batches(load, recipe.batch, rng)

    report = train("corners", net, make, corner_loss, recipe, state=state, begin=begin, check=measure)
    kept = beats(report, CornerNet(OUTPUTS), target, shown[:AT_ONCE], measure)
    if kept:
        sample = torch.zeros(2, 3, NEAR, NEAR)
        net.to("cpu", memory_format=torch.contiguous_format)
        write_onnx(net, target, sample, ("patches", "offsets"), {0: "n"})
    return report | {"kept": float(kept)}


def corner_loss(answers: Tensor, given: tuple[Tensor, ...]) -> Tensor:
    """Return how far the corners are off, with the surprise at whether it is a die at all."""
    wanted, known = given
    offsets = nn.functional.smooth_l1_loss(answers[:, :CHANCES], wanted[:, :CHANCES], beta=0.01, reduction="none")
    asked = slice(CHANCES, ERRORS)
    chances = nn.functional.binary_cross_entropy_with_logits(answers[:, asked], wanted[:, asked], reduction="none")
    off = (offsets * known[:, :CHANCES]).sum() / known[:, :CHANCES].sum().clamp(min=1)
    surprise = (chances * known[:, asked]).sum() / known[:, asked].sum().clamp(min=1)
    return 20 * off + CHANCE_WEIGHT * surprise + ERROR_WEIGHT * _misjudged(answers, wanted, known)


def _misjudged(answers: Tensor, wanted: Tensor, known: Tensor) -> Tensor:
    """Return by how much the net misjudges how far off its own corners are; that does not move the corners."""
    total = answers.new_zeros(())
    for kind, (worst, rows) in enumerate(_worst(answers.detach(), wanted, known)):
        if rows.any():
            total = total + (answers[rows, ERRORS + kind] - torch.log(worst + LEAST_ERROR)).abs().sum()
    return total / len(answers)


def _worst(answers: Tensor, wanted: Tensor, known: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """Return for each kind the largest error among a die's corners, in edges, and which rows are of that kind."""
    for kind, (places, start) in enumerate(zip(OFFSETS, START, strict=True)):
        rows = known[:, places.start] > 0
        edge = edge_length(start[:3] if kind in (SOLID, CLOSE) else start)
        off = (answers - wanted)[rows][:, places].reshape(int(rows.sum()), len(start), 2).norm(dim=2) / edge
        yield off.max(1).values, rows


def _errors(answers: Tensor, wanted: Tensor, known: Tensor) -> dict[str, float]:
    """Return the largest error among a die's corners, in edges of its base: median and 90 of 100, by kind.

    Also, of squares, how far the net's own estimate of it is off, as the median of a factor.
    """
    report = {}
    for kind, (worst, rows) in enumerate(_worst(answers, wanted, known)):
        if rows.any():
            report[f"{NAMES[kind]}_median"] = worst.median().item()
            report[f"{NAMES[kind]}_90"] = worst.quantile(0.9).item()
            if kind == SQUARE:
                factor = (answers[rows, ERRORS + kind] - torch.log(worst + LEAST_ERROR)).abs().median()
                report["square_misjudged"] = torch.exp(factor).item()
    return report


def _batches(load: Callable[[], Scenes], size: int, rng: np.random.Generator) -> Iterator[Batch]:
    pool: list[Sample] = []
    while True:
        scenes = load()
        for number in rng.permutation(len(scenes)):
            pool += _samples(scenes, int(number), rng)
            while len(pool) >= 2 * size:
                chosen = set(rng.choice(len(pool), size, replace=False).tolist())
                taken = [pool[i] for i in chosen]
                pool = [one for i, one in enumerate(pool) if i not in chosen]
                yield (
                    torch.from_numpy(patch_input(np.stack([patch for patch, _, _ in taken]))),
                    torch.from_numpy(np.stack([wanted for _, wanted, _ in taken])),
                    torch.from_numpy(np.stack([known for _, _, known in taken])),
                )


def _samples(scenes: Scenes, number: int, rng: np.random.Generator) -> list[Sample]:
    """Return some dice of a picture, and at times a thing that is none."""
    picture, truth = scenes.picture(number), scenes.truths[number]
    faces = [face.corners for face in truth.faces if face.seen > SEEN]
    solids = [(base, apex) for base, apex, _ in truth.tetrahedra]
    if rng.random() < 0.5:  # the net need not know letters, so a mirrored die is one more die
        picture = np.ascontiguousarray(picture[:, ::-1])
        faces = [_mirrored(face, picture) for face in faces]
        solids = [(_mirrored(base, picture), _mirrored(apex[None], picture)[0]) for base, apex in solids]
    samples = []
    for i in rng.permutation(len(faces))[:MOST_FACES]:
        true = np.roll(clockwise(faces[i]), int(rng.integers(len(faces[i]))), axis=0)
        samples.append(_sample(picture, true, None, kind_of(len(true)), rng))
    for base, apex in solids * SOLID_TIMES:
        true = np.roll(clockwise(base), int(rng.integers(3)), axis=0)
        samples.append(_sample(picture, true, apex, SOLID, rng))
        samples.append(_sample(picture, true, apex, CLOSE, rng))
    if rng.random() < 0.6:
        samples += _none(picture, faces, [base for base, _ in solids], rng)
    return samples


def _mirrored(corners: Points, picture: Image) -> Points:
    return np.column_stack([picture.shape[1] - 1 - corners[:, 0], corners[:, 1]])


def _sample(picture: Image, true: Points, apex: Points | None, kind: int, rng: np.random.Generator) -> Sample:
    much = LOCATED * float(rng.choice([far for far, _ in FAR], p=[share for _, share in FAR]))
    rough = astray(true, rng, much * NEARLY if kind == CLOSE else much)
    if apex is None and rng.random() < ANY_TURN:
        half = np.pi / len(true)
        rough = astray(regular(true, float(rng.uniform(-half, half))), rng, LOCATED * 0.5)
    places = true if apex is None else np.vstack([true, apex])
    offsets = mapped(mapping(rough, START[kind][: len(rough)]), places) - START[kind]
    wanted, known = np.zeros(OUTPUTS, np.float32), np.zeros(OUTPUTS, np.float32)
    wanted[OFFSETS[kind]] = np.clip(offsets, -0.6, 0.6).ravel()
    known[OFFSETS[kind]] = 1
    if kind in (SOLID, CLOSE):
        known[OFFSETS[kind].stop - 2 : OFFSETS[kind].stop] = APEX_WEIGHT
    if kind != CLOSE:
        wanted[CHANCES + kind] = known[CHANCES + kind] = 1
    return recolour(near(picture, rough, kind), rng), wanted, known


def _none(picture: Image, faces: list[Points], bases: list[Points], rng: np.random.Generator) -> list[Sample]:
    """Return for each kind a place that is no such die: perhaps one of another kind, or a die's side."""
    edge = float(np.exp(rng.uniform(np.log(20), np.log(110))))
    angle = rng.uniform(0, 2 * np.pi)
    known = [face.mean(axis=0) for face in (*faces, *bases)]
    place = rng.random(2) * picture.shape[1::-1]
    if known and rng.random() < 0.5:
        place = known[int(rng.integers(len(known)))] + rng.normal(0, 1.0, 2) * edge
    samples = []
    for kind, corners in enumerate((4, 3, 3, 5)):
        same = bases if kind == SOLID else [face for face in faces if kind_of(len(face)) == kind]
        if any(inside(place, one) or np.linalg.norm(one.mean(axis=0) - place) < 0.4 * edge_length(one) for one in same):
            continue
        turn = angle + np.arange(corners) * 2 * np.pi / corners
        rough = np.column_stack([np.cos(turn), np.sin(turn)]) * edge * 0.65 + place
        wanted, counted = np.zeros(OUTPUTS, np.float32), np.zeros(OUTPUTS, np.float32)
        counted[CHANCES + kind] = 1
        samples.append((recolour(near(picture, rough, kind), rng), wanted, counted))
    return [samples[i] for i in rng.permutation(len(samples))[:2]]

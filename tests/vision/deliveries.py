"""Throws before a camera whose pictures reach the program late, again and again, or not at all."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.readings import Frame, Image

from .stage import Stage, four_dice

LIE, ROLL = 1.5, 0.9  # seconds


@dataclass(frozen=True)
class Delivery:
    """How pictures come: the camera takes ``real`` a second, the program gets ``fps`` a second.

    A tick brings the newest picture that is at least ``late`` seconds old (up to twice that, at random), which may be
    the one of the tick before; ``dropped`` is the share of ticks that bring none.
    """

    fps: float
    real: float
    dropped: float = 0.0
    late: float = 0.0


@dataclass(frozen=True)
class Seen:
    """A delivered frame, and whether the dice were at rest in its picture; ``throw`` counts from 0."""

    frame: Frame
    at_rest: bool
    throw: int


def dice_at(
    time: float, ends: Sequence[list[tuple[float, float, float]]]
) -> tuple[list[tuple[float, float, float]], bool]:
    """Return where the dice are at a time, and whether they rest: each throw rolls in from the left, then lies."""
    number, within = divmod(time, LIE + ROLL)
    end = ends[min(int(number), len(ends) - 1)]
    left = 0.0 if within >= ROLL or number >= len(ends) else (1 - within / ROLL) ** 1.5
    return [(x - 330 * left, y + 14 * math.sin(9 * left), turn + 500 * left) for x, y, turn in end], left == 0.0


def delivered(how: Delivery, throws: int, seed: int) -> Iterator[Seen]:
    """Yield the frames of so many throws of four dice."""
    rng = np.random.default_rng(seed)
    stage = Stage(fps=how.fps, seed=seed)
    ends = [four_dice(float(rng.uniform(-60, 60))) for _ in range(throws)]
    ends = [[(x, y + float(rng.uniform(-30, 30)), float(rng.uniform(0, 90))) for x, y, _ in end] for end in ends]
    pictures: dict[int, tuple[Image, bool, int]] = {}
    number, oldest = 0, -1
    for tick in range(int(throws * (LIE + ROLL) * how.fps)):
        now = tick / how.fps
        taken = max(oldest, int((now - how.late * float(rng.uniform(1, 2))) * how.real), 0)  # no older one comes later
        if rng.random() < how.dropped:
            continue
        oldest = taken
        if taken not in pictures:
            stage.dice, rest = dice_at(taken / how.real, ends)
            pictures = {taken: (stage.picture(), rest, int(taken / how.real / (LIE + ROLL)))}
        image, rest, throw = pictures[taken]
        number += 1
        yield Seen(Frame(image, 100.0 + now, "stage", number, may_repeat=True), rest, throw)

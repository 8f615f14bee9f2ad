"""The whole training in one run: draw, train the three nets, choose when to ask, write the card."""

import logging
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.scenes.fonts import Font, find_fonts
from calibration.training import corners, faces, locator
from calibration.training.card import Card, read_recipe
from calibration.training.choose import choose
from calibration.training.draw import draw_scenes
from calibration.training.loop import Recipe
from calibration.training.singles import draw_singles
from calibration.training.store import Scenes, write_scenes
from companion.vision.dice.nets import CORNERS, FACES, LOCATOR, Settings, use_weights

log = logging.getLogger(__name__)

UNCHOSEN: Final = Settings(1.0, 0.99, 0.99, 0.99)
"""Stands in the card until thresholds are chosen."""

FONT_SHARE: Final = 0.12
"""The share of the training fonts' packages that is set aside: fonts the nets never saw choose the thresholds."""

TEACHES: Final = frozenset({"fonts-blankenburg"})
"""Packages that are never set aside: Fraktur, whose I is like nobody else's and looks to all others like an E."""

PARTS: Final = 2
"""Material is drawn in so many processes, each with its own seed: the parts are the same on any machine."""

CHECK_SHARE: Final = 0.04
"""So many scenes are drawn, with the fonts set aside, to watch the training by."""

SCENES: Final = "scenes"
SINGLES: Final = "singles"
CHECK: Final = "check"
"""The names of the drawn material: whole scenes, single faces, and scenes that only watch the training."""

Trainer = Callable[..., dict[str, float]]
NETS: Final[dict[str, tuple[Trainer, str, tuple[str, ...]]]] = {
    "locator": (locator.train_locator, LOCATOR, (SCENES,)),
    "corners": (corners.train_corners, CORNERS, (SCENES,)),
    "faces": (faces.train_faces, FACES, (SCENES, SINGLES)),
}
"""For each net how it is trained, its file, and the material that it is taught with."""


@dataclass(frozen=True)
class Plan:
    """What to train with and where it goes. ``nets``: the recipe of each net."""

    data: Path
    weights: Path
    scenes: int
    singles: int
    nets: dict[str, Recipe]
    further: bool = False
    """Begin with the weights that are there, not anew."""
    seed: int = 1
    validation_pictures: int = 900


def run(plan: Plan, steps: Sequence[str]) -> None:
    """Do the steps (draw, locator, corners, faces, choose), each on what the earlier ones left.

    Raises:
        NoFontsError: no training fonts are installed.
        NothingDrawnError: a step needs material that was not drawn.
    """
    teach, validate = split_fonts(plan.seed)
    recipe = read_recipe(plan.weights)
    if "draw" in steps:
        log.info("drawing with %d fonts; %d are kept for validation", len(teach), len(validate))
        with ProcessPoolExecutor(PARTS, multiprocessing.get_context("spawn")) as pool:
            list(pool.map(_draw_part, [plan] * PARTS, range(1, PARTS + 1)))
        recipe |= {"seed": plan.seed, "scenes": plan.scenes, "singles": plan.singles}
        recipe |= {"fonts": len(teach), "validation_fonts": len(validate)}
    for name in (step for step in steps if step in NETS):
        train, file, material = NETS[name]
        check = Scenes.load(plan.data, CHECK)
        scenes = Scenes.load(plan.data, *material)
        how = plan.nets[name]
        target = plan.weights / file
        result = train(
            lambda: scenes,  # noqa: B023
            check,
            how,
            target,
            state=plan.data / f"{name}.pt",
            begin=target if plan.further else None,
        )
        recipe |= {f"{name}_steps": how.steps, f"{name}_batch": how.batch, f"{name}_rate": how.rate}
        recipe |= {f"{name}_{key}": round(value, 4) for key, value in result.items()}
    if not all((plan.weights / file).is_file() for _, file, _ in NETS.values()):
        log.info("the card is written when all three nets are there")
        return
    Card(UNCHOSEN, recipe, {}).write(plan.weights)
    if "choose" in steps:
        use_weights(plan.weights)
        chosen, measured = choose(np.random.default_rng([plan.seed, 79]), validate, plan.validation_pictures)
        Card(chosen, recipe, measured).write(plan.weights)


def split_fonts(seed: int) -> tuple[tuple[Font, ...], tuple[Font, ...]]:
    """Return the training fonts as those that teach and those that validate; a package is not divided."""
    fonts = find_fonts("train")
    packages = sorted({font.package for font in fonts})
    order = np.random.default_rng(seed).permutation(len(packages))
    aside = {packages[i] for i in order[: max(1, round(FONT_SHARE * len(packages)))]} - TEACHES
    teach = tuple(font for font in fonts if font.package not in aside)
    return teach, tuple(font for font in fonts if font.package in aside)


def _draw_part(plan: Plan, part: int) -> None:
    """Draw one part of all material; runs in a process of its own."""
    cv2.setNumThreads(1)
    teach, validate = split_fonts(plan.seed)
    number, seed = plan.scenes // PARTS, 1000 * plan.seed + part
    write_scenes(draw_scenes(teach, number, seed), plan.data, f"{SCENES}-{part}")
    write_scenes(draw_scenes(validate, round(number * CHECK_SHARE), seed + 500), plan.data, f"{CHECK}-{part}")
    write_scenes(draw_singles(teach, plan.singles // PARTS, seed + 700), plan.data, f"{SINGLES}-{part}")

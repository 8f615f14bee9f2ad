"""The whole training in one run: draw, train the three nets, choose when to ask, write the card."""

import logging
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.scenes.fonts import Font, find_fonts
from calibration.training import corners, draw, faces, locator
from calibration.training.card import Card, read_recipe
from calibration.training.choose import choose
from calibration.training.store import LabelledPatches, LabelledScenes
from companion.rules.dice import dice_set
from companion.vision.dice.faces import Texts
from companion.vision.dice.nets import CORNERS, FACES, LOCATOR, Settings, use_weights

log = logging.getLogger(__name__)

UNCHOSEN: Final = Settings(1.0, 0.99, 0.99)
"""Stands in the card until thresholds are chosen."""

FONT_SHARE: Final = 0.12
"""The share of the training fonts' packages that is set aside: fonts the nets never saw choose the thresholds."""

PARTS: Final = 2
"""Material is drawn in so many processes, each with its own seed: the parts are the same on any machine."""


@dataclass(frozen=True)
class Plan:
    """What to train with and where it goes."""

    data: Path
    weights: Path
    scenes: int = 2400
    patches: int = 112000
    locator_minutes: float = 28.0
    corner_minutes: float = 9.0
    face_minutes: float = 22.0
    seed: int = 1
    validation_scenes: int = 300
    threads: int = 2


def run(plan: Plan, steps: Sequence[str]) -> None:
    """Do the steps (draw, locator, corners, faces, choose), each on what the earlier ones left.

    Raises:
        NoFontsError: no training fonts are installed.
        NothingDrawnError: a step needs material that was not drawn.
    """
    texts = Texts.of(dice_set("wibold"))
    teach, validate = split_fonts(plan.seed)
    recipe = read_recipe(plan.weights)
    if "draw" in steps:
        log.info("drawing with %d fonts; %d are kept for validation", len(teach), len(validate))
        with ProcessPoolExecutor(PARTS, multiprocessing.get_context("spawn")) as pool:
            list(pool.map(_draw_part, [plan] * PARTS, range(1, PARTS + 1)))
    if "locator" in steps:
        scenes = LabelledScenes.load_all(plan.data, "scenes")
        how = locator.Recipe(plan.locator_minutes, threads=plan.threads, seed=plan.seed + 10)
        result = locator.train_locator(scenes, how, plan.weights / LOCATOR, plan.data / "locator.pt")
        recipe |= {"locator_scenes": len(scenes.outlines), "locator_minutes": plan.locator_minutes}
        recipe |= {f"locator_{key}": round(value, 4) for key, value in result.items()}
    if "corners" in steps:
        scenes = LabelledScenes.load_all(plan.data, "scenes")
        how_corners = corners.Recipe(plan.corner_minutes, threads=plan.threads, seed=plan.seed + 12)
        result = corners.train_corners(scenes, how_corners, plan.weights / CORNERS, state=plan.data / "corners.pt")
        recipe |= {"corners_minutes": plan.corner_minutes}
        recipe |= {f"corners_{key}": round(value, 4) for key, value in result.items()}
    if "faces" in steps:
        training = LabelledPatches.load_all(plan.data, "faces").join(LabelledPatches.load_all(plan.data, "scene-faces"))
        check = LabelledPatches.load_all(plan.data, "check-faces")
        how_faces = faces.Recipe(plan.face_minutes, threads=plan.threads, seed=plan.seed + 20)
        result = faces.train_faces(
            training, check, texts, how_faces, plan.weights / FACES, state=plan.data / "faces.pt"
        )
        recipe |= {"faces_drawn": len(training.classes), "faces_minutes": plan.face_minutes}
        recipe |= {f"faces_{key}": round(value, 4) for key, value in result.items()}
    recipe |= {"seed": plan.seed, "fonts": len(teach), "validation_fonts": len(validate)}
    if not all((plan.weights / name).is_file() for name in (LOCATOR, CORNERS, FACES)):
        log.info("the card is written when all three nets are there")
        return
    Card(UNCHOSEN, recipe, {}).write(plan.weights)
    if "choose" in steps:
        use_weights(plan.weights)
        chosen, measured = _choose(plan, validate)
        Card(chosen, recipe, measured).write(plan.weights)


def split_fonts(seed: int) -> tuple[tuple[Font, ...], tuple[Font, ...]]:
    """Return the training fonts as those that teach and those that validate; a package is not divided."""
    fonts = find_fonts("train")
    packages = sorted({font.package for font in fonts})
    order = np.random.default_rng(seed).permutation(len(packages))
    aside = {packages[i] for i in order[: max(1, round(FONT_SHARE * len(packages)))]}
    teach = tuple(font for font in fonts if font.package not in aside)
    return teach, tuple(font for font in fonts if font.package in aside)


def _draw_part(plan: Plan, part: int) -> None:
    """Draw one part of all material; runs in a process of its own."""
    cv2.setNumThreads(1)
    texts = Texts.of(dice_set("wibold"))
    teach, validate = split_fonts(plan.seed)
    seed = 1000 * plan.seed + part
    drawn = draw.draw_scenes(teach, plan.scenes // PARTS, seed, texts)
    drawn.scenes.save(plan.data / f"scenes-{part}.npy")
    drawn.faces.save(plan.data / f"scene-faces-{part}.npy")
    draw.draw_patches(teach, plan.patches // PARTS, seed, texts).save(plan.data / f"faces-{part}.npy")
    check = draw.draw_patches(validate, max(100, plan.patches // 40), seed + 500, texts)
    check.save(plan.data / f"check-faces-{part}.npy")


def _choose(plan: Plan, fonts: Sequence[Font]) -> tuple[Settings, dict[str, Any]]:
    """Choose temperature and thresholds on fresh scenes in the fonts that were set aside."""
    rng = np.random.default_rng([plan.seed, 79])
    pictures = [draw.draw_picture(rng, fonts, kinds=draw.IN_USE) for _ in range(plan.validation_scenes)]
    chosen, judged = choose([(one.image, one.labels) for one in pictures])
    measured: dict[str, Any] = {"validation_scenes": plan.validation_scenes}
    least = {"cubes": chosen.cube_read_above, "tetrahedra": chosen.tetrahedron_read_above}
    for name, bound in least.items():
        dice = [one for one in judged if one.tetrahedron == (name == "tetrahedra")]
        measured[f"validation_{name}"] = plan.validation_scenes * (3 if name == "cubes" else 1)
        measured[f"validation_{name}_right"] = sum(one.right and one.confidence >= bound for one in dice)
        measured[f"validation_{name}_silent"] = sum(not one.right and one.confidence >= bound for one in dice)
    log.info("chosen: %s; %s", chosen, measured)
    return chosen, measured

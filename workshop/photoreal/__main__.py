"""Path trace random scenes with their labels.

``python -m workshop.photoreal FOLDER -n 150 --blender PYTHON``.

``PYTHON`` is an interpreter with Blender's package (``pip install bpy==5.0.1``, Python 3.11). Pictures already in the
folder stay, so an interrupted run continues where it stopped. The labels are those of the drawn scene; a die whose
marks do not stand out in the path-traced picture is not legible.
"""

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from companion.vision.boards.layout import RITHMOMACHIA, TABLES
from companion.vision.images import load_image
from workshop.board_scenes.scene import BoardScene, random_board_scene
from workshop.photoreal.boards import describe_board
from workshop.photoreal.describe import Plain, as_plain, describe
from workshop.photoreal.tracing import keep, trace
from workshop.scenes.fonts import Font, find_fonts
from workshop.scenes.scene import TRAY, WIDE, NoRoomError, Ranges, Scene, random_scene

SIZE: Final = (960, 720)
EDGE: Final = (70, 180)
"""Pixels of the picture and of a cube's edge: each pixel costs time, so the dice fill the picture."""

BARE: Final = {"things": 0.0, "tray": 0.0, "hand": 0.0, "moving": 0.0}
LENS: Final = (20.0, 60.0)
"""Degrees across the picture, where the lens of the ranges is too wide."""

KINDS: Final[dict[str, tuple[str, Ranges, float]]] = {
    "tray": ("wibold", replace(TRAY, size=SIZE, edge=EDGE, **BARE), 0.26),  # type: ignore[arg-type]
    "oblique": ("wibold", replace(WIDE, size=SIZE, edge=EDGE, field_of_view=LENS, tilt=(36, 50), **BARE), 0.26),  # type: ignore[arg-type]
    "ludix": ("ludix", replace(WIDE, size=SIZE, edge=EDGE, field_of_view=LENS, **BARE), 0.2),  # type: ignore[arg-type]
    "pips": ("pips", replace(WIDE, size=SIZE, edge=EDGE, field_of_view=LENS, **BARE), 0.2),  # type: ignore[arg-type]
}
"""For each kind of picture of dice: its dice, its camera and its share."""

BOARDS: Final = {TABLES: ((960, 720), 0.04), RITHMOMACHIA: ((1200, 900), 0.04)}
"""For each kind of board: the picture's width and height, and its share."""

AT_ONCE: Final = 4
"""Pictures for which Blender starts once, and which an interrupted run loses at most."""


def scenes(number: int, seed: int) -> Iterator[tuple[str, Scene | BoardScene, np.random.Generator]]:
    """Yield ``number`` scenes with the held-out fonts, each with its kind and its own random generator."""
    fonts = find_fonts("held-out")
    shares = {name: share for name, (_, _, share) in KINDS.items()} | {name: one[1] for name, one in BOARDS.items()}
    given = attempt = 0
    while given < number:
        rng = np.random.default_rng([seed, attempt])
        attempt += 1
        kind = str(rng.choice(list(shares), p=list(shares.values())))
        try:
            scene = _scene(kind, rng, fonts)
        except NoRoomError:
            continue
        given += 1
        yield kind, scene, rng


def _scene(kind: str, rng: np.random.Generator, fonts: tuple[Font, ...]) -> Scene | BoardScene:
    if kind in BOARDS:
        return random_board_scene(rng, kind, fonts, size=BOARDS[kind][0], hand=0.0)
    dice, ranges, _ = KINDS[kind]
    return random_scene(rng, fonts, ranges=ranges, set_name=dice)


def _job(scene: Scene | BoardScene, textures: Path, rng: np.random.Generator, traced: Path, samples: int) -> Plain:
    described = (
        describe_board(scene, textures, rng) if isinstance(scene, BoardScene) else describe(scene, textures, rng)
    )
    return as_plain(described, traced.resolve(), textures, samples)


def main() -> None:
    """Describe, path trace, and label."""
    parser = argparse.ArgumentParser(prog="python -m workshop.photoreal", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-n", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="leave out the pictures before this one")
    parser.add_argument("--samples", type=int, default=4, help="for each pixel, before noise is taken out")
    parser.add_argument("--threads", type=int, default=0, help="of Blender; 0: as many as the machine has")
    parser.add_argument("--blender", required=True, help="a Python interpreter that has bpy")
    given = parser.parse_args()
    drawn = islice(enumerate(scenes(given.n, given.seed)), given.first, None)
    traced = given.folder / "traced"
    traced.mkdir(parents=True, exist_ok=True)
    while batch := [one for _, one in zip(range(AT_ONCE), drawn, strict=False)]:
        named = [(f"{kind}_{number:04d}", kind, scene, rng) for number, (kind, scene, rng) in batch]
        with tempfile.TemporaryDirectory() as work:
            jobs = [
                _job(scene, Path(work) / name, rng, traced / f"{name}.png", given.samples)
                for name, _, scene, rng in named
                if not (traced / f"{name}.png").is_file()
            ]
            if jobs:
                trace(jobs, given.blender, threads=given.threads)
        for name, kind, scene, _ in named:
            keep(given.folder / kind, name, scene, load_image(traced / f"{name}.png"))


if __name__ == "__main__":
    main()

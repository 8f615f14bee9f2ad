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
from pathlib import Path
from typing import Final

import numpy as np

from companion.vision.images import load_image
from workshop.photoreal.describe import as_plain, describe
from workshop.photoreal.tracing import keep, trace
from workshop.scenes.fonts import find_fonts
from workshop.scenes.scene import TRAY, WIDE, NoRoomError, Ranges, Scene, random_scene

SIZE: Final = (960, 720)
EDGE: Final = (70, 180)
"""Pixels of the picture and of a cube's edge: each pixel costs time, so the dice fill the picture."""

BARE: Final = {"things": 0.0, "tray": 0.0, "hand": 0.0, "moving": 0.0}
KINDS: Final[dict[str, tuple[str, Ranges, float]]] = {
    "tray": ("wibold", replace(TRAY, size=SIZE, edge=EDGE, **BARE), 0.4),  # type: ignore[arg-type]
    "wide": ("wibold", replace(WIDE, size=SIZE, edge=EDGE, **BARE), 0.2),  # type: ignore[arg-type]
    "ludix": ("ludix", replace(WIDE, size=SIZE, edge=EDGE, field_of_view=(20, 60), **BARE), 0.2),  # type: ignore[arg-type]
    "pips": ("pips", replace(WIDE, size=SIZE, edge=EDGE, field_of_view=(20, 60), **BARE), 0.2),  # type: ignore[arg-type]
}
"""For each kind of picture: its dice, its camera and its share."""


def scenes(number: int, seed: int) -> Iterator[tuple[str, Scene, np.random.Generator]]:
    """Yield ``number`` scenes with the held-out fonts, each with its kind and its own random generator."""
    fonts = find_fonts("held-out")
    names = list(KINDS)
    given = attempt = 0
    while given < number:
        rng = np.random.default_rng([seed, attempt])
        attempt += 1
        kind = names[int(rng.choice(len(names), p=[KINDS[name][2] for name in names]))]
        dice, ranges, _ = KINDS[kind]
        try:
            scene = random_scene(rng, fonts, ranges=ranges, set_name=dice)
        except NoRoomError:
            continue
        given += 1
        yield kind, scene, rng


def main() -> None:
    """Describe, path trace, and label."""
    parser = argparse.ArgumentParser(prog="python -m workshop.photoreal", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-n", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=4, help="for each pixel, before noise is taken out")
    parser.add_argument("--blender", required=True, help="a Python interpreter that has bpy")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        drawn, jobs = [], []
        for number, (kind, scene, rng) in enumerate(scenes(given.n, given.seed)):
            name = f"{kind}_{number:04d}"
            traced = given.folder / "traced" / f"{name}.png"
            traced.parent.mkdir(parents=True, exist_ok=True)
            textures = Path(work) / name
            jobs.append(as_plain(describe(scene, textures, rng), traced.resolve(), textures, given.samples))
            drawn.append((name, kind, scene, traced))
        trace(jobs, given.blender)
    for name, kind, scene, traced in drawn:
        keep(given.folder / kind, name, scene, load_image(traced))


if __name__ == "__main__":
    main()

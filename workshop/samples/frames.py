"""Single labelled frames: a varied set of what a camera may see, and any number of frames for measuring a reader."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from workshop.samples.writing import FrameFolder
from workshop.scenes.fonts import Font, find_fonts
from workshop.scenes.render import Rendered, render
from workshop.scenes.scene import HARD, RANGES, USUAL, WIDE, Ranges, Scene, random_scene
from workshop.scenes.things import random_hand

_NEAR = replace(
    USUAL, edge=(110, 190), field_of_view=(17, 28), tilt=(0, 8), things=0.25, hand=0, moving=0, quality=(76, 84)
)

# what each frame of the varied set shows, in order
VARIED: tuple[tuple[str, Ranges], ...] = (
    *((("plain", replace(_NEAR, touching=0.0)),) * 5),
    *((("touching", replace(_NEAR, touching=1.0)),) * 5),
    *((("things", replace(_NEAR, things=0.9)),) * 3),
    *((("oblique", replace(WIDE, tilt=(25, 45), quality=(76, 84), hand=0, moving=0)),) * 3),
    *((("small", replace(HARD, edge=(50, 70), tilt=(0, 8), quality=(76, 84), hand=0, moving=0)),) * 2),
    *((("moving", replace(_NEAR, moving=1.0)),) * 2),
    ("hand", _NEAR),
    ("hand", _NEAR),
    ("empty", replace(_NEAR, things=0.8)),
    ("empty", _NEAR),
    ("unreadable", _NEAR),
    ("unreadable", _NEAR),
)


def make_varied(seed: int, out: Path) -> dict[str, Any]:
    """Write the varied set into a folder. Return a summary."""
    fonts = find_fonts(bundled=True)
    folder = FrameFolder(out)
    for number, (kind, ranges) in enumerate(VARIED):
        rng = np.random.default_rng([seed, number])
        scene, rendered = _frame(rng, fonts, kind, ranges)
        folder.add(f"{number:02d}_{kind}.jpg", rendered, phase=_phase(kind), throw=0, conditions=conditions(scene))
    folder.close()
    return folder.summary()


def _phase(kind: str) -> str:
    return kind if kind in ("moving", "hand", "empty") else "still"


def _frame(rng: np.random.Generator, fonts: Sequence[Font], kind: str, ranges: Ranges) -> tuple[Scene, Rendered]:
    """Return a frame of this kind; if its dice lie still and open, a person can read all of them."""
    while True:
        scene = random_scene(rng, fonts, ranges=ranges)
        if ranges.things > 0.5 and not any(thing.kind != "fibre" for thing in scene.things):
            continue
        if kind == "empty":
            scene = replace(scene, dice=())
        elif kind == "hand":
            scene = replace(scene, hand=random_hand(rng, reach=(0.4, 0.8)))
        elif kind == "unreadable":
            scene = replace(scene, dice=tuple(replace(die, spoiled=not die.body.is_cube) for die in scene.dice))
        rendered = render(scene)
        if kind not in ("plain", "touching", "things") or all(label.legible for label in rendered.labels):
            return scene, rendered


def conditions(scene: Scene) -> dict[str, Any]:
    """Return the conditions by which a measurement may sort frames."""
    first = scene.dice[0].body.style if scene.dice else None
    return {
        "font": first.font.name if first and first.font else None,
        "font_style": first.font.style if first and first.font else None,
        "font_role": first.font.role if first and first.font else None,
        "material": first.material.substance if first else None,
        "technique": first.marking.technique if first else None,
        "table": scene.ground.kind,
        "tilt": round(scene.camera.tilt, 1),
        "things": [thing.kind for thing in scene.things],
    }


def make_scenes(
    out: Path, *, count: int, seed: int, fonts: Sequence[Font], set_name: str = "wibold", view: str = "tray"
) -> dict[str, Any]:
    """Write ``count`` random labelled frames for measuring, each from its own seed. Return a summary."""
    folder = FrameFolder(out)
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        scene = random_scene(rng, fonts, ranges=RANGES[view], set_name=set_name)
        folder.add(
            f"{set_name}_{number:04d}.jpg", render(scene), phase="still", throw=number, conditions=conditions(scene)
        )
    folder.close()
    return {**folder.summary(), "set": set_name, "view": view, "seed": seed}

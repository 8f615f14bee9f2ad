"""Path trace random scenes with their labels.

``python -m calibration.workshop.photoreal FOLDER -n 150 --blender PYTHON``.

``PYTHON`` is an interpreter with Blender's package (``pip install bpy==5.0.1``, Python 3.11). Pictures already in the
folder stay, so an interrupted run continues where it stopped. The labels are those of the drawn scene; a die whose
marks do not stand out in the path-traced picture is not legible.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.workshop.photoreal.describe import as_plain, describe
from calibration.workshop.scenes.fonts import find_fonts
from calibration.workshop.scenes.labels import READABLE_CONTRAST, DieLabel, contrast
from calibration.workshop.scenes.render import render
from calibration.workshop.scenes.scene import TRAY, WIDE, NoRoomError, Ranges, Scene, random_scene
from companion.vision.images import load_image

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

BLENDER: Final = Path(__file__).with_name("blender.py")


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
    parser = argparse.ArgumentParser(prog="python -m calibration.workshop.photoreal", description=__doc__)
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
        listed = Path(work) / "jobs.jsonl"
        listed.write_text("".join(json.dumps(job) + "\n" for job in jobs), encoding="utf-8")
        command = [given.blender, str(BLENDER), str(listed)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (the caller's own interpreter)
    for name, kind, scene, traced in drawn:
        _keep(given.folder / kind, name, scene, load_image(traced))


def _keep(folder: Path, name: str, scene: Scene, traced: npt.NDArray[np.uint8]) -> None:
    """Write the picture as a camera delivers it, and its line of the label file."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(scene.grain_seed)
    noisy = traced + rng.normal(0, scene.lens.noise * 0.6, traced.shape)
    width = max(0.3, 0.6 * scene.lens.softness)
    soft = np.asarray(cv2.GaussianBlur(np.clip(noisy, 0, 255).astype(np.uint8), (0, 0), width), np.uint8)
    cv2.imwrite(str(folder / f"{name}.jpg"), soft, [cv2.IMWRITE_JPEG_QUALITY, scene.lens.quality])
    labels = [replace(one, legible=one.legible and _stands_out(one, soft)) for one in render(scene).labels]
    line = {"image": f"{name}.jpg", "width": soft.shape[1], "height": soft.shape[0], "complete": True}
    place = folder / "labels.jsonl"
    known = place.read_text("utf-8").splitlines() if place.is_file() else []
    told = [row for row in known if json.loads(row)["image"] != line["image"]]
    told.append(json.dumps(line | {"objects": [one.to_json() for one in labels]}))
    place.write_text("\n".join(told) + "\n", encoding="utf-8")


def _stands_out(label: DieLabel, image: npt.NDArray[np.uint8]) -> bool:
    faces = [side.corners for side in label.sides] if label.apex is not None else [label.corners]
    return all(contrast(image, np.array(corners)) >= READABLE_CONTRAST for corners in faces)


if __name__ == "__main__":
    main()

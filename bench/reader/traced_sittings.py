"""Path-traced sittings: how many dice are asked about while a table remembers, in pictures that Blender made.

``python -m bench.reader.traced_sittings FOLDER -n 40 --seed 1 --blender PYTHON`` traces what the folder lacks and plays
it; without ``--blender`` it plays what is there. Owners, dice and camera are those of `bench.reader.sittings`, with
held-out fonts. Light, materials and grounds are Blender's own; they stay the same through a sitting, but for a little
drift.
"""

import argparse
import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from bench.reader.sittings import RANGES, Owner, Sitting, sitting
from bench.reader.table_memory import Counts, became, report
from bench.scoring.sitting import BLOCK, answers
from companion.rules.dice import dice_set
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from workshop.photoreal.describe import as_plain, describe
from workshop.photoreal.tracing import keep, trace
from workshop.scenes.fonts import find_fonts

OWNERS: Final[tuple[Owner, ...]] = ("hand", "carved", "worn", "blackletter", "small", "usual", "ludix", "pips")
SMALLER: Final = replace(RANGES, size=(960, 720))
"""Each pixel costs time: dice of the same size fill a smaller picture."""

SAMPLES: Final = 4
"""For each pixel, before noise is taken out."""


def main() -> None:
    """Trace what is missing, play each sitting, and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-n", type=int, default=40, help="throws of each owner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--owners", choices=OWNERS, nargs="+", default=OWNERS)
    parser.add_argument("--blender", help="a Python interpreter that has bpy")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    counts: Counts = Counts()
    for owner in given.owners:
        folder = given.folder / owner
        if given.blender:
            draw(folder, sitting(owner, given.seed, find_fonts("held-out"), SMALLER), given.n, given.blender)
        counts.update(played(folder, owner, given.n))
    figures = {"n": given.n, "seed": given.seed, "owners": given.owners, "load": os.getloadavg()[0]}
    print(json.dumps(figures | {"kinds": report(counts, given.n)}))


def draw(folder: Path, made: Sitting, throws: int, blender: str) -> None:
    """Path trace the throws of a sitting into a folder, with labels in the throws' order."""
    scenes = [made.scene(number) for number in range(throws)]
    traced = [(folder / "traced" / f"throw_{number:04d}.png").resolve() for number in range(throws)]
    with tempfile.TemporaryDirectory() as work:
        jobs = []
        for number, (scene, picture) in enumerate(zip(scenes, traced, strict=True)):
            drift = np.random.default_rng([2034, *made.seed, number])
            textures = Path(work) / f"{number}"
            # One generator state for all throws: ground, lamps and sky stay; things and tray would move with the dice.
            figures = describe(scene, textures, np.random.default_rng([2033, *made.seed]))
            figures |= {"things": [], "tray": None, "seed": int(drift.integers(2**31))}
            figures["exposure"] += float(drift.normal(0, 0.04))
            jobs.append(as_plain(figures, picture, textures, SAMPLES))
        folder.joinpath("traced").mkdir(parents=True, exist_ok=True)
        trace(jobs, blender)
    for number, (scene, picture) in enumerate(zip(scenes, traced, strict=True)):
        keep(folder, f"throw_{number:04d}", scene, load_image(picture))


def played(folder: Path, owner: Owner, throws: int) -> Counts:
    """Play a folder's throws as at a table that remembers, and count what became of the dice."""
    lines = folder.joinpath("labels.jsonl").read_text(encoding="utf-8").splitlines()
    labels: list[dict[str, Any]] = sorted(map(json.loads, lines), key=lambda line: str(line["image"]))[:throws]
    name = "wibold" if owner not in ("ludix", "pips") else owner
    tetrahedra = {die.name for die in dice_set(name).dice if die.shape == "tetrahedron"}
    reader = DiceReader(name, memory=TableMemory())
    counts: Counts = Counts()
    for number, label in enumerate(labels):
        reading = reader.read(load_image(folder / label["image"]))
        reader.learn(answers(label, reading), label["image"])
        counts.update(became(label, reading, tetrahedra, owner, number // BLOCK))
    return counts


if __name__ == "__main__":
    main()

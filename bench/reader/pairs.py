"""Pairs of similar marks, in fonts never trained on, in all turns: how often one is read as the other.

For each pair there is a set of dice that bear only these two marks: alone on a face (the hard case, for nothing else
says which way is up), and beside another mark. Each drawn face is cut out at its true corners, disturbed, in all four
turns, and given to the face reader; the whole pictures are read, too.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np

from bench.reader import pictures
from bench.scoring import rate
from companion.rules.dice import DiceSet, load_dice_set
from companion.vision.dice.faces import FaceReader
from companion.vision.dice.geometry import SQUARE, cut_flat, edge_length
from companion.vision.dice.nets import settings
from companion.vision.images import load_image
from companion.vision.readings import readable
from workshop.samples.frames import conditions
from workshop.scenes import USUAL, random_bodies, random_scene, render

PAIRS = ("NZ", "LV", "I1", "OQ", "O0", "UC", "EM", "EW", "69", "X+")
SURE = 0.99
"""A cut face counts as read if one text is at least this likely; otherwise it would be asked about."""

CORNER_ERROR = 0.02
"""The standard deviation of the error of a cut face's corners, in its edges."""

DICE = 4
PARTNERS = {"69": "4"}
"""The other mark on the face where the mark is not alone; ``R`` by default."""


@dataclass(frozen=True)
class Job:
    """One picture of dice of a pair."""

    folder: Path
    file: Path
    seed: int
    number: int


def set_file(pair: str, *, alone: bool) -> str:
    """Return the dice set of a pair as a file: cubes with one mark on three faces and the other on three."""
    texts = [mark if alone else PARTNERS.get(pair, "R") + mark for mark in pair]
    numerals = pair.isdigit()
    underlined = f"underlined = {json.dumps(texts)}\n" if numerals and alone else ""
    dice = "".join(
        f'[[dice]]\nname = "{number}"\nshape = "cube"\nfaces = {json.dumps(texts * 3)}\n'
        for number in range(1, DICE + 1)
    )
    return (
        f'title = "Only {pair[0]} and {pair[1]}"\nsource = "Made to measure by"\n'
        f'marks = "{"numerals" if numerals else "letters"}"\n{underlined}alike = true\n{dice}'
    )


def draw(job: Job) -> tuple[pictures.Label, list[tuple[str, list[list[float]]]]]:
    """Draw one picture; return its label, and for each die that a person can read the text and the face's corners."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([job.seed, job.number])
    dice = load_dice_set(job.file)
    bodies = random_bodies(rng, pictures.fonts(), dice, count=DICE)
    scene = random_scene(rng, pictures.fonts(), ranges=USUAL, bodies=bodies)
    drawn = render(scene)
    name = f"{job.number:05d}.jpg"
    (job.folder / name).write_bytes(drawn.jpeg)
    faces = [(one.face, [list(corner) for corner in one.corners]) for one in drawn.labels if one.legible]
    return drawn.to_json(name) | {"conditions": conditions(scene)}, faces


def cut_faces(
    folder: Path, drawn: Sequence[tuple[pictures.Label, list[tuple[str, list[list[float]]]]]], dice: DiceSet, seed: int
) -> dict[str, Any]:
    """Return the face reader's results for each face in all four turns."""
    rng = np.random.default_rng(seed)
    # a face reader is made for the set whose texts it distinguishes
    reader = cast("Any", FaceReader)(dice, settings().temperature)
    texts = [text for _, text in reader.texts.upper]
    counts = {"right": 0, "asked": 0, "confused": 0}
    turned = [0, 0, 0, 0]
    for label, faces in drawn:
        image = load_image(folder / label["image"])
        for truth, corners in faces:
            true = np.asarray(corners)
            found = true + rng.normal(0, CORNER_ERROR * edge_length(true), true.shape)
            seen = reader.squares([cut_flat(image, np.roll(found, -turn, axis=0), SQUARE) for turn in range(4)])
            for turn, chances in enumerate(seen.texts):
                by_text = {text: float(chances[[text == one for one in texts]].sum()) for text in set(texts)}
                text, sure = max(by_text.items(), key=lambda pair: pair[1])
                became = "asked" if sure < SURE else "right" if text == truth else "confused"
                counts[became] += 1
                turned[turn] += became == "confused"
    every = sum(counts.values())
    return {name: rate(count, every) for name, count in counts.items()} | {"confused_by_turn": turned}


def measure(pair: str, n: int, seed: int, *, alone: bool) -> dict[str, Any]:
    """Draw about n dice of a pair and return both figures."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        file = folder / ("alone.toml" if alone else "beside.toml")
        file.write_text(set_file(pair, alone=alone), encoding="utf-8")
        dice = load_dice_set(file)
        if not readable(dice):
            return {"not_measured": "the reader does not read sets from files"}
        jobs = [Job(folder, file, seed, number) for number in range(max(1, n // DICE))]
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            drawn = list(pool.map(draw, jobs, chunksize=4))
        pictures.write_labels(folder, [label for label, _ in drawn])
        report = pictures.bench_vision(folder, str(file))
        rows = report["confusion"]["read_as"]
        one, other = (text for text in dict.fromkeys(face.text for face in dice.dice[0].faces))
        confused = rows.get(one, {}).get(other, 0) + rows.get(other, {}).get(one, 0)
        return {
            "cut_faces": cut_faces(folder, drawn, dice, seed),
            "pictures": {"confused": rate(confused, report["dice"]["dice"]), "read_as": rows} | report["dice"],
        }


def main() -> int:
    """Print the counts of each pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="*", help=f"of {', '.join(PAIRS)}; all by default")
    parser.add_argument("-n", type=int, default=200, help="dice of each pair, alone and not alone")
    parser.add_argument("--seed", type=int, default=20261125)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    report = {
        pair: {
            name: measure(pair, given.n, given.seed + 10 * PAIRS.index(pair) + alone, alone=alone)
            for name, alone in (("alone", True), ("beside_another", False))
        }
        for pair in given.pairs or PAIRS
    }
    figures = {"n": given.n, "seed": given.seed, "fonts": "held-out", "sure": SURE, "load": pictures.load()}
    print(json.dumps(figures | {"pairs": report}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Photographs of one die each, each face taught once from one picture: what the pictures say when they are changed.

There is one photograph of each face. It is taught as it is; what is read has another rotation, size and light.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from typing import Any

import cv2
import numpy as np

from bench.reader import pictures
from bench.reader.photos import PHOTOS
from bench.scoring import rate
from companion.rules.dice import DiceSet, dice_set
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.readings import DiceReading, Image

FOLDER = PHOTOS / "solids-white"


def changed(image: Image, rng: np.random.Generator) -> Image:
    """Return a picture turned by any angle, in another size and in another light."""
    height, width = image.shape[:2]
    warp = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(0, 360), rng.uniform(0.8, 1.15))
    turned = cv2.warpAffine(image, warp, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    lit = turned.astype(np.float32) * rng.uniform(0.75, 1.0) + rng.normal(0, 3, turned.shape)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def outcome(reading: DiceReading, truth: str) -> str:
    """Return what became of one die: read rightly or wrongly, asked with the right face first or not, or missed."""
    there = [die for die in reading.dice if die.status != "ignored"]
    if not there:
        return "no dice"
    first = any(die.face == truth for die in there)
    if reading.status == "read":
        return "right" if first and len(there) == 1 else "silent"
    return "asked, right face first" if first else "asked"


def dice_of(kind: str) -> DiceSet:
    """Return the set to which the dice of one kind belong."""
    return dice_set("tens" if kind == "d100t" else kind)


def main() -> int:
    """Print the outcomes of each die: as a stranger, and once each of its faces was taught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=20261128)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if not FOLDER.is_dir():
        print(json.dumps({"not_measured": f"the photographs do not lie in {PHOTOS.name} beside the project"}))
        return 0
    rng = np.random.default_rng(given.seed)
    by_die: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for label in pictures.labels_of(FOLDER):
        for die in label["objects"]:  # a face with a symbol has no label
            by_die[f"{label['image'].rsplit('__', 1)[0]} {die['set']}"].append((label["image"], die["face"]))
    report: dict[str, Any] = {"seed": given.seed, "load": pictures.load(), "dice": {}}
    every: dict[str, Counter[str]] = {"stranger": Counter(), "taught": Counter()}
    for name, faces in by_die.items():
        reader = DiceReader(dice_of(name.split()[-1]), memory=TableMemory())
        images = {image: load_image(FOLDER / image) for image, _ in faces}
        stranger = Counter(outcome(reader.read(images[image]), face) for image, face in faces)
        for image, face in faces:
            seen = [die for die in reader.read(images[image]).dice if die.status != "ignored"]
            if seen:
                place = np.mean(seen[0].polygon, axis=0)
                reader.learn([FaceLesson((float(place[0]), float(place[1])), face, named=True)], image)
        taught = Counter(outcome(reader.read(changed(images[image], rng)), face) for image, face in faces)
        report["dice"][name] = {"stranger": dict(stranger), "taught": dict(taught)}
        every["stranger"] += stranger
        every["taught"] += taught
    for when, counts in every.items():
        report[when] = {one: rate(number, counts.total()) for one, number in counts.items()}
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())

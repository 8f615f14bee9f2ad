"""The pictures that choose when to ask: drawn with hands that train no net, kept as files, read by the reader."""

import json
import multiprocessing
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.rules.dice import dice_set
from companion.vision.dice.asking.certainty import PIPS
from companion.vision.dice.asking.selector import Features
from companion.vision.dice.geometry import inside
from companion.vision.dice.nets import Settings
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.readings import DiceReading
from workshop.hands import choosing_hands
from workshop.scenes.render import render
from workshop.scenes.scene import RANGES, NoRoomError, random_scene
from workshop.training.material import PARTED

FOLDER: Final = "validation"
LABELS: Final = "labels.jsonl"

SEED: Final = 7720
"""Seed of the pictures: part p uses it plus p, so the pictures are the same however many parts are drawn."""


@dataclass(frozen=True)
class Kind:
    """One kind of pictures: its dice, the ranges of camera and table, and the pictures per part."""

    dice: str
    view: str
    number: int
    pictures: int


KINDS: Final = {
    "wide": Kind("wibold", "wide", 2, 150),
    "tray": Kind("wibold", "tray", 0, 80),
    "usual": Kind("wibold", "usual", 1, 80),
    "ludix": Kind("ludix", "usual", 4, 80),
    "pips": Kind("pips", "usual", 5, 80),
    "d6": Kind("d6", "usual", 8, 60),
    "tiles": Kind("tiles", "usual", 6, 60),
    "d8": Kind("d8", "usual", 9, 60),
    "d10": Kind("d10", "usual", 10, 60),
    "d12": Kind("d12", "usual", 11, 60),
    "d20": Kind("d20", "usual", 12, 60),
}
"""Faces seen at a slant are misread most often, so there are most of them. ``number`` is a part of the seed."""


@dataclass(frozen=True, eq=False)
class Judged:
    """One die as the reader reads it without thresholds, and whether that is right.

    ``features`` is None for a tetrahedron, for which ``confidence`` counts. ``legible``: whether a person could read
    it. A right answer counts only then, a wrong one always. ``scene``: its picture, because errors in one picture go
    together.
    """

    scene: str
    confidence: float
    features: Features | None
    right: bool
    legible: bool


@dataclass(frozen=True, eq=False)
class Validation:
    """The reader's results on the pictures. ``upper`` and ``tetrahedra`` count the legible dice."""

    judged: tuple[Judged, ...]
    pictures: int
    upper: int
    tetrahedra: int


class Recorder:
    """A stand-in for a selector: it reads every face, after a second look where there is one, and records it."""

    def __init__(self) -> None:
        self.asked: list[Features] = []

    def __call__(self, features: Features) -> bool:
        """Record a face's features and answer that it is read; before a second look, answer that it is not."""
        if features.again is None and features.family != PIPS:
            return False
        self.asked.append(features)
        return True


def draw(folder: Path, parts: int, cores: int) -> None:
    """Draw this many parts of the pictures, except those that exist."""
    jobs = [(part, kind) for part in range(parts) for kind in KINDS]
    with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(draw_part, repeat(folder), *zip(*jobs, strict=True)))


def draw_part(folder: Path, part: int, kind: str) -> None:
    """Draw the pictures of one kind in one part, with their labels, unless they exist."""
    cv2.setNumThreads(1)
    target, how = folder / FOLDER / str(part) / kind, KINDS[kind]
    if (target / LABELS).is_file():
        return
    target.mkdir(parents=True, exist_ok=True)
    fonts = choosing_hands(PARTED)
    labels = []
    for number in range(how.pictures):
        rng = np.random.default_rng([SEED + part, how.number, number])
        try:
            shown = render(random_scene(rng, fonts, ranges=RANGES[how.view], set_name=how.dice))
        except NoRoomError:
            continue
        name = f"{kind}_{number:05d}.jpg"
        (target / name).write_bytes(shown.jpeg)
        labels.append(json.dumps(shown.to_json(name), ensure_ascii=False) + "\n")
    (target / LABELS).write_text("".join(labels), encoding="utf-8")


def read(folder: Path, parts: int, temperature: float, cores: int) -> Validation:
    """Read this many parts of the pictures, asking about nothing that has an answer."""
    jobs = [folder / FOLDER / str(part) / kind for part in range(parts) for kind in KINDS]
    jobs = [job for job in jobs if (job / LABELS).is_file()]
    with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
        every = list(pool.map(read_part, jobs, repeat(temperature)))
    return Validation(
        tuple(one for part in every for one in part.judged),
        sum(part.pictures for part in every),
        sum(part.upper for part in every),
        sum(part.tetrahedra for part in every),
    )


def read_part(folder: Path, temperature: float) -> Validation:
    """Read the pictures of one folder."""
    cv2.setNumThreads(1)
    labels = [json.loads(line) for line in (folder / LABELS).read_text(encoding="utf-8").splitlines()]
    recorder = Recorder()
    dice = KINDS[folder.name].dice
    reader = DiceReader(dice, chosen=Settings(temperature, 0.0), reads=recorder, learns=False)
    solids = {die.name for die in dice_set(dice).dice if die.shape == "tetrahedron"}
    judged: list[Judged] = []
    upper = tetrahedra = 0
    for label in labels:
        recorder.asked.clear()
        scene = f"{folder.parent.name}/{label['image']}"
        reading = reader.read(load_image(folder / label["image"]))
        judged += judge(scene, reading, label["objects"], recorder.asked, solids)
        legible = [one.get("die") in solids for one in label["objects"] if one["legible"]]
        tetrahedra += sum(legible)
        upper += len(legible) - sum(legible)
    return Validation(tuple(judged), len(labels), upper, tetrahedra)


def judge(
    scene: str,
    reading: DiceReading,
    truth: Sequence[dict[str, Any]],
    features: Sequence[Features],
    solids: Collection[str | None],
) -> list[Judged]:
    """Pair the readings with the true dice; a reading where no die lies is wrong.

    ``features``: those of the upper faces that were read, in the order of the reading; ``solids``: which dice of the
    set are tetrahedra.
    """
    judged, upper = [], iter(features)
    for die in reading.dice:
        if die.status != "read":
            continue
        centre = np.mean(die.polygon, axis=0)
        there = [one for one in truth if inside(centre, np.array(one["polygon"]))]
        right = any(one["face"] == die.face or sorted(one["face"]) == sorted(die.face or "") for one in there)
        legible = any(one["legible"] for one in there)
        judged.append(Judged(scene, die.confidence, None if die.die in solids else next(upper), right, legible))
    return judged

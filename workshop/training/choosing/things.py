"""``python -m workshop.training.choosing.things FOLDER``: learn which finds show that dice lie there.

Dice come from the validation pictures (`validation`), other things from tables and boards drawn here without dice, with
the same hands. Neither teaches a net or measures the reader.
"""

import argparse
import json
import multiprocessing
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.dice.asking.clutter import NAMES, TABLE, Border, Clutter, Find
from companion.vision.dice.geometry import inside
from companion.vision.dice.nets import Nets
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.readings import DiceReading, Image
from workshop.board_scenes.__main__ import SIZES
from workshop.board_scenes.render import render_board
from workshop.board_scenes.scene import random_board_scene
from workshop.hands import choosing_hands
from workshop.scenes.render import render
from workshop.scenes.scene import USUAL, random_scene
from workshop.training.choosing.chosen_files import clutter_to_toml
from workshop.training.choosing.confidence import upper_bound
from workshop.training.choosing.selecting import FOLDS, SOLIDS, Numbers, deal, logistic
from workshop.training.choosing.validation import FOLDER, KINDS, LABELS
from workshop.training.material import PARTED

THINGS: Final = "things"
"""The first part of the names of pictures without dice."""

SEED: Final = 515000
NUMBERS: Final = {"things": 200, "rithmomachia": 6, "tables": 6, "grid": 6}
"""How many pictures of each kind show no die: tables with things on them, and boards with men."""

BOARDS: Final = tuple(kind for kind in NUMBERS if kind != THINGS)
"""Boards teach nothing about solids: their men are so like faces that borders would keep fewer tables quiet."""

CROWDED: Final = 0.8
"""How often one more thing lies on such a table."""


SETS: Final = ("wibold", "ludix", "d6", "pips", "tiles", "d8", "d10", "d12", "d20")
"""The sets whose readers look at the pictures without dice."""

SIGNS: Final = np.array([-1.0 if name in {"error", "beside"} else 1.0 for name in NAMES])
"""Whether more of what `clutter.NAMES` names speaks for a die (1) or against it (-1)."""

LOST: Final = 0.001
LOST_SOLIDS: Final = 0.004
"""The most legible dice that may lie in pictures without any find above its border, as a share. Of dice with more than
six faces it may be as many as may be misread (`selecting.HARD`): things on a table look more like their faces."""

MOST: Final = 2.0
"""The highest border: a score of 2 says that seven of eight such finds are dice. It is for what no drawing shows."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """A find, whether it is a face of a die, whether a person can read that die, and the picture in which it lies.

    ``counts``: whether the reader reads it or asks about it; a find that does not count teaches nothing. ``read``:
    whether the reader reads it.
    """

    find: Find
    die: bool
    legible: bool
    picture: str
    counts: bool = True
    read: bool = False


class Recorder:
    """A stand-in for `Clutter.likely`: it takes every find for a die and records it."""

    def __init__(self) -> None:
        self.finds: list[Find] = []

    def __call__(self, find: Find) -> bool:
        """Record a find and answer that it may be a die."""
        self.finds.append(find)
        return True


@dataclass(frozen=True, eq=False)
class Tables:
    """The finds of one family, scored by weights that were learnt without their picture.

    ``number``: how many legible dice were found. ``dice``: for each picture in which nothing is read the score of its
    best find and how many of these dice it shows, lowest first. ``things``: the best score of each table without dice
    on which a reader would ask about something.
    """

    family: str
    weights: tuple[float, ...]
    number: int
    dice: tuple[tuple[float, int], ...]
    things: Numbers

    def least(self, errors: int) -> float:
        """Return the highest border that loses no more than ``errors`` dice."""
        lost = 0
        for score, number in self.dice:
            lost += number
            if lost > errors:
                return min(MOST, score)
        return MOST

    def gain(self, errors: int) -> int:
        """Return on how many tables without dice the program keeps quiet if ``errors`` dice may be lost."""
        return int((self.things < self.least(errors)).sum())

    def border(self, errors: int) -> Border:
        """Return the border with its proof."""
        least = float(np.floor(self.least(errors) * 1e4) / 1e4)  # rounded down: no more dice are lost so
        lost = sum(number for score, number in self.dice if score < least)
        bound = round(upper_bound(lost, self.number), 5)
        return Border(least, self.number, lost, bound, len(self.things), int((self.things >= least).sum()))


def learn(labelled: Sequence[Labelled]) -> Clutter:
    """Return the weights that separate dice from other things, and a border for each family of faces.

    Solids together may lose `LOST_SOLIDS` of their legible dice, the other families together `LOST`. These are dealt to
    the families so that the program keeps quiet on most tables without dice.
    """
    kin: dict[str, list[Labelled]] = {}
    for one in labelled:
        on_board = one.picture.startswith(tuple(f"{THINGS}/{kind}/" for kind in BOARDS))
        if not (on_board and one.find.family in SOLIDS):
            kin.setdefault(one.find.family, []).append(one)
    every = [tables for family, mine in sorted(kin.items()) if (tables := score(family, mine)) is not None]
    borders: dict[str, Border] = {}
    for solid, share in ((False, LOST), (True, LOST_SOLIDS)):
        pool = [one for one in every if (one.family in SOLIDS) == solid]
        errors = deal(pool, int(share * sum(one.number for one in pool)))
        borders |= {one.family: one.border(most) for one, most in zip(pool, errors, strict=True)}
    return Clutter({one.family: one.weights for one in every}, borders)


def plain_logistic(vectors: Numbers, dice: npt.NDArray[np.bool_]) -> Numbers:
    """Return the weights of a logistic regression, the constant last, none of which speaks against `SIGNS`.

    A man with a number has clearer corners than many a die. So without this, clear corners could speak against a die.
    """
    kept = list(range(len(SIGNS)))
    while True:
        learnt = logistic(vectors[:, kept], dice.astype(np.float64))
        wrong = learnt[:-1] * SIGNS[kept]
        if wrong.min() >= 0:
            break
        kept.pop(int(wrong.argmin()))
    weights = np.zeros(len(SIGNS) + 1)
    weights[[*kept, -1]] = learnt
    return weights


def score(family: str, finds: Sequence[Labelled]) -> Tables | None:
    """Return the scored finds of a family; None if there are no dice or no other things among them."""
    vectors = np.array([one.find.vector() for one in finds])
    dice = np.array([one.die for one in finds])
    # a side or a part of a die is no thing: where it lies, dice do. What nobody can read does not show them
    teaches = np.array([one.counts and (one.legible or one.picture.startswith(THINGS)) for one in finds])
    if not (dice & teaches).any() or not (~dice & teaches).any():
        return None
    pictures = {name: number for number, name in enumerate(sorted({one.picture for one in finds}))}
    fold = np.array([pictures[one.picture] % FOLDS for one in finds])
    best: dict[str, float] = {}
    for number in range(FOLDS):
        others = teaches & (fold != number)
        learnt = plain_logistic(vectors[others], dice[others])
        for place in np.flatnonzero(fold == number):
            name = finds[int(place)].picture
            best[name] = max(best.get(name, -np.inf), float(vectors[place] @ learnt[:-1] + learnt[-1]))
    there = Counter(one.picture for one in finds if one.die and one.legible and one.counts)
    read = {one.picture for one in finds if one.read}
    things = {one.picture for one in finds if one.counts and one.picture.startswith(THINGS)} - read
    known = plain_logistic(vectors[teaches], dice[teaches])
    return Tables(
        family,
        tuple(round(float(one), 4) for one in known),
        there.total(),
        tuple(sorted((best[name], number) for name, number in there.items() if name not in read)),
        np.array([best[name] for name in sorted(things)]),
    )


def with_answers(
    finds: Sequence[Find], reading: DiceReading, truth: Collection[dict[str, Any]], picture: str
) -> Iterator[Labelled]:
    """Yield the finds of a picture with the labels of the dice on which they lie; ``truth`` may be empty."""
    middles = {
        status: [np.array(die.polygon).mean(axis=0) for die in reading.dice if die.status == status]
        for status in ("read", "ask")
    }
    for find in finds:
        middle = find.corners.mean(axis=0)
        under = [
            one
            for one in truth
            if inside(middle, np.array(one["polygon"])) or inside(np.mean(one["polygon"], axis=0), find.corners)
        ]
        read, asked = (
            any(np.linalg.norm(place - middle) < 1 for place in middles[status]) for status in ("read", "ask")
        )
        legible = any(bool(one["legible"]) for one in under)
        yield Labelled(find, bool(under), legible, picture, counts=read or asked, read=read)


def without_dice(kind: str, number: int) -> Image:
    """Draw a picture without dice."""
    rng = np.random.default_rng([SEED, 100 + list(NUMBERS).index(kind), number])
    fonts = choosing_hands(PARTED)
    if kind == THINGS:
        return render(random_scene(rng, fonts, ranges=replace(USUAL, things=CROWDED), bodies=())).image
    return render_board(replace(random_board_scene(rng, kind, fonts, size=SIZES[kind]), dice=())).image


def of_things(kind: str, number: int) -> list[Labelled]:
    """Return what the readers of all sets find in a picture without dice."""
    cv2.setNumThreads(1)
    image, nets = without_dice(kind, number), Nets()
    every: list[Labelled] = []
    for name in SETS:
        recorder = Recorder()
        reading = DiceReader(name, likely=recorder, learns=False, nets=nets).read(image)
        every += with_answers(recorder.finds, reading, (), f"{THINGS}/{kind}/{number}/{name}")
    return every


def of_dice(folder: Path) -> list[Labelled]:
    """Return what the reader finds in the validation pictures of a folder: one kind of one part."""
    cv2.setNumThreads(1)
    recorder = Recorder()
    every: list[Labelled] = []
    reader = DiceReader(KINDS[folder.name].dice, likely=recorder, learns=False)
    for line in (folder / LABELS).read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        recorder.finds.clear()
        reading = reader.read(load_image(folder / label["image"]))
        every += with_answers(recorder.finds, reading, label["objects"], f"{folder.parent.name}/{label['image']}")
    return every


def main() -> None:
    """Read all pictures, and write what was learnt where the reader finds it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the validation pictures lie")
    parser.add_argument("--parts", type=int, default=10)
    parser.add_argument("--cores", type=int, default=1)
    given = parser.parse_args()
    drawn = [given.folder / FOLDER / str(part) / kind for part in range(given.parts) for kind in KINDS]
    jobs = [(kind, number) for kind, many in NUMBERS.items() for number in range(many)]
    with ProcessPoolExecutor(given.cores, multiprocessing.get_context("spawn")) as pool:
        every = [one for part in pool.map(of_dice, [one for one in drawn if (one / LABELS).is_file()]) for one in part]
        every += [one for part in pool.map(of_things, *zip(*jobs, strict=True)) for one in part]
    place = files("companion.vision.dice.asking") / TABLE
    Path(str(place)).write_text(clutter_to_toml(learn(every)), encoding="utf-8")


if __name__ == "__main__":
    main()

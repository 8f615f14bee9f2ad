"""From frames to a verdict: rendered throws of a loaded and of a fair die through watcher, reader and laboratory.

One die lies on one table under one camera, as in reality. Each throw has one picture of the rolling die and one of the
still die. The labels answer the laboratory's questions; a throw that it did not see is typed in, as its owner would do.
At the end the counts must equal the throws.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.fairness.account import DieAccount
from companion.fairness.verdict import judge
from companion.live.laboratory.laboratory import Laboratory
from companion.live.watching.dice_settings import Reader, dice_reader
from companion.referee.readable import Dice
from companion.rules.dice import dice_set
from companion.vision.mat import Mat
from companion.vision.readings import DiceReading, Image
from tests.live.laboratory.build import Source
from workshop.scenes.bodies import Body
from workshop.scenes.fonts import find_fonts
from workshop.scenes.render import render
from workshop.scenes.scene import USUAL, NoRoomError, Ranges, Scene, random_bodies, random_scene, throw_dice

RANGES: Ranges = replace(USUAL, size=(640, 480), edge=(48, 80), things=0, tray=0, hand=0, moving=0, tilt=(0, 8))
STILL = 5  # frames at 15 a second: a still interval
LOAD = 0.08  # the loaded die's last face falls more often by this


class Timed:
    """A reader that records the time of each reading, in milliseconds."""

    def __init__(self, reader: Reader, took: list[float]) -> None:
        self._reader = reader
        self._took = took

    def read(self, image: Image) -> DiceReading:
        begun = time.perf_counter()
        reading = self._reader.read(image)
        self._took.append(1000 * (time.perf_counter() - begun))
        return reading


@dataclass
class Came:
    """The results of one die's throws."""

    faces: list[str] = field(default_factory=list)
    asked: int = 0
    missed: list[str] = field(default_factory=list)
    """What the laboratory said when a throw was not counted."""
    doubled: int = 0
    latency: list[float] = field(default_factory=list)
    reading: list[float] = field(default_factory=list)


class Table:
    """One die on one table under one camera; makes pictures of its throws."""

    def __init__(self, set_name: str, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        fonts = find_fonts(bundled=True)
        dice = dice_set(set_name)
        bodies: tuple[Body, ...] = random_bodies(self.rng, fonts, set_name, RANGES, count=1 if dice.alike else None)
        self.body = bodies[0]
        self.scene: Scene = random_scene(self.rng, fonts, ranges=RANGES, bodies=[self.body])
        self.empty = self.before = self.throw(None)

    def throw(self, face: str | None) -> Image:
        """Return a picture of the die at a random place with this face up; None: of the table without the die."""
        dice = () if face is None else self._land(face)
        return np.asarray(render(replace(self.scene, dice=dice, grain_seed=int(self.rng.integers(2**31)))).image)

    def _land(self, face: str) -> Any:
        while True:
            try:
                return throw_dice(
                    self.rng, [self.body], self.scene.camera, touching=0, faces={self.body.die.name: face}, rim=24
                )
            except NoRoomError:
                continue


def chances_of(account: DieAccount, load: float) -> list[float]:
    """Return the probabilities of a die whose last outcome is more frequent by ``load``, the others evenly less."""
    fair = account.outcomes.fair.copy()
    fair[:-1] -= load * fair[:-1] / fair[:-1].sum()
    fair[-1] += load
    return [float(chance) for chance in fair]


def watch(set_name: str, load: float, throws: int, seed: int, folder: Path) -> dict[str, Any]:
    """Throw a die ``throws`` times before a laboratory and return the results."""
    table, came, source = Table(set_name, seed), Came(), Source()
    make = dice_reader()

    def reader(dice: Dice) -> Reader:
        return Timed(make(dice), came.reading)

    laboratory = Laboratory(
        folder / f"{set_name}-{load}.db", source=source, mat=Mat(), reader=reader, seed=lambda: seed
    )
    laboratory.start()
    try:
        dice = [{"set": set_name, "die": table.body.die.name}]
        series = laboratory.command("begin", {"dice": dice, "smallest": 0.05}, "bench").data["series"]
        _show(source, laboratory, table.empty, STILL)
        (account,) = laboratory.accounts(series) or []
        chances = chances_of(account, load)
        labels = account.outcomes.labels
        for face in _thrown(np.random.default_rng([seed, 1]), labels, chances, throws):
            _throw(laboratory, source, table, face, came)
        (account,) = laboratory.accounts(series) or []
        audits = _audited(laboratory, series, came.faces)
        state = laboratory.snapshot().data["series"]["dice"][0]
    finally:
        laboratory.stop()
    shown = [None if one.outcome is None else labels[one.outcome] for one in account.throws or ()]
    truth = judge(np.array([labels.index(face) for face in came.faces], np.int64), account.outcomes, smallest=0.05)
    return {
        "set": set_name,
        "load": load,
        "throws": throws,
        "counts_equal": account.counts.tolist() == [came.faces.count(label) for label in labels],
        "sequence_equal": shown == came.faces,
        "silent_errors": sum(a is not None and a != b for a, b in zip(shown, came.faces, strict=False)),
        "asked": came.asked,
        "missed": len(came.missed),
        "said_when_missed": came.missed,
        "doubled": came.doubled,
        "said": state["verdict"]["said"],
        "called": state["verdict"]["called"],
        "p": state["verdict"]["p"],
        "said_of_labels": truth.said,
        "called_of_labels": truth.evidence.called,
        "audits": audits,
        "read_ms": _percentiles(came.reading),
        "still_frames_to_count_ms": _percentiles(came.latency),
    }


def _thrown(rng: np.random.Generator, labels: tuple[str, ...], chances: list[float], throws: int) -> Iterator[str]:
    for place in rng.choice(len(labels), throws, p=chances):
        yield labels[int(place)]


def _show(source: Source, laboratory: Laboratory, image: Image, frames: int) -> None:
    source.show(image, frames)
    source.dealt_with()
    laboratory.command("look", {}, "bench")  # the laboratory refuses it, but answers in turn


def _throw(laboratory: Laboratory, source: Source, table: Table, face: str, came: Came) -> None:
    """Throw once: the die is picked up, rolls, and lies still."""
    image = table.throw(face)
    rolling = cv2.addWeighted(np.roll(image, (90, -120), (0, 1)), 0.6, table.empty, 0.4, 0).astype(np.uint8)
    going = cv2.addWeighted(table.before, 0.5, table.empty, 0.5, 0).astype(np.uint8)
    table.before = image
    counted = laboratory.snapshot().data["series"]["throws"]
    source.show(np.asarray(going), 1)
    source.show(np.asarray(rolling), 1)
    source.dealt_with()
    begun = time.perf_counter()
    _show(source, laboratory, image, STILL)
    came.latency.append(1000 * (time.perf_counter() - begun))
    came.faces.append(face)
    series = laboratory.snapshot().data["series"]
    if series["question"] is not None:
        came.asked += 1
        question = series["question"]
        faces = {die["die"]: face for die in question["dice"]}
        assert laboratory.command("answer", {"number": question["number"], "faces": faces}, "bench").ok
    after = laboratory.snapshot().data["series"]["throws"] - counted
    if after == 0:
        came.missed.append(str(laboratory.snapshot().data["sentence"]["text"]))
        assert laboratory.command("throw", {"die": series["dice"][0]["name"], "face": face}, "bench").ok
    came.doubled += max(0, after - 1)


def _audited(laboratory: Laboratory, series: int, faces: list[str]) -> dict[str, int]:
    """Audit every throw that was drawn for an audit, as a person would."""
    due = [throw["number"] for throw in laboratory.throws(series) or [] if throw["due"]]
    for number in due:
        assert laboratory.command("audit", {"number": number, "face": faces[number - 1]}, "bench").ok
    die = laboratory.snapshot().data["series"]["dice"][0]
    return {"done": die["audit"]["done"], "wrong": die["audit"]["wrong"]}


def _percentiles(values: list[float]) -> dict[str, float]:
    found = np.percentile(values, [50, 95]) if values else [0.0, 0.0]
    return {"median": round(float(found[0]), 1), "p95": round(float(found[1]), 1)}


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=500, help="throws of each die")
    parser.add_argument("--sets", nargs="+", default=["d6"], help="the first die of each set is thrown")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        figures = [
            watch(name, bias, given.n, given.seed + place, Path(folder))
            for place, name in enumerate(given.sets)
            for bias in (LOAD, 0.0)
        ]
    report = {"n": given.n, "seed": given.seed, "load": [round(load, 2), round(os.getloadavg()[0], 2)], "dice": figures}
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

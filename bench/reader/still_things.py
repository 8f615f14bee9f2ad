"""Dice thrown among things that never move: number discs, keys, coins, a printed game. Watched as a live table is.

Each table is one camera, one light and one thing that lies there all evening; the dice of a set are thrown on and
beside it. The product's own watching thread gets the frames. What it reports where no die lies is a phantom.
"""

import argparse
import json
import pickle
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import cv2
import numpy as np

from bench.reader import pictures
from bench.reader.sittings import RANGES, Owner, Sitting, sitting
from bench.scoring import rate
from companion.desk.sight import DiceSeen, Sight
from companion.language.sentence import Sentence
from companion.live.pictures import Pictures
from companion.live.watching.dice_settings import WatchSettings, combined, dice_reader
from companion.live.watching.dice_steps import expect, watching_dice
from companion.rules.dice import dice_set
from companion.vision.mat import Mat
from companion.vision.readings import Frame, Image, ReadDie
from companion.vision.sources.source import SourceState
from workshop.scenes.fonts import find_fonts
from workshop.scenes.labels import DieLabel
from workshop.scenes.prints import PrintKind
from workshop.scenes.render import Rendered, render
from workshop.scenes.things import Thing

OWNERS: tuple[Owner, ...] = ("pips", "pips", "pips", "usual")
"""Whose dice lie among the things, in turn."""

LEARNT = 3
"""After so many throws nothing that never moved is asked about."""

RATE = 0.25
SIZES = {"hexes": (14, 22), "keyboard": (16, 20), "track": (12, 20), "change": (10, 14)}
"""How wide a thing is, in edges of a die."""


def table(seed: int, number: int) -> tuple[PrintKind, Sitting, tuple[Thing, ...]]:
    """Return a table: the kind of thing, who plays there, and what lies there all evening."""
    rng = np.random.default_rng([2048, seed, number])
    kinds: tuple[PrintKind, ...] = get_args(PrintKind)
    kind = kinds[number % len(kinds)]
    owner = OWNERS[number // len(kinds) % len(OWNERS)]
    ranges = replace(RANGES, edge=(40, 100), tilt=(0, 25))
    made = sitting(owner, seed * 1000 + number, find_fonts("held-out"), ranges)
    made = replace(made, bodies=made.bodies[: int(rng.integers(1, 5))] if owner == "pips" else made.bodies)
    size, turn = float(rng.uniform(*SIZES[kind])), float(rng.uniform(0, 2 * np.pi))
    x, y = rng.uniform(-2, 2, 2)
    thing = Thing(kind, float(x), float(y), size, turn, (0.5, 0.5, 0.5), int(rng.integers(2**31)))
    return kind, made, (thing,)


class Thrown:
    """A camera over the table: for each throw some frames of movement, then a second of rest."""

    name = "a drawn table"
    state = SourceState.LIVE
    sentence = Sentence("A drawn table.")

    def __init__(self, shown: Sequence[Rendered], seed: int) -> None:
        self.shown = shown
        self.ended = False
        self.throw = -1
        self._rng = np.random.default_rng(seed)
        self._frames = self._play()
        self._number = 0

    def start(self) -> None: ...

    def close(self) -> None: ...

    def newest(self, after: int, timeout: float) -> Frame | None:
        del after, timeout
        image = next(self._frames, None)
        if image is None:
            self.ended = True
            return None
        self._number += 1
        return Frame(image, self._number * RATE, self.name, self._number)

    def _play(self) -> Any:
        for number, one in enumerate(self.shown):
            before = one.image if number == 0 else self.shown[number - 1].image
            for _ in range(0 if number == 0 else 3):
                yield self._rolling(before)
            self.throw = number
            for _ in range(3):
                noise = self._rng.normal(0, 1.2, one.image.shape).astype(np.float32)
                yield np.clip(one.image + noise, 0, 255).astype(np.uint8)

    def _rolling(self, image: Image) -> Image:
        rolling = image.copy()
        height, width = image.shape[:2]
        for _ in range(4):
            at = (
                int(self._rng.integers(width // 4, width * 3 // 4)),
                int(self._rng.integers(height // 4, height * 3 // 4)),
            )
            cv2.circle(rolling, at, int(self._rng.integers(30, 60)), tuple(self._rng.integers(0, 255, 3).tolist()), -1)
        return np.asarray(cv2.GaussianBlur(rolling, (9, 9), 0), np.uint8)


def watched(source: Thrown, dice: tuple[str, tuple[str, ...] | None], reader: Any) -> dict[int, DiceSeen]:
    """Return what a watching thread says of each throw at last."""
    seen: dict[int, DiceSeen] = {}

    def answered(sight: Sight) -> None:
        if sight.seen is not None:
            seen[source.throw] = sight.seen

    watcher = watching_dice(source, WatchSettings(Mat(), reader, combined), Pictures(), answered)
    watcher.tell(expect(dice))
    while not source.ended:
        watcher.turn()
    return seen


def judged(labels: Sequence[DieLabel], dice: Sequence[ReadDie]) -> Counter[str]:
    """Return what became of the dice of a throw, and of what is none."""
    found: Counter[str] = Counter()
    there = [die for die in dice if die.status != "ignored"]
    middles = [np.mean(die.polygon, axis=0) for die in there]
    taken: set[int] = set()
    for label in labels:
        middle = np.mean(label.polygon, axis=0)
        reach = 0.5 * float(np.linalg.norm(np.subtract(label.polygon[0], label.polygon[1])))
        near = [i for i, at in enumerate(middles) if i not in taken and np.linalg.norm(at - middle) < reach]
        if not near:
            found["missed" if label.legible else "illegible"] += 1
            continue
        die = there[near[0]]
        taken.add(near[0])
        same = sorted(die.face or "") == sorted(label.face)
        found["asked" if die.status == "ask" else "right" if same else "silent"] += 1
    for i, die in enumerate(there):
        if i in taken:
            continue
        beside = any(
            np.linalg.norm(middles[i] - np.mean(label.polygon, axis=0))
            < 1.3 * np.linalg.norm(np.subtract(label.polygon[0], label.polygon[1]))
            for label in labels
        )
        found[("side " if beside else "phantom ") + ("read" if die.status == "read" else "asked")] += 1
    return found


def main() -> int:
    """Print what was read and asked where nothing but things lies, for all throws and for those after `LEARNT`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=25, help="tables")
    parser.add_argument("--throws", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the pictures, drawn once")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    readers = dice_reader()
    for number in range(given.n):
        kind, made, things = table(given.seed, number)
        shown = []
        for throw in range(given.throws):
            kept = None if given.keep is None else given.keep / f"{given.seed}-{number}-{throw}.pickle"
            shown.append(_drawn(made, things, throw, kept))
        names = None if made.set_name == "pips" else tuple(die.name for die in dice_set(made.set_name).dice)
        readings = watched(Thrown(shown, number), (made.set_name, names), readers)
        for throw, one in enumerate(shown):
            seen = readings.get(throw)
            found = judged(one.labels, seen.reading.dice if seen is not None else ())
            found["pictures"] += 1
            found["read whole"] += seen is not None and seen.reading.status == "read"
            found["with a phantom question"] += found["phantom asked"] > 0
            found["with a phantom read"] += found["phantom read"] > 0
            for part in ("all", kind, *(["after"] if throw >= LEARNT else [])):
                sums[part] += found
            if given.keep and (found["phantom read"] or (throw >= LEARNT and found["phantom asked"])):
                _sheet(given.keep / f"phantom-{given.seed}-{number}-{throw}.jpg", one.image, seen)
        print(number, kind, made.set_name, dict(sums["after"]), file=sys.stderr, flush=True)
    report: dict[str, Any] = {
        "seed": given.seed,
        "load": pictures.load(),
        "counts": {k: dict(v) for k, v in sums.items()},
    }
    for part in ("all", "after"):
        report[part] = {
            name: rate(sums[part][name], sums[part]["pictures"])
            for name in ("with a phantom read", "with a phantom question", "read whole")
        }
    print(json.dumps(report))
    return 0


def _drawn(made: Sitting, things: tuple[Thing, ...], throw: int, kept: Path | None) -> Rendered:
    if kept is not None and kept.exists():
        known: Rendered = pickle.loads(kept.read_bytes())
        return known
    one = render(replace(made.scene(throw), things=things))
    one = replace(one, classes=one.classes[:1, :1], instances=one.instances[:1, :1])
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(one))
    return one


def _sheet(path: Path, image: Image, seen: DiceSeen | None) -> None:
    shown = image.copy()
    for die in seen.reading.dice if seen is not None else ():
        colour = {"read": (0, 0, 255), "ask": (0, 200, 255)}.get(die.status)
        if colour:
            cv2.polylines(shown, [np.round(die.polygon).astype(np.int32)], isClosed=True, color=colour, thickness=2)
    cv2.imwrite(str(path), shown)


if __name__ == "__main__":
    sys.exit(main())

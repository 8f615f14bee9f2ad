"""The same dice on other grounds: how many are read on each, and how much longer the processor takes than on felt.

``python -m bench.reader.grounds --seed 2``: every picture is drawn once for each ground, with the same dice, camera and
light, and read in turn, so that a busy machine slows all grounds alike. Seeds below 100 are for developing.
``--sitting N`` plays so many throws on each ground instead, with a memory and, as at a table, the ground of a camera
that stands still.
"""

import argparse
import json
import time
from collections import Counter
from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np

from bench.reader.pictures import KINDS
from bench.reader.sittings import Sitting, sitting
from bench.scoring.intervals import rate
from bench.scoring.outcomes import Label, outcomes
from bench.scoring.sitting import play
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.ground import Ground as StillGround
from companion.vision.images import decode_image
from workshop.hands import choosing_hands
from workshop.scenes import RANGES, Scene, find_fonts, random_scene, render
from workshop.scenes.cloths import CLOTHS
from workshop.scenes.fonts import Font
from workshop.scenes.grounds import Ground, GroundKind
from workshop.training.material import PARTED

PLAIN: Final = "felt"
GROUNDS: Final = (PLAIN, "gingham", "wood", *CLOTHS)
"""Felt is what the others are compared with."""

LEARNT: Final = 10
"""A sitting is counted from the throw after this one."""

DEVELOPING_SEEDS: Final = 100


def ground(name: str, seed: int) -> Ground:
    """Return a ground by its name."""
    plain: GroundKind = "wood" if name == "wood" else "checked" if name == "gingham" else "felt"
    cloth = next((one for one in CLOTHS if one == name), None)
    pitch = float(np.random.default_rng([49, seed]).uniform(0.5, 1.2))
    grain = (0.25, 0.05) if name == "wood" else (0.05, 0.06)
    return Ground(plain, (0.45, 0.55, 0.6), (0.08, 0.1, 0.3), *grain, pitch, 0.3 + seed, seed, cloth=cloth)


def scenes(kind: str, seed: int, number: int, fonts: tuple[Font, ...]) -> dict[str, Scene]:
    """Return one picture's scene on each ground."""
    set_name, view = KINDS[kind]
    ranges = replace(RANGES[view], things=0.0, hand=0.0, moving=0.0)
    made = random_scene(np.random.default_rng([seed, number]), fonts, ranges=ranges, set_name=set_name)
    return {name: replace(made, ground=ground(name, 1000 * seed + number)) for name in GROUNDS}


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=tuple(KINDS), default="usual")
    parser.add_argument("-n", type=int, default=25, help="pictures on each ground")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--sitting", type=int, default=0, help="throws of a sitting on each ground")
    parser.add_argument("--only", nargs="+", choices=GROUNDS, default=GROUNDS, help="of these grounds")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    developing = given.seed < DEVELOPING_SEEDS
    fonts = tuple(choosing_hands(PARTED) if developing else find_fonts("held-out"))
    report = {"seed": given.seed, "fonts": "developing" if developing else "held-out"}
    if given.sitting:
        made = {name: sat(name, given.seed, given.sitting, fonts) for name in given.only}
        print(json.dumps(report | {"throws": given.sitting, "grounds": made}))
        return
    print(json.dumps(report | {"n": given.n, "grounds": singles(given.kind, given.seed, given.n, fonts, given.only)}))


def singles(kind: str, seed: int, number: int, fonts: tuple[Font, ...], only: tuple[str, ...]) -> dict[str, Any]:
    """Read the same dice on each ground without a memory; return what became of them."""
    reader = DiceReader(KINDS[kind][0], learns=False)
    counts: dict[str, Counter[str]] = {name: Counter() for name in only}
    seconds: dict[str, list[float]] = {name: [] for name in only}
    for place in range(number):
        for name, scene in scenes(kind, seed, place, fonts).items():
            if name not in only:
                continue
            shown = render(scene)
            label: Label = shown.to_json(str(place))
            image = decode_image(shown.jpeg)
            begun = time.process_time()
            reading = reader.read(image)
            seconds[name].append(time.process_time() - begun)
            for one in outcomes(label, {"objects": [die.to_json() for die in reading.dice]}):
                counts[name]["silent" if one.silent else one.became] += 1
    plain = seconds.get(PLAIN)
    return {
        name: figures(counts[name])
        | {"seconds": round(float(np.median(seconds[name])), 3), "most_seconds": round(max(seconds[name]), 3)}
        | ({"times_plain": round(float(np.median(np.divide(seconds[name], plain))), 2)} if plain else {})
        for name in only
    }


def figures(found: Counter[str]) -> dict[str, Any]:
    """Return how many dice were read, of those that can be, and what became of the others."""
    dice = sum(found[name] for name in ("correct", "asked", "missed", "wrong", "silent"))
    return {"read": rate(found["correct"], dice), "became": dict(found)}


def sat(name: str, seed: int, throws: int, fonts: tuple[Font, ...]) -> dict[str, Any]:
    """Play a sitting on a ground; return what became of its dice from the throw after `LEARNT` on."""
    made: Sitting = replace(sitting("usual", seed, fonts), ground=ground(name, seed))
    reader = DiceReader(made.set_name, memory=TableMemory())
    reader.ground = StillGround()
    shown = [made.throw(number) for number in range(throws)]
    pictures = {str(place): decode_image(one.jpeg) for place, one in enumerate(shown)}
    counts: Counter[str] = Counter()
    asked = 0
    spent: list[float] = []
    begun = time.process_time()
    labels = [one.to_json(str(place)) for place, one in enumerate(shown)]
    for place, throw in enumerate(play(labels, pictures.__getitem__, reader, learn=True)):
        spent.append(time.process_time() - begun)
        if place >= LEARNT:
            counts.update("silent" if one.silent else one.became for one in throw.outcomes)
            asked += throw.asked
        begun = time.process_time()
    return figures(counts) | {
        "asked": asked,
        "seconds": round(float(np.median(spent[LEARNT:])), 3),
        "first_seconds": round(float(np.median(spent[:2])), 3),
    }


if __name__ == "__main__":
    main()

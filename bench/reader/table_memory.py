"""Tables that learn: how many dice are asked about, ten throws after ten, while a table remembers what it was told.

``python -m bench.reader.table_memory -n 60 --seed 1``: each owner has dice, camera and light of their own, drawn with
held-out fonts. ``--change`` disturbs the second half of each sitting: another lamp (``lamp``), a camera somewhere else
(``camera``), a die of a stranger (``stranger``), or a person who errs once in twenty answers all along (``slips``).
"""

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, get_args

import cv2
import numpy as np

from bench.reader.sittings import RANGES, Owner, Sitting, sitting
from bench.scoring.intervals import rate
from bench.scoring.outcomes import Label, outcomes
from bench.scoring.sitting import BLOCK, answers
from companion.rules.dice import dice_set
from companion.vision.dice.memory.glimpses import FaceLesson
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.images import decode_image
from companion.vision.readings import DiceReading
from workshop.hands import choosing_hands
from workshop.scenes.fonts import Font, find_fonts
from workshop.scenes.lighting import random_lighting
from workshop.scenes.scene import random_camera
from workshop.training.material import PARTED

Change = Literal["none", "lamp", "camera", "stranger", "slips"]

OWNERS: Final[tuple[Owner, ...]] = (
    *("hand", "carved", "worn", "blackletter", "small", "usual") * 2,
    *("hand", "carved", "blackletter", "small"),
    *("ludix", "pips", "d10", "d20") * 2,
)
"""The look of each owner's dice, in this order."""

SLIP: Final = 20
"""One answer of so many is wrong, where persons slip."""

Counts = Counter[tuple[str, int, str]]
"""How many dice of a kind, in a block of throws, became what."""


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=60, help="throws of each owner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--owners", type=int, default=len(OWNERS))
    parser.add_argument("--only", choices=get_args(Owner), nargs="+", default=get_args(Owner), help="of these owners")
    parser.add_argument("--change", choices=get_args(Change), nargs="+", default=["none"])
    parser.add_argument("--developing", action="store_true", help="fonts that measure nothing")
    parser.add_argument("--without", action="store_true", help="nothing is remembered")
    parser.add_argument("--json", action="store_true", help="taken for the sake of the other measurements")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = choosing_hands(PARTED) if given.developing else find_fonts("held-out")
    owners = OWNERS[: given.owners]
    changes: dict[str, Any] = {}
    for change in given.change:
        counts: Counts = Counter()
        spent: list[float] = []
        before = os.getloadavg()[0]
        for number, owner in enumerate(owners):
            if owner not in given.only:
                continue
            made = sitting(owner, given.seed + 100 * (number + 1), fonts)
            for found, took in throws(made, owner, given.n, fonts, change, learn=not given.without):
                counts.update(found)
                spent.append(took)
        changes[change] = {
            "load": [before, os.getloadavg()[0]],
            "learning_ms": round(float(np.median(spent)), 1) if spent else None,
            "kinds": report(counts, given.n),
        }
    among = [one for one in owners if one in given.only]
    figures = {"n": given.n, "seed": given.seed, "owners": among, "remembers": not given.without}
    print(json.dumps(figures | {"changes": changes}))


def throws(
    made: Sitting, owner: Owner, number: int, fonts: Sequence[Font], change: Change, *, learn: bool
) -> Iterator[tuple[Counts, float]]:
    """Play one owner's throws; yield what became of the dice of each, and the milliseconds that learning took."""
    memory = TableMemory()
    reader = DiceReader(made.set_name, memory=memory if learn else None)
    chance = np.random.default_rng([2031, *made.seed])
    tetrahedra = {die.name for die in dice_set(made.set_name).dice if die.shape == "tetrahedron"}
    for throw in range(number):
        if throw == number // 2:
            made = changed(made, owner, fonts, change)
        shown = made.throw(throw)
        label: Label = shown.to_json(f"{throw}")
        reading = reader.read(decode_image(shown.jpeg))
        begun = time.perf_counter()
        if learn:
            lessons = answers(label, reading)
            reader.learn(slipped(lessons, made.set_name, chance) if change == "slips" else lessons, str(throw))
        spent = (time.perf_counter() - begun) * 1000
        yield became(label, reading, tetrahedra, owner, throw // BLOCK), spent


def became(label: Label, reading: DiceReading, tetrahedra: set[str], owner: Owner, block: int) -> Counts:
    """Count what became of the dice of a throw."""
    counts: Counts = Counter()
    found = outcomes(label, {"objects": [die.to_json() for die in reading.dice]})
    for one in found:
        thing = one.truth or one.answer or {}
        letters = owner not in ("ludix", "pips", "d10", "d20")
        kind = ("tetrahedra" if thing.get("die") in tetrahedra else "letter cubes") if letters else str(owner)
        name = "silent" if one.silent else one.became
        counts[kind, block, name] += 1
    return counts


def changed(made: Sitting, owner: Owner, fonts: Sequence[Font], change: Change) -> Sitting:
    """Return the sitting after something happened to it."""
    rng = np.random.default_rng([2032, *made.seed])
    if change == "lamp":
        return replace(made, lighting=random_lighting(rng), light_seed=int(rng.integers(2**31)))
    if change == "camera":
        return replace(made, camera=random_camera(rng, RANGES))
    if change == "stranger":
        other = sitting(owner, made.seed[0] + 7, fonts)
        return replace(made, bodies=(other.bodies[0], *made.bodies[1:]))
    return made


def slipped(lessons: Sequence[FaceLesson], set_name: str, chance: np.random.Generator) -> list[FaceLesson]:
    """Return the answers with one said text in `SLIP` exchanged for another one of the set."""
    texts = [face.text for die in dice_set(set_name).dice for face in die.faces]
    return [
        replace(one, text=str(chance.choice(texts))) if one.named and one.text and chance.random() < 1 / SLIP else one
        for one in lessons
    ]


def report(counts: Counts, number: int) -> dict[str, list[dict[str, Any]]]:
    """Return for each kind of dice the figures of the first blocks of throws, of the rest, and of all."""
    kinds = sorted({kind for kind, _, _ in counts})
    every = tuple(range(-(-number // BLOCK)))
    parts = [every[:1], every[1:2], every[2:3], every[3:6], every[6:], every]
    return {kind: [_part(counts, kind, part) for part in parts if part] for kind in kinds}


def _part(counts: Counts, kind: str, blocks: tuple[int, ...]) -> dict[str, Any]:
    names = ("correct", "asked", "missed", "silent")
    found = {name: sum(counts[kind, block, name] for block in blocks) for name in names}
    dice = sum(found.values())
    return {
        "throws": [blocks[0] * BLOCK + 1, (blocks[-1] + 1) * BLOCK],
        "dice": dice,
        **{name: rate(count, dice) for name, count in found.items()},
    }


if __name__ == "__main__":
    main()

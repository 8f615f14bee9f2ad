"""What two lamps are worth: dice that one look leaves in doubt, looked at again under either lamp alone.

Each throw is drawn three times with the same room light: under both lamps, under the one, under the other. Only where
the first look leaves a question are the others taken, as at a table. With ``--choose`` the dice are in the hands that
choose thresholds, and the limit of `asking.lit` is chosen again; otherwise they are in held-out fonts.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.reader import pictures
from bench.scoring import rate
from companion.vision.dice.asking import lit
from companion.vision.dice.decode import bag_of
from companion.vision.dice.geometry import inside
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import DiceReading, ReadDie
from workshop.hands import choosing_hands
from workshop.scenes import RANGES, Font, Ranges, Scene, find_fonts, random_scene, render
from workshop.scenes.lighting import Light, Lighting
from workshop.scenes.scene import NoRoomError
from workshop.training.material import PARTED

SETS = {"wibold": "usual", "d20": "usual"}
"""The dice, and the ranges of camera and table."""

PART = 10
"""Throws of a set that are drawn and read one after the other."""

LOOKS = 3
ROOM = 1.0
"""The limit is this far, in log odds, below what any wrong agreement on the choosing dice missed."""

NONE_WRONG = 2.0
"""What the lowest wrong agreement counts as if there is none."""

NAMES = {"wibold": ("letter cubes", "tetrahedra"), "d20": ("d20", "")}


@dataclass(frozen=True)
class Job:
    """Some throws of one set; the same seed and part give the same throws."""

    set_name: str
    seed: int
    part: int
    throws: int
    chooses: bool


@dataclass(frozen=True)
class Die:
    """One drawn die, and what the looks made of it.

    ``first`` and ``joined``: `right`, `wrong`, or `asked`. ``reason``: why the first reading asks. ``texts`` and
    ``short``: of the first look, and where that left a question in the throw, of those under either lamp.
    """

    kind: str
    throw: str
    truth: str
    legible: bool
    first: str
    joined: str
    reason: str
    texts: tuple[str | None, ...] = ()
    short: tuple[float | None, ...] = ()


def lightings(rng: np.random.Generator) -> tuple[Lighting, Lighting, Lighting]:
    """Return the light of a room with two lamps on different sides of the table: both lit, the one, the other."""
    room = float(rng.uniform(0.08, 0.5))
    around = float(rng.uniform(0, 2 * np.pi))
    lamps = []
    for turn in (0.0, float(rng.uniform(np.radians(90), np.radians(270)))):
        height = float(np.radians(rng.uniform(15, 55)))
        direction = (np.cos(around + turn) * np.cos(height), np.sin(around + turn) * np.cos(height), np.sin(height))
        strength = (1 - room) / np.sin(height) * np.exp(rng.normal(0, 0.08, 3))
        colour = (float(strength[0]), float(strength[1]), float(strength[2]))
        x, y, z = (float(part) for part in direction)
        lamps.append(Light((x, y, z), colour, float(rng.uniform(0.2, 1.0))))
    halves = tuple(replace(lamp, colour=(lamp.colour[0] / 2, lamp.colour[1] / 2, lamp.colour[2] / 2)) for lamp in lamps)
    level = (room, room, room)
    return Lighting(level, halves), Lighting(level, (lamps[0],)), Lighting(level, (lamps[1],))


def scenes(rng: np.random.Generator, fonts: Sequence[Font], set_name: str, ranges: Ranges) -> list[Scene]:
    """Return one throw under both lamps, under the one and under the other."""
    made = random_scene(rng, fonts, ranges=replace(ranges, hand=0, moving=0), set_name=set_name)
    seeds = (made.grain_seed, *(int(rng.integers(2**31)) for _ in range(2)))
    return [replace(made, lighting=light, grain_seed=seed) for light, seed in zip(lightings(rng), seeds, strict=True)]


def read_under_lamps(job: Job) -> list[Die]:
    """Draw and read some throws."""
    cv2.setNumThreads(1)
    fonts = choosing_hands(PARTED) if job.chooses else find_fonts("held-out")
    reader = DiceReader(job.set_name, learns=False)
    found: list[Die] = []
    for number in range(job.throws):
        rng = np.random.default_rng([job.seed, job.part, number, len(job.set_name)])
        try:
            shown = scenes(rng, fonts, job.set_name, RANGES[SETS[job.set_name]])
        except NoRoomError:
            continue
        drawn = render(shown[0])
        readings = [reader.read(drawn.image)]
        if readings[0].status != "read":
            readings += [reader.read(render(scene).image) for scene in shown[1:]]
        joined = readings[0] if len(readings) == 1 else lit.join_lit(readings[0], readings[1:])
        for label in drawn.labels:
            polygon = np.array(label.polygon)
            every = [_on(one, polygon) for one in readings]
            kind = NAMES[job.set_name][int(label.die == "consonants")]
            found.append(
                Die(
                    kind,
                    f"{job.part}/{number}",
                    label.face,
                    label.legible,
                    _outcome(every[0], label.face),
                    _outcome(_on(joined, polygon), label.face),
                    "" if every[0] is None else every[0].reason,
                    tuple(None if one is None else one.face for one in every),
                    tuple(None if one is None else one.short for one in every),
                )
            )
    return found


def jobs(sets: Sequence[str], throws: int, seed: int, *, chooses: bool) -> Iterator[Job]:
    """Yield the parts of a measurement, each set in turn, so that whatever is done by then is of all sets."""
    for part in range(-(-throws // PART)):
        for name in sets:
            yield Job(name, seed, part, min(PART, throws - PART * part), chooses)


def table(dice: Sequence[Die]) -> dict[str, Any]:
    """Return for each kind of dice what one look and the joined looks read rightly and wrongly."""
    report: dict[str, Any] = {}
    for kind in dict.fromkeys(die.kind for die in dice):
        own = [die for die in dice if die.kind == kind]
        legible = [die for die in own if die.legible]
        report[kind] = {
            name: {
                "right": rate(sum(getattr(die, name) == "right" for die in legible), len(legible)),
                "silent": rate(sum(getattr(die, name) == "wrong" for die in own), len(own)),
            }
            for name in ("first", "joined")
        }
    return report


def switched(dice: Sequence[Die]) -> dict[str, Any]:
    """Return at how many of the throws the lamps were switched."""
    throws = {(die.kind in NAMES["wibold"], die.throw): len(die.texts) == LOOKS for die in dice}
    return rate(sum(throws.values()), len(throws))


def chosen(dice: Sequence[Die]) -> dict[str, Any]:
    """Return the limit that the dice allow: `ROOM` below the looks that agree on a wrong text and miss least."""
    agree: list[tuple[float, bool]] = []
    for die in dice:
        known = [short for short in die.short if short is not None]
        shown = {None if text is None else bag_of(text) for text in die.texts}
        if die.first == "asked" and len(known) == LOOKS and len(shown) == 1:
            agree.append((sum(known[1:]), bag_of(die.truth) in shown))
    lowest = min((missed for missed, right in agree if not right), default=NONE_WRONG)
    most = math.floor(10 * (lowest - ROOM)) / 10
    return {
        "most": most,
        "agreeing": len(agree),
        "wrong": sum(not right for _, right in agree),
        "lowest_wrong": round(lowest, 2),
        "read": sum(missed <= most for missed, _ in agree),
    }


def write(figures: dict[str, Any]) -> None:
    """Replace the limit by which the program joins looks under two lamps."""
    lines = [
        "# What looks under two lamps may miss together: log odds below what one look is read at, summed over the two.",
        "# Written by `python -m bench.reader.two_lamps --choose`, from drawn dice whose views agree.",
        "",
        *(f"{key} = {value}" for key, value in figures.items()),
    ]
    Path(lit.__file__).with_name(lit.TABLE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _on(reading: DiceReading, polygon: np.ndarray[Any, np.dtype[np.float64]]) -> ReadDie | None:
    near = [die for die in reading.dice if die.candidates and inside(np.mean(die.polygon, axis=0), polygon)]
    return near[0] if near else None


def _outcome(die: ReadDie | None, truth: str) -> str:
    if die is None or die.status != "read":
        return "asked"
    return "right" if bag_of(die.face or "") == bag_of(truth) else "wrong"


def main() -> int:
    """Draw, read, print, and write the chosen limit if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=150, help="throws of each set")
    parser.add_argument("--seed", type=int, default=20261124)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--choose", action="store_true", help="choose the program's own limit, and write it")
    parser.add_argument("--dice", type=Path, help="a file for what became of each die, written anew after each part")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    dice: list[Die] = []
    for job in jobs(given.sets.split(","), given.n, given.seed, chooses=given.choose):
        dice += read_under_lamps(job)
        if given.dice:
            given.dice.write_text("".join(json.dumps(asdict(die)) + "\n" for die in dice), encoding="utf-8")
    if given.choose:
        write(chosen(dice) | {"throws": switched(dice)["of"], "seed": given.seed})
    figures = {"throws": given.n, "seed": given.seed, "fonts": "choosing" if given.choose else "held-out"}
    print(json.dumps(figures | {"load": pictures.load(), "switched": switched(dice), "kinds": table(dice)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

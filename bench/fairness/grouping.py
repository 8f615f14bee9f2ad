"""Dice without a learnt set under the laboratory's camera: sorted by likeness, named once, then counted throw by throw.

``python -m bench.fairness.grouping -n 500 --seed 1``: each die has a hand, material, camera and light of its own, drawn
with held-out fonts; every third die is loaded. The labels answer for the person, who names the rows of the first throws
once, and the rows of doubtful throws at the end. A row whose shown crops are of two faces is not named. ``own20`` and
``own6`` are dice with letters of odd hands for symbols: what the general reader takes them for plays no part in it.

With ``--traced FOLDER --blender PYTHON`` Blender path traces the throws: light, materials and ground are its own, the
same for all throws of a die but for a little drift. Pictures that are in the folder are not traced again.
"""

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from bench.scoring.intervals import rate
from companion.fairness.outcomes import Outcomes, outcomes_of
from companion.fairness.planning import off_by
from companion.fairness.reader_errors import ReaderErrors
from companion.fairness.reader_file import seen_of
from companion.fairness.verdict import judge
from companion.rules.dice import dice_set
from companion.rules.dice_file import parse_dice_set
from companion.rules.die import DiceSet
from companion.vision.dice.atlas.method import ByUpperFace, NotCut, Sorted, cuts_of, method_for, sorted_throws
from companion.vision.dice.groups.course import LEAST_EACH
from companion.vision.dice.groups.crops import Cropper
from companion.vision.dice.groups.named import pooled
from companion.vision.images import decode_image, load_image
from companion.vision.readings import Image
from workshop.hands import choosing_hands
from workshop.photoreal.describe import as_plain, describe
from workshop.photoreal.tracing import as_a_camera_delivers, trace
from workshop.scenes.bodies import random_body
from workshop.scenes.faces import random_numeral_style, random_style
from workshop.scenes.fonts import Font, find_fonts
from workshop.scenes.lighting import random_lighting
from workshop.scenes.render import Rendered, render
from workshop.scenes.scene import (
    USUAL,
    NoRoomError,
    Ranges,
    Scene,
    random_camera,
    random_lens,
    random_scene,
    throw_dice,
)
from workshop.training.material import PARTED

RANGES: Final[Ranges] = replace(
    USUAL,
    size=(640, 480),
    edge=(55, 110),
    field_of_view=(20, 40),
    tilt=(0, 8),
    things=0.0,
    tray=0.0,
    hand=0.0,
    moving=0.0,
)
DICE: Final = ("d20",) * 8 + ("d12",) * 3 + ("d10",) * 2 + ("own20", "own20", "own6")
OWN: Final = {"own20": ("icosahedron", 20), "own6": ("cube", 6)}
ODD: Final = ("blackletter", "gotico-antiqua", "uncial", "slavonic", "hand", "script")
SAMPLES: Final = 4
"""For each pixel that is path traced, before noise is taken out."""

LEARN_EACH: Final = 8
"""The rows are made of so many throws for each face."""

LOADED: Final = 0.1
"""The last face of a loaded die falls more often by this."""

EVERY: Final = 3


@dataclass(frozen=True)
class Throws:
    """The throws of one die: the drawn picture and the true face of each."""

    dice: DiceSet
    outcomes: Outcomes
    loaded: bool
    drawn: Iterator[tuple[Rendered, str]]


def set_of(kind: str) -> DiceSet:
    """Return the dice of a kind; a die with own symbols has letters for names."""
    if kind not in OWN:
        return dice_set(kind)
    shape, number = OWN[kind]
    faces = ", ".join(f'"{chr(ord("A") + place)}"' for place in range(number))
    text = f'title = "own"\nsource = "own"\n[[dice]]\nname = "own"\nshape = "{shape}"\nfaces = [{faces}]\n'
    return parse_dice_set("own", text.encode(), "own.toml")


@dataclass(frozen=True)
class Tracer:
    """Path traces throws. ``blender``: a Python with ``bpy``; None if every picture is there."""

    folder: Path
    blender: str | None

    def pictures(self, scenes: Sequence[Scene], seed: Sequence[int]) -> Iterator[Rendered]:
        """Yield the pictures of the throws of one die as a camera delivers them, with their labels."""
        place = self.folder / "-".join(map(str, seed))
        place.mkdir(parents=True, exist_ok=True)
        traced = [(place / f"throw_{number:04d}.png").resolve() for number in range(len(scenes))]
        with tempfile.TemporaryDirectory() as work:
            jobs = []
            for number, (scene, picture) in enumerate(zip(scenes, traced, strict=True)):
                if not picture.is_file():
                    jobs.append(self._job(scene, picture, Path(work), seed, number))
            if jobs and self.blender is not None:
                trace(jobs, self.blender)
        for scene, picture in zip(scenes, traced, strict=True):
            _, jpeg = as_a_camera_delivers(load_image(picture), scene.lens, scene.grain_seed)
            yield replace(render(scene), jpeg=jpeg)

    @staticmethod
    def _job(scene: Scene, picture: Path, textures: Path, seed: Sequence[int], number: int) -> dict[str, Any]:
        drift = np.random.default_rng([2034, *seed, number])
        report = describe(scene, textures, np.random.default_rng([2035, *seed]))
        report |= {"things": [], "tray": None, "seed": int(drift.integers(2**31))}
        report["exposure"] += float(drift.normal(0, 0.04))
        return as_plain(report, picture, textures, SAMPLES)


def throws_of(
    kind: str, seed: Sequence[int], number: int, fonts: Sequence[Font], *, loaded: bool, tracer: Tracer | None = None
) -> Throws:
    """Draw a die of this kind and throw it."""
    rng = np.random.default_rng([*seed])
    dice = set_of(kind)
    odd = [font for font in fonts if font.style in ODD] or list(fonts)
    style = random_style(rng, odd) if kind in OWN else random_numeral_style(rng, fonts)
    body = random_body(rng, dice.dice[0], dice.name, style, 1.0)
    camera, outcomes = random_camera(rng, RANGES), outcomes_of(dice.dice[0])
    chances = off_by(outcomes, outcomes.contrasts[len(outcomes.labels) - 1], LOADED) if loaded else outcomes.fair
    scene = replace(
        random_scene(rng, fonts, ranges=RANGES, bodies=[body], camera=camera),
        camera=camera,
        lighting=random_lighting(rng),
        lens=random_lens(rng, RANGES),
        light_seed=int(rng.integers(2**31)),
    )

    def scenes() -> Iterator[tuple[Scene, str]]:
        for place in rng.choice(len(chances), number, p=chances):
            face = outcomes.labels[int(place)]
            while True:
                try:
                    lying = throw_dice(rng, [body], camera, touching=0, faces={body.die.name: face}, rim=24)
                    break
                except NoRoomError:
                    continue
            lens = replace(scene.lens, exposure=scene.lens.exposure * float(np.exp(rng.normal(0, 0.03))))
            yield replace(scene, dice=lying, lens=lens, grain_seed=int(rng.integers(2**31))), face

    def drawn() -> Iterator[tuple[Rendered, str]]:
        if tracer is None:
            for one, face in scenes():
                yield render(one), face
            return
        thrown = list(scenes())
        yield from zip(tracer.pictures([one for one, _ in thrown], seed), (face for _, face in thrown), strict=True)

    return Throws(dice, outcomes, loaded, drawn())


@dataclass
class Counted:
    """What became of the throws: the face that counts for each, None while it is doubtful."""

    truth: list[str]
    read: list[str | None]
    cuts: list[Any]
    unseen: int = 0
    rows: int = 0
    """Those that a person is asked about."""
    mixed: int = 0
    """Rows that are not asked about, or of which the person sees two faces."""
    doubtful_rows: int = 0


def counted(thrown: Throws, *, upper_face: bool) -> tuple[Counted, Sorted]:
    """Count the throws as a person with the laboratory would. ``upper_face``: compare upper faces alone."""
    die = thrown.dice.dice[0]
    method = ByUpperFace(Cropper(thrown.dice, die.name)) if upper_face else method_for(thrown.dice, die)
    faces: list[str] = []

    def pictures() -> Iterator[Image]:
        for shown, face in thrown.drawn:
            faces.append(face)
            yield decode_image(shown.jpeg)

    made = Counted([], [], [])
    course: Sorted | None = None
    for number, (_, one) in enumerate(cuts_of(method, pictures())):
        if isinstance(one, NotCut):
            made.unseen += 1
            continue
        made.truth.append(faces[number])
        made.cuts.append(one)
        if course is None and len(made.cuts) == max(LEARN_EACH, LEAST_EACH) * len(thrown.outcomes.labels):
            course = sorted_throws(made.cuts, thrown.dice, die, len(die.faces))
            made.read = _named(course, made)
        elif course is not None:
            verdict = course.read(one)
            made.read.append(verdict.name if verdict.sure else None)
    assert course is not None, "too few throws"
    return made, course


def _named(course: Sorted, made: Counted) -> list[str | None]:
    names = {}
    for number, row in enumerate(course.rows):
        shown = {made.truth[place] for place in row.shown}
        if row.mixed or len(shown) > 1:
            made.mixed += 1
        else:
            names[number] = shown.pop()
    made.rows = sum(not row.mixed for row in course.rows)
    course.name(names)
    return [verdict.name if verdict.sure else None for verdict in course.verdicts]


def measured(kind: str, thrown: Throws, *, upper_face: bool) -> dict[str, Any]:
    """Return the figures of one die."""
    begun = time.process_time()
    made, course = counted(thrown, upper_face=upper_face)
    doubtful = [place for place, name in enumerate(made.read) if name is None]
    rows = course.likes([made.cuts[place] for place in doubtful], doubtful)
    report = list(made.read)
    for row in rows:
        # the person sees the whole row and names what most of it shows
        name = Counter(made.truth[place] for place in row).most_common(1)[0][0]
        for place in row:
            report[place] = name
    labels = thrown.outcomes.labels
    places = [np.array([labels.index(face or "") for face in faces]) for faces in (report, made.truth)]
    plain, true = (judge(one, thrown.outcomes).said for one in places)
    sure = len(made.read) - len(doubtful)
    silent = sum(name is not None and name != true for name, true in zip(made.read, made.truth, strict=True))
    return {
        "die": kind,
        "loaded": thrown.loaded,
        "throws": len(made.truth),
        "unseen": made.unseen,
        "counted": sure,
        "silent": silent,
        "taps": made.rows,
        "mixed_rows": made.mixed,
        "doubtful_rows": len(rows),
        "wrong_in_doubtful_rows": sum(report[place] != made.truth[place] for place in doubtful),
        "guesses_right": sum(row.guess == made.truth[row.members[0]] for row in course.rows),
        "said": plain,
        "said_of_labels": true,
        "said_through_separation": _through(course, thrown.outcomes, places[0]),
        "processor_s": round(time.process_time() - begun),
    }


def _through(course: Sorted, outcomes: Outcomes, shown: Any) -> str:
    """Return what is said with the groups' separation as the reader's error; doubtful throws were answered."""
    seen = seen_of(pooled(course.separation, outcomes.labels), outcomes)
    kinds = np.arange(len(seen))
    seen[kinds, kinds] += seen[:, -1]
    seen[:, -1] = 0
    if (seen.sum(axis=1) == 0).any():
        return "a face was never named"
    return str(judge(shown, outcomes, reader=ReaderErrors(seen)).said)


def main() -> None:
    """Measure and print one JSON object, with a line for each die while it runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=500, help="throws of each die")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dice", nargs="+", default=list(DICE))
    parser.add_argument("--developing", action="store_true", help="fonts that measure nothing")
    parser.add_argument("--only", type=int, nargs="+", help="the places of the dice in the list, from 0")
    parser.add_argument("--upper-face", action="store_true", help="compare upper faces alone, whatever the die")
    parser.add_argument("--traced", type=Path, help="a folder for path traced pictures")
    parser.add_argument("--blender", help="a Python interpreter that has bpy")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = choosing_hands(PARTED) if given.developing else find_fonts("held-out")
    load = os.getloadavg()[0]
    dice = []
    tracer = Tracer(given.traced, given.blender) if given.traced else None
    for number, kind in enumerate(given.dice):
        if given.only and number not in given.only:
            continue
        seed, loaded = [2033, given.seed, number], number % EVERY == EVERY - 1
        thrown = throws_of(kind, seed, given.n, fonts, loaded=loaded, tracer=tracer)
        dice.append(measured(kind, thrown, upper_face=given.upper_face))
        if not given.json:
            print(json.dumps(dice[-1]), flush=True)
    throws = sum(one["throws"] for one in dice)
    report = {
        "n": given.n,
        "seed": given.seed,
        "counted": rate(sum(one["counted"] for one in dice), throws),
        "silent": rate(sum(one["silent"] for one in dice), throws),
        "load": [round(load, 2), round(os.getloadavg()[0], 2)],
        "dice": dice,
    }
    print(json.dumps(report, indent=None if given.json else 2))


if __name__ == "__main__":
    main()

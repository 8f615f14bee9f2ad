"""From which letter size a die is read: drawn dice of all sizes, the reader's answers, a table of bands.

With ``--write`` the table replaces the one from which the program gives advice.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.rules.dice import Shape, dice_set
from companion.vision.dice import legibility, nets
from companion.vision.dice.geometry import Points, area, inside
from companion.vision.dice.pose import foreshortening
from companion.vision.dice.reader import DiceReader, DiceSetNotReadError
from companion.vision.readings import ReadDie
from workshop.scenes import Font, NoFontsError, Ranges, find_fonts, random_bodies, random_scene, render
from workshop.scenes.layouts import LAYOUTS, TRIANGLE_LAYOUTS, Place
from workshop.scenes.scene import NoRoomError

SMALL = Ranges(
    size=(960, 720), edge=(14, 120), field_of_view=(17, 40), tilt=(0, 45), touching=0.3, things=0.2, hand=0, moving=0
)
NEAR = replace(SMALL, size=(1280, 960), edge=(50, 330), tilt=(0, 19))
PLANS: tuple[tuple[str, Shape, Ranges], ...] = (
    ("wibold", "cube", SMALL),
    ("wibold", "tetrahedron", NEAR),
    ("pips", "cube", SMALL),
    ("tiles", "tile", SMALL),
    ("d8", "octahedron", SMALL),
    ("d10", "trapezohedron", SMALL),
    ("d12", "dodecahedron", SMALL),
    ("d20", "icosahedron", SMALL),
)
"""Set, shape, and how it is drawn. Shapes that the reader or the renderer does not know are left out and reported."""

BANDS = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 15.0, 20.0, 30.0, 60.0)
"""Bounds of the bands, in pixels of a letter's height in its most foreshortened direction."""

MEAN_SCALE = 0.92
"""Mean scale of the drawn letters relative to the layouts' own size."""


@dataclass(frozen=True)
class Case:
    """One drawn die: the height of its smallest letter in pixels, and whether it was read right or wrong."""

    letter: float
    right: bool
    silent: bool


def main() -> int:
    """Draw, read, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=300, help="pictures of each set")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--only", default="", help="sets to measure, by default all")
    parser.add_argument("--write", action="store_true", help="write the program's own table")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        fonts = find_fonts("held-out")
    except NoFontsError as error:
        print(error, file=sys.stderr)
        return 1
    bands: list[dict[str, Any]] = []
    left_out: list[str] = []
    for set_name, shape, ranges in PLANS:
        if given.only and set_name not in given.only.split(","):
            continue
        try:
            cases = measure(set_name, shape, ranges, fonts, number=given.n, seed=given.seed)
        except (DiceSetNotReadError, ValueError, KeyError) as error:
            left_out.append(f"{set_name}: {error}")
            continue
        bands += in_bands(set_name, shape, cases)
    report = {"n": given.n, "seed": given.seed, "bands": bands, "left_out": left_out}
    if given.write:
        write(report, Path(legibility.__file__).with_name(legibility.TABLE))
    print(json.dumps(report))
    return 0


def measure(
    set_name: str, shape: Shape, ranges: Ranges, fonts: Sequence[Font], *, number: int, seed: int
) -> list[Case]:
    """Return every die of this shape in ``number`` pictures."""
    known = dice_set(set_name)
    names = tuple(die.name for die in known.dice if die.shape == shape)
    reader = DiceReader(set_name, names)
    rng = np.random.default_rng([seed, sum(set_name.encode()), sum(shape.encode())])
    cases = []
    for _ in range(number):
        bodies = tuple(body for body in random_bodies(rng, fonts, set_name, ranges) if body.die.name in names)
        try:
            shown = render(random_scene(rng, fonts, ranges=ranges, set_name=set_name, bodies=bodies))
        except NoRoomError:
            continue
        read = reader.read(shown.image).dice
        for label in shown.labels:
            if label.visible < 0.9:
                continue
            sides = [np.array(side.corners) for side in label.sides]
            letter = letter_height(np.array(label.corners), sides, shape, known.die(label.die).face(label.face).marks)
            if letter is not None:
                cases.append(Case(letter, *judged(read, np.array(label.polygon), label.face)))
    return cases


def letter_height(corners: Points, sides: Sequence[Points], shape: Shape, marks: Sequence[str]) -> float | None:
    """Return the height of the smallest letter in pixels; None if a side of a tetrahedron is not visible."""
    share = legibility.letter_share(drawn_shares(), shape, marks)
    if shape != "tetrahedron":
        return foreshortening(corners, shape).across * share
    if len(sides) < 3:
        return None
    heights = [2 * abs(area(side)) / float(np.linalg.norm(side[1] - side[2])) for side in sides]
    return min(heights) / float(np.sqrt(3) / 2) * share


def drawn_shares() -> legibility.Shares:
    """Return the heights of letters in edges of a die: the means of the drawn layouts."""
    cube = {marks: MEAN_SCALE * _smallest(layouts) for marks, layouts in LAYOUTS.items()}
    return {"cube": cube, "tetrahedron": {4: MEAN_SCALE * _smallest(TRIANGLE_LAYOUTS)}}


def _smallest(layouts: Sequence[Sequence[Place]]) -> float:
    return float(np.mean([min(height for _, _, height in layout) for layout in layouts]))


def judged(read: Sequence[ReadDie], polygon: Points, face: str) -> tuple[bool, bool]:
    """Tell whether the die was read right, and whether it was read wrong."""
    for die in read:
        if die.status == "read" and inside(np.mean(die.polygon, axis=0), polygon):
            right = sorted(die.face or "") == sorted(face)
            return right, not right
    return False, False


def in_bands(set_name: str, shape: Shape, cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Return the bands with their counts, smallest letters first."""
    found = []
    for low, high in pairwise(BANDS):
        within = [case for case in cases if low <= case.letter < high]
        if within:
            right, silent = sum(case.right for case in within), sum(case.silent for case in within)
            found.append(
                {"set": set_name, "shape": shape, "from": low, "to": high}
                | {"n": len(within), "right": right, "silent": silent}
            )
    return found


def write(report: dict[str, Any], path: Path) -> None:
    """Write the table, with the conditions of the measurement."""
    weights = hashlib.sha256(b"".join(nets.weights(name) for name in sorted(nets.card()["files"]))).hexdigest()
    lines = [
        "# From which size of its letters a die is read. Written by `python -m bench.reader.letter_size --write`.",
        "",
        "[measured]",
        f"seed = {report['seed']}",
        f"pictures = {report['n']}  # of each set",
        'fonts = "held-out"  # fonts that taught the reader nothing',
        f'weights = "{weights[:16]}"  # of the weights that read them, all files together (SHA-256)',
        "",
        "# Height of a letter in edges of its die, by how many letters the face bears: the mean of the drawn layouts.",
    ]
    for shape, shares in drawn_shares().items():
        lines += ["", f"[share.{shape}]"] + [f"{marks} = {share:.3f}" for marks, share in shares.items()]
    lines += [
        "",
        "# Bands of that height in pixels, where it is foreshortened most: so many dice, read right, read wrong.",
    ]
    for band in report["bands"]:
        lines += ["", "[[band]]"] + [f"{key} = {json.dumps(value)}" for key, value in band.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())

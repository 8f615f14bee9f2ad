"""The training material: the parts in which it is drawn, with which fonts, on how many cores.

``python -m workshop.training.material FOLDER NAME... [--scenes N] [--singles N] [--seed N] [--cores N]``
draws some of it, for instance ``scenes singles``, which is what the mark net learns from, and what checks that.
"""

import argparse
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Final

import cv2

from workshop.hands import more_hands, split_fonts
from workshop.training.draw import KINDS, SLANTED, draw_scenes
from workshop.training.singles import draw_singles
from workshop.training.store import write_scenes

PARTED: Final = 1
"""Seed of the split of the fonts, whatever the material's seed is: a validation font must never train."""

SCENES_AT_ONCE: Final = 200
SINGLES_AT_ONCE: Final = 4000
"""Material is drawn in parts of this many pictures, each with its own seed: it is the same on any number of cores."""

CHECK_SCENES: Final = 400
CHECK_SLANTED: Final = 250
CHECK_SINGLES: Final = 4000
ASIDE_SCENES: Final = 200
ASIDE_SLANTED: Final = 120
CHECK_SEED: Final = 900_001
"""Numbers of pictures drawn with the validation fonts, always the same ones.

They judge the weights; those named aside set the scale of the errors that the corner net states.
"""

SLANTED_SHARE: Final = 0.4
"""Additional scenes, as a share, that show sides beside the upper faces; only the corner net learns from them."""

SCENES: Final = "scenes"
SIDES: Final = "slanted"
SINGLES: Final = "singles"
CHECK: Final = "check"
ASIDE: Final = f"{CHECK}-aside"
"""Names of the drawn material: whole scenes, those that show many sides, single faces, and what checks the training."""


@dataclass(frozen=True)
class Part:
    """One file of material: what is drawn, how much, from which seed; ``check``: with the validation fonts."""

    name: str
    number: int
    seed: int
    check: bool = False


def parts(scenes: int, singles: int, seed: int) -> tuple[Part, ...]:
    """Return all parts to draw: those that check, always the same, and this many scenes and single faces of a seed."""
    return (
        Part(f"{CHECK}-{SCENES}", CHECK_SCENES, CHECK_SEED, check=True),
        Part(f"{CHECK}-{SINGLES}", CHECK_SINGLES, CHECK_SEED + 1, check=True),
        Part(f"{CHECK}-{SIDES}", CHECK_SLANTED, CHECK_SEED + 2, check=True),
        Part(f"{ASIDE}-{SCENES}", ASIDE_SCENES, CHECK_SEED + 3, check=True),
        Part(f"{ASIDE}-{SIDES}", ASIDE_SLANTED, CHECK_SEED + 4, check=True),
        *_parts(SCENES, scenes, SCENES_AT_ONCE, 10_000 * seed),
        *_parts(SIDES, round(SLANTED_SHARE * scenes), SCENES_AT_ONCE, 10_000 * seed + 3_000),
        *_parts(SINGLES, singles, SINGLES_AT_ONCE, 10_000 * seed + 5_000),
    )


def _parts(name: str, number: int, most: int, seed: int) -> Iterator[Part]:
    for place, first in enumerate(range(0, number, most)):
        yield Part(f"{name}-{place:03d}", min(most, number - first), seed + place)


def draw_all(folder: Path, wanted: Sequence[Part], cores: int) -> None:
    """Draw all parts into a folder with ``cores`` processes, each part in one of them."""
    with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(draw, repeat(folder), wanted))


def draw(folder: Path, part: Part) -> None:
    """Draw one part."""
    cv2.setNumThreads(1)
    teach, validate = split_fonts(PARTED)
    fonts = validate if part.check else (*teach, *more_hands())
    if SINGLES in part.name:
        drawn = draw_singles(fonts, part.number, part.seed)
    else:
        kinds = SLANTED if SIDES in part.name else KINDS
        drawn = draw_scenes(fonts, part.number, part.seed, kinds=kinds)
    write_scenes(drawn, folder, part.name)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python -m workshop.training.material")
    asked.add_argument("folder", type=Path)
    asked.add_argument("names", nargs="+", choices=[SCENES, SIDES, SINGLES])
    for option, usual in (("scenes", 4000), ("singles", 80000), ("seed", 1), ("cores", 1)):
        asked.add_argument(f"--{option}", type=int, default=usual)
    given = asked.parse_args()
    # only the corner net, the one that learns from the sides, needs what sets the scale of its errors
    kinds = (CHECK, ASIDE) if SIDES in given.names else (CHECK,)
    known = [*given.names, *(f"{kind}-{name}" for kind in kinds for name in given.names)]
    wanted = parts(given.scenes, given.singles, given.seed)
    draw_all(given.folder, [part for part in wanted if part.name.rstrip("-0123456789") in known], given.cores)

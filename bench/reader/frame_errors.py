"""How much several frames of one throw say together: how alike the reader errs in frames that differ only in noise.

With ``--write`` the figures replace those by which the program joins frames.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.vision.dice.combine import combine
from companion.vision.dice.geometry import inside
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import DiceReading, ReadDie
from workshop.scenes import Font, NoFontsError, Ranges, find_fonts, random_bodies, random_scene, render
from workshop.scenes.scene import NoRoomError

UNCLEAR = Ranges(
    size=(640, 480), edge=(18, 65), field_of_view=(17, 40), tilt=(0, 40), noise=(2, 9), touching=0.3, hand=0, moving=0
)
"""Dice that are hard to read: where nothing is in doubt, more frames do not matter."""

FRAMES = 4
FLOOR = 1e-4
"""Probability of an unlisted face: the reader lists no face below it."""

SURE = 0.995
"""Dice are left out if every frame is at least this sure of the truth: their posteriors are at their bound."""


def main() -> int:
    """Draw, read, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=250, help="throws, each in some frames")
    parser.add_argument("--seed", type=int, default=20261123)
    parser.add_argument("--write", action="store_true", help="write the program's own figures")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        fonts = find_fonts("held-out")
    except NoFontsError as error:
        print(error, file=sys.stderr)
        return 1
    report = {"throws": given.n, "frames": FRAMES, "seed": given.seed} | measure(fonts, given.n, given.seed)
    if given.write:
        lines = [
            "# How alike the reader errs in frames of a throw. By `python -m bench.reader.frame_errors --write`.",
            "# Dice that no frame left in doubt are not among them. The interval is of 95 %, by resampling dice.",
            "",
            *(f"{key} = {_toml(value)}" for key, value in report.items()),
        ]
        Path(combine.__code__.co_filename).with_name("frame_errors.toml").write_text(
            "\n".join(lines) + "\n", encoding="utf-8"
        )
    print(json.dumps(report))
    return 0


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(part)}" for key, part in value.items()) + "}"
    return json.dumps(value)


def measure(fonts: Sequence[Font], number: int, seed: int) -> dict[str, Any]:
    """Return the correlation between frames, and what single and joined frames read right and wrong."""
    rng = np.random.default_rng(seed)
    reader = DiceReader("wibold", ("1", "2", "3"))
    margins: list[list[float]] = []
    outcomes = np.zeros((2, 2), int)
    dice = 0
    for _ in range(number):
        bodies = [body for body in random_bodies(rng, fonts, "wibold", UNCLEAR) if body.die.shape == "cube"]
        try:
            scene = random_scene(rng, fonts, ranges=UNCLEAR, bodies=bodies)
        except NoRoomError:
            continue
        seeds = [scene.grain_seed, *(int(rng.integers(2**31)) for _ in range(FRAMES - 1))]
        shown = [render(replace(scene, grain_seed=grain)) for grain in seeds]
        readings = [reader.read(one.image) for one in shown]
        joined = combine(readings)
        for label in shown[0].labels:
            polygon = np.array(label.polygon)
            readings_of_die = [_on(reading, polygon) for reading in readings]
            dice += 1
            for row, die in enumerate((readings_of_die[-1], _on(joined, polygon))):
                if die is not None and die.status == "read":
                    outcomes[row, int(_bag(die.face) != _bag(label.face))] += 1
            if all(view is not None for view in readings_of_die) and label.visible > 0.9:
                margins.append([_margin(view, label.face) for view in readings_of_die if view is not None])
    table = np.array([row for row in margins if min(row) < np.log(SURE / (1 - SURE))])
    low, high = _resampled(table, np.random.default_rng(seed))
    correlation = correlated(table)
    return {
        "dice_in_doubt": len(table),
        "correlation": round(correlation, 4),
        "correlation_interval": [round(low, 4), round(high, 4)],
        "dice": dice,
        "one_frame": {"right": int(outcomes[0, 0]), "silent": int(outcomes[0, 1])},
        "joined": {"right": int(outcomes[1, 0]), "silent": int(outcomes[1, 1])},
    }


def correlated(table: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """Return the correlation within rows (dice x frames) by one-way analysis of variance (Fisher's intraclass)."""
    dice, frames = table.shape
    between = frames * float(table.mean(axis=1).var(ddof=1))
    within = float(table.var(axis=1, ddof=1).mean())
    return (between - within) / (between + (frames - 1) * within) if dice > 1 else 1.0


def _resampled(table: np.ndarray[Any, np.dtype[np.float64]], rng: np.random.Generator) -> tuple[float, float]:
    drawn = [correlated(table[rng.integers(len(table), size=len(table))]) for _ in range(1000)]
    low, high = np.percentile(drawn, (2.5, 97.5))
    return float(low), float(high)


def _margin(reading: ReadDie, face: str) -> float:
    """Return the log odds of the truth against the most likely other letters."""
    true = max(FLOOR, sum(chance for text, chance in reading.candidates if _bag(text) == _bag(face)))
    other = max([FLOOR, *(chance for text, chance in reading.candidates if _bag(text) != _bag(face))])
    return float(np.log(true / other))


def _on(reading: DiceReading, polygon: np.ndarray[Any, np.dtype[np.float64]]) -> ReadDie | None:
    near = [die for die in reading.dice if die.candidates and inside(np.mean(die.polygon, axis=0), polygon)]
    return near[0] if near else None


def _bag(text: str | None) -> str:
    return "".join(sorted(text or ""))


if __name__ == "__main__":
    sys.exit(main())

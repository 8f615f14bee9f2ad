"""A few drawn pictures, always the same, by which it is noticed if a reader got worse."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.scoring import Score
from companion.rules.dice import dice_set
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import readable
from workshop.scenes import Ranges, find_fonts, random_scene, render

KEPT: Final = Path(__file__).parent / "kept.json"
"""What became of each die with the reader that was kept; ``python -m bench.reader.reader_baseline --write`` anew."""

NUMBERS: Final = {"wibold": 9, "pips": 4, "ludix": 4, "tiles": 2, "d6": 1, "d8": 1, "d10": 1, "d12": 1, "d20": 1}
"""How many pictures there are of each set, as far as the reader reads it."""

FAR: Final = Ranges(size=(800, 600), edge=(50, 120), tilt=(0, 20), hand=0, moving=0, quality=(80, 95))
NEAR: Final = replace(FAR, size=(1024, 768), edge=(110, 160), field_of_view=(17, 26), tilt=(0, 5))
"""Seen nearly from above, so that a tetrahedron's sides can be read."""


def score_fixed() -> Score:
    """Draw the pictures with the fonts that come with the program, and score the reader on them."""
    fonts = find_fonts(bundled=True)
    score = Score()
    for set_name, number in NUMBERS.items():
        if not readable(dice_set(set_name)):
            continue
        reader = DiceReader(set_name)
        for each in range(number):
            rng = np.random.default_rng([20261121, *set_name.encode(), each])
            drawn = render(random_scene(rng, fonts, ranges=FAR if each % 3 else NEAR, set_name=set_name))
            stated: dict[str, Any] = {"objects": [die.to_json() for die in reader.read(drawn.image).dice]}
            score.add(drawn.to_json(f"{set_name}_{each}"), stated)
    return score

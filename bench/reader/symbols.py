"""Dice of marks that no net knows: how many are asked about and misread once a person has said what they show.

``python -m bench.reader.symbols --owners 6 --seed 11``: each owner has three cubes with 18 signs of one font (suns,
crosses, chessmen), which no net was taught, and a camera and light of their own. In the first throws a person answers
what the program asks; the others count. ``--frozen``: nothing is learnt any more after the first throws.
``--developing``: other signs, on which nothing is measured.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import cv2
import numpy as np

from bench.reader.sittings import RANGES, Sitting, carved_style
from bench.scoring.intervals import rate
from bench.scoring.sitting import Throw, play
from companion.rules.dice import DiceSet
from companion.rules.dice_file import parse_dice_set
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.images import decode_image
from workshop.scenes.bodies import random_body
from workshop.scenes.faces import random_style
from workshop.scenes.fonts import find_fonts
from workshop.scenes.grounds import random_ground
from workshop.scenes.lighting import random_lighting
from workshop.scenes.scene import random_camera, random_lens

FONT: Final = "DejaVuSans"
MEASURED: Final = "☀☂★☎☘☠☢☥☪☮☯☸☺♀♃♆♈♉♋♌♏♐♔♖♘♠♣♥♦♨♪♻⚓⚔⚖⚙⚛⚜⚡✂✈✉✌✎✡❀❄❦"
DEVELOPING: Final = "☁☃☄☇☉☊☏☕☚☝☣☤☨☫☭☹☼☽☿♁♄♅♇♊♍♎♑♒♓♕♗♙♤♧♩♫♭♰⚐⚒⚕⚘⚚⚞✁✆✍✓✗✜✿❖❧"
"""Signs that no two of which look alike in every turn; the second row measures nothing."""

CUBES: Final = 3
CARVED: Final = 3
"""Of so many owners, one carves the dice without colour."""


def main() -> None:
    """Print the figures of each owner, and then of all, as lines of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--owners", type=int, default=6)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--learn", type=int, default=60, help="throws in which a person answers")
    parser.add_argument("-n", type=int, default=200, help="throws that count")
    parser.add_argument("--frozen", action="store_true", help="only the first throws teach")
    parser.add_argument("--developing", action="store_true", help="signs that measure nothing")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    before = os.getloadavg()[0]
    signs = DEVELOPING if given.developing else MEASURED
    learning: list[Throw] = []
    counting: list[Throw] = []
    for number in range(given.owners):
        made, dice = owner(given.seed + 100 * number, signs, carved=number % CARVED == 1)
        reader = DiceReader(dice, memory=TableMemory())
        first = list(thrown(made, reader, range(given.learn), learn=True))
        then = list(thrown(made, reader, range(given.learn, given.learn + given.n), learn=not given.frozen))
        print(json.dumps({"owner": number, "questions": sum(one.asked for one in first), **figures(then)}), flush=True)
        learning += first
        counting += then
    report = {"seed": given.seed, "learn": given.learn, "frozen": given.frozen, "load": [before, os.getloadavg()[0]]}
    print(json.dumps(report | {"learning": figures(learning), "counting": figures(counting)}))


def owner(seed: int, signs: str, *, carved: bool) -> tuple[Sitting, DiceSet]:
    """Return an owner's sitting, and the set that their file describes."""
    rng = np.random.default_rng([2048, seed])
    chosen = [str(sign) for sign in rng.permutation(list(signs))]
    cubes = [chosen[6 * number : 6 * number + 6] for number in range(CUBES)]
    file = 'title = "Signs"\nsource = "drawn"\n' + "".join(
        f'[[dice]]\nname = "{number}"\nshape = "cube"\nfaces = {json.dumps(cube, ensure_ascii=False)}\n'
        for number, cube in enumerate(cubes, 1)
    )
    dice = parse_dice_set("signs", file.encode(), "signs.toml")
    fonts = [font for font in find_fonts() if font.name == FONT]
    style = carved_style(rng, fonts, (0.0, 0.5)) if carved else random_style(rng, fonts)
    bodies = tuple(random_body(rng, die, dice.name, style, float(rng.normal(1, 0.01))) for die in dice.dice)
    camera, ground = random_camera(rng, RANGES), random_ground(rng, RANGES.grounds)
    lighting, lens = random_lighting(rng), random_lens(rng, RANGES)
    return Sitting((seed, 48), dice.name, bodies, camera, ground, lighting, lens, int(rng.integers(2**31))), dice


def thrown(made: Sitting, reader: DiceReader, numbers: Iterable[int], *, learn: bool) -> Iterator[Throw]:
    """Yield what became of each throw, read and answered as at a table."""
    for number in numbers:
        shown = made.throw(number)
        image = {f"{number}": decode_image(shown.jpeg)}
        yield from play([shown.to_json(f"{number}")], image.__getitem__, reader, learn=learn)


def figures(throws: Sequence[Throw]) -> dict[str, Any]:
    """Return how many dice and throws became what, each with its interval."""
    became = Counter(one.became for throw in throws for one in throw.outcomes)
    dice = sum(became[name] for name in ("correct", "asked", "missed", "wrong"))
    return {
        **{name: rate(became[name], dice) for name in ("correct", "asked", "missed")},
        "silent": rate(sum(throw.silent for throw in throws), dice),
        "throws_wholly_read": rate(sum(throw.wholly_read for throw in throws), len(throws)),
    }


if __name__ == "__main__":
    main()

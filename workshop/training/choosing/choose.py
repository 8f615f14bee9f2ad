"""Choose when to ask: temperature and thresholds, on renderings that serve neither training nor measuring."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.rules.dice import dice_set
from companion.vision.dice.asking.selector import Selector
from companion.vision.dice.faces import CORNERS_OF, FaceReader
from companion.vision.dice.geometry import PLACES, cut_turned, inside
from companion.vision.dice.marks import Opinion
from companion.vision.dice.nets import Nets, Settings
from companion.vision.dice.reader import DiceReader
from companion.vision.images import load_image
from companion.vision.readings import Image
from workshop.training.choosing.confidence import threshold
from workshop.training.choosing.selecting import is_read, select
from workshop.training.choosing.validation import FOLDER, KINDS, LABELS, Judged, Recorder, draw, read

log = logging.getLogger(__name__)

TEMPERATURES: Final = np.exp(np.linspace(np.log(0.6), np.log(3.0), 25))

COOLED: Final = 40
"""Number of pictures of each kind that choose the temperature."""

STRAY: Final = 0.01
"""Assumed share of faces that are cut out wrongly and tell nothing; without it they alone would set the temperature."""

LEAST: Final = 0.96
"""Least threshold of a posterior, however well the validation renderings are read."""

SILENT: Final = 0.01
"""Silent errors are proved (95 %) to be at most this share of the validation tetrahedra; so few can prove no less."""


def choose(folder: Path, parts: int, cores: int) -> tuple[Settings, Selector, dict[str, Any]]:
    """Return the temperature that fits the validation faces best, and when to ask so that silent errors are rare.

    The third result holds the measurements. ``folder`` is where the validation pictures are kept, ``parts`` how many of
    their parts are used; missing pictures are drawn.

    Raises:
        TooFewDiceError: there are too few pictures to prove it.
    """
    draw(folder, parts, cores)
    temperature = round(best_temperature(folder), 3)
    found = read(folder, parts, temperature, cores)
    selector = select(found.judged)
    solids = [one for one in found.judged if one.features is None]
    least = max(
        LEAST,
        threshold(
            [(one.confidence, one.right) for one in solids], SILENT, dice=max(found.tetrahedra, len(solids))
        ).value,
    )
    upper = [one for one in found.judged if one.features is not None and is_read(selector, one.features)]
    sure = [one for one in solids if one.confidence >= least]
    measured = {
        "validation_pictures": found.pictures,
        **_reported("faces", upper, found.upper),
        **_reported("tetrahedra", sure, found.tetrahedra),
    }
    chosen = Settings(temperature, round(least, 5))
    log.info("chosen: %s; %s", chosen, measured)
    return chosen, selector, measured


def _reported(name: str, read_ones: list[Judged], there: int) -> dict[str, int]:
    return {
        f"validation_{name}": there,
        f"validation_{name}_right": sum(one.right and one.legible for one in read_ones),
        f"validation_{name}_silent": sum(not one.right for one in read_ones),
    }


def best_temperature(folder: Path) -> float:
    """Return the temperature with the least log loss on the upper faces, cut out where the reader finds them.

    ``folder``: where the validation pictures are; the first of each kind are used.
    """
    surprises = np.zeros(len(TEMPERATURES))
    nets = Nets()
    for kind, how in KINDS.items():
        dice = dice_set(how.dice)
        reader = DiceReader(dice, reads=Recorder(), learns=False, nets=nets)
        faces = FaceReader(dice, 1.0, nets)
        shapes = {CORNERS_OF[die.shape]: die.shape for die in dice.dice if die.shape in CORNERS_OF}
        names = [sorted(text) for _, text in faces.texts.upper]
        for image, truth in _pictures(folder / FOLDER / "0" / kind):
            for face in reader.find(image).faces:
                there = [one for one in truth if one["legible"] and inside(face.corners.mean(axis=0), one["polygon"])]
                if not there or sorted(there[0]["face"]) not in names:
                    continue
                right = np.array([name == sorted(there[0]["face"]) for name in names])
                view = faces.views([cut_turned(image, face.corners, PLACES[shapes[len(face.corners)]])])[0]
                for number, temperature in enumerate(TEMPERATURES):
                    known, _ = Opinion.of(view.logits, float(temperature)).chances(faces.texts.upper_bags)
                    chance = (1 - STRAY) * float(known[right].sum()) + STRAY * float(right.mean())
                    surprises[number] -= np.log(chance)
    return float(TEMPERATURES[int(surprises.argmin())])


def _pictures(folder: Path) -> Iterator[tuple[Image, list[dict[str, Any]]]]:
    if not (folder / LABELS).is_file():
        return
    for line in (folder / LABELS).read_text(encoding="utf-8").splitlines()[:COOLED]:
        label = json.loads(line)
        truth = [one | {"polygon": np.array(one["polygon"])} for one in label["objects"]]
        yield load_image(folder / label["image"]), truth

"""The second mark net: it confirms what stands on a face and contradicts what does not."""

from dataclasses import replace

import numpy as np
import pytest

from companion.rules.dice import dice_set
from companion.vision.dice.asking.second_marks import SecondMarks
from companion.vision.dice.faces import Texts
from companion.vision.dice.geometry import PLACES, cut_turned, inside
from companion.vision.dice.nets import Nets
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import Image
from workshop.scenes import find_fonts, random_scene, render
from workshop.scenes.scene import USUAL

TEXTS = Texts.of(dice_set("wibold"))
EVERY = range(len(TEXTS.upper))
NETS = Nets()
SECOND = SecondMarks(TEXTS.upper_bags, 1.435, NETS)


@pytest.fixture(scope="module")
def cubes() -> list[tuple[list[Image], int]]:
    """Return drawn cubes' upper faces in their four rotations, with the index of their text."""
    fonts = find_fonts("train", bundled=True)
    reader = DiceReader("wibold", nets=NETS)
    found = []
    for number in range(6):
        drawn = render(random_scene(np.random.default_rng([5, number]), fonts, ranges=replace(USUAL, size=(960, 720))))
        labels = [one for one in drawn.to_json("")["objects"] if one["die"] != "consonants" and one["legible"]]
        for face in reader.find(drawn.image).faces:
            for one in labels:
                if inside(face.corners.mean(axis=0), np.array(one["polygon"])):
                    shown = TEXTS.upper.index((one["die"], one["face"]))
                    found.append((cut_turned(drawn.image, face.corners, PLACES["cube"]), shown))
    return found


def test_it_confirms_most_texts_that_stand_there_and_contradicts_nearly_all_others(
    cubes: list[tuple[list[Image], int]],
) -> None:
    confirmed, wrongly = [], []
    for patches, shown in cubes:
        confirmed.append(SECOND.witness(patches, shown, EVERY).odds > 0)
        others = [i for i in EVERY if TEXTS.upper_bags.alike[i] != TEXTS.upper_bags.alike[shown]]
        wrongly += [SECOND.witness(patches, other, EVERY).odds > 0 for other in others[:3]]
    assert len(confirmed) >= 12
    assert sum(confirmed) >= 0.8 * len(confirmed)
    assert sum(wrongly) <= 0.05 * len(wrongly)


def test_only_texts_that_may_lie_there_count(cubes: list[tuple[list[Image], int]]) -> None:
    patches, shown = cubes[0]
    other = next(i for i in EVERY if TEXTS.upper_bags.alike[i] != TEXTS.upper_bags.alike[shown])
    alone, beside = SECOND.witness(patches, other, [other]), SECOND.witness(patches, other, [other, shown])
    assert alone.odds > 0, "there is no other text"
    assert beside.odds < 0
    assert alone.beside == beside.beside > 0, "other marks are likelier in any case"

"""What a real reader makes of a thing and of a strange die, once a table has learnt from some throws."""

from functools import cache

import cv2
import numpy as np
import pytest

from bench.reader.sittings import sitting
from companion.vision.dice.geometry import inside
from companion.vision.dice.memory.glimpses import FaceLesson, UpperGlimpse
from companion.vision.dice.memory.table import TableMemory
from companion.vision.dice.reader import DiceReader
from companion.vision.dice.upper_reader import LAY_THERE
from companion.vision.readings import Image, ReadDie
from tests.vision.dice.memory.views import CORNERS
from workshop.scenes.fonts import find_fonts

LEARNT = 3
TABLE = sitting("usual", 3, find_fonts("train", bundled=True))
throw = cache(TABLE.throw)
Place = tuple[float, float]


def middle(polygon: object) -> Place:
    x, y = np.mean(np.asarray(polygon, np.float64), axis=0)
    return float(x), float(y)


@pytest.fixture(scope="module")
def learnt() -> TableMemory:
    """Return what a table remembers that has learnt all dice of some throws."""
    memory = TableMemory()
    reader = DiceReader("wibold", memory=memory)
    for number in range(LEARNT):
        shown = throw(number)
        reader.read(shown.image)
        reader.learn([FaceLesson(middle(die.polygon), die.face, named=True) for die in shown.labels], str(number))
    return memory


@pytest.fixture
def reader(learnt: TableMemory) -> DiceReader:
    return DiceReader("wibold", memory=learnt.copy())


def cubes(number: int) -> dict[str, np.ndarray]:
    """Return the outlines of a throw's cubes by their names."""
    return {die.die: np.array(die.polygon) for die in throw(number).labels if len(die.polygon) == CORNERS}


def at(dice: tuple[ReadDie, ...], place: Place) -> list[ReadDie]:
    return [die for die in dice if inside(place, np.array(die.polygon))]


def with_thing(number: int, place: Place) -> Image:
    """Return a throw beside which a cube of another throw lies."""
    image, outline = throw(number).image.copy(), cubes(0)["3"]
    x, y = (round(value) for value in middle(outline))
    half = round(0.8 * float(np.ptp(outline, axis=0).max()))
    left, top = round(place[0]) - half, round(place[1]) - half
    image[top : top + 2 * half, left : left + 2 * half] = throw(0).image[y - half : y + half, x - half : x + half]
    return image


def free_place(*numbers: int) -> Place:
    """Return the place farthest from all dice of some throws."""
    dice = np.array([middle(die.polygon) for number in numbers for die in throw(number).labels])
    height, width = throw(0).image.shape[:2]
    grid = [(x, y) for x in range(width // 6, width, width // 12) for y in range(height // 6, height, height // 12)]
    inner = [(float(x), float(y)) for x, y in grid if x < 5 * width // 6 and y < 5 * height // 6]
    return max(inner, key=lambda place: float(np.linalg.norm(dice - place, axis=1).min()))


def test_a_thing_beside_the_dice_is_asked_about_once(reader: DiceReader) -> None:
    place = free_place(LEARNT, LEARNT + 1)
    first = reader.read(with_thing(LEARNT, place))
    assert any(die.status == "ask" for die in at(first.dice, place))
    reader.learn([FaceLesson(place, None, named=True)], "thing")
    again = reader.read(with_thing(LEARNT + 1, place))
    assert {(die.status, die.reason) for die in at(again.dice, place)} == {("ignored", LAY_THERE)}
    read = [die for die in again.dice if die.status == "read"]
    assert all(at(tuple(read), middle(outline.tolist())) for outline in cubes(LEARNT + 1).values())


def test_a_die_of_another_colour_is_read_as_if_nothing_were_remembered(reader: DiceReader) -> None:
    image, outlines = throw(LEARNT).image.copy(), cubes(LEARNT)
    changed = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(changed, outlines["1"].round().astype(np.int32), 255)
    image[changed > 0] = np.clip(image[changed > 0] * np.array([0.6, 0.9, 1.2]), 0, 255).astype(np.uint8)
    reader.read(image)
    known = {
        name: one.recalled is not None
        for name, outline in outlines.items()
        for one in reader.glimpses
        if isinstance(one, UpperGlimpse) and inside(middle(outline), one.polygon)
    }
    assert known == {"1": False, "2": True, "3": True}

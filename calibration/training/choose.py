"""Choosing when to ask: temperature and thresholds, on renderings that taught nothing and measure nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from companion.vision.dice.corners import Corners
from companion.vision.dice.decode import decode_cubes
from companion.vision.dice.faces import Chances, FaceReader, Marks, marks
from companion.vision.dice.geometry import cut_square, inside
from companion.vision.dice.locate import Locator
from companion.vision.dice.nets import Settings
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import Image, ReadDie

TEMPERATURES: Final = (0.35, 0.45, 0.6, 0.75, 0.9, 1.1, 1.4, 1.8)
LEAST: Final = 0.97
"""No threshold is chosen below this, however well the validation renderings were read."""

SILENT_AIM: Final = 0.006
"""Silent errors among the validation dice are to be at most this share: rarer than is allowed, as new fonts differ."""


@dataclass(frozen=True, eq=False)
class Judged:
    """One die of a validation rendering: the posterior of the answer, and whether it is right."""

    tetrahedron: bool
    confidence: float
    right: bool


class Truth(Protocol):
    """What lies in a picture: die, text of the face that counts, outline in pixels."""

    @property
    def die(self) -> str:
        """The die's name in its set."""
        ...

    @property
    def face(self) -> str:
        """The text of the face that counts."""
        ...

    @property
    def polygon(self) -> tuple[tuple[float, float], ...]:
        """The outline."""
        ...


def choose(pictures: Sequence[tuple[Image, Sequence[Truth]]]) -> tuple[Settings, list[Judged]]:
    """Return the temperature that explains the validation faces best, and thresholds that keep silent errors rare.

    ``pictures``: BGR pictures with their true dice (die, face, polygon).
    """
    temperature = _temperature(pictures)
    reader = DiceReader("wibold", chosen=Settings(temperature, 0.0, 0.0))
    judged = [one for image, truth in pictures for one in judge(reader.read(image).dice, truth)]
    cube = _threshold([one for one in judged if not one.tetrahedron])
    tetrahedron = _threshold([one for one in judged if one.tetrahedron])
    return Settings(temperature, cube, tetrahedron), judged


def judge(read: Sequence[ReadDie], truth: Sequence[Truth]) -> list[Judged]:
    """Pair what was read with what lies there; what lies on no die is wrong."""
    judged = []
    for die in read:
        if die.status != "read":
            continue
        centre = np.mean(die.polygon, axis=0)
        there = [one for one in truth if inside(centre, np.array(one.polygon))]
        right = any(sorted(one.face) == sorted(die.face or "") for one in there)
        judged.append(Judged(die.die == "consonants", die.confidence, right))
    return judged


def _temperature(pictures: Sequence[tuple[Image, Sequence[Truth]]]) -> float:
    """Cubes are decoded together as in use, and the temperature with the least surprise wins."""
    locator, corners, faces = Locator(), Corners(), FaceReader("wibold", 1.0)
    names = list(faces.texts.cube)
    dice = tuple(dict.fromkeys(name for name, _ in names))
    throws: list[tuple[Chances, list[int]]] = []
    for image, truth in pictures:
        cubes = corners.correct(image, locator.find(image)).cubes
        pairs = [
            (cube, names.index((one.die, one.face)))
            for cube in cubes
            for one in truth
            if (one.die, one.face) in names and inside(cube.corners.mean(axis=0), np.array(one.polygon))
        ]
        if 0 < len(pairs) <= len(dice):
            logits = faces.logits([cut_square(image, cube.corners) for cube, _ in pairs])
            throws.append((logits, [index for _, index in pairs]))

    def surprise(temperature: float) -> float:
        lost = 0.0
        for logits, true in throws:
            seen: Marks = marks(logits / temperature, faces.texts, cube=True)
            for one, index in zip(decode_cubes(seen.spread(), names, dice), true, strict=True):
                bag = sorted(names[index][1])
                chance = sum(value for (_, text), value in one.chances if sorted(text) == bag)
                lost -= float(np.log(max(chance, 1e-9)))
        return lost

    return min(TEMPERATURES, key=surprise)


def _threshold(judged: Sequence[Judged]) -> float:
    """Return the lowest threshold at which silent errors are as rare as wanted, among all these dice."""
    wrong = sorted((one.confidence for one in judged if not one.right), reverse=True)
    allowed = int(SILENT_AIM * len(judged))
    if len(wrong) <= allowed:
        return LEAST
    return float(min(0.9995, max(LEAST, wrong[allowed] + 1e-4)))

"""Choosing when to ask: temperature and thresholds, on renderings that taught nothing and measure nothing."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from calibration.scenes.fonts import Font
from calibration.scenes.render import DieLabel, Rendered, render
from calibration.scenes.scene import RANGES, NoRoomError, random_scene
from companion.rules.dice import DiceSet, dice_set
from companion.vision.dice.confidence import threshold
from companion.vision.dice.faces import CORNERS_OF, FaceReader
from companion.vision.dice.geometry import PLACES, cut_turned, inside
from companion.vision.dice.marks import Opinion
from companion.vision.dice.nets import Settings
from companion.vision.dice.reader import DiceReader
from companion.vision.readings import ReadDie

log = logging.getLogger(__name__)

SETS: Final = {
    "wibold": 0.5,
    "pips": 0.18,
    "ludix": 0.14,
    "d6": 0.04,
    "d8": 0.04,
    "d10": 0.03,
    "d12": 0.03,
    "d20": 0.04,
}
VIEWS: Final = {"tray": 0.35, "usual": 0.25, "wide": 0.2, "training": 0.2}
"""The shares of dice sets and of cameras, as they are set up, and as small as they come."""

TEMPERATURES: Final = np.exp(np.linspace(np.log(0.6), np.log(3.0), 25))

STRAY: Final = 0.01
"""So many faces are cut out wrongly and say nothing; without this they alone would set the temperature."""

LEAST: Final = 0.96
"""No threshold is chosen below this, however well the validation renderings were read."""

SILENT: Final = {"faces": 0.003, "polygons": 0.04, "tetrahedra": 0.02}
"""Silent errors are proved (95 %) to be at most this share of the validation dice: as far as their number can."""


@dataclass(frozen=True, eq=False)
class Judged:
    """One die of a validation rendering: the posterior of the answer, and whether it is right."""

    kind: str
    """Of which of `SILENT` it is."""
    confidence: float
    right: bool
    legible: bool
    """Whether a person could read it: a right answer counts only then, a wrong one always."""


def choose(rng: np.random.Generator, fonts: Sequence[Font], pictures: int) -> tuple[Settings, dict[str, Any]]:
    """Return the temperature that explains the validation faces best, and thresholds that keep silent errors rare.

    Also what was measured in doing so.

    Raises:
        TooFewDiceError: so few pictures cannot prove it.
    """
    drawn = list(_draw(rng, fonts, pictures))
    temperature = _temperature(drawn)
    judged: list[Judged] = []
    there = dict.fromkeys(SILENT, 0)
    readers = {
        name: DiceReader(name, chosen=Settings(temperature, 0.0, 0.0, 0.0), learns=False)
        for name in {dice.name for dice, _ in drawn}
    }
    for dice, shown in drawn:
        judged += judge(readers[dice.name].read(shown.image).dice, shown.labels)
        for label in shown.labels:
            there[kind_of(label)] += label.legible
    measured: dict[str, Any] = {"validation_pictures": len(drawn)}
    least = {}
    for name, dice_there in there.items():
        own = [one for one in judged if one.kind == name]
        found = threshold([(one.confidence, one.right) for one in own], SILENT[name], dice=max(dice_there, len(own)))
        least[name] = max(LEAST, found.value)
        measured[f"validation_{name}"] = dice_there
        measured[f"validation_{name}_right"] = sum(
            one.right and one.legible and one.confidence >= least[name] for one in own
        )
        measured[f"validation_{name}_silent"] = sum(not one.right and one.confidence >= least[name] for one in own)
    chosen = Settings(round(temperature, 3), *(round(least[name], 5) for name in SILENT))
    log.info("chosen: %s; %s", chosen, measured)
    return chosen, measured


def judge(read: Sequence[ReadDie], truth: Sequence[DieLabel]) -> list[Judged]:
    """Pair what was read with what lies there; what lies on no die is wrong."""
    judged = []
    for die in read:
        if die.status != "read":
            continue
        centre = np.mean(die.polygon, axis=0)
        there = [one for one in truth if inside(centre, np.array(one.polygon))]
        right = any(one.face == die.face or sorted(one.face) == sorted(die.face or "") for one in there)
        # what lies on no die is judged with the others of its picture
        kind = kind_of((there or truth)[0]) if truth else "faces"
        judged.append(Judged(kind, die.confidence, right, any(one.legible for one in there)))
    return judged


def kind_of(label: DieLabel) -> str:
    """Return under which of `SILENT` a die is judged."""
    if label.apex is not None:
        return "tetrahedra"
    return "faces" if label.shape in ("cube", "tile") else "polygons"


def _draw(rng: np.random.Generator, fonts: Sequence[Font], pictures: int) -> Iterator[tuple[DiceSet, Rendered]]:
    for _ in range(pictures):
        name = str(rng.choice(list(SETS), p=np.array(list(SETS.values())) / sum(SETS.values())))
        view = str(rng.choice(list(VIEWS), p=list(VIEWS.values())))
        try:
            yield dice_set(name), render(random_scene(rng, fonts, ranges=RANGES[view], set_name=name))
        except NoRoomError:
            continue


def _temperature(drawn: Sequence[tuple[DiceSet, Rendered]]) -> float:
    """The temperature with the least surprise at what stands on the upper faces, cut out as they are found."""
    surprises = np.zeros(len(TEMPERATURES))
    readers = {
        dice.name: (DiceReader(dice, chosen=Settings(1.0, 0.0, 0.0, 0.0)), FaceReader(dice, 1.0)) for dice, _ in drawn
    }
    for dice, shown in drawn:
        reader, faces = readers[dice.name]
        shapes = {CORNERS_OF[die.shape]: die.shape for die in dice.dice if die.shape in CORNERS_OF}
        for face in reader.find(shown.image).faces:
            true = [
                label
                for label in shown.labels
                if label.legible and inside(face.corners.mean(axis=0), np.array(label.polygon))
            ]
            names = [sorted(text) for _, text in faces.texts.upper]
            if not true or sorted(true[0].face) not in names:
                continue
            right = np.array([name == sorted(true[0].face) for name in names])
            logits = faces.logits([cut_turned(shown.image, face.corners, PLACES[shapes[len(face.corners)]])])
            for number, temperature in enumerate(TEMPERATURES):
                known, _ = Opinion.of(logits[0], float(temperature)).chances(faces.texts.upper_bags)
                chance = (1 - STRAY) * float(known[right].sum()) + STRAY * float(right.mean())
                surprises[number] -= np.log(chance)
    return float(TEMPERATURES[int(surprises.argmin())])

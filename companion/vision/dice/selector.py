"""When a face is read and when it is asked about: how sure it is, learnt from labelled faces, against its class's bar.

A face's posterior alone is no good measure: it is capped by what is allowed for unknown faces, and a side that was
taken for the upper face reads as surely as the upper face. So all that tells right from wrong is weighed: a logistic
regression for each family of faces. Its score is compared with the threshold of the class, by which so rare an error
was proved as the model card says.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.nets import SELECTOR, WeightsError, weights

Numbers = npt.NDArray[np.float64]

SURELY: Final = 12.0
"""Logarithms of odds count up to here: beyond, the net's own scale says nothing any more."""

NAMES: Final = (
    "odds",
    "beside",
    "readable",
    "chance",
    "seconded",
    "not seconded",
    "die",
    "upper",
    "on top",
    "error",
    "edge",
    "tilt",
    "marks",
    "off shape",
    "off size",
    "alike",
    "rival",
)
"""What is weighed, in the order of the weights; see `Features`."""


@dataclass(frozen=True)
class Features:
    """What tells whether a face is read rightly.

    ``family``: the faces that it is judged with. ``odds``, ``beside``, ``readable``: see `marks.Witness`. ``chance``:
    the posterior of the answer, after the dice of the throw were decoded together. ``seconded``: whether a second
    way of counting pips agrees; None if it does not say. ``die``: the chance that it is a face of a die at all;
    ``upper``: the logarithm of the odds that it is the upper one, without end where nothing else was thought of;
    ``on_top``: the chance of that as the corner net says.
    ``error``: how far its corners may be off, in edges. ``edge``: pixels. ``tilt``: degrees. ``marks``: how many
    stand on it. ``off_shape``, ``off_size``: see `scene.Scene.off`; ``alike``: so many faces agree with the scene.
    ``rival``: the evidence of another face of the same die.
    """

    family: str
    odds: float
    beside: float
    readable: float
    chance: float
    seconded: bool | None
    die: float
    upper: float
    on_top: float
    error: float
    edge: float
    tilt: float
    marks: int
    off_shape: float
    off_size: float
    alike: int
    rival: float

    def vector(self) -> Numbers:
        """Return the features as numbers of about one, in the order of `NAMES`."""
        return np.array(
            [
                min(self.odds, SURELY) / 4,
                min(self.beside, SURELY) / 4,
                np.clip(self.readable, -SURELY, SURELY) / 4,
                _odds(self.chance) / 4,
                float(self.seconded is True),
                float(self.seconded is False),
                _odds(self.die) / 4,
                np.clip(self.upper, -SURELY, SURELY) / 4,
                _odds(self.on_top) / 4,
                np.log(np.clip(self.error, 0.005, 0.5) / 0.03),
                np.log(max(self.edge, 1.0) / 60),
                self.tilt / 30,
                self.marks / 3,
                min(self.off_shape, 0.7) / 0.2,
                min(abs(self.off_size), 1.0) / 0.3,
                float(self.alike > 1),
                self.rival,
            ]
        )


@dataclass(frozen=True)
class Bar:
    """The threshold of one class, and its proof.

    Faces of a ``family`` seen from ``tilt`` (least, less than) degrees off and with ``marks`` (least, most) marks are
    read from ``least`` on. Of ``dice`` drawn such ones then ``wrong`` were read and wrong, which proves (95 %) a share
    of at most ``bound``.
    """

    family: str
    tilt: tuple[float, float]
    marks: tuple[int, int]
    least: float
    dice: int = 0
    wrong: int = 0
    bound: float = 1.0

    def holds(self, features: Features) -> bool:
        """Tell whether such a face is of this class."""
        low, high = self.tilt
        few, many = self.marks
        return self.family == features.family and low <= features.tilt < high and few <= features.marks <= many


@dataclass(frozen=True)
class Selector:
    """Says which faces are read. ``weights``: for each family those of `NAMES`, and last the constant."""

    weights: Mapping[str, Sequence[float]]
    bars: Sequence[Bar]

    def score(self, features: Features) -> float:
        """Return how sure it is that the face is read rightly: the logarithm of the odds, as learnt."""
        weights = np.asarray(self.weights[features.family], np.float64)
        return float(weights[:-1] @ features.vector() + weights[-1])

    def reads(self, features: Features) -> bool:
        """Tell whether a face is read without asking; a face of no class never is."""
        bar = next((one for one in self.bars if one.holds(features)), None)
        return bar is not None and self.score(features) >= bar.least


def _odds(chance: float) -> float:
    return float(np.log(np.clip(chance, 1e-5, 1) / np.clip(1 - chance, 1e-5, 1)))


@cache
def shipped() -> Selector:
    """Return the selector that belongs to the weights that are used.

    Raises:
        WeightsError: its file is missing, or is not what the model card says.
    """
    return from_toml(weights(SELECTOR).decode("utf-8"))


def from_toml(text: str) -> Selector:
    """Read what `to_toml` wrote.

    Raises:
        WeightsError: the features of the file are others than `NAMES`.
    """
    data = tomllib.loads(text)
    if tuple(data["features"]) != NAMES:
        raise WeightsError(
            f"Expected the selector's features to be {', '.join(NAMES)}, but its file has "
            f"{', '.join(data['features'])}; choose anew with companion train --step choose."
        )
    bars = (
        Bar(
            one["family"],
            (one["tilt"][0], one["tilt"][1]),
            (one["marks"][0], one["marks"][1]),
            one["least"],
            one["dice"],
            one["wrong"],
            one["bound"],
        )
        for one in data["bar"]
    )
    return Selector({family: tuple(weights) for family, weights in data["weights"].items()}, tuple(bars))


def to_toml(selector: Selector) -> str:
    """Return a selector as the text of its file, with the proof of each threshold."""
    names = ", ".join(f'"{name}"' for name in NAMES)
    lines = [
        "# When the dice reader reads an upper face without asking: companion/vision/dice/selector.py. Chosen by",
        "# companion train --step choose, for the weights beside it.",
        "",
        f"features = [{names}]",
        "",
        "[weights]  # of the features, and last the constant",
        *(f"{family} = [{', '.join(f'{one:.4f}' for one in known)}]" for family, known in selector.weights.items()),
    ]
    for bar in selector.bars:
        lines += [
            "",
            "[[bar]]",
            f'family = "{bar.family}"',
            f"tilt = [{bar.tilt[0]:g}, {bar.tilt[1]:g}]",
            f"marks = [{bar.marks[0]}, {bar.marks[1]}]",
            f"least = {bar.least:.4f}",
            f"dice = {bar.dice}",
            f"wrong = {bar.wrong}",
            f"bound = {bar.bound:.5f}",
        ]
    return "\n".join(lines) + "\n"

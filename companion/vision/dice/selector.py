"""When the reader reads a face without asking: a score learnt from labelled faces against the threshold of its class.

A face's posterior alone is a poor measure. The allowance for unknown faces caps it, and a side mistaken for the upper
face gets as high a posterior as the upper face. So a logistic regression for each family of faces weighs everything
that separates right readings from wrong ones. The selector compares its score with the threshold of the face's class.
The model card states how rare errors are proved to be at that threshold.
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
"""The largest log odds that count. Beyond this, the net's own scale carries no information."""

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
"""The features, in the order of the weights; see `Features`."""


@dataclass(frozen=True)
class Features:
    """The features that show whether a face is read correctly.

    ``family``: the family of faces whose weights and thresholds apply. ``odds``, ``beside``, ``readable``: see
    `marks.Witness`. ``chance``: the posterior of the answer, after decoding all dice of the throw together.
    ``seconded``: whether a second way of counting pips agrees; None if it gives no count. ``die``: the chance that the
    face is a face of a die. ``upper``: the logarithm of the odds that it is the upper face, infinite where no other
    face was considered. ``on_top``: the corner net's chance that it is the upper face. ``error``: how far its corners
    may be off, in edges. ``edge``: pixels. ``tilt``: degrees. ``marks``: how many marks stand on it. ``off_shape``,
    ``off_size``: see `scene.Scene.off`. ``alike``: how many faces agree with the scene. ``rival``: the evidence of
    another face of the same die.
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
        """Return the features scaled to about 1, in the order of `NAMES`."""
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

    The class: faces of a ``family``, with a tilt of ``tilt`` (least, less than) degrees and ``marks`` (least, most)
    marks. The reader reads them if their score is at least ``least``. Of ``dice`` drawn dice of this class it then
    read ``wrong`` wrongly, which proves (95 %) a share of at most ``bound``.
    """

    family: str
    tilt: tuple[float, float]
    marks: tuple[int, int]
    least: float
    dice: int = 0
    wrong: int = 0
    bound: float = 1.0

    def holds(self, features: Features) -> bool:
        """Return whether a face with these features is of this class."""
        low, high = self.tilt
        few, many = self.marks
        return self.family == features.family and low <= features.tilt < high and few <= features.marks <= many


@dataclass(frozen=True)
class Selector:
    """Decides which faces are read. ``weights``: for each family the weights of `NAMES`, then the constant."""

    weights: Mapping[str, Sequence[float]]
    bars: Sequence[Bar]

    def score(self, features: Features) -> float:
        """Return the learnt log odds that the face is read correctly."""
        weights = np.asarray(self.weights[features.family], np.float64)
        return float(weights[:-1] @ features.vector() + weights[-1])

    def reads(self, features: Features) -> bool:
        """Return whether a face is read without asking; a face of no class never is."""
        bar = next((one for one in self.bars if one.holds(features)), None)
        return bar is not None and self.score(features) >= bar.least


def _odds(chance: float) -> float:
    return float(np.log(np.clip(chance, 1e-5, 1) / np.clip(1 - chance, 1e-5, 1)))


@cache
def shipped() -> Selector:
    """Return the selector that belongs to the weights in use.

    Raises:
        WeightsError: its file is missing, does not match the model card, or has other features than `NAMES`.
    """
    return from_toml(weights(SELECTOR).decode("utf-8"))


def from_toml(text: str) -> Selector:
    """Read what `to_toml` wrote.

    Raises:
        WeightsError: the file has other features than `NAMES`.
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

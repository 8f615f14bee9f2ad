"""When the reader reads a face without asking: a score learnt from labelled faces against the threshold of its class.

A face's posterior alone is a poor measure. The allowance for unknown faces caps it, and a side mistaken for the upper
face gets as high a posterior as the upper face. So a logistic regression for each family of faces weighs everything
that separates right readings from wrong ones. The selector compares its score with the threshold of the face's class.
The model card states how rare errors are proved to be at that threshold.

A face that stays below its threshold gets a second pass by two more nets: the row net (`rows.RowReader`) and another
mark net (`second_marks.SecondMarks`). With what these say, the face has another score, with other weights, and another
threshold.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from companion.vision.dice.asking.clutter import log_odds
from companion.vision.dice.asking.rows import RowWitness
from companion.vision.dice.marks import Witness
from companion.vision.dice.nets import SELECTOR, WeightsError, weights

Numbers = npt.NDArray[np.float64]

MOST_LOG_ODDS: Final = 12.0
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

AGAIN_NAMES: Final = (
    *("rows own", "rows ahead", "rows first", "alike ahead", "alike first"),
    *("second odds", "second first", "second beside"),
)
"""The features of a second pass, which follow the others: how likely the row net thinks the text, by how much likelier
than any other one, whether it is the likeliest, and the same two beside those that are written in as many rows. Then
the second mark net's odds of the text and of marks beside the set, and whether the text is its likeliest, too."""

TURNED: Final = frozenset("MNVWZ")
"""Letters that another letter becomes when it lies upside down or on its side: M and W, N and Z, and an A whose bar is
faint. On tiles, nearly all sure errors are of these, so they have thresholds of their own."""

MOST_AHEAD: Final = 10.0
LEAST_OWN: Final = -20.0
"""The limits of these features, as natural logarithms."""


@dataclass(frozen=True)
class SecondPass:
    """What the row net and the second mark net say of the text that the first mark net reads."""

    rows: RowWitness
    marks: Witness


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
    another face of the same die. ``turned``: whether it shows a single letter of `TURNED`. ``again``: what the other
    nets say; None before the second pass.
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
    turned: bool = False
    again: SecondPass | None = None

    def vector(self) -> Numbers:
        """Return the features scaled to about 1, in the order of `NAMES`, after a second pass also of `AGAIN_NAMES`."""
        seen = np.array(
            [
                min(self.odds, MOST_LOG_ODDS) / 4,
                min(self.beside, MOST_LOG_ODDS) / 4,
                np.clip(self.readable, -MOST_LOG_ODDS, MOST_LOG_ODDS) / 4,
                log_odds(self.chance) / 4,
                float(self.seconded is True),
                float(self.seconded is False),
                log_odds(self.die) / 4,
                np.clip(self.upper, -MOST_LOG_ODDS, MOST_LOG_ODDS) / 4,
                log_odds(self.on_top) / 4,
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
        if self.again is None:
            return seen
        rows, marks = self.again.rows, self.again.marks
        again = [max(rows.own, LEAST_OWN) / 6 / max(rows.letters, 1)]
        for other in (rows.other, rows.alike):
            ahead = rows.own - other
            again += [np.clip(ahead, -MOST_AHEAD, MOST_AHEAD) / 4, float(ahead > 0)]
        again += [
            np.clip(marks.odds, -MOST_LOG_ODDS, MOST_LOG_ODDS) / 4,
            float(marks.odds > 0),
            min(marks.beside, MOST_LOG_ODDS) / 4,
        ]
        return np.array([*seen, *again])


@dataclass(frozen=True)
class Bar:
    """The threshold of one class, and its proof.

    The class: faces of a ``family``, with a tilt of ``tilt`` (least, less than) degrees and ``marks`` (least, most)
    marks, if ``turned`` is not None, only those that are turned letters or only those that are not, and if ``again``,
    only at a second pass. The reader reads them if their score is at least ``least``. Of
    ``dice`` drawn dice of this class it then read ``wrong`` wrongly, which proves (95 %) a share of at most ``bound``.
    """

    family: str
    tilt: tuple[float, float]
    marks: tuple[int, int]
    least: float
    dice: int = 0
    wrong: int = 0
    bound: float = 1.0
    turned: bool | None = None
    again: bool = False

    def holds(self, features: Features) -> bool:
        """Return whether a face with these features is of this class."""
        low, high = self.tilt
        few, many = self.marks
        return (
            self.again == (features.again is not None)
            and self.family == features.family
            and low <= features.tilt < high
            and few <= features.marks <= many
            and self.turned in (None, features.turned)
        )


@dataclass(frozen=True)
class Selector:
    """Decides which faces are read.

    ``weights``: for each family the weights of `NAMES`, then the constant; ``again``: those at a second pass, of
    `NAMES` and `AGAIN_NAMES`, then the constant.
    """

    weights: Mapping[str, Sequence[float]]
    again: Mapping[str, Sequence[float]]
    bars: Sequence[Bar]

    def score(self, features: Features) -> float:
        """Return the learnt log odds that the face is read correctly."""
        table = self.weights if features.again is None else self.again
        weights = np.asarray(table[features.family], np.float64)
        return float(weights[:-1] @ features.vector() + weights[-1])

    def reads(self, features: Features) -> bool:
        """Return whether a face is read without asking; a face of no class never is."""
        short = self.short(features)
        return short is not None and short <= 0

    def short(self, features: Features) -> float | None:
        """Return how far a face's score is below the threshold of its class; None for a face of no class."""
        bar = next((one for one in self.bars if one.holds(features)), None)
        return None if bar is None else bar.least - self.score(features)


@cache
def shipped() -> Selector:
    """Return the selector that belongs to the weights in use.

    Raises:
        WeightsError: its file is missing, does not match the model card, or has other features than `NAMES`.
    """
    return from_toml(weights(SELECTOR).decode("utf-8"))


def from_toml(text: str) -> Selector:
    """Read the text of the file, as the workshop writes it.

    Raises:
        WeightsError: the file has other features than `NAMES`.
    """
    data = tomllib.loads(text)
    if tuple(data["features"]) != NAMES + AGAIN_NAMES:
        raise WeightsError(
            f"Expected the selector's features to be {', '.join(NAMES + AGAIN_NAMES)}, but its file has "
            f"{', '.join(data['features'])}; choose again with companion train --step choose."
        )
    bars = msgspec.convert(data.get("bar", []), tuple[Bar, ...])  # without any, everything is asked about
    first, again = ({family: tuple(weights) for family, weights in data[name].items()} for name in ("weights", "again"))
    return Selector(first, again, bars)

"""Whether a table shows dice at all: a score learnt from faces of drawn dice and from finds on tables without dice.

The locator finds coins, squares of boards, men and words of a sheet, too. Nobody can read most of them as dice, so
without this rule the program would ask what they show. What the nets say of a find's place, of its corners and of its
marks separates such things from dice: a logistic regression for each family of faces weighs it.

If the reader reads nothing in a picture, and no find reaches the border of its family, no dice lie there. Otherwise
dice lie there, and the other finds may be dice that are seen badly: the program asks about those. So a throw loses a
die without a word only where it loses all of them; `clutter.toml` states how rare that is among drawn dice.
Photographed ones were lost more often: so what lies alone on an even ground with the outline of a die is asked about in
any case (`solids.things`).
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.vision.dice.geometry import Points
from companion.vision.dice.locate import Impression
from companion.vision.dice.marks import Witness

Numbers = npt.NDArray[np.float64]

TABLE: Final = "clutter.toml"
"""The learnt weights and borders, with their proof."""

NAMES: Final = ("located", "die", "error", "on top", "fits", "readable", "beside", "odds", "pose")
"""What is weighed, in the order of the weights; see `Find`."""

MOST_LOG_ODDS: Final = 12.0
"""The largest log odds that count."""

LEAST_ERROR: Final = 0.02
MOST_ERROR: Final = 0.5
"""Bounds of the corners' error that counts, in edges."""


@dataclass(frozen=True, eq=False)
class Find:
    """What is known of one found face before the program decides whether it is a die.

    ``family``: the family of faces whose weights and border apply. ``corners``: pixels. ``fits``: the chance of its
    likeliest marks among those of the set; where the table remembers faces, with what it remembers. ``pose``: the log
    odds that the pose of a whole solid fits the picture and this face lies up; infinite where no pose was fitted.
    """

    family: str
    corners: Points
    impression: Impression
    witness: Witness
    fits: float
    pose: float = np.inf

    def vector(self) -> Numbers:
        """Return the values of `NAMES`, scaled to about 1."""
        seen, marks = self.impression, self.witness
        on_top = seen.on_top if np.isfinite(seen.error) else 0.5  # without corners nobody knows
        return np.array(
            [
                log_odds(seen.located),
                log_odds(seen.die) / 4,
                np.log(np.clip(seen.error, LEAST_ERROR, MOST_ERROR) / 0.05),
                log_odds(on_top) / 4,
                log_odds(self.fits) / 4,
                np.clip(marks.readable, -MOST_LOG_ODDS, MOST_LOG_ODDS) / 4,
                min(marks.beside, MOST_LOG_ODDS) / 4,
                min(marks.odds, MOST_LOG_ODDS) / 4,
                float(np.clip(self.pose, -MOST_LOG_ODDS, MOST_LOG_ODDS)) / 4 if self.pose < np.inf else 0.0,
            ]
        )


@dataclass(frozen=True)
class Border:
    """The score from which a find of one family shows that dice lie there, and its proof.

    Of ``dice`` legible drawn dice, ``lost`` lay in pictures without any such find where nothing was read, which proves
    (95 %) a share of at most ``bound``. Of ``tables`` drawn tables without dice, on which a reader would have asked
    about something, ``left`` have such a find.
    """

    least: float
    dice: int = 0
    lost: int = 0
    bound: float = 1.0
    tables: int = 0
    left: int = 0


@dataclass(frozen=True)
class Clutter:
    """Separates dice from other things. ``weights``: for each family the weights of `NAMES`, then the constant."""

    weights: Mapping[str, Sequence[float]]
    borders: Mapping[str, Border]

    def score(self, find: Find) -> float:
        """Return the learnt log odds that a find is a die."""
        weights = np.asarray(self.weights[find.family], np.float64)
        return float(weights[:-1] @ find.vector() + weights[-1])

    def likely(self, find: Find) -> bool:
        """Return whether a find shows that dice lie there; of a family that was not learnt, each one does."""
        border = self.borders.get(find.family)
        return border is None or self.score(find) >= border.least


def log_odds(chance: float) -> float:
    """Return the logarithm of the odds of a chance, within bounds."""
    return log(min(max(chance, 1e-5), 1.0) / min(max(1 - chance, 1e-5), 1.0))


@cache
def shipped() -> Clutter:
    """Return what was learnt for the nets in use.

    Raises:
        ValueError: the file weighs other things than `NAMES`.
    """
    return from_toml((files(__package__) / TABLE).read_text(encoding="utf-8"))


def from_toml(text: str) -> Clutter:
    """Read the text of the file, as the workshop writes it.

    Raises:
        ValueError: the file weighs other things than `NAMES`.
    """
    data = tomllib.loads(text)
    if tuple(data["names"]) != NAMES:
        raise ValueError(
            f"Expected weights for {', '.join(NAMES)}, but {TABLE} has them for {', '.join(data['names'])}: learn "
            "again with python -m workshop.training.choosing.things."
        )
    borders = {family: Border(**one) for family, one in data["border"].items()}
    return Clutter({family: tuple(weights) for family, weights in data["weights"].items()}, borders)

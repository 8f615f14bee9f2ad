"""A bet against the die that may be looked at after every throw: a mixture of likelihood ratios.

Somebody stakes 1 on "this die is not fair" and bets on each throw what the alternatives predict. Each throw multiplies
the stake by the likelihood of the alternatives over that of the fair die. With a fair die the wealth is a martingale:
the chance that it ever reaches 20 is at most 1 in 20, however often one looks (Ville 1939; for multinomial counts
Lindon and Malek 2022). Here the mixture is over concentrations and over alternatives that are likely of dice: one
outcome, one axis, one corner.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.fairness.log_gamma import log_rising
from companion.fairness.outcomes import Floats, Outcomes

Counts = npt.NDArray[np.int64]

STEPS: Final = {0.03: 0.24, 0.065: 0.31, 0.145: 0.37, 0.4: 0.08}
"""How far the share of a contrast may be off, in standard deviations of one throw, and the part of the stake on that:
for a face of a cube 1.1, 2.4, 5.4 and 15 points of a hundred."""

HEAVIER: Final = 0.75
"""The part of the stake on a contrast that is too frequent; the rest is on one that is too rare."""

STAKES: Final = {"face": 0.48, "axis": 0.25, "corner": 0.07}
"""The part of the stake on each kind of contrast; the rest is on any other bias."""

CONCENTRATIONS: Final = (30.0, 150.0, 700.0)
"""How close to fair any other bias may be: the parameter sums of the Dirichlet distributions in the mixture."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """The alternatives to a fair die and the stake on each; all stakes together are 1.

    ``shifts``: logarithms of each simple alternative's chances over the fair ones (j x k). ``on_shifts``: the stakes on
    them (j). ``concentrations``: those of the Dirichlet alternatives about the fair chances. ``on_spread``: the stakes
    on those.
    """

    fair: Floats
    shifts: Floats
    on_shifts: Floats
    concentrations: tuple[float, ...]
    on_spread: Floats

    def log_value(self, counts: Counts) -> Floats:
        """Return the logarithm of the wealth after these counts (... x k); the order of the throws does not matter."""
        counts = np.asarray(counts, np.int64)
        parts = [counts @ self.shifts.T + np.log(self.on_shifts)]
        if self.concentrations:
            parts.append(self.log_dirichlet(counts) + np.log(self.on_spread))
        every = np.concatenate(parts, axis=-1)
        most = every.max(axis=-1, keepdims=True)
        return np.asarray(most[..., 0] + np.log(np.exp(every - most).sum(axis=-1)))

    def log_likelihood(self, counts: Counts) -> Floats:
        """Return the log likelihood of such a sequence of throws under the alternatives alone."""
        return np.asarray(self.log_value(counts) + counts @ np.log(self.fair))

    def log_dirichlet(self, counts: Counts) -> Floats:
        """Return the logarithm of the Dirichlet-multinomial over the fair likelihood (... x concentrations)."""
        counts = np.asarray(counts, np.int64)
        concentrations = np.array(self.concentrations)
        each = log_rising(concentrations[:, None] * self.fair, counts[..., None, :]).sum(axis=-1)
        whole = log_rising(concentrations, counts.sum(axis=-1, keepdims=True))
        return np.asarray(each - whole - (counts @ np.log(self.fair))[..., None])


@lru_cache(maxsize=64)  # each die of a batch needs it, and nothing changes it
def mixture_of(outcomes: Outcomes) -> Mixture:
    """Return the alternatives that the bet against a die covers, fixed before its first throw."""
    fair = outcomes.fair
    shifts: list[Floats] = []
    stakes: list[float] = []
    for kind, stake in STAKES.items():
        watched = [contrast.outcomes for contrast in outcomes.contrasts if contrast.kind == kind]
        for group in watched:
            for step, weight in STEPS.items():
                for sign, part in ((1.0, HEAVIER), (-1.0, 1 - HEAVIER)):
                    shifts.append(np.log(shifted(fair, group, sign * step) / fair))
                    stakes.append(stake / len(watched) * weight * part)
    rest = 1 - sum(stakes)  # it includes the stakes on kinds of contrasts that this die lacks
    spread = np.full(len(CONCENTRATIONS), rest / len(CONCENTRATIONS))
    return Mixture(fair, np.array(shifts), np.array(stakes), CONCENTRATIONS, spread)


def shifted(fair: Floats, group: Sequence[int], step: float) -> Floats:
    """Return chances (k) under which a group's share is off by ``step`` standard deviations of one throw.

    The outcomes in the group keep their proportions, and so do the others. A share never moves by more than half of the
    way to 0 or 1.
    """
    places = list(group)
    share = float(fair[places].sum())
    moved = share + step * math.sqrt(share * (1 - share))
    moved = min(max(moved, share / 2), (1 + share) / 2)
    chances = fair * (1 - moved) / (1 - share)
    chances[places] = fair[places] * moved / share
    return np.asarray(chances)

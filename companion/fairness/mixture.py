"""A bet against the die that may be looked at after every throw: a mixture of likelihood ratios.

Somebody stakes 1 on "this die is not fair" and bets on each throw what the alternatives predict. Each throw multiplies
the stake by the likelihood of the alternatives over that of the fair die. With a fair die the wealth is a martingale:
the chance that it ever reaches 20 is at most 1 in 20, however often one looks (Ville 1939; for multinomial counts
Lindon and Malek 2022). Here the mixture is over concentrations and over alternatives that are likely of dice: one
outcome, one axis, one corner, a slope along the pips. `companion.fairness.stakes` says how much is on each.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.fairness.log_gamma import digamma, log_rising
from companion.fairness.outcomes import Floats, Outcomes
from companion.fairness.stakes import CURRENT_STAKES, PIPS, KindStakes, stakes_on

Counts = npt.NDArray[np.int64]

AT_ONCE: Final = 1024
"""So many moments are summed at once: a million throws of a d20 then need a few megabytes, not gigabytes."""

LOST_LOG_WEALTH: Final = 60.0
"""What has won less than the best alternative by this logarithm changes no digit of their sum."""

STEEPEST_SLOPE: Final = 0.5
"""A slope along the pips changes no chance by a greater part of itself than this."""


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
        rows = counts.reshape(-1, counts.shape[-1])
        found = np.empty(len(rows))
        for begin in range(0, len(rows), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            found[part] = _log_sum(self._each(rows[part]))
        return found.reshape(counts.shape[:-1])

    def _each(self, counts: Counts) -> Floats:
        """Return the logarithm of what each alternative has won, times its stake (m x alternatives).

        Alternatives that are lost by far after all of these counts are left out.
        """
        low, high = counts.min(axis=0), counts.max(axis=0)
        up, down = np.maximum(self.shifts, 0), np.minimum(self.shifts, 0)
        stakes = np.log(self.on_shifts)
        sure = (low @ up.T + high @ down.T + stakes).max(initial=-np.inf)
        near = high @ up.T + low @ down.T + stakes >= sure - LOST_LOG_WEALTH
        parts = [counts @ self.shifts[near].T + stakes[near]]
        if self.concentrations:
            parts.append(self.log_dirichlet(counts) + np.log(self.on_spread))
        return np.concatenate(parts, axis=-1)

    def log_likelihood(self, counts: Counts) -> Floats:
        """Return the log likelihood of such a sequence of throws under the alternatives alone."""
        return np.asarray(self.log_value(counts) + counts @ np.log(self.fair))

    def log_dirichlet(self, counts: Counts) -> Floats:
        """Return the logarithm of the Dirichlet-multinomial over the fair likelihood (... x concentrations)."""
        counts = np.asarray(counts, np.int64)
        rows = counts.reshape(-1, counts.shape[-1])
        concentrations = np.array(self.concentrations)
        found = -_Rising(concentrations, rows.sum(axis=1)).of(rows.sum(axis=1)) - (rows @ np.log(self.fair))[:, None]
        chances = self.fair.tolist()
        rising = {chance: _Rising(concentrations * chance, rows[:, self.fair == chance]) for chance in set(chances)}
        for place, chance in enumerate(chances):
            found += rising[chance].of(rows[:, place])
        return found.reshape(*counts.shape[:-1], len(concentrations))

    def slopes(self, counts: Floats) -> tuple[Floats, Floats]:
        """Return the logarithm of the wealth after counts that need not be whole (m x k), and its slopes (m x k).

        Over the counts of a given number of throws it is convex. The slopes are right but for what is common to all
        outcomes at a time, for only their differences matter there.
        """
        concentrations = np.array(self.concentrations)
        inside = concentrations[:, None] * self.fair
        rising = log_rising(inside, counts[:, None]).sum(axis=-1) - log_rising(
            concentrations, counts.sum(axis=1, keepdims=True)
        )
        spread = rising - (counts @ np.log(self.fair))[:, None] + np.log(self.on_spread)
        every = np.concatenate([counts @ self.shifts.T + np.log(self.on_shifts), spread], axis=1)
        value = _log_sum(every)
        part = np.exp(every - value[:, None])
        simple = part[:, : len(self.shifts)] @ self.shifts
        each = digamma(inside + counts[:, None]) - np.log(self.fair)
        return value, simple + (part[:, len(self.shifts) :, None] * each).sum(axis=1)


def _log_sum(every: Floats) -> Floats:
    most = every.max(axis=-1, keepdims=True)
    rest = np.maximum(every - most, -LOST_LOG_WEALTH)
    return np.asarray(most[..., 0] + np.log(np.exp(rest, out=rest).sum(axis=-1)))


class _Rising:
    """The logarithms of start (start + 1) ... for each of some starts, by the number of steps.

    The moments follow each other closely, so many have the same count: it is summed once.
    """

    def __init__(self, starts: Floats, steps: Counts) -> None:
        low, high = (int(steps.min()), int(steps.max())) if steps.size else (0, 0)
        self._starts, self._low = starts, low
        many = high - low + 1
        self._known = None if many >= steps.size else log_rising(starts, np.arange(low, high + 1)[:, None])

    def of(self, steps: Counts) -> Floats:
        """Return them after these numbers of steps, of those that it was made with (m -> m x starts)."""
        return log_rising(self._starts, steps[:, None]) if self._known is None else self._known[steps - self._low]


@lru_cache(maxsize=64)  # each die of a batch needs it, and nothing changes it
def mixture_of(outcomes: Outcomes, stakes: int = CURRENT_STAKES) -> Mixture:
    """Return the alternatives that the bet against a die covers, fixed before its first throw.

    ``stakes``: the number of the stakes.

    Raises:
        StakesError: there are no such stakes.
    """
    laid = stakes_on(outcomes, stakes)
    shifts: list[Floats] = []
    on_shifts: list[float] = []
    for one in laid.kinds:
        every = list(_shifts(outcomes, one))
        shifts += [chances for chances, _ in every]
        on_shifts += [stake for _, stake in every]
    logs = np.log(np.array(shifts).reshape(-1, len(outcomes.labels)) / outcomes.fair)
    return Mixture(outcomes.fair, logs, np.array(on_shifts), tuple(laid.spread), np.array(list(laid.spread.values())))


def _shifts(outcomes: Outcomes, laid: KindStakes) -> Iterator[tuple[Floats, float]]:
    """Yield the chances (k) of each alternative of a kind, and the stake on it."""
    fair = outcomes.fair
    groups = [contrast.outcomes for contrast in outcomes.contrasts if contrast.kind == laid.kind]
    for group in groups:
        for step, more, less in zip(laid.steps, laid.more, laid.less, strict=True):
            for sign, stake in ((1, more), (-1, less)):
                if stake:
                    yield shifted(fair, group, sign * step), stake / len(groups)
    if laid.kind == PIPS:
        for step, more, less in zip(laid.steps, laid.more, laid.less, strict=True):
            yield tilted(fair, outcomes.pips, step), more
            yield tilted(fair, outcomes.pips, -step), less


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


def tilted(fair: Floats, pips: Sequence[float], step: float) -> Floats:
    """Return chances (k) that rise along the pips: the number of pips thrown is ``step`` standard deviations more.

    No chance changes by a greater part of itself than `STEEPEST_SLOPE`.
    """
    along = np.array(pips, np.float64) - fair @ np.array(pips, np.float64)
    along /= math.sqrt(float(fair @ along**2))
    least = STEEPEST_SLOPE / float(np.abs(along).max())
    return np.asarray(fair * (1 + min(max(step, -least), least) * along))

"""How many throws it takes to find a bias: a simulation of the same bet that the laboratory makes."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final

import numpy as np

from companion.fairness.mixture import STEEPEST_SLOPE, Mixture, mixture_of, tilted
from companion.fairness.outcomes import Contrast, Floats, Outcomes
from companion.fairness.stakes import CURRENT_STAKES
from companion.fairness.verdict import SIGNIFICANCE_LEVEL
from companion.parallel.parts import Here, Workers, WorkPart, in_order, parts_of

RUNS_PER_PIECE: Final = 400
"""Dice of one piece of the simulation; a plan takes one piece if nobody asks for a sharper one."""

THROWS_GROWTH: Final = 1.03
"""The simulation usually judges the die whenever it has this many times as many throws."""

FIRST_MOMENT: Final = 10
MOST_THROWS: Final = 3_000_000
"""The most throws that a plan considers: more than anybody makes."""

WHEN: Final = (0.3, 0.42, 0.55, 0.65, 0.74, 0.82, 0.88, 0.94, 1.0)
"""The moments at which a simulated die is judged, in parts of its throws; they are denser late, when most biases are
found."""

LEAST_DEVIATIONS: Final = 1.5
MOST_DEVIATIONS: Final = 12.0
"""The search for the smallest bias goes from `LEAST_DEVIATIONS` to so many standard deviations of a share."""

LARGEST_PART_OF_REST: Final = 0.999
SEARCH_RATIO: Final = 1.02


@dataclass(frozen=True)
class Plan:
    """Throws that find a bias in half, 80 % and 95 % of the cases; None if that takes more than `MOST_THROWS`."""

    half: int | None
    four_of_five: int | None
    nineteen_of_twenty: int | None


@dataclass(frozen=True)
class Effort:
    """How many ``dice`` a plan simulates, and who throws them; more dice make it sharper, less ``growth`` too.

    Each piece of `RUNS_PER_PIECE` dice has random numbers of its own, which follow from ``seed`` and its place. So a
    plan does not depend on the workers.
    """

    dice: int = RUNS_PER_PIECE
    workers: Workers = field(default_factory=Here)
    seed: int = 1
    growth: float = THROWS_GROWTH

    def thrown(self, task: Callable[[WorkPart], Floats], report: Callable[[int], object] = lambda _: None) -> Floats:
        """Return what the task finds for each die; ``report`` hears how many more dice are done."""
        found = in_order(self.workers, task, parts_of(self.dice, RUNS_PER_PIECE), lambda part: report(part.count))
        return np.concatenate(found)


ONCE: Final = Effort()
SOON: Final = Effort(dice=100, growth=1.12)
"""Quick enough for a page that begins a series, and right to about an eighth."""


def plan(
    outcomes: Outcomes,
    contrast: Contrast,
    bias: float,
    effort: Effort = ONCE,
    *,
    stakes: int = CURRENT_STAKES,
) -> Plan:
    """Return how many throws it takes to call a die biased if its contrast's share is off by ``bias``.

    ``stakes``: the number of the stakes of the bet.

    Raises:
        ValueError: no die can have that bias.
    """
    return plan_of(outcomes, off_by(outcomes, contrast, bias), effort, stakes=stakes)


def plan_of(
    outcomes: Outcomes,
    chances: Floats,
    effort: Effort = ONCE,
    report: Callable[[int], object] = lambda _: None,
    *,
    stakes: int = CURRENT_STAKES,
) -> Plan:
    """Return how many throws it takes to call a die with these chances (k) biased.

    ``report`` hears how many more simulated dice are done. ``stakes``: the number of the stakes of the bet.
    """
    found = effort.thrown(
        partial(_throws_made, mixture_of(outcomes, stakes), chances, effort.seed, effort.growth), report
    )
    return Plan(*(_whole(np.quantile(found, part, method="higher")) for part in (0.5, 0.8, 0.95)))


def _throws_made(mixture: Mixture, chances: Floats, seed: int, growth: float, part: WorkPart) -> Floats:
    """Return after how many throws each simulated die is called biased; infinite if that takes too many."""
    rng = np.random.default_rng(seed + part.first)
    counts = np.zeros((part.count, len(chances)), np.int64)
    alive = np.arange(part.count)
    found = np.full(part.count, np.inf)
    made, moment = 0, FIRST_MOMENT
    while len(alive) > part.count // 50 and made < MOST_THROWS:  # the last few take long and decide nothing
        counts[alive] += rng.multinomial(moment - made, chances, size=len(alive))
        made, moment = moment, max(moment + 1, int(moment * growth))
        called = mixture.log_value(counts[alive]) >= -np.log(SIGNIFICANCE_LEVEL)
        found[alive[called]] = made
        alive = alive[~called]
    return found


@lru_cache(maxsize=64)
def throws_to_find_double(outcomes: Outcomes, stakes: int) -> int | None:
    """Return about how many throws find in four of five cases that the rarest outcome falls twice as often as fair.

    ``stakes``: the number of the stakes of the bet. None if no die can have that bias.
    """
    rarest = min((one for one in outcomes.contrasts if one.kind == "face"), key=outcomes.share)
    share = outcomes.share(rarest)
    return None if 2 * share >= 1 else plan(outcomes, rarest, share, SOON, stakes=stakes).four_of_five


@lru_cache(maxsize=256)  # people ask for the same report again and again
def detectable(
    outcomes: Outcomes,
    kind: str,
    throws: int,
    part: float = 0.8,
    effort: Effort = ONCE,
    *,
    stakes: int = CURRENT_STAKES,
) -> float | None:
    """Return the smallest bias, a difference of chances, that so many throws find in this ``part`` of the cases.

    It takes the contrast of this kind (`face`, `axis`, `corner`) whose bias is hardest to find, and lets it fall too
    often. None if the die has no such contrast, or if so few throws find no bias that a die can have. Simulated, to
    about 3 parts of a hundred. ``stakes``: the number of the stakes of the bet.

    Raises:
        ValueError: fewer throws than one, or a part that is not between 0 and 1.
    """
    if throws < 1 or not 0 < part < 1:
        raise ValueError(f"Expected throws and a part between 0 and 1, but got {throws} and {part}.")
    watched = [contrast for contrast in outcomes.contrasts if contrast.kind == kind]
    if not watched:
        return None
    contrast = min(watched, key=lambda one: abs(outcomes.share(one) - 0.5))
    share = outcomes.share(contrast)
    deviation = math.sqrt(share * (1 - share) / throws)
    least, most = LEAST_DEVIATIONS * deviation, min(MOST_DEVIATIONS * deviation, (1 - share) * LARGEST_PART_OF_REST)

    def found(bias: float) -> bool:
        return _part_called(outcomes, contrast, bias, throws, effort, stakes=stakes) >= part

    if least >= most or not found(most):
        return None
    while most > least * SEARCH_RATIO:
        middle = math.sqrt(least * most)
        least, most = (least, middle) if found(middle) else (middle, most)
    return most


@lru_cache(maxsize=256)  # searches for other parts of the cases begin at the same biases
def _part_called(
    outcomes: Outcomes, contrast: Contrast, bias: float, throws: int, effort: Effort, *, stakes: int
) -> float:
    """Return which part of the simulated dice is called biased within so many throws."""
    mixture = mixture_of(outcomes, stakes)
    called = partial(_called, mixture, off_by(outcomes, contrast, bias), throws, effort.seed)
    return float(effort.thrown(called).mean())


def _called(mixture: Mixture, chances: Floats, throws: int, seed: int, part: WorkPart) -> Floats:
    """Return 1 for each simulated die that is called biased within so many throws, else 0."""
    rng = np.random.default_rng(seed + part.first)
    moments = sorted({max(1, round(throws * when)) for when in WHEN})
    steps = [rng.multinomial(now - before, chances, size=part.count) for before, now in pairwise((0, *moments))]
    called = np.zeros(part.count, bool)
    for counts in reversed(np.cumsum(steps, axis=0)):  # most are called at the end: few are left for the other looks
        left = np.flatnonzero(~called)
        called[left] = mixture.log_value(counts[left]) >= -math.log(SIGNIFICANCE_LEVEL)
    return called.astype(np.float64)


def off_by(outcomes: Outcomes, contrast: Contrast, bias: float) -> Floats:
    """Return the chances (k) of a die whose contrast's share is ``bias`` above fair; the others lose in proportion.

    Raises:
        ValueError: the share would not lie between 0 and 1.
    """
    fair, places = outcomes.fair, list(contrast.outcomes)
    share = outcomes.share(contrast)
    if not 0 < share + bias < 1 or bias == 0:
        raise ValueError(
            f"Expected a bias that leaves {outcomes.name(contrast)} a share between 0 and 1, but {share:.3f} and "
            f"{bias:+.3f} make {share + bias:.3f}."
        )
    chances = fair * (1 - share - bias) / (1 - share)
    chances[places] = fair[places] * (share + bias) / share
    return np.asarray(chances)


def off_along_pips(outcomes: Outcomes, bias: float) -> Floats:
    """Return the chances (k) of a die with drilled pips: they rise along the pips, and the farthest is ``bias`` off.

    Raises:
        ValueError: the die has no pips, or no slope along them is so steep.
    """
    if not outcomes.pips:
        raise ValueError("Expected a die with pips, whose weight they change, but this one has none.")
    chances = tilted(outcomes.fair, outcomes.pips, math.copysign(STEEPEST_SLOPE, bias))
    steepest = float(np.abs(chances - outcomes.fair).max())
    if not 0 < abs(bias) <= steepest:
        raise ValueError(f"Expected a bias of at most {steepest:.3f} along the pips, and not 0, but got {bias:+.3f}.")
    return np.asarray(outcomes.fair + (chances - outcomes.fair) * abs(bias) / steepest)


def _whole(throws: float) -> int | None:
    return int(throws) if np.isfinite(throws) else None

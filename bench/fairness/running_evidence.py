"""Many dice judged after every throw, with the laboratory's bets and intervals taken from tables instead of one by one.

All dice of a run have the same number of throws. So the value of an alternative, and whether an interval holds the true
share, depend on one count alone, and a table gives them. `RunningEvidence.check` compares this with the
laboratory's sums.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from companion.fairness.confidence import intervals, log_marginal
from companion.fairness.log_gamma import log_rising
from companion.fairness.mixture import Counts, Mixture, mixture_of
from companion.fairness.outcomes import Floats, Outcomes
from companion.fairness.reader_intervals import die_intervals
from companion.fairness.stakes import CURRENT_STAKES
from companion.fairness.verdict import SIGNIFICANCE_LEVEL

AHEAD = 64
"""Number of throws drawn together."""

EACH = 2000

LAST = 0.1
"""Throwing stops when this share of the dice is not yet called biased."""

Places = tuple[int, ...]


def thrown(chances: Floats, dice: int, throws: int, rng: np.random.Generator) -> Iterator[Counts]:
    """Yield what each die shows at each throw, as outcome indices (dice)."""
    ends = np.cumsum(chances)[:-1]
    for begun in range(0, throws, AHEAD):
        yield from np.searchsorted(ends, rng.random((min(AHEAD, throws - begun), dice)), side="right")


@dataclass
class RunningEvidence:
    """Dice of one kind after the same number of throws. ``counts``: by outcome and die (k x dice)."""

    outcomes: Outcomes
    dice: int
    most: int
    mixture: Mixture
    counts: Counts = field(init=False)
    throws: int = 0

    def __post_init__(self) -> None:
        self.counts = np.zeros((len(self.outcomes.labels), self.dice), np.int64)
        self._rising = {
            (concentration, start): log_rising(start, np.arange(self.most + 1))
            for concentration in self.mixture.concentrations
            for start in {concentration, *(concentration * self.mixture.fair).tolist()}
        }
        self._slopes: list[tuple[Floats, float]] = []
        """Alternatives that are no group of outcomes: log odds (k) and stake."""
        self._bets = self._by_group()

    def _by_group(self) -> list[tuple[list[Places], Floats, Floats, Floats]]:
        """Return groups of outcomes with equal bets: log odds inside and outside, stakes."""
        found: dict[bytes, tuple[list[Places], Floats, Floats, Floats]] = {}
        known = {contrast.outcomes for contrast in self.outcomes.contrasts}
        start = 0
        shifts, stakes = self.mixture.shifts, self.mixture.on_shifts
        while start < len(shifts):
            group = min(known, key=lambda one: _unlike(shifts[start], one))
            if _unlike(shifts[start], group):
                self._slopes.append((shifts[start], float(stakes[start])))
                start += 1
                continue
            stop = start
            while stop < len(shifts) and _unlike(shifts[stop], group) == 0:
                stop += 1
            outside = next(place for place in range(shifts.shape[1]) if place not in group)
            bet = (shifts[start:stop, group[0]], shifts[start:stop, outside], stakes[start:stop])
            key = np.round(np.concatenate(bet), 12).tobytes()
            found.setdefault(key, ([], *bet))[0].append(group)
            start = stop
        return list(found.values())

    def throw(self, shown: Counts) -> None:
        """Add one throw of each die, as outcome indices (dice)."""
        self.counts[shown, np.arange(self.dice)] += 1
        self.throws += 1

    def keep(self, which: npt.NDArray[np.bool_]) -> None:
        """Continue with these dice only (dice)."""
        self.counts = np.ascontiguousarray(self.counts[:, which])
        self.dice = self.counts.shape[1]

    def log_value(self) -> Floats:
        """Return the logarithm of the wealth against each die (dice)."""
        value = np.zeros(self.dice)
        for groups, inside, outside, stakes in self._bets:
            seen = [self._of(group) for group in groups]
            low, high = min(int(one.min()) for one in seen), max(int(one.max()) for one in seen)
            m = np.arange(low, high + 1)[:, None]
            worth = np.exp(m * inside + (self.throws - m) * outside) @ stakes
            for one in seen:
                value += worth[one - low]
        for shift, stake in self._slopes:
            value += stake * np.exp(shift @ self.counts)
        fair = self.mixture.fair
        likely = np.log(fair) @ self.counts
        for concentration, stake in zip(self.mixture.concentrations, self.mixture.on_spread.tolist(), strict=True):
            log_worth = -likely - self._rising[concentration, concentration][self.throws]
            for place, chance in enumerate((concentration * fair).tolist()):
                log_worth += self._rising[concentration, chance][self.counts[place]]
            value += stake * np.exp(log_worth)
        return np.asarray(np.log(value))

    def missed(self, chances: Floats, groups: Sequence[Places]) -> npt.NDArray[np.bool_]:
        """Return for each die whether the interval of at least one group's share misses the truth now (dice)."""
        out = np.zeros(self.dice, bool)
        needed = math.log(len(groups) / SIGNIFICANCE_LEVEL)
        for group in groups:
            seen, share = self._of(group), float(chances[list(group)].sum())
            low = int(seen.min())
            m = np.arange(low, int(seen.max()) + 1)
            centre = float(self.outcomes.fair[list(group)].sum())
            likely = m * math.log(share) + (self.throws - m) * math.log1p(-share)
            fails = log_marginal(m, np.array(self.throws), centre) - likely > needed
            if fails.any():
                out |= fails[seen - low]
        return out

    def check(self, chances: Floats) -> None:
        """Raise AssertionError if the laboratory's own sums differ for the first dice."""
        counts = self.counts[:, :50].T
        assert np.abs(self.mixture.log_value(counts) - self.log_value()[:50]).max() < 1e-8
        every = [contrast for contrast in self.outcomes.contrasts if contrast.kind == "face"]
        ours = self.missed(chances, [contrast.outcomes for contrast in every])[:50]
        assert (ours == ~intervals(counts, self.outcomes, SIGNIFICANCE_LEVEL).hold(chances)).all()
        several = [contrast for contrast in self.outcomes.contrasts if contrast.kind != "face"]
        if several:
            shares = [float(chances[list(contrast.outcomes)].sum()) for contrast in several]
            ours = self.missed(chances, [contrast.outcomes for contrast in several])[:50]
            for one, fails in zip(counts, ours.tolist(), strict=True):
                found = die_intervals(one, self.outcomes, several, SIGNIFICANCE_LEVEL)[1]
                holds = all(low <= share <= high for share, (low, high) in zip(shares, found, strict=True))
                assert holds != fails

    def _of(self, group: Places) -> Counts:
        return np.asarray(self.counts[list(group)].sum(axis=0) if len(group) > 1 else self.counts[group[0]])


def _unlike(shift: Floats, group: Places) -> int:
    """Return 0 if the shift has one value for the whole group and another for all other outcomes, else more."""
    inside = shift[list(group)]
    outside = np.delete(shift, list(group))
    if np.ptp(inside) > ALIKE or np.ptp(outside) > ALIKE or abs(inside[0] - outside[0]) < ALIKE:
        return 1 + len(group)
    return 0


ALIKE = 1e-12


def first_calls(
    outcomes: Outcomes, chances: Floats, dice: int, throws: int, seed: Sequence[int], *, mixture: Mixture | None = None
) -> Floats:
    """Return after how many throws each die is first called biased (dice).

    Dice are judged after each of the first `EACH` throws, then whenever the number of throws has grown by one part in
    `EACH`. The result is infinite for a die that is not called within ``throws`` throws, or not before most others: the
    last few would take long. ``mixture`` replaces the laboratory's own.
    """
    rng = np.random.default_rng(list(seed))
    evidence = RunningEvidence(outcomes, dice, throws + throws // EACH + 1, mixture or mixture_of(outcomes))
    first = np.full(dice, np.inf)
    alive = np.arange(dice)
    while len(alive) > dice * LAST and evidence.throws < throws:
        for _ in range(AHEAD):
            step = max(1, evidence.throws // EACH)
            evidence.counts += rng.multinomial(step, chances, size=len(alive)).T
            evidence.throws += step
            hit = evidence.log_value() >= -math.log(SIGNIFICANCE_LEVEL)
            first[alive[hit]] = np.minimum(first[alive[hit]], evidence.throws)
            if evidence.throws >= throws:
                break
        going = np.isinf(first[alive])
        alive = alive[going]
        evidence.keep(going)
    return first


@dataclass(frozen=True)
class Watched:
    """Of ``dice`` dice, judged after each throw: how many were ever ``called`` biased or had an interval fail.

    ``faces``: an interval of one outcome missed its true probability at some look; ``contrasts``: one of an axis or
    corner.
    """

    dice: int
    called: int
    faces: int
    contrasts: int


def watched(
    outcomes: Outcomes,
    chances: Floats,
    dice: int,
    throws: int,
    seed: Sequence[int],
    *,
    stakes: int = CURRENT_STAKES,
) -> Watched:
    """Throw dice with these probabilities (k) and judge all of them after each throw, by stakes of this number."""
    rng = np.random.default_rng(list(seed))
    evidence = RunningEvidence(outcomes, dice, throws, mixture_of(outcomes, stakes))
    called, faces, several = (np.zeros(dice, bool) for _ in range(3))
    single = [contrast.outcomes for contrast in outcomes.contrasts if contrast.kind == "face"]
    others = [contrast.outcomes for contrast in outcomes.contrasts if contrast.kind != "face"]
    for shown in thrown(chances, dice, throws, rng):
        evidence.throw(shown)
        called |= evidence.log_value() >= -math.log(SIGNIFICANCE_LEVEL)
        faces |= evidence.missed(chances, single)
        if others:
            several |= evidence.missed(chances, others)
        if evidence.throws % 500 in {1, 100}:
            evidence.check(chances)
    return Watched(dice, int(called.sum()), int(faces.sum()), int(several.sum()))

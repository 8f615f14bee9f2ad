"""The course of the bets against one die, throw by throw: what the verdict rests on.

Throws come one by one or all at once. They are summed in pieces, so that a million of them need little memory.
"""

import math
import sys
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from companion.fairness.mixture import AT_ONCE, Counts, Mixture
from companion.fairness.outcomes import Floats
from companion.fairness.serial_dependence import ENOUGH, UNREAD_PLACE, RepeatsByStation
from companion.fairness.unread import least_log_value

MOMENTS_PER_DOUBLING: Final = 32
"""How many moments of the evidence are kept of each doubling of the throws, 509 of the first million; and the last."""

LEAST_P: Final = sys.float_info.min
"""No p is smaller, however great the wealth: none is ever 0."""


class Bet(Protocol):
    """A bet against a die: by counts (... x k) the logarithm of its wealth (...)."""

    def log_value(self, counts: Counts) -> Floats:
        """Return the logarithm of the wealth after these counts (... x k)."""


@dataclass(frozen=True, eq=False)
class BetEvidence:
    """The course of the bet: after ``throws`` throws the logarithm of the wealth was ``log_value`` (each m).

    ``reached``: after how many throws the wealth was first enough to call the die biased, None if never. ``called``:
    the same, but the throws did not seem serially dependent then. ``most``: the greatest logarithm ever. The chance
    that a fair die reaches ``needed`` is at most the level.
    """

    throws: Counts
    log_value: Floats
    most: float
    called: int | None
    needed: float
    reached: int | None

    @property
    def p(self) -> float:
        """The p-value that is valid at any time: 1 over the greatest wealth. Never 0, but `LEAST_P` or more."""
        return min(1.0, max(LEAST_P, math.exp(-self.most)))


def is_kept(throws: Counts) -> npt.NDArray[np.bool_]:
    """Return for which numbers of throws the evidence is kept: each first, then `MOMENTS_PER_DOUBLING` a doubling."""
    throws = np.asarray(throws, np.int64)
    doublings = np.frexp(np.maximum(throws, 1) / MOMENTS_PER_DOUBLING)[1] - 1
    return np.asarray(throws % (1 << np.maximum(doublings, 0).astype(np.int64)) == 0)


@dataclass
class BetCourse:
    """The course of one bet so far. ``kept`` are the moments that `BetEvidence` keeps, without the last one."""

    needed: float
    kept: list[tuple[int, float]] = field(default_factory=list)
    last: tuple[int, float] = (0, 0.0)
    most: float = 0.0
    called: int | None = None
    reached: int | None = None

    def examine(self, throws: Counts, values: Floats, repeats: Floats) -> None:
        """Take the next looks: after so many throws, what the bet and the bet on repeats had won (each m)."""
        if not len(throws):
            return
        if self.reached is None:
            self.reached = _first(throws, values >= self.needed)
        if self.called is None:
            self.called = _first(throws, values >= self.needed + np.where(repeats >= ENOUGH, repeats, 0.0))
        kept = is_kept(throws)
        self.kept += zip(throws[kept].tolist(), values[kept].tolist(), strict=True)
        self.last = int(throws[-1]), float(values[-1])
        self.most = max(self.most, float(values.max()))

    def evidence(self) -> BetEvidence:
        """Return the course so far."""
        moments = [*self.kept]
        if self.last[0] and (not moments or moments[-1][0] != self.last[0]):
            moments.append(self.last)
        numbers = np.array([number for number, _ in moments], np.int64)
        values = np.array([value for _, value in moments], np.float64)
        return BetEvidence(numbers, values, self.most, self.called, self.needed, self.reached)


class Courses:
    """The courses of all bets against one die.

    ``needed``: the logarithm of the wealth at which the readings look biased. ``corrected``: the bet through a measured
    reader and what it needs. Without one, throws that were not read may have shown anything: then the bet counts as if
    they had shown what speaks least against the die, and it is looked at when the evidence is kept.
    """

    def __init__(
        self, mixture: Mixture, needed: float, corrected: tuple[Bet, float] | None = None, *, together: int = 1
    ) -> None:
        self._mixture = mixture
        self._corrected = corrected
        self._by_station = RepeatsByStation(together)
        self._raw = BetCourse(needed)
        self._least: BetCourse | None = None
        self._through = None if corrected is None else BetCourse(corrected[1])
        self.counts: Counts = np.zeros(len(mixture.fair), np.int64)
        self.unread = 0
        self.repeats = 0.0

    def take(self, places: Counts, stations: Counts | None = None) -> None:
        """Take the next throws: places of outcomes, or `UNREAD_PLACE`, and the number of each station (each n)."""
        places = np.asarray(places, np.int64)
        stations = np.zeros(len(places), np.int64) if stations is None else stations
        for begin in range(0, len(places), AT_ONCE):
            self._take(places[begin : begin + AT_ONCE], stations[begin : begin + AT_ONCE])

    def take_counts(self, counts: Counts, unread: int = 0) -> None:
        """Take all throws by their counts (k) and how many were not read, when their order is lost: one look."""
        self.unread = unread
        if counts.any():
            self.counts = counts.copy()
            throws, nothing = np.array([counts.sum()]), np.zeros(1)
            self._raw.examine(throws, self._mixture.log_value(counts[None]), nothing)
            if self._corrected is not None and self._through is not None:
                self._through.examine(throws, self._corrected[0].log_value(counts[None]), nothing)
            elif unread:
                self._least = BetCourse(self._raw.needed)
                self._least.examine(throws, least_log_value(self._mixture, counts[None], np.array([unread])), nothing)

    def _take(self, places: Counts, stations: Counts) -> None:
        after = (places[:, None] == np.arange(len(self.counts))).cumsum(axis=0) + self.counts
        unread = (places == UNREAD_PLACE).cumsum() + self.unread
        read = places != UNREAD_PLACE
        repeats = self._by_station.take(places, stations).log_value(after)
        counts_after, missing, repeats = after[read], unread[read], repeats[read]
        self.counts, self.unread = after[-1], int(unread[-1])
        if not len(counts_after):
            return
        throws = counts_after.sum(axis=1)
        values = self._mixture.log_value(counts_after)
        self.repeats = float(repeats[-1])
        if self._corrected is not None and self._through is not None:
            self._through.examine(throws, self._corrected[0].log_value(counts_after), repeats)
        elif self.unread:
            self._examine_least(counts_after, missing, values, repeats)
        self._raw.examine(throws, values, repeats)

    def _examine_least(self, counts_after: Counts, missing: Counts, values: Floats, repeats: Floats) -> None:
        """Look at the bet with the throws that were not read; before the first of them it is that on the readings."""
        if self._least is None:
            raw = self._raw
            self._least = BetCourse(raw.needed, [*raw.kept], raw.last, raw.most, raw.called, raw.reached)
        throws = counts_after.sum(axis=1)
        whole = missing == 0
        self._least.examine(throws[whole], values[whole], repeats[whole])
        kept = ~whole & is_kept(throws)
        if kept.any():
            least = least_log_value(self._mixture, counts_after[kept], missing[kept], self._raw.needed)
            self._least.examine(throws[kept], least, repeats[kept])

    @property
    def raw(self) -> BetEvidence:
        """The evidence as if the reader never erred, and no throw that it did not read mattered."""
        return self._raw.evidence()

    @property
    def through(self) -> BetEvidence | None:
        """The evidence through the measured reader, or whatever the unread throws showed; None if there are neither."""
        course = self._through or self._least
        return None if course is None else course.evidence()


def _first(throws: Counts, over: npt.NDArray[np.bool_]) -> int | None:
    return int(throws[over.argmax()]) if over.any() else None

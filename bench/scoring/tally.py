"""Counts of what became of dice, as rates with their intervals."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from bench.scoring.intervals import rate
from bench.scoring.outcomes import Became


@dataclass
class Tally:
    """What became of some dice.

    Each die that a person can read is either correct, asked about, missed or wrong. Silent errors are the wrong ones,
    dice that nobody could read but the reader read wrongly (guessed), and readings where no die lies (phantoms).
    """

    counts: Counter[Became] = field(default_factory=Counter)

    def add(self, became: Became) -> None:
        """Count one die."""
        self.counts[became] += 1

    @property
    def dice(self) -> int:
        """How many dice there were that a person can read."""
        return sum(self.counts[one] for one in ("correct", "asked", "missed", "wrong"))

    @property
    def correct(self) -> int:
        """How many of them were read correctly."""
        return self.counts["correct"]

    @property
    def silent(self) -> int:
        """How many readings were wrong, and not asked about."""
        return self.counts["wrong"] + self.counts["guessed"] + self.counts["phantom"]

    def to_json(self) -> dict[str, Any]:
        """Return counts, rates and their 95 % intervals, all relative to the dice that a person can read."""
        report: dict[str, Any] = {"dice": self.dice, "correct": rate(self.correct, self.dice)}
        report["asked_or_missed"] = rate(self.counts["asked"] + self.counts["missed"], self.dice)
        report["silent"] = rate(self.silent, self.dice)
        names: tuple[Became, ...] = ("asked", "missed", "wrong", "guessed", "phantom")
        return report | {name: rate(self.counts[name], self.dice) for name in names}

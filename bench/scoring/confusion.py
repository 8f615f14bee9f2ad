"""Which face is taken for which: counts of truth against reading, beside those asked about or missed."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from bench.scoring.outcomes import Outcome, same_face

ASKED: Final = "(asked)"
MISSED: Final = "(missed)"
NOTHING: Final = "(nothing)"
"""The row of readings where no die lies."""
SEVERAL: Final = "(one of several)"
"""The row of dice that cannot be distinguished, because their labels have no places."""


@dataclass
class Confusion:
    """Counts by (truth, reading), both face texts; the same letters in another order are the same face."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        """Count one die. A die that a person could not read either counts only if it was read wrongly."""
        truth = NOTHING if outcome.truth is None else str(outcome.truth["face"]) if outcome.paired else SEVERAL
        match outcome.became:
            case "asked":
                self.counts[truth, ASKED] += 1
            case "missed":
                self.counts[truth, MISSED] += 1
            case "correct":
                self.counts[truth, truth] += 1
            case "wrong" | "guessed" | "phantom":
                assert outcome.answer is not None
                self.counts[truth, str(outcome.answer["face"])] += 1
            case "unseen":
                pass

    @property
    def dice(self) -> int:
        """How many dice were counted (readings where no die lies are not dice)."""
        return sum(number for (truth, _), number in self.counts.items() if truth != NOTHING)

    def read(self, truth: str) -> dict[str, int]:
        """Return as what dice that show this face were read, and how often each."""
        row: Counter[str] = Counter()
        for (shown, read), number in self.counts.items():
            if same_face("die", shown, truth):
                row[read] += number
        return dict(row.most_common())

    def between(self, one: str, other: str) -> int:
        """Return how often either of two faces was read as the other."""
        return self.counts[one, other] + self.counts[other, one]

    def to_json(self) -> dict[str, Any]:
        """Return ``{"dice": n, "read_as": {truth: {reading: n}}}``, rows and columns in alphabetical order."""
        rows: dict[str, dict[str, int]] = {}
        for (truth, read), number in sorted(self.counts.items()):
            rows.setdefault(truth, {})[read] = number
        return {"dice": self.dice, "read_as": rows}


def confusion(found: Iterable[Outcome]) -> Confusion:
    """Return the matrix of these outcomes."""
    matrix = Confusion()
    for outcome in found:
        matrix.add(outcome)
    return matrix

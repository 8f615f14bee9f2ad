"""Measure whether a reader's confidence is true: of the answers with 90 % confidence, 90 of 100 should be right.

The expected calibration error weighs each bin's gap between confidence and true share by its answers (Naeini, Cooper
and Hauskrecht 2015); the Brier score is the mean squared gap of single answers (Brier 1950).
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum
from typing import Any, Final

from companion.odds.intervals import wilson

EDGES: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
"""Limits of the bins of confidence: each bin includes its lower limit, but not its upper one; the last bin holds 1 too.

They are narrow near 1, where the program decides whether to ask about a die.
"""


@dataclass(frozen=True)
class Bin:
    """The answers within one range of confidence: how many, how sure on average, how many of them right."""

    low: float
    high: float
    answers: int
    confidence: float
    right: int

    def to_json(self) -> dict[str, Any]:
        """Return the bin with the 95 % interval of its share of right answers."""
        low, high = wilson(self.right, self.answers)
        return {
            "from": self.low,
            "to": self.high,
            "answers": self.answers,
            "confidence": round(self.confidence, 5),
            "right": self.right,
            "share_right": round(self.right / self.answers, 5),
            "interval": [round(low, 5), round(high, 5)],
        }


@dataclass(frozen=True)
class Reliability:
    """Bins that hold answers, in order; both errors are None where there are no answers."""

    answers: int
    bins: tuple[Bin, ...]
    calibration_error: float | None
    brier: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the diagram's points and both errors."""
        return {
            "answers": self.answers,
            "expected_calibration_error": self.calibration_error and round(self.calibration_error, 5),
            "brier": self.brier and round(self.brier, 5),
            "bins": [one.to_json() for one in self.bins],
        }


def reliability(answers: Iterable[tuple[float, bool]]) -> Reliability:
    """Return how reliable (confidence, right) answers are; confidence is a chance from 0 to 1.

    Raises:
        ValueError: a confidence is not from 0 to 1.
    """
    held: list[list[tuple[float, bool]]] = [[] for _ in EDGES[1:]]
    for confidence, right in answers:
        if not 0 <= confidence <= 1:
            raise ValueError(f"Expected a confidence from 0 to 1, but got {confidence}.")
        held[min(bisect_right(EDGES, confidence), len(held)) - 1].append((confidence, right))
    every = [one for part in held for one in part]
    if not every:
        return Reliability(0, (), None, None)
    bins = tuple(
        Bin(low, high, len(part), fsum(sure for sure, _ in part) / len(part), sum(right for _, right in part))
        for low, high, part in zip(EDGES, EDGES[1:], held, strict=False)
        if part
    )
    gap = fsum(abs(one.right - one.confidence * one.answers) for one in bins) / len(every)
    brier = fsum((sure - right) ** 2 for sure, right in every) / len(every)
    return Reliability(len(every), bins, gap, brier)

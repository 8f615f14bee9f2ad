"""How sure a simulated figure is: intervals that cover the true value in 95 cases of 100."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

NORMAL_QUANTILE_95: Final = 1.959963984540054
"""Standard deviations on either side of a normal distribution's mean that hold 95 % of it."""

MEAN_METHOD = "normal approximation: mean +- 1.96 standard errors"
SHARE_METHOD = "Wilson score"


@dataclass(frozen=True)
class Estimate:
    """A figure with the ends of its 95 % interval; they are None if there is too little data."""

    value: float
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Any]:
        """Return ``{"value": ..., "low": ..., "high": ...}``."""
        return {"value": self.value, "low": self.low, "high": self.high}


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (E. B. Wilson, 1927); (0, 1) where nothing was counted."""
    if of == 0:
        return 0.0, 1.0
    share = hits / of
    scale = 1 + NORMAL_QUANTILE_95**2 / of
    middle = (share + NORMAL_QUANTILE_95**2 / (2 * of)) / scale
    half = NORMAL_QUANTILE_95 * math.sqrt(share * (1 - share) / of + NORMAL_QUANTILE_95**2 / (4 * of**2)) / scale
    # at the ends the formula gives 0 and 1 exactly, but rounding does not
    return (middle - half if hits else 0.0), (middle + half if hits < of else 1.0)


def share(count: int, of: int) -> Estimate:
    """Return a share with its Wilson score interval (E. B. Wilson, 1927); it stays within 0 and 1, also at the ends.

    Raises:
        ValueError: ``of`` is 0.
    """
    if of < 1 or not 0 <= count <= of:
        raise ValueError(f"Expected a count from 0 to a whole of at least 1, but got {count} of {of}.")
    return Estimate(count / of, *wilson(count, of))


def mean(values: Sequence[float]) -> Estimate:
    """Return a mean with its interval by the normal approximation, good from a few dozen values on.

    Raises:
        ValueError: no values.
    """
    count = len(values)
    if not count:
        raise ValueError("Expected at least one value to take the mean of, but there is none.")
    middle = math.fsum(values) / count
    if count == 1:
        return Estimate(middle, None, None)
    variance = math.fsum((value - middle) ** 2 for value in values) / (count - 1)
    half = NORMAL_QUANTILE_95 * math.sqrt(variance / count)
    return Estimate(middle, middle - half, middle + half)

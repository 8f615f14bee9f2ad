"""Rates of counted things, and how certain they are."""

from math import sqrt
from typing import Any, Final

Z95: Final = 1.959963984540054
"""Standard deviations on either side of a normal distribution's mean that hold 95 % of it."""


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (E. B. Wilson, 1927); (0, 1) where nothing was counted."""
    if of == 0:
        return 0.0, 1.0
    share = hits / of
    scale = 1 + Z95**2 / of
    middle = (share + Z95**2 / (2 * of)) / scale
    half = Z95 * sqrt(share * (1 - share) / of + Z95**2 / (4 * of**2)) / scale
    # at the ends the formula gives 0 and 1 exactly, but rounding does not
    return (middle - half if hits else 0.0), (middle + half if hits < of else 1.0)


def rate(hits: int, of: int) -> dict[str, Any]:
    """Return ``{"count", "of", "rate", "interval"}``; the rate is None where nothing was counted.

    The counted things need not be a part of the whole (an answer where no die lies), so there may be more hits than
    dice; the interval is then that of a share of 1.
    """
    low, high = wilson(min(hits, of), of)
    return {
        "count": hits,
        "of": of,
        "rate": round(hits / of, 5) if of else None,
        "interval": [round(low, 5), round(high, 5)],
    }

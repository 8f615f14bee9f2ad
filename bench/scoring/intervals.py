"""Rates of counted things, and how certain they are."""

from typing import Any

from companion.odds.intervals import wilson


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

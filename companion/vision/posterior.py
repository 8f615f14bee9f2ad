"""Check the posterior over several candidates in a reader's answer, wherever the answer comes from."""

from collections.abc import Sequence
from typing import Final

ROUNDING_SUM: Final = 0.01
"""Stored chances may add up to more than one by this much, because they have only a few digits."""


def require_posterior(candidates: Sequence[tuple[object, float]], whose: str) -> None:
    """Check that the candidates are sorted likeliest first and that their chances sum to at most one.

    Callers take the first candidate as the likeliest, and its chance as the reader's confidence.

    Raises:
        ValueError: a chance is not from 0 to 1, the chances sum to more than one, or their order is wrong.
    """
    chances = [chance for _, chance in candidates]
    if not all(0 <= chance <= 1 for chance in chances) or sum(chances) > 1 + ROUNDING_SUM:
        raise ValueError(f"Expected chances of {whose} from 0 to 1, together at most 1, but got {chances!r:.200}.")
    if chances != sorted(chances, reverse=True):
        raise ValueError(f"Expected the candidates of {whose} likeliest first, but got {chances!r:.200}.")

"""What a reader's answer of several candidates is held to, wherever it comes from."""

from collections.abc import Sequence
from typing import Final

ROUNDED: Final = 0.01
"""By how much kept chances may add up to more than one: they are written with a few digits."""


def require_posterior(candidates: Sequence[tuple[object, float]], whose: str) -> None:
    """Check that candidates are listed with their chances, likeliest first, together at most one.

    What reads them takes the first for the likeliest, and its chance for how sure the reader is.

    Raises:
        ValueError: they are not.
    """
    chances = [chance for _, chance in candidates]
    if not all(0 <= chance <= 1 for chance in chances) or sum(chances) > 1 + ROUNDED:
        raise ValueError(f"Expected chances of {whose} from 0 to 1, together at most 1, but got {chances!r:.200}.")
    if chances != sorted(chances, reverse=True):
        raise ValueError(f"Expected the candidates of {whose} likeliest first, but got {chances!r:.200}.")

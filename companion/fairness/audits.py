"""Which throws a person is to look at again, so that the reader's errors are known from a random sample.

The draw is made by a seed that stands in the series' first event: nobody chooses, and anybody can draw it again.
"""

import hashlib
from typing import Final

USUAL_SHARE: Final = 0.05
"""The part of the throws read by the camera alone that is to be audited."""

FIRST: Final = 50
AT_FIRST: Final = 0.2
"""Of the first throws more are audited, so that a reader that is quite wrong is found early."""


def chosen(seed: int, number: int, before: int) -> bool:
    """Tell whether the throw of this number is to be audited; ``before``: so many throws of its die came before."""
    drawn = int.from_bytes(hashlib.sha256(f"audit {seed} {number}".encode()).digest()[:8], "big") / 2**64
    return drawn < (AT_FIRST if before < FIRST else USUAL_SHARE)

"""Which throws a person checks, so that a random sample shows the reader's errors.

The seed of the draw is in the series' first event: nobody chooses, and anybody can repeat the draw.
"""

import hashlib
from typing import Final

USUAL_SHARE: Final = 0.05
"""The share of audits among the throws that the camera alone read."""

FIRST: Final = 50
AT_FIRST: Final = 0.2
"""The share of audits among the first throws: higher, so that a very wrong reader shows early."""


def chosen(seed: int, number: int, before: int) -> bool:
    """Tell whether a person is to audit this throw; ``before``: how many throws of its die came before it."""
    drawn = int.from_bytes(hashlib.sha256(f"audit {seed} {number}".encode()).digest()[:8], "big") / 2**64
    return drawn < (AT_FIRST if before < FIRST else USUAL_SHARE)

"""Which readings a person checks, so that a random sample shows the reader's errors.

The seed of the draw is in the first event of the series or of the table's audits: nobody chooses, and anybody can
repeat the draw.
"""

import hashlib
from typing import Final

USUAL_SHARE: Final = 0.05
"""In the laboratory, the share of audits among the throws that the camera alone read."""

FIRST_DRAWN: Final = 50
AT_FIRST: Final = 0.2
"""The share of audits among the first throws: higher, so that a very wrong reader shows early."""

TABLE_SHARE: Final = 0.02
"""At a table, the share of audits among the dice that were read without a question."""

TABLE_FIRST: Final = 20
TABLE_AT_FIRST: Final = 0.1
"""The share of audits at a table until so many dice were drawn."""


def drawn(seed: int, what: object, share: float) -> bool:
    """Tell whether chance chooses ``what`` for an audit; ``share``: how likely that is."""
    number = int.from_bytes(hashlib.sha256(f"audit {seed} {what}".encode()).digest()[:8], "big") / 2**64
    return number < share


def chosen(seed: int, number: int, before: int) -> bool:
    """Tell whether a person is to audit this throw; ``before``: how many throws of its die came before it."""
    return drawn(seed, number, AT_FIRST if before < FIRST_DRAWN else USUAL_SHARE)


def table_share(before: int) -> float:
    """Return the share of audits at a table where so many dice were drawn ``before``."""
    return TABLE_AT_FIRST if before < TABLE_FIRST else TABLE_SHARE

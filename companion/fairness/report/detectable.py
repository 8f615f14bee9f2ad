"""The smallest bias that this many throws would have found, by kind of bias."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from companion.fairness import planning
from companion.fairness.outcomes import Outcomes

PARTS: Final = (0.80, 0.95)


@dataclass(frozen=True)
class Detectable:
    """For a ``kind`` of contrast (`face`, `axis`, `corner`): the bias found in 80 and in 95 of 100 cases.

    A bias is a difference of chances; None if this many throws find no bias that a die can have.
    """

    kind: str
    four_of_five: float | None
    nineteen_of_twenty: float | None


@lru_cache(maxsize=64)  # people ask for page and PDF of the same throws one after the other
def detectable(outcomes: Outcomes, throws: int, stakes: int) -> tuple[Detectable, ...]:
    """Return the smallest bias that this many throws would have found by these stakes, for each kind of contrast."""
    kinds = dict.fromkeys(contrast.kind for contrast in outcomes.contrasts)
    if not throws:
        return tuple(Detectable(kind, None, None) for kind in kinds)
    return tuple(
        Detectable(kind, *(planning.detectable(outcomes, kind, throws, part, stakes=stakes) for part in PARTS))
        for kind in kinds
    )

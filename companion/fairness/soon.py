"""How soon a badly loaded die shows: a coarse simulation, quick enough for a page that begins a series."""

from functools import lru_cache
from typing import Final

import numpy as np

from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import Outcomes
from companion.fairness.planning import off_by
from companion.fairness.verdict import SIGNIFICANCE_LEVEL

SIMULATED_RUNS: Final = 100
THROWS_GROWTH: Final = 1.12
FIRST_MOMENT: Final = 10
MOST_THROWS: Final = 20_000
SHARE_DECIDED: Final = 0.8


@lru_cache(maxsize=64)
def throws_to_find_double(outcomes: Outcomes, *, seed: int = 1) -> int | None:
    """Return about how many throws find in four of five cases that the rarest outcome falls twice as often as fair.

    Right to about an eighth. None if no die can have that bias, or if more than `MOST_THROWS` are needed.
    """
    rarest = min((one for one in outcomes.contrasts if one.kind == "face"), key=outcomes.share)
    share = outcomes.share(rarest)
    if 2 * share >= 1:
        return None
    chances, mixture = off_by(outcomes, rarest, share), mixture_of(outcomes)
    rng = np.random.default_rng(seed)
    counts = np.zeros((SIMULATED_RUNS, len(chances)), np.int64)
    made, look = 0, FIRST_MOMENT
    while made < MOST_THROWS:
        counts += rng.multinomial(look - made, chances, size=len(counts))
        made, look = look, int(look * THROWS_GROWTH) + 1
        counts = counts[mixture.log_value(counts) < -np.log(SIGNIFICANCE_LEVEL)]
        if len(counts) <= SIMULATED_RUNS * (1 - SHARE_DECIDED):
            return made
    return None

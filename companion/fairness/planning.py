"""How many throws it takes to find a bias: by simulating the very bet that will be made."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.fairness.mixture import mixture_of
from companion.fairness.outcomes import Contrast, Floats, Outcomes
from companion.fairness.verdict import LEVEL

RUNS: Final = 400
STEP: Final = 1.03
"""The simulated die is looked at whenever this many times as many throws have been made."""

FIRST: Final = 10
MOST: Final = 3_000_000
"""Throws that are planned at most: more than anybody makes."""


@dataclass(frozen=True)
class Plan:
    """Throws after which a bias is found in half, 80 % and 95 % of the cases; None where it takes more than `MOST`."""

    half: int | None
    four_of_five: int | None
    nineteen_of_twenty: int | None


def plan(outcomes: Outcomes, contrast: Contrast, bias: float, *, seed: int = 1) -> Plan:
    """Return how many throws it takes to call a die biased whose contrast's share is off by ``bias``.

    Raises:
        ValueError: no die can be so.
    """
    chances = off_by(outcomes, contrast, bias)
    mixture = mixture_of(outcomes)
    rng = np.random.default_rng(seed)
    counts = np.zeros((RUNS, len(chances)), np.int64)
    alive = np.arange(RUNS)
    found = np.full(RUNS, np.inf)
    made, look = 0, FIRST
    while len(alive) > RUNS // 50 and made < MOST:  # the last few would take long and decide nothing
        counts[alive] += rng.multinomial(look - made, chances, size=len(alive))
        made, look = look, max(look + 1, int(look * STEP))
        called = mixture.log_value(counts[alive]) >= -np.log(LEVEL)
        found[alive[called]] = made
        alive = alive[~called]
    return Plan(*(_whole(np.quantile(found, part, method="higher")) for part in (0.5, 0.8, 0.95)))


def off_by(outcomes: Outcomes, contrast: Contrast, bias: float) -> Floats:
    """Return the chances (k) of a die whose contrast's share is ``bias`` more than fair; the others give alike.

    Raises:
        ValueError: the share would not lie between 0 and 1.
    """
    fair, places = outcomes.fair, list(contrast.outcomes)
    share = outcomes.share(contrast)
    if not 0 < share + bias < 1 or bias == 0:
        raise ValueError(
            f"Expected a bias that leaves {outcomes.name(contrast)} a share between 0 and 1, but {share:.3f} and "
            f"{bias:+.3f} make {share + bias:.3f}."
        )
    chances = fair * (1 - share - bias) / (1 - share)
    chances[places] = fair[places] * (share + bias) / share
    return np.asarray(chances)


def _whole(throws: float) -> int | None:
    return int(throws) if np.isfinite(throws) else None

"""The known odds of the games of virtues: tables and lengths exact, chances to win by simulation."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from companion.odds.known.known_odds import KnownOdds, Options
from companion.odds.ludus_regularis import length, rule_set_of
from companion.odds.report import exact, histogram, results
from companion.odds.simulation import simulate


class _Odds(KnownOdds):
    known = True

    def odds(self, slug: str, players: int, options: Options, *, games: int, seed: int) -> dict[str, Any]:
        """Return exact tables, curve and length of a whole game, and simulated chances with their errors."""
        played = simulate(slug, games, np.random.default_rng(seed), players, options)
        whole = options.get("ending", "whole") == "whole"
        return exact(slug, options) | {
            "histogram": histogram(slug, played if whole else None, options),
            "simulated": {"seed": seed, "options": dict(options)} | results(played),
        }

    def distribution(self, slug: str, options: Options) -> Sequence[float]:
        """Return the chance that n throws end a whole game, until the list is almost complete."""
        return length(slug, rule_set_of(slug, options)).cumulative

    def usual_throws(self, slug: str) -> float:
        """Return the mean number of throws of a whole game."""
        return float(length(slug).mean)

    def simulated(self, slug: str, count: int, seed: int, players: int, options: Options) -> dict[str, Any]:
        """Return the results of ``count`` games, judged by a table of all throws."""
        started = time.perf_counter()
        played = simulate(slug, count, np.random.default_rng(seed), players, options)
        seconds = time.perf_counter() - started
        return {"game": slug, "seed": seed, "options": dict(options), "seconds": seconds} | results(played)


ODDS = _Odds()

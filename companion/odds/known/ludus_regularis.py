"""The known odds of the games of virtues: tables and lengths exact, chances to win by simulation."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from companion.odds.known.known_odds import KnownOdds, Options
from companion.odds.ludus_regularis import length, rule_set_of
from companion.odds.report import exact, histogram, results
from companion.odds.simulation import GAMES_PER_BATCH, Games, joined, simulate
from companion.parallel.parts import WorkPart


class _LudusOdds(KnownOdds):
    known = True
    own_part = GAMES_PER_BATCH

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

    def own(self, slug: str, part: WorkPart, seed: int, players: int, options: Options) -> Games:
        """Return a part of many games, judged by a table of all throws; each part has dice of its own."""
        start = [seed, part.first // GAMES_PER_BATCH] if part.first else seed
        return simulate(slug, part.count, np.random.default_rng(start), players, options)

    def results(self, parts: Sequence[Games]) -> dict[str, Any]:
        """Return the results of these games."""
        return results(joined(parts))


ODDS = _LudusOdds()

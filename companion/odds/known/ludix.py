"""The known odds of Ludix: all exact, except how long it lasts."""

from typing import Any

from companion.odds.known.known_odds import KnownOdds, Options
from companion.odds.ludix import report


class _LudixOdds(KnownOdds):
    known = True

    def odds(self, slug: str, players: int, options: Options, *, games: int, seed: int) -> dict[str, Any]:
        """Return every throw, and the play that wins most often between two players."""
        del slug, games, seed
        return report.odds(players, options)


ODDS = _LudixOdds()

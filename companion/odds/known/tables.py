"""The known odds of games of tables: many games are simulated in parallel."""

from companion.odds.known.known_odds import KnownOdds, Options
from companion.odds.playouts import Played
from companion.odds.tables.layout import NotVectorisedError
from companion.odds.tables.simulation import simulate


class _TablesOdds(KnownOdds):
    def vectorised(  # noqa: PLR0917 - as `playouts.play` has them
        self, slug: str, count: int, seed: int, players: int, options: Options, cap: int, *, first: int = 0
    ) -> tuple[Played | None, str]:
        """Return the games, or None and the rule that the simulation does not know."""
        try:
            return simulate(slug, count, seed, players, options, cap, first=first), ""
        except NotVectorisedError as refused:
            return None, str(refused)


ODDS = _TablesOdds()

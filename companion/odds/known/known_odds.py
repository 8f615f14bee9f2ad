"""The known odds of the games of a family: the family's face for commands and page."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.odds.playouts import Played
from companion.parallel.parts import WorkPart
from companion.rules.game import Game
from companion.rules.options import OptionValue

Options = Mapping[str, OptionValue]


class KnownOdds:
    """What is known of a family's odds without playing by the rules; this base class knows nothing."""

    known = False
    """Whether `odds` returns anything."""

    own_part = 0
    """How many games `own` plays at a time; 0 if this family does not simulate games in its own way."""

    def odds(self, slug: str, players: int, options: Options, *, games: int, seed: int) -> dict[str, Any]:
        """Return the exact tables of a game, and for what is not known exactly the results of simulated games."""
        raise NotImplementedError

    def distribution(self, slug: str, options: Options) -> Sequence[float] | None:
        """Return the chance that n throws end a game, for n = 0, 1, 2, ...; None if it is not computed."""
        del slug, options
        return None

    def usual_throws(self, slug: str) -> float | None:
        """Return the mean number of throws of a game, None if it cannot be computed."""
        del slug
        return None

    def own(self, slug: str, part: WorkPart, seed: int, players: int, options: Options) -> Any:
        """Return a part of many games, simulated in this family's own way: parts of `own_part` games, from 0 on."""
        raise NotImplementedError

    def results(self, parts: Sequence[Any]) -> dict[str, Any]:
        """Return the results of all games, from the parts that `own` returned."""
        raise NotImplementedError

    def vectorised(  # noqa: PLR0917 - as `playouts.play` has them
        self, slug: str, count: int, seed: int, players: int, options: Options, cap: int, *, first: int = 0
    ) -> tuple[Played | None, str]:
        """Return games that the rules core could play too, simulated in parallel; or None and why not, "" if never.

        ``first``: the number of the first one, for a part of a longer run.
        """
        del slug, count, seed, players, options, cap, first
        return None, ""


NONE = KnownOdds()
"""For games of which nothing is known."""


def known_odds(game: Game) -> KnownOdds:
    """Return what is known of a game.

    Raises:
        FamilyError: its family names no known odds.
    """
    return game.family.face("odds", KnownOdds)

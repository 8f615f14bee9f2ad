"""How many games may be simulated in one run."""

from typing import Final

from companion.rules.errors import GameError

MOST_GAMES: Final = 1_000_000
"""The chances are known to 0.1 % by then, and each game stays in memory until the end."""


class GamesCountError(GameError):
    """So many games cannot be played in one run."""


def check_count(count: int) -> None:
    """Refuse a number of games that one run cannot play.

    Raises:
        GamesCountError: fewer than one game, or more than `MOST_GAMES`.
    """
    if not 1 <= count <= MOST_GAMES:
        raise GamesCountError(f"Expected 1 to {MOST_GAMES} games, but {count} were asked for.")

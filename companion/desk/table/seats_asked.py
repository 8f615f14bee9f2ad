"""Which seats of a new match the program is to take, checked."""

from collections.abc import Mapping
from typing import Any

from companion.language.sentence import Sentence
from companion.odds.opponents import can_play, chooses
from companion.referee.events import MenBy
from companion.referee.match import RefusedError
from companion.rules.errors import GameError
from companion.rules.registry import game as game_of


def program_seats(data: Mapping[str, Any], slug: str, players: int, men_by: MenBy) -> tuple[int, ...]:
    """Return the numbers of the players for whom the program plays, ascending, as ``programs`` of the data names them.

    Raises:
        RefusedError: no such players, or the program cannot play this game, or cannot move its men.
    """
    asked = data.get("programs", [])
    if not isinstance(asked, list) or any(isinstance(one, bool) or one not in range(1, players + 1) for one in asked):
        raise RefusedError(
            Sentence("Expected the numbers of players for whom the program plays, 1 to {players}.", players=players)
        )
    if not asked:
        return ()
    try:
        game = game_of(slug)
    except GameError:
        return ()  # that there is no such game is said elsewhere
    if not can_play(game):
        raise RefusedError(Sentence("The program cannot play {game}: nobody knows its rules.", game=game.title))
    if men_by == "camera" and chooses(game) and game.board.sites:
        raise RefusedError(
            Sentence("The program cannot lift men of wood: let the moves be tapped in, or play it among people.")
        )
    return tuple(sorted(set(asked)))

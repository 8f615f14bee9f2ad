"""The wiring that a board has where no map says otherwise: one strip that runs through its sites by a short way."""

from functools import cache

from companion.live.lights.marks import SEAT
from companion.rules.game import Game
from companion.rules.registry import game as game_of
from companion.rules.tables.choices import HAND, OFF
from firmware_bridge.wiring import Wiring, shortest, strips

USUAL = "usual"


def lit_sites(game: Game) -> tuple[tuple[str, float, float], ...]:
    """Return the sites of a game's board that usually have a light, in the board's order: name, x and y.

    Men in hand and borne off lie beside the board, where no light is.
    """
    return tuple((site.name, site.x, site.y) for site in game.board.sites if site.name not in (HAND, OFF))


@cache
def usual_wiring(slug: str) -> Wiring:
    """Return the map of a game's board with one LED a site, to and fro along its rows.

    A game without a board has a light for each player.
    """
    game = game_of(slug)
    places = lit_sites(game)
    if not places:
        seats = [SEAT.format(number) for number in range(1, game.most_players + 1)]
        return strips(USUAL, game.board.name, [seats])
    return strips(USUAL, game.board.name, shortest(places))

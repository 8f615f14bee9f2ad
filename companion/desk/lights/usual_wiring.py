"""The wiring of a board without a map of its own: one strip that runs through its sites by a short way."""

from functools import cache
from typing import Final

from companion.desk.lights.marks import SEAT
from companion.rules.board import Board
from companion.rules.registry import game as game_of
from companion.rules.registry import games
from firmware_bridge.wiring import Wiring, shortest, strips

USUAL: Final = "usual"


def wired_sites(board: Board) -> tuple[tuple[str, float, float], ...]:
    """Return the sites of a board that usually have a light, in the board's order: name, x and y.

    Men in hand and borne off lie beside the board, where there are no lights. A game without a board has lights for the
    seats.
    """
    places = tuple((site.name, site.x, site.y) for site in board.seen_sites)
    return places or tuple((seat, float(index), 0.0) for index, seat in enumerate(seats()))


@cache
def seats() -> tuple[str, ...]:
    """Return the names of the lights that show whose turn it is, enough for the game with the most players."""
    return tuple(SEAT.format(number) for number in range(1, max(game.most_players for game in games().values()) + 1))


@cache
def usual_wiring(slug: str) -> Wiring:
    """Return the map of a game's board with one LED for each site, back and forth along its rows."""
    return board_wiring(game_of(slug).board)


def board_wiring(board: Board) -> Wiring:
    """Return such a map of a board."""
    return strips(USUAL, board.name, shortest(wired_sites(board)))

"""Which games there are. A room is imported when its games are first asked for."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import MappingProxyType

from companion.language.sentence import Sentence
from companion.rules.errors import UnknownGameError
from companion.rules.game import Game

ROOMS = (
    "companion.rules.ludus_regularis",
    "companion.rules.ludix",
    "companion.rules.tables",
    "companion.rules.rithmomachia",
)
"""The packages of games; each has ``GAMES``, its variants in the order in which they are listed."""

_rooms = list(ROOMS)


@cache
def games() -> Mapping[str, Game]:
    """Return every game under its slug."""
    listed: list[Game] = [game for room in _rooms for game in import_module(room).GAMES]
    return MappingProxyType({game.slug: game for game in listed})


@contextmanager
def with_room(room: str) -> Iterator[None]:
    """Let a further package of games be known, after the others. To be entered before anything asks for the games."""
    _rooms.append(room)
    games.cache_clear()
    try:
        yield
    finally:
        _rooms.remove(room)
        games.cache_clear()


def game(slug: str) -> Game:
    """Return the game of this slug.

    Raises:
        UnknownGameError: there is none; the message lists those there are.
    """
    if slug not in games():
        raise UnknownGameError(
            Sentence("The games are {known}, but '{slug}' was asked for.", known=", ".join(games()), slug=slug)
        )
    return games()[slug]

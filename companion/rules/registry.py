"""The list of all games. It imports their packages when a caller first asks for the games."""

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
"""The packages of games; each has ``GAMES``, its variants in the order of listing."""

_rooms = list(ROOMS)


@cache
def games() -> Mapping[str, Game]:
    """Return every game by its slug."""
    listed: list[Game] = [game for room in _rooms for game in import_module(room).GAMES]
    return MappingProxyType({game.slug: game for game in listed})


@contextmanager
def with_room(room: str) -> Iterator[None]:
    """Add another package of games after the others. Enter this context before anything asks for the games."""
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
        UnknownGameError: there is none; the message lists the known slugs.
    """
    if slug not in games():
        raise UnknownGameError(
            Sentence("There is no game '{slug}'; the games are {known}.", known=", ".join(games()), slug=slug)
        )
    return games()[slug]

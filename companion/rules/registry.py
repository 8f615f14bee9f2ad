"""The list of all games. It imports their packages when a caller first asks for the games."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import MappingProxyType

from companion.language.sentence import Listing, Sentence
from companion.rules.errors import UnknownGameError
from companion.rules.game import Game

ROOMS = (
    "companion.rules.ludus_regularis",
    "companion.rules.ludix",
    "companion.rules.tables",
    "companion.rules.rithmomachia",
)
"""The packages of games; each has ``GAMES``, its variants in the order of listing."""

MOST_SUGGESTIONS = 3
"""How many games are named to somebody who asked for one that there is not."""


@cache
def games() -> Mapping[str, Game]:
    """Return every game by its slug."""
    listed: list[Game] = [game for room in ROOMS for game in import_module(room).GAMES]
    return MappingProxyType({game.slug: game for game in listed})


def game(slug: str) -> Game:
    """Return the game of this slug.

    Raises:
        UnknownGameError: there is none; the message names the nearest slugs.
    """
    if slug not in games():
        raise UnknownGameError(
            Sentence(
                "There is no game called '{slug}'. The nearest names are {near}; 'companion games' lists all of them.",
                slug=slug,
                near=Listing(_nearest(slug)),
            )
        )
    return games()[slug]


def _nearest(word: str) -> list[str]:
    """Return the slugs that are most like a word, whether or not the word names the family too."""
    names = {name: known for known in games() for name in (known, known.rpartition("/")[2])}
    return list(dict.fromkeys(names[name] for name in get_close_matches(word, names, 2 * MOST_SUGGESTIONS, 0.0)))[
        :MOST_SUGGESTIONS
    ]

"""The game that a teacher gives to all tables of a hall, as the book keeps it."""

import json
from collections.abc import Mapping

from companion.hall.book.database import Database
from companion.hall.topics import Given, MessageError, read_message
from companion.rules.errors import GameError
from companion.rules.registry import game


def read_given(slug: str, options: Mapping[str, str]) -> Given:
    """Return a game with the options that a form named.

    Raises:
        GameError: there is no such game, or it has no such option or value.
    """
    known = game(slug)
    return Given(slug, {name: known.option(name).read(text) for name, text in options.items()})


def give(database: Database, hall: str, given: Given | None) -> None:
    """Give all tables of the hall a game, or none any more.

    Raises:
        BookError: it was not written.
    """
    with database.transaction():
        database.rows("DELETE FROM given WHERE hall = %s", hall)
        if given is not None:
            options = json.dumps(given.options)
            database.rows("INSERT INTO given (hall, game, options) VALUES (%s, %s, %s)", hall, given.given, options)


def given_now(database: Database, hall: str) -> Given | None:
    """Return the game that all tables of the hall are given now, None for none.

    Raises:
        BookError: the book cannot be read.
    """
    for slug, options in database.rows("SELECT game, options FROM given WHERE hall = %s", hall):
        try:
            found = read_message(json.dumps({"given": slug, "options": json.loads(options)}).encode(), Given)
            game(found.given).settings(found.options)
        except (MessageError, GameError, ValueError):
            return None  # a newer program gave it
        return found
    return None

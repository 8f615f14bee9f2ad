"""The pages of a hall, rendered on the server; while they are open they fetch the part that has changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template

from companion.hall.book.database import BookError, Database
from companion.hall.book.questions import GameAsked, asked_by_game
from companion.hall.desk.watch import HallWatch
from companion.rules.registry import games
from companion.spreadsheet import as_csv
from companion.web.answers import as_file
from companion.web.app_state import AppKey
from companion.web.names import named

WATCH = AppKey[HallWatch]("hall_watch")

ASKED_COLUMNS: Final = (
    *("table", "game", "matches", "minutes"),
    *("throws", "asked", "as_proposed", "dismissed", "of_board", "corrected"),
)
"""The columns of the table of what was asked: fields of `GameAsked`."""

PARTS: Final = frozenset({"tables", "wall"})
"""The parts of pages that are fetched alone, by the name of their template."""

blueprint = Blueprint("hall", __name__)


def hall_state() -> Any:
    """Return how the hall is now, for a reader of this request's language."""
    return named(WATCH.get().snapshot().data)


@contextmanager
def opened_book() -> Iterator[Database]:
    """Open the hall's book for one request, which is refused where the book cannot be used."""
    try:
        with Database(WATCH.get().book) as database:
            yield database
    except BookError:
        abort(503, "The hall's book cannot be used now.")


@blueprint.get("/")
def home() -> str:
    """Show all tables and the newest results."""
    return render_template("hall/page.html", part="tables", state=hall_state())


@blueprint.get("/wall")
def wall() -> str:
    """Show the hall on a screen at the wall: large, and with nothing to press."""
    return render_template("hall/page.html", part="wall", state=hall_state())


@blueprint.get("/asked")
def asked() -> str:
    """Show what the tables asked their people, and whether it was needed."""
    return render_template("hall/asked.html", state=hall_state(), lines=_asked(), games=games())


@blueprint.get("/asked.csv")
def asked_as_csv() -> Response:
    """Return the same as a table for a spreadsheet."""
    rows = [[getattr(line, name) for name in ASKED_COLUMNS] for line in _asked()]
    return as_file(as_csv([ASKED_COLUMNS, *rows]), "text/csv", "asked.csv")


def _asked() -> list[GameAsked]:
    with opened_book() as database:
        return asked_by_game(database, WATCH.get().hall)


@blueprint.get("/part/<name>")
def part(name: str) -> str:
    """Return the part of a page that changes with the hall."""
    if name not in PARTS:
        abort(404)
    return render_template(f"hall/{name}.html", state=hall_state())

"""The pages of a hall, rendered on the server; while they are open they fetch the part that has changed."""

from typing import Any, Final

from flask import Blueprint, abort, render_template

from companion.hall.desk.watch import HallWatch
from companion.web.app_state import AppKey
from companion.web.names import named

WATCH = AppKey[HallWatch]("hall_watch")

PARTS: Final = frozenset({"tables", "wall"})
"""The parts of pages that are fetched alone, by the name of their template."""

blueprint = Blueprint("hall", __name__)


def hall_state() -> Any:
    """Return how the hall is now, for a reader of this request's language."""
    return named(WATCH.get().snapshot().data)


@blueprint.get("/")
def home() -> str:
    """Show all tables and the newest results."""
    return render_template("hall/page.html", part="tables", state=hall_state())


@blueprint.get("/wall")
def wall() -> str:
    """Show the hall on a screen at the wall: large, and with nothing to press."""
    return render_template("hall/page.html", part="wall", state=hall_state())


@blueprint.get("/part/<name>")
def part(name: str) -> str:
    """Return the part of a page that changes with the hall."""
    if name not in PARTS:
        abort(404)
    return render_template(f"hall/{name}.html", state=hall_state())

"""The greeting of players whom an organiser invites to this table: shown, and nothing more. They begin themselves."""

from typing import Any, Protocol

from flask import Blueprint, Flask, Response, jsonify, url_for

from companion.web import languages
from companion.web.app_state import AppKey

blueprint = Blueprint("invited", __name__)


class Invited(Protocol):
    """Who is invited, as `companion.hall.topics.Invitation` says."""

    @property
    def tournament(self) -> str:
        """The tournament's name."""
        ...

    @property
    def round(self) -> int:
        """The round, from 1."""
        ...

    @property
    def game(self) -> str:
        """The game's name, "" for any."""
        ...

    @property
    def players(self) -> tuple[str, str]:
        """The two, in the order in which they throw."""
        ...


class Greeting:
    """Whom the table greets; ``on``: whether it greets anybody at all."""

    def __init__(self) -> None:
        self.on = False
        self.now: Invited | None = None


INVITED = AppKey[Greeting]("invited")


def prepare(app: Flask) -> None:
    """Let the pages of an app greet."""
    INVITED.put(app, Greeting())
    app.register_blueprint(blueprint)
    app.context_processor(lambda: {"greeting": greeting() if INVITED.get(app).on else None})


def greeting() -> dict[str, Any]:
    """Return what the page says, and where the players begin; empty texts for nobody."""
    now = INVITED.get().now
    if now is None:
        return {"text": "", "go": ""}
    first, second = now.players
    text = languages.here()("invited.text", first=first, second=second, tournament=now.tournament, round=now.round)
    return {"text": text, "go": url_for("pages.new", player=list(now.players), game=now.game or None)}


@blueprint.get("/api/invitation")
def invitation() -> Response:
    """Return whom the table greets."""
    return jsonify(greeting())

"""Whom an organiser invites to this table, or which game a teacher gives it: shown, and nothing more.

The players begin themselves.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Flask, Response, jsonify, url_for

from companion.rules.registry import games
from companion.web import languages
from companion.web.app_state import AppKey

if TYPE_CHECKING:
    from companion.hall.topics import Given, Invitation

blueprint = Blueprint("invited", __name__)


class Greeting:
    """Whom the table greets, or which game it is given; ``on``: whether it shows such things at all."""

    def __init__(self) -> None:
        self.on = False
        self.now: Invitation | None = None
        self.game: Given | None = None

    def show(self, invited: "Invitation | None", given: "Given | None" = None) -> None:
        """Show this from now on; nothing if both are None."""
        self.on, self.now, self.game = True, invited, given

    def followed_by(self, asked: Mapping[str, Any]) -> str:
        """Return the invitation that a new match follows, "" if it follows none.

        ``asked``: what the command ``new_match`` asks for, not checked yet. The match follows the invitation if the two
        who are invited play the tournament's game, and no program plays. The answer is the invitation's id, with a
        minus sign before it if they sit the other way round.
        """
        if self.now is None or not self.now.id or asked.get("programs") or self.now.game not in ("", asked.get("game")):
            return ""
        players = asked.get("players")
        called = [str(name).strip().casefold() for name in players] if isinstance(players, list) else []
        wanted = [name.strip().casefold() for name in self.now.players]
        return self.now.id if called == wanted else f"-{self.now.id}" if called == wanted[::-1] else ""


INVITED = AppKey[Greeting]("invited")


def prepare(app: Flask) -> None:
    """Let the pages of an app greet."""
    INVITED.put(app, Greeting())
    app.register_blueprint(blueprint)
    app.context_processor(lambda: {"greeting": greeting() if INVITED.get(app).on else None})


def greeting() -> dict[str, Any]:
    """Return what the page says, and where the players begin; empty texts for nobody."""
    now, given = INVITED.get().now, INVITED.get().game
    if given is not None:
        return _given(given)
    if now is None:
        return {"text": "", "go": ""}
    first, second = now.players
    text = languages.here()("invited.text", first=first, second=second, tournament=now.tournament, round=now.round)
    return {"text": text, "go": url_for("pages.new", player=list(now.players), game=now.game or None)}


def _given(game: "Given") -> dict[str, Any]:
    known, texts = games().get(game.given), languages.here()
    text = texts("invited.given", game=game.given if known is None else texts.translated(known.title))
    options = {f"option.{name}": str(value) for name, value in game.options.items()}
    return {"text": text, "go": url_for("pages.new", game=game.given, **options)}  # type: ignore[arg-type]


@blueprint.get("/api/invitation")
def invitation() -> Response:
    """Return whom the table greets."""
    return jsonify(greeting())

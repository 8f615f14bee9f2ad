"""A classroom of many tables on the desk: the owner pauses all of them, and gives all of them the same game."""

from collections.abc import Callable, Sequence
from threading import Semaphore
from typing import Annotated, Any, Final

import msgspec
from flask import Blueprint, Response, abort, jsonify, render_template, request, url_for

from companion.hall.book.given import give, given_now, read_given
from companion.hall.line import LineLostError
from companion.hall.orders import OrderAnswers
from companion.hall.topics import Given
from companion.language.sentence import SentenceText
from companion.rules.errors import GameError
from companion.rules.registry import games
from companion.web import languages
from companion.web.access.auth import owner_only
from companion.web.app_state import AppKey
from companion.web.games import game_json
from companion.web.hall.pages import WATCH, hall_state, opened_book
from companion.web.hall.tournaments import FAULTY
from companion.web.json_bodies import body_as, json_object, takes

Asks = Callable[[str, Sequence[str]], OrderAnswers]
"""Gives a command to tables, and returns what they answer; raises `LineLostError` where the broker is away."""

ASKS = AppKey[Asks]("hall_asks")
ENDING: Final = ("ending", "target", "throws", "minutes")
"""The options that decide how long a match is; they stand first in the form."""

_asking = Semaphore()  # one order at a time: the answers of two could not be distinguished

blueprint = Blueprint("hall_classroom", __name__)


class GivenGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game that all tables are given, "" for none any more, and its options as a form writes them."""

    game: Annotated[str, msgspec.Meta(max_length=80), FAULTY] = ""
    options: Annotated[dict[str, Annotated[str, msgspec.Meta(max_length=80)]], FAULTY] = {}


@blueprint.get("/class")
def page() -> str:
    """Show what the owner may ask of all tables, and the game that they are given now."""
    chosen = games().get(request.args.get("game", ""))
    shown = None if chosen is None else game_json(chosen)
    if shown is not None:
        shown["options"].sort(key=lambda one: ENDING.index(one["name"]) if one["name"] in ENDING else len(ENDING))
    return render_template(
        "hall/classroom.html",
        state=hall_state(),
        games={slug: game.title for slug, game in games().items()},
        chosen=shown,
        given=_given(_now()),
    )


def _now() -> Given | None:
    with opened_book() as database:
        return given_now(database, WATCH.get().hall)


def _given(given: Given | None) -> dict[str, Any] | None:
    """Return what the page says of the given game: its title, and each option that differs from the preset."""
    if given is None:
        return None
    known = games()[given.given]
    changed = {name: value for name, value in given.options.items() if value != known.option(name).default}
    return {"title": known.title, "options": changed}


@blueprint.post("/api/class/pause")
@owner_only
def pause() -> Response:
    """Pause the matches of all tables that are online, and say which tables did it."""
    tables = [one["name"] for one in hall_state()["tables"] if one["sign"] != "offline"]
    if not _asking.acquire(blocking=False):
        abort(503, "Somebody else is already asking; try again in a moment.")
    try:
        answered = ASKS.get()("pause", tables)
    except LineLostError:
        abort(503, "The broker cannot be reached, so no table was asked.")
    finally:
        _asking.release()
    say, listed = languages.here(), ", ".join
    sentences = [
        *([say("hall_class.paused", tables=listed(answered.done))] if answered.done else []),
        *(say("hall_class.refused", table=table, why=why) for table, why in answered.refused.items()),
        *([say("hall_class.silent", tables=listed(answered.silent))] if answered.silent else []),
    ]
    return jsonify(
        {
            "ok": True,
            "told": sentences or [say("hall_class.nobody")],
            "done": list(answered.done),
            "refused": dict(answered.refused),
            "silent": list(answered.silent),
        }
    )


@blueprint.post("/api/class/game")
@owner_only
@takes(GivenGame)
def give_game() -> Response:
    """Give all tables the same game, or take it back; nothing begins by that."""
    asked = body_as(GivenGame, json_object() or {})
    try:
        given = read_given(asked.game, asked.options) if asked.game else None
    except GameError as why:
        abort(409, SentenceText(why.sentence))
    with opened_book() as database:
        give(database, WATCH.get().hall, given)
    WATCH.get().wake()
    return jsonify({"ok": True, "go": url_for(".page")})

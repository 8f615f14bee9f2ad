"""The table over HTTP: its state, its pictures, and the commands that a page sends."""

import re
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from companion.desk.command import CommandSet, no_command
from companion.desk.table.command_types import TABLE_COMMANDS
from companion.desk.table.match_desk import PAGE, Reply
from companion.language.sentence import Sentence, SentenceText, why_of
from companion.web.access.auth import pin_needed, require
from companion.web.answers import answered, limit_picture, shown_picture
from companion.web.app_state import table
from companion.web.camera import phone
from companion.web.classroom.visiting import require_part
from companion.web.json_bodies import json_object
from companion.web.owner.invited import INVITED
from companion.web.streams import BOOT, STREAMS, WATCHED

PICTURE_NAME = re.compile(r"table|board|crop-[0-9a-z-]{1,40}|[0-9a-f]{64}")
NOW = frozenset({"table", "board"})

blueprint = Blueprint("api", __name__, url_prefix="/api")


@blueprint.get("/state")
def state() -> Response:
    """Return the whole state; 304 if nothing changed."""
    snapshot = WATCHED.get().snapshot()
    tag = f"{snapshot.version}-{BOOT}"
    if request.if_none_match.contains_weak(tag):
        response = Response(status=304)
    else:
        response = Response(STREAMS.get().text(snapshot), mimetype="application/json")
    response.set_etag(tag)
    response.headers["Cache-Control"] = "no-cache"
    return response


@blueprint.post("/command/<name>")
def command(name: str) -> Response:
    """Send the table a command; the answer comes when the journal has it."""
    if name in TABLE_COMMANDS and TABLE_COMMANDS[name].who == "anyone":
        require_part(name)
    return carried_out(TABLE_COMMANDS, name, _invited if name == "new_match" else table().command)


def _invited(name: str, data: dict[str, Any], actor: str) -> Reply:
    """Begin a match; it says which invitation it follows, whatever the client says of that."""
    return table().command(name, {**data, "invitation": INVITED.get().followed_by(data)}, actor)


def carried_out(known: CommandSet, name: str, command: Callable[[str, dict[str, Any], str], Reply]) -> Response:
    """Run a command with the data in the body of this request and return its answer; 409 if it is refused."""
    if name not in known:
        abort(404, SentenceText(no_command(known, name)))
    require(known[name].who)
    body = json_object()
    if body is None:
        abort(400, "Expected a JSON object with the arguments of the command, e.g. {}.")
    return answered(command(name, body, "owner" if not pin_needed() else PAGE))


@blueprint.get("/lights")
def lights() -> Response:
    """Return what the LEDs of a simulated board show now."""
    shown = table().upkeep.leds.shown()
    if shown is None:
        abort(404)
    return jsonify(dict(shown))


@blueprint.get("/picture/<name>.jpg")
def picture(name: str) -> Response:
    """Return what the camera sees, cropped to the mat, or the crop that a question is about."""
    return named_picture(name, table().picture)


def named_picture(name: str, pictures: Callable[[str], bytes | None]) -> Response:
    """Answer with the picture of that name; 204 where a camera shows nothing now.

    A page may ask in the moment in which the camera stops: that is no error.
    """
    live = name in NOW
    jpeg = pictures(name) if PICTURE_NAME.fullmatch(name) else None
    return Response(status=204) if live and jpeg is None else shown_picture(jpeg, now=live)


@blueprint.post("/frames")
@phone.senders_only
def frames() -> Response:
    """Take one picture from a browser's camera."""
    if request.mimetype != "image/jpeg":
        abort(415, SentenceText(Sentence("Expected a JPEG picture, but got {got}.", got=request.mimetype or "-")))
    limit_picture()
    try:
        return phone.hand_in(request.get_data(), WATCHED.get())
    except ValueError as error:
        abort(409, SentenceText(why_of(error)))

"""The table over HTTP: its state, its pictures, and the commands that a page gives it."""

import json
import re
import secrets

from flask import Blueprint, Response, abort, current_app, jsonify, request

from companion.kiosk.languages import here
from companion.kiosk.owner import pin_needed, require_owner
from companion.kiosk.table import Table
from companion.rules.sentence import SaidText, why_of

# Commands that decide over a whole match or rewrite it; at the table itself (loopback) everyone is the owner.
OWNER_COMMANDS = frozenset({"new_match", "resume", "preview_correction", "correct", "finish", "reset"})
COMMANDS = OWNER_COMMANDS | {
    "pause",
    "unpause",
    "throw",
    "choose",
    "weigh",
    "take_back",
    "roll",
    "autoplay",
    "answer",
    "dismiss",
    "answer_board",
    "dismiss_board",
    "seat_board",
    "time_up",
}
LARGEST_FRAME = 6 * 1024 * 1024  # bytes; a 4K JPEG at quality 0.85 has about 3 MB
PICTURE_NAME = re.compile(r"table|board|crop-[0-9a-z-]{1,40}|[0-9a-f]{64}")
BOOT = secrets.token_hex(4)  # versions start anew with every start of the server, so its ETags must differ

blueprint = Blueprint("api", __name__, url_prefix="/api")


def table() -> Table:
    """Return the running table."""
    running: Table = current_app.extensions["alea_table"]
    return running


@blueprint.get("/state")
def state() -> Response:
    """Return the whole state; 304 while nothing changed."""
    snapshot = table().snapshot()
    tag = f"{snapshot.version}-{BOOT}"
    if request.if_none_match.contains_weak(tag):
        response = Response(status=304)
    else:
        text = json.dumps(snapshot.data, ensure_ascii=False, separators=(",", ":"))
        response = Response(text, mimetype="application/json")
    response.set_etag(tag)
    response.headers["Cache-Control"] = "no-cache"
    return response


@blueprint.post("/command/<name>")
def command(name: str) -> Response:
    """Give the table a command; the answer comes when the journal has it."""
    if name not in COMMANDS:
        abort(404, f"The table knows no command {name!r}; it knows {', '.join(sorted(COMMANDS))}.")
    if name in OWNER_COMMANDS:
        require_owner()
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        abort(400, "Expected a JSON object with the command's particulars, e.g. {}.")
    reply = table().command(name, body, "owner" if not pin_needed() else "page")
    answer = {"ok": reply.ok, "sentence": reply.sentence.to_json(), "data": dict(reply.data)}
    if reply.ok:
        return jsonify(answer)
    refused = jsonify({"error": here().say(reply.sentence.to_json()), **answer})
    refused.status_code = 409
    return refused


@blueprint.get("/lights")
def lights() -> Response:
    """Return what the LEDs of a simulated board show now."""
    shown = table().lights()
    if shown is None:
        abort(404)
    response = jsonify(dict(shown))
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/picture/<name>.jpg")
def picture(name: str) -> Response:
    """Return what the camera sees, cropped to the mat, or the crop that a question is about."""
    jpeg = table().picture(name) if PICTURE_NAME.fullmatch(name) else None
    if jpeg is None:
        abort(404, "There is no such picture.")
    response = Response(jpeg, mimetype="image/jpeg")
    # a crop never changes, but it is of somebody's table: this browser only
    response.headers["Cache-Control"] = "no-store" if name in {"table", "board"} else "private, max-age=3600"
    return response


@blueprint.post("/frames")
def frames() -> Response:
    """Take one picture that a browser's camera made."""
    require_owner()
    request.max_content_length = LARGEST_FRAME
    if request.mimetype != "image/jpeg":
        abort(415, f"Expected a JPEG picture, but got {request.mimetype}.")
    try:
        table().offer_frame(request.get_data())
    except ValueError as error:
        abort(409, SaidText(why_of(error)))
    return Response(status=204)

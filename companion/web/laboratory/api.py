"""The laboratory over HTTP: its commands, its pictures, and all throws of a series."""

from flask import Blueprint, Response, abort, jsonify, request

from companion.desk.series.command_types import SERIES_COMMANDS
from companion.live.laboratory.laboratory import Laboratory
from companion.web.api import carried_out, named_picture
from companion.web.app_state import AppKey

LABORATORY = AppKey[Laboratory]("laboratory")

blueprint = Blueprint("laboratory_api", __name__)


@blueprint.post("/lab/api/command/<name>")
def command(name: str) -> Response:
    """Send the laboratory a command; the answer comes when the file has it."""
    return carried_out(SERIES_COMMANDS, name, LABORATORY.get().command)


@blueprint.get("/lab/api/throws/<int:series>")
def throws(series: int) -> Response:
    """Return the throws of a series in order: all, or ``count`` of them from the number ``first`` on."""
    found = LABORATORY.get().throws(series)
    if found is None:
        abort(404, "There is no such series.")
    first = max(1, request.args.get("first", 1, type=int))
    count = request.args.get("count", len(found), type=int)
    return jsonify({"series": series, "count": len(found), "throws": found[first - 1 : first - 1 + max(0, count)]})


@blueprint.get("/lab/picture/<name>.jpg")
def picture(name: str) -> Response:
    """Return what the camera sees, cropped to the mat, or the picture of a throw or a face, by its hash."""
    return named_picture(name, LABORATORY.get().picture)

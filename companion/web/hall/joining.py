"""The desk's page with the hall's code: a table joins by it, and the owner removes tables and makes another code."""

from typing import Annotated

import msgspec
from flask import Blueprint, Response, abort, jsonify, make_response, render_template, url_for

from companion.hall.direct.members import Members, MembersError
from companion.language.sentence import Sentence, SentenceText
from companion.web.access.auth import owner_only, pin_needed
from companion.web.app_state import AppKey
from companion.web.hall.pages import hall_state
from companion.web.hall.tables_server import TablesServer
from companion.web.hall.tournaments import FAULTY
from companion.web.json_bodies import body_as, json_object, takes

JOINING = AppKey[tuple[Members, TablesServer] | None]("hall_joining")

blueprint = Blueprint("hall_joining", __name__)


class RemovedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which table leaves the hall."""

    table: Annotated[str, msgspec.Meta(max_length=40), FAULTY]


def _joining() -> tuple[Members, TablesServer]:
    found = JOINING.get()
    if found is None:
        abort(404, SentenceText(Sentence("The tables of this hall reach it over a broker; there is no code.")))
    return found


@blueprint.get("/join")
def page() -> Response:
    """Show the owner how a table joins, and the tables that have joined."""
    members, server = _joining()
    if pin_needed():
        return make_response(render_template("owner/sign_in.html"), 401)
    return make_response(
        render_template(
            "hall/joining.html", state=hall_state(), address=server.address, code=members.code, tables=members.tables
        )
    )


@blueprint.post("/api/join/code")
@owner_only
def renew() -> Response:
    """Make another code."""
    members, _ = _joining()
    try:
        members.renew()
    except MembersError:
        abort(503, SentenceText(UNWRITTEN))
    return jsonify({"ok": True, "go": url_for(".page")})


@blueprint.post("/api/join/remove")
@owner_only
@takes(RemovedTable)
def remove() -> Response:
    """Take back the key of a table."""
    members, server = _joining()
    asked = body_as(RemovedTable, json_object() or {})
    try:
        if not members.remove(asked.table):
            abort(404, SentenceText(Sentence("There is no table of this name in the hall.")))
    except MembersError:
        abort(503, SentenceText(UNWRITTEN))
    server.forget(asked.table)
    return jsonify({"ok": True, "go": url_for(".page")})


UNWRITTEN = Sentence("The hall's tables cannot be kept now: is the disk full, or its folder read-only?")

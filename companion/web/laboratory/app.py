"""The Flask application of the fairness laboratory: the base of the table's page, with other pages."""

from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final, Unpack

from flask import Flask, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.live.laboratory.laboratory import Laboratory
from companion.settings.record import DECLARED
from companion.web import api as common
from companion.web import pages as common_pages
from companion.web.addresses import on_loopback
from companion.web.app import PageOwner, bare_app
from companion.web.camera import phone
from companion.web.laboratory import api, museum, pages, reports

USUAL: Final = int(DECLARED["port"].default)
"""The port at which a table listens that was given no other."""

PATIENCE: Final = 1.0
"""Seconds for the table's answer; a port where nobody listens refuses at once."""


def games_address(port: int = USUAL) -> str | None:
    """Return the address of a table's start page for a browser of this computer, None where no table listens."""
    host, _, mine = request.host.rpartition(":")
    if not host or mine == str(port) or not on_loopback(request.remote_addr or ""):
        return None
    table = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        table.request("HEAD", "/join")  # a page that only a table has, and that costs little
        answers = table.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return None
    finally:
        table.close()
    return f"http://{host}:{port}/start" if answers else None


MUSEUM = "/lab/museum"
"""If this page comes first, it has no links to the others, so that visitors stay on it."""


def create_laboratory_app(
    laboratory: Laboratory, *, first: str = "/lab", day: Path | None = None, **owner: Unpack[PageOwner]
) -> Flask:
    """Make the pages of a running laboratory.

    ``first`` is the target of ``/``; ``day``: the file of the day's counts on the museum's page, or None for memory.
    """
    app = bare_app(laboratory, owner)
    api.LABORATORY.put(app, laboratory)
    app.config["ALEA_MUSEUM"] = first == MUSEUM
    for room in (api, pages, reports):
        app.register_blueprint(room.blueprint)
    museum.prepare(app, day)
    app.add_url_rule("/", "home", lambda: _led(first))
    app.add_url_rule("/api/state", "state", common.state)
    app.add_url_rule("/healthz", "healthz", common_pages.healthz)
    app.add_url_rule("/camera", "camera", common_pages.camera)  # this device as the camera, for --camera push
    app.add_url_rule("/api/setup", "setup", pages.setup)
    app.add_url_rule("/api/frames", "frames", common.frames, methods=["POST"])
    phone.prepare(app, (phone.FOR_PHONES - {"api.frames", "games.setup"}) | {"frames", "setup"}, home="home")
    app.context_processor(lambda: {"layout": "laboratory/base.html", "games_address": games_address})
    return app


def _led(first: str) -> AnyResponse:
    query = request.query_string.decode("ascii", "replace")
    return redirect(f"{request.script_root}{first}" + (f"?{query}" if query else ""))

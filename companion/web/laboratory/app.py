"""The Flask application of the fairness laboratory: the base of the table's page, with other pages."""

from pathlib import Path
from typing import Unpack

from flask import Flask, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from companion.live.laboratory.laboratory import Laboratory
from companion.web import api as common
from companion.web import pages as common_pages
from companion.web.app import PageOwner, bare_app
from companion.web.camera import phone
from companion.web.laboratory import api, museum, pages, reports
from companion.web.laboratory.games import games_address

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

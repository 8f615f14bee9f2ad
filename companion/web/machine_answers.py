"""What the servers for other tables share: an app without pages, refusals of one word, a key in a head."""

from http import HTTPStatus

import msgspec
from flask import Blueprint, Flask, Response, jsonify

from companion.web import security


def machine_app(name: str, blueprint: Blueprint, kind: str, *busy: type[Exception]) -> Flask:
    """Make an application that answers programs, and nothing else of this one can be reached there.

    ``kind``: the type of its largest body; ``busy``: what is raised where the same may be asked again later.
    """
    app = Flask(name, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = security.largest(kind)
    security.protect(app)
    app.register_blueprint(blueprint)
    app.register_error_handler(msgspec.MsgspecError, lambda _: refused_as(HTTPStatus.BAD_REQUEST, "form"))
    for error in busy:
        app.register_error_handler(error, lambda _: refused_as(HTTPStatus.SERVICE_UNAVAILABLE, "busy"))
    return app


def refused_as(status: int, why: str) -> Response:
    """Refuse a request with a status and one word that a program knows."""
    answer = jsonify({"why": why})
    answer.status_code = status
    return answer


def key_in(header: str | None) -> str:
    """Return the key in the header ``Authorization``, "" for none."""
    return (header or "").removeprefix("Bearer ")

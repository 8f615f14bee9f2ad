"""The Flask application of one running table."""

from collections.abc import Sequence

from flask import Flask

from companion.kiosk import (
    api,
    assets,
    calibrating,
    errors,
    games,
    languages,
    owner,
    pages,
    replay,
    security,
    streams,
    transfer,
)
from companion.kiosk.table import Table

LARGEST_BODY = 256 * 1024  # bytes; pictures and imports say their own


def create_app(table: Table, *, trusted_hosts: Sequence[str], owner_pin: str | None = None) -> Flask:
    """Make the page of a running table.

    ``trusted_hosts`` are the names under which it may be asked (a page that re-resolves its own name to this machine
    is not among them). ``owner_pin`` is asked for before the owner's actions; None where only this machine reaches
    the page.
    """
    app = Flask("companion.kiosk")
    app.config.update(TRUSTED_HOSTS=list(trusted_hosts), MAX_CONTENT_LENGTH=LARGEST_BODY)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the order of dice and players means something
    app.extensions["alea_table"] = table
    app.extensions["alea_streams"] = streams.Streams(table)
    assets.prepare(app)
    security.protect(app)
    errors.explain(app)
    owner.guard(app, owner_pin)
    for room in (languages, pages, api, games, replay, streams, transfer):
        app.register_blueprint(room.blueprint)
    calibrating.prepare(app)
    return app

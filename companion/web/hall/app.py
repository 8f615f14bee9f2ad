"""The Flask application of a hall's organiser: the base of the table's page, with other pages."""

from collections.abc import Sequence
from pathlib import Path

from flask import Flask

from companion.hall.desk.watch import HallWatch
from companion.web import api as common
from companion.web import pages as common_pages
from companion.web.app import bare_app
from companion.web.camera.pairing import Pairing
from companion.web.camera.phone import PHONES
from companion.web.hall import classroom, pages, tournaments
from companion.web.owner import auth
from companion.web.owner.settings import SettingsFile


def create_hall_app(
    watch: HallWatch,
    *,
    trusted_hosts: Sequence[str],
    owner_pin: str | None = None,
    kept_pin: str | None = None,
    pin_file: Path | None = None,
    settings: SettingsFile | None = None,
    asks: classroom.Asks | None = None,
) -> Flask:
    """Make the pages of a hall that is being watched; the other arguments are those of `create_app`.

    ``asks``: gives a command to tables and returns their answers; None if this desk reaches no table.
    """
    app = bare_app(watch, trusted_hosts=trusted_hosts, settings=settings)
    pages.WATCH.put(app, watch)
    classroom.ASKS.put(app, asks)
    PHONES.put(app, Pairing())  # no phone is a desk's camera
    auth.guard(app, owner_pin, kept=kept_pin, pin_file=pin_file)
    for room in (pages, tournaments, classroom):
        app.register_blueprint(room.blueprint)
    app.add_url_rule("/api/state", "state", common.state)
    app.add_url_rule("/healthz", "healthz", common_pages.healthz)
    return app

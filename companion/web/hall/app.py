"""The Flask application of a hall's organiser: the base of the table's page, with other pages."""

from collections.abc import Sequence
from pathlib import Path

from flask import Flask

from companion.hall.desk.watch import HallWatch
from companion.hall.orders import OrderAnswers
from companion.settings.file import SettingsFile
from companion.web import api as common
from companion.web import pages as common_pages
from companion.web.access import auth
from companion.web.app import bare_app
from companion.web.hall import classroom, pages, tournaments


def create_hall_app(
    watch: HallWatch,
    *,
    trusted_hosts: Sequence[str],
    owner_pin: str | None = None,
    kept_pin: str | None = None,
    pin_file: Path | None = None,
    settings: SettingsFile | None = None,
    asks: classroom.Asks = lambda *_: OrderAnswers([], {}, []),
) -> Flask:
    """Make the pages of a hall that is being watched; the other arguments are those of `create_app`.

    ``asks``: gives a command to tables and returns their answers; by default nobody is asked.
    """
    app = bare_app(watch, trusted_hosts=trusted_hosts, settings=settings)
    pages.WATCH.put(app, watch)
    classroom.ASKS.put(app, asks)
    auth.guard(app, owner_pin, kept=kept_pin, pin_file=pin_file)
    for room in (pages, tournaments, classroom):
        app.register_blueprint(room.blueprint)
    app.add_url_rule("/api/state", "state", common.state)
    app.add_url_rule("/healthz", "healthz", common_pages.healthz)
    return app

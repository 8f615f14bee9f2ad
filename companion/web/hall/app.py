"""The Flask application of a hall's organiser: the base of the table's page, with other pages."""

from typing import Unpack

from flask import Flask

from companion.hall.desk.watch import HallWatch
from companion.hall.direct.members import Members
from companion.hall.orders import OrderAnswers
from companion.web import api as common
from companion.web import pages as common_pages
from companion.web.app import PageOwner, bare_app
from companion.web.hall import classroom, joining, pages, tournaments
from companion.web.hall.tables_server import TablesServer


def create_hall_app(
    watch: HallWatch,
    *,
    asks: classroom.Asks = lambda *_: OrderAnswers([], {}, []),
    by_code: tuple[Members, TablesServer] | None = None,
    **owner: Unpack[PageOwner],
) -> Flask:
    """Make the pages of a hall that is being watched.

    ``asks``: gives a command to tables and returns their answers; by default nobody is asked. ``by_code``: the tables
    that joined by the hall's code and their server, None where tables reach the hall over a broker.
    """
    app = bare_app(watch, owner)
    pages.WATCH.put(app, watch)
    classroom.ASKS.put(app, asks)
    joining.JOINING.put(app, by_code)
    app.context_processor(lambda: {"by_code": by_code is not None})
    for room in (pages, tournaments, classroom, joining):
        app.register_blueprint(room.blueprint)
    app.add_url_rule("/api/state", "state", common.state)
    app.add_url_rule("/healthz", "healthz", common_pages.healthz)
    return app
